/**
 * A formula computed with the numbers of a step: element by element with broadcasting, before the engine sums it to a
 * smaller shape, and products of matrices. Pure.
 * @module
 */
import { elements, flatten, isComplex, toNumber } from "../trace.js";
import { ORDERS } from "./tree.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../trace.js").NodeRecord} NodeRecord */
/** @typedef {import("./tree.js").Tree} Tree */

/** @typedef {{shape: number[], data: number[]}} Numbers */
/** @typedef {(name: string) => Numbers | unknown} Names  numbers of a tensor, or a plain attribute */

/** @type {Record<string, (x: number) => number>} */
const FUNCTIONS = {
  cos: Math.cos,
  sin: Math.sin,
  tan: Math.tan,
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
  cosh: Math.cosh,
  sinh: Math.sinh,
  tanh: Math.tanh,
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  abs: Math.abs,
  sgn: Math.sign,
  sign: Math.sign,
  holds: Number,
  "-": (x) => -x,
  "~": (x) => (x ? 0 : 1),
  not: (x) => (x ? 0 : 1),
};

/** @type {Record<string, (a: number, b: number) => number>} */
const OPERATORS = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "**": (a, b) => a ** b,
  "<": (a, b) => Number(a < b),
  ">": (a, b) => Number(a > b),
  "<=": (a, b) => Number(a <= b),
  ">=": (a, b) => Number(a >= b),
  "==": (a, b) => Number(a === b),
  "!=": (a, b) => Number(a !== b),
  "|": (a, b) => Number(a || b),
  "&": (a, b) => Number(a && b),
  or: (a, b) => Number(a || b),
  and: (a, b) => Number(a && b),
};

/**
 * Whether each element of a formula's value is made of the elements at its place.
 * @param {Tree} tree @returns {boolean}
 */
export function isElementwise(tree) {
  if (!Array.isArray(tree)) return typeof tree === "string" || typeof tree === "number";
  const [head, ...parts] = tree;
  if (head === "said") return parts.length === 3;
  const known =
    head === "if" ||
    (parts.length === 1 && Object.hasOwn(FUNCTIONS, head)) ||
    (parts.length === 2 && Object.hasOwn(OPERATORS, head)) ||
    ORDERS.has(head);
  return known && parts.every(isElementwise);
}

/** Whether matrices are multiplied in a formula. @param {Tree} tree @returns {boolean} */
export const hasProduct = (tree) => Array.isArray(tree) && (tree[0] === "@" || tree.slice(1).some(hasProduct));

/**
 * @param {Tree} tree simplified
 * @param {Names} names
 * @returns {Numbers | null}  null when something in it has no numbers here
 */
export function evaluate(tree, names) {
  try {
    return run(tree, names);
  } catch {
    return null;
  }
}

/** @param {Tree} tree @param {Names} names @returns {Numbers} */
function run(tree, names) {
  const value = typeof tree === "string" ? names(tree) : tree;
  if (isNumbers(value)) return value;
  if (typeof value === "number") return { shape: [], data: [value] };
  if (!Array.isArray(tree)) throw new TypeError("not a number");
  const [head, ...parts] = tree;
  if (head === "said") return run(parts[2] ?? null, names);
  const of = parts.map((part) => run(part, names));
  const [a, b, c] = of;
  if (head === "if") return choice(a, b, c);
  if (head === "@" && of.length === 2) return matrixProduct(a, b);
  if (head === "T" && of.length === 1) return transposed(a);
  if (of.length === 1) return map(a, FUNCTIONS[head]);
  const operator = OPERATORS[head];
  // a < b < c
  const pairs = of.slice(1).map((right, i) => combine(of[i], right, operator));
  return pairs.reduce((all, pair) => combine(all, pair, OPERATORS.and));
}

/** @param {unknown} value @returns {value is Numbers} */
export const isNumbers = (value) => typeof value === "object" && value !== null && "data" in value;

/**
 * The shape a formula has before it is summed to its input's, when only shapes are at hand.
 * @param {Tree} tree @param {(name: string) => number[] | null} shapes  null for what is no tensor
 * @returns {number[] | null}
 */
