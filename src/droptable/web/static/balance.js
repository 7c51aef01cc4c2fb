// @ts-check
// How fair is a game? What bots of three strengths have found, at every number of players.

import { get, messageOf } from "./api.js";
import { fill, h } from "./dom.js";
import { language, loadTexts, t, tn } from "./i18n.js";
import { applyTheme, topBar } from "./top.js";

/** @import { Balance, BalanceLevel, BalanceTable, Measure } from "./types.d.ts" */

const OFTEN = 0.1; // of the matches that repeat an earlier one: worth telling

applyTheme();
await loadTexts();
const page = document.body.appendChild(h("main", { class: "balance" }));
const name = decodeURIComponent(location.pathname.split("/learn/")[1]?.split("/")[0] ?? "");

try {
  show(await get(`games/${encodeURIComponent(name)}/balance`));
} catch (error) {
  showTitle(t("How fair is it?"));
  fill(
    page,
    h(
      "div",
      { class: "card-box lost" },
      h("p", {}, messageOf(error)),
      h("a", { class: "button main", href: "learn" }, t("To all games")),
    ),
  );
}

/**
 * @param {string} title of the window
 * @param {string} short for the bar, which is narrow on a phone
 */
function showTitle(title, short = title) {
  document.title = `${title} – Droptable`;
  document.body.prepend(topBar(short));
}

/** @param {Balance} balance */
function show(balance) {
  showTitle(t("{game}: how fair is it?", { game: balance.title }), balance.title);
  document.documentElement.dataset.accent = balance.accent;
  const lead = t(
    "Bots have played matches against their equals. A dot is a seat's share of the victories, its bar where the truth is likely to be (95 %), and the line a fair share.",
  );
  fill(
    page,
    h("p", { class: "lead" }, h("b", {}, t("How fair is it?")), " ", lead),
    balance.tables.map(table),
    h("a", { class: "button", href: `learn/${balance.name}` }, t("The rules")),
  );
}

/** @param {BalanceTable} table */
function table({ players, levels }) {
  const heading = tn("{count} player", "{count} players", players);
  return h(
    "section",
    {},
    h("h2", {}, heading),
    h(
      "div",
      { class: "levels" },
      levels.map((one) => level(one, players)),
    ),
  );
}

/**
 * @param {BalanceLevel} level
 * @param {number} players
 */
function level({ bot, matches, seats, figures }, players) {
  return h(
    "div",
    { class: "card-box" },
    h("h3", {}, botName(bot)),
    h("p", { class: "verdict" }, players > 1 ? verdict(seats) : score(figures)),
    players > 1 && seats.map((share, seat) => bar(share, seat, seats)),
    h(
      "ul",
      {},
      facts(figures, players).map((fact) => h("li", {}, fact)),
    ),
    h(
      "p",
      { class: "soft" },
      tn("{count} match", "{count} matches", matches, { count: spelled(matches) }),
    ),
    bot.startsWith("search:") &&
      h(
        "p",
        { class: "soft" },
        t("Tries {count} continuations before each move", { count: bot.slice("search:".length) }),
      ),
  );
}

/** @param {string} bot */
function botName(bot) {
  if (bot === "random") return t("Any move");
  return bot === "greedy" ? t("Good at a glance") : t("Thinking ahead");
}

/** @param {Measure[]} seats */
function verdict(seats) {
  const fair = 1 / seats.length;
  const odd = seats.filter(({ low, high }) => low > fair || high < fair);
  if (!odd.length) return t("No seat is clearly favoured.");
  const clear = odd.reduce((a, b) => (Math.abs(b.value - fair) > Math.abs(a.value - fair) ? b : a));
  const values = { number: seats.indexOf(clear) + 1, share: told(clear) };
  return clear.value > fair
    ? t("Seat {number} has the best chances: {share}.", values)
    : t("Seat {number} has the worst chances: {share}.", values);
}

/** @param {Record<string, Measure>} figures */
function score(figures) {
  const mean = figures["spread: mean score"];
  return mean ? t("Mean score: {points}", { points: rounded(mean) }) : "";
}

/**
 * @param {Measure} share
 * @param {number} seat
 * @param {Measure[]} seats
 */
function bar(share, seat, seats) {
  const most = Math.min(1, Math.max(2 / seats.length, ...seats.map(({ high }) => high)));
  /** @param {number} value */
  const place = (value) => `${(100 * value) / most}%`;
  const strip = h(
    "span",
    { class: "strip", "aria-hidden": "true" },
    h("span", { class: "fair" }),
    h("span", { class: "range" }),
    h("span", { class: "dot" }),
  );
  strip.style.setProperty("--low", place(share.low));
  strip.style.setProperty("--width", place(share.high - share.low));
  strip.style.setProperty("--at", place(share.value));
  strip.style.setProperty("--fair", place(1 / seats.length));
  return h(
    "div",
    { class: "seat" },
    h("span", {}, t("Seat {number}", { number: seat + 1 })),
    strip,
    h("span", { class: "number" }, told(share)),
  );
}

/**
 * @param {Record<string, Measure>} figures
 * @param {number} players
 */
function facts(figures, players) {
  const moves = figures["length: moves"];
  const real = figures["real-decisions"];
  const lead = figures["first-mover: lead over the others"];
  const shared = figures["draws: shared victories"];
  const repeats = figures.repeats;
  const skill = figures["luck: skill"];
  return [
    moves && t("Moves per match: {count}", { count: rounded(moves) }),
    real && t("{share} of the moves are real decisions", { share: told(real) }),
    players > 1 &&
      lead &&
      (lead.low > 0 || lead.high < 0) &&
      t("Worth of deciding first, in points: {points}", { points: rounded(lead) }),
    shared && t("{share} of the victories are shared", { share: told(shared) }),
    repeats?.value > OFTEN &&
      t("{share} of the matches went exactly as an earlier one", { share: told(repeats) }),
    skill && t("Against random play, skill explains {share}", { share: told(skill) }),
  ].filter((fact) => typeof fact === "string");
}

/**
 * A share in percent, with its margin.
 * @param {Measure} share
 */
function told({ value, low, high }) {
  const margin = 50 * (high - low);
  const digits = margin < 1 ? 1 : 0;
  return `${spelled(100 * value, digits)}\u00a0±\u00a0${spelled(margin, digits)}\u00a0%`;
}

/**
 * A number with its margin.
 * @param {Measure} measure
 */
function rounded({ value, low, high }) {
  const margin = (high - low) / 2;
  const fine = margin < 0.1 ? 2 : 1;
  const digits = margin === 0 || margin >= 10 ? 0 : fine;
  const number = spelled(value, digits);
  return margin ? `${number}\u00a0±\u00a0${spelled(margin, digits)}` : number;
}

/**
 * A number as the reader's language writes it.
 * @param {number} value
 * @param {number} digits behind the point
 */
function spelled(value, digits = 0) {
  return value.toLocaleString(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
