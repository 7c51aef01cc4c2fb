// @ts-check
// Who I am: a name. The rest of an identity is in a cookie that scripts cannot read.

import { get, messageOf, put } from "./api.js";
import { ask, h } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";

/** @type {string | null} */
let name = null;

/** @type {Promise<string> | null} A second click makes no second guest. */
let arriving = null;

export async function myName() {
  name ??= (await get("me")).name;
  return name;
}

/** My name. Nobody is asked for one before they can play: who has none is a guest. */
export function introduce() {
  arriving ??= arrive().finally(() => {
    arriving = null;
  });
  return arriving;
}

async function arrive() {
  const known = await myName();
  if (known) return known;
  const number = 1000 + Math.floor(Math.random() * 9000);
  return takeName(t("Guest {number}", { number }));
}

/** @param {string} wanted */
async function takeName(wanted) {
  const taken = (await put("me", { name: wanted })).name;
  name = taken;
  return taken;
}

/** Ask for another name; null if it stays as it is. */
export function rename() {
  return nameDialog(t("Your name"), t("What shall we call you?"), name ?? "", takeName);
}

/**
 * Ask for the name of somebody else.
 * @param {string} question
 */
export function askName(question) {
  return nameDialog(t("Name"), question, "", async (wanted) => wanted);
}

/**
 * @param {string} title
 * @param {string} question
 * @param {string} value
 * @param {(wanted: string) => Promise<string>} take
 */
function nameDialog(title, question, value, take) {
  const field = h("input", {
    value,
    maxlength: 30,
    autocomplete: "nickname",
    id: "name",
    "aria-describedby": "name-problem",
  });
  const problem = h("p", { class: "bad", id: "name-problem", role: "alert" });
  const label = h("label", { for: "name" }, question);

  /** @param {(name: string | null) => void} close */
  async function submit(close) {
    const wanted = field.value.trim();
    try {
      if (!wanted) throw new Error(t("Please enter a name."));
      close(await take(wanted));
    } catch (error) {
      problem.textContent = messageOf(error);
      field.setAttribute("aria-invalid", "true");
      field.focus();
    }
  }

  const answer = ask(title, h("form", {}, label, field, problem), [
    { label: t("Cancel"), value: null },
    { label: t("Save"), main: true, act: submit },
  ]);
  field.select();
  return answer;
}

/**
 * A page that has nothing to show yet: why, and the ways on.
 * @param {string} why
 * @param {() => unknown} [named] what to do once I have a name, if that is what is missing
 */
export function nothingYet(why, named) {
  const choose = async () => {
    if (await rename()) named?.();
  };
  return h(
    "section",
    { class: "card-box nothing-yet" },
    h("p", {}, why),
    h(
      "div",
      { class: "ways-on" },
      named && h("button", { class: "main", type: "button", onclick: choose }, t("Choose a name")),
      h("a", { class: named ? "button" : "button main", href: "." }, t("To the start page")),
    ),
  );
}

/**
 * A button that shows my name and changes it.
 * @param {(name: string) => unknown} renamed
 */
export function nameButton(renamed = () => {}) {
  const shown = h("span", { class: "my-name" });
  const button = h(
    "button",
    {
      class: "plain name-button",
      type: "button",
      onclick: async () => {
        const chosen = await rename();
        show();
        if (chosen) renamed(chosen);
      },
    },
    shown,
    icon("pencil"),
  );
  async function show() {
    const known = await myName();
    shown.textContent = known ?? t("Choose a name");
    button.title = known ? t("Change your name") : "";
  }
  show();
  return { button, show };
}
