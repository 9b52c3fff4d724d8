/**
 * The rule a node applies, once in symbols and once with this step's numbers. Pure.
 * @module
 */

import { formatNumber, formatShape } from "../trace.js";
import { flatNumbers, sizeOf } from "../ui/book.js";
import { short } from "../ui/numbers.js";
import { broadcastOf, savedTensor } from "./sentence.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../ui/types").NodeEvent} NodeEvent */
/** @typedef {import("../ui/types").NodeRecord} NodeRecord */
/** @typedef {import("../ui/types").Value} Value */

/**
 * @typedef {object} Rule
 * @property {string} latex
 * @property {string} text  the same as plain text, shown until KaTeX has loaded
 * @property {string | null} numbers  the formula with numbers put in
 * @property {string | null} result  what came out
 */

/** Most elements of a tensor that is written out inside a formula. */
const INLINE = 6;

/**
 * One rule per input that wants a gradient.
 * @param {Book} book
 * @param {NodeRecord} node
 * @param {NodeEvent | null} event  null before the node has run: symbols only
 * @returns {Rule[]}
 */
export function rules(book, node, event) {
  const formulas = Object.entries(node.formula ?? {});
  const edges = node.next_functions.map((edge, i) => ({ edge, i })).filter(({ edge }) => edge !== null);
  const aligned = formulas.length === node.next_functions.length;
  const paired = aligned
    ? edges.map(({ i }) => ({ formula: formulas[i], i }))
    : formulas.map((formula, k) => ({ formula, i: formulas.length === edges.length ? (edges[k]?.i ?? -1) : -1 }));
  return paired.slice(0, 6).flatMap(({ formula, i }) => (formula ? [oneRule(book, node, event, formula, i)] : []));
}

/** @param {Book} book @param {NodeRecord} node @param {NodeEvent | null} event @param {[string, {text: string, latex: string}]} formula @param {number} index @returns {Rule} */
function oneRule(book, node, event, [input, { text, latex }], index) {
  const target = index >= 0 ? book.targetOf(node.id, index) : null;
  const name = target ? book.nameOf(target) : input;
  const relation = event && index >= 0 && shared(book, node, event, index) ? "+=" : "=";
  const symbol = `\\frac{\\partial\\,${rootLatex(book, event)}}{\\partial\\,${texName(name)}}`;
  const left = relation === "+=" ? `${symbol} \\mathrel{+}=` : `${symbol} =`;
  const result = event && index >= 0 ? book.value(event.grad_inputs[index]) : null;
  const stretched = event && index >= 0 ? broadcastOf(book, node, event, index) : null;
  const filled = event ? substitute(text, (name) => operand(book, node, event, name)) : null;
  return {
    latex: `${left} ${stretched ? `\\textstyle\\sum\\left(${latex}\\right)` : latex}`,
    text: `grad of ${name} ${relation} ${text}`,
    numbers: filled === null ? null : stretched ? `Σ(${filled})` : filled,
    result: result ? short(result, INLINE) : null,
  };
}

/** Does the target receive more than this one gradient? @param {Book} book @param {NodeRecord} node @param {NodeEvent} event @param {number} index */
function shared(book, node, event, index) {
  const next = node.next_functions[index];
  const send = event.sends.find((s) => next && s.to === next[0]);
  return (send?.expected ?? 1) > 1 && book.nodes.has(node.id);
}

/** @param {Book} book @param {NodeEvent | null} event */
function rootLatex(book, event) {
  const roots = event ? book.rootsOf(event.call) : [];
  const root = roots[0];
  if (!root || roots.length > 1) return "L";
  const name = texName(book.nameOf(root));
  const gradient = book.calls.get(/** @type {NodeEvent} */ (event).call)?.gradients[0];
  return sizeOf(book.value(gradient)) > 1 ? `(v^{\\mathsf T} ${name})` : name;
}

/** A variable's name in LaTeX: `x`, `w_1`, or upright text. @param {string} name */
export function texName(name) {
  const short = /^([A-Za-z])_?(\d*)$/.exec(name);
  if (short) return short[2] ? `${short[1]}_{${short[2]}}` : `${short[1]}`;
  return `\\mathrm{${name.replace(/[\\{}$&#^~%]/g, "").replace(/_/g, "\\_").replace(/ /g, "\\;")}}`;
}

/**
 * What a name in a formula stands for in this step.
 * @param {Book} book @param {NodeRecord} node @param {NodeEvent} event @param {string} name
 * @returns {string | null} null: leave the name as it is
 */
function operand(book, node, event, name) {
  const incoming = /^g(?:rad)?(\d*)$/.exec(name);
  if (incoming) return written(book.value(event.grad_outputs[Number(incoming[1] || 0)]), "g");
  const saved = node.saved?.[name];
  if (typeof saved === "string") {
    const tensor = savedTensor(book, node, name);
    return written(book.value(saved), tensor ? book.nameOf(tensor) : name);
  }
  const attribute = node.attributes?.[name];
  if (typeof attribute === "number") return parenthesised(formatNumber(attribute, "card", Number.isInteger(attribute) ? "int64" : "float32"));
  if (typeof attribute === "boolean") return attribute ? "True" : "False";
  if (Array.isArray(attribute) && attribute.length <= INLINE && attribute.every((x) => typeof x === "number")) return formatShape(attribute);
  return null;
}

/** A value inside a formula: its numbers when few, its name and shape when many. @param {Value | null} value @param {string} name */
function written(value, name) {
  if (!value) return "None";
  const xs = flatNumbers(value);
  if (!xs || xs.length > INLINE) return `${name}${formatShape(value.shape)}`;
  return value.shape.length === 0 ? parenthesised(formatNumber(xs[0], "card", value.dtype)) : short(value, INLINE);
}

/** @param {string} number */
const parenthesised = (number) => (/^[−-]/.test(number) ? `(${number})` : number);

/**
 * Put operands into a formula's text. Function names stay, `*` becomes ×.
 * @param {string} text
 * @param {(name: string) => string | null} lookup
 * @returns {string}
 */
export function substitute(text, lookup) {
  const filled = text.replace(/(?<![\w.])([A-Za-z_]\w*)(?!\w|\s*\()/g, (whole, name, at) => {
    const keyword = /^\s*=[^=]/.test(text.slice(at + whole.length));
    return keyword ? whole : (lookup(name) ?? whole);
  });
  return filled.replace(/\s*\*\*\s*/g, "^").replace(/\s*\*\s*/g, " × ").replace(/ - /g, " − ");
}
