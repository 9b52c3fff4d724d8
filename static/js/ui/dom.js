/**
 * @typedef {Node | string | number | null | undefined | false} Child
 */

/**
 * Make an element. Properties starting with `on` are listeners, `class` and `dataset` are what they say, `true` is an
 * empty attribute, and `null`, `undefined` or `false` leave the attribute out. Styles are never set by attribute: the
 * page's content security policy forbids that.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any> | null} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  apply(element, props);
  element.append(...flat(children));
  return element;
}

/** Is this page one file, with nothing beside it to load? */
export const isWhole = () => document.documentElement.hasAttribute("data-whole");

/** Is this page one for frames of other sites, which changes nothing and keeps nothing? */
export const isEmbedded = () => "embed" in document.documentElement.dataset;

const SVG = "http://www.w3.org/2000/svg";

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any> | null} [props]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, props, ...children) {
  const element = document.createElementNS(SVG, tag);
  apply(element, props);
  element.append(...flat(children));
  return element;
}

/** @param {Element} element @param {Record<string, any> | null} [props] */
function apply(element, props) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(/** @type {HTMLElement} */ (element).dataset, value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function flat(children) {
  /** @type {(Node | string)[]} */
  const out = [];
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    out.push(typeof child === "number" ? String(child) : child);
  }
  return out;
}

/** Words longer than this may break. */
export const LONG = 24;

/**
 * A name, which may break where a word or an attribute of it begins if it is long: some are wider than their column.
 * @param {string} name
 * @returns {(Node | string)[]}
 */
export function breakable(name) {
  const words = name
    .split(/(?<= )/)
    .flatMap((word) => (word.length > LONG ? word.split(/(?<=[a-z])(?=[A-Z])|(?=\.[A-Za-z_])/) : [word]));
  return words.flatMap((word, i) => (i ? [document.createElement("wbr"), word] : [word]));
}

/**
 * The element with this id; the template promises it exists.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** True while the reader asked the system for less motion. */
export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
