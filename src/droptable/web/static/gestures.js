// @ts-check
// Mouse, pen and finger on a board: tap, drag, aim, trace over things, wheel and right click.

import { Lens } from "./lens.js";
import { canBeTouched, isPicked, nameOf, thingAt } from "./things.js";

/** @import { Pointer, Scene } from "./scene.js" */

const DRAG_PIXELS = 8; // less is a tap
const WHEEL_MS = 160; // between two turns of the wheel that count
const FINGER = 44; // pixels; what is smaller is aimed at with a lens

/**
 * A button or finger that is down.
 * @typedef {object} Press
 * @property {"tap" | "drag" | "aim" | "trace"} mode
 * @property {number} id of the pointer
 * @property {EventTarget | null} target
 * @property {SVGElement | null} thing
 * @property {number} x where it began
 * @property {number} y
 * @property {boolean} moved
 * @property {Set<string>} names that were traced
 */

export class Gestures {
  /** @type {Press | null} */
  #press = null;
  #turned = 0; // when the wheel was turned last
  #lens = new Lens();
  #scene;

  /** @param {Scene} scene */
  constructor(scene) {
    this.#scene = scene;
    const { box } = scene;
    box.addEventListener("pointerdown", (event) => this.#down(event));
    box.addEventListener("pointermove", (event) => this.#move(event));
    addEventListener("pointerup", (event) => this.#up(event));
    addEventListener("pointercancel", (event) => this.#cancel(event));
    addEventListener("blur", () => this.#end());
    box.addEventListener("pointerleave", () => this.#press || scene.preview(null));
    box.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    box.addEventListener("contextmenu", (event) => {
      if (this.#gesture("rightclick")) event.preventDefault();
    });
    box.addEventListener("click", (event) => {
      const thing = event.detail === 0 && thingAt(event.target); // no pointer made it
      if (thing) scene.touch(thing, "keyboard");
    });
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button) return;
    if (this.#press?.id === event.pointerId) this.#end(); // its end was lost
    if (this.#press) return;
    if (this.#scene.playing) return this.#scene.skip();
    this.#scene.stage.hold(true);
    const thing = thingAt(event.target);
    this.#press = {
      mode: this.#modeOf(thing, event.pointerType),
      id: event.pointerId,
      target: event.target,
      thing,
      x: event.clientX,
      y: event.clientY,
      moved: false,
      names: new Set(),
    };
    if (this.#press.mode === "aim" && thing) this.#aim(event, thing);
  }

  /**
   * @param {SVGElement | null} thing
   * @param {string} pointer
   */
  #modeOf(thing, pointer) {
    if (!thing) return "tap";
    const name = nameOf(thing) ?? "";
    if (thing.dataset.aim && canBeTouched(thing)) return "aim";
    if (pointer === "touch" && isSmall(thing) && this.#scene.walk.moveAfter(name)) return "aim";
    if (this.#scene.chips.some((chip) => chip.trace.includes(name))) return "trace";
    return canBeTouched(thing) || isPicked(thing) ? "drag" : "tap";
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const press = this.#press;
    if (!press) {
      if (event.pointerType === "mouse") this.#hover(event);
      return;
    }
    if (event.pointerId !== press.id) return;
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    if (!press.moved && far < DRAG_PIXELS) return;
    const begins = !press.moved;
    press.moved = true;
    if (press.mode === "aim") this.#aimOn(event);
    else if (press.mode === "trace") this.#trace(event, press);
    else if (press.mode === "drag" && press.thing) this.#drag(event, press, press.thing, begins);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.#press;
    if (!press || event.pointerId !== press.id) return;
    try {
      this.#release(press, event);
    } finally {
      this.#end(); // whatever happens, the board goes on
    }
  }

  /**
   * @param {Press} press
   * @param {PointerEvent} event
   */
  #release(press, event) {
    if (!press.moved) this.#tap(press, event, /** @type {Pointer} */ (event.pointerType));
    else if (press.mode === "aim") this.#dropAimed(event);
    else if (press.mode === "trace") this.#useTrace(press);
    else if (press.mode === "drag") this.#dropOn(event, press);
  }

  /** @param {PointerEvent} event */
  #cancel(event) {
    if (event.pointerId === this.#press?.id) this.#end();
  }

  #end() {
    const thing = this.#press?.thing;
    if (thing) {
      thing.style.translate = "";
      thing.classList.remove("dragged");
    }
    this.#press = null;
    this.#lens.hide();
    for (const traced of this.#scene.box.querySelectorAll(".traced"))
      traced.classList.remove("traced");
    this.#scene.stage.hold(false);
  }

  /**
   * @param {Press} press
   * @param {PointerEvent} event
   * @param {Pointer} pointer
   */
  #tap({ thing, mode, target }, event, pointer) {
    if (!thing) {
      this.#scene.touchNothing(target);
      return;
    }
    if (mode === "aim") {
      const name = this.#scene.aim(thing, event.clientX, event.clientY);
      this.#scene.touch(thing, pointer, name ?? undefined);
    } else {
      this.#scene.touch(thing, pointer);
    }
    if (event.pointerType === "mouse") this.#hover(event);
  }

  // -- aiming ---------------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  #hover(event) {
    const thing = thingAt(event.target);
    this.#scene.preview(thing && this.#scene.aim(thing, event.clientX, event.clientY));
  }

  /** @param {PointerEvent} event */
  #aimOn(event) {
    const thing = thingAt(this.#under(event));
    if (thing && canBeTouched(thing)) this.#aim(event, thing);
    else this.#scene.preview(null);
  }

  /**
   * @param {PointerEvent} event
   * @param {SVGElement} thing
   */
  #aim(event, thing) {
    this.#scene.preview(this.#scene.aim(thing, event.clientX, event.clientY));
    if (event.pointerType === "touch" && isSmall(thing) && this.#scene.picture)
      this.#lens.show(this.#scene.picture, event.clientX, event.clientY);
  }

  /** Lifting the finger makes the move: that was deliberate. @param {PointerEvent} event */
  #dropAimed(event) {
    const thing = thingAt(this.#under(event));
    if (!thing || !canBeTouched(thing)) return;
    const name = this.#scene.aim(thing, event.clientX, event.clientY);
    this.#scene.touch(thing, "drag", name ?? undefined);
  }

  // -- tracing --------------------------------------------------------------------------------

  /**
   * @param {PointerEvent} event
   * @param {Press} press
   */
  #trace(event, { thing, names }) {
    for (const each of [thing, thingAt(this.#under(event))]) {
      const name = each && nameOf(each);
      if (!name || !this.#scene.chips.some((chip) => chip.trace.includes(name))) continue;
      names.add(name);
      each.classList.add("traced");
    }
    this.#scene.previewChip(this.#traced(names));
  }

  /** @param {Set<string>} names */
  #traced(names) {
    const same = this.#scene.chips.find(
      ({ trace }) => trace.length === names.size && trace.every((name) => names.has(name)),
    );
    return same ?? null;
  }

  /** @param {Press} press */
  #useTrace({ names, thing }) {
    const chip = this.#traced(names);
    this.#scene.previewChip(null);
    if (chip) this.#scene.useChip(chip);
    else if (names.size < 2 && thing) this.#scene.touch(thing, "drag");
    else this.#scene.emit("impossible", { touched: [...names] });
  }

  // -- dragging -------------------------------------------------------------------------------

  /**
   * A thing that is dragged is touched first, unless that would be a whole move.
   * @param {PointerEvent} event
   * @param {Press} press
   * @param {SVGElement} thing
   * @param {boolean} begins
   */
  #drag(event, press, thing, begins) {
    const scene = this.#scene;
    const name = nameOf(thing) ?? "";
    if (begins && !scene.filling && canBeTouched(thing) && !scene.walk.moveAfter(name))
      scene.touch(thing, "drag");
    if (begins) thing.classList.add("dragged");
    const scale = scene.picture?.getScreenCTM()?.a ?? 1;
    const [x, y] = [event.clientX - press.x, event.clientY - press.y];
    thing.style.translate = `${x / scale}px ${y / scale}px`;
    scene.preview(nameOf(this.#under(event)));
  }

  /**
   * @param {PointerEvent} event
   * @param {Press} press
   */
  #dropOn(event, press) {
    const scene = this.#scene;
    const target = thingAt(this.#under(event));
    const name = nameOf(target);
    if (!target || !name) return;
    if (scene.filling?.isSlot(name) && press.thing)
      return scene.dropPiece(nameOf(press.thing) ?? "", name);
    if (scene.walk.next.has(name) || target !== press.thing) scene.touch(target, "drag");
  }

  /**
   * What is below the pointer, apart from what is dragged.
   * @param {PointerEvent} event
   */
  #under(event) {
    const elements = document.elementsFromPoint(event.clientX, event.clientY);
    const isMeant = (/** @type {Element} */ element) =>
      this.#scene.box.contains(element) && thingAt(element) && !element.closest(".dragged");
    return elements.find(isMeant) ?? null;
  }

  // -- wheel and right click ------------------------------------------------------------------

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (event.ctrlKey || !this.#thingFor("wheel")) return;
    event.preventDefault();
    if (event.timeStamp - this.#turned < WHEEL_MS) return;
    this.#turned = event.timeStamp;
    this.#gesture("wheel");
    const { clientX, clientY } = event;
    const thing = thingAt(document.elementFromPoint(clientX, clientY));
    this.#scene.preview(thing && this.#scene.aim(thing, clientX, clientY));
  }

  /** @param {string} name */
  #thingFor(name) {
    return this.#scene.isLive ? this.#scene.keys.thingFor(name) : null;
  }

  /** @param {string} name */
  #gesture(name) {
    const thing = this.#thingFor(name);
    if (thing) this.#scene.touch(thing, "drag");
    return thing !== null;
  }
}

/**
 * Whether something is smaller than a fingertip.
 * @param {SVGElement} thing
 */
function isSmall(thing) {
  const { width, height } = thing.getBoundingClientRect();
  return Math.max(width, height) < FINGER;
}
