// @ts-check
// What a table asks its people.

import { ask, h } from "./dom.js";
import { t } from "./i18n.js";
import { copy, linkField, qrCode, tvLink } from "./links.js";

/** @import { SendCommand, TableState } from "./types.d.ts" */

/** @param {string} table */
export function invite(table) {
  const field = linkField(new URL(`t/${table}`, document.baseURI).href);
  const body = h(
    "div",
    { class: "invite" },
    h("p", {}, t("Anyone with this link can watch, and join where a seat is free.")),
    field,
    qrCode(table, 180),
    h("p", {}, tvLink(table)),
  );
  return ask(t("Invite"), body, [
    { label: t("Copy the link"), act: () => copy(field) },
    { label: t("Done"), value: true, main: true },
  ]);
}

/** @param {boolean} shared whether others play on at the same seat */
export function confirmResign(shared) {
  const consequence = shared
    ? t("You leave; the others at your seat play on.")
    : t("You can no longer win; if the others play on, a bot plays for you.");
  return ask(t("Resign this match?"), h("p", {}, consequence), [
    { label: t("Play on"), value: null, main: true },
    { label: t("Resign"), value: true },
  ]);
}

/**
 * An undo was refused: offer to ask the other people.
 * @param {string} reason
 */
export function offerToAsk(reason) {
  return ask(t("Undo"), h("p", {}, reason), [
    { label: t("Leave it"), value: null },
    { label: t("Ask the others"), value: true, main: true },
  ]);
}

/**
 * The question whether a turn may be undone, to whom it is asked.
 * @param {TableState} state
 * @param {SendCommand} send
 */
export function undoQuestion(state, send) {
  const held = state.you?.seats ?? [];
  if (!state.undo || !held.length) return null;
  if (!state.undo.waiting.some((seat) => held.includes(seat)))
    return h("div", { class: "card-box asked" }, t("Waiting for the others to agree to the undo."));
  const { name } = state.seats[state.undo.seat];
  const answer = (/** @type {boolean} */ agree) => send({ type: "answer_undo", agree });
  return h(
    "div",
    { class: "card-box question" },
    h("p", {}, t("{name} would like to undo a turn. Do you agree?", { name })),
    h("button", { class: "main", onclick: () => answer(true) }, t("Agree")),
    h("button", { onclick: () => answer(false) }, t("Refuse")),
  );
}

/**
 * Ask before something that cannot be taken back.
 * @param {string} title
 * @param {string} consequence
 * @param {string} label of the button that does it
 */
export function sure(title, consequence, label) {
  return ask(title, h("p", {}, consequence), [
    { label: t("Cancel"), value: false },
    { label, value: true, main: true },
  ]);
}

/**
 * Ask for a line of text; null if it was called off.
 * @param {string} title
 * @param {string} label
 * @param {string} value
 * @returns {Promise<string | null>}
 */
export function askText(title, label, value) {
  const field = h("input", { id: "answer", value, maxlength: 200 });
  const form = h("form", {}, h("label", { for: "answer" }, label), field);
  /** @type {import("./types.d.ts").DialogButton<string | null>[]} */
  const buttons = [
    { label: t("Cancel"), value: null },
    { label: t("OK"), main: true, act: (close) => close(field.value) },
  ];
  return ask(title, form, buttons);
}
