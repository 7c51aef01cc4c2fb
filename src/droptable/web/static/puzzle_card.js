// @ts-check
// The puzzle of the day on a card: for the page of puzzles, and that of the daily deals.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { matchPicture } from "./top.js";

/** @import { DailyPuzzle } from "./types.d.ts" */

/** @param {DailyPuzzle} daily */
export function puzzleCard({ game: of, title: gameTitle, tried, tries, solved }) {
  const share = Math.round((100 * solved) / Math.max(tries, 1));
  const said = [
    gameTitle,
    tries > 0 && t("solved by {percent} %", { percent: share }),
    tried === true && t("You solved it."),
    tried === false && t("You missed it."),
  ];
  return h(
    "article",
    { class: "puzzle-game card-box" },
    h("img", { src: matchPicture(of), alt: "", width: 250, height: 140, loading: "lazy" }),
    h(
      "div",
      {},
      h("h2", {}, t("Puzzle of the day")),
      h("p", { class: "soft" }, said.filter(Boolean).join(" · ")),
      h(
        "a",
        { class: "button main", href: "puzzles/daily" },
        tried === null ? t("Solve") : t("Look again"),
      ),
    ),
  );
}
