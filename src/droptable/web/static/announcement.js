// @ts-check
// What the host tells everybody, above every page, until it is over or closed.

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";

const AGAIN_MS = 60_000;
const CLOSED = "announcement"; // the last text that was closed on this device

const banner = h("div", { class: "announcement", role: "status", hidden: true });

async function look() {
  if (document.hidden) return;
  const { text } = await get("announcement").catch(() => ({ text: null }));
  if (text === null) return; // no connection: what is shown stays
  banner.hidden = !text || sessionStorage.getItem(CLOSED) === text;
  if (banner.hidden || banner.firstChild?.textContent === text) return;
  fill(banner, h("p", {}, text), closeButton(text));
  document.body.prepend(banner);
}

/** @param {string} text */
function closeButton(text) {
  const close = () => {
    sessionStorage.setItem(CLOSED, text);
    banner.hidden = true;
  };
  const label = t("Close");
  return h(
    "button",
    { class: "icon plain", type: "button", title: label, "aria-label": label, onclick: close },
    icon("close"),
  );
}

/** Show it now, and whatever comes while the page is open. */
export function showAnnouncements() {
  look();
  setInterval(look, AGAIN_MS);
  document.addEventListener("visibilitychange", look);
}
