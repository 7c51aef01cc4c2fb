// @ts-check
// Call me back: where I am reached, what I want to hear of, and when I want to be left in peace.

import { get, messageOf, post, put, remove } from "./api.js";
import { fill, h } from "./dom.js";
import { language, loadTexts, t } from "./i18n.js";
import { introduce } from "./names.js";
import { toast } from "./toast.js";
import { applyTheme, topBar } from "./top.js";

/** @import { Child, NewNoticeTarget, NoticeKind, NoticeOffer, NoticeTarget, NoticeWishes } from "./types.d.ts" */

applyTheme();
await loadTexts();
const box = h("div", { class: "card-box" });
document.body.append(topBar(t("Call me back")), h("main", { class: "narrow" }, box));
const [purpose, token] = location.hash.slice(1).split("=");
if (purpose === "confirm") followLink(() => post("notices/confirm", { token }), confirmed());
else if (purpose === "stop") askToStop();
else start();

/**
 * @param {() => Promise<unknown>} act
 * @param {string} done
 */
async function followLink(act, done) {
  history.replaceState(null, "", "notices");
  try {
    await act();
    fill(box, h("h2", {}, t("Done")), h("p", {}, done), homeLink());
  } catch (error) {
    fill(box, h("h2", {}, t("That did not work")), h("p", {}, messageOf(error)), homeLink());
  }
}

function confirmed() {
  return t("Your address is confirmed: you will be called back there.");
}

function askToStop() {
  const stop = () =>
    followLink(() => post(`notices/stop/${token}`), t("You will get no more e-mails."));
  fill(
    box,
    h("h2", {}, t("No more e-mails?")),
    h("p", {}, t("You will not be called back at this address any more.")),
    h("p", {}, h("button", { class: "main", onclick: stop }, t("Stop the e-mails"))),
  );
}

async function start() {
  try {
    const offer = await get("notices");
    if (!offer.ways.length) {
      fill(box, h("p", {}, t("This server sends no notices.")), homeLink());
      return;
    }
    await introduce();
    await show(offer);
  } catch (error) {
    fill(box, h("p", { role: "alert" }, messageOf(error)), homeLink());
  }
}

/** @param {NoticeOffer} offer */
async function show(offer) {
  const { wishes, targets } = await get("me/notices");
  fill(
    box,
    part(
      t("Where shall we reach you?"),
      targets.length
        ? h(
            "ul",
            { class: "targets" },
            targets.map((target) => line(target, offer)),
          )
        : h("p", {}, t("Nowhere yet. Choose a way:")),
      offer.ways.includes("push") && pushPart(offer),
      offer.ways.includes("mail") && field("mail", "email", t("E-mail address"), offer),
      offer.ways.includes("webhook") &&
        field("webhook", "url", t("Webhook address (your own, Discord or Slack)"), offer),
      targets.some(({ state }) => state === "on") &&
        h("p", {}, h("button", { type: "button", onclick: test }, t("Send a test"))),
    ),
    wishesPart(wishes),
    homeLink(),
  );
}

/**
 * @param {NoticeTarget} target
 * @param {NoticeOffer} offer
 */
function line(target, offer) {
  const names = { push: t("Browser"), mail: t("E-mail"), webhook: t("Webhook") };
  const states = {
    new: t("follow the link in the e-mail that we sent"),
    on: "",
    off: t("stopped"),
  };
  const notes = [states[target.state], target.problem].filter(Boolean).join(": ");
  const away = async () => {
    try {
      await remove(`me/notices/targets/${target.id}`);
      await show(offer);
    } catch (error) {
      toast(messageOf(error));
    }
  };
  return h(
    "li",
    { "data-way": target.way, "data-state": target.state },
    h("span", { class: "grow" }, h("b", {}, names[target.way]), ` ${target.address}`),
    h("button", { type: "button", onclick: away }, t("Remove")),
    notes && h("p", { class: target.state === "new" ? "note" : "bad" }, notes),
  );
}

/** @param {NoticeOffer} offer */
function pushPart(offer) {
  const problem = h("p", { class: "bad", role: "alert" });
  const subscribe = async () => {
    try {
      await add({ push: await subscription(offer.push_key) }, offer);
    } catch (error) {
      fill(problem, messageOf(error));
    }
  };
  return h(
    "div",
    {},
    h("p", {}, h("button", { type: "button", onclick: subscribe }, t("Notify this browser"))),
    problem,
  );
}

