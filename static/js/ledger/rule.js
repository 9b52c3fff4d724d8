/**
 * The rule a node applies, once in symbols and once with this step's numbers. Pure.
 * @module
 */

import { elements, formatNumber, formatShape, isComplex } from "../trace.js";
import { flatNumbers, sizeOf } from "../ui/book.js";
import { brief, short } from "../ui/words.js";
import { knownOf, simplify } from "../formula/tree.js";
import { escaped, isComposite, latex, plain, texName } from "../formula/write.js";
import { broadcastOf, elementOf, savedTensor } from "./sentence.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../trace/document").NodeEvent} NodeEvent */
/** @typedef {import("../trace/document").Node} NodeRecord */
/** @typedef {import("../trace/document").Value} Value */

/**
 * @typedef {object} Rule
 * @property {string} latex
 * @property {string} text  the same as plain text, shown until KaTeX has loaded
 * @property {string | null} numbers  the formula with numbers put in
 * @property {string | null} result  what came out
 * @property {string} [own]  what PyTorch itself computes
 */

/** Most elements of a tensor that is written out inside a formula. */
const INLINE = 6;

/**
 * One rule per input that wants a gradient.
 * @param {Book} book
 * @param {NodeRecord} node
 * @param {NodeEvent | null} event  null before the node has run: symbols only
 * @param {number | null} [only]  the one entry of next_functions that is asked about
 * @returns {Rule[]}
 */
export function rules(book, node, event, only = null) {
  const formulas = Object.entries(node.formula ?? {});
  const edges = node.next_functions.map((edge, i) => ({ edge, i })).filter(({ edge }) => edge !== null);
  const aligned = formulas.length === node.next_functions.length;
  const paired = aligned
    ? edges.map(({ i }) => ({ formula: formulas[i], i }))
    : formulas.map((formula, k) => ({ formula, i: formulas.length === edges.length ? (edges[k]?.i ?? -1) : -1 }));
  return paired
    .filter(({ i }) => only === null || i === only)
    .slice(0, 6)
    .flatMap(({ formula, i }) => (formula ? [oneRule(book, node, event, formula, i)] : []));
}

/**
 * The rule by which a backward pass starts: its root is differentiated by itself, or weighed.
 * @param {Book} book
 * @param {import("../trace/document").BackwardEvent} event
 * @returns {Rule | null} null for several roots
 */
export function startRule(book, event) {
  const root = book.rootsOf(event.call)[0];
  const seed = flatNumbers(book.value(event.gradients[0]));
  if (!root || !seed || event.roots.length > 1) return null;
  const name = book.symbolOf(root);
  const y = symbol(book, name);
  if (seed.length === 1) {
    const weight = short(book.value(event.gradients[0]));
    return seed[0] === 1
      ? {
          latex: `\\frac{\\partial\\,${y}}{\\partial\\,${y}} = 1`,
          text: `∂${name}/∂${name} = 1`,
          numbers: null,
          result: null,
        }
      : {
          latex: `\\frac{\\partial\\,(w\\,${y})}{\\partial\\,${y}} = w`,
          text: `∂(w·${name})/∂${name} = w`,
          numbers: "w",
          result: weight,
        };
  }
  const k = Math.max(
    0,
    seed.findIndex((x) => x !== 0),
  ); // one that counts
  const weight = formatNumber(seed[k]);
  const element = elementOf(name, k);
  return {
    latex: `\\frac{\\partial\\,(w \\cdot ${y})}{\\partial\\,${y}} = w`,
    text: `∂(w·${name})/∂${name} = w`,
    numbers: `∂(${weight}·${element})/∂${element}`,
    result: weight,
  };
}

/**
 * The rule of a leaf: what arrives is added to what `.grad` holds.
 * @param {Book} book
 * @param {import("../trace/document").AccumulateEvent} event
 * @returns {Rule}
 */
export function leafRule(book, event) {
  const name = `${book.symbolOf(event.tensor)}.grad`;
  const [before, incoming, after] = [event.before, event.incoming, event.after].map((ref) => book.value(ref));
  return {
    latex: `\\texttt{${escaped(name)}} ${before ? "\\mathrel{+}=" : "="} g`,
    text: `${name} ${before ? "+=" : "="} g`,
    numbers: before ? `${brief(before, INLINE)} + ${brief(incoming ?? null, INLINE)}` : null,
    result: brief(after ?? null, INLINE),
  };
}

/**
 * @param {Book} book
 * @param {NodeRecord} node
 * @param {NodeEvent | null} event
 * @param {[string, {text: string, latex: string}]} formula
 * @param {number} index
 * @returns {Rule}
 */
