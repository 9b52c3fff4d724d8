/**
 * The slopes of one node where they are few: a number for each element, or its Jacobian, a row of slopes for each
 * element of its result. What is sent is the sum of the rows, each times what arrived for its element.
 * @module
 */
import { evaluate, hasProduct } from "../formula/evaluate.js";

/** @typedef {import("../formula/evaluate.js").Numbers} Numbers */
/** @typedef {import("../formula/tree.js").Tree} Tree */
/** @typedef {(name: string) => unknown} Names */

const MOST_ROWS = 4;
const MOST_COLUMNS = 6;

/**
 * The Jacobian of a product of matrices.
 * @param {Tree} tree of the formula, simplified
 * @param {Names} names
 * @param {Numbers} arriving
 * @param {readonly number[]} sent
 * @returns {number[][] | null}  null where it is large, or where these numbers do not come out
 */
export function jacobianOf(tree, names, arriving, sent) {
  const { data: g, shape } = arriving;
  if (!hasProduct(tree) || g.length > MOST_ROWS || sent.length > MOST_COLUMNS) return null;
  const rows = g.map((_, i) => {
    const unit = { shape, data: g.map((__, k) => Number(k === i)) };
    return evaluate(tree, (name) => (name === "g" ? unit : names(name)))?.data;
  });
  if (!rows.every((row) => row?.length === sent.length)) return null;
  const found = /** @type {number[][]} */ (rows);
  const sums = sent.map((_, j) => found.reduce((sum, row, i) => sum + g[i] * row[j], 0));
  const size = Math.max(1e-12, ...sent.map(Math.abs));
  return sums.every((x, j) => Math.abs(x - sent[j]) <= 1e-4 * size) ? found : null;
}

/**
 * The slopes of a node that multiplies element by element.
 * @param {Tree} tree of the formula, simplified
 * @param {Names} names
 * @returns {number[] | null}  one, or one for each element
 */
export const slopesOf = (tree, names) => evaluate(tree, (name) => (name === "g" ? 1 : names(name)))?.data ?? null;
