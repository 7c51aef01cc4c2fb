// @ts-check
// The page of one table: before, during and after the match.

import { get, messageOf } from "./api.js";
import { Curtain } from "./curtain.js";
import { confirmResign, invite, offerToAsk, undoQuestion } from "./dialogs.js";
import { fill, h, notify, quiet, update } from "./dom.js";
import { Drawer, latestLine } from "./drawer.js";
import { celebrate, Ending } from "./ending.js";
import { contribution } from "./fair.js";
import { loadTexts, t } from "./i18n.js";
import { icon } from "./icons.js";
import { LookBack } from "./look_back.js";
import { introduce } from "./names.js";
import { withLinks } from "./rules.js";
import { boardBox, Scene } from "./scene.js";
import { asSeat, isHere, runClocks, seatStrip } from "./seats.js";
import { TableSocket } from "./socket.js";
import { play } from "./sounds.js";
import { toast } from "./toast.js";
import { applyTheme, bar, iconButton } from "./top.js";
import { waiting } from "./waiting.js";

/** @import { Answer, Beat, Command, Game, Path, Seat, Shape, TableState } from "./types.d.ts" */
/** @import { IconName } from "./icons.js" */

const HOLD_MS = 550; // a longer press means more
const LONG = 75; // letters of a prompt that are set smaller
/** A board that nobody can play on. */
const IDLE = { moves: [], switches: {}, chips: [], fill: null };
const BLIP_MS = 1200; // a connection that is lost for less is not worth a word

applyTheme();
await loadTexts();
const id = location.pathname.split("/").at(-1) ?? "";
const tall = matchMedia("(max-aspect-ratio: 1/1)");
const games = new Map((await get("games")).map((game) => [game.name, game]));

const board = boardBox();
const prompt = h("p", { class: "prompt", role: "status" });
const latest = h("p", { class: "latest soft" });
const saying = h("div", { class: "saying" }, prompt, latest, h("div", { class: "notices" }));
const backs = h("div", { class: "backs" });
const seats = h("ul", { class: "seats", "aria-label": t("Seats") });
const panel = h("section", { class: "panel" });
const tools = h("div", { class: "tools" });
const lost = h("span", {}, t("No connection. Trying again …"));
const offline = h("p", { class: "offline", role: "alert", hidden: true }, icon("offline"), lost);
const title = h("span", {}, "…");
const inviteButton = iconButton("link", t("Invite"), () => invite(id));
const drawer = new Drawer();
const scene = new Scene(board);
const lookBack = new LookBack(id, () => ({ scene: shape(), ...asSeat(state?.seat) }));
const curtain = new Curtain();
const ending = new Ending();
const socket = new TableSocket(id, { scene: shape(), focus: null, beats: true, seat: null });
const actions = h("div", { class: "actions" }, scene.buttons, backs);
const stage = h(
  "div",
  { class: "stage" },
  seats,
  saying,
  actions,
  tools,
  board,
  panel,
  curtain.element,
);
const main = h("main", { class: "play" }, stage, drawer.element);

/** @type {TableState | null} */
let state = null;
let movedAt = 0; // the `seq` that a move leads to: what is shown before is out of date
/** @type {Promise<Answer | null> | null} */
let lastMove = null;
let moving = 0; // moves that wait for their answer
/** @type {{ words: string, path: Path } | null} */
let hinted = null; // until the next move
/** @type {TableState | null} */
let settled = null; // the last state that was shown to its end
let touchedLast = "";
let undoing = false;
let contributed = false; // to the deal, which happens once
let held = false; // Undo was pressed so long that the turn was undone
/** @type {ReturnType<typeof setTimeout> | undefined} */
let holding;
let stopClocks = () => {};
/** @type {ReturnType<typeof setTimeout> | undefined} */
let blip;

inviteButton.classList.add("inviter");
document.body.append(bar(title, inviteButton, ...drawer.buttons), main, offline);
tall.addEventListener("change", () => socket.show({ scene: shape() }));
socket.on("connection", showConnection);
socket.on("crowded", (reason) => {
  lost.textContent = reason
    ? t("{reason} Trying again …", { reason })
    : t("No connection. Trying again …");
});
socket.on("gone", showGone);
socket.on("refused", (problem) => notify(problem.message));
socket.on("state", show);
scene.on("walk", walked);
scene.on("move", ({ tokens }) => makeMoves(tokens));
scene.on("beat", performed);
scene.on("settled", settle);
scene.on("impossible", ({ touched }) => explain(touched));
scene.on("focus", (seat) => socket.show({ focus: seat === socket.look.focus ? null : seat }));
drawer.on("say", (text) => send({ type: "chat", text }));
drawer.on("heard", (line) => {
  play("chat");
  toast(`${line.name}: ${line.text}`);
});
drawer.on("look", (pointed) => {
  if (pointed?.stay) drawer.giveWay();
  const { line, stay = false } = pointed ?? {};
  lookBack.at(line?.to ?? null, line?.text ?? "", stay);
});
lookBack.on("change", () => {
  present([]);
  showSaying();
});
curtain.on("look", changeHands);
curtain.on("fall", () => play("turn"));
document.addEventListener("keydown", keyDown);

