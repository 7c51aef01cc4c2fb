// @ts-check
// The deals of the day: play them, see how I did among others, and tell them.

import { get, messageOf, post } from "./api.js";
import { fill, h, notify } from "./dom.js";
import { language, loadTexts, t, tn } from "./i18n.js";
import { icon } from "./icons.js";
import { introduce } from "./names.js";
import { puzzleCard } from "./puzzle_card.js";
import { applyTheme, matchPicture, topBar } from "./top.js";

/** @import { Daily, DailyGame, DailyResult } from "./types.d.ts" */

applyTheme();
await loadTexts();
document.title = `${t("Daily")} – Droptable`;
const page = h("main", { class: "daily" });
document.body.append(topBar(t("Daily")), page);
await show();

async function show() {
  try {
    const [daily, puzzles] = await Promise.all([get("daily"), get("puzzles")]);
    const deals = [heading(daily), games(daily), puzzles.daily && puzzleCard(puzzles.daily)];
    fill(page, ...deals, calendar(daily), fairness(daily));
  } catch (error) {
    fill(page, h("p", { class: "card-box" }, messageOf(error)));
  }
}

/** @param {Daily} daily */
function heading({ day, number, streak }) {
  const lead = t(
    "The same deals for everybody, one try each. A new day begins at midnight, UTC: at {time} where you are.",
    { time: nextDay(day) },
  );
  return h(
    "header",
    {},
    h("h2", {}, t("Daily {number}", { number }), " ", h("small", {}, dateOf(day))),
    h("p", { class: "lead" }, lead),
    streak > 0 &&
      h("p", { class: "streak" }, tn("{count} day in a row", "{count} days in a row", streak)),
  );
}

/** @param {string} day */
function dateOf(day) {
  const options = /** @type {const} */ ({ dateStyle: "medium", timeZone: "UTC" });
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(language, options);
}

/** When the next day begins, by this device's clock. @param {string} day */
function nextDay(day) {
  const begins = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000);
  return begins.toLocaleTimeString(language, { timeStyle: "short" });
}

/** @param {Daily} daily */
function games(daily) {
  return h(
    "ul",
    { class: "deals" },
    daily.games.map((game) => h("li", {}, card(game))),
  );
}

/** @param {DailyGame} game */
function card(game) {
  return h(
    "article",
    { class: "deal card-box", "data-accent": game.accent, "data-game": game.name },
    h("img", { src: matchPicture(game.name), alt: "", width: 250, height: 140, loading: "lazy" }),
    h(
      "div",
      {},
      h("h3", {}, game.title),
      h("p", { class: "soft" }, opponents(game), " · ", players(game)),
      game.result ? results(game, game.result) : playButton(game),
    ),
  );
}

/** @param {DailyGame} game */
function opponents({ opponents }) {
  return opponents ? tn("against {count} bot", "against {count} bots", opponents) : t("Solo");
}

/** @param {DailyGame} game */
function players({ played }) {
  return tn("{count} person finished", "{count} people finished", played);
}

/** @param {DailyGame} game */
function playButton(game) {
  return h(
    "button",
    { class: "main", type: "button", onclick: () => play(game) },
    icon("play"),
    game.table ? t("Go on") : t("Play"),
  );
}

/** @param {DailyGame} game */
async function play(game) {
  try {
    await introduce();
    const { table } = await post(`daily/${game.name}`);
    location.href = `t/${table}`;
  } catch (error) {
    notify(messageOf(error));
  }
}

/**
 * @param {DailyGame} game
 * @param {DailyResult} result
 */
function results(game, result) {
  const levels = Object.entries(result.levels).map(([level, { share, matches }]) =>
    share === null ? null : rank(t("level {level}", { level: t(level) }), share, matches),
  );
  return h(
    "div",
    { class: "result" },
    h("p", { class: "text" }, result.text),
    !result.rated && h("p", { class: "soft" }, t("This try does not count: it came too late.")),
    h("dl", {}, result.people !== null && rank(t("today's players"), result.people), levels),
    h(
      "p",
      { class: "row" },
      h("button", { type: "button", class: "main", onclick: () => tell(result.text) }, t("Share")),
      game.table && h("a", { class: "button", href: `replay/${game.table}` }, t("Replay")),
    ),
  );
}

/**
 * How many of a group did worse.
 * @param {string} group
 * @param {number} share
 * @param {number} [matches]
 */
function rank(group, share, matches) {
  const percent = Math.round(100 * share);
  const count = matches ? tn("{count} match", "{count} matches", matches) : "";
  return h(
    "div",
    {},
    h("dt", {}, group, count && h("small", { class: "soft" }, ` (${count})`)),
    h("dd", {}, t("better than {percent} %", { percent })),
  );
}

/** @param {string} text */
async function tell(text) {
  const url = new URL("daily", document.baseURI).href;
  if (navigator.share) {
    await navigator.share({ text, url }).catch(() => {}); // it was called off
    return;
  }
  const field = h("textarea", { class: "copied", readonly: true }, `${text}\n${url}`);
  page.append(field);
  field.select();
  const copied = navigator.clipboard
    ? await navigator.clipboard.writeText(field.value).then(
        () => true,
        () => false,
      )
    : document.execCommand("copy");
  field.remove();
  notify(copied ? t("Copied.") : text, copied ? 5 : 20);
}

/** @param {Daily} daily */
function calendar(daily) {
  const days = daily.calendar.map(({ day, finished }) => {
    const count = tn("{count} daily", "{count} dailies", finished);
    const label = `${dateOf(day)}: ${count}`;
    return h(
      "li",
      { class: finished ? "done" : "", title: label, "aria-label": label },
      String(Number(day.slice(8))),
    );
  });
  return h(
    "section",
    { class: "card-box", "aria-labelledby": "calendar-title" },
    h("h2", { id: "calendar-title" }, t("Your last days")),
    h("ol", { class: "calendar" }, days),
  );
}

/** @param {Daily} daily */
function fairness({ games, day }) {
  const text = t(
    "The server has committed itself to the deals of the next days, and publishes the secret of each day one hour after it is over.",
  );
  return h(
    "details",
    { class: "card-box" },
    h("summary", {}, t("How you can check that it is fair")),
    h("p", {}, text),
    h(
      "ul",
      { class: "commitments" },
      games.map((game) => h("li", {}, game.title, ": ", h("code", {}, game.commitments[day]))),
    ),
  );
}
