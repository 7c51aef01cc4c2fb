// @ts-check
// The page of one table: before, during and after the match.

import { get, messageOf } from "./api.js";
import { confirmResign, invite, offerRematch, offerToAsk, undoQuestion } from "./dialogs.js";
import { fill, h, notify } from "./dom.js";
import { Drawer, latestLine } from "./drawer.js";
import { ending } from "./ending.js";
import { loadTexts, t } from "./i18n.js";
import { icon } from "./icons.js";
import { introduce } from "./names.js";
import { boardBox, Scene } from "./scene.js";
import { isHere, runClocks, seatPanels } from "./seats.js";
import { TableSocket } from "./socket.js";
import { play } from "./sounds.js";
import { applyTheme, iconButton, topBar } from "./top.js";
import { waiting } from "./waiting.js";

/** @import { Answer, Command, Game, Picture, Play, Seat, Shape, TableState } from "./types.d.ts" */
/** @import { IconName } from "./icons.js" */

applyTheme();
await loadTexts();
const id = location.pathname.split("/").at(-1) ?? "";
const tall = matchMedia("(max-aspect-ratio: 1/1)");
const games = new Map((await get("games")).map((game) => [game.name, game]));

const board = boardBox();
const prompt = h("p", { class: "prompt", role: "status" });
const backs = h("div", { class: "backs" });
const latest = h("p", { class: "latest soft" });
const seats = h("div", { class: "seats", role: "group", "aria-label": t("Seats") });
const panel = h("section", { class: "panel" });
const tools = h("div", { class: "tools" });
const offline = h(
  "p",
  { class: "offline", role: "alert", hidden: true },
  t("No connection. Trying again …"),
);
const title = h("span", {}, "…");
const inviteButton = iconButton("link", t("Invite"), () => invite(id));
const drawer = new Drawer((text) => send({ type: "chat", text }));
const scene = new Scene(board);
const socket = new TableSocket(id, { scene: shape(), focus: null, beats: true });
const main = h(
  "main",
  { class: "play" },
  h(
    "div",
    { class: "stage" },
    seats,
    h("div", { class: "say-line" }, prompt, latest),
    board,
    scene.buttons,
    backs,
    panel,
    tools,
  ),
  drawer.element,
);

/** @type {TableState | null} */
let state = null;
let movedAt = -1; // the `seq` at which a move was sent
/** @type {Promise<Answer> | null} */
let lastMove = null;
let undoing = false;
let stopClocks = () => {};

document.body.append(topBar(title, inviteButton), main, offline);
tall.addEventListener("change", () => socket.show({ scene: shape() }));
socket.on("connection", (connected) => {
  offline.hidden = connected;
});
socket.on("gone", showGone);
socket.on("refused", (problem) => notify(problem.message));
socket.on("state", show);
scene.on("walk", showPrompt);
scene.on("move", ({ tokens }) => makeMoves(tokens));
scene.on("beat", ({ sound }) => sound && play(sound));
scene.on("impossible", ({ touched }) => explain(touched));
scene.on("focus", (seat) => socket.show({ focus: seat === socket.look.focus ? null : seat }));

/** @returns {Shape} */
function shape() {
  return tall.matches ? "tall" : "wide";
}

// -- showing ------------------------------------------------------------------------------------

/** @param {TableState} now */
function show(now) {
  const before = state;
  const game = games.get(now.game);
  state = now;
  showHead(now, game);
  showSeats(now);
  drawer.add(now);
  latest.textContent = latestLine(now) ?? latest.textContent;
  if (now.picture) scene.present(playOf(now, now.picture));
  board.hidden = !now.picture;
  showPrompt();
  fill(panel, panelOf(now, game));
  fill(tools, toolButtons(now));
  if (before) notice(before, now);
  else sitWhereWished();
}

/**
 * @param {TableState} now
 * @param {Picture} picture
 * @returns {Play}
 */
function playOf({ legal, beats = [] }, { svg, switches, chips = [], fill = null }) {
  return { svg, beats, moves: legal, switches, chips, fill };
}

/**
 * @param {TableState} now
 * @param {Game | undefined} game
 */
function showHead(now, game) {
  const name = game?.title ?? now.game;
  document.documentElement.dataset.accent = game?.accent ?? "gold";
  document.title = `${isMyTurn(now) ? "● " : ""}${name} – Droptable`;
  document.body.dataset.status = now.status;
  title.textContent = now.title || name;
}

/** @param {TableState} now */
function showSeats(now) {
  const panels = now.players + (now.clocks ? 1 : 0);
  seats.classList.toggle("crowded", panels > 3);
  fill(
    seats,
    seatPanels(now, (seat) => socket.show({ focus: seat === now.seat ? null : seat })),
  );
  stopClocks();
  stopClocks = runClocks(seats, now.clocks);
}

/**
 * @param {TableState} now
 * @param {Game | undefined} game
 */
function panelOf(now, game) {
  if (now.status === "waiting") return waiting(now, game, send, sit);
  if (now.status === "over") return ending(now, game, send);
  return undoQuestion(now, send);
}

/**
 * What deserves a sound or a question when one state follows another.
 * @param {TableState} before
 * @param {TableState} now
 */
function notice(before, now) {
  const acted = before.seat !== null && before.to_act.includes(before.seat);
  if (isMyTurn(now) && !acted) play("turn");
  if (now.status === "over" && before.status === "playing") play("end");
  if (now.next && !before.next) offerRematch(now.next);
}

