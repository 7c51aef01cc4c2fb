// Going through a match: slider, steps, playing at some speed, and the keys for all that.
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./i18n.js";

const STEP_MS = 1300;
const SPEEDS = { 0.5: "½ ×", 1: "1 ×", 2: "2 ×", 4: "4 ×" };

export class Player extends EventTarget {
  at = 0;
  #timer = null;
  #slider;
  #play;
  #speed;

  /** `worth` says whether a moment is worth a stop, `brief` whether it needs no long one. */
  constructor(length, worth, brief) {
    super();
    Object.assign(this, { length, worth, brief });
    this.#slider = h("input", {
      type: "range",
      min: 0,
      max: length,
      value: "0",
      "aria-label": t("Moment of the match"),
      oninput: () => {
        this.pause();
        this.go(this.#slider.valueAsNumber);
      },
    });
    this.#play = this.#button("play", t("Play"), () => this.toggle());
    this.#speed = h(
      "select",
      { class: "speed", "aria-label": t("Speed"), title: t("Speed") },
      Object.entries(SPEEDS).map(([value, label]) =>
        h("option", { value, selected: value === "1" }, label),
      ),
    );
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  bar(...more) {
    return h(
      "div",
      { class: "player", role: "group", "aria-label": t("Going through the match") },
      this.#slider,
      h(
        "div",
        { class: "buttons" },
        this.#button("first", t("To the start"), () => this.go(0), "edge"),
        this.#button("step-back", t("Step back"), () => this.go(this.previous())),
        this.#play,
        this.#button("step", t("Step forward"), () => this.go(this.next())),
        this.#button("last", t("To the end"), () => this.go(this.length), "edge"),
        this.#speed,
        ...more,
      ),
    );
  }

  next() {
    let at = this.at + 1;
    while (at < this.length && !this.worth(at)) at++;
    return Math.min(at, this.length);
  }

  previous() {
    let at = this.at - 1;
    while (at > 0 && !this.worth(at)) at--;
    return Math.max(at, 0);
  }

  /** Show a moment. Who steps by hand wants to look: playing ends. */
  go(at, playing = false) {
    if (!playing) this.pause();
    this.at = at;
    this.#slider.value = String(at);
    this.#slider.setAttribute("aria-valuetext", t("{at} of {length}", { at, length: this.length }));
    this.dispatchEvent(new Event("moment"));
  }

  toggle() {
    return this.#timer ? this.pause() : this.#run(this.at === this.length ? 0 : this.at);
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#label("play", t("Play"));
  }

  #run(at) {
    this.go(at, true);
    if (at === this.length) return this.pause();
    this.#label("pause", t("Pause"));
    const pace = Number(this.#speed.value) * (this.brief(at) ? 2.5 : 1);
    this.#timer = setTimeout(() => this.#run(this.next()), STEP_MS / pace);
  }

  #label(sign, label) {
    if (this.#play.title === label) return;
    this.#play.replaceChildren(icon(sign));
    this.#play.title = label;
    this.#play.setAttribute("aria-label", label);
  }

  #button(sign, label, onclick, kind = "") {
    return h(
      "button",
      { class: `icon ${kind}`, type: "button", title: label, "aria-label": label, onclick },
      icon(sign),
    );
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]"))
      return;
    if (event.target.closest?.("select, textarea, input:not([type=range])")) return;
    const does = {
      ArrowLeft: () => this.go(this.previous()),
      ArrowRight: () => this.go(this.next()),
      Home: () => this.go(0),
      End: () => this.go(this.length),
      " ": event.target.closest?.("button, a, summary") ? null : () => this.toggle(), // they press themselves
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }
}
