// @ts-check
// Elements by function calls: h("button", { class: "main", onclick: go }, "Start").

/** @import { Attributes, Child, DialogButton } from "./types.d.ts" */

/**
 * An element. Attributes that are false or missing are left out, and so are children.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes<HTMLElementTagNameMap[Tag]>} [attributes]
 * @param {Child[]} children
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function")
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name in element && typeof value !== "string") Reflect.set(element, name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...flatten(children));
  return element;
}

/**
 * Replace the children of an element.
 * @template {Element} Container
 * @param {Container} element
 * @param {Child[]} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...flatten(children));
  return element;
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function flatten(children) {
  return children.flatMap((child) => {
    if (Array.isArray(child)) return flatten(child);
    return child ? [child] : [];
  });
}

/**
 * Class names, without those that do not apply.
 * @param {(string | false | null | undefined)[]} names
 */
export function classes(...names) {
  return names.filter(Boolean).join(" ");
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let noticeTimer;

/**
 * Show a notice for some seconds; screen readers announce it.
 * @param {string} text
 */
export function notify(text, seconds = 5) {
  const shown = /** @type {HTMLElement | null} */ (document.querySelector(".notice"));
  const box = shown ?? document.body.appendChild(h("div", { class: "notice", role: "status" }));
  box.hidden = false;
  box.textContent = text;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => {
    box.hidden = true;
  }, seconds * 1000);
}

/**
 * Ask something in a dialog: resolves to the value of the button that closed it, or to null after
 * Escape. Enter in a form presses the main button.
 * @template Value
 * @param {string} title
 * @param {HTMLElement} body
 * @param {DialogButton<Value>[]} buttons
 * @returns {Promise<Value | null>}
 */
export function ask(title, body, buttons) {
  return new Promise((resolve) => {
    /** @param {Value | null} value */
    function close(value) {
      dialog.close();
      dialog.remove();
      resolve(value);
    }

    const row = buttons.map((button) =>
      h(
        "button",
        {
          class: button.main && "main",
          type: "button",
          onclick: () => ("act" in button ? button.act(close) : close(button.value)),
        },
        button.label,
      ),
    );
    const dialog = h(
      "dialog",
      { "aria-labelledby": "dialog-title" },
      h("h2", { id: "dialog-title" }, title),
      body,
      h("div", { class: "row" }, row),
    );
    dialog.addEventListener("submit", (event) => {
      event.preventDefault();
      row.find((button) => button.className === "main")?.click();
    });
    dialog.addEventListener("cancel", () => close(null));
    document.body.append(dialog);
    dialog.showModal();
  });
}
