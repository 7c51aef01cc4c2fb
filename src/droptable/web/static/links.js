// Links that are given to others: shown in a field, and copied.
import { h, notify } from "./dom.js";
import { t } from "./i18n.js";

export const linkField = (link) =>
  h("input", {
    readonly: true,
    value: link,
    "aria-label": t("Link"),
    onclick: (event) => event.target.select(),
  });

/** Copy what a field shows. Without HTTPS there is no clipboard, but the old way. */
export async function copy(field) {
  field.select();
  const done = navigator.clipboard
    ? await navigator.clipboard.writeText(field.value).then(
        () => true,
        () => false,
      )
    : document.execCommand("copy");
  notify(done ? t("The link is copied.") : t("The link is marked: copy it by hand."));
}
