// @ts-check
// Puzzles: what there is to solve and how far I am; one after the other; and my own mistakes.

import { get, messageOf } from "./api.js";
import { fill, h, notify } from "./dom.js";
import { language, loadTexts, t, tn } from "./i18n.js";
import { icon } from "./icons.js";
import { introduce, nothingYet } from "./names.js";
import { puzzleCard } from "./puzzle_card.js";
import { Solver } from "./solving.js";
import { applyTheme, matchPicture, topBar } from "./top.js";

/** @import { Mistake, Mistakes, PuzzleGame, Puzzles, Strength } from "./types.d.ts" */

applyTheme();
await loadTexts();
const [, kind, name = ""] = /\/(puzzles|mistakes)\/?([^/]*)$/.exec(location.pathname) ?? [];
const root = kind === "mistakes" ? "mistakes" : "puzzles";
const title = root === "mistakes" ? t("My mistakes") : t("Puzzles");
const game = new URLSearchParams(location.search).get("game");

if (name) solve(decodeURIComponent(name));
else show();

/** @param {string} first the id of a puzzle, or `next` or `daily` */
async function solve(first) {
  const solver = new Solver(root, root === "puzzles" && game ? { game } : {}, whatNext);
  document.body.classList.add("table");
  const overview = h("a", { class: "button plain", href: root }, t("Overview"));
  document.body.append(topBar(t("Find the best move"), overview), solver.element);
  await go(solver, first);
}

/**
 * @param {Solver} solver
 * @param {string} wanted
 */
async function go(solver, wanted) {
  try {
    const { id } = await solver.open(wanted, solver.id ? { after: solver.id } : {});
    const query = game ? `?game=${encodeURIComponent(game)}` : "";
    if (wanted !== "daily") history.replaceState(null, "", `${root}/${id}${query}`);
  } catch (error) {
    fill(
      solver.element,
      h(
        "div",
        { class: "card-box lost" },
        h("h2", {}, t("There is no such puzzle.")),
        h("p", {}, messageOf(error)),
        h("a", { class: "button main", href: root }, t("Overview")),
      ),
    );
  }
}

/** @param {Solver} solver */
function whatNext(solver) {
  const next = root === "puzzles" ? () => go(solver, "next") : () => nextMistake(solver);
  const label = root === "puzzles" ? t("Next puzzle") : t("Next");
  return h("button", { class: "main", type: "button", onclick: next }, label, icon("next"));
}

/**
 * The next mistake that is due; or the list, where there is none.
 * @param {Solver} solver
 */
async function nextMistake(solver) {
  try {
    const { mistakes } = await get("mistakes");
    const due = mistakes.find((one) => one.is_due && one.id !== solver.id);
    if (due) await go(solver, due.id);
    else location.href = "mistakes";
  } catch (error) {
    notify(messageOf(error));
  }
}

// -- what there is ------------------------------------------------------------------------------

async function show() {
  document.title = `${title} – Droptable`;
  const page = h("main", { class: "all-puzzles" });
  document.body.append(topBar(title), page);
  try {
    if (root === "mistakes") {
      await introduce();
      fill(page, mistakes(await get("mistakes")));
    } else {
      fill(page, overview(await get("puzzles")));
    }
  } catch (error) {
    fill(page, h("p", { class: "card-box" }, messageOf(error)));
  }
}

/** @param {Puzzles} all */
function overview({ games, rating, daily }) {
  const lead = t(
    "Positions from real matches in which one move is clearly the best, as one player saw them.",
  );
  return [
    h("p", { class: "lead" }, lead),
    h(
      "p",
      { class: "ways" },
      games.length > 0 &&
        h("a", { class: "button main", href: "puzzles/next" }, icon("play"), t("Solve puzzles")),
      h("a", { class: "button", href: "mistakes" }, icon("mistake"), t("My mistakes")),
    ),
    strength(rating),
    daily && puzzleCard(daily),
    h("ul", { class: "puzzle-games" }, games.map(gameCard)),
  ];
}

/** @param {Strength} rating */
function strength({ rating, deviation, tries, solved, provisional }) {
  if (!tries) return null;
  return h(
    "p",
    { class: "strength" },
    h("b", {}, t("Your puzzle rating: {rating} ± {deviation}", { rating, deviation })),
    " ",
    h("span", { class: "soft" }, t("{solved} of {tries} solved", { solved, tries })),
    provisional && h("span", { class: "soft" }, " · ", t("a first guess")),
  );
}

/** @param {PuzzleGame} about */
function gameCard({ name: of, title: gameTitle, accent, count, solved, tried }) {
  return h(
    "li",
    { "data-accent": accent },
    h(
      "a",
      { class: "puzzle-game card-box", href: `puzzles/next?game=${of}`, "data-game": of },
      h("img", { src: matchPicture(of), alt: "", width: 250, height: 140, loading: "lazy" }),
      h(
        "div",
        {},
        h("h2", {}, gameTitle),
        h("p", { class: "soft" }, tn("{count} puzzle", "{count} puzzles", count)),
        h("p", { class: "soft" }, t("{solved} of {tries} solved", { solved, tries: tried })),
        h("progress", { max: count, value: tried, "aria-label": t("Puzzles tried") }),
      ),
    ),
  );
}

/** @param {Mistakes} all */
function mistakes({ day, due, solved, spacing, mistakes: found }) {
  const lead = t(
    "What the coach marked in your matches comes back here, after a day, three days, a week and three weeks, until you find the better move each time.",
  );
  const first = found.find((one) => one.is_due);
  return [
    h("p", { class: "lead" }, lead),
    h(
      "p",
      { class: "ways" },
      first &&
        h(
          "a",
          { class: "button main", href: `mistakes/${first.id}` },
          icon("play"),
          tn("Solve {count} that is due", "Solve {count} that are due", due),
        ),
      h("a", { class: "button", href: "puzzles" }, t("Puzzles")),
    ),
    !found.length &&
      nothingYet(t("Nothing here yet. Open the replay of a match of yours and ask the coach.")),
    found.length > 0 && !due && h("p", {}, t("Nothing is due today.")),
    h(
      "ul",
      { class: "tables" },
      found.map((one) => entry(one, day, spacing.length)),
    ),
    solved > 0 &&
      h(
        "p",
        { class: "soft" },
        tn("{count} mistake solved for good", "{count} mistakes solved for good", solved),
      ),
  ];
}

/**
 * @param {Mistake} mistake
 * @param {string} day
 * @param {number} steps
 */
function entry(
  { id, title: gameTitle, accent, mark, table, event, step, due, is_due },
  day,
  steps,
) {
  const when = is_due ? t("due now") : t("due on {day}", { day: dateOf(due) });
  return h(
    "li",
    { "data-accent": accent, class: is_due && "due" },
    h(
      "a",
      { href: `mistakes/${id}`, title: day },
      h("b", {}, gameTitle),
      h("span", { class: "soft" }, mark === "blunder" ? t("Blunder") : t("Mistake")),
      h("span", { class: "state" }, when),
      h("span", { class: "soft when" }, t("{step} of {steps}", { step, steps })),
    ),
    h("a", { class: "button plain", href: `replay/${table}#${event}` }, t("Replay")),
  );
}

/** @param {string} day */
function dateOf(day) {
  const options = /** @type {const} */ ({ dateStyle: "medium", timeZone: "UTC" });
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(language, options);
}
