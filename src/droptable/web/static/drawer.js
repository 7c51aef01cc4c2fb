// The log in sentences and the chat, in a drawer; the newest line is also announced.
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./i18n.js";

export class Drawer {
  #lines = h("ol", { class: "lines", tabindex: "0", "aria-label": t("Log and chat") });
  #field = h("input", {
    maxlength: 500,
    placeholder: t("Say something …"),
    "aria-label": t("Say something"),
  });
  #live = h("div", { class: "for-readers", "aria-live": "polite" });
  #form;

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
    this.element = h(
      "aside",
      { class: "drawer", "aria-label": t("Log and chat") },
      h(
        "div",
        { class: "drawer-head" },
        h("h2", {}, t("What happened")),
        h(
          "button",
          {
            class: "icon plain closer",
            type: "button",
            "aria-label": t("Close"),
            onclick: () => this.toggle(false),
          },
          icon("close"),
        ),
      ),
      this.#lines,
      this.#form,
      this.#live,
    );
  }

  toggle(open) {
    const shown = this.element.classList.toggle("open", open);
    if (shown) this.#lines.focus({ preventScroll: true });
    this.element.dispatchEvent(new CustomEvent("toggled", { detail: shown }));
  }

  /** Add what a state brings; everything again if it starts from the beginning. */
  add(state) {
    if (state.from === 0) this.#lines.replaceChildren();
    for (const line of state.lines) {
      const chat = line.kind === "chat";
      this.#lines.append(
        h(
          "li",
          { class: chat ? "chat" : line.kind },
          chat ? h("b", {}, `${line.name}: `) : null,
          line.text,
        ),
      );
    }
    if (state.lines.length) {
      this.#lines.scrollTop = this.#lines.scrollHeight;
      if (state.from > 0) this.#live.textContent = state.lines.map((line) => line.text).join(" ");
    }
    this.#form.hidden = !state.you || (state.muted.all && !state.you.owner);
  }

  /** The last thing that happened in the match. */
  latest(state) {
    return (
      state.lines.filter((line) => line.kind === "move" || line.kind === "undo").at(-1)?.text ??
      null
    );
  }
}