export function shapeOf(tree, shapes) {
  if (typeof tree === "string") return shapes(tree) ?? [];
  if (!Array.isArray(tree) || tree[0] === "said") return [];
  /** @type {(number[] | null)[]} */
  const inside = tree.slice(1).map((part) => shapeOf(part, shapes));
  return inside.reduce((shape, own) => shape && own && broadcastShape(shape, own), []);
}

/** @param {Numbers} a @param {(x: number) => number} f @returns {Numbers} */
const map = (a, f) => ({ shape: a.shape, data: a.data.map(f) });

/** @param {Numbers} test @param {Numbers} yes @param {Numbers} no @returns {Numbers} */
function choice(test, yes, no) {
  const some = combine(test, yes, (c, x) => (c ? x : NaN));
  const others = combine(test, no, (c, x) => (c ? NaN : x));
  return combine(some, others, (a, b) => (Number.isNaN(a) ? b : a));
}

/**
 * Elementwise with broadcasting.
 * @param {Numbers} a
 * @param {Numbers} b
 * @param {(x: number, y: number) => number} f
 * @returns {Numbers}
 */
function combine(a, b, f) {
  const shape = broadcastShape(a.shape, b.shape);
  if (!shape) throw new RangeError("shapes");
  const count = elements(shape);
  const data = new Array(count);
  for (let i = 0; i < count; i++) data[i] = f(a.data[place(i, shape, a.shape)], b.data[place(i, shape, b.shape)]);
  return { shape, data };
}

/** @param {readonly number[]} a @param {readonly number[]} b @returns {number[] | null} */
export function broadcastShape(a, b) {
  /** @type {number[]} */
  const shape = [];
  for (let i = 1; i <= Math.max(a.length, b.length); i++) {
    const x = a[a.length - i] ?? 1;
    const y = b[b.length - i] ?? 1;
    if (x !== y && x !== 1 && y !== 1) return null;
    shape.unshift(Math.max(x, y));
  }
  return shape;
}

/** @param {number} i @param {readonly number[]} shape @param {readonly number[]} own */
function place(i, shape, own) {
  let at = 0;
  let step = 1;
  for (let d = 1; d <= own.length; d++) {
    const size = shape[shape.length - d];
    if (own[own.length - d] !== 1) at += (i % size) * step;
    step *= own[own.length - d];
    i = Math.floor(i / size);
  }
  return at;
}

/** @param {Numbers} a @param {Numbers} b @returns {Numbers} */
function matrixProduct(a, b) {
  const [n, k] = a.shape;
  const [rows, m] = b.shape;
  if (a.shape.length !== 2 || b.shape.length !== 2 || k !== rows) throw new RangeError("shapes");
  const at = (/** @type {number} */ i, /** @type {number} */ j) => {
    let sum = 0;
    for (let l = 0; l < k; l++) sum += a.data[i * k + l] * b.data[l * m + j];
    return sum;
  };
  return { shape: [n, m], data: Array.from({ length: n * m }, (_, i) => at(Math.floor(i / m), i % m)) };
}

/** @param {Numbers} a @returns {Numbers} */
function transposed({ shape, data }) {
  const [n, m] = shape;
  if (shape.length !== 2) throw new RangeError("shapes");
  return { shape: [m, n], data: data.map((_, i) => data[(i % n) * m + Math.floor(i / n)]) };
}

/**
 * What the names in a node's formulas stand for.
 * @param {Trace} trace @param {NodeRecord} node @param {string | null | undefined} g  the gradient that arrived
 * @returns {(name: string) => Numbers | unknown}
 */
export function namesOf(trace, node, g) {
  return (name) => {
    const ref = name === "g" ? g : node.saved[name];
    if (ref === undefined) return node.attributes?.[name];
    const value = typeof ref === "string" ? trace.value(ref) : undefined;
    const flat = flatten(value);
    if (!value || !flat || flat.length > 4096 || isComplex(value)) return undefined;
    return { shape: value.shape, data: flat.map(toNumber) };
  };
}
