/**
 * The messages of the protocol (docs/protocol.md), and the few shapes that modules share.
 * Editors and `make lint` read this file; browsers never load it.
 */

// -- games ------------------------------------------------------------------------------------

export interface Game {
  name: string;
  title: string;
  summary: string;
  players: number[];
  teams: boolean;
  minutes: number;
  accent: string;
  printed_scores: [name: string, score: number][];
  options: Record<string, GameOption>;
}

interface OptionBase {
  title: string;
  help: string;
  range: string;
  advanced: boolean;
}
export interface NumberOption extends OptionBase {
  kind: "number";
  default: number;
  low: number;
  high: number;
}
export interface NumbersOption extends OptionBase {
  kind: "numbers";
  default: number[];
  low: number;
  high: number;
}
export interface ChoiceOption extends OptionBase {
  kind: "choice";
  default: string | number;
  choices: (string | number)[];
  labels: string[];
}
export interface FlagOption extends OptionBase {
  kind: "flag";
  default: boolean;
}
export type GameOption = NumberOption | NumbersOption | ChoiceOption | FlagOption;
export type OptionValue = string | number | boolean | (string | number)[];

// -- pictures and moves -----------------------------------------------------------------------

export type Shape = "wide" | "tall";

/** What is touched, in order; the names of a nested list can be touched in any order. */
export type Path = (string | string[])[];

/** Touching `name` swaps the last thing touched for another: `switches[name][last]`. */
export type Switches = Record<string, Record<string, string>>;

export interface Move {
  token: string;
  label: string;
  path: Path;
  ghost?: string | null;
}

/** Moves that one click makes together; dragging over just its trace means it as well. */
export interface Chip {
  label: string;
  tokens: string[];
  trace: string[];
  ghost: string | null;
}

/** Pieces that go into slots in any order; then the token is made with the value of each slot. */
export interface Fill {
  slots: string[];
  pieces: Record<string, string[]>;
  token: string;
}

export interface Picture {
  svg: string;
  accent: string;
  prompt: string;
  switches: Switches;
  chips?: Chip[];
  fill?: Fill | null;
}

/** A moment worth seeing; without `svg`, the picture of the state is shown. */
export interface Beat {
  svg: string | null;
  seconds: number;
  text: string;
  sound: string;
}

/** What a board shows, and what can be done on it. */
export interface Play {
  svg: string;
  beats: Beat[];
  moves: Move[];
  switches: Switches;
  chips: Chip[];
  fill: Fill | null;
  after?: (() => unknown)[]; // done when the picture is in place
}

// -- tables -----------------------------------------------------------------------------------

export type Status = "waiting" | "playing" | "over" | "closed";

export interface Seat {
  name: string;
  people: string[];
  present: boolean[];
  bot: string;
  face: string;
  stand_in: string;
  resigned: boolean;
  timed_out: boolean;
  reserved: boolean;
  /** Whether somebody plays here on another person's device. */
  here: boolean;
}

export interface ClockSettings {
  per: "turn" | "match";
  seconds: number;
  at_zero: "bot" | "resign";
}

export interface Clocks extends ClockSettings {
  left: number[];
  running: boolean[];
}

/** A line of the log: what happened from `seq` to `to`. One of the same `seq` replaces it. */
export interface LogLine {
  seq: number;
  to: number;
  at: number;
  kind: "chat" | "move" | "undo" | "note";
  text: string;
  name?: string;
  seat?: number | null;
  tokens?: string[];
}

export interface MatchResult {
  winners: number[];
  how: string;
  verdict: string;
  scores: number[] | null;
  /** What helped each seat. */
  assisted: string[][];
}

/** A table as its viewer may know it; `view` is the game's own record, of no use to pages. */
/** What the host has committed itself to, and who has still to contribute. */
export interface Fairness {
  commitment: string;
  contributions: string[];
  awaited: number[];
}

/** Whether a match was dealt fairly, and what that follows from. */
export interface DealReport {
  fair: boolean | null;
  message: string;
  dealt: number;
  event: number | null;
  fairness: {
    generator: string;
    commitment: string;
    secret: string;
    contributions?: { seat: number; name: string; value: string }[];
    order?: number[];
  } | null;
  /** Null where there are too many to send. */
  deals: { event: number; outcomes: [string, number][]; token: string }[] | null;
}

