/**
 * The formula of a gradient, read well enough to put numbers into it: `g * other` becomes `1 × 4`, and an elementwise
 * formula can be evaluated before the engine sums it to a smaller shape. What is not elementwise is left alone.
 * @module
 */
import { elements, flatten, formatNumber, isComplex, toNumber } from "../trace.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../trace.js").NodeRecord} NodeRecord */

/**
 * @typedef {{kind: "number", value: number}
 *   | {kind: "name", name: string}
 *   | {kind: "constant", value: unknown}
 *   | {kind: "unary", op: string, of: Expression}
 *   | {kind: "binary", op: string, left: Expression, right: Expression}
 *   | {kind: "call", name: string, of: Expression[]}
 *   | {kind: "choice", test: Expression, yes: Expression, no: Expression}} Expression
 */

/** @typedef {{shape: number[], data: number[]}} Numbers */

/** @type {Map<string, Expression | null>} */
const parsed = new Map();

/** @param {string} source @returns {Expression | null}  null when it uses more than elementwise arithmetic */
export function parseFormula(source) {
  const known = parsed.get(source);
  if (known !== undefined) return known;
  /** @type {Expression | null} */
  let result;
  try {
    result = new Parser(source).whole();
  } catch {
    result = null;
  }
  parsed.set(source, result);
  return result;
}

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
  abs: Math.abs,
  rsqrt: (x) => 1 / Math.sqrt(x),
  sgn: Math.sign,
  sign: Math.sign,
  zero_like: () => 0,
};
/**
 * Two-argument formulas of the engine that are elementwise, and how they are written out.
 * @type {Record<string, {run: (g: number, x: number) => number, text: string}>}
 */
const SLOPES = {
  sigmoid_backward: { run: (g, y) => g * y * (1 - y), text: "g * result * (1 - result)" },
  tanh_backward: { run: (g, y) => g * (1 - y * y), text: "g * (1 - result ** 2)" },
};

const BINARY = ["or", "and", "|", "&", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "**"];
/** @type {Record<string, number>} */
const BINDS = {
  or: 1,
  and: 2,
  "|": 3,
  "&": 4,
  "==": 5,
  "!=": 5,
  "<=": 5,
  ">=": 5,
  "<": 5,
  ">": 5,
  "+": 6,
  "-": 6,
  "*": 7,
  "/": 7,
  "**": 9,
};

class Parser {
  /** @param {string} source */
  constructor(source) {
    this.tokens = source.match(/\d+\.?\d*(?:e[-+]?\d+)?|[A-Za-z_]\w*|'[^']*'|\*\*|[<>=!]=|[-+*/()<>,|&~]|\S/g) ?? [];
    this.at = 0;
  }

  peek() {
    return this.tokens[this.at];
  }

  /** @param {string} token */
  take(token) {
    if (this.peek() !== token) throw new SyntaxError(token);
    this.at++;
  }

  whole() {
    const result = this.choice();
    if (this.at < this.tokens.length) throw new SyntaxError(this.peek());
    return result;
  }

  /** @returns {Expression} */
  choice() {
    const yes = this.binary(0);
    if (this.peek() !== "if") return yes;
    this.at++;
    const test = this.test();
    this.take("else");
    return { kind: "choice", test, yes, no: this.choice() };
  }

  /** @returns {Expression} */
  test() {
    const left = this.binary(0);
    if (this.peek() !== "is") return left;
    this.at++;
    const negated = this.peek() === "not";
    if (negated) this.at++;
    return { kind: "binary", op: negated ? "is not" : "is", left, right: this.atom() };
  }

  /** @param {number} least @returns {Expression} */
  binary(least) {
    let left = this.unary();
    for (let op = this.peek(); BINARY.includes(op) && BINDS[op] > least; op = this.peek()) {
      this.at++;
      left = { kind: "binary", op, left, right: this.binary(op === "**" ? BINDS[op] - 1 : BINDS[op]) };
    }
    return left;
  }

  /** @returns {Expression} */
  unary() {
    const op = this.peek();
    if (op !== "-" && op !== "~" && op !== "not") return this.atom();
    this.at++;
    return { kind: "unary", op, of: this.binary(op === "not" ? 2 : 8) };
  }

  /** @returns {Expression} */
  atom() {
    const token = this.tokens[this.at++];
    if (token === "(") {
      const inside = this.choice();
      this.take(")");
      return inside;
    }
    if (/^\d/.test(token)) return { kind: "number", value: Number(token) };
    if (token.startsWith("'")) return { kind: "constant", value: token.slice(1, -1) };
    if (token === "None") return { kind: "constant", value: null };
    if (!/^[A-Za-z_]/.test(token)) throw new SyntaxError(token);
    if (this.peek() !== "(") return { kind: "name", name: token };
    this.at++;
    /** @type {Expression[]} */
    const of = [];
    while (this.peek() !== ")") {
      of.push(this.choice());
      if (this.peek() === ",") this.at++;
    }
    this.take(")");
    if (
      !(token in FUNCTIONS && of.length === 1) &&
      !(token in SLOPES && of.length === 2) &&
      !(token === "where" && of.length === 3)
    ) {
      throw new SyntaxError(token);
    }
    return { kind: "call", name: token, of };
  }
}

/** @typedef {(name: string) => Numbers | unknown} Names  numbers of a tensor, or a plain attribute */

