/**
 * Trees written as LaTeX, or as text, with any names or numbers put in. Pure.
 * @module
 */
/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {[text: string, binds: number]} Written */

/** How tightly operators bind; names and calls bind tightest. */
const BINDS = /** @type {Record<string, number>} */ ({
  or: 1,
  and: 2,
  "|": 5,
  "^": 6,
  "&": 7,
  "+": 9,
  "-": 9,
  "*": 10,
  "/": 10,
  "//": 10,
  "%": 10,
  "@": 10,
  "**": 12,
});
const NOT = 3;
const COMPARE = 4;
const NEGATIVE = BINDS["-"] + 0.5;
const UNARY = 11;
const ATOM = 20;

const TURNED = "^{\\mathsf T}";
/** Functions a reader knows by these names. */
const FUNCTIONS = new Set([
  "sin",
  "cos",
  "tan",
  "exp",
  "log",
  "sinh",
  "cosh",
  "tanh",
  "digamma",
  "polygamma",
  "erf",
  "erfinv",
  "max",
  "min",
  "reshape",
  "permute",
  "flip",
  "roll",
  "tril",
  "triu",
  "gather",
  "softmax",
  "sigmoid",
  "relu",
]);
const COMPARISONS = /** @type {Record<string, [string, string]>} LaTeX and text */ ({
  "==": ["=", "="],
  "!=": ["\\ne", "≠"],
  "<=": ["\\le", "≤"],
  ">=": ["\\ge", "≥"],
  "<": ["<", "<"],
  ">": [">", ">"],
  is: ["=", "="],
  "is not": ["\\ne", "≠"],
  in: ["\\in", "in"],
});
const compares = (/** @type {string} */ head) => Object.hasOwn(COMPARISONS, head);

/** What Python calls True, False and None. @param {boolean | null} value */
const spelled = (value) => (value === null ? "None" : value ? "True" : "False");

/**
 * @param {Tree} tree simplified
 * @param {(name: string) => string | null} symbol the LaTeX of a name, null to keep it
 * @returns {string | null} null when it calls a function whose meaning is not known here
 */
export function latex(tree, symbol) {
  const writer = new LatexWriter(symbol);
  const [text] = writer.write(tree);
  return writer.strange ? null : text;
}

class LatexWriter {
  /** Whether a function was called that no reader knows. */
  strange = false;

  /** @param {(name: string) => string | null} symbol */
  constructor(symbol) {
    this.symbol = symbol;
  }

  /** @param {Tree} x @param {number} least */
  held(x, least) {
    const [text, binds] = this.write(x);
    return binds >= least ? text : `\\left(${text}\\right)`;
  }

  /** @param {Tree[]} items @param {string} [between] */
  list = (items, between = ", ") => items.map((item) => this.write(item)[0]).join(between);

  /** @param {Tree} x @returns {Written} */
  write(x) {
    if (typeof x === "number") return x < 0 ? [`-${-x}`, BINDS["-"]] : [String(x), ATOM];
    if (!Array.isArray(x)) {
      const name = typeof x === "string" ? x : spelled(x);
      return [this.symbol(name) ?? texName(name), ATOM];
    }
    const [head, ...parts] = x;
    switch (head) {
      case "said":
        return [parts[1], ATOM];
      case "'":
        return [`\\text{${escaped(parts[0])}}`, ATOM];
      case ".":
        return [`${this.held(parts[0], ATOM)}.\\mathrm{${escaped(parts[1])}}`, ATOM];
      case "[]":
        return [`${this.held(parts[0], ATOM)}_{${this.list(parts.slice(1), ",")}}`, ATOM];
      case "()":
        return [`\\left(${this.list(parts)}\\right)`, ATOM];
      case "if":
        return [
          `\\begin{cases} ${this.write(parts[1])[0]} & ${this.write(parts[0])[0]} \\\\ ` +
            `${this.write(parts[2])[0]} & \\text{otherwise} \\end{cases}`,
          ATOM,
        ];
      case "~":
      case "not":
        return [`\\lnot ${this.held(parts[0], ATOM)}`, UNARY];
    }
    if (compares(head)) {
      return [parts.map((part) => this.held(part, COMPARE + 1)).join(` ${COMPARISONS[head][0]} `), COMPARE];
    }
    if (head === "-" && parts.length === 1) return [`-${this.held(parts[0], UNARY)}`, BINDS["-"]];
    return Object.hasOwn(BINDS, head) ? this.operator(head, parts[0], parts[1]) : this.call(head, parts);
  }

