// @ts-check
// A picture to play on. It knows no game: only ids, names that can be touched, and paths of moves.

import { h } from "./dom.js";
import { Emitter } from "./events.js";
import { t } from "./i18n.js";
import { animate, markNew, newIn, placesIn } from "./motion.js";
import { Walk } from "./paths.js";
import { parsePart, parsePicture, svg } from "./svg.js";

/** @import { Move, Path, Switches } from "./types.d.ts" */

const DRAG_PIXELS = 8; // less is a click

/** @type {Record<string, [x: number, y: number]>} */
const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * @typedef {object} SceneEvents
 * @property {null} walk something was touched or taken back
 * @property {Move} move a move was made
 * @property {number} focus somebody wants to look at a seat
 * @property {{ touched: string[] }} impossible what was touched makes no move
 */

/**
 * @typedef {object} Drag
 * @property {SVGElement} thing
 * @property {number} x where it was taken
 * @property {number} y
 * @property {boolean} moved
 */

/** @typedef {"mouse" | "touch" | "pen" | "keyboard" | "drag"} Pointer */

/** The box of a board that is played on. */
export function boardBox() {
  return h("div", {
    class: "board",
    role: "application",
    "aria-label": t("The board: arrow keys move the focus, Enter touches, Escape starts over"),
  });
}

/** @extends {Emitter<SceneEvents>} */
export class Scene extends Emitter {
  walk = new Walk();
  /** @type {SVGSVGElement | null} */
  #picture = null;
  #ghosts = svg("g", { class: "ghost" });
  /** @type {string | null} */
  #armed = null; // a name that was tapped once: its ghost is shown, a second tap makes the move
  /** @type {Drag | null} */
  #drag = null;
  /** @type {Set<string>} */
  #news = new Set(); // ids of what came last

