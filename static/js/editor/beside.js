/**
 * What stands beside each line at time t: the value it gave, as far as there is room. Pure.
 * @module
 */

import { stateAt, valueSummary } from "../trace.js";

/** Columns that the padding of a row takes, and the gap between code and value. */
const PADDING = 3;
const GAP = 3;
/** Columns a number may need: whether it stands beside or below must not change with its digits. */
const NUMBER = 7;
/** Columns of the number of a finding. */
const SIGN = 4;

/**
 * @typedef {{text: string, below: boolean, gradient?: number[]}} Beside  below: in a row of its own; gradient: the
 *   elements, when the value is one
 */

/**
 * A value that fits is written out; a longer one shows its shape; a line that fills its row has a number below it, and
 * else nothing.
 * @param {import("../ui/book.js").Book} book @param {number} t @param {number} columns  of a row
 * @param {readonly import("../findings/finding.js").Sign[]} [signs]  numbers of findings, which need room, too
 * @returns {Map<number, Beside>}
 */
export function besideLines(book, t, columns, signs = []) {
  const { lineValues, bound } = stateAt(book.trace, t);
  /** @type {Map<number, Beside>} */
  const values = new Map();
  for (const line of lineValues.keys()) {
    const row = columns - SIGN * signs.filter((sign) => sign.line === line).length;
    const ref = lineValues.get(line);
    const summary = valueSummary(book.trace, ref);
    const text = book.lines[line - 1] ?? "";
    if (!summary || writtenOut(text, summary)) continue;
    const several = bound.get(line) ?? [];
    if (several.at(-1)?.value === ref && several.some(({ value }) => value !== ref)) {
      const all = written(book, several, row - text.length - PADDING - GAP);
      if (all) values.set(line, { text: all, below: false });
      continue;
    }
    const gradient = ref && summary.exact && gradientsOf(book).has(ref) ? { gradient: summary.cells } : {};
    const room = row - text.length - PADDING - GAP;
    const wraps = text.length > row - PADDING;
    if (summary.form === "scalar")
      values.set(line, { text: summary.text, below: room < NUMBER && !wraps, ...gradient });
    else if (room < NUMBER && !wraps && givesNumbers(book, line)) {
      values.set(line, { text: summary.shapeText, below: true });
    } else if (room >= summary.text.length) values.set(line, { text: summary.text, below: false, ...gradient });
    else if (room >= summary.shapeText.length || wraps) values.set(line, { text: summary.shapeText, below: false });
  }
  return values;
}

/**
 * What a line has bound several names to, for which one value alone would be taken for another's: each with its name,
 * or the shape that they share.
 * @param {import("../ui/book.js").Book} book @param {readonly import("../trace/unfold.js").Bound[]} bound
 * @param {number} room  columns
 */
function written(book, bound, room) {
  const each = bound.map(({ name, value }) => ({ name, summary: valueSummary(book.trace, value) }));
  const shapes = each.map(({ summary }) => summary?.shapeText ?? "");
  const named = (/** @type {(string | undefined)[]} */ texts) =>
    each.map(({ name }, i) => `${name} ${texts[i]}`).join(", ");
  const forms = [named(each.map(({ summary }) => summary?.text)), named(shapes)];
  const [shape = ""] = shapes;
  if (each[0]?.summary?.form !== "scalar" && shapes.every((other) => other === shape)) forms.push(shape);
  return forms.find((text) => text.length <= room);
}

/** @type {WeakMap<import("../ui/book.js").Book, Set<string>>} */
const gradients = new WeakMap();

/** The values that have been in `.grad`. @param {import("../ui/book.js").Book} book */
function gradientsOf(book) {
  const known =
    gradients.get(book) ??
    new Set(
      book.doc.events.flatMap((event) =>
        (event.kind === "accumulate" || event.kind === "grad") && event.after ? [event.after] : [],
      ),
    );
  gradients.set(book, known);
  return known;
}

/** @type {WeakMap<import("../ui/book.js").Book, Map<number, boolean>>} */
const numbers = new WeakMap();

/**
 * Does a line give a number in the end? Then it keeps a row for it, whatever it computes on the way.
 * @param {import("../ui/book.js").Book} book
 * @param {number} line
 */
function givesNumbers(book, line) {
  const known = numbers.get(book) ?? new Map();
  numbers.set(book, known);
  if (!known.has(line)) {
    known.set(line, valueSummary(book.trace, book.trace.histories.lineValues.latest(line))?.form === "scalar");
  }
  return known.get(line) === true;
}

/**
 * Does the line spell out the very numbers it produced, as `a = torch.tensor(2.0)` does?
 * @param {string} line
 * @param {import("../trace/numbers.js").Summary} summary
 */
function writtenOut(line, { cells, complex, exact }) {
  if (!exact || cells.length === 0) return false;
  const numbersIn = (/** @type {string} */ text) =>
    (text.match(/(?<![\w.])-?\d+\.?\d*(?:e[+-]?\d+)?/gi) ?? []).map((each) => (complex ? Math.abs(+each) : +each));
  const literals = numbersIn(line);
  const wanted = complex ? numbersIn(complex.join()) : cells;
  return literals.some((_, i) => wanted.every((x, k) => literals[i + k] === x)) && /\(/.test(line);
}
