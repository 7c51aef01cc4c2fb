// @ts-check
// Elements by function calls: h("button", { class: "main", onclick: go }, "Start").

/** @import { Attributes, Child, DialogButton } from "./types.d.ts" */

/** What listens to the events of an element, by kind. @type {WeakMap<Element, Listeners>} */
const listening = new WeakMap();
/** @typedef {Record<string, EventListener>} Listeners */

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
      listen(element, name.slice(2), /** @type {EventListener} */ (value));
    else if (name in element && typeof value !== "string") Reflect.set(element, name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...flatten(children));
  return element;
}

/**
 * Let a listener hear events; it takes the place of the one before.
 * @param {Element} element
 * @param {string} kind
 * @param {EventListener} listener
 */
function listen(element, kind, listener) {
  const listeners = listening.get(element) ?? {};
  listening.set(element, listeners);
  if (!(kind in listeners))
    element.addEventListener(kind, (event) => listening.get(element)?.[kind]?.(event));
  listeners[kind] = listener;
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
 * Make the children of an element equal to these, but keep those that are there already: a button
 * that is pressed, a list that is open and a field with the focus survive.
 *
 * Equal are elements with the same tag, `data-key` and id; buttons and links also need the same
 * words, so that none becomes another one under a finger.
 * @template {Element} Container
 * @param {Container} element
 * @param {Child[]} children
 */
export function update(element, ...children) {
  const left = new Set(element.childNodes);
  const shown = flatten(children).map((child) => {
    const node = /** @type {ChildNode} */ (typeof child === "string" ? new Text(child) : child);
    const kept = left.has(node) ? node : [...left].find(isLike(node));
    if (kept && kept !== node) adopt(kept, node);
    if (kept) left.delete(kept);
    return kept ?? node;
  });
  for (const node of left) node.remove();
  let next = element.firstChild;
  for (const node of shown) {
    if (node === next) next = next.nextSibling;
    else element.insertBefore(node, next);
  }
  return element;
}

/** @param {Node} node */
function isLike(node) {
  const name = nameOf(node);
  return (/** @type {Node} */ other) => nameOf(other) === name;
}

/** @param {Node} node */
function nameOf(node) {
  if (!(node instanceof Element)) return node.nodeName;
  const own = [node.tagName, node.getAttribute("data-key"), node.id];
  if (node.matches("button, a") && !own[1]) own.push(node.textContent);
  return own.join("|");
}

/**
 * Let a node become like another one.
 * @param {Node} node
 * @param {Node} model
 */
function adopt(node, model) {
  if (!(node instanceof Element) || !(model instanceof Element)) {
    if (node.nodeValue !== model.nodeValue) node.nodeValue = model.nodeValue;
    return;
  }
  if (node instanceof SVGElement && node.isEqualNode(model)) return;
  adoptAttributes(node, model);
  const listeners = listening.get(model) ?? {};
  for (const kind of Object.keys(listening.get(node) ?? {})) listen(node, kind, () => {});
  for (const [kind, listener] of Object.entries(listeners)) listen(node, kind, listener);
  update(node, [...model.childNodes]);
}

/**
 * @param {Element} node
 * @param {Element} model
 */
function adoptAttributes(node, model) {
  for (const { name } of [...node.attributes])
    if (!model.hasAttribute(name) && name !== "open") node.removeAttribute(name);
  for (const { name, value } of model.attributes)
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
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

const notice = h("div", { class: "notice", role: "status", hidden: true });

/**
 * Show a notice for some seconds; screen readers announce it. It stands in the page's own place
 * for it (`.notices`), if there is one, and takes no clicks except on links.
 * @param {Child} text
 */
export function notify(text, seconds = 5) {
  const places = ["dialog[open]", ".notices", "body"];
  const place = places.map((name) => document.querySelector(name)).find(Boolean);
  if (notice.parentNode !== place) place?.append(notice);
  notice.hidden = false;
  fill(notice, text);
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(quiet, seconds * 1000);
}

/** Take the notice away. */
export function quiet() {
  notice.hidden = true;
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
