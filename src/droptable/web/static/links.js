// @ts-check
// Links to share: shown in a field, copied, or handed to another app.

import { h, notify } from "./dom.js";
import { t } from "./i18n.js";

/** @param {string} link */
export function linkField(link) {
  return h("input", {
    readonly: true,
    value: link,
    "aria-label": t("Link"),
    onclick: (event) => event.currentTarget.select(),
  });
}

/**
 * The QR code of a table's invite link.
 * @param {string} table
 * @param {number} size in pixels
 */
export function qrCode(table, size) {
  return h("img", {
    src: `api/tables/${table}/qr.svg`,
    alt: t("QR code of the link"),
    width: size,
    height: size,
  });
}

/**
 * The table on a large screen in the same room.
 * @param {string} table
 */
export function tvLink(table) {
  return h("a", { href: `tv/${table}`, target: "_blank" }, t("Show it on a television"));
}

/**
 * Copy what a field shows. Browsers have no clipboard API without HTTPS, only the old command.
 * @param {HTMLInputElement} field
 */
export async function copy(field) {
  field.select();
  const copied = navigator.clipboard
    ? await navigator.clipboard.writeText(field.value).then(
        () => true,
        () => false,
      )
    : document.execCommand("copy");
  notify(copied ? t("Link copied.") : t("The link is selected: copy it by hand."));
}

/**
 * Hand a link to another app, where the device can.
 * @param {string} title
 * @param {string} url
 */
export async function share(title, url) {
  await navigator.share({ title, url }).catch(() => {}); // it was called off
}