  /** @param {HTMLElement} box */
  constructor(box) {
    super();
    this.box = box;
    box.addEventListener("pointerdown", (event) => this.#pointerDown(event));
    box.addEventListener("pointermove", (event) => this.#pointerMove(event));
    box.addEventListener("pointerup", (event) => this.#pointerUp(event));
    box.addEventListener("pointercancel", () => this.#endDrag());
    box.addEventListener("click", (event) => {
      if (event.detail === 0) this.#touch(event.target, "keyboard"); // no pointer made it
    });
    box.addEventListener("keydown", (event) => this.#keyDown(event));
    box.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.#preview(nameOf(event.target));
    });
    box.addEventListener("focusin", (event) => this.#preview(nameOf(event.target)));
    box.addEventListener("pointerleave", () => this.#preview(null));
  }

  /**
   * Show a picture and let these moves be made on it.
   * @param {string} text
   * @param {Move[]} moves
   * @param {Switches} switches
   */
  show(text, moves = [], switches = {}) {
    const before = this.#picture && placesIn(this.#picture);
    const focused = document.activeElement?.closest("[data-touch]")?.id;
    // A new picture with the same moves disturbs nobody: what was touched stays touched.
    const kept = samePaths(moves, this.walk.moves) && !this.walk.move ? this.walk.touched : [];
    this.#picture = parsePicture(text);
    this.#ghosts.replaceChildren();
    this.#picture.append(this.#ghosts);
    this.box.replaceChildren(this.#picture);
    this.walk = new Walk(moves, switches);
    for (const name of kept) if (!this.walk.touch(name)) break;
    if (!this.walk.touched.length) this.#begin();
    this.#armed = null;
    this.#light();
    if (before) {
      this.#news = newIn(this.#picture, before) ?? this.#news;
      markNew(this.#picture, this.#news);
      animate(this.#picture, before);
    }
    if (focused)
      this.#things()
        .find((thing) => thing.id === focused)
        ?.focus();
  }

  /** Forget what was touched. */
  reset() {
    this.walk.reset();
    this.#begin();
    this.#armed = null;
    this.#light();
    this.emit("walk", null);
  }

  /**
   * Point at the things of a path, for a hint or a better move.
   * @param {Path} path
   */
  point(path) {
    const names = new Set(path.flat());
    for (const thing of this.#things())
      thing.classList.toggle("hinted", names.has(thing.dataset.touch ?? ""));
  }

  /**
   * Add SVG to the picture that shows what a move would do.
   * @param {string} ghost
   */
  overlay(ghost) {
    this.#picture?.append(svg("g", { class: "ghost" }, ...parsePart(ghost)));
  }

  // -- touching -------------------------------------------------------------------------------

  /** Where things can be switched (a shape turned), the first one is taken at once. */
  #begin() {
    const names = Object.values(this.walk.switches).flatMap((swaps) => Object.keys(swaps));
    const first = names.find((name) => this.walk.next.has(name));
    if (first) this.walk.touch(first);
  }

  /** @returns {SVGElement[]} */
  #things() {
    return [...(this.#picture?.querySelectorAll("[data-touch]") ?? [])].filter(
      (element) => element instanceof SVGElement,
    );
  }

  /** Mark what can be touched and what was. */
  #light() {
    const next = this.walk.next;
    const left = [...this.walk.touched];
    for (const thing of this.#things()) {
      const name = thing.dataset.touch ?? "";
      const at = left.indexOf(name);
      const picked = at >= 0 && (isPicked(thing) || !this.#twinIsPicked(thing, name));
      if (picked) left.splice(at, 1);
      thing.classList.toggle("picked", picked);
      thing.classList.toggle("can", next.has(name) && !picked);
      thing.classList.toggle("armed", this.#armed === name);
      makeButton(thing, next.has(name) || picked, picked);
    }
    this.#preview(this.#armed);
  }

  /**
   * Whether another thing of the same name is the one that was picked.
   * @param {SVGElement} thing
   * @param {string} name
   */
  #twinIsPicked(thing, name) {
    return this.#things().some(
      (other) => other !== thing && other.dataset.touch === name && isPicked(other),
    );
  }

  /**
   * @param {EventTarget | null} target
   * @param {Pointer} pointer
   */
  #touch(target, pointer) {
    const thing = thingAt(target);
    if (!thing) return this.#touchNothing(target);
    const name = thing.dataset.touch ?? "";
    if (isPicked(thing) && !this.walk.next.has(name)) {
      this.walk.untouch(name);
      thing.classList.remove("picked");
    } else if (this.walk.next.has(name)) {
      if (pointer === "touch" && this.walk.moveAfter(name)?.ghost && this.#armed !== name)
        return this.#arm(name);
      thing.classList.add("picked");
      this.walk.touch(name);
    } else {
      return this.emit("impossible", { touched: [...this.walk.touched, name] });
    }
    this.#armed = null;
    const move = this.walk.move;
    this.#light();
    this.emit("walk", null);
    if (move) this.emit("move", move);
  }

  /** @param {EventTarget | null} target */
  #touchNothing(target) {
    const place = target instanceof Element ? target.closest("[data-focus]") : null;
    if (place) this.emit("focus", Number(place.getAttribute("data-focus")));
    else if (this.walk.touched.length) this.reset();
  }

  /**
   * Fingers cannot hover: the first tap shows what a move would do, the second makes it.
   * @param {string} name
   */
  #arm(name) {
    this.#armed = name;
    this.#light();
    this.emit("walk", null);
  }

  // -- pointers -------------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  #pointerDown(event) {
    const thing = thingAt(event.target);
    if (!thing || event.button) return;
    if (!canBeTouched(thing) && !isPicked(thing)) return;
    this.#drag = { thing, x: event.clientX, y: event.clientY, moved: false };
  }

  /** @param {PointerEvent} event */
  #pointerMove(event) {
    const drag = this.#drag;
    if (!drag) return;
    const x = event.clientX - drag.x;
    const y = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(x, y) < DRAG_PIXELS) return;
    if (!drag.moved) this.#beginDrag(drag, event.pointerId);
    const scale = this.#picture?.getScreenCTM()?.a ?? 1;
    drag.thing.style.translate = `${x / scale}px ${y / scale}px`;
    this.#preview(nameOf(this.#under(event)));
  }

  /** @param {PointerEvent} event */
  #pointerUp(event) {
    const drag = this.#drag;
    if (!drag?.moved) {
      this.#drag = null;
      if (!event.button) this.#touch(event.target, /** @type {Pointer} */ (event.pointerType));
      return;
    }
    const target = this.#under(event);
    this.#endDrag();
    const name = nameOf(target);
    if (name && (this.walk.next.has(name) || thingAt(target) !== drag.thing))
      this.#touch(target, "drag");
  }

  /**
   * A thing that is dragged is touched first, unless that would be a whole move.
   * @param {Drag} drag
   * @param {number} pointer
   */
  #beginDrag(drag, pointer) {
    drag.moved = true;
    if (canBeTouched(drag.thing) && !this.walk.moveAfter(drag.thing.dataset.touch ?? ""))
      this.#touch(drag.thing, "drag");
    drag.thing.classList.add("dragged");
    this.box.setPointerCapture(pointer);
  }

