/** Numbers as the ledger writes them: short, honest about what is missing. */

import { flatten, formatNumber, formatShape, nested, toNumber } from "../trace.js";
import { sizeOf } from "./book.js";

/** @typedef {import("../trace/document").Value} Value */

/**
 * A value in running text: a number, a short list, or its shape and norm.
 * @param {Value | null} value
 * @param {number} [limit] most elements written out
 */
export function short(value, limit = 6) {
  if (!value) return "None";
  const count = sizeOf(value);
  const data = value.data;
  if (data !== null && data !== undefined && count <= limit) return nested(data, value.dtype);
  const norm = normOf(value);
  const of = norm === null ? "" : norm === 0 ? " of zeros" : ` of norm ${formatNumber(norm)}`;
  return `a ${formatShape(value.shape)} tensor${of}`;
}

/**
 * The same where there are no sentences: in tables and formulas.
 * @param {Value | null} value
 * @param {number} [limit] most elements written out
 */
export function brief(value, limit = 6) {
  if (!value || (value.data !== null && value.data !== undefined && sizeOf(value) <= limit)) return short(value, limit);
  const norm = normOf(value);
  return `${formatShape(value.shape)}${norm === null ? "" : `, norm ${formatNumber(norm)}`}`;
}

/** @param {Value} value @returns {number | null} */
const normOf = (value) => /** @type {number | undefined} */ (value.stats?.norm) ?? norm2(flatten(value));

/** @param {unknown[] | null} xs */
function norm2(xs) {
  return xs ? Math.sqrt(xs.reduce((/** @type {number} */ sum, x) => sum + toNumber(x) ** 2, 0)) : null;
}

/** `1 gradient`, `2 gradients`. @param {number} n @param {string} word */
export const count = (n, word, plural = `${word}s`) => `${n} ${n === 1 ? word : plural}`;

/** `a`, `a and b`, `a, b and c`. @param {string[]} words */
export function list(words) {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}
