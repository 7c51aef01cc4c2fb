// The page of one table: before, during and after the match.
import { get } from "./api.js";
import { ask, fill, h, notify } from "./dom.js";
import { Drawer } from "./drawer.js";
import { ending } from "./ending.js";
import { icon } from "./icons.js";
import { copy, linkField } from "./links.js";
import { introduce } from "./names.js";
import { Scene } from "./scene.js";
import { runClocks, seatPanels } from "./seats.js";
import { TableSocket } from "./socket.js";
import { play } from "./sounds.js";
import { loadTexts, t } from "./i18n.js";
import { applyTheme, topBar } from "./top.js";
import { waiting } from "./waiting.js";

applyTheme();
await loadTexts();
const id = location.pathname.split("/").pop();
const tall = matchMedia("(max-aspect-ratio: 1/1)");
const games = Object.fromEntries((await get("games")).map((game) => [game.name, game]));

const board = h("div", {
  class: "board",
  role: "application",
  "aria-label": t(
    "The board: arrow keys go from thing to thing, Enter touches, Escape starts over",
  ),
});
const prompt = h("p", { class: "prompt", role: "status" });
const buttons = h("div", { class: "moves" });
const seats = h("div", { class: "seats", role: "group", "aria-label": t("Seats") });
const tools = h("div", { class: "tools" });
const latest = h("p", { class: "latest soft" });
const panel = h("section", { class: "panel" });
const offline = h(
  "p",
  { class: "offline", role: "alert", hidden: true },
  t("No connection. Trying again …"),
);
const title = h("span", {}, "…");
const drawer = new Drawer((text) => command({ type: "chat", text }));
const scene = new Scene(board);
const socket = new TableSocket(id, { scene: tall.matches ? "tall" : "wide", focus: null });
let state = null;
let sentAt = -1; // the `seq` at which a move was sent
let undoing = false;
let moved = null; // the answer to the last move, or the promise of it
let stopClocks = () => {};

document.body.append(
  topBar(
    title,
    h(
      "button",
      { class: "icon plain", title: t("Invite"), "aria-label": t("Invite"), onclick: invite },
      icon("link"),
    ),
  ),
  h(
    "main",
    { class: "play" },
    h(
      "div",
      { class: "stage" },
      seats,
      h("div", { class: "say-line" }, prompt, latest),
      board,
      buttons,
      panel,
      tools,
    ),
    drawer.element,
  ),
  offline,
);

tall.addEventListener("change", () => socket.show({ scene: tall.matches ? "tall" : "wide" }));
socket.addEventListener("connection", ({ detail }) => {
  offline.hidden = detail;
});
socket.addEventListener("gone", () => {
  offline.hidden = true;
  title.textContent = "Droptable";
  document.querySelector(".top .icon")?.remove(); // nobody can be invited
  fill(
    document.querySelector("main"),
    h(
      "div",
      { class: "card-box lost" },
      h("h2", {}, t("There is no such table.")),
      h("p", {}, t("The link may be incomplete, or the server has other tables now.")),
      h("a", { class: "button main", href: "." }, t("To the start page")),
    ),
  );
});
socket.addEventListener("refused", ({ detail }) => notify(detail.message));
socket.addEventListener("state", ({ detail }) => show(detail));
scene.addEventListener("move", ({ detail }) => move(detail.token));
scene.addEventListener("walk", showPrompt);
scene.addEventListener("focus", ({ detail }) =>
  socket.show({ focus: detail === socket.look.focus ? null : detail }),
);
scene.addEventListener("impossible", ({ detail }) => explain(detail));

async function command(body) {
  const answer = await socket.send(body, state?.seq);
  if (!answer.ok) notify(answer.message, 7);
  return answer;
}

/** Send a move, one for each state: a second click before the next state comes sends nothing. */
async function move(token) {
  if (sentAt === state.seq) return;
  sentAt = state.seq;
  moved = command({ type: "move", token });
  const answer = await moved;
  if (answer.ok) return play("move");
  sentAt = -1;
  return scene.reset();
}