/** @returns {Shape} */
function shape() {
  return tall.matches ? "tall" : "wide";
}

/**
 * The device belongs to somebody else at this table now: nothing of what was shown may stay.
 * @param {number | null} seat
 */
function changeHands(seat) {
  lookBack.leave();
  state = hinted = null;
  settled &&= { ...settled, picture: undefined, view: null, legal: [], lines: [], beats: [] };
  quiet();
  scene.clear();
  drawer.clear();
  for (const part of [seats, backs, tools, panel]) part.replaceChildren();
  for (const words of [prompt, latest]) words.textContent = "";
  socket.show({ seat, focus: null });
}

// -- showing ------------------------------------------------------------------------------------

/** @param {TableState} now */
function show(now) {
  const before = state;
  if (tokensOf(before) !== tokensOf(now)) hinted = null;
  state = now;
  curtain.open(now);
  const chats = now.lines.filter((line) => line.kind === "chat");
  if (now.from && chats.length) drawer.add({ ...now, lines: chats }); // talk does not wait
  const around = () => showAround(now);
  if (lookBack.moment || !now.picture) around();
  if (lookBack.moment) curtain.follow(now);
  if (!lookBack.moment) present(now.beats ?? [], around);
  if (!before) sitWhereWished();
  contributeIfAwaited(now);
  if (!now.picture) settle();
}

/**
 * Show what is around the board, once the board shows the state.
 * @param {TableState} now
 */
function showAround(now) {
  const game = games.get(now.game);
  showHead(now, game);
  showSeats(now);
  drawer.add(now);
  latest.textContent = latestLine(now) ?? latest.textContent;
  showSaying();
  if (now.status !== "over") update(panel, panelOf(now, game));
  showTools();
}

/**
 * Show the picture of the state, or the moment that somebody looks back at.
 * @param {Beat[]} beats what has happened before
 * @param {() => unknown} after what is done when the picture is in place
 */
function present(beats, after = () => {}) {
  if (!state) return;
  const { picture } = lookBack.moment ?? state;
  const mine = mySeat(state);
  board.hidden = !picture;
  if (!picture) return;
  if (lookBack.moment || mine?.stand_in || mine?.resigned)
    return scene.present({ ...IDLE, svg: picture.svg, beats, after: [after] });
  const { svg, switches, chips = [], fill: filled = null } = picture;
  const play = { svg, beats, moves: state.legal, switches, chips, fill: filled };
  scene.present({ ...play, after: [after] });
}

/**
 * A moment on the way is said and heard.
 * @param {Beat} beat
 */
function performed({ text, sound }) {
  if (sound) play(sound);
  if (!text || !scene.playing) return;
  prompt.textContent = text;
  saying.classList.remove("yours");
}

/** Everything that has happened was shown: now it can be celebrated. */
function settle() {
  if (!state || lookBack.moment) return;
  const now = state;
  curtain.follow(now);
  if (state !== now) return; // the device changes hands
  if (now.status === "over") update(panel, panelOf(now, games.get(now.game)));
  showSaying();
  if (settled) notice(settled, now);
  settled = now;
}

/** Something was touched, or another picture is there to play on. */
function walked() {
  const { touched } = scene.walk;
  const now = String(touched);
  if (touched.length && now !== touchedLast) quiet();
  touchedLast = now;
  if (hinted && scene.isLive) scene.point(hinted.path);
  showSaying();
  showTools();
}

/** @param {TableState | null} now */
function tokensOf(now) {
  return String(now?.legal.map((move) => move.token));
}

/**
 * @param {TableState} now
 * @param {Game | undefined} game
 */
function showHead(now, game) {
  const name = game?.title ?? now.game;
  document.documentElement.dataset.accent = game?.accent ?? "gold";
  document.title = isMyTurn(now) ? `● ${t("Your turn")} – ${name}` : `${name} – Droptable`;
  document.body.dataset.status = now.status;
  title.textContent = now.title || name;
}

