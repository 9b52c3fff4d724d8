/** A run as a page that plays it: the viewer with a document in it. Pure. */

import { NotARun } from "./document.js";

/** @typedef {import("../trace/document").RunDocument} RunDocument */

const PLACE = '<script type="application/json" id="run-document"';

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

/**
 * A page that plays a run.
 * @param {string} viewer the page without a run, `static/viewer.html`
 * @param {RunDocument} document
 * @param {number} t where it begins
 */
export function pageOf(viewer, document, t) {
  const at = viewer.lastIndexOf(PLACE) + PLACE.length;
  const written = (/** @type {string} */ c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const json = JSON.stringify(document).replace(INERT, written);
  return `${viewer.slice(0, at)} data-at="${t}">${json}${viewer.slice(at + 1)}`;
}
