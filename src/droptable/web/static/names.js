// @ts-check
// Who I am: a name. The rest of an identity is in a cookie that scripts cannot read.

import { get, messageOf, put } from "./api.js";
import { ask, h } from "./dom.js";
import { t } from "./i18n.js";

/** @type {string | null} */
let name = null;

/** @type {Promise<string | null> | null} The dialog that is open: a second click opens no other. */
let asking = null;

export async function myName() {
  name ??= (await get("me")).name;
  return name;
}

/** My name, asked for if there is none yet; null if I would not say. */
export async function introduce(suggestion = "") {
  if (await myName()) return name;
  asking ??= rename(suggestion).finally(() => {
    asking = null;
  });
  return asking;
}

/** Ask for a name; null if it stays as it is. */
export function rename(suggestion = "") {
  const field = h("input", {
    value: name ?? suggestion,
    maxlength: 30,
    autocomplete: "nickname",
    id: "name",
  });
  const problem = h("p", { class: "bad", role: "alert" });
  const label = h("label", { for: "name" }, t("What shall we call you?"));

  /** @param {(name: string | null) => void} close */
  async function submit(close) {
    try {
      name = (await put("me", { name: field.value })).name;
      close(name);
    } catch (error) {
      problem.textContent = messageOf(error);
    }
  }

  const answer = ask(t("Your name"), h("form", {}, label, field, problem), [
    { label: t("Not now"), value: null },
    { label: t("That is me"), main: true, act: submit },
  ]);
  field.select();
  return answer;
}
