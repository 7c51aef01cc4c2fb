// Record files: chosen, or dropped on the page. The server verifies them and knows them by a key.
import { request } from "./api.js";
import { h, notify } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./i18n.js";

const MOST_BYTES = 512_000;

/** Where there is nothing to show yet, or what was asked for cannot be shown. */
export function opening(problem = null, table = null) {
  const field = h("input", {
    type: "file",
    accept: ".json,application/json",
    class: "for-readers",
    id: "file",
    onchange: () => field.files[0] && open(field.files[0]),
  });
  return h(
    "div",
    { class: "opening card-box" },
    problem && h("p", { class: "bad", role: "alert" }, problem),
    table && h("p", {}, h("a", { class: "button", href: table }, t("To the table"))),
    h("h2", {}, t("Look at a match again")),
    h(
      "p",
      {},
      t(
        "Drop the record of a match here, or choose its file. You can look at every moment, by anybody's eyes, and ask the coach.",
      ),
    ),
    field,
    h("label", { class: "button main", for: "file" }, icon("file"), t("Choose a record …")),
    h(
      "p",
      { class: "soft" },
      t(
        "Records come from “Record” below a replay, and from the programs that use Droptable. Matches that you played here are on the start page.",
      ),
    ),
  );
}

/** Let record files be dropped on any part of the page. */
export function dropAnywhere() {
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener(
    "dragleave",
    (event) => !event.relatedTarget && document.body.classList.remove("dropping"),
  );
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const [file] = event.dataTransfer.files;
    if (file) open(file);
  });
}

async function open(file) {
  if (file.size > MOST_BYTES) return notify(t("This file is too large for a record."));
  try {
    notify(t("Reading the record …"), 30);
    const { key } = await request("POST", "replays", JSON.parse(await file.text()));
    location.href = `replay/${key}`;
  } catch (error) {
    notify(error instanceof SyntaxError ? t("This file is not a record.") : error.message, 10);
  }
}