export interface TableState {
  type: "state";
  table: string;
  seq: number;
  seat: number | null;
  status: Status;
  frozen: string;
  game: string;
  players: number;
  options: Record<string, OptionValue>;
  title: string;
  public: boolean;
  rated: boolean;
  teams: boolean;
  start_when_full: boolean;
  shuffled: boolean;
  /** `seats` that I hold (several, where people share this device), and those to act. */
  you: { name: string; owner: boolean; seats: number[]; to_act: number[] } | null;
  /** Whether seats know different things. */
  curtain: boolean;
  owner_seat: number | null;
  open: number[];
  seats: Seat[];
  to_act: number[];
  scores: number[] | null;
  view: Record<string, unknown> | null;
  legal: Move[];
  picture?: Picture;
  beats?: Beat[];
  from: number;
  /** Entries of the log before the first line, if the client has none of them yet. */
  earlier: number;
  lines: LogLine[];
  clocks: Clocks | null;
  fairness: Fairness | null;
  undo: { seat: number; waiting: number[] } | null;
  /** Decisions of one's own turn that can be undone now; whether one may ask for more. */
  can: { undo: number; ask_undo: boolean };
  /** Whether one may ask for hints here. */
  hints: boolean;
  /** What helped oneself: "hint", "undo" (past others' moves), "bot". */
  assisted: string[];
  muted: { all: boolean; seats: number[] };
  result: MatchResult | null;
  previous: string;
  next: string;
}

export type Command =
  | { type: "join"; seat?: number; contribution?: string; name?: string }
  | { type: "leave"; seat?: number }
  | { type: "start" | "ask_undo" | "resign" | "return" | "rematch" }
  | { type: "add_bot"; seat: number; bot: string }
  | { type: "remove_bot" | "take_over"; seat: number }
  | { type: "move"; token: string }
  | { type: "moves"; tokens: string[] }
  | { type: "undo"; step?: boolean }
  | { type: "answer_undo"; agree: boolean }
  | { type: "chat"; text: string }
  | { type: "mute"; on: boolean; seat?: number };

export interface Problem {
  kind: "syntax" | "illegal" | "stale" | "forbidden" | "gone" | "limit" | "outage";
  message: string;
  rule?: string | null;
}

export type Answer = { type: "answer"; id: string; seq: number } & (
  | { ok: true; table?: string }
  | ({ ok: false } & Problem)
);

export type SendCommand = (command: Command) => Promise<Answer>;

/** How a client wants to be shown a table. */
export interface Look {
  scene: Shape;
  focus: number | null;
  beats: boolean;
  /** As which of several seats of one's own. */
  seat: number | null;
  /** Always as a spectator. */
  watch?: boolean;
}

export interface TableSettings {
  game: string;
  seats: string[];
  /** The names of those at the seats `here`, on this device. */
  here?: string[];
  players?: number;
  shuffled?: boolean;
  public?: boolean;
  options?: Record<string, OptionValue>;
  clock?: ClockSettings;
  hints?: boolean | null;
  rated?: boolean | null;
  contribute?: boolean;
}

export interface ListedTable {
  table: string;
  game: string;
  players: number;
  public: boolean;
  status: Status;
  title: string;
  free: number;
  names: string[];
  winners: number[];
  created: number;
  updated: number;
  turn: boolean | null;
}

export interface ScoreLine {
  label: string;
  rule: string;
  points: (number | string)[];
  total: boolean;
}

/** A number worth telling of a match that is over. */
export interface Figure {
  label: string;
  value: string;
  detail: string;
}

export interface HighScore {
  rank: number;
  name: string;
  score: number;
  table: string | null;
}

// -- replays ----------------------------------------------------------------------------------

export interface MatchEvent {
  actor: number;
  token: string | null;
  text: string;
}