  /** @param {string} op @param {Tree} a @param {Tree} b @returns {Written} */
  operator(op, a, b) {
    const binds = BINDS[op];
    const joined = (/** @type {string} */ sign) =>
      /** @type {Written} */ ([`${this.held(a, binds)}${sign}${this.held(b, binds + 1)}`, binds]);
    switch (op) {
      case "/":
        return [`\\frac{${this.write(a)[0]}}{${this.write(b)[0]}}`, UNARY];
      case "**": {
        const root = Array.isArray(a) && a[0] === "sqrt";
        return [`${root ? `\\left(${this.write(a)[0]}\\right)` : this.held(a, ATOM)}^{${this.write(b)[0]}}`, binds];
      }
      case "*":
        return joined(" \\cdot ");
      case "@":
        return joined("\\,");
      case "&":
      case "and":
        return joined(" \\land ");
      case "|":
      case "or":
        return joined(" \\lor ");
      case "%":
        return joined(" \\bmod ");
      default:
        return joined(` ${op} `);
    }
  }

  /** @param {string} f @param {Tree[]} args @returns {Written} */
  call(f, args) {
    const [first, second] = args;
    if (first !== undefined) {
      const inner = () => this.write(first)[0];
      switch (f) {
        case "T": {
          const turned = this.held(first, ATOM);
          return turned.endsWith(TURNED) ? [turned.slice(0, -TURNED.length), ATOM] : [turned + TURNED, BINDS["**"]];
        }
        case "total":
          return [`\\textstyle\\sum ${this.held(first, BINDS["*"])}`, BINDS["*"]];
        case "holds":
          return [`[${inner()}]`, ATOM];
        case "exp":
          return [`e^{${inner()}}`, BINDS["**"]];
        case "sqrt":
          return [`\\sqrt{${inner()}}`, ATOM];
        case "abs":
          return [`\\left|${inner()}\\right|`, ATOM];
        case "sgn":
        case "sign":
          return [`\\operatorname{sign}\\left(${inner()}\\right)`, ATOM];
        case "sigmoid":
          return [`\\sigma\\left(${inner()}\\right)`, ATOM];
      }
    }
    if (f === "pow" && second !== undefined) return this.operator("**", first, second);
    if (/^(sin|cos|tan|sinh|cosh|tanh|log|max|min)$/.test(f)) return [`\\${f}\\left(${this.list(args)}\\right)`, ATOM];
    if (!FUNCTIONS.has(f)) this.strange = true;
    return [`\\operatorname{${escaped(f)}}\\left(${this.list(args)}\\right)`, ATOM];
  }
}

/**
 * @param {Tree} tree simplified
 * @param {(name: string) => string | null} operand what to write for a name, null to keep it
 * @returns {string}
 */
export const plain = (tree, operand) => new TextWriter(operand).write(tree)[0];

/** @type {Record<string, string>} */
const SIGNS = { "*": " × ", "-": " − ", "&": " and ", "|": " or " };

class TextWriter {
  /** @param {(name: string) => string | null} operand */
  constructor(operand) {
    this.operand = operand;
  }

  /** @param {Tree} x @param {number} least */
  held(x, least) {
    const [text, binds] = this.write(x);
    return binds >= least ? text : `(${text})`;
  }

  /** @param {Tree[]} items */
  list = (items) => items.map((item) => this.write(item)[0]).join(", ");

  /** @param {Tree} x @returns {Written} */
  write(x) {
    if (typeof x === "number") return x < 0 ? [`−${-x}`, NEGATIVE] : [String(x), ATOM];
    if (!Array.isArray(x)) {
      const name = typeof x === "string" ? x : spelled(x);
      const text = this.operand(name) ?? name;
      return [text, /^[−-]/.test(text) ? NEGATIVE : isComposite(text) ? 0 : ATOM];
    }
    const [head, ...parts] = x;
    switch (head) {
      case "said":
        return [parts[0], ATOM];
      case "'":
        return [`'${parts[0]}'`, ATOM];
      case ".":
        return [`${this.held(parts[0], ATOM)}.${parts[1]}`, ATOM];
      case "[]":
        return [`${this.held(parts[0], ATOM)}[${this.list(parts.slice(1))}]`, ATOM];
      case "()":
        return [`(${this.list(parts)})`, ATOM];
      case "if":
        return [`${this.held(parts[1], NOT)} where ${this.held(parts[0], NOT)}, else ${this.held(parts[2], NOT)}`, 0];
      case "~":
      case "not":
        return [`not ${this.held(parts[0], ATOM)}`, NOT];
    }
    if (compares(head)) {
      return [parts.map((part) => this.held(part, COMPARE + 1)).join(` ${COMPARISONS[head][1]} `), COMPARE];
    }
    if (head === "-" && parts.length === 1) return [`−${this.held(parts[0], UNARY)}`, NEGATIVE];
    return Object.hasOwn(BINDS, head) ? this.operator(head, parts[0], parts[1]) : this.call(head, parts);
  }

