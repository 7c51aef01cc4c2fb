// @ts-check
// What somebody has done here: ratings, matches, best scores, accuracy, streaks.

import { get, messageOf, put } from "./api.js";
import { fill, h, notify } from "./dom.js";
import { language, loadTexts, t, tn } from "./i18n.js";
import { myName, nothingYet, rename } from "./names.js";
import { inNumbers, percent } from "./people.js";
import { svg } from "./svg.js";
import { applyTheme, topBar } from "./top.js";

/** @import { Child, OwnRating, Profile, RecentMatch } from "./types.d.ts" */

const CHART = { width: 220, height: 56, edge: 4 };

applyTheme();
await loadTexts();
document.title = `${t("Profile")} – Droptable`;
const person = decodeURIComponent(location.pathname.split("/").filter(Boolean).pop() ?? "");
const page = h("main", { class: "people" });
document.body.append(topBar(t("Profile")), page);
await show();

async function show() {
  try {
    if (person === "me" && !(await myName())) {
      fill(page, nothingYet(t("Your profile begins with a name."), show));
      return;
    }
    const profile = await get(`people/${encodeURIComponent(person)}`);
    document.title = `${profile.name} – Droptable`;
    fill(
      page,
      heading(profile),
      profile.mine && mine(profile),
      profile.ratings.length > 0 && h("ul", { class: "ratings" }, profile.ratings.map(rating)),
      figures(profile),
      tallies(profile),
      scores(profile),
      recent(profile),
    );
  } catch (error) {
    fill(page, nothingYet(messageOf(error)));
  }
}

/** @param {number} at */
function dateOf(at) {
  return new Date(1000 * at).toLocaleDateString(language, { dateStyle: "medium" });
}

/** @param {Profile} profile */
function heading({ name, since, matches }) {
  return h(
    "header",
    {},
    h("h2", {}, name),
    h(
      "p",
      { class: "soft" },
      tn("{count} match", "{count} matches", matches),
      " · ",
      t("here since {date}", { date: dateOf(since) }),
    ),
  );
}

/**
 * What only its person sees and may change.
 * @param {Profile} profile
 */
function mine({ hidden, id }) {
  const note = hidden
    ? t("Your profile is hidden: nobody else sees it, and you are on no leaderboard.")
    : t("Everybody can see this profile. Private matches are shown to you only.");
  return h(
    "section",
    { class: "card-box own", "aria-label": t("Your profile") },
    h("p", {}, note),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", onclick: () => hide(!hidden) }, hidden ? t("Show") : t("Hide")),
      h("button", { type: "button", onclick: changeName }, t("Change your name")),
      !hidden && h("a", { class: "button", href: `p/${id}` }, t("Link to this profile")),
      h("a", { class: "button", href: "api/me/data", download: "" }, t("Save my data")),
      h("a", { class: "button", href: "leaders" }, t("Leaderboards")),
      h("a", { class: "button", href: "friends" }, t("Friends")),
    ),
    h("p", { class: "soft" }, t("The settings let you delete all of this.")),
  );
}

/** @param {boolean} hidden */
async function hide(hidden) {
  try {
    await put("people/me", { hidden });
    await show();
  } catch (error) {
    notify(messageOf(error));
  }
}

async function changeName() {
  if (await rename()) await show();
}

/** @param {OwnRating} one */
function rating(one) {
  return h(
    "li",
    { class: "card-box", "data-accent": one.accent, "data-game": one.game },
    h("h3", {}, h("a", { href: `leaders?game=${one.game}` }, one.title)),
    h("p", { class: "number" }, inNumbers(one)),
    !one.sure && h("p", { class: "soft" }, t("not sure yet: play some more rated matches")),
    one.course.length > 1 && chart(one),
    h(
      "p",
      { class: "soft" },
      tn("{count} rated match", "{count} rated matches", one.matches),
      ", ",
      t("won {percent} %", { percent: Math.round(100 * one.share) }),
    ),
  );
}

