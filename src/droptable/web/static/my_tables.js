// @ts-check
// My tables that are not over: my turn first, each with its board, and a way out.

import { get, messageOf, post } from "./api.js";
import { confirmResign } from "./dialogs.js";
import { ask, classes, h, notify } from "./dom.js";
import { language, t, tn } from "./i18n.js";
import { icon } from "./icons.js";
import { parsePicture } from "./svg.js";
import { matchPicture } from "./top.js";

/** @import { Command, Game, ListedTable } from "./types.d.ts" */

const UNITS = /** @type {const} */ ([
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
]);
const ago = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

const FEW = 3; // that are shown at first
let all = false; // whether the others are shown, too

/** @type {Map<string, string>} pictures of boards, by table and time */
const boards = new Map();

/**
 * The tables to go on with, the most urgent first.
 * @param {ListedTable[]} mine
 */
export function current(mine) {
  const rank = (/** @type {ListedTable} */ { turn, status }) =>
    Number(!turn) + Number(status === "waiting");
  return mine
    .filter((table) => table.status === "waiting" || table.status === "playing")
    .sort((one, other) => rank(one) - rank(other) || other.updated - one.updated);
}

/**
 * @param {ListedTable[]} tables
 * @param {Map<string, Game>} games
 * @param {string | null} me
 * @param {() => unknown} changed
 */
export function continueSection(tables, games, me, changed) {
  const turns = tables.filter((table) => table.turn).length;
  return h(
    "section",
    { class: "continue", "aria-labelledby": "continue-title" },
    h(
      "h2",
      { id: "continue-title" },
      turns
        ? tn("Continue: your turn", "Continue: {count} tables wait for you", turns)
        : t("Continue"),
    ),
    h(
      "ul",
      {},
      (all ? tables : tables.slice(0, FEW)).map((table) =>
        h("li", {}, card(table, games.get(table.game), me, changed)),
      ),
    ),
    !all && tables.length > FEW && allButton(tables.length, changed),
  );
}

/**
 * @param {number} count
 * @param {() => unknown} changed
 */
function allButton(count, changed) {
  const show = () => {
    all = true;
    changed();
  };
  const words = tn("Show {count} table", "Show all {count} tables", count);
  return h("button", { type: "button", class: "plain", onclick: show }, words);
}

/**
 * @param {ListedTable} table
 * @param {Game | undefined} game
 * @param {string | null} me
 * @param {() => unknown} changed
 */
function card(table, game, me, changed) {
  const title = table.title || game?.title || table.game;
  const label = table.status === "waiting" ? t("Leave") : t("Resign");
  return h(
    "div",
    { class: classes("going", table.turn && "turn"), "data-accent": game?.accent ?? "gold" },
    h(
      "a",
      { href: `t/${table.table}` },
      thumbnail(table),
      h(
        "span",
        { class: "going-text" },
        h("b", {}, title),
        h("span", { class: "soft" }, opponents(table, me)),
        h(
          "span",
          { class: "going-state" },
          h("span", { class: "state" }, stateOf(table)),
          h("span", { class: "soft when" }, when(table.updated)),
        ),
      ),
    ),
    h(
      "button",
      {
        class: "icon plain",
        type: "button",
        title: label,
        "aria-label": `${label}: ${title}`,
        onclick: () => giveUp(table, changed),
      },
      icon("close"),
    ),
  );
}

/**
 * The board as I see it now; before the match, a picture of the game.
 * @param {ListedTable} table
 */
function thumbnail(table) {
  const box = h("span", { class: "thumb" });
  if (table.status === "playing") showBoard(box, table);
  else box.append(h("img", { src: matchPicture(table.game), alt: "", width: 250, height: 140 }));
  return box;
}

/**
 * @param {HTMLElement} box
 * @param {ListedTable} table
 */
async function showBoard(box, table) {
  const key = `${table.table} ${table.updated}`;
  const known = boards.get(key) ?? (await drawn(table.table));
  if (!known) return;
  boards.set(key, known);
  const picture = parsePicture(known);
  picture.querySelector("title")?.remove();
  picture.setAttribute("aria-hidden", "true");
  for (const part of picture.querySelectorAll("*"))
    for (const attribute of ["id", "data-touch", "role", "aria-label"])
      part.removeAttribute(attribute);
  box.replaceChildren(picture);
}

/** @param {string} table */
async function drawn(table) {
  const state = await get(`tables/${table}`, { scene: "wide" }).catch(() => null);
  return state?.picture?.svg;
}

/**
 * The others at a table. Nobody is called like an empty seat.
 * @param {ListedTable} table
 * @param {string | null} me
 */
function opponents(table, me) {
  const others = table.names.filter((name) => name !== me && !/^Seat \d+$/.test(name));
  if (others.length) return t("with {names}", { names: others.join(", ") });
  return table.players === 1 ? t("Solo") : t("Nobody else is here yet");
}

/** @param {ListedTable} table */
export function stateOf(table) {
  if (table.status === "over")
    return t("won by {names}", {
      names: table.winners.map((seat) => table.names[seat]).join(", "),
    });
  if (table.turn) return t("Your turn");
  if (table.status === "waiting" && table.free)
    return tn("{count} free seat", "{count} free seats", table.free);
  return table.status === "waiting" ? t("Ready to start") : t("Their turn");
}

/**
 * How long ago, or the date of what is older than a week.
 * @param {number} seconds since 1970
 */
export function when(seconds) {
  const past = Date.now() / 1000 - seconds;
  if (past > 7 * 86400)
    return new Date(seconds * 1000).toLocaleDateString(language, { dateStyle: "medium" });
  for (const [unit, length] of UNITS)
    if (past >= length) return ago.format(-Math.floor(past / length), unit);
  return t("just now");
}

/**
 * Leave a table that waits, or resign a match.
 * @param {ListedTable} table
 * @param {() => unknown} changed
 */
async function giveUp(table, changed) {
  const waits = table.status === "waiting";
  const sure = waits ? await confirmLeave() : await confirmResign(false);
  if (!sure) return;
  try {
    await order(table, { type: waits ? "leave" : "resign" });
  } catch (error) {
    notify(messageOf(error));
  }
  changed();
}

/**
 * Let my tables know my new name: who joins where they sit takes it.
 * @param {ListedTable[]} tables
 */
export function takeNewName(tables) {
  return Promise.allSettled(tables.map((table) => order(table, { type: "join" })));
}

/**
 * @param {ListedTable} table
 * @param {Command} command
 */
function order({ table }, command) {
  const id = crypto.getRandomValues(new Uint32Array(2)).join("-");
  return post(`tables/${table}/commands`, { id, command });
}

function confirmLeave() {
  return ask(t("Leave this table?"), h("p", {}, t("If you are alone there, it is closed.")), [
    { label: t("Stay"), value: null },
    { label: t("Leave"), value: true, main: true },
  ]);
}