/** @param {TableState} now */
function showSeats(now) {
  update(seats, now.status === "waiting" ? [] : seatStrip(now));
  stopClocks();
  stopClocks = runClocks(seats, now.clocks);
}

/**
 * @param {TableState} now
 * @param {Game | undefined} game
 */
function panelOf(now, game) {
  if (now.status === "waiting") return waiting(now, game, send, sit);
  if (now.status === "closed") return closed();
  if (now.status !== "over") return undoQuestion(now, send);
  ending.show(now, game, send);
  return ending.element;
}

/**
 * What deserves a sound or a word when one state follows another.
 * @param {TableState} before
 * @param {TableState} now
 */
function notice(before, now) {
  if (isMyTurn(now) && !isMyTurn(before)) play("turn");
  if (now.status === "over" && before.status === "playing") {
    drawer.giveWay();
    celebrate(now);
  }
  if (now.next && !before.next) {
    play("chat");
    toast(t("There is a rematch at another table."));
  }
}

/** @param {TableState} now */
function isMyTurn(now) {
  const mine = mySeat(now);
  return mine !== null && now.legal.length > 0 && !mine.stand_in && !mine.resigned;
}

/** @param {TableState} now */
function mySeat(now) {
  return now.seat === null ? null : now.seats[now.seat];
}

/** The line that says what to do, and buttons that have nothing to do with the board. */
function showSaying() {
  if (!state) return;
  const mine = isMyTurn(state) && !lookBack.moment && !scene.playing;
  if (!scene.playing || !prompt.textContent) prompt.textContent = promptOf(state);
  prompt.classList.toggle("long", prompt.textContent.length > LONG);
  saying.classList.toggle("yours", mine);
  saying.classList.toggle("looking", lookBack.moment !== null);
  update(backs, backButtons(state));
}

/** @param {TableState} now */
function promptOf(now) {
  if (lookBack.moment) return t("Looking back: {line}", { line: lookBack.text });
  if (now.frozen) return now.frozen;
  const mine = now.status === "playing" ? mySeat(now) : null;
  if (mine?.resigned) return t("You resigned. A bot plays on for you.");
  if (mine?.stand_in) return t("A bot plays for you.");
  if (now.result) return now.result.verdict;
  if (now.status === "closed") return t("This table was closed.");
  return scene.say ?? hinted?.words ?? (now.picture?.prompt || waitingFor(now));
}

/** @param {TableState} now */
function waitingFor(now) {
  if (now.status === "waiting") return t("The match has not started yet.");
  const names = now.to_act.filter((seat) => seat !== now.seat).map((seat) => now.seats[seat]?.name);
  return names.length ? t("Waiting for {name}", { name: names.join(", ") }) : "";
}

/** @param {TableState} now */
function backButtons(now) {
  if (lookBack.moment) return mainButton("now", t("Back to the match"), () => lookBack.leave());
  const mine = now.status === "playing" ? mySeat(now) : null;
  const away = mine?.stand_in && !mine.resigned;
  const elsewhere = socket.look.focus !== null && now.seat !== null;
  return [
    away && mainButton("back", t("I am back"), () => send({ type: "return" })),
    elsewhere && mainButton("mine", t("Back to my place"), () => socket.show({ focus: null })),
    curtain.buttons(now),
  ];
}

/**
 * @param {string} key
 * @param {string} label
 * @param {() => unknown} onclick
 */
function mainButton(key, label, onclick) {
  return h("button", { class: "main", type: "button", "data-key": key, onclick }, label);
}

function showTools() {
  if (state) update(tools, toolButtons(state));
}

/** @param {TableState} now */
function toolButtons(now) {
  const mine = now.status === "playing" ? mySeat(now) : null;
  return [
    mine && !mine.resigned && undoButton(now),
    mine && now.hints && tool("hint", t("Hint"), hint, isMyTurn(now)),
    mine && !mine.resigned && tool("resign", t("Resign"), resign),
    mine && now.seats.map((seat, number) => standInButton(now, seat, number)),
  ];
}

/**
 * @param {IconName} sign
 * @param {string} label
 * @param {() => unknown} onclick
 */
function tool(sign, label, onclick, enabled = true) {
  return h(
    "button",
    { class: "tool", type: "button", title: label, disabled: !enabled, onclick },
    icon(sign),
    h("span", { class: "tool-label" }, label),
  );
}

