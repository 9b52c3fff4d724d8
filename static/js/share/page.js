/** A run as a page that plays it: the viewer with a document in it. Pure. */

import { NotARun } from "./document.js";

/** @typedef {import("../trace/document").RunDocument} RunDocument */

const PLACE = '<script type="application/json" id="run-document"';
const OTHER = '<script type="application/json" id="other-document"';

/**
 * The document of a file: JSON, or a page that plays one.
 * @param {string} text
 * @returns {string}
 * @throws {NotARun}
 */
export function documentIn(text) {
  if (!/^\s*</.test(text)) return text;
  const from = text.lastIndexOf(PLACE);
  const to = text.indexOf("</script>", from);
  if (from < 0 || to < 0) throw new NotARun("This page holds no run: only pages that Backlight wrote do.");
  return text.slice(text.indexOf(">", from) + 1, to);
}

/** What could end the element, or begin another, is written so that only JSON reads it. */
const INERT = /[<>&\u2028\u2029]/g;

/** @param {RunDocument} document */
const inert = (document) =>
  JSON.stringify(document).replace(INERT, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A page before its place for a run, and behind it. @param {string} viewer */
function parts(viewer) {
  const at = viewer.lastIndexOf(PLACE);
  return [viewer.slice(0, at), viewer.slice(viewer.indexOf("</script>", at) + "</script>".length)];
}

/**
 * A page that plays a run.
 * @param {string} viewer the page without a run, `static/viewer.html`
 * @param {RunDocument} document
 * @param {number} t where it begins
 */
export function pageOf(viewer, document, t) {
  const [before, after] = parts(viewer);
  return `${before}${PLACE} data-at="${t}">${inert(document)}</script>${after}`;
}

/**
 * A page that shows two runs side by side, from where they differ first; opened as one run it is the later one.
 * @param {string} viewer as for `pageOf` @param {RunDocument} earlier @param {RunDocument} later
 */
export function pairOf(viewer, earlier, later) {
  const [before, after] = parts(viewer);
  return `${before}${PLACE}>${inert(later)}</script>\n${OTHER}>${inert(earlier)}</script>${after}`;
}
