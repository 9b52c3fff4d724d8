/**
 * Finding and rewriting literals in the reader's program: the number a leaf was made from, the `gradient=` of a
 * backward call. Pure: text in, positions out, read from the syntax tree and never guessed from the text.
 * @module
 */

import { pythonLanguage } from "../../vendor/codemirror.js";

/** @typedef {{from: number, to: number, text: string}} Literal */

/**
 * @typedef {object} GradientArgument
 * @property {string} root  source text of what backward() is called on
 * @property {{from: number, to: number}} place  what to replace; empty when there is no argument yet
 * @property {boolean} list  the place is a bare list of numbers, so only a list may go there
 * @property {boolean} comma  a comma must follow what is inserted
 * @property {number[] | null} numbers  when it is a literal
 */

/** @typedef {import("@lezer/common").SyntaxNode} SyntaxNode */

/** @param {string} code @returns {SyntaxNode} */
const parse = (code) => pythonLanguage.parser.parse(code).topNode;

/** @param {SyntaxNode} node @param {string} name @returns {SyntaxNode[]} all descendants of that kind, in order */
function all(node, name) {
  /** @type {SyntaxNode[]} */
  const found = [];
  node.cursor().iterate((at) => {
    if (at.name === name) found.push(at.node);
  });
  return found;
}

/** @param {string} code @param {number} line 1-based @returns {[number, number]} */
function span(code, line) {
  let from = 0;
  for (let i = 1; i < line; i++) {
    const end = code.indexOf("\n", from);
    if (end < 0) return [code.length, code.length];
    from = end + 1;
  }
  const end = code.indexOf("\n", from);
  return [from, end < 0 ? code.length : end];
}

/** @param {string} code @param {SyntaxNode} node */
const text = (code, node) => code.slice(node.from, node.to);

/**
 * A number, maybe with a sign. By its text: the grammar takes `1.` for an unfinished attribute.
 * @param {string} code
 * @param {SyntaxNode} node
 */
const isNumber = (code, node) => /^[+-]?\s*(\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(e[+-]?\d+)?$/i.test(text(code, node));

/**
 * The arguments of a call: positional ones under their index, keywords under their name.
 * @param {string} code
 * @param {SyntaxNode} call
 */
function argumentsOf(code, call) {
  /** @type {Map<string, SyntaxNode>} */
  const found = new Map();
  const list = call.getChild("ArgList");
  let index = 0;
  let keyword = "";
  for (let child = list?.firstChild?.nextSibling; child && child.name !== ")"; child = child.nextSibling) {
    if (child.name === ",") keyword = "";
    else if (child.name === "VariableName" && child.nextSibling?.name === "AssignOp") keyword = text(code, child);
    else if (child.name !== "AssignOp" && child.name !== "Comment") found.set(keyword || String(index++), child);
  }
  return found;
}

/**
 * The name of the function a call calls: the last part of `torch.autograd.backward`.
 * @param {string} code
 * @param {SyntaxNode} call
 */
function calleeOf(code, call) {
  const callee = call.firstChild;
  if (callee?.name === "VariableName") return text(code, callee);
  const property = callee?.name === "MemberExpression" ? callee.lastChild : null;
  return property?.name === "PropertyName" ? text(code, property) : "";
}

const MAKERS = new Set(["tensor", "Tensor", "FloatTensor", "DoubleTensor", "scalar_tensor"]);

/**
 * The numbers a variable's tensor is made from, in row order: `2.0` in `a = torch.tensor(2.0, requires_grad=True)`.
 * @param {string} code
 * @param {number} line where the tensor was made
 * @param {string} name the variable
 * @returns {Literal[] | null} null when it is not made from literal numbers
 */
export function numbersOf(code, line, name) {
  const [from, to] = span(code, line);
  for (const assignment of all(parse(code), "AssignStatement")) {
    if (assignment.from > to || assignment.to < from) continue;
    const target = assignment.firstChild;
    if (target?.name !== "VariableName" || text(code, target) !== name) continue;
    for (const call of all(assignment, "CallExpression")) {
      const args = argumentsOf(code, call);
      const value = args.get("0") ?? args.get("data") ?? null;
      if (MAKERS.has(calleeOf(code, call)) && value) return literals(code, value);
    }
  }
  return null;
}

/**
 * A number, or a list of nothing but numbers.
 * @param {string} code
 * @param {SyntaxNode} node
 * @returns {Literal[] | null}
 */
function literals(code, node) {
  if (isNumber(code, node)) return [{ from: node.from, to: node.to, text: text(code, node) }];
  if (node.name !== "ArrayExpression") return null;
  /** @type {Literal[]} */
  const found = [];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name === "[" || child.name === "]" || child.name === "," || child.type.isError) continue;
    const inner = literals(code, child);
    if (!inner) return null;
    found.push(...inner);
  }
  return found;
}

/**
 * Write a number the way the old one was written: a float stays a float.
 * @param {string} number
 * @param {string} before
 */
export const asWritten = (number, before) => (/[.eE]/.test(before) && !/[.eE]/.test(number) ? `${number}.0` : number);

/**
 * The gradient argument of the `backward` call on a line, or the place where one would go.
 * @param {string} code
 * @param {number} line of the call
 * @returns {GradientArgument | null} null when there is no such call, or it cannot be rewritten safely
 */
