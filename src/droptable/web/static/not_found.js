// @ts-check
// A page that does not exist: say so, and lead back.

import { h } from "./dom.js";
import { loadTexts, t } from "./i18n.js";
import { applyTheme, topBar } from "./top.js";

applyTheme();
await loadTexts();
const path = location.pathname.slice(0, 60);
const box = h(
  "div",
  { class: "card-box" },
  h("h2", {}, t("There is no page {path}", { path })),
  h("p", {}, t("The address may be incomplete. The start page leads to everything.")),
  h("p", {}, h("a", { class: "button main", href: "." }, t("To the start page"))),
);
document.body.append(topBar(t("Nothing here")), h("main", { class: "narrow" }, box));
