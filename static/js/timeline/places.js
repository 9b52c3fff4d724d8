/**
 * Where a time lies: which step of which band, and what it is about. Pure.
 * @module
 */

import { leadOf } from "../trace.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../trace/document").Event} TraceEvent */

/**
 * What a step does: computes, runs a backward pass, changes a leaf or its `.grad`, or shows something.
 * @typedef {"forward" | "backward" | "update" | "print"} Kind
 */

/**
 * A stretch of the run: consecutive steps of one kind, or one backward call.
 * @typedef {object} Stretch
 * @property {Kind} kind
 * @property {number} call  of a backward stretch, else −1
 * @property {number} first  index of its first stop
 * @property {number} last  index of its last stop, inclusive
 */

/**
 * @typedef {object} Place
 * @property {number} stop  index into stops
 * @property {string} title  "Step 3 of 5 · backward #1"
 * @property {Stretch | null} stretch
 * @property {string | null} node  the node of the backward graph the step is about
 * @property {string | null} tensor  else the tensor it is about
 * @property {string} subject  a short name of it
 * @property {number | null} line
 */

/** @type {WeakMap<number[], Stretch[]>} */
const known = new WeakMap();

/**
 * The run cut into stretches; stop 0, before anything ran, belongs to none.
 * @param {Book} book
 * @param {number[]} stops
 * @returns {Stretch[]}
 */
export function stretches(book, stops) {
  const seen = known.get(stops);
  if (seen) return seen;
  /** @type {Stretch[]} */
  const out = [];
  const bands = book.trace.bands;
  let band = -1;
  for (let i = 1; i < stops.length; i++) {
    const main = (stops[i] ?? 0) - 1;
    while ((bands[band + 1]?.start ?? Infinity) <= main) band++;
    let current = band < 0 ? undefined : bands[band];
    while (current && startOf(stops, i) >= current.end) current = current.outer;
    const open = out[out.length - 1];
    const kind = current
      ? "backward"
      : (kindOf(book, mainEvent(book, stops, i)) ?? outside(open, book.doc.events[main]));
    const call = current ? current.call : -1;
    if (open && open.kind === kind && open.call === call) open.last = i;
    else out.push({ kind, call, first: i, last: i });
  }
  known.set(stops, out);
  return out;
}

/**
 * What a step outside of backward passes does, by its main event.
 * @param {Book} book @param {TraceEvent | null} event
 * @returns {Kind | null}  null where it goes on with what the step before did
 */
function kindOf(book, event) {
  switch (event?.kind) {
    case "read":
    case "figure":
      return "print";
    case "grad":
      return "update";
    case "write": {
      const tensor = book.tensors.get(event.tensor);
      return tensor?.is_leaf && tensor.requires_grad ? "update" : "forward";
    }
    case "op":
    case "bind":
      return "forward";
    default:
      return null;
  }
}

/** @param {Stretch | undefined} before @param {TraceEvent | undefined} event @returns {Kind} */
const outside = (before, event) =>
  before && before.kind !== "backward" ? before.kind : !before && event?.kind === "print" ? "print" : "forward";

/** @param {number[]} stops @param {number} i index of the first event of step i */
const startOf = (stops, i) => stops[i - 1] ?? 0;

