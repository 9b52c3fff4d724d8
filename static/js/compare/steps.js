/**
 * The steps of two runs side by side: which step of one is the same of the other. Pure.
 * @module
 */

import { mainEvent, placeAt, stopIndex } from "../timeline/places.js";
import { align } from "../ui/align.js";

/** @typedef {import("../ui/book.js").Book} Book */

/** One run: its book and the times at which stepping stops. @typedef {{book: Book, stops: number[]}} Side */

/**
 * What a step is, as far as it can be the same in another run: names, not ids, numbers or lines. A line that gives a
 * variable its value is the same step with another op, too.
 * @param {Side} side @param {number} stop
 */
export function keyOf({ book, stops }, stop) {
  const event = mainEvent(book, stops, stop);
  const { stretch, subject } = placeAt(book, stops, stops[stop] ?? 0);
  const part = stretch ? `${stretch.kind} ${stretch.call}` : "";
  const op = event?.kind === "op" ? book.ops.get(event.op) : undefined;
  const named = op?.outputs.some((id) => book.tensors.get(id)?.name === subject);
  return `${part} ${event?.kind ?? ""} ${op && !named ? op.name : subject}`;
}

/**
 * @param {Side} a @param {Side} b
 * @returns {[number, number][]} steps that are the same, in order; step 0, before anything ran, is
 */
export function sameSteps(a, b) {
  const keys = (/** @type {Side} */ side) => side.stops.map((_, stop) => keyOf(side, stop));
  return align(keys(a), keys(b));
}

/**
 * The time in the other run: that of the same step, or else of the last one before it that both have.
 * @param {Side} from @param {Side} to @param {readonly [number, number][]} pairs of these two, in this order
 * @param {number} t
 */
export function sameTime(from, to, pairs, t) {
  const stop = stopIndex(from.stops, t);
  let low = 0;
  let high = pairs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (/** @type {[number, number]} */ (pairs[middle])[0] <= stop) low = middle;
    else high = middle - 1;
  }
  return to.stops[pairs[low]?.[1] ?? 0] ?? 0;
}