/**
 * One step back; held, or with the shift key: the turn. Further back the others are asked, or, where
 * only bots play, nobody.
 * @param {TableState} now
 */
function undoButton(now) {
  const others = now.seats.filter((_seat, number) => !now.you?.seats.includes(number));
  const alone = !others.some((seat) => seat.people.length > 0);
  const further = now.can.ask_undo && !now.undo;
  if (!isOwnUndo(now) && further && !alone)
    return tool("undo", t("Ask to undo"), () => send({ type: "ask_undo" }));
  return h(
    "button",
    {
      class: "tool",
      type: "button",
      title: t("Undo a step (hold: the whole turn)"),
      disabled: !isOwnUndo(now) && !further,
      onpointerdown: (event) => {
        held = false;
        if (event.button === 0) holding = setTimeout(holdUndo, HOLD_MS);
      },
      onpointerup: () => clearTimeout(holding),
      onpointerleave: () => clearTimeout(holding),
      onpointercancel: () => clearTimeout(holding),
      oncontextmenu: (event) => event.preventDefault(), // what a long touch means elsewhere
      onclick: (event) => {
        if (!held) undo(event.shiftKey);
        held = false;
      },
    },
    icon("undo"),
    h("span", { class: "tool-label" }, t("Undo")),
  );
}

/**
 * Whether there is something to undo that concerns nobody else.
 * @param {TableState} now
 */
function isOwnUndo(now) {
  return now.can.undo > 0 || hasTouched() || isMoving(now);
}

/**
 * Whether a move was sent that is not on the board yet.
 * @param {TableState} now
 */
function isMoving(now) {
  return moving > 0 || now.seq < movedAt;
}

/** Whether something was touched that has not become a move yet. */
function hasTouched() {
  const { touched, switches } = scene.walk;
  const taken = Object.keys(switches).length ? 1 : 0; // what can be turned is taken at once
  return touched.length > taken || (scene.filling?.filled.size ?? 0) > 0;
}

function holdUndo() {
  held = true; // the click that follows means nothing
  undo(true);
}

/**
 * Lets a bot play for somebody who is away.
 * @param {TableState} now
 * @param {Seat} seat
 * @param {number} number
 */
function standInButton(now, seat, number) {
  if (now.you?.seats.includes(number) || isHere(seat) || seat.stand_in || seat.resigned)
    return null;
  const takeOver = () => send({ type: "take_over", seat: number });
  return tool("bot", t("Bot for {name}", { name: seat.name }), takeOver);
}

/** @param {boolean} connected */
function showConnection(connected) {
  clearTimeout(blip);
  if (!connected)
    blip = setTimeout(() => {
      offline.hidden = false;
    }, BLIP_MS);
  else if (!offline.hidden) {
    offline.hidden = true;
    notify(t("Connected again."), 3);
  }
}

function closed() {
  return h(
    "div",
    { class: "card-box lost" },
    h("h2", {}, t("This table was closed.")),
    h("p", {}, t("Everybody left before the match began.")),
    h("a", { class: "button main", href: "." }, t("To the start page")),
  );
}

function showGone() {
  clearTimeout(blip);
  offline.hidden = true;
  title.textContent = "Droptable";
  document.title = `${t("There is no such table.")} – Droptable`;
  inviteButton.remove();
  for (const button of drawer.buttons) button.remove();
  fill(
    main,
    h(
      "div",
      { class: "card-box lost" },
      h("h2", {}, t("There is no such table.")),
      h("p", {}, t("The link may be incomplete, or the server has other tables now.")),
      h("a", { class: "button main", href: "." }, t("To the start page")),
    ),
  );
}

// -- doing --------------------------------------------------------------------------------------

/** @param {KeyboardEvent} event */
function keyDown(event) {
  if (document.querySelector("dialog[open]")) return;
  const typing = event.target instanceof Element && event.target.matches("input, textarea, select");
  if (event.key === "Escape" && lookBack.moment) {
    lookBack.leave();
  } else if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !typing) {
    event.preventDefault();
    undo(event.shiftKey);
  }
}

/** @param {Command} command */
async function send(command) {
  const answer = await socket.send(command, state?.seq);
  if (!answer.ok) complain(answer.message);
  return answer;
}

/**
 * Make moves, once for each state: a second click before the next state comes does nothing, nor
 * does one that comes too late.
 * @param {string[]} tokens
 */
async function makeMoves(tokens) {
  moving += 1;
  lastMove = sendMoves(tokens, lastMove);
  showTools();
  await lastMove;
  moving -= 1;
  showTools();
}

