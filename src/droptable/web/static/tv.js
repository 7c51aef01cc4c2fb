// @ts-check
// A table on a large screen that everybody sees: the board, names and scores, and the invite link.
// Nobody plays here; hands are on the phones.

import { get } from "./api.js";
import { classes, h, update } from "./dom.js";
import { latestLine } from "./drawer.js";
import { celebrate } from "./ending.js";
import { seatFace } from "./faces.js";
import { loadTexts, t } from "./i18n.js";
import { icon } from "./icons.js";
import { qrCode } from "./links.js";
import { boardBox, Scene } from "./scene.js";
import { runClocks } from "./seats.js";
import { TableSocket } from "./socket.js";
import { play } from "./sounds.js";
import { applyTheme } from "./top.js";

/** @import { Beat, Game, TableState } from "./types.d.ts" */

const REMATCH_MS = 4000; // in which the result is still seen

applyTheme();
await loadTexts();
const id = location.pathname.split("/").at(-1) ?? "";
const tall = matchMedia("(max-aspect-ratio: 1/1)");
const games = new Map((await get("games")).map((game) => [game.name, game]));

const title = h("h1", {}, "…");
const saying = h("p", { class: "tv-saying", role: "status" });
const latest = h("p", { class: "tv-latest soft" });
const board = boardBox();
const people = h("ul", { class: "tv-people", "aria-label": t("Seats") });
const link = h("p", { class: "tv-link" });
const call = h("p", { class: "tv-call" });
const invite = h("section", { class: "tv-invite", "aria-label": t("Invite") });
const offline = h("p", { class: "offline", role: "alert", hidden: true }, t("No connection."));
const wide = h(
  "button",
  { class: "icon plain", type: "button", "aria-label": t("Full screen"), onclick: fullScreen },
  icon("full"),
);
const scene = new Scene(board);
const look = { scene: shape(), focus: null, beats: true, seat: null, watch: true };
const socket = new TableSocket(id, look);
let stopClocks = () => {};
/** @type {TableState | null} */
let settled = null;
/** @type {TableState | null} */
let state = null;

document.body.append(
  h("header", { class: "tv-head" }, h("div", {}, title, saying, latest), wide),
  h("main", { class: "tv-main" }, board),
  h("aside", { class: "tv-side" }, people, invite),
  offline,
);
update(invite, qrCode(id, 300), h("div", {}, call, link));
get(`tables/${id}/invite`).then(
  (invited) => {
    link.textContent = invited.link.replace(/^https?:\/\//, "");
  },
  () => {}, // the page says that there is no such table
);
tall.addEventListener("change", () => socket.show({ scene: shape() }));
socket.on("connection", (connected) => {
  offline.hidden = connected;
});
socket.on("gone", () => {
  title.textContent = t("There is no such table.");
  for (const part of [people, invite, board]) part.remove();
});
socket.on("state", show);
scene.on("beat", performed);
scene.on("settled", settle);
navigator.wakeLock?.request("screen").catch(() => {
  // the screen may go dark then
});

function shape() {
  return tall.matches ? /** @type {const} */ ("tall") : /** @type {const} */ ("wide");
}

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
}

/** @param {TableState} now */
function show(now) {
  state = now;
  document.body.dataset.status = now.status;
  const around = () => showAround(now);
  board.hidden = !now.picture;
  if (!now.picture) {
    around();
    return settle();
  }
  const { svg, switches } = now.picture;
  const beats = now.beats ?? [];
  scene.present({ svg, beats, moves: [], switches, chips: [], fill: null, after: [around] });
}

/** @param {Beat} beat */
function performed({ text, sound }) {
  if (sound) play(sound);
  if (text) saying.textContent = text;
}

function settle() {
  if (!state) return;
  saying.textContent = sentence(state);
  if (settled?.status === "playing" && state.status === "over") celebrate(state);
  settled = state;
  const { next } = state;
  if (next) setTimeout(() => location.replace(new URL(`tv/${next}`, document.baseURI)), REMATCH_MS);
}

/** What is going on. @param {TableState} now */
function sentence(now) {
  if (now.frozen) return now.frozen;
  if (now.next) return t("There is a rematch at another table.");
  if (now.result) return now.result.verdict;
  if (now.status === "closed") return t("This table was closed.");
  if (now.status === "waiting")
    return now.seats.some(isFree)
      ? t("Scan the code with your phone and take a seat.")
      : t("Everybody is here.");
  const names = now.to_act.map((seat) => now.seats[seat]?.name).filter(Boolean);
  return names.length ? t("To move: {names}", { names: names.join(", ") }) : "";
}

/** @param {TableState} now */
function showAround(now) {
  const game = games.get(now.game);
  document.documentElement.dataset.accent = game?.accent ?? "gold";
  title.textContent = now.title || game?.title || now.game;
  document.title = `${title.textContent} – Droptable`;
  latest.textContent = latestLine(now) ?? latest.textContent;
  const free = now.status === "waiting" && now.seats.some(isFree);
  call.textContent = free ? t("Join in") : t("Watch on your phone");
  update(
    people,
    now.seats.map((seat, number) => person(now, seat, number, game)),
  );
  stopClocks();
  stopClocks = runClocks(people, now.clocks);
}

/** @param {import("./types.d.ts").Seat} seat */
function isFree(seat) {
  return !seat.bot && seat.people.length === 0;
}

/**
 * @param {TableState} now
 * @param {import("./types.d.ts").Seat} seat
 * @param {number} number
 * @param {Game | undefined} game
 */
function person(now, seat, number, game) {
  const won = now.result?.winners.includes(number);
  const points = game && now.scores && now.status !== "waiting" ? now.scores[number] : null;
  return h(
    "li",
    {
      class: classes(
        "tv-person",
        now.status === "playing" && now.to_act.includes(number) && "acting",
        won && "won",
        seat.resigned && "resigned",
      ),
      "data-key": number,
    },
    seatFace(seat, number),
    h("span", { class: "name" }, isFree(seat) ? t("Free seat") : seat.name),
    now.clocks && h("span", { class: "clock", "data-seat": number }),
    won && icon("trophy"),
    points !== null && h("b", { class: "points" }, String(points)),
  );
}
