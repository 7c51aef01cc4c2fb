// A picture that is played on. It knows no game: only ids, names that can be touched, and paths.
import { Walk } from "./paths.js";

const MOVE_MS = 380;
const FEW = 6; // more new things than that are another picture, not news
const SVG = "http://www.w3.org/2000/svg";
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Things that moved, came or went since the last picture are shown so; null at the first one. */
export class Scene extends EventTarget {
  #svg = null;
  #armed = null; // a name that was tapped once: its ghost is shown, the second tap makes the move
  #drag = null;
  #ghosts = null;
  #news = new Set(); // ids of what came last
  walk = new Walk();

  constructor(box) {
    super();
    this.box = box;
    box.addEventListener("pointerdown", (event) => this.#down(event));
    box.addEventListener("pointermove", (event) => this.#dragged(event));
    box.addEventListener("pointerup", (event) => this.#up(event));
    box.addEventListener("pointercancel", () => this.#drop());
    box.addEventListener(
      "click",
      (event) => event.detail === 0 && this.#touch(event.target, "keyboard"),
    );
    box.addEventListener("keydown", (event) => this.#key(event));
    box.addEventListener(
      "pointerover",
      (event) => event.pointerType === "mouse" && this.#preview(nameOf(event.target)),
    );
    box.addEventListener("focusin", (event) => this.#preview(nameOf(event.target)));
    box.addEventListener("pointerleave", () => this.#preview(null));
  }

  /** Show a picture and let these moves be made on it. */
  show(svg, moves = [], switches = {}) {
    const places = this.#svg ? this.#places() : null;
    const focused = document.activeElement?.closest?.("[data-touch]")?.id;
    const same =
      String(moves.map((move) => move.path)) === String(this.walk.moves.map((move) => move.path));
    const kept = same && !this.walk.move ? this.walk.touched : []; // news that change no move disturb nobody
    const fresh = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    this.box.replaceChildren((this.#svg = document.importNode(fresh, true)));
    this.#ghosts = this.#svg.appendChild(document.createElementNS(SVG, "g"));
    this.#ghosts.setAttribute("class", "ghost");
    this.walk = new Walk(moves, switches);
    for (const name of kept) if (!this.walk.touch(name)) break;
    if (!this.walk.touched.length) this.#begin();
    this.#armed = null;
    this.#light();
    if (places) this.#mark(places);
    if (places && !calm.matches) this.#animate(places);
    if (focused) this.#svg.getElementById?.(focused)?.focus();
  }

  /** Forget what was touched. */
  reset() {
    this.walk.reset();
    this.#begin();
    this.#armed = null;
    this.#light();
    this.#tell("walk");
  }

  /** Point at the things of a path, for a hint or a better move. */
  point(path) {
    const names = new Set(path.flat());
    for (const thing of this.#things())
      thing.classList.toggle("hinted", names.has(thing.dataset.touch));
  }

  // -- touching -------------------------------------------------------------------------------

  /** Where things can be switched (a shape turned) the first one is taken at once. */
  #begin() {
    const names = Object.values(this.walk.switches).flatMap((table) => Object.keys(table));
    const first = names.find((name) => this.walk.next.has(name));
    if (first) this.walk.touch(first);
  }

  #things() {
    return this.#svg ? this.#svg.querySelectorAll("[data-touch]") : [];
  }

  /** Mark what can be touched and what was. */
  #light() {
    const next = this.walk.next;
    const picked = [...this.walk.touched];
    for (const thing of this.#things()) {
      const name = thing.dataset.touch;
      const at = picked.indexOf(name);
      const isPicked =
        at >= 0 && (thing.classList.contains("picked") || !this.#laterPicked(thing, name));
      if (isPicked) picked.splice(at, 1);
      thing.classList.toggle("picked", isPicked);
      thing.classList.toggle("can", next.has(name) && !isPicked);
      thing.classList.toggle("armed", this.#armed === name);
      const usable = next.has(name) || isPicked;
      thing.setAttribute("role", usable ? "button" : "img");
      for (const [key, value] of [
        ["tabindex", "0"],
        ["aria-pressed", String(isPicked)],
      ]) {
        if (usable) thing.setAttribute(key, value);
        else thing.removeAttribute(key);
      }
    }
    this.#preview(this.#armed);
  }

  /** Whether an equal thing further on is the one that was picked. */
  #laterPicked(thing, name) {
    return [...this.#things()].some(
      (other) =>
        other !== thing && other.dataset.touch === name && other.classList.contains("picked"),
    );
  }

  #touch(target, pointer) {
    const thing = thingAt(target);
    const focus = target.closest?.("[data-focus]");
    if (!thing && focus) return this.#tell("focus", Number(focus.dataset.focus));
    if (!thing) return this.walk.touched.length ? this.reset() : undefined;
    const name = thing.dataset.touch;
    if (thing.classList.contains("picked") && !this.walk.next.has(name)) {
      this.walk.untouch(name);
      thing.classList.remove("picked");
    } else if (this.walk.next.has(name)) {
      const move = this.walk.moveAfter(name);
      if (move?.ghost && pointer === "touch" && this.#armed !== name) {
        this.#armed = name; // fingers cannot hover: the first tap shows, the second does
        this.#light();
        return this.#tell("walk");
      }
      if (!thing.classList.contains("picked")) thing.classList.add("picked");
      this.walk.touch(name);
    } else {
      return this.#tell("impossible", {
        touched: [...this.walk.touched, name],
        label: thing.getAttribute("aria-label"),
      });
    }
    this.#armed = null;
    const move = this.walk.move;
    this.#light();
    this.#tell("walk");
    if (move) this.#tell("move", move);
  }

  #down(event) {
    const thing = thingAt(event.target);
    if (!thing || event.button) return;
    if (!thing.classList.contains("can") && !thing.classList.contains("picked")) return;
    this.#drag = { thing, x: event.clientX, y: event.clientY, moved: false };
  }

  #dragged(event) {
    const drag = this.#drag;
    if (!drag) return;
    const x = event.clientX - drag.x,
      y = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(x, y) < 8) return;
    if (!drag.moved) {
      drag.moved = true;
      if (drag.thing.classList.contains("can") && !this.walk.moveAfter(drag.thing.dataset.touch))
        this.#touch(drag.thing, "drag");
      drag.thing.classList.add("dragged");
      this.box.setPointerCapture(event.pointerId);
    }
    const scale = this.#svg.getScreenCTM().a;
    drag.thing.style.translate = `${x / scale}px ${y / scale}px`;
    this.#preview(nameOf(this.#under(event)));
  }

  #up(event) {
    const drag = this.#drag;
    if (!drag?.moved) {
      this.#drag = null;
      if (!event.button) this.#touch(event.target, event.pointerType);
      return;
    }
    const target = this.#under(event);
    this.#drop();
    const name = nameOf(target);
    if (name && this.walk.next.has(name)) this.#touch(target, "drag");
    else if (name && thingAt(target) !== drag.thing) this.#touch(target, "drag");
  }

  #under(event) {
    const found = document.elementsFromPoint(event.clientX, event.clientY);
    return found.find((element) => thingAt(element) && !element.closest(".dragged")) ?? this.box;
  }

