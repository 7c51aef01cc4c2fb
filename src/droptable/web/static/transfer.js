// @ts-check
// Who am I, elsewhere: a link to another device (its secret is behind the #), a recovery key.

import { messageOf, post } from "./api.js";
import { fill, h } from "./dom.js";
import { loadTexts, t } from "./i18n.js";
import { copy, linkField } from "./links.js";
import { myName } from "./names.js";
import { applyTheme, topBar } from "./top.js";

applyTheme();
await loadTexts();
const box = h("div", { class: "card-box" });
document.body.append(topBar(t("Another device")), h("main", { class: "narrow" }, box));
const secret = location.hash.slice(1);
if (secret) followLink(secret);
else offer();

/** @param {string} secret */
async function followLink(secret) {
  history.replaceState(null, "", "move"); // it works once: no need to keep it in the history
  try {
    const { name } = await post("me/claim", { secret });
    welcome(name);
  } catch (error) {
    fill(box, h("h2", {}, t("That did not work")), h("p", {}, messageOf(error)), homeLink());
  }
}

/** @param {string | null} name */
function welcome(name) {
  fill(
    box,
    h("h2", {}, t("Welcome, {name}!", { name: name ?? "" })),
    h("p", {}, t("Your seats and tables are here now too.")),
    homeLink(),
  );
}

async function offer() {
  const name = await myName();
  fill(box, name ? [linkPart(name), keyPart()] : null, recoverPart());
}

/** @param {string} name */
function linkPart(name) {
  const offer = t(
    "You are {name}. Make a link and open it on the other device: your name, seats and tables are there, too. The link works once, for 15 minutes. Keep it secret.",
    { name },
  );
  return part(
    t("Play on another device"),
    h("p", {}, offer),
    h("button", { class: "main", onclick: makeLink }, t("Make the link")),
  );
}

async function makeLink() {
  const made = await post("me/links");
  const field = linkField(new URL(`move#${made.secret}`, document.baseURI).href);
  const picture = `data:image/svg+xml,${encodeURIComponent(made.qr)}`;
  fill(
    box,
    h("p", {}, t("Open this link on the other device, or photograph the code with it:")),
    h("p", {}, h("img", { src: picture, alt: t("QR code of the link"), width: 180, height: 180 })),
    field,
    h("p", {}, h("button", { onclick: () => copy(field) }, t("Copy the link"))),
    homeLink(),
  );
}

function keyPart() {
  const lead = t(
    "Should you lose this device: eight words bring you back. They are shown once; a new key replaces the old one.",
  );
  return part(
    t("Recovery key"),
    h("p", {}, lead),
    h("button", { onclick: makeKey }, t("Make a recovery key")),
  );
}

async function makeKey() {
  const { words } = await post("me/key");
  fill(
    box,
    h("h2", {}, t("Your recovery key")),
    h("p", { class: "key-words" }, words),
    h("p", {}, t("Write these words down now and keep them secret: who has them is you.")),
    homeLink(),
  );
}

function recoverPart() {
  const field = h("input", {
    id: "words",
    autocomplete: "off",
    maxlength: 200,
  });
  const problem = h("p", { class: "bad", role: "alert" });
  const recover = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      welcome((await post("me/recover", { words: field.value })).name);
    } catch (error) {
      fill(problem, messageOf(error));
    }
  };
  return part(
    t("Come back"),
    h(
      "form",
      { onsubmit: recover },
      h("label", { for: "words" }, t("The eight words of your recovery key")),
      field,
      problem,
      h("p", {}, h("button", {}, t("Bring me back"))),
    ),
  );
}

/**
 * @param {string} title
 * @param {import("./types.d.ts").Child[]} children
 */
function part(title, ...children) {
  return h("section", {}, h("h2", {}, title), ...children);
}

function homeLink() {
  return h("p", {}, h("a", { class: "button", href: "." }, t("To the start page")));
}
