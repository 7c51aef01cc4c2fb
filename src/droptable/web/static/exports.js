// @ts-check
// What can be taken along: a link, the record, a picture, an animation.

import { messageOf } from "./api.js";
import { h, notify } from "./dom.js";
import { language, t } from "./i18n.js";
import { icon } from "./icons.js";
import { isDark } from "./top.js";

/** @import { Match, Shape } from "./types.d.ts" */

/**
 * What is shown now.
 * @typedef {{ at: number, seat: number | null, scene: Shape, focus: number | null }} Shown
 */

/**
 * @param {string} key of the replay
 * @param {string} place its part of the page's address
 * @param {Match} match
 * @param {() => Shown} shown
 */
export function exportsBox(key, place, match, shown) {
  /**
   * @param {string} label
   * @param {string} file
   * @param {() => Partial<Shown>} values
   * @param {string} [progress] a notice for files that take a while
   */
  function fileButton(label, file, values, progress) {
    const address = () => `api/replays/${key}/${file}?${query(values())}`;
    return h(
      "button",
      { type: "button", onclick: (event) => save(event.currentTarget, address(), progress) },
      icon("download"),
      label,
    );
  }

  const seat = () => ({ seat: shown().seat });
  return h(
    "div",
    { class: "exports card-box" },
    h("h2", {}, t("Share and keep")),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        { type: "button", onclick: () => share(place, match, shown()) },
        icon("link"),
        t("Link"),
      ),
      fileButton(t("Record"), "record", () => ({})),
      fileButton("SVG", "picture.svg", shown),
      fileButton("PNG", "picture.png", shown),
      fileButton("GIF", "animation.gif", seat, t("The animation is being made …")),
    ),
    place.startsWith("record:") &&
      h("p", { class: "soft" }, t("The server forgets this record after a while; keep the file.")),
  );
}

/** @param {Partial<Shown>} values */
function query(values) {
  const all = { ...values, language, theme: isDark() ? "dark" : "light" };
  const given = Object.entries(all).filter(([, value]) => value !== null);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}

/**
 * @param {HTMLButtonElement} button
 * @param {string} address
 * @param {string} [progress]
 */
async function save(button, address, progress) {
  button.disabled = true;
  if (progress) notify(progress, 120);
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error((await response.json()).message);
    const disposition = response.headers.get("content-disposition") ?? "";
    const name = /filename="([^"]+)"/.exec(disposition)?.[1] ?? "droptable";
    const link = h("a", { href: URL.createObjectURL(await response.blob()), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    notify(t("{name} is saved.", { name }));
  } catch (error) {
    notify(messageOf(error));
  }
  button.disabled = false;
}

/**
 * @param {string} place
 * @param {Match} match
 * @param {Shown} shown
 */
async function share(place, match, { at, seat }) {
  const moment = seat === null ? `${at}` : `${at}@${seat}`;
  const url = new URL(`replay/${place}#${moment}`, document.baseURI).href;
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) {
      await navigator.share({ title: match.title, url });
    } else {
      await navigator.clipboard.writeText(url);
      notify(t("The link to this moment is copied."));
    }
  } catch (error) {
    const cancelled = error instanceof DOMException && error.name === "AbortError";
    if (!cancelled) notify(url, 20); // no clipboard here: it can be copied by hand
  }
}
