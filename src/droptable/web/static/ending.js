// @ts-check
// After the match: who won, the story in three figures, the score as a person would write it down,
// and what to do next. It stands beside the board, never over it.

import { get, messageOf, post } from "./api.js";
import { confetti } from "./confetti.js";
import { classes, fill, h, notify, update } from "./dom.js";
import { contribute } from "./fair.js";
import { t, tn } from "./i18n.js";
import { icon } from "./icons.js";
import { peopleHere } from "./people.js";
import { sharedSeats } from "./seats.js";
import { play } from "./sounds.js";

/** @import { Figure, Game, HighScore, ScoreLine, SendCommand, TableState } from "./types.d.ts" */

/** @typedef {"win" | "loss" | "draw" | "watched"} Outcome */

export class Ending {
  #head = h("div", { class: "ending-head" });
  #rank = h("p", { class: "rank", hidden: true });
  #people = h("div");
  #row = h("div", { class: "row" });
  #story = h("dl", { class: "story" });
  #scores = h("div", { class: "places-won" });
  #sheet = h("div", { class: "sheet" });
  #asked = false;

  constructor() {
    this.element = h(
      "section",
      { class: "card-box ending", "aria-label": t("Result") },
      this.#head,
      this.#rank,
      this.#people,
      this.#row,
      this.#story,
      this.#scores,
      this.#sheet,
    );
  }