/** @param {string} key of the server @returns {Promise<PushSubscriptionJSON>} */
async function subscription(key) {
  if (!("PushManager" in window) || !navigator.serviceWorker)
    throw new Error(t("This browser cannot be notified. On an iPhone, install the app first."));
  if ((await Notification.requestPermission()) !== "granted")
    throw new Error(t("Allow notifications in the browser's settings of this page first."));
  const worker = await navigator.serviceWorker.ready;
  try {
    const made = await worker.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: key,
    });
    return made.toJSON();
  } catch {
    throw new Error(t("The browser's push service cannot be reached. Try again later."));
  }
}

/**
 * A field for an address, with its button.
 * @param {"mail" | "webhook"} way
 * @param {string} type
 * @param {string} label
 * @param {NoticeOffer} offer
 */
function field(way, type, label, offer) {
  const input = h("input", { id: way, type, maxlength: 1000 });
  const problem = h("p", { class: "bad", role: "alert" });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const { value } = input;
    try {
      await add(way === "mail" ? { mail: value } : { webhook: value }, offer);
    } catch (error) {
      fill(problem, messageOf(error));
    }
  };
  return h(
    "form",
    { onsubmit: submit, novalidate: "" },
    h("label", { for: way }, label),
    h("div", { class: "row" }, input, h("button", {}, t("Add"))),
    problem,
  );
}

/**
 * @param {NewNoticeTarget} target
 * @param {NoticeOffer} offer
 */
async function add(target, offer) {
  const { state } = await post("me/notices/targets", target);
  await show(offer);
  if (state === "new") toast(t("We have sent you an e-mail: follow the link in it."));
}

async function test() {
  try {
    await post("me/notices/test");
    toast(t("A notice is on its way to you."));
  } catch (error) {
    toast(messageOf(error));
  }
}

/** @param {NoticeWishes} wishes */
function wishesPart(wishes) {
  let chosen = { ...wishes, language };
  if (chosen.zone === "UTC") chosen.zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const problem = h("p", { class: "bad", role: "alert" });

  /** @param {Partial<NoticeWishes>} change */
  async function save(change) {
    chosen = { ...chosen, ...change };
    try {
      await put("me/notices", chosen);
      fill(problem);
    } catch (error) {
      fill(problem, messageOf(error));
    }
  }

  /** @type {Record<NoticeKind, string>} */
  const kinds = {
    turn: t("It is my turn"),
    reminder: t("My time is running out"),
    invitation: t("Somebody invites me"),
    over: t("A match is over"),
    daily: t("Today's deal is there"),
  };
  const boxes = Object.entries(kinds).map(([kind, label]) => {
    const input = h("input", {
      type: "checkbox",
      checked: wishes[/** @type {NoticeKind} */ (kind)],
      "data-kind": kind,
      onchange: (event) => save({ [kind]: event.currentTarget.checked }),
    });
    return h("label", { class: "check" }, input, label);
  });
  const rhythms = {
    "": t("At once"),
    hour: t("Every hour, together"),
    day: t("At 6 pm, together"),
  };
  const digest = h(
    "select",
    { onchange: (event) => save({ digest: event.currentTarget.value }) },
    Object.entries(rhythms).map(([value, label]) =>
      h("option", { value, selected: value === wishes.digest }, label),
    ),
  );
  return h(
    "div",
    {},
    part(t("What do you want to hear of?"), ...boxes),
    part(
      t("When?"),
      h("p", {}, h("label", {}, t("Tell me"), " ", digest)),
      h(
        "p",
        {},
        t("Quiet hours, in your time ({zone})", { zone: chosen.zone }),
        h(
          "span",
          { class: "row" },
          clock(t("From"), wishes.quiet_from, (quiet_from) => save({ quiet_from })),
          clock(t("To"), wishes.quiet_to, (quiet_to) => save({ quiet_to })),
        ),
      ),
      h("p", {}, t("You get no notice of a table while you look at it.")),
      problem,
    ),
  );
}

/**
 * @param {string} label
 * @param {string} value
 * @param {(value: string) => unknown} choose
 */
function clock(label, value, choose) {
  const input = h("input", {
    type: "time",
    value,
    onchange: (event) => choose(event.currentTarget.value),
  });
  return h("label", {}, label, " ", input);
}

/**
 * @param {string} title
 * @param {Child[]} children
 */
function part(title, ...children) {
  return h("section", {}, h("h2", {}, title), ...children);
}

function homeLink() {
  return h("p", {}, h("a", { class: "button", href: "." }, t("To the start page")));
}