export interface Match {
  key: string;
  you: number | null;
  game: string;
  title: string;
  players: number;
  names: string[];
  options: Record<string, OptionValue>;
  /** The constants of the game that differ, if it is played as a variant. */
  variant: Record<string, unknown> | null;
  length: number;
  over: boolean;
  scores: number[];
  winners: number[];
  verdict: string;
  events: MatchEvent[];
  turns: MatchTurn[];
}

/** A turn, deal or roll: the events from one moment to another, in a line. */
export interface MatchTurn {
  from: number;
  to: number;
  actor: number;
  text: string;
}

/** A moment of a turn that was not made. */
export interface LineMoment {
  seat: number | null;
  scores: number[];
  to_act: number[];
  picture: Picture | null;
  text: string;
}

export interface Moment {
  at: number;
  seat: number | null;
  scores: number[];
  to_act: number[];
  picture: Picture | null;
  ghost: string | null;
}

/**
 * A turn as the coach judges it; shares are every seat's expected part of the victory, `line` the
 * moves of the best turn.
 */
export interface Decision {
  event: number;
  until: number;
  seat: number;
  mark: "blunder" | "mistake" | "";
  loss: number;
  before: number[];
  after: number[];
  accuracy: number | null;
  made: Move;
  best: Move;
  line: string[];
  why: string;
}

export type CoachStatus = "none" | "waiting" | "preparing" | "running" | "done" | "failed";

export interface CoachReport {
  status: CoachStatus;
  progress: number;
  accuracy: (number | null)[];
  decisions: Decision[];
}

// -- lessons ----------------------------------------------------------------------------------

export interface Exercise {
  question: string;
  rule: string;
  svg: string;
  switches: Switches;
  moves: Move[];
}

export interface RulePicture {
  rule: string;
  caption: string;
  svg: string;
}

export interface Lessons {
  name: string;
  title: string;
  summary: string;
  players: number[];
  accent: string;
  text: string;
  measured: boolean;
  pictures: RulePicture[];
  exercises: Exercise[];
}

/** A number and its interval of 95 %. */
export interface Measure {
  value: number;
  low: number;
  high: number;
}

/** How a game goes between bots of one kind. */
export interface BalanceLevel {
  bot: string;
  matches: number;
  seats: Measure[];
  figures: Record<string, Measure>;
}

export interface BalanceTable {
  players: number;
  levels: BalanceLevel[];
}

export interface Balance {
  name: string;
  title: string;
  accent: string;
  tables: BalanceTable[];
}

export interface ExerciseReply {
  right: boolean;
  text: string;
  rule: string;
  svg: string | null;
}

// -- requests ---------------------------------------------------------------------------------

export type Query = Record<string, string | number>;

export interface Named {
  name: string;
}

/** A share of results that are worse, among so many matches. */
export interface LevelShare {
  share: number | null;
  matches: number;
}

/** What came of my try of a daily. */
export interface DailyResult {
  points: number;
  won: boolean;
  rated: boolean;
  people: number | null;
  levels: Record<string, LevelShare>;
  text: string;
}

/** Today's deal of a game. */
export interface DailyGame {
  name: string;
  title: string;
  accent: string;
  opponents: number;
  played: number;
  commitments: Record<string, string>;
  table: string | null;
  result: DailyResult | null;
}

/** The deals of the day, and what I did. */
export interface Daily {
  day: string;
  number: number;
  closes: number;
  streak: number;
  calendar: { day: string; finished: number }[];
  games: DailyGame[];
}

// -- puzzles ----------------------------------------------------------------------------------

export interface Strength {
  rating: number;
  deviation: number;
  tries: number;
  solved: number;
  provisional: boolean;
}
export interface PuzzleGame {
  name: string;
  title: string;
  accent: string;
  count: number;
  solved: number;
  tried: number;
}
export interface DailyPuzzle {
  id: string;
  game: string;
  title: string;
  tried: boolean | null; // whether my first try was right
  tries: number;
  solved: number;
}
export interface Puzzles {
  games: PuzzleGame[];
  rating: Strength;
  daily: DailyPuzzle | null;
}