  /**
   * @param {TableState} state
   * @param {Game | undefined} game
   * @param {SendCommand} send
   */
  show(state, game, send) {
    const outcome = outcomeOf(state);
    this.element.dataset.outcome = outcome;
    update(
      this.#head,
      h("h2", {}, outcome === "win" && icon("trophy"), headline(state)),
      h("p", { class: "verdict" }, state.result?.verdict),
      state.players === 1 &&
        state.assisted.length > 0 &&
        h("p", { class: "soft" }, t("You had help, so this is not among the high scores.")),
    );
    update(this.#people, peopleHere(state));
    update(this.#row, nextSteps(state, send));
    if (this.#asked) return;
    this.#asked = true;
    const { table } = state;
    load(this.#story, get(`tables/${table}/story`), figures);
    load(this.#sheet, get(`tables/${table}/sheet`), (lines) => scoreSheet(lines, state));
    if (state.players === 1 && game?.printed_scores.length) this.#showRank(game, table);
  }

  /**
   * The place of a solo match among all; the own one is scrolled to.
   * @param {Game} game
   * @param {string} table
   */
  async #showRank(game, table) {
    await load(this.#scores, highScores(game, table), (list) => list);
    const own = this.#scores.querySelector(".total");
    const rank = own?.querySelector("td")?.textContent;
    if (!own || !rank) return;
    own.scrollIntoView({ block: "nearest" });
    this.#rank.textContent = t("Place {rank} of the high scores", { rank: parseInt(rank, 10) });
    this.#rank.hidden = false;
  }
}

/**
 * Fill a box with what comes; without it the result is complete as well.
 * @template Data
 * @param {HTMLElement} box
 * @param {Promise<Data>} coming
 * @param {(data: Data) => import("./types.d.ts").Child} draw
 */
async function load(box, coming, draw) {
  const data = await coming.catch(() => null);
  if (data !== null) fill(box, draw(data));
}

/**
 * @param {TableState} state
 * @returns {Outcome}
 */
function outcomeOf(state) {
  const { seat, seats, result, players } = state;
  const shared = sharedSeats(state);
  if (shared.some((held) => result?.winners.includes(held))) return "win";
  if (shared.length || seat === null || !result) return "watched";
  if (seats[seat].resigned) return "loss";
  if (players === 1) return (result.scores?.[0] ?? 0) > 0 ? "win" : "draw";
  const { winners } = result;
  if (!winners.length || winners.length === players) return "draw";
  return winners.includes(seat) ? "win" : "loss";
}

/** The result in a few words. @param {TableState} state */
function headline(state) {
  const { seat, seats, result, players } = state;
  if (!result) return "";
  if (seat !== null && seats[seat].resigned) return t("You resigned");
  const names = result.winners.map((winner) => seats[winner].name);
  const others = result.winners.filter((winner) => winner !== seat).map((n) => seats[n].name);
  if (players === 1) return tn("{count} point", "{count} points", result.scores?.[0] ?? 0);
  if (!names.length || names.length === players) return t("A draw");
  if (seat !== null && result.winners.includes(seat))
    return others.length
      ? t("You share the victory with {names}", { names: list(others) })
      : t("You win!");
  return names.length === 1
    ? t("{name} wins", { name: names[0] })
    : t("{names} share the victory", { names: list(names) });
}

/** @param {string[]} names */
function list(names) {
  return new Intl.ListFormat(document.documentElement.lang || "en").format(names);
}

/**
 * Celebrate, or not: what is heard and seen once, when the match ends.
 * @param {TableState} state
 */
export function celebrate(state) {
  const outcome = outcomeOf(state);
  play(outcome === "watched" ? "round" : outcome);
  if (outcome === "win") confetti();
}

/**
 * @param {TableState} state
 * @param {SendCommand} send
 */
function nextSteps(state, send) {
  const { next, table } = state;
  const seated = (state.you?.seats.length ?? 0) > 0;
  const again = next ? t("Join the rematch") : t("Rematch");
  return [
    seated &&
      h(
        "button",
        { class: "main", type: "button", "data-key": "again", onclick: () => rematch(send) },
        icon("again"),
        again,
      ),
    !seated && next && h("a", { class: "button main", href: `t/${next}` }, t("To the rematch")),
    h("a", { class: "button", href: `replay/${table}` }, icon("coach"), t("Replay & coach")),
    seated &&
      h(
        "button",
        { type: "button", onclick: () => nextMatch(state) },
        icon("next"),
        t("Next match"),
      ),
  ];
}

/** @param {SendCommand} send */
async function rematch(send) {
  const answer = await send({ type: "rematch" });
  if (answer.ok && answer.table) location.href = `t/${answer.table}`;
}

/**
 * The same game at once, against the same kind of opponents: bots of the same level, and free seats
 * where people sat.
 * @param {TableState} state
 */
async function nextMatch({ game, you, seats, options, clocks, public: listed, rated }) {
  const clock = clocks && {
    clock: { per: clocks.per, seconds: clocks.seconds, at_zero: clocks.at_zero },
  };
  const wanted = seats.map(({ bot, here }, number) => {
    if (you?.seats.includes(number)) return here ? "here" : "me";
    return bot || "open";
  });
  const names = seats.filter((_seat, number) => wanted[number] === "here").map(({ name }) => name);
  try {
    const same = { game, seats: wanted, here: names, options, public: listed, rated };
    const settings = { ...same, contribute: true, ...clock };
    const opened = await post("tables", settings);
    await contribute(opened);
    location.href = `t/${opened.table}`;
  } catch (error) {
    notify(messageOf(error));
  }
}

/** @param {Figure[]} story */
function figures(story) {
  return story.map(({ label, value, detail }) =>
    h(
      "div",
      { class: "figure" },
      h("dt", {}, label),
      h("dd", {}, h("b", {}, value), detail && h("small", { class: "soft" }, detail)),
    ),
  );
}

/**
 * @param {ScoreLine[]} lines
 * @param {TableState} state
 */
function scoreSheet(lines, state) {
  if (!lines.length) return null;
  const winners = state.result?.winners ?? [];
  const names = state.seats.map((seat, number) =>
    h("th", { scope: "col", class: classes(winners.includes(number) && "winner") }, seat.name),
  );
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
  const link = { class: "rule", href: `learn/${game}#${line.rule}`, target: "_blank" };
  const rule = h("a", link, line.rule);
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
