/** What another site has in its page to show a step here: an element with a frame. Pure. */

import { write } from "./address.js";

/** Of the frame, in pixels; narrower pages have it as wide as they are. */
const [WIDTH, HEIGHT] = [720, 480];

/** @type {Record<string, string>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** @param {string} text */
const attribute = (text) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

/**
 * @param {import("./address.js").Address} address of what is on show
 * @param {string} title of the page
 * @param {string} origin scheme and host
 * @param {string} root path of the service, with a slash at its end
 * @returns {string} HTML
 */
export function frameOf(address, title, origin, root) {
  const source = origin + write({ ...address, embed: true, present: false }, root);
  return (
    `<iframe src="${attribute(source)}" title="${attribute(title)}" width="${WIDTH}" height="${HEIGHT}" ` +
    `style="max-width:100%;border:0" loading="lazy"></iframe>`
  );
}
