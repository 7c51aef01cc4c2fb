// @ts-check
// The buttons below a board: moves that are not on it, chips, values, and Confirm. A button that
// stays is kept, so that a press is never lost because something else has changed.

import { h } from "./dom.js";
import { t } from "./i18n.js";

/** @import { Scene } from "./scene.js" */

/**
 * @typedef {object} Action
 * @property {string} key
 * @property {string} label
 * @property {string} kind classes
 * @property {() => unknown} act
 * @property {() => unknown} [preview]
 */

export class ActionBar {
  element = h("div", { class: "moves", role: "group", "aria-label": t("Moves") });
  /** @type {Map<string, { button: HTMLButtonElement, action: Action }>} */
  #shown = new Map();
  #scene;

  /** @param {Scene} scene */
  constructor(scene) {
    this.#scene = scene;
  }

  update() {
    const actions = this.#scene.isLive ? this.#actions() : [];
    const keys = new Set(actions.map((action) => action.key));
    for (const [key, { button }] of this.#shown)
      if (!keys.has(key)) {
        button.remove();
        this.#shown.delete(key);
      }
    for (const [place, action] of actions.entries()) {
      const button = this.#button(action);
      if (this.element.children[place] !== button)
        this.element.insertBefore(button, this.element.children[place] ?? null);
    }
  }

  /** @param {Action} action */
  #button(action) {
    let shown = this.#shown.get(action.key);
    if (!shown) {
      const button = h("button", {
        type: "button",
        onclick: () => this.#shown.get(action.key)?.action.act(),
        onpointerenter: () => this.#shown.get(action.key)?.action.preview?.(),
        onpointerleave: () => this.#scene.preview(null),
        onfocus: () => this.#shown.get(action.key)?.action.preview?.(),
        onblur: () => this.#scene.preview(null),
      });
      shown = { button, action };
      this.#shown.set(action.key, shown);
    }
    shown.action = action;
    if (shown.button.textContent !== action.label) shown.button.textContent = action.label;
    shown.button.className = action.kind;
    return shown.button;
  }

  /** @returns {Action[]} */
  #actions() {
    const scene = this.#scene;
    if (scene.armed)
      return [
        {
          key: "confirm",
          label: t("Confirm"),
          kind: "main confirm",
          act: () => scene.confirm(),
        },
        { key: "cancel", label: t("Cancel"), kind: "", act: () => scene.reset() },
      ];
    if (scene.filling?.choices.length)
      return scene.filling.choices.map((value) => ({
        key: `value ${value}`,
        label: value,
        kind: "value",
        act: () => scene.chooseValue(value, "mouse"),
      }));
    return [...this.#chips(), ...this.#moves(), ...this.#startOver()];
  }

  /** @returns {Action[]} */
  #chips() {
    const scene = this.#scene;
    const labelled = scene.chips.filter((chip) => chip.label); // others are traced only
    return labelled.map((chip) => ({
      key: `chip ${chip.tokens.join(" ")}`,
      label: chip.label,
      kind: "chip",
      act: () => scene.useChip(chip),
      preview: () => scene.previewChip(chip),
    }));
  }

  /** @returns {Action[]} */
  #moves() {
    const scene = this.#scene;
    return scene.buttonMoves.map((move) => ({
      key: `move ${move.token}`,
      label: move.label,
      kind: scene.chips.length ? "quiet" : "main",
      act: () => scene.make([move.token]),
      preview: () => scene.preview(String(move.path[0])),
    }));
  }

  /** @returns {Action[]} */
  #startOver() {
    const { touched, switches } = this.#scene.walk;
    const filled = this.#scene.filling?.filled.size;
    if (!filled && (!touched.length || Object.keys(switches).length)) return [];
    return [
      { key: "start over", label: t("Start over"), kind: "", act: () => this.#scene.reset() },
    ];
  }
}