/** A position to solve: a puzzle, or (with `mark`) a mistake of mine. */
export interface Puzzle {
  id: string;
  game: string;
  title: string;
  theme: string;
  goal: string;
  difficulty: string;
  legal: Move[];
  picture: Picture;
  rating?: number;
  tried?: boolean | null;
  mark?: "mistake" | "blunder";
}
export interface PuzzleReply {
  right: boolean;
  made: string;
  best: string;
  why: string;
  worth: string;
  line: { text: string; svg: string }[];
  guessed: boolean; // whether the line shows what was hidden, as it might have been
  counted: boolean;
  rating?: Strength;
  before?: Strength;
  due?: string;
  solved?: boolean;
  days?: number | null;
}

/** A mistake of mine as an exercise; `due` is a day, empty once it is solved. */
export interface Mistake {
  id: string;
  game: string;
  title: string;
  accent: string;
  mark: "mistake" | "blunder";
  table: string;
  event: number;
  step: number;
  due: string;
  is_due: boolean;
}
export interface Mistakes {
  day: string;
  spacing: number[];
  due: number;
  solved: number;
  mistakes: Mistake[];
}

// -- people -----------------------------------------------------------------------------------

/** Somebody's rating at a game: the number, and two standard deviations. */
export interface Rating {
  game: string;
  title: string;
  accent: string;
  number: number;
  uncertainty: number;
  sure: boolean;
  matches: number;
  share: number;
}

/** A rating on a profile, with how it went: time and number. */
export interface OwnRating extends Rating {
  course: [at: number, number: number][];
}

export interface Leader extends Rating {
  rank: number;
  id: string;
  name: string;
  mine: boolean;
}

/** Somebody at a table. Who hides has no id. */
export interface SeatedPerson {
  name: string;
  id: string | null;
  rating: Rating | null;
}

export interface RecentMatch {
  table: string;
  game: string;
  title: string;
  players: number;
  names: string[];
  seat: number;
  share: number;
  at: number;
  accuracy: number | null;
}

/** What somebody has done here. */
export interface Profile {
  id: string;
  name: string;
  since: number;
  mine: boolean;
  hidden: boolean;
  matches: number;
  ratings: OwnRating[];
  tallies: { game: string; title: string; players: number; matches: number; share: number }[];
  scores: { table: string; game: string; title: string; score: number; at: number }[];
  accuracy: { game: string; title: string; matches: number; accuracy: number }[];
  /** Null before the first try. */
  puzzles: Strength | null;
  streaks: { wins: number; longest: number; daily: number };
  recent: RecentMatch[];
}

/** What `GET /api/…` answers, by path. */
export interface GetRoutes {
  (path: "announcement"): Promise<{ text: string }>;
  (path: "daily"): Promise<Daily>;
  (path: "mistakes"): Promise<Mistakes>;
  (path: "puzzles"): Promise<Puzzles>;
  (
    path: `${"puzzles" | "mistakes"}/${string}/why`,
    values: { touched: string },
  ): Promise<{ reason: string | null }>;
  (path: `${"puzzles" | "mistakes"}/${string}`, values: Query): Promise<Puzzle>;
  (path: "friends"): Promise<{ invitable: boolean; friends: Friend[] }>;
  (path: "games"): Promise<Game[]>;
  (path: "groups"): Promise<ListedGroup[]>;
  (path: `groups/${string}/link`): Promise<GroupLink>;
  (path: `groups/${string}`): Promise<GroupPage>;
  (path: "invitations"): Promise<Invitation[]>;
  (path: `games/${string}/balance`): Promise<Balance>;
  (path: `games/${string}/lessons`, values: { scene: Shape }): Promise<Lessons>;
  (path: `games/${string}/rules`): Promise<{ text: string }>;
  (path: `games/${string}/scores`): Promise<HighScore[]>;
  (path: `leaders/${string}`): Promise<Leader[]>;
  (path: "me"): Promise<Named | { name: null }>;
  (path: "me/notices"): Promise<NoticeChoice>;
  (path: "notices"): Promise<NoticeOffer>;
  (path: `people/${string}`): Promise<Profile>;
  (path: "tables", values: { which: string; limit: number }): Promise<ListedTable[]>;
  (path: `tables/${string}/people`): Promise<SeatedPerson[][]>;
  (
    path: `tables/${string}/at`,
    values: { seq: number; scene: Shape; seat?: number },
  ): Promise<{ picture?: Picture }>;
  (path: `tables/${string}`, values: { scene: Shape }): Promise<TableState>;
  (
    path: `tables/${string}/hint`,
    values: { seat?: number },
  ): Promise<{ token: string; label: string }>;
  (
    path: `tables/${string}/log`,
    values: { before: number; seat?: number },
  ): Promise<{ lines: LogLine[]; earlier: number }>;
  (path: `tables/${string}/invite`): Promise<{ link: string }>;
  (path: `tables/${string}/sheet`): Promise<ScoreLine[]>;
  (path: `tables/${string}/story`): Promise<Figure[]>;
  (
    path: `tables/${string}/why`,
    values: { touched: string; seat?: number },
  ): Promise<{ reason: string | null }>;
  (path: `replays/${string}/coach`, values: { since: number }): Promise<CoachReport>;
  (path: `replays/${string}/scene`, values: Query): Promise<Moment>;
  (path: `replays/${string}/line`, values: Query): Promise<LineMoment[]>;
  (
    path: `replays/${string}/verify`,
    values: { commitment?: string; contribution?: string },
  ): Promise<DealReport>;
  (path: `replays/${string}`, values: { seat?: number }): Promise<Match>;
}

