// @ts-check
// A standing group: its tables, its results, and its link. By the link's secret anybody comes here,
// by the group's id its members.

import { get, messageOf, post, put, remove } from "./api.js";
import { askText, sure } from "./dialogs.js";
import { fill, h, notify } from "./dom.js";
import { results } from "./group_results.js";
import { loadTexts, t, tn } from "./i18n.js";
import { copy, linkField, share } from "./links.js";
import { when } from "./my_tables.js";
import { myName, rename } from "./names.js";
import { level, openTable } from "./new_table.js";
import { setUp } from "./setup.js";
import { applyTheme, topBar } from "./top.js";

/** @import { Game, GroupLink, GroupMatch, GroupMember, GroupPage } from "./types.d.ts" */

const REFRESH_MS = 15_000;

applyTheme();
await loadTexts();
document.title = `${t("Group")} – Droptable`;
const key = location.pathname.split("/").filter(Boolean).pop() ?? "";
const path = /** @type {const} */ (`groups/${key}`);
const page = h("main", { class: "people friends group" });
const choice = { game: "" }; // whose results are shown
let shown = ""; // the group as it was last shown: what has not changed is not touched
/** @type {Game[]} */
let games = [];
/** @type {GroupLink | null} */
let link = null;
document.body.append(topBar(t("Group")), page);
await show();
setInterval(() => !document.hidden && refresh(), REFRESH_MS);

async function show() {
  try {
    if (!games.length) games = await get("games");
    const group = await get(path);
    if (group.member) link ??= await get(`${path}/link`);
    const now = JSON.stringify([group, link]);
    if (now !== shown) draw(group);
    shown = now;
  } catch (error) {
    shown = "";
    fill(
      page,
      h("p", { class: "card-box" }, messageOf(error)),
      h("p", {}, h("a", { class: "button", href: "friends" }, t("Friends"))),
    );
  }
}

/** What others do appears by itself, unless somebody is just choosing or typing. */
async function refresh() {
  if (!page.contains(document.activeElement)) await show();
}

/** @param {GroupPage} group */
function draw(group) {
  document.title = `${group.name} – Droptable`;
  fill(
    page,
    heading(group),
    !group.member && joining(),
    group.tables.length > 0 && running(group.tables),
    group.member && starting(),
    results(group, choice, () => draw(group)),
    group.recent.length > 0 && recent(group.recent),
    group.member && link && sharing(group, link),
    group.member && managing(group),
  );
}

/** @param {GroupPage} group */
function heading({ name, members, matches }) {
  return h(
    "header",
    {},
    h("h2", {}, name),
    h(
      "p",
      { class: "soft" },
      tn("{count} member", "{count} members", members.length),
      " · ",
      tn("{count} match together", "{count} matches together", matches),
    ),
  );
}

function joining() {
  return h(
    "section",
    { class: "card-box" },
    h("p", {}, t("You were given the link to this group. Join to play with its people.")),
    h("button", { type: "button", class: "main", onclick: join }, t("Join the group")),
  );
}

async function join() {
  if (!((await myName()) ?? (await rename()))) return;
  await act(() => post(`${path}/members`));
}

/**
 * Do something and show what has become of the group.
 * @param {() => Promise<unknown>} work
 */
async function act(work) {
  try {
    await work();
  } catch (error) {
    notify(messageOf(error));
  }
  await show();
}

// -- tables ---------------------------------------------------------------------------------------

/** @param {GroupMatch[]} tables */
function running(tables) {
  return h(
    "section",
    { class: "card-box" },
    h("h3", {}, t("Tables now")),
    h("ul", { class: "group-tables" }, tables.map(table)),
  );
}

/** @param {GroupMatch} one */
function table({ table, game, title, names, free, seated, status }) {
  const people = names.filter((name) => !/^Seat \d+$/.test(name)).join(", ");
  const joins = status === "waiting" && free > 0 && !seated;
  return h(
    "li",
    { "data-accent": games.find(({ name }) => name === game)?.accent ?? "gold" },
    h("span", {}, h("b", {}, title), " ", h("span", { class: "soft" }, people)),
    h(
      "a",
      { class: joins ? "button main" : "button", href: `t/${table}` },
      joins && t("Take a seat"),
      !joins && (seated ? t("Go to the table") : t("Watch")),
    ),
  );
}

function starting() {
  const playable = games.filter(({ players }) => players.some((count) => count > 1));
  return h(
    "section",
    { class: "card-box" },
    h("h3", {}, t("Start a table for us")),
    h(
      "div",
      { class: "games" },
      playable.map((game) =>
        h(
          "button",
          { type: "button", "data-accent": game.accent, onclick: () => start(game) },
          game.title,
        ),
      ),
    ),
    h(
      "p",
      { class: "soft" },
      t("The others are invited, and find the table here. Rematches belong to the group, too."),
    ),
  );
}

