// What can be taken along: a link, the record, a picture, an animation.
import { h, notify } from "./dom.js";
import { icon } from "./icons.js";
import { language, t } from "./i18n.js";
import { isDark } from "./top.js";

/** `now` tells what is shown: {at, seat, scene, focus}. */
export function exportsBox(key, place, match, now) {
  const file = (label, name, ask, progress) => {
    const button = h(
      "button",
      {
        type: "button",
        onclick: () => save(button, `api/replays/${key}/${name}?${query(ask())}`, progress),
      },
      icon("download"),
      label,
    );
    return button;
  };
  return h(
    "div",
    { class: "exports card-box" },
    h("h2", {}, t("Share and keep")),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        { type: "button", onclick: () => share(place, match, now()) },
        icon("link"),
        t("Link"),
      ),
      file(t("Record"), "record", () => ({})),
      file("SVG", "picture.svg", now),
      file("PNG", "picture.png", now),
      file(
        "GIF",
        "animation.gif",
        () => ({ seat: now().seat }),
        t("The animation is being made …"),
      ),
    ),
    place.startsWith("record:") &&
      h("p", { class: "soft" }, t("The server forgets this record after a while; keep the file.")),
  );
}

function query(values) {
  const given = Object.entries({ ...values, language, theme: isDark() ? "dark" : "light" }).filter(
    ([, value]) => value !== null,
  );
  return new URLSearchParams(given);
}

async function save(button, address, progress) {
  button.disabled = true;
  if (progress) notify(progress, 120);
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error((await response.json()).message);
    const name =
      /filename="([^"]+)"/.exec(response.headers.get("content-disposition"))?.[1] ?? "droptable";
    const link = h("a", { href: URL.createObjectURL(await response.blob()), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    notify(t("{name} is saved.", { name }));
  } catch (error) {
    notify(error.message);
  }
  button.disabled = false;
}

async function share(place, match, { at, seat }) {
  const link = new URL(`replay/${place}#${at}${seat === null ? "" : `@${seat}`}`, document.baseURI)
    .href;
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches)
      return await navigator.share({ title: match.title, url: link });
    await navigator.clipboard.writeText(link);
    notify(t("The link to this moment is copied."));
  } catch (error) {
    if (error.name !== "AbortError") notify(link, 20); // no clipboard here: to be copied by hand
  }
}
