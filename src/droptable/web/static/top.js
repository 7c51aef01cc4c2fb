// @ts-check
// The bar at the top of every page: home, title, the page's own buttons, and settings.

import { showAnnouncements } from "./announcement.js";
import { get, messageOf, remove } from "./api.js";
import { canInstall, install, startWorker } from "./app.js";
import { ask, h } from "./dom.js";
import { chooseLanguage, language, languages, t } from "./i18n.js";
import { icon } from "./icons.js";
import { choose, setting, settings } from "./settings.js";
import { play } from "./sounds.js";
import { toast } from "./toast.js";

/** @import { Child } from "./types.d.ts" */
/** @import { Setting } from "./settings.js" */

export function applyTheme() {
  const theme = setting("theme");
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
  return bar(title, ...buttons, iconButton("settings", t("Settings"), openSettings));
}

/**
 * The bar with these buttons only.
 * @param {Child} title
 * @param {Child[]} buttons
 */
export function bar(title, ...buttons) {
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
  ask(t("Settings"), settingsForm(), [{ label: t("Done"), value: true, main: true }]);
}

/** Everything that can be set on this device; a choice counts at once. */
export function settingsForm() {
  const volume = h("input", {
    type: "range",
    min: 0,
    max: 100,
    step: 20,
    value: setting("volume"),
    oninput: (event) => {
      choose("volume", event.currentTarget.value);
      play("score");
    },
  });
  return h(
    "div",
    { class: "settings" },
    h("label", {}, t("Language"), choice(language, languages, chooseLanguage)),
    segments("theme", t("Colours"), {
      "": t("As the device"),
      light: t("Light"),
      dark: t("Dark"),
    }),
    segments("sound", t("Sound"), { on: t("On"), off: t("Off") }),
    h("label", { class: "volume" }, t("Volume"), volume),
    segments("speed", t("Animation"), {
      off: t("Off"),
      quick: t("Quick"),
      normal: t("Normal"),
      slow: t("Slow"),
    }),
    segments("confirm", t("Confirm moves"), {
      never: t("Never"),
      touch: t("On touch screens"),
      always: t("Always"),
    }),
    h("p", {}, h("a", { href: "p/me", class: "button" }, t("My profile"))),
    h("p", {}, h("a", { href: "leaders", class: "button" }, t("Leaderboards"))),
    noticesLink(),
    h("p", {}, h("a", { href: "move", class: "button" }, t("Use another device …"))),
    canInstall() &&
      h("p", {}, h("button", { type: "button", onclick: install }, t("Install the app"))),
    h("p", {}, h("a", { href: "api/me/data", class: "button", download: "" }, t("Save my data"))),
    h(
      "p",
      {},
      h("button", { type: "button", class: "plain", onclick: deleteMe }, t("Delete me …")),
    ),
  );
}

/** The way to notices; it stays empty where the server offers none. */
function noticesLink() {
  const place = h("p", { hidden: true });
  get("notices").then(
    ({ ways }) => {
      if (!ways.length) return;
      place.hidden = false;
      place.append(h("a", { href: "notices", class: "button" }, t("Call me back …")));
    },
    () => {}, // no connection: the rest of the settings works without
  );
  return place;
}

/** Delete the person who sits here, after a yes; the start page then greets somebody new. */
async function deleteMe() {
  const text = [
    t("Your name, your links and what you said in chats will be deleted."),
    t("Matches that you play are resigned; others keep theirs, with Somebody in your place."),
    t("This cannot be undone."),
  ];
  const sure = await ask(t("Delete me and my data?"), h("p", {}, text.join(" ")), [
    { label: t("Cancel"), value: false },
    { label: t("Delete"), value: true, main: true },
  ]);
  if (!sure) return;
  try {
    await remove("me");
    location.href = ".";
  } catch (error) {
    toast(messageOf(error));
  }
}

let forms = 0; // radio buttons of two forms must not know each other

/**
 * A setting of which one value is chosen from a row.
 * @param {Setting} name
 * @param {string} title
 * @param {Record<string, string>} labels by value
 */
function segments(name, title, labels) {
  const group = `${name}-${forms++}`;
  const row = Object.entries(labels).map(([value, label]) => {
    const radio = h("input", {
      type: "radio",
      name: group,
      value,
      checked: setting(name) === value,
      onchange: () => choose(name, value),
    });
    return h("label", { class: "segment" }, radio, h("span", {}, label));
  });
  return h(
    "fieldset",
    { class: "segments", "data-setting": name },
    h("legend", {}, title),
    h("div", { class: "segment-row" }, row),
  );
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

settings.on("change", (name) => {
  if (name === "theme") applyTheme();
  if (name === "sound") play("score");
});

startWorker();
showAnnouncements();
