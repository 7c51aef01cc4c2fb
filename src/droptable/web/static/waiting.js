// @ts-check
// Before the match: who sits where, empty seats, and the start.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { linkField, qrCode } from "./links.js";
import { BOTS, seatMark } from "./seats.js";

/** @import { Game, Seat, SendCommand, TableState } from "./types.d.ts" */

/**
 * @param {TableState} state
 * @param {Game | undefined} game
 * @param {SendCommand} send
 * @param {(seat: number) => unknown} sit
 */
export function waiting(state, game, send, sit) {
  const full = state.seats.every((seat) => seat.bot || seat.people.length);
  return h(
    "div",
    { class: "card-box waiting" },
    h("h2", {}, t("Waiting for players")),
    h("p", {}, game?.summary ?? ""),
    h(
      "ul",
      { class: "places" },
      state.seats.map((seat, number) =>
        h("li", { class: "place" }, place(state, seat, number, send, sit)),
      ),
    ),
    !full && invitation(state.table),
    h(
      "div",
      { class: "row" },
      state.you?.owner && startButton(full, send),
      state.seat !== null && h("button", { onclick: () => send({ type: "leave" }) }, t("Leave")),
    ),
  );
}

/**
 * One seat, and what can be done with it.
 * @param {TableState} state
 * @param {Seat} seat
 * @param {number} number
 * @param {SendCommand} send
 * @param {(seat: number) => unknown} sit
 */
function place(state, seat, number, send, sit) {
  const owner = state.you?.owner;
  const free = !seat.bot && seat.people.length === 0;
  const empty = seat.reserved ? t("reserved") : t("a free seat");
  const remove = () => send({ type: "remove_bot", seat: number });
  return [
    seatMark(number),
    h("span", { class: "who" }, free ? empty : seat.name),
    state.open.includes(number) &&
      h("button", { class: "main", onclick: () => sit(number) }, t("Sit here")),
    owner && free && botChoice((bot) => send({ type: "add_bot", seat: number, bot })),
    owner && seat.bot && h("button", { onclick: remove }, t("Remove")),
  ];
}

/** @param {(bot: string) => unknown} add */
function botChoice(add) {
  return h(
    "select",
    {
      "aria-label": t("Add a bot"),
      onchange: ({ currentTarget: { value } }) => value && add(value),
    },
    h("option", { value: "" }, t("Add a bot …")),
    BOTS.map((bot) => h("option", { value: bot }, t(bot))),
  );
}

/** @param {string} table */
function invitation(table) {
  return h(
    "div",
    { class: "invite" },
    h("p", {}, t("Invite friends with this link or code:")),
    linkField(new URL(`t/${table}`, document.baseURI).href),
    qrCode(table, 160),
  );
}

/**
 * @param {boolean} full
 * @param {SendCommand} send
 */
function startButton(full, send) {
  /** @param {{ currentTarget: HTMLButtonElement }} event */
  async function start({ currentTarget: button }) {
    button.disabled = true; // a second click starts nothing
    button.disabled = (await send({ type: "start" })).ok;
  }
  return h("button", { class: "main", disabled: !full, onclick: start }, t("Start the match"));
}
