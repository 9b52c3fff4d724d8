/**
 * The slopes of one node where they are few: a number for each element, or its Jacobian, a row of slopes for each
 * element of its result. What is sent is the sum of the rows, each times what arrived for its element.
 * @module
 */
import { elements } from "../trace.js";
import { evaluate, isNumbers, parseFormula } from "./evaluate.js";

/** @typedef {import("./evaluate.js").Numbers} Numbers */
/** @typedef {(name: string) => unknown} Names */
/** @typedef {(g: number[]) => number[] | null} Linear  what a node sends for what arrives */

const MOST_ROWS = 4;
const MOST_COLUMNS = 6;

/**
 * @param {string} formula
 * @param {Names} names
 * @param {Numbers} arriving
 * @param {readonly number[]} sent
 * @returns {number[][] | null}  null where it is large, or where these numbers do not come out
 */
export function jacobianOf(formula, names, arriving, sent) {
  const { data: g, shape } = arriving;
  if (g.length > MOST_ROWS || sent.length > MOST_COLUMNS) return null;
  const run = linear(formula, names, shape);
  if (!run) return null;
  const rows = g.map((_, i) => run(g.map((__, k) => Number(k === i))));
  if (!rows.every((row) => row?.length === sent.length)) return null;
  const found = /** @type {number[][]} */ (rows);
  const sums = sent.map((_, j) => found.reduce((sum, row, i) => sum + g[i] * row[j], 0));
  const size = Math.max(1e-12, ...sent.map(Math.abs));
  return sums.every((x, j) => Math.abs(x - sent[j]) <= 1e-4 * size) ? found : null;
}

/**
 * The slopes of a node that multiplies element by element.
 * @param {string} formula @param {Names} names @param {number} count  of elements that are sent
 * @returns {number[] | null}  one, or one for each element
 */
export function slopesOf(formula, names, count) {
  const spread = /^expand\(g, [\w.]+\)( \/ count\([\w.]+\))?$/.exec(formula);
  if (spread) return [spread[1] ? 1 / count : 1];
  const clipped = /^threshold_backward\(g, (\w+), 0\)$/.exec(formula);
  if (clipped) return numbersOf(names(clipped[1]))?.data.map((x) => Number(x > 0)) ?? null;
  const expression = parseFormula(formula);
  const one = expression && evaluate(expression, (name) => (name === "g" ? { shape: [], data: [1] } : names(name)));
  return one?.data ?? null;
}

/**
 * Formulas of products of matrices, as functions of g.
 * @param {string} formula @param {Names} names @param {readonly number[]} shape  of g
 * @returns {Linear | null}
 */
function linear(formula, names, shape) {
  const scaled = /^scaled\((.+), (\w+)\)$/.exec(formula);
  if (scaled) {
    const inner = linear(scaled[1], names, shape);
    const by = numbersOf(names(scaled[2]));
    return inner && by?.data.length === 1 ? (g) => inner(g)?.map((x) => x * by.data[0]) ?? null : null;
  }
  const product = /^mm_grad_(first|second)\(g, (\w+)[,)]/.exec(formula);
  const matrix = product && numbersOf(names(product[2]));
  if (!product || matrix?.shape.length !== 2 || shape.length !== 2) return null;
  const [rows, columns] = matrix.shape;
  const at = (/** @type {number} */ i, /** @type {number} */ j) => matrix.data[i * columns + j];
  const [n, m] = shape;
  // g Mᵀ for the first factor, Mᵀ g for the second
  return product[1] === "first"
    ? (g) => grid(n, rows, (i, j) => total(m, (k) => g[i * m + k] * at(j, k)))
    : (g) => grid(columns, m, (i, j) => total(n, (k) => at(k, i) * g[k * m + j]));
}

/** @param {unknown} value @returns {Numbers | null} */
const numbersOf = (value) =>
  typeof value === "number"
    ? { shape: [], data: [value] }
    : isNumbers(value) && value.data.length === elements(value.shape)
      ? value
      : null;

/** @param {number} rows @param {number} columns @param {(i: number, j: number) => number} of */
const grid = (rows, columns, of) =>
  Array.from({ length: rows * columns }, (_, k) => of(Math.floor(k / columns), k % columns));

/** @param {number} count @param {(k: number) => number} of */
function total(count, of) {
  let sum = 0;
  for (let k = 0; k < count; k++) sum += of(k);
  return sum;
}