  /** @param {string} op @param {Tree} a @param {Tree} b @returns {Written} */
  operator(op, a, b) {
    const binds = BINDS[op];
    if (op === "**") return [`${this.held(a, ATOM)}${superscript(this.held(b, ATOM))}`, binds];
    return [`${this.held(a, binds)}${SIGNS[op] ?? ` ${op} `}${this.held(b, binds + 1)}`, binds];
  }

  /** @param {string} f @param {Tree[]} args @returns {Written} */
  call(f, args) {
    const [first] = args;
    if (first !== undefined) {
      switch (f) {
        case "T":
          return [`${this.held(first, ATOM)}ᵀ`, ATOM];
        case "total":
          return [`Σ ${this.held(first, BINDS["*"])}`, BINDS["*"]];
        case "holds":
          return [`[${this.write(first)[0]}]`, ATOM];
        case "sqrt":
          return [`√${this.held(first, ATOM)}`, ATOM];
        case "sigmoid":
          return [`σ(${this.write(first)[0]})`, ATOM];
      }
    }
    return [`${f}(${this.list(args)})`, ATOM];
  }
}

/** @param {string} power */
const superscript = (power) =>
  /^\d+$/.test(power) ? power.replace(/\d/g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(d)] ?? d) : `^${power}`;

/**
 * A variable's name in LaTeX: `x`, `w_{1}`, upright words, its place in lists and modules, or an expression as
 * mathematics.
 * @param {string} name
 * @param {Tree} [tree] of the expression that the name is
 * @returns {string}
 */
export function texName(name, tree = null) {
  if (/^\w[\w.]*\.T$/.test(name)) {
    const matrix = texName(name.slice(0, -2));
    return (matrix.endsWith(TURNED) ? `{${matrix}}` : matrix) + TURNED;
  }
  const letter = /^([A-Za-zΑ-Ωα-ω])_?(\d*)$/.exec(name);
  if (letter) return letter[2] ? `${letter[1]}_{${letter[2]}}` : `${letter[1]}`;
  if (/^-?[\d.]+(e[+-]?\d+)?$/.test(name)) return name;
  if (/^[A-Za-z_][\w.]*$/.test(name)) return `\\mathrm{${escaped(name)}}`;
  const drawn = tree !== null && tree !== name ? latex(tree, () => null) : null;
  return drawn ?? member(name) ?? `\\text{${escaped(name)}}`;
}

/** A member of lists: `layers[0].w`. @param {string} name @returns {string | null} */
function member(name) {
  const [, list, rest] = /^([A-Za-z_][\w.]*)((?:\[\d+\]|\.[A-Za-z_]\w*)+)$/.exec(name) ?? [];
  if (!list || !rest) return null;
  const places = rest
    .replace(/\.(\w+)/g, (_, of) => `.\\mathrm{${escaped(of)}}`)
    .replace(/(?:\[\d+\])+/g, (indices) => `_{${indices.slice(1, -1).replaceAll("][", ",")}}`);
  return texName(list) + places;
}

/**
 * Is a name an expression in itself, so that nothing may be done with it before it is in parentheses?
 * @param {string} name
 */
export const isComposite = (name) => {
  let outside = name.replace(/^−/, "");
  for (let before = ""; before !== outside; ) {
    [before, outside] = [outside, outside.replace(/\([^()]*\)|\[[^[\]]*\]/g, "")];
  }
  return /[-+*/@ −]/.test(outside);
};

/** For where LaTeX sets text, whose fonts have no Greek. @param {string} text */
export const escaped = (text) =>
  text
    .replace(/[\\{}$^~]/g, "")
    .replace(/[_&#%]/g, "\\$&")
    .replace(/[Α-Ωα-ω]/g, "$$$&$$");
