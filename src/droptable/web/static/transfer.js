// Moving to another device: make a link here, or follow one (its secret is behind the #).
import { post } from "./api.js";
import { fill, h } from "./dom.js";
import { copy, linkField } from "./links.js";
import { introduce, myName } from "./names.js";
import { loadTexts, t } from "./i18n.js";
import { applyTheme, topBar } from "./top.js";

applyTheme();
await loadTexts();
const box = h("div", { class: "card-box" });
document.body.append(topBar(t("Another device")), h("main", { class: "narrow" }, box));
const secret = location.hash.slice(1);
if (secret) follow();
else offer();

async function follow() {
  history.replaceState(null, "", "move"); // it works once: nobody needs it in the history
  try {
    const { name } = await post("me/claim", { secret });
    fill(
      box,
      h("h2", {}, t("Welcome, {name}!", { name })),
      h("p", {}, t("Your seats and tables are here now too.")),
      home(),
    );
  } catch (error) {
    fill(box, h("h2", {}, t("That did not work")), h("p", {}, error.message), home());
  }
}

async function offer() {
  if (!(await introduce())) return fill(box, h("p", {}, t("Choose a name first.")), home());
  fill(
    box,
    h(
      "p",
      {},
      t(
        "You are {name}. A link moves your seats and tables to another device; it works once, for 15 minutes. Give it to nobody else.",
        { name: await myName() },
      ),
    ),
    h("button", { class: "main", onclick: make }, t("Make the link")),
  );
}

async function make() {
  const link = new URL(`move#${(await post("me/links")).secret}`, document.baseURI).href;
  const field = linkField(link);
  fill(
    box,
    h("p", {}, t("Open this link on the other device:")),
    field,
    h("p", {}, h("button", { onclick: () => copy(field) }, t("Copy the link"))),
    home(),
  );
}

function home() {
  return h("p", {}, h("a", { class: "button", href: "." }, t("To the start page")));
}
