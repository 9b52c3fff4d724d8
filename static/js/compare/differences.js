/**
 * What differs between two runs, and where first: in the program, in structure, in values, in gradients, in what is
 * printed. Pure.
 * @module
 */

import { flatten, formatNumber, formatShape, toNumber } from "../trace.js";
import { mainEvent, placeAt } from "../timeline/places.js";
import { align } from "../ui/align.js";

/** @typedef {import("./steps.js").Side} Side */
/** @typedef {import("../trace/document").Value} Value */

/**
 * `from`, `to`: what stands there in either run; `times`: where to look, in either run.
 * @typedef {object} Difference
 * @property {"Program" | "Structure" | "Values" | "Gradients" | "Output"} kind
 * @property {string} about
 * @property {string} from
 * @property {string} to
 * @property {[number, number] | null} times
 */

/** More numbers than this are told by their norm. */
const SHOWN = 4;

/**
 * @param {Side} a @param {Side} b @param {readonly [number, number][]} pairs the steps that are the same
 * @returns {Difference[]} the first of each kind; none for runs that say the same
 */
export function differences(a, b, pairs) {
  return [
    program(a, b),
    structure(a, b, pairs),
    numbers(a, b, pairs, "Values"),
    numbers(a, b, pairs, "Gradients"),
    output(a, b),
  ].filter((found) => found !== null);
}

/**
 * The first entries that only one of two lists has: their indices, or the length of the list.
 * @param {readonly [number, number][]} pairs @param {number} first @param {number} second the lengths
 * @returns {[number, number] | null}
 */
export function firstGap(pairs, first, second) {
  let i = 0;
  let j = 0;
  for (const [x, y] of pairs) {
    if (x > i || y > j) return [i, j];
    i = x + 1;
    j = y + 1;
  }
  return i < first || j < second ? [i, j] : null;
}

/** @param {Side} a @param {Side} b @returns {Difference | null} */
function program(a, b) {
  const [before, after] = [a.book.lines, b.book.lines];
  const pairs = align(before, after);
  const gap = firstGap(pairs, before.length, after.length);
  if (!gap) return null;
  const changed = Math.max(before.length, after.length) - pairs.length;
  const [i, j] = gap;
  const next = pairs.find(([x, y]) => x >= i && y >= j) ?? [before.length, after.length];
  return {
    kind: "Program",
    about: `line ${j + 1}${changed > 1 ? ` and ${changed - 1} more` : ""}`,
    from: i < next[0] ? (before[i]?.trim() ?? "") : "",
    to: j < next[1] ? (after[j]?.trim() ?? "") : "",
    times: null,
  };
}

/** @param {Side} a @param {Side} b @param {readonly [number, number][]} pairs @returns {Difference | null} */
function structure(a, b, pairs) {
  const gap = firstGap(pairs, a.stops.length, b.stops.length);
  const other = pairs.find(([i, j]) => opAt(a, i)?.name !== opAt(b, j)?.name);
  if (!gap && !other) return null;
  const alike = other && (!gap || other[0] < gap[0] || other[1] < gap[1]);
  const [i, j] = alike ? other : /** @type {[number, number]} */ (gap);
  const next = alike ? [i + 1, j + 1] : (pairs.find(([x, y]) => x >= i && y >= j) ?? [a.stops.length, b.stops.length]);
  const [endA = i, endB = j] = next;
  const only = (/** @type {Side} */ side, /** @type {number} */ stop, /** @type {number} */ end) =>
    stop < end ? stepName(side, stop) : "no such step";
  const line = placeAt(b.book, b.stops, timeOf(b, j)).line;
  return {
    kind: "Structure",
    about: line ? `line ${line}` : "",
    from: only(a, i, endA),
    to: only(b, j, endB),
    times: [timeOf(a, Math.min(i, endA - 1)), timeOf(b, Math.min(j, endB - 1))],
  };
}

/** @param {Side} side @param {number} stop */
function opAt({ book, stops }, stop) {
  const event = mainEvent(book, stops, stop);
  return event?.kind === "op" ? book.ops.get(event.op) : undefined;
}

/** @param {Side} side @param {number} stop */
const timeOf = ({ stops }, stop) => stops[Math.max(0, Math.min(stop, stops.length - 1))] ?? 0;

/** @param {Side} side @param {number} stop */
function stepName(side, stop) {
  const { book, stops } = side;
  const { subject } = placeAt(book, stops, stops[stop] ?? 0);
  const op = opAt(side, stop);
  if (!op) return subject;
  return op.outputs.some((id) => book.tensors.get(id)?.name === subject) ? `${subject} = ${op.name}` : op.name;
}

/**
 * The first numbers that differ in a step of both.
 * @param {Side} a @param {Side} b @param {readonly [number, number][]} pairs @param {"Values" | "Gradients"} kind
 * @returns {Difference | null}
 */
