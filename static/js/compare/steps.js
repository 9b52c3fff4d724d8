/**
 * The steps of two runs side by side: which step of one is the same of the other. Pure.
 * @module
 */

import { mainEvent, placeAt } from "../timeline/places.js";
import { align } from "../ui/align.js";

/** @typedef {import("../ui/book.js").Book} Book */

/** One run: its book and the times at which stepping stops. @typedef {{book: Book, stops: number[]}} Side */

/** Numbers in the text of an expression, by which a result without a name is called; iterations are told apart. */
const LITERAL = /(?<![\w.])(?<!iteration )\d+\.?\d*(?:e[+-]?\d+)?(?![\w.])/gi;

/**
 * What a step is, as far as it can be the same in another run: names, not ids, numbers or lines. A line that gives a
 * variable its value is the same step with another op, too.
 * @param {Side} side @param {number} stop
 */
export function keyOf({ book, stops }, stop) {
  const event = mainEvent(book, stops, stop);
  const { stretch, subject } = placeAt(book, stops, stops[stop] ?? 0);
  const about = subject.replace(LITERAL, "…");
  const part = stretch ? `${stretch.kind} ${stretch.call}` : "";
  const op = event?.kind === "op" ? book.ops.get(event.op) : undefined;
  const named = op?.outputs.some((id) => book.tensors.get(id)?.name === subject);
  return `${part} ${event?.kind ?? ""} ${op && !named ? op.name : about}`;
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
 * Both runs as one: the steps of either in order, those that are the same at once. A run waits while the other one has
 * steps of its own.
 * @param {Side} a @param {Side} b @param {readonly [number, number][]} pairs
 * @returns {[number, number][]}  times of both
 */
export function together(a, b, pairs) {
  /** @type {[number, number][]} */
  const steps = [];
  let [i, j] = [-1, -1];
  const stand = () => steps.push([a.stops[Math.max(0, i)] ?? 0, b.stops[Math.max(0, j)] ?? 0]);
  for (const [x, y] of [...pairs, [a.stops.length, b.stops.length]]) {
    for (i++; i < x; i++) stand();
    i = x - 1;
    for (j++; j < y; j++) stand();
    [i, j] = [x, y];
    if (x < a.stops.length) stand();
  }
  return steps;
}

/**
 * The step of both at which one of them stands at t.
 * @param {readonly [number, number][]} steps @param {number} which @param {number} t
 */
export function stepAt(steps, which, t) {
  const at = steps.findIndex((times) => times[which] >= t);
  return at < 0 ? steps.length - 1 : at;
}
