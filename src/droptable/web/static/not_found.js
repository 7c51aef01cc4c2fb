// A page that is not there: say so, and lead back.
import { h } from "./dom.js";
import { loadTexts, t } from "./i18n.js";
import { applyTheme, topBar } from "./top.js";

applyTheme();
await loadTexts();
document.body.append(
  topBar(t("Nothing here")),
  h(
    "main",
    { class: "narrow" },
    h(
      "div",
      { class: "card-box" },
      h("h2", {}, t("There is no page {path}", { path: location.pathname.slice(0, 60) })),
      h(
        "p",
        {},
        t(
          "The address may be incomplete. Tables, replays and rules are all found from the start page.",
        ),
      ),
      h("p", {}, h("a", { class: "button main", href: "." }, t("To the start page"))),
    ),
  ),
);
