// @ts-check
// Record files: chosen, or dropped on the page. The server verifies them and gives them a key.

import { messageOf, post } from "./api.js";
import { h, notify } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";

const MOST_BYTES = 512_000;

/**
 * Where there is nothing to show yet, or what was asked for cannot be shown.
 * @param {string | null} problem
 * @param {string | null} table the address of the table that is not over
 */
export function uploadBox(problem = null, table = null) {
  const field = h("input", {
    type: "file",
    accept: ".json,application/json",
    class: "for-readers",
    id: "file",
    onchange: (event) => openFirst(event.currentTarget.files),
  });
  const lead = t("Drop a match record here, or choose a file: replay it from any player's view.");
  const source = t("“Record” below a replay saves one. Your matches are on the start page.");
  return h(
    "div",
    { class: "opening card-box" },
    problem && h("p", { class: "bad", role: "alert" }, problem),
    table && h("p", {}, h("a", { class: "button", href: table }, t("To the table"))),
    h("h2", {}, t("Replay a match")),
    h("p", {}, lead),
    field,
    h("label", { class: "button main", for: "file" }, icon("file"), t("Choose a record …")),
    h("p", { class: "soft" }, source),
  );
}

/** Let record files be dropped on any part of the page. */
export function acceptDrops() {
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping"); // out of the window
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    openFirst(event.dataTransfer?.files);
  });
}

/** @param {FileList | null | undefined} files */
async function openFirst(files) {
  const file = files?.[0];
  if (!file) return;
  if (file.size > MOST_BYTES) return notify(t("This file is too large for a record."));
  try {
    notify(t("Reading the record …"), 30);
    const { key } = await post("replays", JSON.parse(await file.text()));
    location.href = `replay/${key}`;
  } catch (error) {
    const isRecord = !(error instanceof SyntaxError);
    notify(isRecord ? messageOf(error) : t("This file is not a record."), 10);
  }
}
