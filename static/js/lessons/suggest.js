/**
 * A change to try where a program ends, from what happened in it: what would mend its error, keep the gradient that it
 * read in vain, or show what it asked for from another side. Pure.
 * @module
 */

import { nonLeafRead } from "../output/rows.js";
import { elements } from "../trace.js";

/** @typedef {import("../ui/book.js").Book} Book */
/**
 * @typedef {{say: string, from: string, to: string, fix?: string}} Change  text to replace in the program, once; fix:
 *   what would mend an error, in the names of the program
 */

/**
 * Can a change be made, and has it not been made yet?
 * @param {string} code
 * @param {{from: string, to: string}} change
 */
export const isChangeable = (code, { from, to }) => code.includes(from) && !(to.includes(from) && code.includes(to));

/** @param {Book} book @returns {Change | null} */
export function suggest(book) {
  const code = book.doc.source.code ?? "";
  for (const idea of [keepGradient, ...MENDING, weighOne, turnSign]) {
    const change = idea(book);
    if (change && isChangeable(code, change)) return change;
  }
  return null;
}

/** What mends the error of a program, in its own names. @param {Book} book @returns {string | null} */
export const fixOf = (book) => MENDING.map((idea) => idea(book)?.fix).find(Boolean) ?? null;

/** @param {Book} book @param {number | null | undefined} line */
const lineOf = (book, line) => (line ? (book.lines[line - 1] ?? "") : "");

/** @param {string} line */
const indentOf = (line) => /^\s*/.exec(line)?.[0] ?? "";

/** `.grad` of a computed tensor was read: have it kept. @param {Book} book @returns {Change | null} */
function keepGradient(book) {
  const warned = book.doc.warnings.find(({ message }) =>
    /\.grad attribute of a Tensor that is not a leaf/.test(message),
  );
  const name = warned && nonLeafRead(book, warned.line);
  const call = name ? [...book.calls.values()].find((event) => event.line) : undefined;
  const line = lineOf(book, call?.line);
  if (!name || !line) return null;
  return {
    say: `keep ${name}’s too, with ${name}.retain_grad()`,
    from: line,
    to: `${indentOf(line)}${name}.retain_grad()\n${line}`,
  };
}

/** A second pass found its saved tensors freed. @param {Book} book @returns {Change | null} */
function retainGraph(book) {
  const { error } = book.doc;
  if (!error || !/backward through the graph a second time/.test(error.message)) return null;
  const first = [...book.calls.values()].find(
    (event) => event.line && !event.retain_graph && event.line !== error.line,
  );
  const line = lineOf(book, first?.line);
  const call = /\.backward\((.*)\)\s*$/.exec(line);
  if (!first || !call) return null;
  const kept = `${call[1] ? `${call[1]}, ` : ""}retain_graph=True`;
  const to = `${line.slice(0, call.index)}.backward(${kept})`;
  const where = `${to.trim()} on line ${first.line}`;
  const fix = `Write ${where}, or run the forward computation again before each backward().`;
  return { say: where, from: `${line}\n`, to: `${to}\n`, fix };
}

/** backward() on several elements without weights. @param {Book} book @returns {Change | null} */
function reduce(book) {
  const { error } = book.doc;
  if (!error || !/implicitly created only for scalar/.test(error.message)) return null;
  const line = lineOf(book, error.line);
  const call = /^(\s*)(\w+)\.backward\(\)/.exec(line);
  if (!call) return null;
  const name = call[2];
  const to = line.replace(`${name}.backward()`, `${name}.sum().backward()`);
  const fix = `Make one number of ${name}, as in ${name}.sum().backward(), or say how much each element counts:`;
  const weights = `${name}.backward(torch.ones_like(${name}))`;
  return { say: `${name}.sum().backward()`, from: line, to, fix: `${fix} ${weights} counts each once.` };
}

/** A leaf was written in place while the graph was recorded. @param {Book} book @returns {Change | null} */
function underNoGrad(book) {
  const { error } = book.doc;
  if (!error || !/a leaf Variable that requires grad is being used in an in-place/.test(error.message)) return null;
  const line = lineOf(book, error.line);
  const statement = line.trim();
  if (!statement || statement.endsWith(":")) return null;
  const indent = indentOf(line);
  const fix = `Write ${statement} under torch.no_grad(), as an update of a parameter is, or make a new tensor of it.`;
  return {
    say: `${statement} under torch.no_grad()`,
    from: line,
    to: `${indent}with torch.no_grad():\n${indent}    ${statement}`,
    fix,
  };
}

const MENDING = [retainGraph, reduce, underNoGrad];

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
  return { say: `let only ${name}₀ count`, from: literal, to: one };
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

/** A scalar leaf: turn its sign. @param {Book} book @returns {Change | null} */
function turnSign(book) {
  if (book.doc.error) return null;
  for (const tensor of book.doc.tensors) {
    if (!tensor.is_leaf || !tensor.requires_grad || !tensor.name || tensor.shape.length) continue;
    const line = lineOf(book, tensor.line);
    const made = new RegExp(`^\\s*${tensor.name}\\s*=\\s*torch\\.tensor\\((-?)([\\d.]+)`).exec(line);
    if (!made) continue;
    const [text, minus, number] = made;
    const turned = `${minus ? "" : "-"}${number}`;
    const to = line.replace(text, `${text.slice(0, text.length - `${minus}${number}`.length)}${turned}`);
    return { say: `let ${tensor.name} be ${turned.replace("-", "−").replace(/\.0?$/, "")}`, from: line, to };
  }
  return null;
}
