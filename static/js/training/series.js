/**
 * The turns of a training as columns: losses, and for each parameter the norms of gradient and update. Pure.
 * @module
 */
import { toNumber } from "../trace.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../trace/document").Series & {turns?: number[]}} SeriesRecord */
/**
 * @typedef {object} Row a parameter, or the parameters of a module together
 * @property {string} name
 * @property {string[]} tensors
 * @property {(number | null)[]} grad norms by column; null where the turn did not reach it
 * @property {(number | null)[]} ratio what the turn changed, as a share of the value; null where that is 0 or unknown
 */
/**
 * @typedef {object} Series
 * @property {number} line of the backward call
 * @property {number} passes
 * @property {number} stride
 * @property {number[]} calls
 * @property {number[]} turns the number of each column's pass among the passes of this line, from 0
 * @property {(number | null)[]} loss NaN where it is not a number
 * @property {(number | null)[]} peak the largest loss from each column to the next
 * @property {Row[]} rows
 */

/** Fewer turns than this are seen at a glance in the timeline. */
const LEAST = 3;

/** More rows than this are folded by module. */
export const ROWS = 6;

/** @param {unknown} x @returns {number | null} */
const number = (x) => (x === null || x === undefined ? null : toNumber(x));

/** The square root of the sum of squares; null if nothing is known. @param {(number | null)[]} norms */
function together(norms) {
  const known = norms.filter((x) => x !== null);
  return known.length ? Math.sqrt(known.reduce((sum, x) => sum + x * x, 0)) : null;
}

/** @param {number | null} a @param {number | null} b */
const over = (a, b) => (a === null || b === null || b === 0 ? null : a / b);

/**
 * The series that tell of a training: something is learned, or there is a loss.
 * @param {Book} book
 * @returns {Series[]}
 */
export function seriesOf(book) {
  return /** @type {SeriesRecord[]} */ (book.doc.training ?? []).filter(isTraining).map((record) => {
    const peak = record.peak ?? record.loss;
    return {
      line: record.line,
      passes: record.passes,
      stride: record.stride,
      calls: record.calls,
      turns: record.turns ?? record.calls.map((_, i) => Math.min(i * record.stride, record.passes - 1)),
      loss: record.loss.map(number),
      peak: peak.map(number),
      rows: folded(record, (id) => book.nameOf(id)),
    };
  });
}

/** @param {SeriesRecord} record */
function isTraining({ passes, loss, parameters }) {
  if (passes < LEAST) return false;
  return loss.some((x) => x !== null) && parameters.some(({ update }) => update.some((x) => x !== null && x !== 0));
}

/**
 * One row for each parameter, or for each group of them where there are too many: by module, by as much of its path as
 * leaves few enough.
 * @param {SeriesRecord} record @param {(id: string) => string} nameOf
 * @returns {Row[]}
 */
function folded({ parameters, calls }, nameOf) {
  const named = parameters.map((parameter) => ({ ...parameter, name: nameOf(parameter.tensor) }));
  const deepest = Math.max(...named.map(({ name }) => name.split(".").length), 1);
  let groups = grouped(named, deepest);
  for (let depth = deepest - 1; depth > 0 && groups.size > ROWS; depth--) groups = grouped(named, depth);
  return [...groups].map(([name, members]) => {
    const at = (/** @type {"grad" | "weight" | "update"} */ key, /** @type {number} */ i) =>
      together(members.map((member) => number(member[key][i])));
    return {
      name,
      tensors: members.map(({ tensor }) => tensor),
      grad: calls.map((_, i) => at("grad", i)),
      ratio: calls.map((_, i) => over(at("update", i), at("weight", i))),
    };
  });
}

/**
 * Parameters by the first parts of their paths.
 * @template {{name: string}} P
 * @param {P[]} named @param {number} depth
 */
function grouped(named, depth) {
  /** @type {Map<string, P[]>} */
  const groups = new Map();
  for (const each of named) {
    const key = each.name.split(".").slice(0, depth).join(".");
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return groups;
}

/**
 * The turn at hand at time t: the last pass of the series that began by then. Between two columns it is reckoned.
 * @param {Series} series @param {Book} book @param {number} t
 * @returns {number | null} null before the first
 */
export function turnAt(series, book, t) {
  let call = -1;
  for (const band of book.trace.bands) {
    if (band.start >= t) break;
    if (!band.outer && book.calls.get(band.call)?.line === series.line) call = band.call;
  }
  return call < 0 ? null : turnOfCall(series, call);
}

/** @param {Series} series @param {number} call */
export function turnOfCall({ calls, turns }, call) {
  const i = columnBefore(calls, call);
  const [from, to] = [calls[i], calls[i + 1]];
  if (to === undefined || from === call) return turns[i];
  return turns[i] + Math.round(((call - from) / (to - from)) * (turns[i + 1] - turns[i]));
}

/**
 * The last place of an ascending list that is not after x; 0 if all are.
 * @param {readonly number[]} list @param {number} x
 */
export function columnBefore(list, x) {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Where a turn's pass ends in the timeline.
 * @param {Series} series @param {Book} book @param {number} turn
 * @returns {{t: number, recorded: boolean}} not recorded: where the gap begins that it lies in
 */
export function timeOfTurn(series, book, turn) {
  let before = 0;
  for (const band of book.trace.bands) {
    if (band.outer || book.calls.get(band.call)?.line !== series.line) continue;
    const own = turnOfCall(series, band.call);
    if (own === turn) return { t: band.end, recorded: true };
    if (own > turn) break;
    before = band.end;
  }
  const gap = book.doc.events.findIndex((event, i) => i >= before && event.kind === "gap");
  return { t: gap < 0 ? before : gap + 1, recorded: false };
}