function numbers(a, b, pairs, kind) {
  for (const [i, j] of pairs) {
    const before = told(a, i, kind);
    const after = told(b, j, kind);
    for (let n = 0; n < Math.min(before.length, after.length); n++) {
      const [, from] = before[n] ?? [];
      const [about = "", to] = after[n] ?? [];
      if (!same(from, to)) {
        const line = placeAt(b.book, b.stops, timeOf(b, j)).line;
        const where = line ? `${about}, line ${line}` : about;
        return { kind, about: where, ...shown(from, to), times: [timeOf(a, i), timeOf(b, j)] };
      }
    }
  }
  return null;
}

/**
 * What a step computes: what it is, and its numbers.
 * @param {Side} side @param {number} stop @param {"Values" | "Gradients"} kind
 * @returns {[string, Value | null][]}
 */
function told({ book, stops }, stop, kind) {
  /** @type {[string, Value | null][]} */
  const found = [];
  const add = (/** @type {string} */ about, /** @type {string | null | undefined} */ ref) => {
    found.push([about, book.value(ref)]);
  };
  for (const event of book.doc.events.slice(stops[stop - 1] ?? 0, stop ? stops[stop] : 0)) {
    if (kind === "Values") {
      if (event.kind === "op") {
        for (const id of book.ops.get(event.op)?.outputs ?? []) {
          if (book.producer.get(id)?.id === event.op) add(book.nameOf(id), book.tensors.get(id)?.value);
        }
      } else if (event.kind === "write" || event.kind === "bind") {
        add(book.nameOf(event.tensor), event.kind === "write" ? event.value : book.tensors.get(event.tensor)?.value);
      }
    } else if (event.kind === "backward") {
      for (const ref of event.gradients) add("the gradient that backward() is given", ref);
    } else if (event.kind === "node") {
      for (const send of event.sends) {
        const gets = book.nodes.get(send.to)?.variable;
        add(`what ${book.nodeName(event.node)} sends${gets ? ` to ${book.nameOf(gets)}` : ""}`, send.value);
      }
    } else if (event.kind === "accumulate" || event.kind === "grad") {
      add(`${book.nameOf(event.tensor)}.grad`, event.after);
    }
  }
  return found;
}

/** @param {Value | null | undefined} a @param {Value | null | undefined} b */
function same(a, b) {
  if (!a || !b) return !a && !b;
  const told = (/** @type {Value} */ { shape, dtype, data, stats }) => JSON.stringify([shape, dtype, data, stats]);
  return told(a) === told(b);
}

/** @param {Value | null | undefined} from @param {Value | null | undefined} to */
function shown(from, to) {
  const [before, after] = [written(from), written(to)];
  return before === after && from && to
    ? { from: `${before}, with other numbers`, to: after }
    : { from: before, to: after };
}

/** @param {Value | null | undefined} value */
function written(value) {
  if (!value) return "None";
  const data = flatten(value);
  if (data && data.length <= SHOWN && value.shape.length < 2) {
    const all = data.map((x) => formatNumber(x, value.dtype)).join("  ");
    return value.shape.length ? `[${all}]` : all;
  }
  const norm = value.stats?.norm ?? (data ? Math.hypot(...data.map(toNumber)) : null);
  return `${formatShape(value.shape)}${norm === null ? "" : ` of norm ${formatNumber(norm)}`}`;
}

/** @param {Side} a @param {Side} b @returns {Difference | null} */
function output(a, b) {
  const lines = (/** @type {Side} */ { book }) => [
    ...book.doc.stdout.split("\n"),
    ...(book.doc.error ? [`${book.doc.error.type}: ${book.doc.error.message}`] : []),
  ];
  const [before, after] = [lines(a), lines(b)];
  const at = before.findIndex((line, i) => line !== after[i]);
  const first = at < 0 && after.length > before.length ? before.length : at;
  if (first < 0) return null;
  return {
    kind: "Output",
    about: `printed line ${first + 1}`,
    from: before[first] ?? "",
    to: after[first] ?? "",
    times: null,
  };
}

/** What a difference is, in a sentence. @type {Record<Difference["kind"], (found: Difference) => string>} */
const SAYS = {
  Program: ({ about, from, to }) =>
    `The programs differ in ${about}: ${from || "nothing"} in A, ${to || "nothing"} in B.`,
  Structure: ({ about, from, to }) =>
    `At ${about} they do not run the same op: ${from || "none"} in A, ${to || "none"} in B.`,
  Values: ({ about, from, to }) =>
    `The first value that differs is ${about}: ${from || "none"} in A, ${to || "none"} in B.`,
  Gradients: ({ about, from, to }) =>
    `The first gradient that differs is ${about}: ${from || "none"} in A, ${to || "none"} in B.`,
  Output: ({ about, from, to }) =>
    `They print another ${about.replace(/^printed /, "")}: ${from || "nothing"} in A, ${to || "nothing"} in B.`,
};

/**
 * What matters most, in a sentence or two: where the programs differ, and the first number that does.
 * @param {readonly Difference[]} found
 */
export function inWords(found) {
  const first = found[0];
  if (!first) return "Nothing differs: both programs do the same with the same numbers.";
  const number = found.find(({ kind }) => kind === "Values" || kind === "Gradients");
  return [...new Set([first, number ?? first])].map((each) => SAYS[each.kind](each)).join(" ");
}
