// @ts-check
// For whoever hosts: people, tables and their chat, an announcement, what is old, and pictures of
// how much the server is used. The token stays in this tab, and goes in a header only.

import { messageOf, Refused } from "./api.js";
import { askText, sure } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { language, loadTexts, t, tn } from "./i18n.js";
import { toast } from "./toast.js";
import { applyTheme, topBar } from "./top.js";

/** @import { AdminGroup, AdminMessage, AdminOverview, AdminPerson, AdminTable } from "./types.d.ts" */

const TOKEN = "admin-token";
const PICTURES = ["matches", "people", "commands", "present", "busy"];

applyTheme();
await loadTexts();
const main = h("main", { class: "admin" });
document.body.append(topBar(t("Administration")), main);
if (sessionStorage.getItem(TOKEN)) open();
else askToken();

/**
 * @param {"GET" | "PUT" | "DELETE"} method
 * @param {string} path
 * @param {unknown} [body]
 */
async function send(method, path, body) {
  const address = new URL(`api/admin${path}`, document.baseURI);
  address.searchParams.set("language", language);
  const response = await fetch(address, {
    method,
    headers: { Authorization: `Bearer ${sessionStorage.getItem(TOKEN)}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Refused(await response.json(), response.status);
  return response;
}

/** @param {string} path */
async function load(path) {
  return (await send("GET", path)).json();
}

function askToken(problem = "") {
  const field = h("input", { id: "token", type: "password", autocomplete: "off" });
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    sessionStorage.setItem(TOKEN, field.value.trim());
    open();
  };
  fill(
    main,
    h(
      "form",
      { class: "card-box", onsubmit: enter },
      h("label", { for: "token" }, t("The host's token")),
      h("div", { class: "row" }, field, h("button", { class: "main" }, t("Open"))),
      h("p", { class: "bad", role: "alert" }, problem),
    ),
  );
  field.focus();
}

async function open() {
  try {
    const overview = await load("");
    fill(
      main,
      announcementPart(overview),
      listPart("people", t("People"), personRow),
      listPart("tables", t("Tables"), tableRow),
      listPart("groups", t("Groups"), groupRow),
      h("section", { class: "card-box" }, h("h2", {}, t("Use")), h("div", {}, pictures())),
      oldPart(overview),
      actsPart(overview),
    );
  } catch (error) {
    sessionStorage.removeItem(TOKEN);
    askToken(messageOf(error));
  }
}

/**
 * Do something, say so, and show everything anew.
 * @param {() => Promise<unknown>} act
 */
async function run(act) {
  try {
    await act();
    toast(t("Done"));
  } catch (error) {
    toast(messageOf(error));
  }
}

/** @param {AdminOverview} overview */
function announcementPart({ announcement }) {
  const text = h("input", { id: "announcement", value: announcement, maxlength: 300 });
  const begins = h("input", { type: "datetime-local", value: local(Date.now()) });
  const ends = h("input", { type: "datetime-local", value: local(Date.now() + 86_400_000) });
  const announce = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(() =>
      send("PUT", "/announcement", {
        text: text.value,
        begins: seconds(begins),
        ends: seconds(ends),
      }),
    );
  };
  const withdraw = () => {
    text.value = "";
    run(() => send("DELETE", "/announcement"));
  };
  return h(
    "form",
    { class: "card-box", onsubmit: announce },
    h("h2", {}, h("label", { for: "announcement" }, t("Announcement on all pages"))),
    text,
    h(
      "p",
      { class: "row" },
      h("label", {}, t("From"), " ", begins),
      h("label", {}, t("To"), " ", ends),
    ),
    h(
      "p",
      { class: "row" },
      h("button", { class: "main" }, t("Announce")),
      h("button", { type: "button", onclick: withdraw }, t("Remove")),
    ),
  );
}

/** @param {number} milliseconds */
function local(milliseconds) {
  const here = milliseconds - new Date(milliseconds).getTimezoneOffset() * 60_000;
  return new Date(here).toISOString().slice(0, 16);
}

/** @param {HTMLInputElement} field */
function seconds(field) {
  return new Date(field.value).getTime() / 1000;
}

/**
 * A list that can be searched.
 * @template Entry
 * @param {string} kind
 * @param {string} title
 * @param {(entry: Entry, again: () => unknown) => HTMLElement} row
 */
function listPart(kind, title, row) {
  const search = h("input", { id: `search-${kind}`, type: "search", maxlength: 100 });
  const list = h("ul", { class: "found" });
  const show = async () => {
    const found = await load(`/${kind}?search=${encodeURIComponent(search.value)}`);
    const none = h("li", { class: "soft" }, t("Nobody and nothing found"));
    fill(list, found.length ? found.map((/** @type {Entry} */ one) => row(one, show)) : none);
  };
  const start = (/** @type {Event} */ event) => {
    event.preventDefault();
    show().catch((error) => toast(messageOf(error)));
  };
  show();
  return h(
    "section",
    { class: "card-box", "data-list": kind },
    h("h2", {}, title),
    h(
      "form",
      { class: "row", onsubmit: start, role: "search" },
      h("label", { for: search.id, class: "for-readers" }, t("Search")),
      search,
      h("button", {}, t("Search")),
    ),
    list,
  );
}

/**
 * @param {AdminPerson} person
 * @param {() => unknown} again
 */
function personRow(person, again) {
  const path = `/people/${person.id}`;
  const act = async (/** @type {() => Promise<unknown>} */ work) => {
    await run(work);
    again();
  };
  const rename = async () => {
    const name = await askText(t("Rename {name}", { name: person.name }), t("Name"), person.name);
    if (name) act(() => send("PUT", path, { name }));
  };
  const block = async () => {
    const title = t("Block {name}?", { name: person.name });
    const reason = await askText(title, t("The reason, which they are told"), "");
    if (reason !== null) act(() => send("PUT", path, { blocked: true, reason }));
  };
  const unsay = async () => {
    const title = t("Remove all that {name} said?", { name: person.name });
    if (await sure(title, t("This cannot be undone."), t("Remove")))
      act(() => send("DELETE", `${path}/chat`));
  };
  const blocked = person.blocked !== null;
  return h(
    "li",
    { "data-id": person.id, "data-blocked": String(blocked) },
    h(
      "span",
      { class: "grow" },
      h("b", {}, person.name),
      blocked && h("span", { class: "bad" }, ` ${t("blocked")} ${person.blocked}`),
      h("span", { class: "soft" }, ` ${person.id} · ${date(person.seen ?? person.created)}`),
    ),
    button(t("Rename"), rename),
    blocked
      ? button(t("Unblock"), () => act(() => send("PUT", path, { blocked: false })))
      : button(t("Block"), block),
    button(t("Remove chat"), unsay),
  );
}

/** @param {AdminTable} table */
function tableRow(table) {
  const chat = h("ul", { class: "found" });
  const show = async () => {
    const said = await load(`/tables/${table.table}/chat`);
    const none = h("li", { class: "soft" }, t("Nobody has said anything."));
    fill(
      chat,
      said.length ? said.map((/** @type {AdminMessage} */ m) => message(table, m, show)) : none,
    );
  };
  return h(
    "li",
    {},
    h(
      "span",
      { class: "grow" },
      h("a", { href: `t/${table.table}` }, h("b", {}, table.title || table.game)),
      h("span", {}, ` ${table.names.join(", ")}`),
      h("span", { class: "soft" }, ` ${statusOf(table)} · ${date(table.updated)}`),
    ),
    button(t("Chat"), show),
    chat,
  );
}

/**
 * @param {AdminGroup} group
 * @param {() => unknown} again
 */
function groupRow({ id, name, members, used }, again) {
  const take = async () => {
    const title = t("Remove the group {name}?", { name });
    if (!(await sure(title, t("This cannot be undone."), t("Remove")))) return;
    await run(() => send("DELETE", `/groups/${id}`));
    again();
  };
  return h(
    "li",
    { "data-id": id },
    h(
      "span",
      { class: "grow" },
      h("b", {}, name),
      h("span", { class: "soft" }, ` ${tn("{count} member", "{count} members", members)}`),
      h("span", { class: "soft" }, ` · ${id} · ${date(used)}`),
    ),
    button(t("Remove"), take),
  );
}

/** @param {AdminTable} table */
function statusOf({ status }) {
  const names = {
    waiting: t("waiting"),
    playing: t("playing"),
    over: t("over"),
    closed: t("closed"),
  };
  return names[/** @type {keyof typeof names} */ (status)];
}

/**
 * @param {AdminTable} table
 * @param {AdminMessage} said
 * @param {() => unknown} again
 */
function message({ table }, said, again) {
  const take = async () => {
    await run(() => send("DELETE", `/tables/${table}/chat/${said.seq}`));
    again();
  };
  return h(
    "li",
    {},
    h("span", { class: "grow" }, h("b", {}, said.name), ` ${said.text}`),
    said.text !== "…" && button(t("Remove"), take),
  );
}

/** @param {string} label @param {() => unknown} onclick */
function button(label, onclick) {
  return h("button", { type: "button", onclick }, label);
}

function pictures() {
  return PICTURES.map((name) => {
    const picture = h("img", { alt: "", width: 640, height: 240 });
    send("GET", `/usage/${name}.svg`)
      .then((response) => response.blob())
      .then((blob) => {
        picture.src = URL.createObjectURL(blob);
      })
      .catch((error) => {
        picture.alt = messageOf(error);
      });
    return picture;
  });
}

/** @param {AdminOverview} overview */
function oldPart({ old, keep }) {
  /** @type {Record<string, string>} */
  const names = {
    guests: t("People without a table who do not come any more"),
    waiting: t("Tables that wait, or were closed"),
    unfinished: t("Unfinished matches"),
    finished: t("Finished matches"),
    chat: t("Tables with old chat"),
    groups: t("Groups that nobody uses"),
  };
  const rows = Object.entries(old).map(([kind, count]) => {
    const days = keep[kind]
      ? tn("kept for {count} day", "kept for {count} days", keep[kind])
      : t("kept for ever");
    return h("tr", {}, h("td", {}, names[kind]), h("td", {}, days), h("td", {}, String(count)));
  });
  return h(
    "section",
    { class: "card-box" },
    h("h2", {}, t("To be deleted now")),
    h("table", {}, h("tbody", {}, rows)),
  );
}

/** @param {AdminOverview} overview */
function actsPart({ acts }) {
  if (!acts.length) return null;
  return h(
    "section",
    { class: "card-box" },
    h("h2", {}, t("What was done")),
    h(
      "ul",
      { class: "found" },
      acts.map(({ at, act, about, detail }) =>
        h("li", {}, h("span", { class: "soft" }, date(at)), ` ${act} ${about} ${detail}`),
      ),
    ),
  );
}

/** @param {number} at seconds since 1970 */
function date(at) {
  return new Date(at * 1000).toLocaleString(language, { dateStyle: "short", timeStyle: "short" });
}
