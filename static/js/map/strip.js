/**
 * A large pass on the timeline: the parts it goes through, side by side. Pure.
 * @module
 */
import { passTree } from "./tree.js";

/** @typedef {import("./tree.js").Part} Part */
/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../trace.js").Band} Band */

/** A part that takes more of its pass than this is cut into what is inside. */
const DOMINANT = 0.4;
const MOST = 40;

/** @typedef {{name: string, first: number, last: number}} Piece  events */

/** @type {WeakMap<Band, Piece[]>} */
const known = new WeakMap();

/**
 * The parts to show of a pass, in its order.
 * @param {Trace} trace @param {Band} band
 * @returns {Piece[]}
 */
export function partsOfPass(trace, band) {
  const seen = known.get(band);
  if (seen) return seen;
  const { root } = passTree(trace, band);
  let parts = root.children;
  for (let cut = true; cut; ) {
    cut = false;
    const next = parts.flatMap((part) => {
      const inner = part.children.some((child) => child.kind !== "op");
      const fits = parts.length + part.children.length <= MOST;
      if (!inner || !fits || part.ops < root.ops * DOMINANT) return [part];
      cut = true;
      return part.children;
    });
    parts = next;
  }
  const pieces = together(parts);
  known.set(band, pieces);
  return pieces;
}

/**
 * Ops next to each other are one piece without a name.
 * @param {Part[]} parts
 * @returns {Piece[]}
 */
function together(parts) {
  /** @type {Piece[]} */
  const pieces = [];
  for (const { kind, name, first, last } of parts) {
    const before = pieces[pieces.length - 1];
    if (kind === "op" && before?.name === "") before.last = last;
    else pieces.push({ name: kind === "op" ? "" : name, first, last });
  }
  return pieces;
}