/** Why something cannot be touched now: the rule, if the server knows one. */
async function explain({ touched }) {
  if (!state?.legal.length) return notify(state?.picture?.prompt ?? t("It is not your turn."));
  try {
    const { reason } = await get(`tables/${id}/why`, { touched: JSON.stringify(touched) });
    notify(reason ?? `${t("That is not possible here.")} ${state.picture.prompt}`, 7);
  } catch (error) {
    notify(error.message);
  }
}

function show(now) {
  const before = state;
  state = now;
  const game = games[now.game];
  document.documentElement.dataset.accent = game?.accent ?? "gold";
  const mine = now.seat !== null && now.to_act.includes(now.seat) && !now.seats[now.seat].stand_in;
  document.title = `${mine ? "● " : ""}${game?.title ?? now.game} – Droptable`;
  title.textContent = now.title || game?.title || now.game;
  document.body.dataset.status = now.status;
  seats.classList.toggle("crowded", now.players + (now.clocks ? 1 : 0) > 3);
  fill(
    seats,
    seatPanels(now, (seat) => socket.show({ focus: seat === now.seat ? null : seat })),
  );
  stopClocks();
  stopClocks = runClocks(seats, now);
  drawer.add(now);
  latest.textContent = drawer.latest(now) ?? latest.textContent;
  if (now.picture) scene.show(now.picture.svg, now.legal, now.picture.switches);
  board.hidden = !now.picture;
  showPrompt();
  fill(
    panel,
    now.status === "waiting"
      ? waiting(now, game, id, command, sit)
      : now.status === "over"
        ? ending(now, game, id, command)
        : undoQuestion(now),
  );
  fill(tools, toolButtons(now));
  if (mine && before && !before.to_act.includes(before.seat)) play("turn");
  if (now.status === "over" && before?.status === "playing") play("end");
  if (now.next && before && !before.next) offerRematch(now.next);
}

/** One line that says what to do, and buttons for moves that are not on the board. */
function showPrompt() {
  if (!state) return;
  const { walk } = scene;
  const said =
    state.frozen ||
    standIn() ||
    (state.status === "over" && state.result.verdict) ||
    state.picture?.prompt ||
    (state.status === "closed" ? t("This table was closed.") : t("The match has not started yet."));
  const whole = walk.touched.length && walk.possible.length === 1 ? walk.possible[0].label : null;
  prompt.textContent = whole ?? said;
  prompt.classList.toggle("yours", state.legal.length > 0);
  const next = walk.next;
  fill(
    buttons,
    walk.moves
      .filter(
        (m) =>
          m.path.length === 1 &&
          String(m.path[0]).startsWith("do-") &&
          !(walk.touched.length && !next.size),
      )
      .map((m) =>
        h("button", { class: "main", type: "button", onclick: () => move(m.token) }, m.label),
      ),
    socket.look.focus !== null &&
      state.seat !== null &&
      h(
        "button",
        { class: "main", type: "button", onclick: () => socket.show({ focus: null }) },
        t("Back to my place"),
      ),
    walk.touched.length && !Object.keys(walk.switches).length
      ? h("button", { type: "button", onclick: () => scene.reset() }, t("Start over"))
      : null,
  );
}

/** What to do while a bot plays for me. */
function standIn() {
  const mine = state.status === "playing" && state.seat !== null && state.seats[state.seat];
  return (
    mine &&
    mine.stand_in &&
    !mine.resigned &&
    t("A bot plays for you. Press “I am back” to play on yourself.")
  );
}

function undoQuestion(now) {
  if (!now.undo || now.seat === null) return null;
  const name = now.seats[now.undo.seat].name;
  if (!now.undo.waiting.includes(now.seat))
    return h("div", { class: "card-box" }, t("Waiting for the others to agree to the undo."));
  return h(
    "div",
    { class: "card-box question" },
    h("p", {}, t("{name} would like to take a turn back. Do you agree?", { name })),
    h(
      "button",
      { class: "main", onclick: () => command({ type: "answer_undo", agree: true }) },
      t("Agree"),
    ),
    h("button", { onclick: () => command({ type: "answer_undo", agree: false }) }, t("Refuse")),
  );
}

