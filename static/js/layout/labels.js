/**
 * What is written on edges is placed like a vertex, so that it has room and stands beside its neighbours. Then every
 * edge has a place for writing, though it be empty: cards stay on levels of their own.
 * @module
 */
import { DEFAULTS } from "./types.js";

/** @typedef {import("./types.js").LayoutInput} LayoutInput */
/** @typedef {LayoutInput & {inset: Float64Array, first: number}} Split */

/**
 * The same graph with each edge cut in two by its label. Vertices from `first` on are labels, one per edge; edge e
 * becomes 2e and 2e + 1. Without any label it stays as it is.
 * @param {LayoutInput} input
 * @returns {Split}
 */
export function splitEdges(input) {
  const n = input.width.length;
  const m = input.source.length;
  if (!input.labelHeight.some((h) => h > 0)) return { ...input, inset: new Float64Array(n), first: n };
  const grown = (/** @type {ArrayLike<number>} */ before, /** @type {(e: number) => number} */ of) =>
    Float64Array.from({ length: n + m }, (_, v) => (v < n ? before[v] : of(v - n)));
  const { wire } = { ...DEFAULTS, ...input.options };
  const { labelWidth, labelHeight, labelRest, source, target, group, groupParent } = input;
  const tall = (/** @type {number} */ e) => Math.max(wire, labelHeight[e]);
  return {
    ...input,
    first: n,
    width: grown(input.width, (e) => Math.max(2, labelWidth[e])),
    height: grown(input.height, tall),
    anchor: grown(input.anchor, () => 0),
    floor: Uint8Array.from(grown(input.floor, () => 0)),
    inset: grown(new Float64Array(n), (e) => (labelRest[e] ? (tall(e) - Math.min(tall(e), labelRest[e])) / 2 : 0)),
    seed: input.seed && grown(input.seed, () => NaN),
    group: Int32Array.from(grown(group, (e) => around(group[source[e]], group[target[e]], groupParent))),
    source: Int32Array.from({ length: 2 * m }, (_, i) => (i % 2 ? n + (i >> 1) : source[i >> 1])),
    target: Int32Array.from({ length: 2 * m }, (_, i) => (i % 2 ? target[i >> 1] : n + (i >> 1))),
  };
}

/** The innermost group around two. @param {number} a @param {number} b @param {Int32Array} parent */
function around(a, b, parent) {
  const above = new Set([-1]);
  for (let g = a; g >= 0; g = parent[g]) above.add(g);
  let common = b;
  while (!above.has(common)) common = parent[common];
  return common;
}

/**
 * One path from two, straight through the label between them.
 * @param {Float64Array} a @param {Float64Array} b
 */
export function joinPaths(a, b) {
  const [x0, y0] = a.subarray(-2);
  const [x1, y1] = b;
  const path = new Float64Array(a.length + 6 + b.length - 2);
  path.set(a);
  path.set([x0, y0 + (y1 - y0) / 3, x1, y1 - (y1 - y0) / 3, x1, y1], a.length);
  path.set(b.subarray(2), a.length + 6);
  return path;
}
