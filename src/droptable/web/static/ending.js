// @ts-check
// After the match: the score as a person would write it down, and what to do next.

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";

/** @import { Game, HighScore, ScoreLine, SendCommand, TableState } from "./types.d.ts" */

let folded = false; // so that the board can be seen; stays so when the table changes

/**
 * @param {TableState} state
 * @param {Game | undefined} game
 * @param {SendCommand} send
 */
export function ending(state, game, send) {
  const sheet = h("div", { class: "sheet" });
  const scores = h("div", {});
  showSheet(sheet, state);
  if (state.players === 1 && game?.printed_scores.length) showScores(scores, game, state.table);
  return h(
    "details",
    {
      class: "card-box ending",
      open: !folded,
      ontoggle: (event) => {
        folded = !event.currentTarget.open;
      },
    },
    h(
      "summary",
      {},
      h("h2", {}, state.result?.verdict),
      h("span", { class: "to-board" }, t("See the board")),
      h("span", { class: "to-result" }, t("See the result")),
    ),
    sheet,
    scores,
    h(
      "div",
      { class: "row" },
      state.seat !== null &&
        h("button", { class: "main", onclick: () => rematch(send) }, t("Rematch")),
      h("a", { class: "button", href: `replay/${state.table}` }, t("Replay & coach")),
      h("a", { class: "button", href: "." }, t("Other games")),
    ),
  );
}

/** @param {SendCommand} send */
async function rematch(send) {
  const answer = await send({ type: "rematch" });
  if (answer.ok && answer.table) location.href = `t/${answer.table}`;
}

/**
 * @param {HTMLElement} box
 * @param {TableState} state
 */
async function showSheet(box, state) {
  const lines = await get(`tables/${state.table}/sheet`).catch(() => []); // the result is there
  if (lines.length) fill(box, scoreSheet(lines, state));
}

/**
 * @param {HTMLElement} box
 * @param {Game} game
 * @param {string} table
 */
async function showScores(box, game, table) {
  fill(box, await highScores(game, table).catch(() => null));
}

/**
 * @param {ScoreLine[]} lines
 * @param {TableState} state
 */
function scoreSheet(lines, state) {
  const names = state.seats.map((seat) => h("th", { scope: "col" }, seat.name));
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Score sheet")), names)),
    h(
      "tbody",
      {},
      lines.map((line) => scoreLine(line, state.game)),
    ),
  );
}

/**
 * @param {ScoreLine} line
 * @param {string} game
 */
function scoreLine(line, game) {
  const rule = h("a", { class: "rule", href: `learn/${game}#${line.rule}` }, line.rule);
  return h(
    "tr",
    { class: line.total && "total" },
    h("th", { scope: "row" }, line.label, " ", rule),
    line.points.map((points) => h("td", {}, String(points))),
  );
}

/**
 * The high scores of a solo game; the one of this table stands out.
 * @param {Game} game
 * @param {string} table
 */
export async function highScores(game, table) {
  const scores = await get(`games/${game.name}/scores`);
  return h(
    "table",
    { class: "scores" },
    h("caption", {}, t("High scores of {game}", { game: game.title })),
    h(
      "tbody",
      {},
      scores.map((score) => highScore(score, score.table === table)),
    ),
  );
}

/**
 * @param {HighScore} score
 * @param {boolean} ours
 */
function highScore({ rank, name, score, table }, ours) {
  const who = table ? h("a", { href: `replay/${table}` }, name) : name;
  return h(
    "tr",
    { class: ours && "total" },
    h("td", {}, `${rank}.`),
    h("th", { scope: "row" }, who),
    h("td", {}, String(score)),
  );
}
