/**
 * Formulas as trees, simplified with what is known about a node (`alpha` is 1, `exponent` is 2). Pure.
 * @module
 */

/**
 * A name, a number, a flag, None, or an operator or function with what it is applied to:
 * `["*", "g", ["cos", "x"]]`.
 * Besides: `[".", x, attribute]`, `["[]", x, ...indices]`, `["()", ...items]`, `["if", test, yes, no]`,
 * `["'", string]`, and `["said", text, LaTeX, number?]` for what has no name.
 * @typedef {string | number | boolean | null | [string, ...any[]]} Tree
 */

/** @typedef {(name: string) => unknown} Known what a name is worth for this node, undefined when that is not known */

/** What a saved tensor is worth before it is asked for its numbers: it is there. */
const SAVED = Symbol("saved");

/** Operators by how many things they join: one, two, or two and more. */
const ONE = new Set(["-", "~", "not"]);
const TWO = new Set(["+", "-", "*", "/", "//", "%", "@", "**", "&", "|", "^", "and", "or", "is", "is not", "in"]);
export const ORDERS = new Set(["<", "<=", ">", ">=", "==", "!="]);

/** Whether what a document calls a tree is one. @param {unknown} tree @returns {tree is Tree} */
export function isTree(tree) {
  if (!Array.isArray(tree)) return tree === null || ["string", "number", "boolean"].includes(typeof tree);
  const [head, ...parts] = tree;
  switch (head) {
    case "'":
      return parts.length === 1 && typeof parts[0] === "string";
    case "said":
      return (
        parts.length > 1 && parts.length < 4 && parts.every((part, i) => typeof part === (i < 2 ? "string" : "number"))
      );
    case ".":
      return parts.length === 2 && typeof parts[1] === "string" && isTree(parts[0]);
    case "()":
      return parts.every(isTree);
    case "[]":
      return parts.length > 1 && parts.every(isTree);
    case "if":
      return parts.length === 3 && parts.every(isTree);
    default:
      return typeof head === "string" && takes(head, parts.length) && parts.every(isTree);
  }
}

/**
 * The trees of a document, by their text.
 * @param {Record<string, unknown> | undefined} table @returns {Map<string, Tree>}
 */
export const treesOf = (table) =>
  new Map(Object.entries(table ?? {}).flatMap(([text, tree]) => (isTree(tree) ? [[text, tree]] : [])));

/** @param {string} head @param {number} count */
const takes = (head, count) =>
  (ONE.has(head) && count === 1) ||
  (TWO.has(head) && count === 2) ||
  (ORDERS.has(head) && count >= 2) ||
  /^[\p{L}_][\p{L}\p{N}_]*$/u.test(head);

/**
 * What the names of a node's formulas are worth before any gradient; an optional input that was not given is None.
 * @param {{saved?: Record<string, unknown>, attributes?: Record<string, unknown>}} node
 * @returns {Known}
 */
export const knownOf = (node) => (name) => {
  if (node.attributes && name in node.attributes) return node.attributes[name];
  if (node.saved && name in node.saved) return SAVED;
  return /^(g|result)\d*$/.test(name) ? undefined : null;
};

/**
 * @param {Tree} tree
 * @param {Known} known
 * @returns {Tree} with decided conditions decided and plain numbers worked out
 */
export function simplify(tree, known) {
  const go = (/** @type {Tree} */ x) => simplify(x, known);
  if (typeof tree === "string") {
    const value = known(tree);
    return typeof value === "number" && Number.isFinite(value) ? value : (sizes(value) ?? tree);
  }
  if (!Array.isArray(tree)) return tree;
  const [head, ...parts] = tree;
  switch (head) {
    case "()":
    case "'":
    case "said":
      return tree;
    case ".":
      return (typeof parts[0] === "string" && sizes(known(`${parts[0]}.${parts[1]}`))) || tree;
    case "[]":
      return [head, go(parts[0]), ...parts.slice(1)];
    case "count":
    case "numel":
      return counted(parts, known) ?? [head, ...parts.map(go)];
    case "if": {
      const test = decide(parts[0], known);
      return test === undefined ? [head, ...parts.map(go)] : go(parts[test ? 1 : 2]);
    }
    default:
      return arithmetic(head, parts.map(go));
  }
}

/** A shape or several dimensions. @param {unknown} value @returns {Tree | null} */
const sizes = (value) =>
  Array.isArray(value) && value.length && value.every((size) => Number.isInteger(size)) ? ["()", ...value] : null;

/**
 * `count(x.shape, dim)`: how many elements lie along `dim`, or in all.
 * @param {Tree[]} parts
 * @param {Known} known
 * @returns {number | undefined}
 */
function counted([of, along], known) {
  const shape = Array.isArray(of) && of[0] === "." ? known(`${of[1]}.${of[2]}`) : undefined;
  if (!Array.isArray(shape)) return undefined;
  const dims = typeof along === "string" ? known(along) : along;
  if (along !== undefined && dims === undefined) return undefined;
  const some = Array.isArray(dims) ? dims : typeof dims === "number" ? [dims] : [];
  const sizes = some.length ? some.map((dim) => shape.at(Number(dim))) : shape;
  return sizes.reduce((product, size) => product * Number(size ?? 1), 1);
}

/** @param {string} op @param {Tree[]} parts @returns {Tree} */
function arithmetic(op, parts) {
  const [a, b] = parts;
  if (op === "-" && parts.length === 1) {
    if (typeof a === "number") return -a;
    return Array.isArray(a) && a[0] === "-" && a.length === 2 ? a[1] : [op, a];
  }
  if (typeof a === "number" && typeof b === "number") {
    if (op === "+") return a + b;
    if (op === "-") return a - b;
    if (op === "*") return a * b;
  }
  if (op === "*" && a === 1) return b;
  if ((op === "*" || op === "/" || op === "**") && b === 1) return a;
  if (op === "*" && (a === 0 || b === 0)) return 0;
  return [op, ...parts];
}

/** Is a condition true for this node? @param {Tree} test @param {Known} known @returns {boolean | undefined} */
function decide(test, known) {
  if (typeof test === "boolean") return test;
  if (typeof test === "string") {
    const value = known(test);
    return typeof value === "boolean" || typeof value === "number" ? Boolean(value) : undefined;
  }
  if (!Array.isArray(test)) return undefined;
  const [op, ...parts] = test;
  if (op === "or" || op === "and") {
    const sides = parts.map((part) => decide(part, known));
    if (sides.includes(op === "or")) return op === "or";
    return sides.includes(undefined) ? undefined : op === "and";
  }
  if (op === "not") {
    const inner = decide(parts[0], known);
    return inner === undefined ? undefined : !inner;
  }
  const side = (/** @type {Tree} */ x) =>
    typeof x === "string" ? known(x) : !Array.isArray(x) ? x : x[0] === "'" ? x[1] : undefined;
  const [a, b, ...more] = parts.map(side);
  if (a === undefined || b === undefined || more.length) return undefined;
  if (op === "is") return a === b;
  if (op === "is not") return a !== b;
  if (a === SAVED || b === SAVED) return undefined;
  switch (op) {
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case ">":
      return Number(a) > Number(b);
    case "<":
      return Number(a) < Number(b);
    default:
      return undefined;
  }
}