/** What `POST /api/…` answers, by path. */
export interface PostRoutes {
  (path: `daily/${string}`): Promise<{ table: string }>;
  (path: `${"puzzles" | "mistakes"}/${string}`, body: { tokens: string[] }): Promise<PuzzleReply>;
  (
    path: `games/${string}/exercises/${string}`,
    body: { touched: string[] },
  ): Promise<ExerciseReply>;
  (path: "me/claim", body: { secret: string }): Promise<Named>;
  (path: "me/notices/targets", target: NewNoticeTarget): Promise<NoticeTarget>;
  (path: "me/notices/test"): Promise<unknown>;
  (path: "notices/confirm", body: { token: string }): Promise<unknown>;
  (path: `notices/stop/${string}`): Promise<unknown>;
  (path: "me/links"): Promise<{ secret: string; seconds: number; qr: string }>;
  (path: "me/key"): Promise<{ words: string }>;
  (path: "me/recover", body: { words: string }): Promise<Named>;
  (path: "replays", record: unknown): Promise<{ key: string }>;
  (path: `replays/${string}/coach`): Promise<unknown>;
  (path: "groups", body: { name: string }): Promise<{ group: string }>;
  (path: `groups/${string}/members`): Promise<{ group: string }>;
  (path: `groups/${string}/link`): Promise<GroupLink>;
  (
    path: "tables" | `groups/${string}/tables`,
    settings: TableSettings,
  ): Promise<{ table: string; commitment: string; invited?: number }>;
  (path: `tables/${string}/invitations`, body: { person: string }): Promise<{ person: string }>;
  (
    path: `tables/${string}/commands`,
    envelope: { id: string; command: Command; seq?: number },
  ): Promise<Answer>;
}

/** What `PUT /api/…` answers, by path. */
export interface PutRoutes {
  (path: "me", me: Named): Promise<Named>;
  (path: "me/notices", wishes: NoticeWishes): Promise<NoticeChoice>;
  (path: "friends/me", wish: { invitable: boolean }): Promise<{ invitable: boolean }>;
  (path: `friends/${string}`, wish: { blocked: boolean }): Promise<{ blocked: boolean }>;
  (path: `groups/${string}`, body: { name: string }): Promise<{ name: string }>;
  (path: "people/me", wish: { hidden: boolean }): Promise<{ id: string; hidden: boolean }>;
}

// -- friends ----------------------------------------------------------------------------------

/** Somebody I have played with. */
export interface Friend {
  id: string;
  name: string;
  matches: number;
  last: number;
  invitable: boolean;
  blocked: boolean;
}

/** A table where somebody wants me. */
export interface Invitation {
  table: string;
  game: string;
  title: string;
  names: string[];
  by: string;
  by_id: string;
  at: number;
}

