// @ts-check
// Going through a match: slider, steps, playback at some speed, and keys for all of them.

import { h } from "./dom.js";
import { Emitter } from "./events.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";

/** @import { Child } from "./types.d.ts" */
/** @import { IconName } from "./icons.js" */

const STEP_MS = 1300;
const BRIEF_PACE = 2.5; // brief moments pass so much faster
const SPEEDS = { 0.5: "½ ×", 1: "1 ×", 2: "2 ×", 4: "4 ×" };

/** @extends {Emitter<{ moment: null }>} */
export class Player extends Emitter {
  at = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #length;
  #isStop;
  #isBrief;
  #slider;
  #play;
  #speed;

  /**
   * @param {number} length of the match
   * @param {(at: number) => boolean} isStop whether steps stop at a moment
   * @param {(at: number) => boolean} isBrief whether playback need not stay there long
   */
  constructor(length, isStop, isBrief) {
    super();
    this.#length = length;
    this.#isStop = isStop;
    this.#isBrief = isBrief;
    this.#slider = h("input", {
      type: "range",
      min: 0,
      max: length,
      value: "0",
      "aria-label": t("Moment of the match"),
      oninput: (event) => this.go(event.currentTarget.valueAsNumber),
    });
    this.#play = button("play", t("Play"), () => this.toggle());
    this.#speed = h(
      "select",
      { class: "speed", "aria-label": t("Speed"), title: t("Speed") },
      Object.entries(SPEEDS).map(([value, label]) =>
        h("option", { value, selected: value === "1" }, label),
      ),
    );
    document.addEventListener("keydown", (event) => this.#keyDown(event));
  }

  /** @param {Child[]} more buttons of the page */
  bar(...more) {
    return h(
      "div",
      { class: "player", role: "group", "aria-label": t("Playback") },
      this.#slider,
      h(
        "div",
        { class: "buttons" },
        button("first", t("To the start"), () => this.go(0), "edge"),
        button("step-back", t("Step back"), () => this.go(this.previous())),
        this.#play,
        button("step", t("Step forward"), () => this.go(this.next())),
        button("last", t("To the end"), () => this.go(this.#length), "edge"),
        this.#speed,
        ...more,
      ),
    );
  }

  next() {
    let at = this.at + 1;
    while (at < this.#length && !this.#isStop(at)) at++;
    return Math.min(at, this.#length);
  }

  previous() {
    let at = this.at - 1;
    while (at > 0 && !this.#isStop(at)) at--;
    return Math.max(at, 0);
  }

  /**
   * Go to a moment. Whoever does so by hand wants to look: playback ends.
   * @param {number} at
   */
  go(at) {
    this.pause();
    this.#show(at);
  }

  toggle() {
    if (this.#timer) this.pause();
    else this.#run(this.at === this.#length ? 0 : this.at);
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#label("play", t("Play"));
  }

  /** @param {number} at */
  #show(at) {
    this.at = at;
    this.#slider.value = String(at);
    this.#slider.setAttribute(
      "aria-valuetext",
      t("{at} of {length}", { at, length: this.#length }),
    );
    this.emit("moment", null);
  }

  /**
   * Play from a moment on.
   * @param {number} at
   */
  #run(at) {
    this.#show(at);
    if (at === this.#length) return this.pause();
    this.#label("pause", t("Pause"));
    const pace = Number(this.#speed.value) * (this.#isBrief(at) ? BRIEF_PACE : 1);
    this.#timer = setTimeout(() => this.#run(this.next()), STEP_MS / pace);
  }

  /**
   * @param {IconName} sign
   * @param {string} label
   */
  #label(sign, label) {
    if (this.#play.title === label) return;
    this.#play.replaceChildren(icon(sign));
    this.#play.title = label;
    this.#play.setAttribute("aria-label", label);
  }

  /** @param {KeyboardEvent} event */
  #keyDown(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (document.querySelector("dialog[open]")) return;
    if (isInside(event, "select, textarea, input:not([type=range])")) return;
    const act = this.#actionOf(event);
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** @param {KeyboardEvent} event */
  #actionOf(event) {
    switch (event.key) {
      case "ArrowLeft":
        return () => this.go(this.previous());
      case "ArrowRight":
        return () => this.go(this.next());
      case "Home":
        return () => this.go(0);
      case "End":
        return () => this.go(this.#length);
      case " ": // presses a button that has the focus
        return isInside(event, "button, a, summary") ? null : () => this.toggle();
      default:
        return null;
    }
  }
}

/**
 * @param {Event} event
 * @param {string} selector
 */
function isInside({ target }, selector) {
  return target instanceof Element && target.closest(selector) !== null;
}

/**
 * @param {IconName} sign
 * @param {string} label
 * @param {() => unknown} onclick
 * @param {string} [kind] another class
 */
function button(sign, label, onclick, kind = "") {
  return h(
    "button",
    { class: `icon ${kind}`, type: "button", title: label, "aria-label": label, onclick },
    icon(sign),
  );
}
