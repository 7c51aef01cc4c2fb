// @ts-check
// The bar at the top of every page: home, title, the page's own buttons, and settings.

import { ask, h } from "./dom.js";
import { chooseLanguage, language, languages, t } from "./i18n.js";
import { icon } from "./icons.js";
import { soundIsOn, turnSound } from "./sounds.js";

/** @import { Child } from "./types.d.ts" */

export function applyTheme() {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** Whether the page is dark now, by choice or because the device is. */
export function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/**
 * The address of a picture of a match, in this page's language and theme.
 * @param {string} game
 */
export function matchPicture(game) {
  return `api/games/${game}/picture.svg?language=${language}&theme=${isDark() ? "dark" : "light"}`;
}

/**
 * @param {Child} title
 * @param {Child[]} buttons
 */
export function topBar(title, ...buttons) {
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
    ...buttons,
    iconButton("settings", t("Settings"), openSettings),
  );
}

/**
 * A button of the bar, with an icon only.
 * @param {import("./icons.js").IconName} sign
 * @param {string} label
 * @param {() => unknown} onclick
 */
export function iconButton(sign, label, onclick) {
  return h(
    "button",
    { class: "icon plain", type: "button", title: label, "aria-label": label, onclick },
    icon(sign),
  );
}

function openSettings() {
  const theme = localStorage.getItem("theme") ?? "";
  const themes = { "": t("same as device"), light: t("light"), dark: t("dark") };
  const sound = h("input", {
    type: "checkbox",
    checked: soundIsOn(),
    onchange: (event) => turnSound(event.currentTarget.checked),
  });
  const body = h(
    "div",
    { class: "settings" },
    h("label", {}, t("Language"), choice(language, languages, chooseLanguage)),
    h("label", {}, t("Colours"), choice(theme, themes, chooseTheme)),
    h("label", { class: "check" }, sound, " ", t("Sound")),
    h("p", {}, h("a", { href: "move", class: "button" }, t("Use another device …"))),
  );
  ask(t("Settings"), body, [{ label: t("Done"), value: true, main: true }]);
}

/**
 * @param {string} value
 * @param {Record<string, string>} labels
 * @param {(value: string) => unknown} choose
 */
function choice(value, labels, choose) {
  return h(
    "select",
    { onchange: (event) => choose(event.currentTarget.value) },
    Object.entries(labels).map(([key, label]) =>
      h("option", { value: key, selected: key === value }, label),
    ),
  );
}

/** @param {string} theme empty to follow the device */
function chooseTheme(theme) {
  if (theme) localStorage.setItem("theme", theme);
  else localStorage.removeItem("theme");
  applyTheme();
}