/** @param {Game} game */
function start(game) {
  return setUp(game, level(), (settings) => openTable(settings, `${path}/tables`), false);
}

/** @param {GroupMatch[]} matches */
function recent(matches) {
  return h(
    "section",
    { class: "card-box" },
    h("h3", {}, t("Recent matches")),
    h("ul", { class: "recent" }, matches.map(match)),
  );
}

/** @param {GroupMatch} one */
function match({ table, title, names, winners, at, counts }) {
  const others = names.filter((name) => !winners.includes(name));
  return h(
    "li",
    {},
    h("a", { href: `replay/${table}` }, title),
    winners.length > 0 && h("span", { class: "won" }, winners.join(", ")),
    others.length > 0 && h("span", {}, others.join(", ")),
    !counts && h("span", { class: "soft" }, t("does not count: not between members only")),
    h("span", { class: "soft" }, when(at)),
  );
}

// -- the link, and what members can do ------------------------------------------------------------

/**
 * @param {GroupPage} group
 * @param {GroupLink} given
 */
function sharing({ name }, given) {
  const field = linkField(given.link);
  const code = h("img", {
    src: `data:image/svg+xml,${encodeURIComponent(given.qr)}`,
    alt: t("QR code of the link"),
    width: 160,
    height: 160,
  });
  return h(
    "section",
    { class: "card-box" },
    h("h3", {}, t("Invite people to the group")),
    h("p", { class: "soft" }, t("Whoever has this link can see the results, and join.")),
    field,
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", onclick: () => copy(field) }, t("Copy the link")),
      "share" in navigator &&
        h("button", { type: "button", onclick: () => share(name, given.link) }, t("Share")),
    ),
    code,
  );
}

/** @param {GroupPage} group */
function managing(group) {
  const button = (/** @type {string} */ label, /** @type {() => unknown} */ onclick) =>
    h("button", { type: "button", onclick }, label);
  const others = group.members.filter(({ mine }) => !mine);
  return h(
    "section",
    { class: "card-box own" },
    h("h3", {}, t("This group")),
    h(
      "div",
      { class: "row" },
      button(t("Leave the group"), () => leave(group)),
      group.founder && button(t("Rename"), () => renameGroup(group)),
      group.founder && button(t("New link"), renew),
      group.founder && button(t("Delete the group"), () => drop(group)),
    ),
    group.founder && others.length > 0 && h("ul", { class: "met" }, others.map(removable)),
  );
}

/** @param {GroupMember} member */
function removable(member) {
  const label = t("Remove");
  return h(
    "li",
    {},
    h("span", {}, member.name),
    h(
      "button",
      {
        type: "button",
        "aria-label": `${label}: ${member.name}`,
        onclick: () => dismiss(member),
      },
      label,
    ),
  );
}

/** @param {GroupMember} member */
async function dismiss({ id, name }) {
  const note = t("They cannot join again, unless you make a new link and give it to them.");
  if (await sure(t("Remove {name} from the group?", { name }), note, t("Remove")))
    await act(() => remove(`${path}/members/${id}`));
}

/** @param {GroupPage} group */
async function leave({ name, members }) {
  const last = t("You are the last one: the group is deleted with its results.");
  const note = members.length > 1 ? t("Matches you have played stay.") : last;
  if (!(await sure(t("Leave {name}?", { name }), note, t("Leave")))) return;
  await actAndGo(`${path}/members/me`);
}

/** @param {GroupPage} group */
async function renameGroup({ name }) {
  const wanted = await askText(t("Rename {name}", { name }), t("Name"), name);
  if (wanted) await act(() => put(path, { name: wanted }));
}

/** Whoever has come by the old link goes on by the group's id. */
async function renew() {
  const note = t("The old link does not work any more. Members stay.");
  if (!(await sure(t("Make a new link?"), note, t("New link")))) return;
  try {
    const { id } = await get(path);
    await post(`${path}/link`);
    location.replace(`g/${id}`);
  } catch (error) {
    notify(messageOf(error));
  }
}

/** @param {GroupPage} group */
async function drop({ name }) {
  const note = t("Its results are gone. Tables and replays stay.");
  if (await sure(t("Delete {name}?", { name }), note, t("Delete the group"))) await actAndGo(path);
}

/** @param {string} what is deleted, after which there is nothing to see here */
async function actAndGo(what) {
  try {
    await remove(what);
    location.href = "friends";
  } catch (error) {
    notify(messageOf(error));
  }
}
