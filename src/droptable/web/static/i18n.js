// What people read. English is in the code; the server has the other languages' catalogues.
export const languages = { en: "English", de: "Deutsch" };
export const language = pick();
let catalogue = {};

function pick() {
  const chosen = localStorage.getItem("language");
  if (chosen in languages) return chosen;
  const wanted = navigator.languages.map((name) => name.slice(0, 2));
  return wanted.find((name) => name in languages) ?? "en";
}

export async function loadTexts() {
  document.documentElement.lang = language;
  if (language === "en") return;
  const response = await fetch(`api/texts?language=${language}`);
  if (response.ok) catalogue = await response.json();
}

/** A text in the reader's language; {names} in it are replaced by values. */
export function t(text, values = {}) {
  return (catalogue[text] ?? text).replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}

export function chooseLanguage(name) {
  localStorage.setItem("language", name);
  location.reload();
}
