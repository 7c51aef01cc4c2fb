// @ts-check
// The clock of a table in words: "5 minutes per turn".

import { t, tn } from "./i18n.js";

/** @import { ClockSettings } from "./types.d.ts" */

/**
 * @param {ClockSettings["per"]} per
 * @param {number} seconds
 */
export function clockName(per, seconds) {
  const time = duration(seconds);
  return per === "turn" ? t("{time} per turn", { time }) : t("{time} for the match", { time });
}

/** @param {number} seconds */
function duration(seconds) {
  if (seconds % 86400 === 0) return tn("{count} day", "{count} days", seconds / 86400);
  if (seconds % 3600 === 0) return tn("{count} hour", "{count} hours", seconds / 3600);
  if (seconds % 60 === 0) return tn("{count} minute", "{count} minutes", seconds / 60);
  return tn("{count} second", "{count} seconds", seconds);
}
