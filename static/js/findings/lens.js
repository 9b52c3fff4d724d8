/**
 * What the picture of a finding shows, from the numbers of the document alone. Pure. Rules that are not here have none:
 * their sentence says it all.
 * @module
 */

import { flatten, formatNumber, formatShape, toNumber } from "../trace.js";
import { count } from "../ui/words.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../trace/document").Finding} Finding */
/** @typedef {import("../trace/document").Value} Value */

/** Numbers in rows, reduced where the document holds no more. @typedef {{xs: number[], columns: number}} Cells */
/** @typedef {{label: string, cells: Cells | null, of: "gradient" | "value", marked?: Set<number>}} Part */

/**
 * @typedef {{kind: "pairs", rows: string, columns: string, shape: [number, number], cells: number[] | null,
 *   meant: number | null, words: string}} Pairs  meant: how many, on the diagonal
 * @typedef {{kind: "parts", parts: Part[], signs: string[], words: string}} Parts  signs: between them
 * @typedef {{kind: "norms", norms: number[], from: string, to: string, words: string}} Norms
 */
/** @typedef {Pairs | Parts | Norms} Lens */

/** @type {Record<string, (book: Book, finding: Finding) => Lens | null>} by rule */
const LENSES = {
  "broadcast-loss": pairs,
  "dead-relu": dead,
  vanishing: norms,
  exploding: norms,
  "shared-parameter": shared,
  accumulating,
  "inplace-overwrites-saved": versions,
};

/** @param {Book} book @param {Finding} finding @returns {Lens | null} */
export const lensOf = (book, finding) => LENSES[finding.rule]?.(book, finding) ?? null;

/** @param {Value | null} value @returns {Cells | null} */
function cellsOf(value) {
  const shown = value && (value.data ?? null) === null && value.thumbnail ? { ...value, ...value.thumbnail } : value;
  const xs = shown && flatten(shown)?.map(toNumber);
  return xs?.length ? { xs, columns: shown?.shape.at(-1) || 1 } : null;
}

/** Every element of one with every element of the other. @type {(book: Book, finding: Finding) => Pairs | null} */
function pairs(book, { evidence: { tensors, ops } }) {
  const [one, other] = tensors.map((id) => book.tensors.get(id));
  const op = book.ops.get(ops[0] ?? "");
  if (!one || !other || !op) return null;
  const size = [0, 1].map((i) => Math.max(...[one, other].map(({ shape }) => shape.at(i - 2) ?? 1)));
  const [down, across] = /** @type {[number, number]} */ (size);
  const lies = (/** @type {number[]} */ shape, /** @type {number} */ r, /** @type {number} */ c) =>
    shape.length <= 2 && (shape.at(-2) ?? 1) === r && shape.at(-1) === c;
  const rows = [one, other].find(({ shape }) => lies(shape, down, 1));
  const columns = [one, other].find(({ shape }) => lies(shape, 1, across));
  if (!rows || !columns) return null;
  const named = (/** @type {typeof one} */ tensor) => `${book.nameOf(tensor.id)} ${formatShape(tensor.shape)}`;
  const meant = down === across ? down : null;
  const [left, top] = [rows, columns].map(({ id }) => book.nameOf(id));
  const few = meant === null ? "" : ` Only the ${meant} on the diagonal were meant.`;
  return {
    kind: "pairs",
    rows: named(rows),
    columns: named(columns),
    shape: [down, across],
    cells: differences(book, op, rows.value, columns.value),
    meant,
    words: `${down * across} pairs: every element of ${left} with every element of ${top}.${few}`,
  };
}

/**
 * What the op makes of each pair, or else how far apart its elements are.
 * @param {Book} book @param {import("../trace/document").Op} op
 * @param {string | null | undefined} rows @param {string | null | undefined} columns
 */
function differences(book, op, rows, columns) {
  const [down, across] = [rows, columns].map((ref) => cellsOf(book.value(ref))?.xs);
  if (!down || !across) return null;
  const made = cellsOf(book.value(book.tensors.get(op.outputs[0] ?? "")?.value))?.xs;
  return made?.length === down.length * across.length ? made : down.flatMap((a) => across.map((b) => a - b));
}

/** What went into the op, and the zeros that came out. @type {(book: Book, finding: Finding) => Parts | null} */
function dead(book, { evidence: { ops } }) {
  const op = book.ops.get(ops.at(-1) ?? "");
  const [into, out] = [op?.inputs[0], op?.outputs[0]].map((id) => book.value(book.tensors.get(id ?? "")?.value));
  const [before, after] = [into ?? null, out ?? null].map(cellsOf);
  if (!before || !after) return null;
  const zeros = after.xs.filter((x) => x === 0).length;
  const most = Math.max(...before.xs);
  return {
    kind: "parts",
    parts: [
      { label: `input, at most ${formatNumber(most)}`, cells: before, of: "value" },
      { label: `output, 0 in ${zeros} of ${after.xs.length}`, cells: after, of: "gradient" },
    ],
    signs: ["→"],
    words: `Every input is at most ${formatNumber(most)}, so ${zeros} of ${after.xs.length} outputs are 0.`,
  };
}

