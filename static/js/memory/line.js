/**
 * The line of memory over the run: columns of steps, and which step is where. Pure.
 * @module
 */
import { stretches } from "../timeline/places.js";
import { heldAt } from "./model.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("./model.js").Memory} Memory */

/** More steps than this share columns, which then show the most of them. */
const COLUMNS = 300;

/**
 * @typedef {object} Line
 * @property {number} steps
 * @property {number[]} columns 0 … 1: a share of the peak
 * @property {{from: number, to: number}[]} passes 0 … 1: where the backward passes are
 */

/** @param {Book} book @param {readonly number[]} stops @param {Memory} memory @returns {Line} */
export function lineOf(book, stops, memory) {
  const steps = stops.length;
  const count = Math.min(steps, COLUMNS);
  const columns = new Array(count).fill(0);
  const { times, bytes } = memory.curve;
  const most = memory.peak.bytes || 1;
  let k = 0;
  stops.forEach((stop, i) => {
    let high = heldAt(memory, stop);
    while (k < times.length && times[k] <= stop) high = Math.max(high, bytes[k++]);
    const column = Math.floor((i * count) / steps);
    columns[column] = Math.max(columns[column], high / most);
  });
  const passes = stretches(book, /** @type {number[]} */ (stops)).flatMap(({ kind, first, last }) =>
    kind === "backward" ? [{ from: first / steps, to: (last + 1) / steps }] : [],
  );
  return { steps, columns, passes };
}

/** The outline of the first columns, 1 high and as wide as there are columns. @param {number[]} columns */
export function outline(columns) {
  if (!columns.length) return "";
  let d = "M0 1";
  for (const [i, x] of columns.entries()) {
    if (x !== columns[i - 1]) d += `V${Number((1 - x).toFixed(4))}`;
    d += `H${i + 1}`;
  }
  return `${d}V1Z`;
}

/** The step at a place. @param {number} share 0 … 1 @param {number} steps */
export const stepAt = (share, steps) => Math.max(0, Math.min(steps - 1, Math.floor(share * steps)));