/** @param {TableState} now */
function isMyTurn(now) {
  return now.seat !== null && now.to_act.includes(now.seat) && !mySeat(now)?.stand_in;
}

/** @param {TableState} now */
function mySeat(now) {
  return now.seat === null ? null : now.seats[now.seat];
}

/** One line that says what to do, and buttons for moves that are not on the board. */
function showPrompt() {
  if (!state) return;
  prompt.textContent = scene.say ?? promptOf(state);
  prompt.classList.toggle("yours", state.legal.length > 0);
  fill(backs, backButton(state));
}

/** @param {TableState} now */
function promptOf(now) {
  if (now.frozen) return now.frozen;
  const mine = now.status === "playing" ? mySeat(now) : null;
  if (mine?.stand_in && !mine.resigned)
    return t("A bot plays for you. Press “I am back” to play on yourself.");
  if (now.result) return now.result.verdict;
  if (now.picture?.prompt) return now.picture.prompt;
  return now.status === "closed"
    ? t("This table was closed.")
    : t("The match has not started yet.");
}

/** @param {TableState} now */
function backButton(now) {
  if (socket.look.focus === null || now.seat === null) return null;
  const back = () => socket.show({ focus: null });
  return h("button", { class: "main", type: "button", onclick: back }, t("Back to my place"));
}

/** @param {TableState} now */
function toolButtons(now) {
  const mine = now.status === "playing" ? mySeat(now) : null;
  const away = mine?.stand_in && !mine.resigned;
  return [
    away && tool("back", t("I am back"), () => send({ type: "return" })),
    mine && tool("undo", t("Undo"), undo),
    mine && tool("hint", t("Hint"), hint, now.legal.length > 0),
    tool("rules", t("Rules"), () => open(`learn/${now.game}`, "_blank")),
    tool("chat", t("Log & chat"), () => drawer.toggle()),
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
 * Lets a bot play for somebody who is away.
 * @param {TableState} now
 * @param {Seat} seat
 * @param {number} number
 */
function standInButton(now, seat, number) {
  if (number === now.seat || isHere(seat) || seat.stand_in || seat.resigned) return null;
  const takeOver = () => send({ type: "take_over", seat: number });
  return tool("bot", t("Bot for {name}", { name: seat.name }), takeOver);
}

function showGone() {
  offline.hidden = true;
  title.textContent = "Droptable";
  inviteButton.remove();
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

/** @param {Command} command */
async function send(command) {
  const answer = await socket.send(command, state?.seq);
  if (!answer.ok) notify(answer.message, 7);
  return answer;
}

/**
 * Make moves, once for each state: a second click before the next state comes does nothing.
 * @param {string[]} tokens
 */
async function makeMoves(tokens) {
  if (!state || movedAt === state.seq) return;
  movedAt = state.seq;
  const [token, ...more] = tokens;
  lastMove = send(more.length ? { type: "moves", tokens } : { type: "move", token });
  if ((await lastMove).ok) return;
  movedAt = -1;
  scene.reset();
}

/**
 * Say why these touches make no move: the rule, if the server knows one.
 * @param {string[]} touched
 */
async function explain(touched) {
  const prompt = state?.picture?.prompt;
  if (!state?.legal.length) return notify(prompt ?? t("It is not your turn."));
  try {
    const { reason } = await get(`tables/${id}/why`, { touched: JSON.stringify(touched) });
    notify(reason ?? [t("That is not possible here."), prompt].join(" "), 7);
  } catch (error) {
    notify(messageOf(error));
  }
}

/** Undo, also a move that was sent a moment ago and is not on the board yet. */
async function undo() {
  if (!state || undoing) return;
  undoing = true;
  const moved = await lastMove;
  const seq = Math.max(state.seq, moved?.ok ? moved.seq : 0);
  const answer = await socket.send({ type: "undo" }, seq);
  undoing = false;
  if (answer.ok) return scene.reset();
  const { seat: mine, seats: all } = state;
  const others = all.some((seat, number) => number !== mine && seat.people.length > 0);
  if (await offerToAsk(answer.message, others)) send({ type: "ask_undo" });
}

async function hint() {
  try {
    notify(t("Thinking …"), 20);
    const { token, label } = await get(`tables/${id}/hint`);
    notify(t("Hint: {move}", { move: label }), 8);
    const move = state?.legal.find((legal) => legal.token === token);
    if (move) scene.point(move.path);
  } catch (error) {
    notify(messageOf(error));
  }
}

async function resign() {
  const people = state && mySeat(state)?.people.length;
  if (await confirmResign((people ?? 1) > 1)) send({ type: "resign" });
}

// -- sitting down -------------------------------------------------------------------------------

/** @param {number} seat */
async function sit(seat) {
  if (!(await introduce())) return;
  if (state?.you) {
    send({ type: "join", seat });
    return;
  }
  // The socket was opened by nobody: open the page again as somebody, and sit down then.
  sessionStorage.setItem("sit", JSON.stringify({ table: id, seat }));
  location.reload();
}

function sitWhereWished() {
  const wish = JSON.parse(sessionStorage.getItem("sit") ?? "null");
  sessionStorage.removeItem("sit");
  if (wish?.table === id) send({ type: "join", seat: wish.seat });
}