  #endDrag() {
    if (this.#drag) {
      this.#drag.thing.style.translate = "";
      this.#drag.thing.classList.remove("dragged");
    }
    this.#drag = null;
  }

  /**
   * What is below the pointer, apart from what is dragged.
   * @param {PointerEvent} event
   */
  #under(event) {
    const elements = document.elementsFromPoint(event.clientX, event.clientY);
    return elements.find((element) => thingAt(element) && !element.closest(".dragged")) ?? this.box;
  }

  // -- keys -----------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  #keyDown(event) {
    const thing = thingAt(event.target);
    if (event.key === "Escape") {
      if (this.walk.touched.length) this.reset();
    } else if (thing && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.#touch(thing, "keyboard");
      this.#refocus(thing);
    } else if (event.key in ARROWS) {
      event.preventDefault();
      this.#step(thing, ...ARROWS[event.key]);
    }
  }

  /**
   * After a touch the focus goes on to what can be touched next.
   * @param {SVGElement} thing
   */
  #refocus(thing) {
    if (thing.isConnected && thing.hasAttribute("tabindex")) return;
    this.#things().find(canBeTouched)?.focus();
  }

  /**
   * Move the focus to the nearest thing in a direction.
   * @param {SVGElement | null} from
   * @param {number} dx
   * @param {number} dy
   */
  #step(from, dx, dy) {
    const things = this.#things().filter(
      (thing) => thing !== from && thing.getAttribute("tabindex") === "0",
    );
    if (!from) return things[0]?.focus();
    const [x, y] = centre(from);
    let nearest = null;
    let least = Infinity;
    for (const thing of things) {
      const [tx, ty] = centre(thing);
      const along = (tx - x) * dx + (ty - y) * dy;
      const aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
      const distance = along + 2.5 * aside;
      if (along > 2 && distance < least) [nearest, least] = [thing, distance];
    }
    nearest?.focus();
  }

  // -- ghosts ---------------------------------------------------------------------------------

  /**
   * Show what touching this would do, if it completes a move.
   * @param {string | null} name
   */
  #preview(name) {
    const wanted = name ?? this.#armed;
    const move = wanted && this.walk.next.has(wanted) ? this.walk.moveAfter(wanted) : null;
    this.#ghosts.replaceChildren(...(move?.ghost ? parsePart(move.ghost) : []));
  }
}

/**
 * @param {Move[]} moves
 * @param {Move[]} others
 */
function samePaths(moves, others) {
  return String(moves.map((move) => move.path)) === String(others.map((move) => move.path));
}

/**
 * The thing that is meant: things may lie on others, and the one that can be touched counts.
 * @param {EventTarget | null} target
 */
function thingAt(target) {
  if (!(target instanceof Element)) return null;
  const thing = target.closest(".can, .picked") ?? target.closest("[data-touch]");
  return thing instanceof SVGElement ? thing : null;
}

/** @param {EventTarget | null} target */
function nameOf(target) {
  return thingAt(target)?.dataset.touch ?? null;
}

/** @param {Element} thing */
function isPicked(thing) {
  return thing.classList.contains("picked");
}

/** @param {Element} thing */
function canBeTouched(thing) {
  return thing.classList.contains("can");
}

/**
 * Things that can be used are buttons, to the keyboard and to screen readers.
 * @param {SVGElement} thing
 * @param {boolean} usable
 * @param {boolean} pressed
 */
function makeButton(thing, usable, pressed) {
  thing.setAttribute("role", usable ? "button" : "img");
  for (const [name, value] of Object.entries({ tabindex: "0", "aria-pressed": String(pressed) })) {
    if (usable) thing.setAttribute(name, value);
    else thing.removeAttribute(name);
  }
}

/** @param {Element} thing */
function centre(thing) {
  const box = thing.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
