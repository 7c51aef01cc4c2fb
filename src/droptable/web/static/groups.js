// @ts-check
// My standing groups, and making a new one.

import { messageOf, post } from "./api.js";
import { h, notify } from "./dom.js";
import { t, tn } from "./i18n.js";

/** @import { ListedGroup } from "./types.d.ts" */

const LONGEST_NAME = 40;

/**
 * @param {ListedGroup[]} groups
 * @param {boolean} complete whether a group can be made here, too
 */
export function groupSection(groups, complete) {
  return h(
    "section",
    { class: "card-box" },
    h(complete ? "h3" : "h2", {}, t("Groups")),
    groups.length > 0 && h("ul", { class: "my-groups" }, groups.map(entry)),
    complete && h("p", { class: "soft" }, purpose()),
    complete && form(),
  );
}

function purpose() {
  return t("A group has a link for your friends, tables of its own, and a table of results.");
}

/** @param {ListedGroup} group */
function entry({ id, name, members }) {
  return h(
    "li",
    {},
    h("a", { href: `g/${id}` }, name),
    h("span", { class: "soft" }, tn("{count} member", "{count} members", members)),
  );
}

function form() {
  const field = h("input", {
    id: "group-name",
    maxlength: LONGEST_NAME,
    placeholder: t("Friday table"),
  });
  return h(
    "form",
    { class: "new-group", onsubmit: (event) => found(event, field) },
    h("label", { for: field.id }, t("New group")),
    field,
    h("button", {}, t("Make a group")),
  );
}

/**
 * @param {Event} event
 * @param {HTMLInputElement} field
 */
async function found(event, field) {
  event.preventDefault();
  try {
    const { group } = await post("groups", { name: field.value });
    location.href = `g/${group}`;
  } catch (error) {
    notify(messageOf(error));
  }
}
