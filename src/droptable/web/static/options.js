// @ts-check
// A field for one option of a game, by the option's kind.

import { h } from "./dom.js";
import { t } from "./i18n.js";

/** @import { ChoiceOption, FlagOption, NumberOption, NumbersOption } from "./types.d.ts" */
/** @import { GameOption, OptionValue } from "./types.d.ts" */

/** @typedef {{ field: HTMLElement, value: () => OptionValue }} Control */

/**
 * @param {string} name
 * @param {GameOption} option
 */
export function optionField(name, option) {
  const words = name.replaceAll("_", " ");
  const label = t(words);
  const { field, value } = control(option);
  const named =
    option.kind === "flag" ? h("span", { class: "check" }, field, label) : [label, field];
  return {
    name,
    element: h("label", { class: "option" }, named, h("small", { class: "soft" }, help(option))),
    value,
    isChanged: () => JSON.stringify(value()) !== JSON.stringify(option.default),
  };
}

/** @param {GameOption} option */
function help(option) {
  const obvious = option.kind === "flag" || option.kind === "choice";
  return obvious ? option.help : `${option.help} (${option.range})`;
}

/**
 * @param {GameOption} option
 * @returns {Control}
 */
function control(option) {
  switch (option.kind) {
    case "flag":
      return checkbox(option);
    case "choice":
      return select(option);
    case "numbers":
      return listInput(option);
    default:
      return numberInput(option);
  }
}

/** @param {FlagOption} option */
function checkbox(option) {
  const field = h("input", { type: "checkbox", checked: option.default });
  return { field, value: () => field.checked };
}

/** @param {ChoiceOption} option */
function select(option) {
  const items = option.choices.map((choice) =>
    h("option", { selected: choice === option.default }, t(String(choice))),
  );
  const field = h("select", {}, items);
  return { field, value: () => option.choices[field.selectedIndex] };
}

/** @param {NumbersOption} option */
function listInput(option) {
  const field = h("input", { value: option.default.join(" ") });
  const parts = () => field.value.split(/[\s,]+/).filter(Boolean);
  return { field, value: () => parts().map(number) };
}

/** @param {NumberOption} option */
function numberInput(option) {
  const { low, high } = option;
  const field = h("input", { type: "number", min: low, max: high, value: String(option.default) });
  return { field, value: () => number(field.value) };
}

/**
 * What was typed, as a number if it is one; otherwise the server says what is wrong.
 * @param {string} text
 */
function number(text) {
  return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
}
