// @ts-check
// What people read. English is in the code; the server has the other languages' catalogues.

/** @type {Record<string, string>} */
export const languages = { en: "English", de: "Deutsch" };
export const language = pick();
/** @type {Record<string, string>} */
let catalogue = {};

function pick() {
  const chosen = localStorage.getItem("language");
  if (chosen && chosen in languages) return chosen;
  const wanted = navigator.languages.map((name) => name.slice(0, 2));
  return wanted.find((name) => name in languages) ?? "en";
}

export async function loadTexts() {
  document.documentElement.lang = language;
  if (language === "en") return;
  const response = await fetch(`api/texts?language=${language}`);
  if (response.ok) catalogue = await response.json();
}

/**
 * A text in the reader's language; {names} in it are replaced by values.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function t(text, values = {}) {
  return (catalogue[text] ?? text).replace(/\{(\w+)\}/g, (all, name) =>
    String(values[name] ?? all),
  );
}

/** @param {string} name */
export function chooseLanguage(name) {
  localStorage.setItem("language", name);
  location.reload();
}
