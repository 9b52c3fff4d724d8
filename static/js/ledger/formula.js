/**
 * A node's formula as mathematics. The document gives it as the engine runs it, in Python's notation; here it is
 * parsed, simplified with what is known about this node (`alpha` is 1, `exponent` is 2), and written as LaTeX or as
 * text with any names or numbers put in. Pure.
 * @module
 */

/**
 * @typedef {{k: "number", text: string} | {k: "name", name: string} | {k: "attribute", of: Expr, name: string}
 *   | {k: "call", f: string, args: Expr[]} | {k: "index", of: Expr, at: Expr[]} | {k: "tuple", items: Expr[]}
 *   | {k: "unary", op: string, x: Expr} | {k: "binary", op: string, a: Expr, b: Expr}
 *   | {k: "compare", ops: string[], items: Expr[]}
 *   | {k: "if", test: Expr, yes: Expr, no: Expr}} Expr
 */

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
const UNARY = 11;
const ATOM = 20;

// ---------------------------------------------------------------------------------------------- reading

/**
 * @param {string} text a Python expression
 * @returns {Expr | null} null when it uses more of Python than formulas need
 */
export function parse(text) {
  const tokens =
    text.match(
      /\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|[A-Za-z_]\w*|\*\*|\/\/|[<>=!]=|[-+*/%@&|^~<>()[\],.:=]|\S/gi,
    ) ?? [];
  let at = 0;
  const peek = () => tokens[at];
  const take = (/** @type {string} */ token) => {
    if (tokens[at] !== token) return false;
    at += 1;
    return true;
  };
  const need = (/** @type {string} */ token) => {
    if (!take(token)) throw new SyntaxError(`${token} expected`);
  };

  /** @returns {Expr} */
  function expression() {
    const yes = binary(1);
    if (!take("if")) return yes;
    const test = binary(1);
    need("else");
    return { k: "if", test, yes, no: expression() };
  }

  /** @param {number} level @returns {Expr} */
  function binary(level) {
    if (level === NOT) {
      if (take("not")) return { k: "unary", op: "not", x: binary(NOT) };
      return binary(COMPARE);
    }
    if (level === COMPARE) return comparison();
    if (level >= UNARY) return unary();
    let a = binary(level + 1);
    for (let op = peek(); op !== undefined && BINDS[op] === level; op = peek()) {
      at++;
      a = { k: "binary", op, a, b: binary(level + 1) };
    }
    return a;
  }

  /** @returns {Expr} */
  function comparison() {
    const items = [binary(COMPARE + 1)];
    /** @type {string[]} */
    const ops = [];
    for (let op = peek(); op && (/^([<>]=?|[=!]=)$/.test(op) || op === "is" || op === "in"); op = peek()) {
      at++;
      ops.push(op === "is" && take("not") ? "is not" : op);
      items.push(binary(COMPARE + 1));
    }
    return ops.length ? { k: "compare", ops, items } : /** @type {Expr} */ (items[0]);
  }

  /** @returns {Expr} */
  function unary() {
    const op = peek();
    if (op === "-" || op === "~" || op === "+") {
      at++;
      return { k: "unary", op, x: unary() };
    }
    const base = postfix();
    return take("**") ? { k: "binary", op: "**", a: base, b: unary() } : base;
  }

  /** @returns {Expr} */
  function postfix() {
    let x = atom();
    for (;;) {
      if (take(".")) x = { k: "attribute", of: x, name: tokens[at++] ?? "" };
      else if (take("[")) x = { k: "index", of: x, at: list("]") };
      else if (take("(")) {
        const args = list(")");
        if (x.k === "name") x = { k: "call", f: x.name, args };
        else if (x.k === "attribute") {
          x = {
            k: "call",
            f: x.name,
            args: /^(torch|F|math|np)$/.test(x.of.k === "name" ? x.of.name : "") ? args : [x.of, ...args],
          };
        } else throw new SyntaxError("a call of an expression");
      } else return x;
    }
  }

  /** @param {string} end @returns {Expr[]} */
  function list(end) {
    /** @type {Expr[]} */
    const items = [];
    while (!take(end)) {
      if (/^[A-Za-z_]/.test(peek() ?? "") && tokens[at + 1] === "=") at += 2; // the value of a keyword is enough
      items.push(expression());
      if (!take(",") && peek() !== end) throw new SyntaxError("a comma expected");
    }
    return items;
  }

  /** @returns {Expr} */
  function atom() {
    const token = tokens[at++];
    if (token === undefined) throw new SyntaxError("too short");
    if (/^[.\d]/.test(token)) return { k: "number", text: token };
    if (/^(for|lambda|if|else|in|is|and|or|not)$/.test(token)) throw new SyntaxError(token);
    if (/^[A-Za-z_]/.test(token)) return { k: "name", name: token };
    if (token === "[") return { k: "tuple", items: list("]") };
    if (token !== "(") throw new SyntaxError(token);
    if (take(")")) return { k: "tuple", items: [] };
    const first = expression();
    if (take(")")) return first;
    need(",");
    return { k: "tuple", items: [first, ...list(")")] };
  }

  try {
    const tree = expression();
    return at === tokens.length ? tree : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

// ---------------------------------------------------------------------------------------------- simplifying

/**
 * What the engine's helper functions mean, in the same notation. `T(x)` is a transpose, `total(x)` a sum over all
 * elements, `ones` a tensor of ones, `holds(c)` is 1 where c holds and else 0.
 * @type {Record<string, [string[], string]>}
 */
const MEANINGS = {
  scaled: [["x", "factor"], "factor * x"],
  t: [["x"], "T(x)"],
  transpose: [["x"], "T(x)"],
  bmm: [["a", "b"], "a @ b"],
  mv: [["a", "b"], "a @ b"],
  mm_grad_first: [["g", "other"], "g @ T(other)"],
  mm_grad_second: [["g", "other"], "T(other) @ g"],
  outer_product: [["a", "b"], "a @ T(b)"],
  expand: [["g"], "g * ones"],
  spread: [["g"], "g * ones"],
  restored: [["x"], "x"],
  batched: [["x"], "x"],
  sum: [["x"], "total(x)"],
  sum_to_size: [["x"], "total(x)"],
  zeros_like: [[], "0"],
  zero_like: [[], "0"],
  one_like: [[], "1"],
  mul_Scalar: [["x", "factor"], "factor * x"],
  rsqrt: [["x"], "1 / sqrt(x)"],
  square_reciprocal: [["a", "b"], "1 / (a ** 2 + b ** 2)"],
  where: [["test", "yes", "no"], "yes if test else no"],
  masked_fill_Scalar: [["x", "test", "value"], "value if test else x"],
  threshold_backward: [["g", "x", "limit"], "g * holds(x > limit)"],
  sigmoid_backward: [["g", "y"], "g * y * (1 - y)"],
  tanh_backward: [["g", "y"], "g * (1 - y ** 2)"],
  leaky_relu_backward: [["g", "x", "slope"], "g if x > 0 else slope * g"],
  mse_loss_backward: [["g", "x", "y", "reduction"], "2 * g * (x - y) / n if reduction == 1 else 2 * g * (x - y)"],
  bce_logits_backward: [
    ["g", "x", "y", "weight", "positive", "reduction"],
    "weighted(g) if weight is not None or positive is not None else g * (sigmoid(x) - y) / n if reduction == 1 " +
      "else g * (sigmoid(x) - y)",
  ],
  binary_cross_entropy_backward: [
    ["g", "x", "y", "weight", "reduction"],
    "weighted(g) if weight is not None else g * (x - y) / (x * (1 - x) * n) if reduction == 1 " +
      "else g * (x - y) / (x * (1 - x))",
  ],
  norm_backward: [["g", "x", "p", "norm"], "g * x / norm if p == 2 else g * sign(x) if p == 1 else slope(g)"],
  nll_loss_backward: [
    ["g", "x", "y", "weight", "reduction"],
    "weighted(g) if weight is not None else (-g / n if at_the_target else 0) if reduction == 1 " +
      "else (-g if at_the_target else 0)",
  ],
  shared: [["g", "x", "y"], "g / ties if x == y else 0"],
  shared_along: [["g", "x", "y"], "g / ties if x == y else 0"],
  to_selected: [["g"], "g if it_was_chosen else 0"],
  ordered_backward: [["g"], "g if it_was_chosen else 0"],
  masked_select_backward: [["g"], "g if it_was_chosen else 0"],
  max_pool2d_with_indices_backward: [["g"], "g if it_was_the_largest else 0"],
  max_pool3d_with_indices_backward: [["g"], "g if it_was_the_largest else 0"],
  avg_pool2d_backward: [["g"], "share_of_windows"],
  avg_pool3d_backward: [["g"], "share_of_windows"],
  trace_backward: [["g"], "g if it_is_on_the_diagonal else 0"],
  std_backward: [["g", "x", "y", "dim", "c"], "g * (x - mean_of_x) / ((n - c) * y)"],
  var_backward: [["g", "x", "dim", "c"], "2 * g * (x - mean_of_x) / (n - c)"],
  hardtanh_backward: [["g", "x", "low", "high"], "g if low < x < high else 0"],
  elu_backward: [
    ["g", "alpha", "scale", "input_scale", "of_result", "x"],
    "slope(g) if of_result else scale * g if x > 0 else scale * alpha * input_scale * g * exp(input_scale * x)",
  ],
  smooth_l1_loss_backward: [
    ["g", "x", "y", "reduction", "beta"],
    "(g / n if reduction == 1 else g) * ((x - y) / beta if abs(x - y) < beta else sign(x - y))",
  ],
  huber_loss_backward: [
    ["g", "x", "y", "reduction", "delta"],
    "(g / n if reduction == 1 else g) * (x - y if abs(x - y) < delta else delta * sign(x - y))",
  ],
  reversed_cumsum: [["g"], "sum_from_here_on"],
  repeat_backward: [["g"], "sum_over_copies"],
  dropout_gradient: [["g", "mask", "p"], "g * mask / (1 - p)"],
  as_type: [["g"], "g"],
  lstm_layer_backward: [["g"], "back_through_time"],
  _scaled_dot_product_flash_attention_for_cpu_backward: [["g"], "through_the_attention"],
  _softmax_backward_data: [["g", "y"], "y * (g - total(g * y))"],
  _log_softmax_backward_data: [["g", "y"], "g - exp(y) * total(g)"],
};

/** Names that stand for numbers nobody recognises. */
const CONSTANTS = /** @type {Record<string, string>} */ ({
  "0.6931471805599453": "ln2",
  "2.302585092994046": "ln10",
  "2.3025850929940456": "ln10",
  "1.1283791670955126": "two_over_root_pi",
  "0.886226925452758": "half_root_pi",
  "2.5066282746310002": "root_two_pi",
  "0.017453292519943295": "pi_over_180",
  "57.29577951308232": "180_over_pi",
});

/** @typedef {(name: string) => unknown} Known what a name is worth for this node, undefined when that is not known */

/**
 * @param {Expr} expr
 * @param {Known} known
 * @returns {Expr} with helper functions spelled out, decided conditions decided and plain numbers worked out
 */
export function simplify(expr, known) {
  const go = (/** @type {Expr} */ x) => simplify(x, known);
  switch (expr.k) {
    case "number":
      return CONSTANTS[expr.text] ? { k: "name", name: CONSTANTS[expr.text] } : expr;
    case "name": {
      const value = known(expr.name);
      return typeof value === "number" && Number.isFinite(value) ? number(value) : (sizes(value) ?? expr);
    }
    case "attribute":
      return (expr.of.k === "name" && sizes(known(`${expr.of.name}.${expr.name}`))) || expr;
    case "tuple":
      return expr;
    case "index":
      return { ...expr, of: go(expr.of) };
    case "compare":
      return { ...expr, items: expr.items.map(go) };
    case "call": {
      const size = expr.f === "count" || expr.f === "numel" ? counted(expr.args, known) : undefined;
      if (size !== undefined) return number(size);
      const meaning = MEANINGS[expr.f];
      const template = meaning ? parse(meaning[1]) : null;
      if (!meaning || !template) return { ...expr, args: expr.args.map(go) };
      const filled = new Map(meaning[0].map((name, i) => [name, expr.args[i]]));
      return go(replace(template, (name) => filled.get(name)));
    }
    case "if": {
      const test = decide(expr.test, known);
      if (test !== undefined) return go(test ? expr.yes : expr.no);
      return { k: "if", test: go(expr.test), yes: go(expr.yes), no: go(expr.no) };
    }
    case "unary": {
      const x = go(expr.x);
      return expr.op === "-" && x.k === "unary" && x.op === "-" ? x.x : { ...expr, x };
    }
    case "binary":
      return arithmetic({ ...expr, a: go(expr.a), b: go(expr.b) });
  }
}

/** A shape or several dimensions. @param {unknown} value @returns {Expr | null} */
const sizes = (value) =>
  Array.isArray(value) && value.length && value.every((size) => Number.isInteger(size))
    ? { k: "tuple", items: value.map(number) }
    : null;

/**
 * `count(x.shape, dim)`: how many elements lie along `dim`, or in all.
 * @param {Expr[]} args
 * @param {Known} known
 * @returns {number | undefined}
 */
function counted([of, along], known) {
  const shape = of?.k === "attribute" && of.of.k === "name" ? known(`${of.of.name}.${of.name}`) : undefined;
  if (!Array.isArray(shape)) return undefined;
  const dims = along?.k === "name" ? known(along.name) : along && numberOf(along);
  if (along && dims === undefined) return undefined;
  const some = Array.isArray(dims) ? dims : typeof dims === "number" ? [dims] : [];
  const sizes = some.length ? some.map((dim) => shape.at(Number(dim))) : shape;
  return sizes.reduce((product, size) => product * Number(size ?? 1), 1);
}

/** @param {number} x @returns {Expr} */
const number = (x) =>
  x < 0 ? { k: "unary", op: "-", x: { k: "number", text: String(-x) } } : { k: "number", text: String(x) };

/** @param {Expr} expr @returns {number | undefined} */
function numberOf(expr) {
  if (expr.k === "number") return Number(expr.text);
  if (expr.k === "unary" && expr.op === "-" && expr.x.k === "number") return -Number(expr.x.text);
  return undefined;
}

/** @param {Extract<Expr, {k: "binary"}>} expr @returns {Expr} */
function arithmetic(expr) {
  const { op } = expr;
  const a = numberOf(expr.a);
  const b = numberOf(expr.b);
  if (a !== undefined && b !== undefined) {
    const worked = { "+": a + b, "-": a - b, "*": a * b }[op];
    if (worked !== undefined) return number(worked);
  }
  if (op === "*" && a === 1) return expr.b;
  if ((op === "*" || op === "/" || op === "**") && b === 1) return expr.a;
  if (op === "*" && (a === 0 || b === 0)) return number(0);
  return expr;
}

/** @param {Expr} expr @param {(name: string) => Expr | undefined} by @returns {Expr} */
function replace(expr, by) {
  const go = (/** @type {Expr} */ x) => replace(x, by);
  switch (expr.k) {
    case "name":
      return by(expr.name) ?? expr;
    case "call":
      return { ...expr, args: expr.args.map(go) };
    case "unary":
      return { ...expr, x: go(expr.x) };
    case "binary":
      return { ...expr, a: go(expr.a), b: go(expr.b) };
    case "compare":
      return { ...expr, items: expr.items.map(go) };
    case "if":
      return { k: "if", test: go(expr.test), yes: go(expr.yes), no: go(expr.no) };
    default:
      return expr;
  }
}

/** Is a condition true for this node? @param {Expr} test @param {Known} known @returns {boolean | undefined} */
function decide(test, known) {
  if (test.k === "name") {
    const value = test.name === "True" ? true : test.name === "False" ? false : known(test.name);
    return typeof value === "boolean" || typeof value === "number" ? Boolean(value) : undefined;
  }
  if (test.k === "binary" && (test.op === "or" || test.op === "and")) {
    const sides = [decide(test.a, known), decide(test.b, known)];
    if (sides.includes(test.op === "or")) return test.op === "or";
    return sides.includes(undefined) ? undefined : test.op === "and";
  }
  if (test.k === "unary" && test.op === "not") {
    const inner = decide(test.x, known);
    return inner === undefined ? undefined : !inner;
  }
  if (test.k !== "compare" || test.ops.length !== 1) return undefined;
  const side = (/** @type {Expr | undefined} */ x) => {
    if (x?.k === "number") return Number(x.text);
    if (x?.k !== "name") return undefined;
    return x.name === "None" ? null : known(x.name);
  };
  const [a, b] = test.items.map(side);
  if (a === undefined || b === undefined) return undefined;
  switch (test.ops[0]) {
    case "==":
    case "is":
      return a === b;
    case "!=":
    case "is not":
      return a !== b;
    case ">":
      return Number(a) > Number(b);
    case "<":
      return Number(a) < Number(b);
    default:
      return undefined;
  }
}

// ---------------------------------------------------------------------------------------------- writing

/** @typedef {[text: string, binds: number]} Written */

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
const SYMBOLS = /** @type {Record<string, [string, string]>} LaTeX and text */ ({
  ones: ["\\mathbf{1}", "[1, …, 1]"],
  ln2: ["\\ln 2", "ln 2"],
  ln10: ["\\ln 10", "ln 10"],
  two_over_root_pi: ["\\tfrac{2}{\\sqrt{\\pi}}", "2/√π"],
  at_the_target: ["\\text{at the target class}", "at the target class"],
  half_root_pi: ["\\tfrac{\\sqrt{\\pi}}{2}", "√π/2"],
  root_two_pi: ["\\sqrt{2\\pi}", "√(2π)"],
  pi_over_180: ["\\tfrac{\\pi}{180}", "π/180"],
  it_was_chosen: ["\\text{where it was chosen}", "it was chosen"],
  it_was_the_largest: ["\\text{where it was the largest of its window}", "it was the largest of its window"],
  it_is_on_the_diagonal: ["\\text{on the diagonal}", "it is on the diagonal"],
  ties: ["\\text{ties}", "ties"],
  mean_of_x: ["\\bar{x}", "mean"],
  share_of_windows: [
    "\\text{its share of each } g \\text{ it was averaged into}",
    "its share of each g it was averaged into",
  ],
  sum_from_here_on: ["\\textstyle\\sum g \\text{ from here on}", "Σ g from here on"],
  sum_over_copies: ["\\textstyle\\sum g \\text{ over its copies}", "Σ g over its copies"],
  back_through_time: ["\\text{back through every step in time}", "back through every step in time"],
  through_the_attention: ["\\text{through the attention weights}", "through the attention weights"],
  "180_over_pi": ["\\tfrac{180}{\\pi}", "180/π"],
});
const COMPARISONS = /** @type {Record<string, [string, string]>} */ ({
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

/**
 * @param {Expr} expr simplified
 * @param {(name: string) => string | null} symbol the LaTeX of a name, null to keep it
 * @returns {string | null} null when it calls a function whose meaning is not known here
 */
export function latex(expr, symbol) {
  let strange = false;

  /** @param {Expr} x @param {number} least */
  const held = (x, least) => {
    const [text, binds] = write(x);
    return binds >= least ? text : `\\left(${text}\\right)`;
  };

  /** @param {Expr} x @returns {Written} */
  function write(x) {
    switch (x.k) {
      case "number":
        return [x.text, ATOM];
      case "name":
        return [SYMBOLS[x.name]?.[0] ?? symbol(x.name) ?? texName(x.name), ATOM];
      case "attribute":
        return [`${held(x.of, ATOM)}.\\mathrm{${escaped(x.name)}}`, ATOM];
      case "index":
        return [`${held(x.of, ATOM)}_{${x.at.map((item) => write(item)[0]).join(",")}}`, ATOM];
      case "tuple":
        return [`\\left(${x.items.map((item) => write(item)[0]).join(", ")}\\right)`, ATOM];
      case "compare":
        return [
          x.items.map((item, i) => (i ? `${COMPARISONS[x.ops[i - 1]]?.[0]} ` : "") + held(item, COMPARE + 1)).join(" "),
          COMPARE,
        ];
      case "if":
        return [
          `\\begin{cases} ${write(x.yes)[0]} & ${write(x.test)[0]} \\\\ ` +
            `${write(x.no)[0]} & \\text{otherwise} \\end{cases}`,
          ATOM,
        ];
      case "unary":
        return x.op === "-" ? [`-${held(x.x, UNARY)}`, BINDS["-"]] : [`\\lnot ${held(x.x, ATOM)}`, UNARY];
      case "binary":
        return product(x);
      case "call":
        return call(x);
    }
  }

  /** @param {Extract<Expr, {k: "binary"}>} x @returns {Written} */
  function product({ op, a, b }) {
    const binds = /** @type {number} */ (BINDS[op]);
    switch (op) {
      case "/":
        return [`\\frac{${write(a)[0]}}{${write(b)[0]}}`, UNARY];
      case "**":
        return [
          a.k === "call" && a.f === "sqrt"
            ? `\\left(${write(a)[0]}\\right)^{${write(b)[0]}}`
            : `${held(a, ATOM)}^{${write(b)[0]}}`,
          BINDS["**"],
        ];
      case "*":
        return [`${held(a, binds)} \\cdot ${held(b, binds + 1)}`, binds];
      case "@":
        return [`${held(a, binds)}\\,${held(b, binds + 1)}`, binds];
      case "&":
      case "and":
        return [`${held(a, binds)} \\land ${held(b, binds + 1)}`, binds];
      case "|":
      case "or":
        return [`${held(a, binds)} \\lor ${held(b, binds + 1)}`, binds];
      case "%":
        return [`${held(a, binds)} \\bmod ${held(b, binds + 1)}`, binds];
      default:
        return [`${held(a, binds)} ${op} ${held(b, binds + 1)}`, binds];
    }
  }

  /** @param {Extract<Expr, {k: "call"}>} x @returns {Written} */
  function call({ f, args }) {
    const [first] = args;
    const inner = () => args.map((item) => write(item)[0]).join(", ");
    if (first && f === "T") {
      const turned = held(first, ATOM);
      return turned.endsWith(TURNED) ? [turned.slice(0, -TURNED.length), ATOM] : [turned + TURNED, BINDS["**"]];
    }
    if (first && f === "total") return [`\\textstyle\\sum ${held(first, BINDS["*"])}`, BINDS["*"]];
    if (first && f === "holds") return [`[${write(first)[0]}]`, ATOM];
    if (first && f === "exp") return [`e^{${write(first)[0]}}`, BINDS["**"]];
    if (first && f === "sqrt") return [`\\sqrt{${write(first)[0]}}`, ATOM];
    if (first && f === "abs") return [`\\left|${write(first)[0]}\\right|`, ATOM];
    if (first && (f === "sgn" || f === "sign")) return [`\\operatorname{sign}\\left(${write(first)[0]}\\right)`, ATOM];
    if (first && f === "sigmoid") return [`\\sigma\\left(${write(first)[0]}\\right)`, ATOM];
    if (first && args[1] && f === "pow") return product({ k: "binary", op: "**", a: first, b: args[1] });
    if (/^(sin|cos|tan|sinh|cosh|tanh|log|max|min)$/.test(f)) return [`\\${f}\\left(${inner()}\\right)`, ATOM];
    if (!FUNCTIONS.has(f)) strange = true;
    return [`\\operatorname{${escaped(f)}}\\left(${inner()}\\right)`, ATOM];
  }

  const [text] = write(expr);
  return strange ? null : text;
}

/**
 * @param {Expr} expr simplified
 * @param {(name: string) => string | null} operand what to write for a name, null to keep it
 * @returns {string}
 */
export function plain(expr, operand) {
  /** @param {Expr} x @param {number} least */
  const held = (x, least) => {
    const [text, binds] = write(x);
    return binds >= least ? text : `(${text})`;
  };
  const superscript = (/** @type {string} */ power) =>
    /^\d+$/.test(power) ? power.replace(/\d/g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(d)] ?? d) : `^${power}`;

  /** @param {Expr} x @returns {Written} */
  function write(x) {
    switch (x.k) {
      case "number":
        return [x.text, ATOM];
      case "name": {
        const known = SYMBOLS[x.name]?.[1];
        const text = known ?? operand(x.name) ?? x.name;
        return [text, known ? ATOM : /^[−-]/.test(text) ? BINDS["-"] + 0.5 : isComposite(text) ? 0 : ATOM];
      }
      case "attribute":
        return [`${held(x.of, ATOM)}.${x.name}`, ATOM];
      case "index":
        return [`${held(x.of, ATOM)}[${x.at.map((item) => write(item)[0]).join(", ")}]`, ATOM];
      case "tuple":
        return [`(${x.items.map((item) => write(item)[0]).join(", ")})`, ATOM];
      case "compare":
        return [
          x.items.map((item, i) => (i ? `${COMPARISONS[x.ops[i - 1]]?.[1]} ` : "") + held(item, COMPARE + 1)).join(" "),
          COMPARE,
        ];
      case "if":
        return [`${held(x.yes, NOT)} where ${held(x.test, NOT)}, else ${held(x.no, NOT)}`, 0];
      case "unary":
        return x.op === "-" ? [`−${held(x.x, UNARY)}`, BINDS["-"] + 0.5] : [`not ${held(x.x, ATOM)}`, NOT];
      case "call":
        return call(x);
      case "binary": {
        const binds = /** @type {number} */ (BINDS[x.op]);
        if (x.op === "**") return [`${held(x.a, ATOM)}${superscript(held(x.b, ATOM))}`, binds];
        const sign =
          { "*": " × ", "/": " / ", "@": " @ ", "+": " + ", "-": " − ", "&": " and ", "|": " or " }[x.op] ??
          ` ${x.op} `;
        return [`${held(x.a, binds)}${sign}${held(x.b, binds + 1)}`, binds];
      }
    }
  }

  /** @param {Extract<Expr, {k: "call"}>} x @returns {Written} */
  function call({ f, args }) {
    const [first] = args;
    if (first && f === "T") return [`${held(first, ATOM)}ᵀ`, ATOM];
    if (first && f === "total") return [`Σ ${held(first, BINDS["*"])}`, BINDS["*"]];
    if (first && f === "holds") return [`[${write(first)[0]}]`, ATOM];
    if (first && f === "sqrt") return [`√${held(first, ATOM)}`, ATOM];
    if (first && f === "sigmoid") return [`σ(${write(first)[0]})`, ATOM];
    return [`${f}(${args.map((item) => write(item)[0]).join(", ")})`, ATOM];
  }

  return write(expr)[0];
}

/**
 * A variable's name in LaTeX: `x`, `w_{1}`, upright words, or an expression as mathematics.
 * @param {string} name
 * @returns {string}
 */
export function texName(name) {
  if (/^\w[\w.]*\.T$/.test(name)) {
    const matrix = texName(name.slice(0, -2));
    return (matrix.endsWith(TURNED) ? `{${matrix}}` : matrix) + TURNED;
  }
  const letter = /^([A-Za-zΑ-Ωα-ω])_?(\d*)$/.exec(name);
  if (letter) return letter[2] ? `${letter[1]}_{${letter[2]}}` : `${letter[1]}`;
  if (/^[A-Za-z_][\w.]*$/.test(name)) return `\\mathrm{${escaped(name)}}`;
  const tree = parse(name);
  const drawn = tree ? latex(tree, () => null) : null;
  return drawn ?? `\\text{${escaped(name)}}`;
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
