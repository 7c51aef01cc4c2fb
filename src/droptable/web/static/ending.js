// After the match: the score as a person would write it, and what to do next.
import { get } from "./api.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

let folded = false; // so that the board can be seen; it stays so when the table changes

export function ending(state, game, id, command) {
  const sheet = h("div", { class: "sheet" });
  get(`tables/${id}/sheet`).then(
    (lines) => sheet.replaceChildren(table(lines, state)),
    () => {},
  );
  const board = h("div", {});
  if (state.players === 1 && game?.printed_scores.length)
    scoreBoard(game, id).then(
      (shown) => board.replaceChildren(shown),
      () => {},
    );
  return h(
    "details",
    {
      class: "card-box ending",
      open: !folded,
      ontoggle: (event) => {
        folded = !event.target.open;
      },
    },
    h(
      "summary",
      {},
      h("h2", {}, state.result.verdict),
      h("span", { class: "to-board" }, t("See the board")),
      h("span", { class: "to-result" }, t("See the result")),
    ),
    sheet,
    board,
    h(
      "div",
      { class: "row" },
      state.seat !== null &&
        h("button", { class: "main", onclick: () => rematch(command) }, t("Rematch")),
      h("a", { class: "button", href: `replay/${id}` }, t("Replay & coach")),
      h("a", { class: "button", href: "." }, t("Other games")),
    ),
  );
}

async function rematch(command) {
  const answer = await command({ type: "rematch" });
  if (answer.ok && answer.table) location.href = `t/${answer.table}`;
}

function table(lines, state) {
  if (!lines.length) return "";
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, t("Score sheet")),
        state.seats.map((seat) => h("th", { scope: "col" }, seat.name)),
      ),
    ),
    h(
      "tbody",
      {},
      lines.map((line) =>
        h(
          "tr",
          { class: line.total ? "total" : "" },
          h(
            "th",
            { scope: "row" },
            line.label,
            " ",
            h("a", { class: "rule", href: `learn/${state.game}#${line.rule}` }, line.rule),
          ),
          line.points.map((points) => h("td", {}, String(points))),
        ),
      ),
    ),
  );
}

export async function scoreBoard(game, id) {
  const places = await get(`games/${game.name}/scores`);
  return h(
    "table",
    { class: "scores" },
    h("caption", {}, t("High scores of {game}", { game: game.title })),
    h(
      "tbody",
      {},
      places.map((place) =>
        h(
          "tr",
          { class: place.table === id ? "total" : "" },
          h("td", {}, `${place.rank}.`),
          h(
            "th",
            { scope: "row" },
            place.table ? h("a", { href: `replay/${place.table}` }, place.name) : place.name,
          ),
          h("td", {}, String(place.score)),
        ),
      ),
    ),
  );
}
