// Who I am: a name; the server keeps the rest in a cookie that no script can read.
import { get, put } from "./api.js";
import { ask, h } from "./dom.js";
import { t } from "./i18n.js";

let name = null;
let asking = null; // a second click asks no second time

export async function myName() {
  name ??= (await get("me")).name;
  return name;
}

/** My name, asked for if there is none yet; null if I would not say. */
export async function introduce(suggestion = "") {
  if (await myName()) return name;
  return (asking ??= rename(suggestion).finally(() => {
    asking = null;
  }));
}

export async function rename(suggestion = "") {
  const field = h("input", {
    value: name ?? suggestion,
    maxlength: 30,
    autocomplete: "nickname",
    id: "name",
  });
  const problem = h("p", { class: "bad", role: "alert" });
  const body = h(
    "form",
    {},
    h("label", { for: "name" }, t("What shall we call you?")),
    field,
    problem,
  );
  return new Promise((resolve) => {
    const asked = ask(t("Your name"), body, [
      [t("Not now"), null],
      [
        t("That is me"),
        () => {
          submit();
        },
        true,
      ],
    ]);
    asked.then((value) => resolve(value === true ? name : null));
    async function submit() {
      try {
        name = (await put("me", { name: field.value })).name;
        const dialog = body.closest("dialog");
        dialog.close();
        dialog.remove();
        resolve(name);
      } catch (error) {
        problem.textContent = error.message;
      }
    }
    body.addEventListener("submit", (event) => {
      event.preventDefault();
      submit();
    });
    field.select();
  });
}
