/**
 * The weights of backward calls where the program spells them out: filled as in the picture, and dragged like there.
 * @module
 */

import { flatNumbers } from "../ui/book.js";
import { weightLiterals } from "./literals.js";

/** @typedef {import("../ui/book.js").Book} Book */
/**
 * @typedef {{from: number, to: number, x: number, call: number, index: number}} Weight  x: as it was when the call ran
 */

/** Calls beyond these are not looked for in the program: a loop of thousands has one line. */
const MOST_CALLS = 60;

/**
 * @param {Book} book
 * @returns {Weight[]} in the order of the program, each literal once
 */
export function weightsIn(book) {
  const weights = known.get(book) ?? lookUp(book);
  known.set(book, weights);
  return weights;
}

/** @type {WeakMap<Book, Weight[]>} */
const known = new WeakMap();

/** @param {Book} book @returns {Weight[]} */
function lookUp(book) {
  const code = book.doc.source.code ?? "";
  /** @type {Map<number, Weight>} */
  const found = new Map();
  const lines = new Set();
  for (const event of [...book.calls.values()].slice(0, MOST_CALLS)) {
    if (!event.line || event.roots.length !== 1 || lines.has(event.line)) continue;
    lines.add(event.line);
    const xs = flatNumbers(book.value(event.gradients[0]));
    const literals = xs && weightLiterals(code, event.line);
    if (!literals || literals.length !== xs.length) continue;
    literals.forEach(({ from, to }, index) => {
      if (!found.has(from))
        found.set(from, { from, to, x: /** @type {number} */ (xs[index]), call: event.call, index });
    });
  }
  return [...found.values()].sort((a, b) => a.from - b.from);
}
