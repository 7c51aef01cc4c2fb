// @ts-check
// The reader's language. English is in the code; the server has the catalogues of the others.

/** @typedef {Record<string, string | number>} Values what is filled in, by name */
/** @typedef {Record<string, string>} Forms a text for each plural category of `Intl` */

const page = document.documentElement;

/** What the languages on offer call themselves, by tag. @type {Record<string, string>} */
export const languages = JSON.parse(page.dataset.languages ?? "{}");

const chosen = localStorage.getItem("language") ?? "";

/** The tag of the language: chosen before, or what the server found best for this browser. */
export const language = chosen in languages ? chosen : page.lang;

const english = new Intl.PluralRules("en");
const plurals = new Intl.PluralRules(language);
/** @type {Record<string, string | Forms>} */
let catalogue = {};

export async function loadTexts() {
  page.lang = language;
  if (language === "en") return;
  const response = await fetch(`api/texts?language=${language}`);
  if (response.ok) catalogue = await response.json();
}

/**
 * A text in the reader's language; {names} in it are replaced by values.
 * @param {string} text
 * @param {Values} values
 */
export function t(text, values = {}) {
  const translated = catalogue[text];
  return filled(typeof translated === "string" ? translated : text, values);
}

/**
 * A text in the form that a count takes in the reader's language.
 * @param {string} singular as in English
 * @param {string} plural as in English
 * @param {number} count replaces {count}
 * @param {Values} values
 */
export function tn(singular, plural, count, values = {}) {
  const forms = catalogue[singular];
  const translated = typeof forms === "object" ? forms[plurals.select(count)] : undefined;
  const source = english.select(count) === "one" ? singular : plural;
  return filled(translated ?? source, { count, ...values });
}

/** @param {string} text @param {Values} values */
function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));
}

/** @param {string} name a tag */
export function chooseLanguage(name) {
  localStorage.setItem("language", name);
  location.reload();
}