export function gradientArgument(code, line) {
  const [from, to] = span(code, line);
  const tree = parse(code);
  const call = all(tree, "CallExpression")
    .filter((node) => node.from <= to && node.to >= from && calleeOf(code, node) === "backward")
    .at(-1);
  const callee = call?.firstChild;
  if (!call || callee?.name !== "MemberExpression" || !callee.firstChild) return null;
  const args = argumentsOf(code, call);
  const functional = /(^|\.)autograd$/.test(text(code, callee.firstChild));
  const rootNode = functional ? (args.get("0") ?? args.get("tensors")) : callee.firstChild;
  const given = functional ? (args.get("1") ?? args.get("grad_tensors")) : (args.get("0") ?? args.get("gradient"));
  if (!rootNode) return null;
  const root = text(code, rootNode);
  if (!given || text(code, given) === "None") {
    if (functional) return null;
    const open = /** @type {SyntaxNode} */ (call.getChild("ArgList")).from + 1;
    const place = given ? { from: given.from, to: given.to } : { from: open, to: open };
    return { root, place, list: false, comma: !given && args.size > 0, numbers: null };
  }
  const source = given.name === "VariableName" ? (assigned(code, tree, text(code, given), call.from) ?? given) : given;
  const list = numberList(code, source);
  if (list) {
    return { root, place: { from: list.node.from, to: list.node.to }, list: true, comma: false, numbers: list.numbers };
  }
  return { root, place: { from: given.from, to: given.to }, list: false, comma: false, numbers: null };
}

/**
 * The weights that the `backward` call on a line spells out, in row order.
 * @param {string} code
 * @param {number} line of the call
 * @returns {Literal[] | null}
 */
export function weightLiterals(code, line) {
  const place = gradientArgument(code, line)?.place;
  const list =
    place && all(parse(code), "ArrayExpression").find(({ from, to }) => from === place.from && to === place.to);
  return list ? literals(code, list) : null;
}

/** The line that asks what one element sees; it is known by its remark. */
const FIELD = /^[ \t]*\w+, = torch\.autograd\.grad\(.*retain_graph=True\) {2}# what .* sees\n?/m;

/**
 * The program with a line that asks for the gradient of one element alone, its receptive field, after the line that
 * gives its tensor a name. A line that asked so before goes.
 * @param {string} code
 * @param {{line: number, name: string, index: number[], leaf: string}} about
 * @returns {{code: string, line: number, name: string} | null} the program, its new line and the variable in it; null
 *   where no line can be written
 */
export function withField(code, { line, name, index, leaf }) {
  const old = FIELD.exec(code);
  const rest = old ? code.slice(0, old.index) + code.slice(old.index + old[0].length) : code;
  const before = old && code.slice(0, old.index).split("\n").length < line ? 1 : 0;
  const [from, to] = span(rest, line - before);
  const statement = all(parse(rest), "AssignStatement").find((node) => node.from <= to && node.to >= from);
  if (!statement || !/^[ \t]*import torch\b(?!\s+as|\.)/m.test(rest)) return null;
  const indent = rest.slice(rest.lastIndexOf("\n", statement.from - 1) + 1, statement.from);
  if (indent.trim()) return null;
  let variable = "field";
  while (new RegExp(`\\b${variable}\\b`).test(rest)) variable += "_";
  const element = `${name}[${index.join(", ")}]`;
  const call = `torch.autograd.grad(${element}, ${leaf}, retain_graph=True)`;
  const text = `${indent}${variable}, = ${call}  # what ${element} sees`;
  const end = rest.indexOf("\n", statement.to);
  const at = end < 0 ? rest.length : end;
  return {
    code: `${rest.slice(0, at)}\n${text}${rest.slice(at)}`,
    line: rest.slice(0, at).split("\n").length + 1,
    name: variable,
  };
}

/**
 * What was last assigned to a variable before a position.
 * @param {string} code
 * @param {SyntaxNode} tree
 * @param {string} name
 * @param {number} before
 */
function assigned(code, tree, name, before) {
  const statement = all(tree, "AssignStatement")
    .filter((node) => node.to <= before && node.firstChild && text(code, node.firstChild) === name)
    .at(-1);
  return statement?.lastChild ?? null;
}

/**
 * The first list of nothing but numbers inside a node.
 * @param {string} code
 * @param {SyntaxNode} node
 * @returns {{node: SyntaxNode, numbers: number[]} | null}
 */
function numberList(code, node) {
  for (const list of all(node, "ArrayExpression")) {
    const found = literals(code, list);
    if (found) return { node: list, numbers: found.map((literal) => Number(literal.text.replace(/[\s_]/g, ""))) };
  }
  return null;
}

/**
 * The program with another gradient argument.
 * @param {string} code
 * @param {GradientArgument} argument
 * @param {number[]} numbers in row order
 * @param {number[]} shape
 * @returns {string}
 */
export function withGradient(code, argument, numbers, shape) {
  const { place, list, comma } = argument;
  const literal = nested(numbers, shape);
  const written = (list ? literal : `torch.tensor(${literal})`) + (comma ? ", " : "");
  return code.slice(0, place.from) + written + code.slice(place.to);
}

/** @param {number[]} numbers @param {number[]} shape @returns {string} nested lists; floats are written as floats */
export function nested(numbers, shape) {
  if (shape.length === 0) return pythonFloat(numbers[0] ?? 0);
  const [n = 0, ...inner] = shape;
  const size = inner.reduce((product, k) => product * k, 1);
  return `[${Array.from({ length: n }, (_, i) => nested(numbers.slice(i * size, (i + 1) * size), inner)).join(", ")}]`;
}

/** @param {number} x */
function pythonFloat(x) {
  const short = String(Number(x.toPrecision(6)));
  return /[.e]/.test(short) ? short.replace("e+", "e") : `${short}.0`;
}
