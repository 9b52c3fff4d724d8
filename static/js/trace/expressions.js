/**
 * Expressions that tensors without a name are called by, as trees: those of the document, and those that are put
 * together of them.
 * @module
 */
import { treesOf } from "../formula/tree.js";

/** @typedef {import("../formula/tree.js").Tree} Tree */

/** An expression without spaces and the module of its function. @param {string} text */
export const squeezed = (text) => text.replace(/\s+/g, "").replace(/^(torch|F|nn\.functional)\./, "");

export class Expressions {
  /** @param {Record<string, unknown>} [table] of the document */
  constructor(table) {
    this.trees = new Map([...treesOf(table)].map(([text, tree]) => [squeezed(text), tree]));
  }

  /** @param {string} name @returns {Tree | undefined} */
  of(name) {
    const text = squeezed(name);
    const [, several, place] = /^(.+)\[(\d+)\]$/.exec(text) ?? [];
    const list = several === undefined ? undefined : this.trees.get(several);
    return this.trees.get(text) ?? (list === undefined ? undefined : ["[]", list, Number(place)]);
  }

  /** @param {string} text @param {string} sign @param {string} left @param {string} right */
  join(text, sign, left, right) {
    const sides = [left, right].map((side) => this.of(side) ?? named(side));
    if (!sides.includes(undefined)) this.trees.set(text, [sign, ...sides]);
  }
}

/**
 * The tree of a name, of an attribute, a place in a list, or a number.
 * @param {string} text @returns {Tree | undefined}
 */
function named(text) {
  if (/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(text)) {
    const [first, ...attributes] = text.split(".");
    return attributes.reduce((/** @type {Tree} */ of, name) => /** @type {Tree} */ ([".", of, name]), first);
  }
  return /^[A-Za-z_][\w.[\]]*$/.test(text)
    ? text
    : text !== "" && Number.isFinite(Number(text))
      ? Number(text)
      : undefined;
}
