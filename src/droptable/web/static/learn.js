// Learning a game: its rules with pictures of real positions, and exercises.
import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { Exercises, solved } from "./exercises.js";
import { readRules } from "./markdown.js";
import { loadTexts, t, tn } from "./i18n.js";
import { applyTheme, matchPicture, topBar } from "./top.js";

applyTheme();
await loadTexts();
const page = document.body.appendChild(h("main", {}));
const game = decodeURIComponent(location.pathname.split("/learn")[1]?.split("/")[1] ?? "");
const narrow = matchMedia("(max-width: 640px)");
const shape = () => (narrow.matches ? "tall" : "wide");

if (game) showGame();
else showGames();

async function showGames() {
  document.title = `${t("Learn")} – Droptable`;
  document.body.prepend(topBar(t("Learn")));
  page.className = "learn-all";
  fill(
    page,
    h(
      "p",
      { class: "lead" },
      t("Rules in a few minutes, with pictures, and exercises on real positions."),
    ),
    h(
      "div",
      { class: "games" },
      (await get("games")).map((one) =>
        h(
          "a",
          { class: "game card-box", href: `learn/${one.name}`, "data-accent": one.accent },
          h("img", {
            src: matchPicture(one.name),
            alt: "",
            width: 500,
            height: 280,
            loading: "lazy",
          }),
          h("h2", {}, one.title),
          h("p", {}, one.summary),
          progress(one),
        ),
      ),
    ),
  );
}

function progress(one) {
  const count = solved(one.name).size;
  return count > 0 && h("p", { class: "soft" }, t("Exercises solved: {count}", { count }));
}

async function showGame() {
  let lessons;
  try {
    lessons = await get(`games/${encodeURIComponent(game)}/lessons`, { scene: shape() });
  } catch (error) {
    document.body.prepend(topBar(t("Learn")));
    fill(
      page,
      h(
        "div",
        { class: "card-box lost" },
        h("h2", {}, t("There is no such game.")),
        h("p", {}, error.message),
        h("a", { class: "button main", href: "learn" }, t("To all games")),
      ),
    );
    return;
  }
  const title = t("Learn {game}", { game: lessons.title });
  document.title = `${title} – Droptable`;
  document.documentElement.dataset.accent = lessons.accent;
  document.body.prepend(topBar(lessons.title));
  page.className = "learn-one";
  const { intro, rules } = readRules(lessons.text);
  const article = h("article", { class: "rules" });
  const draw = () =>
    fill(
      article,
      h("h2", {}, t("The rules")),
      intro,
      contents(lessons, rules),
      rules.map((rule) => section(rule, lessons)),
    );
  draw();
  const exercises = lessons.exercises.length ? new Exercises(lessons, shape()) : null;
  fill(
    page,
    h("p", { class: "lead" }, lessons.summary),
    h(
      "p",
      { class: "ways" },
      exercises &&
        h(
          "a",
          { class: "button main", href: `learn/${lessons.name}#exercises` },
          t("To the exercises"),
        ),
      h("a", { class: "button", href: "learn" }, t("Other games")),
    ),
    article,
    exercises?.element,
  );
  goToHash();
  narrow.addEventListener("change", async () => {
    lessons = await get(`games/${lessons.name}/lessons`, { scene: shape() });
    draw();
    exercises?.redraw(lessons, shape());
  });
}

function contents(lessons, rules) {
  return h(
    "details",
    { class: "contents" },
    h("summary", {}, tn("{count} rule", "All {count} rules", rules.length)),
    h(
      "ul",
      {},
      rules.map((rule) =>
        h(
          "li",
          {},
          h("a", { href: `learn/${lessons.name}#${rule.number}` }, `${rule.number} ${rule.title}`),
        ),
      ),
    ),
  );
}

function section(rule, lessons) {
  return h(
    "section",
    { id: rule.number, tabindex: "-1" },
    h("h3", {}, h("span", { class: "number" }, rule.number), " ", rule.title),
    rule.body,
    lessons.pictures.filter((picture) => picture.rule === rule.number).map(figure),
  );
}

/** A picture to look at: without the ids and names that make a scene playable. */
function figure({ svg, caption }) {
  const drawn = document.importNode(
    new DOMParser().parseFromString(svg, "image/svg+xml").documentElement,
    true,
  );
  for (const element of drawn.querySelectorAll("[id], [data-touch]"))
    for (const name of ["id", "data-touch", "role", "aria-label"]) element.removeAttribute(name);
  drawn.querySelector("title")?.remove();
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", caption);
  return h("figure", {}, drawn, h("figcaption", {}, caption));
}

/** The page is made after it was loaded, so the browser has not found the place that the address names. */
function goToHash() {
  const wanted = document.getElementById(location.hash.slice(1));
  wanted?.scrollIntoView();
  wanted?.focus({ preventScroll: true });
}
