/**
 * The Jacobian, one row at a time: backward() with a one-hot gradient gives one row, so the program is run once for
 * each element of the output.
 * @module
 */

import { flatten, toNumber } from "../trace.js";
import { withGradient } from "../editor/literals.js";

/** @typedef {import("../ui/types").RunDocument} RunDocument */
/** @typedef {import("../editor/literals.js").GradientArgument} GradientArgument */
/** @typedef {{tensor: string, shape: number[], rows: number[][]}} LeafRows  rows[i][j] = ∂yᵢ/∂xⱼ */

/** More rows than this are not asked for. */
export const MOST_ROWS = 8;

/**
 * What one backward call added to each leaf, as flat numbers. Pure.
 * @param {RunDocument} doc
 * @param {number} call
 * @returns {Map<string, {shape: number[], numbers: number[]}>}
 */
export function contributions(doc, call) {
  /** @type {Map<string, {shape: number[], numbers: number[]}>} */
  const out = new Map();
  for (const event of doc.events) {
    if (event.kind !== "accumulate" || event.call !== call || !event.incoming) continue;
    const value = doc.values[event.incoming];
    const flat = flatten(value);
    if (value && flat) out.set(event.tensor, { shape: value.shape, numbers: flat.map(toNumber) });
  }
  return out;
}

/**
 * @param {object} question
 * @param {string} question.code
 * @param {GradientArgument} question.argument
 * @param {number} question.call which backward call
 * @param {number[]} question.shape of the output
 * @param {(code: string) => Promise<RunDocument>} run
 * @returns {Promise<LeafRows[]>} per leaf, in the order in which gradients land
 */
export async function jacobianRows({ code, argument, call, shape }, run) {
  const count = shape.reduce((product, n) => product * n, 1);
  /** @type {Map<string, LeafRows>} */
  const leaves = new Map();
  for (let i = 0; i < count; i++) {
    const oneHot = Array.from({ length: count }, (_, j) => (i === j ? 1 : 0));
    const doc = await run(withGradient(code, argument, oneHot, shape));
    for (const [tensor, { shape: leafShape, numbers }] of contributions(doc, call)) {
      const leaf = leaves.get(tensor) ?? { tensor, shape: leafShape, rows: [] };
      leaves.set(tensor, leaf);
      leaf.rows[i] = numbers;
    }
  }
  return [...leaves.values()].filter((leaf) => leaf.rows.length === count && leaf.rows.every(Boolean));
}

/**
 * v · J: every row weighted by its vᵢ and added up. Pure.
 * @param {number[]} v
 * @param {number[][]} rows
 */
export function weightedSum(v, rows) {
  return (rows[0] ?? []).map((_, j) => rows.reduce((sum, row, i) => sum + (v[i] ?? 0) * (row[j] ?? 0), 0));
}
