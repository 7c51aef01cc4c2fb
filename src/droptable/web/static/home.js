// @ts-check
// The start page: my running tables, the games, open tables, recent matches and high scores.

import { get } from "./api.js";
import { showBadge } from "./app.js";
import { fill, h } from "./dom.js";
import { highScores } from "./ending.js";
import { gameCard } from "./game_cards.js";
import { groupSection } from "./groups.js";
import { loadTexts, t, tn } from "./i18n.js";
import { icon } from "./icons.js";
import { invitationSection } from "./invitations.js";
import { continueSection, current, stateOf, takeNewName, when } from "./my_tables.js";
import { myName, nameButton } from "./names.js";
import { chooseLevel, level, openTable, playNow, playSolo } from "./new_table.js";
import { BOTS } from "./seats.js";
import { setUp } from "./setup.js";
import { applyTheme, topBar } from "./top.js";

/** @import { ListedTable } from "./types.d.ts" */

const REFRESH_MS = 15_000;

applyTheme();
await loadTexts();
const games = await get("games");
const byName = new Map(games.map((game) => [game.name, game]));
const mine = h("div", {});
const lobby = h("section", { class: "lobby" });
const lists = h("div", { class: "lists" });
const me = nameButton(async () => {
  await takeNewName(going);
  showAgain();
});
/** @type {ListedTable[]} */
let going = []; // my tables that are not over
let shown = ""; // the lists as they were last shown: what has not changed is not touched

document.body.append(
  topBar("", me.button),
  h(
    "main",
    { class: "start" },
    mine,
    h(
      "div",
      { class: "lead-line" },
      h("p", { class: "lead" }, t("Five drop games at one table: with friends, or against bots.")),
      h(
        "nav",
        { class: "alone", "aria-label": t("To play alone") },
        h("a", { class: "button", href: "daily" }, icon("clock"), t("Daily")),
        h("a", { class: "button", href: "puzzles" }, icon("hint"), t("Puzzles")),
      ),
      levelChoice(),
    ),
    h(
      "div",
      { class: "games" },
      games.map((game) =>
        gameCard(game, {
          playNow,
          solo: playSolo,
          setUp: () => setUp(game, level(), openTable),
        }),
      ),
      lobby,
    ),
    lists,
  ),
);
watchTheme();
showLists();
setInterval(() => !document.hidden && showLists(), REFRESH_MS);
addEventListener("pageshow", (event) => event.persisted && showLists());

/** Tell pictures, which are files of one theme, that the page has another one now. */
function watchTheme() {
  const tell = () => dispatchEvent(new Event("themechange"));
  new MutationObserver(tell).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
}

/** How strong the bots of Play now are. */
function levelChoice() {
  return h(
    "label",
    { class: "level" },
    t("Bots"),
    h(
      "select",
      { onchange: (event) => chooseLevel(event.currentTarget.value) },
      BOTS.map((bot) => h("option", { value: bot, selected: bot === level() }, t(bot))),
    ),
  );
}

// -- lists --------------------------------------------------------------------------------------

function showAgain() {
  shown = "";
  return showLists();
}

async function showLists() {
  try {
    const known = await myName();
    const [own, waiting, live, finished, invited, groups] = await Promise.all([
      known ? get("tables", { which: "mine", limit: 30 }) : [],
      get("tables", { which: "open", limit: 20 }),
      get("tables", { which: "live", limit: 10 }),
      get("tables", { which: "finished", limit: 10 }),
      known ? get("invitations") : [],
      known ? get("groups") : [],
    ]);
    const now = JSON.stringify([
      known,
      own,
      waiting,
      live,
      finished,
      invited,
      groups,
      Math.floor(Date.now() / 60_000),
    ]);
    showBadge(own.filter((table) => table.turn).length);
    if (now === shown) return;
    shown = now;
    const scored = games.filter((game) => game.printed_scores.length);
    const scores = await Promise.all(scored.map((game) => highScores(game, "")));
    going = current(own);
    const strangers = (/** @type {ListedTable[]} */ tables) =>
      tables.filter((table) => !own.some((one) => one.table === table.table));
    fill(
      mine,
      invited.length > 0 && invitationSection(invited, byName, showAgain),
      going.length > 0 && continueSection(going, byName, known, showAgain),
    );
    showLobby(strangers(waiting), strangers(live));
    fill(
      lists,
      groups.length > 0 && groupSection(groups, false),
      list(t("Recent matches"), recent(own, strangers(finished))),
      scores.map((table) => h("section", { class: "card-box" }, table)),
    );
  } catch {
    // The server is away for a moment: what is shown stays, and is asked for again.
  }
}

/**
 * Public tables of others: to join, and to watch.
 * @param {ListedTable[]} waiting
 * @param {ListedTable[]} live
 */
function showLobby(waiting, live) {
  const none = t(
    "Nobody is waiting right now. Set up a table, make it public, and it shows up here.",
  );
  fill(
    lobby,
    h("h2", {}, t("Open tables")),
    waiting.length ? entries(waiting) : h("p", { class: "soft" }, none),
    live.length > 0 && h("h3", {}, t("Watch")),
    live.length > 0 && entries(live.slice(0, 5)),
    h(
      "p",
      { class: "more" },
      h("a", { href: "replay" }, t("Replay a match record")),
      h("a", { href: "leaders" }, t("Leaderboards")),
      h("a", { href: "friends" }, t("Friends")),
      h("a", { href: "learn" }, t("Learn the games")),
    ),
  );
}

/**
 * My finished tables, then those of others.
 * @param {ListedTable[]} own
 * @param {ListedTable[]} others
 */
function recent(own, others) {
  return [...own.filter((table) => table.status === "over"), ...others].slice(0, 8);
}

/**
 * @param {string} title
 * @param {ListedTable[]} tables
 */
function list(title, tables) {
  if (!tables.length) return null;
  return h("section", { class: "card-box" }, h("h2", {}, title), entries(tables));
}

/** @param {ListedTable[]} tables */
function entries(tables) {
  return h("ul", { class: "tables" }, tables.map(entry));
}

/** @param {ListedTable} table */
function entry(table) {
  const page = table.status === "over" ? "replay" : "t";
  const names = table.names.filter((name) => !/^Seat \d+$/.test(name)).join(", ");
  const game = byName.get(table.game);
  return h(
    "li",
    { "data-accent": game?.accent ?? "gold" },
    h(
      "a",
      { href: `${page}/${table.table}` },
      h("b", {}, table.title || game?.title || table.game),
      h("span", { class: "soft names" }, names),
      h("span", { class: "state" }, actOf(table)),
      h("span", { class: "soft when" }, when(table.updated)),
    ),
  );
}

/** @param {ListedTable} table */
function actOf(table) {
  if (table.free) return tn("Join: {count} free seat", "Join: {count} free seats", table.free);
  return table.status === "over" ? stateOf(table) : t("Watch");
}