  #drop() {
    if (this.#drag) {
      this.#drag.thing.style.translate = "";
      this.#drag.thing.classList.remove("dragged");
    }
    this.#drag = null;
  }

  // -- keys -----------------------------------------------------------------------------------

  #key(event) {
    const thing = thingAt(event.target);
    if (event.key === "Escape") {
      if (this.walk.touched.length) this.reset();
    } else if (thing && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.#touch(thing, "keyboard");
      this.#refocus(thing);
    } else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      this.#step(thing, event.key);
    }
  }

  /** After a touch the focus goes on to what can be touched next. */
  #refocus(thing) {
    if (thing.isConnected && thing.hasAttribute("tabindex")) return;
    this.box.querySelector(".can")?.focus();
  }

  /** The arrow keys go to the nearest thing in their direction. */
  #step(from, key) {
    const [dx, dy] = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    }[key];
    const middle = (thing) => {
      const box = thing.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const things = [...this.box.querySelectorAll('[data-touch][tabindex="0"]')].filter(
      (thing) => thing !== from,
    );
    if (!from) return things[0]?.focus();
    const [x, y] = middle(from);
    let best = null,
      least = Infinity;
    for (const thing of things) {
      const [tx, ty] = middle(thing);
      const along = (tx - x) * dx + (ty - y) * dy,
        aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
      if (along > 2 && along + 2.5 * aside < least) [best, least] = [thing, along + 2.5 * aside];
    }
    best?.focus();
  }

  /** Put the keyboard on the board. */
  focus() {
    this.box.querySelector('[data-touch][tabindex="0"]')?.focus();
  }

  // -- seeing ---------------------------------------------------------------------------------

  #preview(name) {
    if (!this.#ghosts) return;
    const wanted = name ?? this.#armed;
    const move = wanted && this.walk.next.has(wanted) ? this.walk.moveAfter(wanted) : null;
    if (!move?.ghost) return this.#ghosts.replaceChildren();
    const parsed = new DOMParser().parseFromString(
      `<svg xmlns="${SVG}">${move.ghost}</svg>`,
      "image/svg+xml",
    );
    this.#ghosts.replaceChildren(...document.importNode(parsed.documentElement, true).childNodes);
  }

  #places() {
    const places = new Map();
    for (const thing of this.#svg.querySelectorAll("[id][transform]"))
      places.set(thing.id, thing.getCTM());
    return places;
  }

  /** Mark what has come, until something else comes. */
  #mark(places) {
    const things = [...this.#svg.querySelectorAll("[id][transform]")];
    const came = things.filter((thing) => !places.has(thing.id));
    if (came.length) this.#news = new Set(came.length <= FEW ? came.map((thing) => thing.id) : []);
    for (const thing of things) thing.classList.toggle("news", this.#news.has(thing.id));
  }

  /** Let things that were elsewhere come from there, and new ones appear. */
  #animate(places) {
    for (const thing of this.#svg.querySelectorAll("[id][transform]")) {
      const before = places.get(thing.id),
        now = thing.getCTM();
      if (!now || thing.parentNode.closest?.("[id][transform]")) continue;
      const css = (m) => `matrix(${m.a},${m.b},${m.c},${m.d},${m.e},${m.f})`;
      const home = thing.parentNode.getCTM().inverse();
      if (!before) {
        thing.animate([{ opacity: 0 }, { opacity: 1 }], { duration: MOVE_MS });
      } else if (Math.abs(before.e - now.e) + Math.abs(before.f - now.f) > 0.5) {
        const frames = [
          { transform: css(home.multiply(before)) },
          { transform: css(home.multiply(now)) },
        ];
        thing.animate(frames, { duration: MOVE_MS, easing: "cubic-bezier(.3,.1,.2,1)" });
      }
    }
  }

  #tell(kind, detail = null) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}

/** The thing that is meant: things may lie on others, and the one that can be touched counts. */
function thingAt(target) {
  return target?.closest?.(".can, .picked") ?? target?.closest?.("[data-touch]") ?? null;
}

function nameOf(target) {
  return thingAt(target)?.dataset.touch ?? null;
}
