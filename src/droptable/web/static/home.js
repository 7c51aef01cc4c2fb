// @ts-check
// The start page: games, open tables, my tables, high scores, recent matches.

import { get, messageOf, post } from "./api.js";
import { fill, h, notify } from "./dom.js";
import { highScores } from "./ending.js";
import { loadTexts, t, tn } from "./i18n.js";
import { introduce, myName, rename } from "./names.js";
import { setUp } from "./setup.js";
import { applyTheme, matchPicture, topBar } from "./top.js";

/** @import { Game, ListedTable, TableSettings } from "./types.d.ts" */

const REFRESH_MS = 15_000;

applyTheme();
await loadTexts();
const games = await get("games");
const titles = new Map(games.map((game) => [game.name, game.title]));
const lists = h("div", { class: "lists" });
const hello = h("button", {
  class: "plain",
  onclick: async () => {
    await rename();
    greet();
  },
});
let opening = false; // a second click opens no second table

document.body.append(
  topBar("", hello),
  h(
    "main",
    { class: "start" },
    h(
      "p",
      { class: "lead" },
      t("Five drop games at one table: with friends, or against strong bots."),
    ),
    h("div", { class: "games" }, games.map(gameCard)),
    lists,
  ),
);
greet();
showLists();
setInterval(() => !document.hidden && showLists(), REFRESH_MS);

async function greet() {
  hello.textContent = (await myName()) ?? t("Choose a name");
}

/** @param {Game} game */
function gameCard(game) {
  return h(
    "article",
    { class: "game", "data-accent": game.accent },
    h("img", {
      class: "picture",
      src: matchPicture(game.name),
      alt: t("A match of {game}", { game: game.title }),
      width: 500,
      height: 280,
      loading: "lazy",
    }),
    h("h2", {}, game.title),
    h("p", {}, game.summary),
    h("p", { class: "soft" }, playerCounts(game)),
    h(
      "div",
      { class: "row" },
      h("button", { class: "main", onclick: () => playNow(game) }, t("Play now")),
      h("button", { onclick: () => openSetUp(game) }, t("Set up a table …")),
      h("a", { class: "button", href: `learn/${game.name}` }, t("Learn")),
    ),
  );
}

/** @param {Game} game */
function playerCounts(game) {
  const [first] = game.players;
  const last = game.players[game.players.length - 1];
  if (first === last) return tn("{count} player", "{count} players", first);
  return tn("{first} to {last} player", "{first} to {last} players", last, { first, last });
}

/**
 * One click: a table with bots at the other seats.
 * @param {Game} game
 */
async function playNow(game) {
  if (!(await introduce(t("Guest")))) return;
  greet();
  const players = game.players.find((count) => count > 1) ?? game.players[0];
  const bots = Array(players - 1).fill("normal");
  try {
    await open({ game: game.name, seats: ["me", ...bots] });
  } catch (error) {
    notify(messageOf(error), 8);
  }
}

/** @param {Game} game */
async function openSetUp(game) {
  if (!(await introduce())) return;
  greet();
  setUp(game, open);
}

/** @param {TableSettings} settings */
async function open(settings) {
  if (opening) return;
  opening = true;
  try {
    location.href = `t/${(await post("tables", settings)).table}`;
  } finally {
    opening = false;
  }
}

async function showLists() {
  try {
    const known = await myName();
    const [mine, waiting, live, finished] = await Promise.all([
      known ? get("tables", { which: "mine", limit: 30 }) : [],
      get("tables", { which: "open", limit: 20 }),
      get("tables", { which: "live", limit: 10 }),
      get("tables", { which: "finished", limit: 10 }),
    ]);
    const solo = games.filter((game) => game.printed_scores.length);
    const scores = await Promise.all(solo.map((game) => highScores(game, "")));
    const current = mine.filter((table) => table.status !== "over");
    fill(
      lists,
      list(t("My tables"), current, t("You have no table yet. Press Play now to begin.")),
      list(t("Open tables"), waiting, t("No public table is waiting for players. Set one up!")),
      live.length > 0 && list(t("In progress"), live),
      list(t("Recent matches"), recent(mine, finished), t("None yet.")),
      scores.map((table) => h("section", { class: "card-box" }, table)),
    );
  } catch {
    // The server is away for a moment: what is shown stays, and is asked for again.
  }
}

/**
 * My finished tables, then those of others.
 * @param {ListedTable[]} mine
 * @param {ListedTable[]} finished
 */
function recent(mine, finished) {
  const own = mine.filter((table) => table.status === "over");
  const others = finished.filter((table) => !mine.some((one) => one.table === table.table));
  return [...own, ...others].slice(0, 10);
}

/**
 * @param {string} title
 * @param {ListedTable[]} tables
 * @param {string} [empty] the text where there are none
 */
function list(title, tables, empty) {
  return h(
    "section",
    { class: "card-box" },
    h("h2", {}, title),
    tables.length
      ? h("ul", { class: "tables" }, tables.map(entry))
      : h("p", { class: "soft" }, empty),
  );
}

/** @param {ListedTable} table */
function entry(table) {
  const page = table.status === "over" ? "replay" : "t";
  return h(
    "li",
    {},
    h(
      "a",
      { href: `${page}/${table.table}`, class: table.turn && "turn" },
      h("b", {}, table.title || titles.get(table.game) || table.game),
      h("span", { class: "soft" }, table.names.join(", ")),
      h("span", { class: "state" }, stateOf(table)),
    ),
  );
}

/** @param {ListedTable} table */
function stateOf(table) {
  if (table.status === "over")
    return t("won by {names}", {
      names: table.winners.map((seat) => table.names[seat]).join(", "),
    });
  if (table.turn) return t("your turn");
  return table.free ? tn("{count} free", "{count} free", table.free) : t("playing");
}