function oneRule(book, node, event, [input, formula], index) {
  const target = index >= 0 ? book.targetOf(node.id, index) : null;
  const name = target ? book.symbolOf(target) : input;
  const adds = event !== null && index >= 0 && shared(book, event, node, index);
  const root = event ? book.rootsOf(event.call)[0] : undefined;
  // y = y * 2 gives two tensors one name, and ∂y/∂y would be 1.
  const earlier =
    root && target && root !== target && book.tensors.get(root)?.name === name ? "_{\\text{earlier}}" : "";
  const slope = `\\frac{\\partial\\,${held(rootLatex(book, event))}}{\\partial\\,${symbol(book, name)}${earlier}}`;
  const left = `${slope} ${adds ? "\\mathrel{+}=" : "="}`;
  const result = event && index >= 0 ? book.value(event.grad_inputs[index]) : null;
  const stretched = event && index >= 0 ? broadcastOf(book, node, event, index) : null;

  const whole = book.trace.formulas.get(formula.text);
  const simple = whole === undefined ? null : simplify(whole, knownOf(node));
  // A gradient that passes unchanged is multiplied by a slope of 1: say so.
  /** @type {import("../formula/tree.js").Tree} */
  const tree = simple === "g" ? ["*", "g", 1] : simple;
  // A variable of the program may be called g too.
  const taken = name === "g" || Object.keys(node.saved ?? {}).some((key) => named(book, node, key) === "g");
  const called = (/** @type {string} */ key) =>
    /^g\d*$/.test(key) ? (taken ? `${key}_in` : key) : (named(book, node, key) ?? constant(book, node, key));
  const symbols =
    tree === null
      ? null
      : latex(tree, (key) =>
          /^g\d*$/.test(key)
            ? texName(key) + (taken ? "_{\\text{in}}" : "")
            : symbol(book, named(book, node, key) ?? constant(book, node, key) ?? key),
        );
  // A function of the engine's own says nothing with numbers in it; the document's mathematics and the result do.
  const numbers = symbols !== null && event ? plain(tree, (key) => operand(book, node, event, key)) : null;
  const words = tree !== null ? plain(tree, called) : formula.text;
  return {
    latex: `${left} ${stretched ? "\\textstyle\\sum " : ""}${symbols ?? formula.latex}`,
    text: `gradient of ${name} ${adds ? "+=" : "="} ${stretched ? "Σ " : ""}${words}`,
    numbers: numbers === null ? null : stretched ? `Σ ${numbers}` : numbers,
    result: result ? brief(result, INLINE) : null,
    own: book.doc.derivatives?.[node.name]?.[input],
  };
}

/**
 * A number that was written into the program, like the 2 of `x * 2`.
 * @param {Book} book
 * @param {NodeRecord} node
 * @param {string} key
 * @returns {string | null}
 */
function constant(book, node, key) {
  const saved = node.saved?.[key];
  const value = typeof saved === "string" ? book.value(saved) : null;
  return value?.shape.length === 0 ? short(value).replace("−", "-") : null;
}

/**
 * The variable behind a name of the formula.
 * @param {Book} book
 * @param {NodeRecord} node
 * @param {string} key
 * @returns {string | null}
 */
function named(book, node, key) {
  const tensor = savedTensor(book, node, key);
  return tensor ? book.symbolOf(tensor) : null;
}

/** @param {Book} book @param {string} name */
const symbol = (book, name) => {
  const tex = texName(name, book.trace.expressions.of(name));
  return /^\\text\{/.test(tex) && isComposite(name) ? `(${tex})` : held(tex);
};

/** A composite symbol needs parentheses before anything is done with it. @param {string} tex */
const held = (tex) =>
  /[ +-]/.test(tex.replace(/\^\{\\mathsf T\}|\\[a-z]+\{[^{}]*\}/g, "")) && !/^\\(left|begin)/.test(tex)
    ? `(${tex})`
    : tex;

/**
 * Does the target receive more than this one gradient?
 * @param {Book} book
 * @param {NodeEvent} event
 * @param {NodeRecord} node
 * @param {number} index
 */
function shared(book, event, node, index) {
  const next = node.next_functions[index];
  return next
    ? book.arrivalsAt(event.call, next[0]).filter((arrival) => arrival.input_nr === next[1]).length > 1
    : false;
}

/** @param {Book} book @param {NodeEvent | null} event */
function rootLatex(book, event) {
  const roots = event ? book.rootsOf(event.call) : [];
  const root = roots[0];
  if (!root || roots.length > 1 || /^the result of /.test(book.nameOf(root))) return "L";
  const called = book.symbolOf(root);
  const name = texName(called, book.trace.expressions.of(called));
  const gradient = book.calls.get(/** @type {NodeEvent} */ (event).call)?.gradients[0];
  return sizeOf(book.value(gradient)) > 1 ? `v^{\\mathsf T} ${name}` : name;
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
    return written(book.value(saved), tensor ? book.symbolOf(tensor) : name);
  }
  const attribute = node.attributes?.[name];
  if (Array.isArray(attribute) && attribute.length <= INLINE && attribute.every((x) => typeof x === "number")) {
    return formatShape(attribute);
  }
  return typeof attribute === "boolean" ? (attribute ? "True" : "False") : null;
}

/**
 * A value inside a formula: its numbers when few, its name and shape when many.
 * @param {Value | null} value
 * @param {string} name
 */
function written(value, name) {
  if (!value) return "None";
  const xs = flatNumbers(value);
  if (xs ? xs.length <= INLINE : isComplex(value) && value.data != null && elements(value.shape) <= INLINE) {
    return short(value, INLINE);
  }
  return `${name}${formatShape(value.shape)}`;
}