/** The stop at or before t. @param {number[]} stops @param {number} t @returns {number} index */
export function stopIndex(stops, t) {
  let low = 0;
  let high = stops.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (/** @type {number} */ (stops[middle]) <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The most telling event of a step.
 * @param {Book} book
 * @param {number[]} stops
 * @param {number} stop
 * @returns {TraceEvent | null}
 */
export function mainEvent(book, stops, stop) {
  return stop === 0 ? null : (book.doc.events[leadOf(book.trace, startOf(stops, stop), stops[stop] ?? 0)] ?? null);
}

/**
 * @param {Book} book
 * @param {number[]} stops
 * @param {number} t
 * @returns {Place}
 */
export function placeAt(book, stops, t) {
  const stop = stopIndex(stops, t);
  const stretch = stretches(book, stops).find(({ first, last }) => stop >= first && stop <= last) ?? null;
  const event = mainEvent(book, stops, stop);
  const about = event || !stop ? subjectOf(book, event) : { node: null, tensor: null, subject: "the last lines" };
  const title = stretch
    ? `Step ${stop - stretch.first + 1} of ${stretch.last - stretch.first + 1} · ${bandName(stretch)}`
    : book.doc.events.length
      ? "Before the first line"
      : "Nothing to step through";
  return { stop, title, stretch, ...about, line: lineOf(book, event) };
}

/** @param {Stretch} stretch */
export const bandName = ({ kind, call }) => (kind === "backward" ? `backward #${call + 1}` : kind);

/**
 * @param {Book} book
 * @param {TraceEvent | null} event
 * @returns {{node: string | null, tensor: string | null, subject: string}}
 */
function subjectOf(book, event) {
  switch (event?.kind) {
    case "node":
      return { node: event.node, tensor: null, subject: book.nodeTitle(event.node) };
    case "accumulate":
      return { node: event.node, tensor: event.tensor, subject: `${book.nameOf(event.tensor)}.grad` };
    case "op": {
      const op = book.ops.get(event.op);
      const output = op?.outputs[0] ?? null;
      return { node: op?.node ?? null, tensor: output, subject: output ? book.nameOf(output) : (op?.name ?? "") };
    }
    case "bind":
    case "write":
      return { node: null, tensor: event.tensor, subject: book.nameOf(event.tensor) };
    case "grad":
      return { node: null, tensor: event.tensor, subject: `${book.nameOf(event.tensor)}.grad` };
    case "backward": {
      const root = event.roots[0]?.[0] ?? null;
      return {
        node: null,
        tensor: book.rootsOf(event.call)[0] ?? null,
        subject: root ? `start at ${book.nodeTitle(root)}` : "start",
      };
    }
    case "read":
      return {
        node: null,
        tensor: event.tensor ?? null,
        subject: `${event.tensor ? book.nameOf(event.tensor) : book.nodeName(event.node)}.${event.attribute}`,
      };
    case "backward_end":
      return { node: null, tensor: null, subject: "finished" };
    case "figure":
      return { node: null, tensor: null, subject: "figure" };
    case "hook":
      return {
        node: null,
        tensor: event.target && book.tensors.has(event.target) ? event.target : null,
        subject: "hook",
      };
    case "error":
      return {
        node: book.trace.blame.nodes[0] ?? null,
        tensor: book.trace.blame.tensors[0] ?? null,
        subject: book.doc.error?.type ?? "error",
      };
    default:
      return { node: null, tensor: null, subject: "" };
  }
}

/** @param {Book} book @param {TraceEvent | null} event @returns {number | null} */
function lineOf(book, event) {
  if (!event) return null;
  if (event.kind === "node" || event.kind === "accumulate") return book.nodes.get(event.node)?.line ?? null;
  if (event.kind === "error") return book.doc.error?.line ?? null;
  if (event.kind === "hook" && event.registered) return event.registered;
  return "line" in event ? (event.line ?? null) : null;
}

/**
 * The stop at which the first backward pass starts, before anything has moved: the moment worth showing first.
 * @param {Book} book
 * @param {number[]} stops
 */
export function startOfFirstPass(book, stops) {
  const at = book.doc.events.findIndex((event) => event.kind === "backward");
  return (at < 0 ? undefined : stops.find((t) => t > at)) ?? stops[stops.length - 1] ?? 0;
}

/** Stops at which a gradient lands in a leaf. @param {Book} book @param {number[]} stops */
export function leafStops(book, stops) {
  return stops.filter((_, i) => mainEvent(book, stops, i)?.kind === "accumulate");
}
