// The bar at the top of every page: home, the page's own things, and settings.
import { ask, fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { chooseLanguage, language, languages, t } from "./i18n.js";
import { soundOn } from "./sounds.js";

export function applyTheme() {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** Whether the page is dark now, by choice or like the device. */
export function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** A picture of a match, in this page's language and light. */
export function matchPicture(game) {
  return `api/games/${game}/picture.svg?language=${language}&theme=${isDark() ? "dark" : "light"}`;
}

export function topBar(title, ...more) {
  return h(
    "header",
    { class: "top" },
    h(
      "a",
      { class: "brand", href: ".", "aria-label": t("Droptable: to the start page") },
      h("img", { src: "static/icon.svg", alt: "", width: 28, height: 28 }),
      h("span", { class: "brand-name" }, "Droptable"),
    ),
    h("h1", { class: "grow title" }, title),
    ...more,
    h(
      "button",
      {
        class: "icon plain",
        title: t("Settings"),
        "aria-label": t("Settings"),
        onclick: openSettings,
      },
      icon("settings"),
    ),
  );
}

function openSettings() {
  const theme = localStorage.getItem("theme") ?? "";
  const select = (value, choices, onchange) =>
    fill(
      h("select", { onchange }),
      Object.entries(choices).map(([key, label]) =>
        h("option", { value: key, selected: key === value }, label),
      ),
    );
  ask(
    t("Settings"),
    h(
      "div",
      { class: "settings" },
      h(
        "label",
        {},
        t("Language"),
        select(language, languages, (event) => chooseLanguage(event.target.value)),
      ),
      h(
        "label",
        {},
        t("Colours"),
        select(theme, { "": t("as the device"), light: t("light"), dark: t("dark") }, (event) => {
          localStorage.setItem("theme", event.target.value);
          if (!event.target.value) localStorage.removeItem("theme");
          applyTheme();
        }),
      ),
      h(
        "label",
        { class: "check" },
        h("input", {
          type: "checkbox",
          checked: soundOn(),
          onchange: (event) => soundOn(event.target.checked),
        }),
        " ",
        t("Sound"),
      ),
      h("p", {}, h("a", { href: "move", class: "button" }, t("Use another device …"))),
    ),
    [[t("Done"), true, true]],
  );
}
