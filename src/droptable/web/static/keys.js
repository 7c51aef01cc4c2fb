// @ts-check
// The keyboard on a board: arrows move the focus, Enter touches, Escape starts over, and things may
// have keys of their own. The focus stays on the board when its picture changes.

import { canBeTouched, centre, thingAt } from "./things.js";

/** @import { Scene } from "./scene.js" */

/** @type {Record<string, [x: number, y: number]>} */
const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const ELSEWHERE = "input, textarea, select, dialog, [contenteditable]"; // keys mean other things

export class Keys {
  /** @type {{ id: string, x: number, y: number } | null} */
  #focus = null; // what has or had the focus by the keyboard, and where it was
  #scene;

  /** @param {Scene} scene */
  constructor(scene) {
    this.#scene = scene;
    document.addEventListener("keydown", (event) => this.#down(event));
    scene.box.addEventListener("focusin", (event) => this.#focused(event));
    scene.box.addEventListener("focusout", (event) => {
      if (event.relatedTarget) this.#focus = null; // somebody went elsewhere
    });
  }

  /**
   * The thing that a key or gesture touches.
   * @param {string} name
   */
  thingFor(name) {
    const thing = this.#scene.box.querySelector(`.can[data-key~="${CSS.escape(name)}"]`);
    return thing instanceof SVGElement ? thing : null;
  }

  /** Give the focus back to the board, if it was there and its thing is gone. */
  keepFocus() {
    const active = document.activeElement;
    if (!this.#focus || (active !== document.body && active !== this.#scene.box)) return;
    const { id, x, y } = this.#focus;
    const things = this.#usable();
    const same = things.find((thing) => thing.id === id);
    (same ?? nearest(things, x, y) ?? this.#scene.box).focus({ preventScroll: true });
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const thing = thingAt(event.target);
    if (thing) this.#focus = null;
    if (!thing?.matches(":focus-visible")) return;
    const [x, y] = centre(thing);
    this.#focus = { id: thing.id, x, y };
    this.#scene.preview(thing.dataset.touch ?? null);
  }

  /** The things that the keyboard can reach. */
  #usable() {
    return this.#scene.things().filter((thing) => thing.getAttribute("tabindex") === "0");
  }

  /** @param {KeyboardEvent} event */
  #down(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (!this.#scene.box.isConnected || document.querySelector("dialog[open]")) return;
    if (event.target instanceof Element && event.target.closest(ELSEWHERE)) return;
    if (this.#act(event)) event.preventDefault();
  }

  /**
   * Do what a key means; false if it means nothing here.
   * @param {KeyboardEvent} event
   */
  #act({ key, target }) {
    const scene = this.#scene;
    const onBoard = target === document.body || scene.box.contains(/** @type {Node} */ (target));
    if (scene.playing) {
      const skips = ["Escape", "Enter", " "].includes(key) && onBoard;
      if (skips) scene.skip();
      return skips;
    }
    if (key === "Escape") return this.#startOver();
    if (!onBoard) return false;
    if (key === "Backspace") return scene.undo();
    if (key in ARROWS) return this.#step(thingAt(target), ...ARROWS[key]);
    if (key === "Enter" || key === " ") return this.#enter(target);
    return this.#own(key);
  }

  #startOver() {
    const { armed, walk, filling } = this.#scene;
    if (!armed && !walk.touched.length && !filling?.filled.size) return false;
    this.#scene.reset();
    return true;
  }

  /** @param {EventTarget | null} target */
  #enter(target) {
    const thing = thingAt(target);
    if (this.#scene.armed && (!thing || thing.dataset.touch === this.#scene.armed.name)) {
      this.#scene.confirm();
      return true;
    }
    if (!thing) return false;
    this.#scene.touch(thing, "keyboard");
    if (!thing.isConnected || !thing.hasAttribute("tabindex"))
      this.#scene.things().find(canBeTouched)?.focus();
    return true;
  }

  /**
   * A key of a thing's own, or a value for a slot.
   * @param {string} key
   */
  #own(key) {
    const scene = this.#scene;
    if (scene.filling && /^\d$/.test(key)) {
      // The last piece has placed itself: its digit may be typed as well, and means nothing.
      if (!scene.filling.tokens) scene.chooseValue(key, "keyboard");
      return true;
    }
    const thing = this.thingFor(key.toLowerCase());
    if (!thing) return false;
    scene.touch(thing, "keyboard");
    const focused = thingAt(document.activeElement);
    if (focused) scene.preview(focused.dataset.touch ?? null);
    return true;
  }

  /**
   * Move the focus to the nearest thing in a direction; at first, to what is nearest to the middle.
   * @param {SVGElement | null} from
   * @param {number} dx
   * @param {number} dy
   */
  #step(from, dx, dy) {
    const things = this.#usable().filter((thing) => thing !== from);
    if (!from) {
      nearest(things, ...centre(this.#scene.box))?.focus();
      return things.length > 0;
    }
    const [x, y] = centre(from);
    let best = null;
    let least = Infinity;
    for (const thing of things) {
      const [tx, ty] = centre(thing);
      const along = (tx - x) * dx + (ty - y) * dy;
      const aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
      const distance = along + 2.5 * aside;
      if (along > 2 && distance < least) [best, least] = [thing, distance];
    }
    best?.focus();
    return true;
  }
}

/**
 * @param {SVGElement[]} things
 * @param {number} x
 * @param {number} y
 */
function nearest(things, x, y) {
  let best = null;
  let least = Infinity;
  for (const thing of things) {
    const [tx, ty] = centre(thing);
    const distance = Math.hypot(tx - x, ty - y);
    if (distance < least) [best, least] = [thing, distance];
  }
  return best;
}