function toolButtons(now) {
  const tool = (sign, label, onclick, enabled = true) =>
    h(
      "button",
      { class: "tool", type: "button", title: label, disabled: !enabled, onclick },
      icon(sign),
      h("span", { class: "tool-label" }, label),
    );
  const playing = now.status === "playing" && now.seat !== null;
  const away = playing && now.seats[now.seat].stand_in && !now.seats[now.seat].resigned;
  return [
    away && tool("back", t("I am back"), () => command({ type: "return" })),
    playing && tool("undo", t("Undo"), undo),
    playing && tool("hint", t("Hint"), hint, now.legal.length > 0),
    tool("rules", t("Rules"), () => open(`learn/${now.game}`, "_blank")),
    tool("chat", t("Log & chat"), () => drawer.toggle()),
    playing && !now.seats[now.seat].resigned && tool("resign", t("Resign"), resign),
    playing &&
      absentSeats(now).map((seat) =>
        tool("bot", t("Bot for {name}", { name: now.seats[seat].name }), () =>
          command({ type: "take_over", seat }),
        ),
      ),
  ];
}

const absentSeats = (now) =>
  now.seats.flatMap((seat, number) =>
    number !== now.seat &&
    seat.people.length &&
    !seat.present.some(Boolean) &&
    !seat.stand_in &&
    !seat.resigned
      ? [number]
      : [],
  );

/** Take back, also what was sent a moment ago and is not on the board yet. */
async function undo() {
  if (undoing) return undefined;
  undoing = true;
  const last = await moved;
  const answer = await socket.send({ type: "undo" }, Math.max(state.seq, last?.ok ? last.seq : 0));
  undoing = false;
  if (answer.ok) return scene.reset();
  const others = state.seats.some((seat, number) => number !== state.seat && seat.people.length);
  const asked = await ask(
    t("Undo"),
    h("p", {}, answer.message),
    others
      ? [
          [t("Leave it"), null],
          [t("Ask the others"), true, true],
        ]
      : [[t("All right"), null, true]],
  );
  if (asked) command({ type: "ask_undo" });
}

async function hint() {
  try {
    notify(t("Thinking …"), 20);
    const { token, label } = await get(`tables/${id}/hint`);
    notify(t("Hint: {move}", { move: label }), 8);
    const found = state.legal.find((m) => m.token === token);
    if (found) scene.point(found.path);
  } catch (error) {
    notify(error.message);
  }
}

async function resign() {
  const told =
    state.seats[state.seat].people.length > 1
      ? t("You get up; the others of your seat play on.")
      : t("You cannot win this match any more; a bot plays on for your seat if the others do.");
  if (
    await ask(t("Resign?"), h("p", {}, told), [
      [t("Play on"), null, true],
      [t("Resign"), true],
    ])
  )
    command({ type: "resign" });
}

async function sit(seat) {
  if (!(await introduce())) return;
  if (!state.you) {
    // the socket was opened by nobody: open it again as somebody
    location.reload();
    sessionStorage.setItem("sit", JSON.stringify({ table: id, seat }));
    return;
  }
  command({ type: "join", seat });
}

function invite() {
  const link = new URL(`t/${id}`, document.baseURI).href;
  const field = linkField(link);
  ask(
    t("Invite"),
    h(
      "div",
      { class: "invite" },
      h("p", {}, t("Whoever has this link can watch, and join where a seat is free.")),
      field,
      h("img", {
        src: `api/tables/${id}/qr.svg`,
        alt: t("QR code of the link"),
        width: 180,
        height: 180,
      }),
    ),
    [
      [
        t("Copy the link"),
        () => {
          copy(field);
        },
      ],
      [t("Done"), true, true],
    ],
  );
}

async function offerRematch(next) {
  if (
    await ask(t("Rematch"), h("p", {}, t("There is a rematch at another table.")), [
      [t("Stay here"), null],
      [t("Go there"), true, true],
    ])
  )
    location.href = `t/${next}`;
}

socket.addEventListener("state", function first() {
  socket.removeEventListener("state", first);
  const wish = JSON.parse(sessionStorage.getItem("sit") ?? "null");
  sessionStorage.removeItem("sit");
  if (wish?.table === id) command({ type: "join", seat: wish.seat });
});
