/** A short message that goes away by itself. */

import { byId, h } from "./dom.js";

/** Until it is noticed, and for each character. */
const SEEN_MS = 2000;
const READING_MS = 60;

/** @param {string} text */
export function toast(text) {
  const element = h("div", { class: "toast" }, text);
  byId("toasts").replaceChildren(element);
  setTimeout(() => element.remove(), SEEN_MS + READING_MS * text.length);
}
