/**
 * What allows this tab to delete the runs it has sent; gone when the tab is.
 * @module
 */

import { isEmbedded } from "../ui/dom.js";

const PREFIX = "backlight:deletes:";
/** Tokens kept at most; the oldest go first. */
const MOST = 500;

/** Where the browser keeps nothing for a page, in a frame perhaps. @type {Map<string, string>} */
const held = new Map();

/** @param {string | null | undefined} run @param {string | null} token */
export function keepToken(run, token) {
  if (!run || !token || isEmbedded()) return;
  held.delete(run);
  held.set(run, token);
  if (held.size > MOST) dropToken(/** @type {string} */ (held.keys().next().value));
  try {
    sessionStorage.setItem(PREFIX + run, token);
  } catch {}
}

/** @param {string} run @returns {string | null} */
export function tokenOf(run) {
  try {
    return held.get(run) ?? sessionStorage.getItem(PREFIX + run);
  } catch {
    return null;
  }
}

/** @param {string} run */
export function dropToken(run) {
  held.delete(run);
  try {
    sessionStorage.removeItem(PREFIX + run);
  } catch {}
}