/**
 * @param {string[]} tokens
 * @param {Promise<unknown> | null} former a move whose answer may come after the state it led to
 */
async function sendMoves(tokens, former) {
  const seen = state;
  const [token, ...more] = tokens;
  await former;
  const isOld = !seen || state !== seen || seen.seq < movedAt;
  if (isOld || !seen.legal.some((move) => move.token === token)) {
    scene.reset();
    return null;
  }
  movedAt = Infinity;
  quiet();
  const command = more.length ? { type: "moves", tokens } : { type: "move", token };
  const answer = await socket.send(/** @type {Command} */ (command), seen.seq);
  movedAt = answer.ok ? answer.seq : 0;
  if (!answer.ok) {
    scene.reset();
    complain(answer.message);
  }
  return answer;
}

/**
 * Say what is wrong; its rule is a link to the rules.
 * @param {string} reason
 */
function complain(reason) {
  play("error");
  if (!state) return notify(reason, 7);
  const { game } = state;
  drawer.explain(game, reason);
  notify(
    withLinks(reason, () => drawer.explain(game, reason, true)),
    7,
  );
}

/**
 * Say why these touches make no move: the rule, if the server knows one.
 * @param {string[]} touched
 */
async function explain(touched) {
  if (!state || lookBack.moment) return;
  if (!isMyTurn(state)) return notify(t("It is not your turn."), 3);
  const said = promptOf(state);
  try {
    const question = { touched: JSON.stringify(touched), ...asSeat(state.seat) };
    const { reason } = await get(`tables/${id}/why`, question);
    if (!state) return; // the device has changed hands
    complain(reason ?? [t("That is not possible here."), said].join(" "));
  } catch (error) {
    notify(messageOf(error));
  }
}

/**
 * Undo: what was touched, else a step, also one that was sent a moment ago and is not on the board
 * yet.
 * @param {boolean} turn the whole turn, not only a step
 */
async function undo(turn) {
  if (!state || undoing) return;
  if (!turn && !isMoving(state) && scene.undo()) return;
  if (!isOwnUndo(state)) {
    if (state.can.ask_undo) send({ type: "ask_undo" });
    return;
  }
  undoing = true;
  const moved = await lastMove;
  const seq = Math.max(state.seq, moved?.ok ? moved.seq : 0);
  const answer = await socket.send({ type: "undo", step: !turn }, seq);
  undoing = false;
  if (answer.ok) return scene.reset();
  if (!state.can.ask_undo) return complain(answer.message);
  if (await offerToAsk(answer.message)) send({ type: "ask_undo" });
}

async function hint() {
  const asked = tokensOf(state);
  try {
    notify(t("Thinking …"), 20);
    const { token, label } = await get(`tables/${id}/hint`, asSeat(state?.seat));
    quiet();
    const move = state?.legal.find((legal) => legal.token === token);
    if (!move || tokensOf(state) !== asked) return; // the match has gone on
    hinted = { words: t("Hint: {move}", { move: label }), path: move.path };
    scene.point(move.path);
    showSaying();
  } catch (error) {
    notify(messageOf(error));
  }
}

async function resign() {
  const people = state && mySeat(state)?.people.length;
  if (!(await confirmResign((people ?? 1) > 1))) return;
  quiet();
  send({ type: "resign" });
}

// -- sitting down -------------------------------------------------------------------------------

/** @param {number} seat */
async function sit(seat) {
  if (!(await introduce())) return;
  if (state?.you) {
    send({ type: "join", seat, ...contribution(id, state.fairness?.commitment) });
    return;
  }
  // The socket was opened by nobody: open the page again as somebody, and sit down then.
  sessionStorage.setItem("sit", JSON.stringify({ table: id, seat }));
  location.reload();
}

/**
 * A rematch, or a table that was opened a moment ago, waits for randomness of this browser.
 * @param {TableState} now
 */
function contributeIfAwaited({ you, fairness }) {
  const mine = fairness?.awaited.some((awaited) => you?.seats.includes(awaited));
  if (contributed || !fairness || !mine) return;
  contributed = true;
  send({ type: "join", ...contribution(id, fairness.commitment) });
}

function sitWhereWished() {
  const wish = JSON.parse(sessionStorage.getItem("sit") ?? "null");
  sessionStorage.removeItem("sit");
  if (wish?.table !== id) return;
  send({ type: "join", seat: wish.seat, ...contribution(id, state?.fairness?.commitment) });
}
