/** Style sheets of what is seen later than the first picture. */

import { h, isWhole } from "./dom.js";

/** @param {string} name below static/css @returns {Promise<unknown>} resolves when it holds */
export function sheet(name) {
  if (isWhole()) return Promise.resolve(); // it holds them all
  const link = h("link", { rel: "stylesheet", href: new URL(`../../css/${name}`, import.meta.url).href });
  return new Promise((done, failed) => {
    link.addEventListener("load", done);
    link.addEventListener("error", failed);
    document.head.append(link);
  });
}
