// The start page: five games, open tables, my tables, high scores, recent matches.
import { get, post } from "./api.js";
import { fill, h, notify } from "./dom.js";
import { introduce, myName, rename } from "./names.js";
import { scoreBoard } from "./ending.js";
import { setUp } from "./setup.js";
import { loadTexts, t, tn } from "./i18n.js";
import { applyTheme, matchPicture, topBar } from "./top.js";

applyTheme();
await loadTexts();
const [games, name] = await Promise.all([get("games"), myName()]);
const titles = Object.fromEntries(games.map((game) => [game.name, game.title]));
const lists = h("div", { class: "lists" });
const hello = h("button", {
  class: "plain",
  onclick: async () => {
    await rename();
    greet();
  },
});

document.body.append(
  topBar("", hello),
  h(
    "main",
    { class: "start" },
    h(
      "p",
      { class: "lead" },
      t("Five drop games, at one table: with friends, or against bots that are worth playing."),
    ),
    h("div", { class: "games" }, games.map(gameCard)),
    lists,
  ),
);
greet();
showLists();
setInterval(() => !document.hidden && showLists(), 15000);

async function greet() {
  hello.textContent = (await myName()) ?? t("Choose a name");
}

function gameCard(game) {
  const [first, last] = [game.players[0], game.players.at(-1)];
  const counts =
    game.players.length > 1
      ? tn("{first} to {last} player", "{first} to {last} players", last, { first, last })
      : tn("{count} player", "{count} players", first);
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
    h("p", { class: "soft" }, counts),
    h(
      "div",
      { class: "row" },
      h("button", { class: "main", onclick: () => playNow(game) }, t("Play now")),
      h("button", { onclick: () => openSetUp(game) }, t("Set up a table …")),
      h("a", { class: "button", href: `learn/${game.name}` }, t("Learn")),
    ),
  );
}

/** One click: a table with bots at the other seats. */
async function playNow(game) {
  if (!(await introduce(t("Guest")))) return;
  greet();
  const players = game.players.find((count) => count > 1) ?? game.players[0];
  open({ game: game.name, seats: ["me", ...Array(players - 1).fill("normal")] }).catch((error) =>
    notify(error.message, 8),
  );
}

async function openSetUp(game) {
  if (!(await introduce())) return;
  greet();
  setUp(game, open);
}

let opening = false; // a second click opens no second table

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
  const known = await myName();
  const [mine, openTables, live, finished] = await Promise.all([
    known ? get("tables", { which: "mine", limit: 30 }) : [],
    get("tables", { which: "open", limit: 20 }),
    get("tables", { which: "live", limit: 10 }),
    get("tables", { which: "finished", limit: 10 }),
  ]).catch(() => [null]);
  if (!mine) return;
  const solo = games.filter((game) => game.printed_scores.length);
  const boards = await Promise.all(solo.map((game) => scoreBoard(game, "")));
  fill(
    lists,
    list(
      t("My tables"),
      mine.filter((table) => table.status !== "over"),
      t("You sit at no table. Press Play now to begin."),
    ),
    list(t("Open tables"), openTables, t("No public table is waiting for players. Set one up!")),
    live.length ? list(t("Being played"), live) : null,
    list(
      t("Recent matches"),
      [
        ...mine.filter((table) => table.status === "over"),
        ...finished.filter((table) => !mine.some((own) => own.table === table.table)),
      ].slice(0, 10),
      t("None yet."),
    ),
    boards.map((board) => h("section", { class: "card-box" }, board)),
  );
}

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

function entry(table) {
  const over = table.status === "over";
  const won = table.winners.map((seat) => table.names[seat]).join(", ");
  const said = over
    ? t("won by {names}", { names: won })
    : table.turn
      ? t("your turn")
      : table.free
        ? tn("{count} free", "{count} free", table.free)
        : t("playing");
  return h(
    "li",
    {},
    h(
      "a",
      {
        href: over ? `replay/${table.table}` : `t/${table.table}`,
        class: table.turn ? "turn" : "",
      },
      h("b", {}, table.title || titles[table.game] || table.game),
      h("span", { class: "soft" }, table.names.join(", ")),
      h("span", { class: "state" }, said),
    ),
  );
}
