/**
 * Findings of a run (docs/findings.md): where one happens, what it is about, what its fix makes of the program. Pure.
 * @module
 */

import { unitsBefore } from "../trace.js";
import { align } from "../ui/align.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../trace/document").Finding} Finding */

/**
 * The number of a finding where it belongs: at its line, its moment, what it is about.
 * @typedef {{number: number, headline: string, wrong: boolean, open: boolean, line: number | null, t: number | null,
 *   item: import("../ui/types").Item | null}} Sign
 */

/** More tensors than this are not lit together. */
const MOST_LIT = 6;

/** What is wrong, as opposed to what is worth a look. @param {Finding} finding */
export const isWrong = ({ severity }) => severity !== "hint";

/**
 * When it happens: at its first event, or where the op it is about ran; null for what has no moment.
 * @param {Book} book @param {Finding} finding
 * @returns {number | null}
 */
export function momentOf({ doc }, { evidence }) {
  const [first] = evidence.events;
  if (first !== undefined) return first + 1;
  const last = evidence.ops.at(-1);
  const at = doc.events.findIndex((event) => event.kind === "op" && event.op === last);
  return at < 0 ? null : at + 1;
}

/**
 * What it is about, first of all: the op that it is seen at, or else a tensor, or a node.
 * @param {Finding} finding
 * @returns {Sign["item"]}
 */
function itemOf({ evidence: { ops, tensors, nodes } }) {
  const op = ops.at(-1);
  if (op !== undefined) return { kind: "op", id: op };
  if (tensors[0] !== undefined) return { kind: "tensor", id: tensors[0] };
  return nodes[0] === undefined ? null : { kind: "node", id: nodes[0] };
}

/** @param {Book} book @param {number | null} open which of the findings is open @returns {Sign[]} */
export const signsOf = (book, open) =>
  (book.doc.findings ?? []).map((finding, i) => ({
    number: i + 1,
    headline: finding.headline,
    wrong: isWrong(finding),
    open: i === open,
    line: finding.lines[0] ?? null,
    t: momentOf(book, finding),
    item: itemOf(finding),
  }));

/** Tensors to light. @param {Book} book @param {Finding} finding @returns {string[]} */
export function litBy(book, { evidence }) {
  const made = evidence.ops.flatMap((id) => book.ops.get(id)?.outputs ?? []);
  const fed = evidence.nodes.flatMap((id) => book.leafOf(id) ?? []);
  return [...new Set([...evidence.tensors, ...made, ...fed])].slice(0, MOST_LIT);
}

/**
 * The program with the certain edits made; null where there are none, or the program is another one by now.
 * @param {string} code
 * @param {Finding} finding
 * @returns {string | null}
 */
export function mended(code, { fix }) {
  if (!fix.edits?.length) return null;
  const lines = code.split("\n");
  /** Where a place is in the text. @param {number} line @param {number} column */
  const offset = (line, column) => {
    const text = lines[line - 1];
    if (text === undefined || unitsBefore(text, column) > text.length) return null;
    return lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, unitsBefore(text, column));
  };
  const parts = fix.edits.map((edit) => ({
    from: offset(edit.line, edit.column),
    to: offset(edit.end_line, edit.end_column),
    text: edit.new,
  }));
  let next = code;
  for (const { from, to, text } of parts.sort((a, b) => (b.from ?? 0) - (a.from ?? 0))) {
    if (from === null || to === null || to < from) return null;
    next = next.slice(0, from) + text + next.slice(to);
  }
  return next;
}

/**
 * What differs, line by line: a gap of unchanged lines is left out.
 * @param {string} before
 * @param {string} after
 * @returns {{sign: "−" | "+", line: number, text: string}[]}
 */
export function difference(before, after) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  /** @type {{sign: "−" | "+", line: number, text: string}[]} */
  const rows = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...align(old, now), [old.length, now.length]]) {
    for (; i < x; i++) rows.push({ sign: "−", line: i + 1, text: old[i] ?? "" });
    for (; j < y; j++) rows.push({ sign: "+", line: j + 1, text: now[j] ?? "" });
    i = x + 1;
    j = y + 1;
  }
  return rows;
}
