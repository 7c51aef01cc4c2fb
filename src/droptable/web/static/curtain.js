// @ts-check
// Several people at one device: as whom it looks at the table, and the curtain between two turns.
// While the curtain is down the page has what a spectator may see, and nothing else.

import { h, update } from "./dom.js";
import { Emitter } from "./events.js";
import { t } from "./i18n.js";
import { seatMark, sharedSeats } from "./seats.js";

/** @import { TableState } from "./types.d.ts" */

const LINGER_MS = 1500; // to see what one's turn has brought
const STILL_MS = 600; // in which a touch that was meant for the board lifts nothing

/**
 * @typedef {object} CurtainEvents
 * @property {number | null} look as that seat from now on, or (null) as a spectator
 * @property {null} fall the curtain falls for somebody
 */

/** @extends {Emitter<CurtainEvents>} */
export class Curtain extends Emitter {
  #card = h("div", { class: "card-box curtain-card" });
  element = h(
    "section",
    { class: "curtain", role: "alertdialog", "aria-label": t("Curtain"), hidden: true },
    this.#card,
  );
  /** As whom the device looks now. @type {number | null} */
  seat = null;
  /** Who looks though it is not their turn. @type {number | null} */
  #guest = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #lingering;

  /**
   * Everything that has happened was shown: let the device look as whoever has to act.
   * @param {TableState} now
   */
  follow(now) {
    clearTimeout(this.#lingering);
    const held = sharedSeats(now);
    const acting = now.you?.to_act ?? [];
    if (!held.length || now.status !== "playing") return this.#end(held);
    if (this.seat !== null && acting.includes(this.seat)) this.#guest = null;
    const stays = this.seat !== null && (acting.includes(this.seat) || this.#guest === this.seat);
    if (stays) return this.#lift();
    if (!now.curtain) return acting.length ? this.#look(acting[0]) : undefined;
    if (this.seat === null) return this.#fall(now, acting);
    this.#lingering = setTimeout(() => this.#look(null), LINGER_MS);
  }

  /**
   * A state has arrived: whoever was to lift the curtain sees it now.
   * @param {TableState} now
   */
  open(now) {
    if (this.seat !== null && now.seat === this.seat) this.#lift();
  }

  /**
   * Let somebody look at their hand, or (null) cover it.
   * @param {number | null} seat
   */
  show(seat) {
    for (const button of this.#card.querySelectorAll("button")) button.disabled = true;
    this.#guest = seat;
    this.#look(seat);
  }

  /**
   * Before the match nothing is hidden; after it, all are spectators.
   * @param {number[]} held
   */
  #end(held) {
    this.#lift();
    if (held.length && this.seat !== null) this.#look(null);
  }

  /** @param {number | null} seat */
  #look(seat) {
    clearTimeout(this.#lingering);
    if (seat === this.seat) return;
    this.seat = seat;
    this.emit("look", seat);
  }

  /**
   * Ask for the device to be passed on; while none of its people has to act, all may watch.
   * @param {TableState} now
   * @param {number[]} acting
   */
  #fall(now, acting) {
    if (!acting.length) return this.#lift();
    const [next, ...others] = acting;
    const { name } = now.seats[next];
    const rest = (now.you?.seats ?? []).filter((seat) => seat !== next);
    update(
      this.#card,
      h("p", { class: "soft" }, others.length ? t("All at the same time") : t("Next turn")),
      h("h2", {}, seatMark(next), t("Pass to {name}", { name })),
      h(
        "button",
        { class: "main", type: "button", "data-key": next, onclick: () => this.show(next) },
        t("I am {name}", { name }),
      ),
      h(
        "div",
        { class: "row" },
        rest.map((seat) => this.#lookAs(now, seat)),
      ),
    );
    if (!this.element.hidden) return;
    this.element.hidden = false;
    const buttons = [...this.#card.querySelectorAll("button")];
    for (const button of buttons) button.disabled = true;
    setTimeout(() => {
      for (const button of buttons) button.disabled = false;
      buttons[0].focus({ preventScroll: true });
    }, STILL_MS);
    this.emit("fall", null);
  }

  #lift() {
    this.element.hidden = true;
    this.#card.replaceChildren();
  }

  /**
   * Buttons for people on this device who want to look though it is not their turn: to undo, to
   * answer, to think ahead.
   * @param {TableState} now
   */
  buttons(now) {
    const held = sharedSeats(now);
    if (!held.length || now.status !== "playing" || !this.element.hidden) return [];
    if (now.curtain && this.seat !== null) return this.#guest === this.seat ? [this.#cover()] : [];
    return held.filter((seat) => seat !== this.seat).map((seat) => this.#lookAs(now, seat));
  }

  #cover() {
    const onclick = () => this.show(null);
    return h("button", { type: "button", class: "main", "data-key": "cover", onclick }, t("Done"));
  }

  /**
   * @param {TableState} now
   * @param {number} seat
   */
  #lookAs(now, seat) {
    const { name } = now.seats[seat];
    const label = now.curtain ? t("{name}'s hand", { name }) : t("Look as {name}", { name });
    const onclick = () => this.show(seat);
    return h("button", { type: "button", "data-key": `as ${seat}`, onclick }, label);
  }
}