/** Norms that a finding has at most. */
const KEPT = 50;

/** @type {(book: Book, finding: Finding) => Norms | null} */
function norms(book, { evidence: { tensors, ops, values } }) {
  const found = /** @type {unknown[]} */ (values.norms ?? []).map(toNumber);
  const [first, last] = [found[0], found.at(-1)];
  if (found.length < 2 || first === undefined || last === undefined) return null;
  const [to, from] = ops.length
    ? [found.length < KEPT ? "first step" : `${KEPT - 1} steps earlier`, "last step"]
    : tensors.map((id) => book.nameOf(id));
  return {
    kind: "norms",
    norms: found,
    from: from ?? "",
    to: to ?? "",
    words:
      "Norm of the gradient in the order of the pass, on a log scale: " +
      `${formatNumber(first)} at ${from}, ${formatNumber(last)} at ${to}.`,
  };
}

/** The gradients that were added in a leaf. @type {(book: Book, finding: Finding) => Parts | null} */
function shared(book, { evidence: { tensors } }) {
  const event = book.doc.events.find((each) => each.kind === "accumulate" && each.tensor === tensors[0]);
  if (event?.kind !== "accumulate") return null;
  const arrivals = book.arrivalsAt(event.call, event.node);
  const lines = arrivals.map(({ from }) => book.nodes.get(from ?? "")?.line);
  const apart = new Set(lines).size === lines.length;
  const parts = arrivals.map(({ from, value }, i) => ({
    label: apart && lines[i] ? `from line ${lines[i]}` : book.nodeTitle(from ?? ""),
    cells: cellsOf(book.value(value)),
    of: /** @type {const} */ ("gradient"),
  }));
  const total = { label: "sum", cells: cellsOf(book.value(event.incoming)), of: /** @type {const} */ ("gradient") };
  return added(
    [...parts, total],
    `${count(parts.length, "gradient")} arrive at ${book.nameOf(event.tensor)} and are added.`,
  );
}

/** An old gradient and the new one. @type {(book: Book, finding: Finding) => Parts | null} */
function accumulating(book, { evidence: { events } }) {
  const event = book.doc.events[events[0] ?? -1];
  if (event?.kind !== "accumulate") return null;
  const name = `${book.nameOf(event.tensor)}.grad`;
  const part = (/** @type {string} */ label, /** @type {string | null} */ ref) => ({
    label,
    cells: cellsOf(book.value(ref)),
    of: /** @type {const} */ ("gradient"),
  });
  return added(
    [part(`${name} before, already used`, event.before), part("new gradient", event.incoming), part(name, event.after)],
    `backward() adds its gradient to the old ${name}, which a step has already used.`,
  );
}

/** Terms that are worth a picture of their own. */
const MOST = 3;

/** @param {Part[]} parts the last is the sum of the others @param {string} words @returns {Parts | null} */
function added(parts, words) {
  if (parts.length < 3 || parts.length > MOST + 1 || parts.some(({ cells }) => !cells)) return null;
  return { kind: "parts", parts, signs: parts.slice(1).map((_, i) => (i === parts.length - 2 ? "=" : "+")), words };
}

/** What was saved, and what stands there now. @type {(book: Book, finding: Finding) => Parts | null} */
function versions(book, { evidence: { tensors, nodes } }) {
  const found = /is at version (\d+); expected version (\d+)/.exec(book.doc.error?.message ?? "");
  const tensor = book.tensors.get(tensors[0] ?? "");
  if (!found || !tensor) return null;
  const [now, then] = found.slice(1).map(Number);
  const writes = book.doc.events.flatMap((event) =>
    event.kind === "write" && event.tensor === tensor.id ? [event] : [],
  );
  const writer = writes.find(({ version }) => version === now);
  const saved = writes.filter(({ version }) => version <= Number(then)).at(-1)?.value ?? tensor.value;
  if (!writer) return null;
  const [old, last] = [saved, writer.value].map((ref) => cellsOf(book.value(ref)));
  const node = book.nodes.get(nodes[0] ?? "");
  const by = node ? `${node.name}${node.line ? `, line ${node.line}` : ""}` : "an op";
  const name = book.nameOf(tensor.id);
  const changed = new Set(last?.xs.flatMap((x, i) => (Object.is(x, old?.xs[i]) ? [] : [i])));
  return {
    kind: "parts",
    parts: [
      { label: `version ${then}, saved by ${by}`, cells: old ?? null, of: "value" },
      { label: `version ${now}, written on line ${writer.line}`, cells: last ?? null, of: "value", marked: changed },
    ],
    signs: ["→"],
    words: `The derivative needs version ${then} of ${name}, which now holds version ${now}.`,
  };
}
