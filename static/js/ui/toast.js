/** A short message that goes away by itself. */

import { byId, h } from "./dom.js";

/** @param {string} text */
export function toast(text) {
  const element = h("div", { class: "toast" }, text);
  byId("toasts").replaceChildren(element);
  setTimeout(() => element.remove(), 2600);
}
