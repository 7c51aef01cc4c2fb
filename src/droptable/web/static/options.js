// @ts-check
// An option of a game: a field by its kind, and a value in words.

import { h } from "./dom.js";
import { t } from "./i18n.js";

/** @import { ChoiceOption, FlagOption, NumberOption, NumbersOption } from "./types.d.ts" */
/** @import { GameOption, OptionValue } from "./types.d.ts" */

/** @typedef {{ field: HTMLInputElement | HTMLSelectElement, value: () => OptionValue }} Control */

/**
 * @param {string} name
 * @param {GameOption} option
 */
export function optionField(name, option) {
  const { field, value } = control(option);
  const problem = h("small", { class: "bad", id: `problem-${name}`, role: "alert" });
  const help = h("small", { class: "soft", id: `help-${name}` }, helpOf(option));
  field.setAttribute("aria-describedby", `help-${name} problem-${name}`);
  const named =
    option.kind === "flag"
      ? h("span", { class: "check" }, field, option.title)
      : [h("span", { class: "option-title" }, option.title), field];

  /** Say at the field what is wrong with it; false if something is. */
  function check() {
    const right = accepts(option, value());
    problem.textContent = right ? "" : t("Please enter {range}.", { range: option.range });
    field.setAttribute("aria-invalid", String(!right));
    return right;
  }
  field.addEventListener("change", check);
  return {
    name,
    option,
    field,
    element: h("label", { class: "option" }, named, help, problem),
    value,
    check,
    isChanged: () => JSON.stringify(value()) !== JSON.stringify(option.default),
  };
}

/**
 * A value that somebody chose, in words: "Board size: 7".
 * @param {GameOption} option
 * @param {OptionValue} value
 */
export function inWords(option, value) {
  const { title } = option;
  if (option.kind === "flag") return value ? title : t("not: {option}", { option: title });
  if (option.kind === "choice") {
    const label = option.labels[option.choices.map(String).indexOf(String(value))];
    return t("{option}: {value}", { option: title, value: label ?? String(value) });
  }
  const words = Array.isArray(value) ? value.join(" ") : String(value);
  return t("{option}: {value}", { option: title, value: words });
}

/** @param {GameOption} option */
function helpOf(option) {
  const obvious = option.kind === "flag" || option.kind === "choice";
  if (obvious) return option.help;
  const range = t("From {low} to {high}.", { low: option.low, high: option.high });
  return `${option.help} ${range}`;
}

/**
 * Whether the server would take a value.
 * @param {GameOption} option
 * @param {OptionValue} value
 */
function accepts(option, value) {
  const inRange = (/** @type {unknown} */ one, /** @type {NumberOption | NumbersOption} */ range) =>
    Number.isInteger(one) && Number(one) >= range.low && Number(one) <= range.high;
  if (option.kind === "number") return inRange(value, option);
  if (option.kind !== "numbers") return true;
  return (
    Array.isArray(value) &&
    value.length === option.default.length &&
    value.every((one) => inRange(one, option))
  );
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
  const items = option.choices.map((choice, index) =>
    h("option", { selected: choice === option.default }, option.labels[index]),
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
 * What was typed, as a number if it is one.
 * @param {string} text
 */
function number(text) {
  return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
}
