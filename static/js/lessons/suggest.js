/**
 * A change to try where a program ends, from what happened in it: what would mend its error, keep the gradient that it
 * read in vain, or show what it asked for from another side. Pure.
 * @module
 */

import { nonLeafRead } from "../output/rows.js";
import { elements } from "../trace.js";

/** @typedef {import("../ui/book.js").Book} Book */
/**
 * @typedef {{say: string, from: string, to: string, fix?: string, line?: number}} Change  text to replace in the
 *   program, once, or one whole line of it; fix: what would mend an error, in the names of the program
 */

/**
 * Can a change be made, and has it not been made yet?
 * @param {string} code
 * @param {Omit<Change, "say">} change
 */
export const isChangeable = (code, { from, to, line }) =>
  line ? code.split("\n")[line - 1] === from : code.includes(from) && !(to.includes(from) && code.includes(to));

/** The program with a change made. @param {string} code @param {Omit<Change, "say">} change */
export function changed(code, { from, to, line }) {
  if (!line) return code.replace(from, () => to);
  return code
    .split("\n")
    .map((text, i) => (i === line - 1 ? to : text))
    .join("\n");
}

/** @param {Book} book @param {number | null | undefined} line */
export const lineAt = (book, line) => (line ? (book.lines[line - 1] ?? "") : "");

/** @param {string} line */
export const indentOf = (line) => /^\s*/.exec(line)?.[0] ?? "";

/** A line without its texts and comments. @param {string} line */
export const bare = (line) => line.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|#.*/g, "");

/** @param {Book} book @returns {Change | null} */
export function suggest(book) {
  const code = book.doc.source.code ?? "";
  for (const idea of [keepGradient, mendingOf, weighOne, turnSign]) {
    const change = idea(book);
    if (change && isChangeable(code, change)) return change;
  }
  return null;
}

/** What mends its error. @param {Book} book */
const mendingOf = ({ mending }) => mending;

/** `.grad` of a computed tensor was read: have it kept. @param {Book} book @returns {Change | null} */
function keepGradient(book) {
  const warned = book.doc.warnings.find(({ message }) =>
    /\.grad attribute of a Tensor that is not a leaf/.test(message),
  );
  const name = warned && nonLeafRead(book, warned.line);
  const call = name ? [...book.calls.values()].find((event) => event.line) : undefined;
  const line = lineAt(book, call?.line);
  if (!name || !line) return null;
  return {
    say: `keep ${name}’s too, with ${name}.retain_grad()`,
    from: line,
    to: `${indentOf(line)}${name}.retain_grad()\n${line}`,
  };
}

/** Several weights: leave one output alone. @param {Book} book @returns {Change | null} */
function weighOne(book) {
  const event = [...book.calls.values()].at(-1);
  const root = event && book.rootsOf(event.call)[0];
  const weights = event && book.value(event.gradients[0]);
  if (!event || !root || !weights || weights.shape.length !== 1 || elements(weights.shape) < 2) return null;
  const literal = book.lines
    .map((line) => /(?:tensor|Tensor)\((\[[-\d.,\se]+\])\)/.exec(line)?.[1])
    .find((text) => text && sameNumbers(text, weights.data));
  if (!literal) return null;
  const one = `[${["1.0", ...new Array(elements(weights.shape) - 1).fill("0.0")].join(", ")}]`;
  if (literal.replaceAll(" ", "") === one.replaceAll(" ", "")) return null;
  const name = /^\w+$/.test(book.nameOf(root)) ? book.nameOf(root) : "y";
  return { say: `give only ${name}₀ a weight`, from: literal, to: one };
}

/** @param {string} text @param {unknown} data */
function sameNumbers(text, data) {
  const xs = text.slice(1, -1).split(",").map(Number);
  return (
    Array.isArray(data) &&
    data.length === xs.length &&
    data.every((x, i) => Math.abs(Number(x) - /** @type {number} */ (xs[i])) <= 1e-6 * Math.abs(Number(x)))
  );
}

/** A scalar leaf that something was computed from: turn its sign. @param {Book} book @returns {Change | null} */
function turnSign(book) {
  if (book.doc.error) return null;
  for (const tensor of book.doc.tensors) {
    if (!tensor.is_leaf || !tensor.requires_grad || !tensor.name || tensor.shape.length) continue;
    if (!book.doc.ops.some(({ inputs }) => inputs.includes(tensor.id))) continue;
    const line = lineAt(book, tensor.line);
    const made = new RegExp(`^\\s*${tensor.name}\\s*=\\s*torch\\.tensor\\((-?)([\\d.]+)(?=\\s*[,)])`).exec(line);
    if (!made) continue;
    const [text, minus, number] = made;
    const turned = `${minus ? "" : "-"}${number}`;
    const to = line.replace(text, `${text.slice(0, text.length - `${minus}${number}`.length)}${turned}`);
    return { say: `set ${tensor.name} to ${turned.replace("-", "−").replace(/\.0?$/, "")}`, from: line, to };
  }
  return null;
}
