/**
 * Make `parent` show `children` while keeping every element that is still right: focus, scroll positions and a slider
 * under the reader's finger survive. Listeners do not travel, so morphed parts listen by delegation.
 *
 * An element with `data-key` is opaque: the same key keeps the old element untouched, another one replaces it.
 *
 * @param {Element} parent
 * @param {readonly (Node | null | undefined)[]} children
 */
export function morph(parent, children) {
  const wanted = children.filter((child) => child !== null && child !== undefined);
  let old = parent.firstChild;
  for (const next of wanted) {
    if (!old) {
      parent.append(next);
      continue;
    }
    const following = old.nextSibling;
    if (alike(old, next)) turnInto(old, next);
    else parent.replaceChild(next, old);
    old = following;
  }
  while (old) {
    const following = old.nextSibling;
    old.remove();
    old = following;
  }
}

/** @param {Node} node */
const keyOf = (node) => (node instanceof Element ? node.getAttribute("data-key") : null);

/** @param {Node} a @param {Node} b */
const alike = (a, b) => a.nodeName === b.nodeName && a.nodeType === b.nodeType && keyOf(a) === keyOf(b);

/** Make one node what another is. @param {Node} old @param {Node} next */
export function turnInto(old, next) {
  if (!(old instanceof Element) || !(next instanceof Element)) {
    if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
    return;
  }
  if (keyOf(old) !== null) return;
  for (const { name } of [...old.attributes]) if (!next.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of next.attributes) {
    if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  // Through the CSSOM: the content security policy forbids style attributes.
  if (old instanceof HTMLElement && next instanceof HTMLElement && old.style.cssText !== next.style.cssText) {
    old.style.cssText = next.style.cssText;
  }
  morph(old, [...next.childNodes]);
}
