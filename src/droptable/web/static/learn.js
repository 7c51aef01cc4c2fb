// @ts-check
// Learning a game: its rules with pictures of real positions, and exercises.

import { get, messageOf } from "./api.js";
import { fill, h } from "./dom.js";
import { Exercises, solved } from "./exercises.js";
import { loadTexts, t, tn } from "./i18n.js";
import { icon } from "./icons.js";
import { readRules } from "./markdown.js";
import { playNow } from "./new_table.js";
import { parsePicture } from "./svg.js";
import { applyTheme, matchPicture, topBar } from "./top.js";

/** @import { Game, Lessons, RulePicture, Shape } from "./types.d.ts" */
/** @import { Rule } from "./markdown.js" */

applyTheme();
await loadTexts();
const page = document.body.appendChild(h("main", {}));
const name = decodeURIComponent(location.pathname.split("/learn")[1]?.split("/")[1] ?? "");
const narrow = matchMedia("(max-width: 640px)");

if (name) showGame();
else showGames();

/** @returns {Shape} */
function shape() {
  return narrow.matches ? "tall" : "wide";
}

/**
 * @param {string} tab the title of the browser's tab
 * @param {string} heading
 */
function showTitle(tab, heading) {
  document.title = `${tab} – Droptable`;
  document.body.prepend(topBar(heading));
}

async function showGames() {
  showTitle(t("Learn"), t("Learn"));
  page.className = "learn-all";
  const lead = t("Rules in a few minutes, with pictures, and exercises on real positions.");
  fill(
    page,
    h("p", { class: "lead" }, lead),
    h("div", { class: "games" }, (await get("games")).map(gameCard)),
  );
}

/** @param {Game} game */
function gameCard(game) {
  const count = solved(game.name).size;
  return h(
    "a",
    { class: "game card-box", href: `learn/${game.name}`, "data-accent": game.accent },
    h("img", { src: matchPicture(game.name), alt: "", width: 500, height: 280, loading: "lazy" }),
    h("h2", {}, game.title),
    h("p", {}, game.summary),
    count > 0 && h("p", { class: "soft" }, t("Exercises solved: {count}", { count })),
  );
}

async function showGame() {
  try {
    showLessons(await get(`games/${encodeURIComponent(name)}/lessons`, { scene: shape() }));
  } catch (error) {
    showTitle(t("Learn"), t("Learn"));
    fill(
      page,
      h(
        "div",
        { class: "card-box lost" },
        h("h2", {}, t("There is no such game.")),
        h("p", {}, messageOf(error)),
        h("a", { class: "button main", href: "learn" }, t("To all games")),
      ),
    );
  }
}

/** @param {Lessons} lessons */
function showLessons(lessons) {
  showTitle(t("Learn {game}", { game: lessons.title }), lessons.title);
  document.documentElement.dataset.accent = lessons.accent;
  page.className = "learn-one";
  const article = h("article", { class: "rules" });
  const exercises = lessons.exercises.length ? new Exercises(lessons, shape()) : null;
  showRules(article, lessons);
  fill(
    page,
    h("p", { class: "lead" }, lessons.summary),
    h(
      "p",
      { class: "ways" },
      h(
        "button",
        { class: "main", type: "button", onclick: () => playNow(lessons) },
        icon("play"),
        t("Play now"),
      ),
      exercises &&
        h("a", { class: "button", href: `learn/${lessons.name}#exercises` }, t("To the exercises")),
      lessons.measured &&
        h("a", { class: "button", href: `learn/${lessons.name}/balance` }, t("How fair is it?")),
      h("a", { class: "button", href: "learn" }, t("Other games")),
    ),
    article,
    exercises?.element,
  );
  goToHash();
  narrow.addEventListener("change", async () => {
    const redrawn = await get(`games/${lessons.name}/lessons`, { scene: shape() });
    showRules(article, redrawn);
    exercises?.redraw(redrawn, shape());
  });
}

/**
 * @param {HTMLElement} article
 * @param {Lessons} lessons
 */
function showRules(article, lessons) {
  const { intro, rules } = readRules(lessons.text);
  fill(
    article,
    h("h2", {}, t("The rules")),
    intro,
    contents(lessons.name, rules),
    rules.map((rule) => section(lessons.name, rule, lessons.pictures)),
  );
}

/**
 * @param {string} game
 * @param {Rule[]} rules
 */
function contents(game, rules) {
  const links = rules.map(({ number, title }) =>
    h("li", {}, h("a", { href: `learn/${game}#${number}` }, title)),
  );
  return h(
    "details",
    { class: "contents" },
    h("summary", {}, tn("{count} rule", "All {count} rules", rules.length)),
    h("ul", {}, links),
  );
}

/**
 * @param {string} game
 * @param {Rule} rule
 * @param {RulePicture[]} pictures
 */
function section(game, rule, pictures) {
  return h(
    "section",
    { id: rule.number, tabindex: "-1" },
    h("h3", {}, rule.title, " ", ruleLink(game, rule.number)),
    rule.body,
    pictures.filter((picture) => picture.rule === rule.number).map(figure),
  );
}

/**
 * The number of a rule, behind its name: a link to it.
 * @param {string} game
 * @param {string} number
 */
function ruleLink(game, number) {
  return h("a", { class: "number", href: `learn/${game}#${number}` }, number);
}

/**
 * A picture to look at: without the ids and names that make a scene playable.
 * @param {RulePicture} picture
 */
function figure({ svg, caption }) {
  const picture = parsePicture(svg);
  for (const element of picture.querySelectorAll("[id], [data-touch]"))
    for (const attribute of ["id", "data-touch", "role", "aria-label"])
      element.removeAttribute(attribute);
  picture.querySelector("title")?.remove();
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", caption);
  return h("figure", {}, picture, h("figcaption", {}, caption));
}

/** Go to the rule in the address: the page was empty when the browser looked for it. */
function goToHash() {
  const target = document.getElementById(location.hash.slice(1));
  target?.scrollIntoView();
  target?.focus({ preventScroll: true });
}