// -- standing groups --------------------------------------------------------------------------

/** A group of mine. */
export interface ListedGroup {
  id: string;
  name: string;
  members: number;
  founder: boolean;
}

export interface GroupLink {
  link: string;
  qr: string;
}

/** What somebody has played of one game in a group. */
export interface GroupResult {
  game: string;
  title: string;
  matches: number;
  wins: number;
  last: number;
}

export interface GroupMember {
  id: string | null;
  name: string;
  hidden: boolean;
  founder: boolean;
  mine: boolean;
  results: GroupResult[];
}

export interface GroupMatch {
  table: string;
  game: string;
  title: string;
  status: string;
  names: string[];
  winners: string[];
  free: number;
  at: number;
  seated: boolean;
  counts: boolean;
}

/** A group as I may see it: only members see its tables. */
export interface GroupPage {
  id: string;
  name: string;
  created: number;
  member: boolean;
  founder: boolean;
  members: GroupMember[];
  matches: number;
  tables: GroupMatch[];
  recent: GroupMatch[];
}

// -- hosting ----------------------------------------------------------------------------------

export interface AdminOverview {
  announcement: string;
  acts: { at: number; act: string; about: string; detail: string }[];
  old: Record<string, number>;
  keep: Record<string, number>;
  open_tables: number;
}

export interface AdminPerson {
  id: string;
  name: string;
  created: number;
  seen: number | null;
  blocked: string | null;
}

export interface AdminTable {
  table: string;
  game: string;
  title: string;
  names: string[];
  status: string;
  public: boolean;
  updated: number;
}

export interface AdminGroup {
  id: string;
  name: string;
  founder: string;
  members: number;
  created: number;
  used: number;
}

export interface AdminMessage {
  seq: number;
  at: number;
  id: string;
  name: string;
  text: string;
}

// -- notices ----------------------------------------------------------------------------------

export type NoticeKind = "turn" | "reminder" | "invitation" | "over" | "daily";

export interface NoticeOffer {
  ways: ("push" | "mail" | "webhook")[];
  push_key: string;
}

export interface NoticeWishes extends Record<NoticeKind, boolean> {
  digest: string;
  quiet_from: string;
  quiet_to: string;
  zone: string;
  language: string;
}

export interface NoticeTarget {
  id: string;
  way: "push" | "mail" | "webhook";
  address: string;
  state: "new" | "on" | "off";
  problem: string;
}

export interface NoticeChoice {
  wishes: NoticeWishes;
  targets: NoticeTarget[];
}

export type NewNoticeTarget =
  | { mail: string }
  | { webhook: string }
  | { push: PushSubscriptionJSON };

// -- elements ---------------------------------------------------------------------------------

/** What an element may contain; what is empty, false or missing is left out. */
export type Child = Node | string | false | null | undefined | Child[];

type AttributeName =
  | "accept"
  | "alt"
  | "autocomplete"
  | "checked"
  | "class"
  | "disabled"
  | "download"
  | "for"
  | "height"
  | "hidden"
  | "href"
  | "id"
  | "loading"
  | "max"
  | "maxlength"
  | "min"
  | "name"
  | "novalidate"
  | "open"
  | "placeholder"
  | "readonly"
  | "role"
  | "scope"
  | "selected"
  | "src"
  | "step"
  | "tabindex"
  | "target"
  | "title"
  | "type"
  | "value"
  | "width"
  | `aria-${string}`
  | `data-${string}`;

type AttributeValue = string | number | boolean | null | undefined;

/** Attributes of an element, and listeners that know its type: `onchange`, `onclick`, … */
export type Attributes<Target> = { [Name in AttributeName]?: AttributeValue } & {
  [Kind in keyof HTMLElementEventMap as `on${Kind}`]?: (
    event: HTMLElementEventMap[Kind] & { readonly currentTarget: Target },
  ) => unknown;
};

/** A button of a dialog: it closes it with a value, or acts and may close it then. */
export type DialogButton<Value> = { label: string; main?: boolean } & (
  | { value: Value | null }
  | { act: (close: (value: Value) => void) => unknown }
);