/**
 * @param {Expression} expression
 * @param {Names} names
 * @returns {Numbers | null}  null when something in it has no numbers here
 */
export function evaluate(expression, names) {
  try {
    return run(expression, names);
  } catch {
    return null;
  }
}

/** @param {Expression} e @param {Names} names @returns {Numbers} */
function run(e, names) {
  switch (e.kind) {
    case "number":
      return { shape: [], data: [e.value] };
    case "constant":
      throw new TypeError("not a number");
    case "name": {
      const value = names(e.name);
      if (isNumbers(value)) return value;
      if (typeof value === "number") return { shape: [], data: [value] };
      throw new TypeError(e.name);
    }
    case "unary":
      return map(run(e.of, names), e.op === "-" ? (x) => -x : (x) => (x ? 0 : 1));
    case "choice":
      return run(decide(e.test, names) ? e.yes : e.no, names);
    case "binary":
      return combine(run(e.left, names), run(e.right, names), OPERATORS[e.op]);
    case "call": {
      const of = e.of.map((each) => run(each, names));
      if (e.name === "where") {
        return combine(
          combine(of[0], of[1], (c, x) => (c ? x : NaN)),
          combine(of[0], of[2], (c, x) => (c ? NaN : x)),
          (a, b) => (Number.isNaN(a) ? b : a),
        );
      }
      return of.length === 1 ? map(of[0], FUNCTIONS[e.name]) : combine(of[0], of[1], SLOPES[e.name].run);
    }
  }
}

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

/** Attributes decide which branch of a formula ran. @param {Expression} test @param {Names} names @returns {boolean} */
function decide(test, names) {
  if (test.kind === "binary" && ["==", "!=", "is", "is not"].includes(test.op)) {
    const same = plain(test.left, names) === plain(test.right, names);
    return test.op === "==" || test.op === "is" ? same : !same;
  }
  return Boolean(plain(test, names));
}

/** @param {Expression} e @param {Names} names @returns {unknown} */
function plain(e, names) {
  if (e.kind === "number" || e.kind === "constant") return e.value;
  if (e.kind !== "name") throw new TypeError(e.kind);
  const value = names(e.name);
  return isNumbers(value) ? value.data[0] : value;
}

/** @param {unknown} value @returns {value is Numbers} */
export const isNumbers = (value) => typeof value === "object" && value !== null && "data" in value;

/**
 * The shape a formula has before it is summed to its input's, when only shapes are at hand.
 * @param {Expression} expression @param {(name: string) => number[] | null} shapes  null for what is no tensor
 * @returns {number[] | null}
 */
export function shapeOf(expression, shapes) {
  /** @type {number[] | null} */
  let shape = [];
  const stack = [expression];
  while (stack.length && shape) {
    const e = /** @type {Expression} */ (stack.pop());
    if (e.kind === "name") {
      const own = shapes(e.name);
      if (own) shape = broadcastShape(shape, own);
    } else if (e.kind === "unary") stack.push(e.of);
    else if (e.kind === "binary") stack.push(e.left, e.right);
    else if (e.kind === "call") stack.push(...e.of);
    else if (e.kind === "choice") stack.push(e.yes);
  }
  return shape;
}

/** @param {Numbers} a @param {(x: number) => number} f @returns {Numbers} */
const map = (a, f) => ({ shape: a.shape, data: a.data.map(f) });

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

/** @param {number[]} a @param {number[]} b @returns {number[] | null} */
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

/** @param {number} i @param {number[]} shape @param {number[]} own */
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

/**
 * The formula with its numbers, for scalars: `1 × 4`.
 * @param {Expression} expression @param {Names} names
 * @returns {string | null}
 */
export function withNumbers(expression, names) {
  try {
    return write(expression, names, 0);
  } catch {
    return null;
  }
}

/** @type {Record<string, string>} */
const SIGNS = {
  "*": " × ",
  "/": " ÷ ",
  "+": " + ",
  "-": " − ",
  "**": "^",
  "<": " < ",
  ">": " > ",
  "<=": " ≤ ",
  ">=": " ≥ ",
  "==": " = ",
  "!=": " ≠ ",
};

/** @param {Expression} e @param {Names} names @param {number} around @returns {string} */
function write(e, names, around) {
  switch (e.kind) {
    case "number":
      return formatNumber(e.value);
    case "constant":
      throw new TypeError("text");
    case "name": {
      const value = names(e.name);
      const number = isNumbers(value) && value.data.length === 1 ? value.data[0] : value;
      if (typeof number !== "number") throw new TypeError(e.name);
      return number < 0 && around > 6 ? `(${formatNumber(number)})` : formatNumber(number);
    }
    case "unary":
      return `−${write(e.of, names, 8)}`;
    case "choice":
      return write(decide(e.test, names) ? e.yes : e.no, names, around);
    case "binary": {
      const sign = SIGNS[e.op] ?? ` ${e.op} `;
      const inside = `${write(e.left, names, BINDS[e.op])}${sign}${write(e.right, names, BINDS[e.op] + 0.5)}`;
      return BINDS[e.op] < around ? `(${inside})` : inside;
    }
    case "call": {
      const slope = SLOPES[e.name];
      if (slope) return write(/** @type {Expression} */ (parseFormula(slope.text)), (name) => names(name), around);
      return `${e.name}(${e.of.map((each) => write(each, names, 0)).join(", ")})`;
    }
  }
}
