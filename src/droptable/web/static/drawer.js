// @ts-check
// The log in sentences and the chat, in a drawer; the newest line is also announced.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";

/** @import { LogLine, TableState } from "./types.d.ts" */

export class Drawer {
  #lines = h("ol", { class: "lines", tabindex: "0", "aria-label": t("Log and chat") });
  #field = h("input", {
    maxlength: 500,
    placeholder: t("Say something …"),
    "aria-label": t("Say something"),
  });
  #live = h("div", { class: "for-readers", "aria-live": "polite" });
  #form;

  /** @param {(text: string) => unknown} onChat */
  constructor(onChat) {
    this.#form = h(
      "form",
      {
        class: "say",
        onsubmit: (event) => {
          event.preventDefault();
          const text = this.#field.value.trim();
          if (!text) return;
          onChat(text);
          this.#field.value = "";
        },
      },
      this.#field,
      h("button", { "aria-label": t("Send") }, icon("send")),
    );
    const close = {
      class: "icon plain closer",
      type: "button",
      "aria-label": t("Close"),
      onclick: () => this.toggle(false),
    };
    this.element = h(
      "aside",
      { class: "drawer", "aria-label": t("Log and chat") },
      h(
        "div",
        { class: "drawer-head" },
        h("h2", {}, t("What happened")),
        h("button", close, icon("close")),
      ),
      this.#lines,
      this.#form,
      this.#live,
    );
  }

  /** @param {boolean} [open] the other way round if missing */
  toggle(open) {
    const shown = this.element.classList.toggle("open", open);
    if (shown) this.#lines.focus({ preventScroll: true });
  }

  /**
   * Add the lines of a state, or show them all again if it starts from the beginning.
   * @param {TableState} state
   */
  add(state) {
    if (state.from === 0) this.#lines.replaceChildren();
    for (const line of state.lines) {
      const former = this.#lines.querySelector(`[data-seq="${line.seq}"]`);
      former ? former.replaceWith(entry(line)) : this.#lines.append(entry(line));
    }
    if (state.lines.length) {
      this.#lines.scrollTop = this.#lines.scrollHeight;
      if (state.from > 0) this.#live.textContent = state.lines.map((line) => line.text).join(" ");
    }
    this.#form.hidden = !state.you || (state.muted.all && !state.you.owner);
  }
}

/** @param {LogLine} line */
function entry(line) {
  return h(
    "li",
    { class: line.kind, "data-seq": line.seq },
    line.kind === "chat" && h("b", {}, `${line.name}: `),
    line.text,
  );
}

/**
 * The last thing that happened in the match, if this state brings something.
 * @param {TableState} state
 */
export function latestLine(state) {
  return state.lines.findLast((line) => line.kind === "move" || line.kind === "undo")?.text ?? null;
}
