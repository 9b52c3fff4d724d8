/**
 * Long lists of which little changes at a time: an element is made again only when it would look different.
 * @module
 */
import { turnInto } from "./morph.js";

/** @typedef {{key: string, look: string, make: () => Element}} Keyed  look: all that its element depends on */

/** @type {WeakMap<Element, Map<string, {look: string, element: Element}>>} */
const shown = new WeakMap();

/**
 * Make `parent` show one element per key, in this order; nothing else may change its children.
 * @param {Element} parent
 * @param {readonly Keyed[]} children
 */
export function showKeyed(parent, children) {
  const before = shown.get(parent) ?? new Map();
  const keys = new Set(children.map(({ key }) => key));
  for (const [key, { element }] of before) if (!keys.has(key)) element.remove();
  const after = new Map();
  let next = parent.firstElementChild;
  for (const { key, look, make } of children) {
    const old = before.get(key);
    if (old && old.look !== look) turnInto(old.element, make());
    const element = old?.element ?? make();
    if (element === next) next = element.nextElementSibling;
    else parent.insertBefore(element, next);
    after.set(key, { look, element });
  }
  shown.set(parent, after);
}