/** How a rating went. @param {OwnRating} rating */
function chart({ course }) {
  const numbers = course.map(([, number]) => number);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const { width, height, edge } = CHART;
  const points = numbers.map((number, index) => {
    const x = edge + (index / (numbers.length - 1)) * (width - 2 * edge);
    const y = height - edge - ((number - low) / Math.max(1, high - low)) * (height - 2 * edge);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const label = t("From {first} to {last}; lowest {low}, highest {high}", {
    first: numbers[0],
    last: numbers[numbers.length - 1],
    low,
    high,
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "course", role: "img", "aria-label": label },
    svg("polyline", { points: points.join(" ") }),
  );
}

/** Streaks, and how close to the best turns. @param {Profile} profile */
function figures({ streaks, accuracy, puzzles }) {
  const shown = [
    streaks.wins > 1 && figure(t("Wins in a row"), String(streaks.wins)),
    streaks.longest > 1 && figure(t("Most wins in a row"), String(streaks.longest)),
    streaks.daily > 0 &&
      figure(t("Dailies"), tn("{count} day in a row", "{count} days in a row", streaks.daily)),
    puzzles &&
      figure(
        t("Puzzle rating"),
        inNumbers({ number: puzzles.rating, uncertainty: puzzles.deviation }),
        puzzles.provisional
          ? t("a first guess")
          : t("{solved} of {tries} solved", { solved: puzzles.solved, tries: puzzles.tries }),
      ),
    ...accuracy.map((one) =>
      figure(
        t("Accuracy in {game}", { game: one.title }),
        String(Math.round(one.accuracy)),
        tn("by the coach, in {count} match", "by the coach, in {count} matches", one.matches),
      ),
    ),
  ].filter(Boolean);
  return shown.length > 0 && h("dl", { class: "figures card-box" }, shown);
}

/**
 * @param {string} label
 * @param {string} value
 * @param {string} [detail]
 */
function figure(label, value, detail) {
  return h(
    "div",
    {},
    h("dt", {}, label),
    h("dd", {}, h("b", {}, value), detail && h("small", { class: "soft" }, " ", detail)),
  );
}

/** @param {Profile} profile */
function tallies({ tallies }) {
  if (!tallies.length) return null;
  const rows = tallies.map((one) => [
    one.title,
    String(one.players),
    String(one.matches),
    percent(one.share),
    percent(1 / one.players),
  ]);
  const titles = [t("Game"), t("Players"), t("Matches"), t("Won"), t("Fair share")];
  return section(t("Matches by number of players"), table(titles, rows));
}

/** @param {Profile} profile */
function scores({ scores }) {
  if (!scores.length) return null;
  const rows = scores.map((one) => [
    one.title,
    h("a", { href: `replay/${one.table}` }, String(one.score)),
    dateOf(one.at),
  ]);
  return section(t("Best scores alone"), table([t("Game"), t("Score"), t("Day")], rows));
}

/** @param {Profile} profile */
function recent({ recent }) {
  if (!recent.length) {
    return h("p", { class: "card-box soft" }, t("No finished match to show yet."));
  }
  return section(t("Recent matches"), h("ul", { class: "recent" }, recent.map(match)));
}

/** @param {RecentMatch} one */
function match(one) {
  const others = one.names.filter((_, seat) => seat !== one.seat);
  return h(
    "li",
    {},
    h("a", { href: `replay/${one.table}` }, one.title),
    h("span", { class: one.share > 0 && "won" }, outcome(one)),
    others.length > 0 && h("span", {}, t("with {names}", { names: others.join(", ") })),
    one.accuracy !== null &&
      h("span", { class: "soft" }, t("accuracy {number}", { number: Math.round(one.accuracy) })),
    h("span", { class: "soft" }, dateOf(one.at)),
  );
}

/** @param {RecentMatch} one */
function outcome({ players, share }) {
  if (players === 1) return t("alone");
  if (share === 0) return t("defeat");
  return share === 1 ? t("victory") : t("shared victory");
}

/**
 * @param {string} title
 * @param {Child} content
 */
function section(title, content) {
  return h("section", { class: "card-box" }, h("h3", {}, title), content);
}

/**
 * @param {string[]} titles
 * @param {Child[][]} rows
 */
function table(titles, rows) {
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        titles.map((title) => h("th", { scope: "col" }, title)),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map((row) =>
        h(
          "tr",
          {},
          row.map((cell) => h("td", {}, cell)),
        ),
      ),
    ),
  );
}
