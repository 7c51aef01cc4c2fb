// @ts-check
// Moving to another device: make a link here, or follow one. Its secret is behind the #.

import { messageOf, post } from "./api.js";
import { fill, h } from "./dom.js";
import { loadTexts, t } from "./i18n.js";
import { copy, linkField } from "./links.js";
import { introduce } from "./names.js";
import { applyTheme, topBar } from "./top.js";

applyTheme();
await loadTexts();
const box = h("div", { class: "card-box" });
document.body.append(topBar(t("Another device")), h("main", { class: "narrow" }, box));
const secret = location.hash.slice(1);
if (secret) followLink(secret);
else offerLink();

/** @param {string} secret */
async function followLink(secret) {
  history.replaceState(null, "", "move"); // it works once: no need to keep it in the history
  try {
    const { name } = await post("me/claim", { secret });
    fill(
      box,
      h("h2", {}, t("Welcome, {name}!", { name })),
      h("p", {}, t("Your seats and tables are here now too.")),
      homeLink(),
    );
  } catch (error) {
    fill(box, h("h2", {}, t("That did not work")), h("p", {}, messageOf(error)), homeLink());
  }
}

async function offerLink() {
  const name = await introduce();
  const offer = t(
    "You are {name}. Make a link and open it on the other device: your name, seats and tables are there, too. The link works once, for 15 minutes. Keep it secret.",
    { name },
  );
  return fill(
    box,
    h("h2", {}, t("Play on another device")),
    h("p", {}, offer),
    h("button", { class: "main", onclick: makeLink }, t("Make the link")),
  );
}

async function makeLink() {
  const made = await post("me/links");
  const field = linkField(new URL(`move#${made.secret}`, document.baseURI).href);
  fill(
    box,
    h("p", {}, t("Open this link on the other device:")),
    field,
    h("p", {}, h("button", { onclick: () => copy(field) }, t("Copy the link"))),
    homeLink(),
  );
}

function homeLink() {
  return h("p", {}, h("a", { class: "button", href: "." }, t("To the start page")));
}
