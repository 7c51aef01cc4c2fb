// @ts-check
// The best at each game: people whose rating is sure, and who do not hide.

import { get, messageOf } from "./api.js";
import { classes, fill, h } from "./dom.js";
import { loadTexts, t } from "./i18n.js";
import { inNumbers, percent } from "./people.js";
import { applyTheme, topBar } from "./top.js";

/** @import { Game, Leader } from "./types.d.ts" */

applyTheme();
await loadTexts();
document.title = `${t("Leaderboards")} – Droptable`;
const board = h("section", { class: "card-box", "aria-live": "polite" });
const choice = h("nav", { class: "games", "aria-label": t("Games") });
const lead = t(
  "Ratings come from rated matches. Bots of the level normal have 1500. Whoever has played enough to be sure of their number is listed.",
);
document.body.append(
  topBar(t("Leaderboards")),
  h("main", { class: "people" }, h("p", { class: "lead" }, lead), choice, board),
);
await start();

async function start() {
  try {
    const games = (await get("games")).filter(({ players }) => players.some((n) => n > 1));
    const wanted = new URLSearchParams(location.search).get("game");
    await show(games, games.find(({ name }) => name === wanted) ?? games[0]);
  } catch (error) {
    fill(board, messageOf(error));
  }
}

/**
 * @param {Game[]} games
 * @param {Game} game
 */
async function show(games, game) {
  const tabs = games.map((one) =>
    h(
      "button",
      {
        type: "button",
        class: classes(one === game && "main"),
        "aria-pressed": String(one === game),
        onclick: () => {
          history.replaceState(null, "", `leaders?game=${one.name}`);
          show(games, one);
        },
      },
      one.title,
    ),
  );
  fill(choice, tabs);
  const leaders = await get(`leaders/${game.name}`);
  fill(board, h("h2", {}, game.title), leaders.length ? list(leaders) : nobody());
}

function nobody() {
  return h("p", { class: "soft" }, t("Nobody has played enough rated matches of this game yet."));
}

/** @param {Leader[]} leaders */
function list(leaders) {
  return h(
    "table",
    { class: "leaders" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["#", t("Name"), t("Rating"), t("Matches"), t("Won")].map((title) =>
          h("th", { scope: "col" }, title),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      leaders.map((one) =>
        h(
          "tr",
          { class: one.mine && "mine" },
          h("td", {}, String(one.rank)),
          h("th", { scope: "row" }, h("a", { href: `p/${one.id}` }, one.name)),
          h("td", {}, inNumbers(one)),
          h("td", {}, String(one.matches)),
          h("td", {}, percent(one.share)),
        ),
      ),
    ),
  );
}
