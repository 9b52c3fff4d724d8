/**
 * What is written on an edge: at first the slope, while a gradient goes back along it arriving × slope = sent, then
 * what was sent; small heat maps for large tensors. And the extra step when a gradient is summed to the shape of a
 * broadcast input.
 * @module
 */
import { elements, formatNumber, formatShape, valueSummary } from "../trace.js";
import { summarize } from "../trace/numbers.js";
import { evaluate, isElementwise, isNumbers, namesOf, shapeOf } from "../formula/evaluate.js";
import { knownOf, simplify } from "../formula/tree.js";
import { plain } from "../formula/write.js";
import { drawGradient, miniature, planBlock } from "./blocks.js";
import { rect, text } from "./marks.js";
import { jacobianOf, slopesOf } from "./rows.js";

/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./marks.js").Measure} Measure */
/** @typedef {import("./colour.js").Colours} Colours */
/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../trace.js").Summary} Summary */
/** @typedef {import("../formula/evaluate.js").Numbers} Numbers */
/** @typedef {import("../formula/tree.js").Tree} Tree */

/**
 * The making of one contribution.
 * @typedef {object} Product
 * @property {Summary | null} upstream
 * @property {Summary | null} contribution  null is None
 * @property {string | null} written  upstream × local with numbers, for scalars
 * @property {Factors | null} factors  element by element, when they are few and the slope is a number for each
 * @property {number[][] | null} rows  the node's Jacobian, when it is small and no product of elements
 * @property {Summary | null} wide  the product before it is summed to the input's shape
 * @property {string} formula  with the program's own names: g × x; empty where it is not known as a tree
 */

/** @typedef {{name: string, arriving: number[], slope: number[], sent: number[]}} Factors  name: of the slope */
/** @typedef {{w: number, h: number, marks: Mark[]}} Chip  marks are relative to its centre */

/** Height and text of the name of an edge, above its chip. */
export const NAME_H = 20;
export const NAME_SIZE = 13;

/** @type {WeakMap<Trace, Map<string, Product>>} */
const products = new WeakMap();

/**
 * How node `id` makes the gradient it sends along edge `index`, from what arrived as `upstream`.
 * @param {Trace} trace @param {string} id @param {number} index @param {string | null} argument
 * @param {string | null | undefined} upstream @param {string | null} contribution  references
 * @returns {Product}
 */
export function productOf(trace, id, index, argument, upstream, contribution) {
  let known = products.get(trace);
  if (!known) products.set(trace, (known = new Map()));
  const key = `${id}:${index}:${upstream}:${contribution}`;
  let product = known.get(key);
  if (!product) known.set(key, (product = makeProduct(trace, id, argument, upstream, contribution)));
  return product;
}

/**
 * @param {Trace} trace
 * @param {string} id
 * @param {string | null} argument
 * @param {string | null | undefined} upstream
 * @param {string | null} contribution
 * @returns {Product}
 */
function makeProduct(trace, id, argument, upstream, contribution) {
  const node = trace.nodes.get(id);
  const formula = argument === null ? undefined : trace.formulas.get(node?.formula?.[argument]?.text ?? "");
  const tree = node && formula !== undefined ? simplify(formula, knownOf(node)) : null;
  /** @type {Product} */
  const product = {
    upstream: valueSummary(trace, upstream),
    contribution: valueSummary(trace, contribution),
    written: null,
    factors: null,
    rows: null,
    wide: null,
    formula: node && tree !== null ? plain(tree, (name) => nameOf(trace, node, name)) : "",
  };
  const sent = product.contribution;
  if (!node || tree === null || !sent || !product.upstream || sent.complex || product.upstream.complex) return product;
  if (sent.form === "empty" || product.upstream.form === "empty") return product;
  const names = namesOf(trace, node, upstream);
  const elementwise = isElementwise(tree);
  if (elementwise) product.factors = factorsOf(product, slopesOf(tree, names));
  if (sent.form === "scalar" && product.upstream.form === "scalar") {
    if (elementwise) product.written = localText(tree, names, product.upstream.cells[0], sent.cells[0]);
    return product;
  }
  const arriving = names("g");
  if (!product.factors && sent.exact && isNumbers(arriving)) {
    product.rows = jacobianOf(tree, names, arriving, sent.cells);
  }
  if (elementwise) product.wide = wideOf(trace, node, tree, upstream, elements(sent.shape));
  return product;
}

/**
 * The product before it is summed to fewer elements, `least`: its shape alone where its numbers are not at hand.
 * @param {Trace} trace
 * @param {import("../trace.js").NodeRecord} node
 * @param {Tree} tree
 * @param {string | null | undefined} upstream
 * @param {number} least
 */
function wideOf(trace, node, tree, upstream, least) {
  const whole = evaluate(tree, namesOf(trace, node, upstream));
  if (whole) return elements(whole.shape) > least ? summaryOf(whole) : null;
  const shape = shapeOf(tree, (name) => shapeOfName(trace, node, name, upstream));
  return shape && elements(shape) > least ? shapeOnly(shape) : null;
}

/** Numbers of one row that are written out on an edge. */
const MOST_FACTORS = 4;

/**
 * arriving × slope = sent for each element, if that is what the formula does.
 * @param {Product} product
 * @param {number[] | null} slopes
 * @returns {Factors | null}
 */
function factorsOf({ upstream, contribution, formula }, slopes) {
  if (!upstream?.exact || !contribution?.exact || contribution.rows > 1) return null;
  const sent = contribution.cells;
  const spread = (/** @type {number[] | null} */ from) =>
    from?.length === 1 ? sent.map(() => from[0]) : from?.length === sent.length ? from : null;
  const [arriving, slope] = [spread(upstream.cells), spread(slopes)];
  if (!arriving || !slope || sent.length > MOST_FACTORS) return null;
  const near = (/** @type {number} */ x, /** @type {number} */ y) =>
    Object.is(x, y) || Math.abs(x - y) <= 1e-4 * Math.max(Math.abs(x), Math.abs(y), 1e-12);
  return sent.every((x, i) => near(arriving[i] * slope[i], x))
    ? { name: slopeName(formula), arriving, slope, sent }
    : null;
}

/** Letters of a slope's name, which stands beside its numbers. */
const MOST_LETTERS = 12;

/**
 * What g is multiplied by in a formula: b of g × b, 1/c of g / c, (2×b) of g × 2×b; "" for a plain number, for what is
 * long, and for what the program does not call so.
 * @param {string} formula
 */
function slopeName(formula) {
  const found = /^(?:g ([×/]) (.+)|([\w.[\]]+) × g)$/.exec(formula);
  const name = (found?.[2] ?? found?.[3] ?? "").replaceAll(" × ", "×");
  if (/^[\d.]*$/.test(name) || name.length > MOST_LETTERS || /\bg\b|constant|grad of|…/.test(name)) return "";
  const whole = /^[\w.[\]]+$|^\(.*\)$|^\w+\(.*\)$/.test(name) ? name : `(${name})`;
  return found?.[1] === "/" ? `1/${whole}` : whole;
}

/**
 * What the program calls a value that a formula uses, or its number where it has no name.
 * @param {Trace} trace
 * @param {import("../trace.js").NodeRecord} node
 * @param {string} name
 */
function nameOf(trace, node, name) {
  const ref = node.saved[name];
  if (typeof ref !== "string") return null;
  const holder = trace.holder.get(ref);
  const label = holder ? trace.label(holder).replaceAll("**", "^").replaceAll("*", "×") : "constant";
  const value = trace.value(ref);
  return label === "constant" && value?.shape.length === 0 ? formatNumber(value.data, value.dtype) : label;
}

/**
 * @param {Trace} trace
 * @param {import("../trace.js").NodeRecord} node
 * @param {string} name
 * @param {string | null | undefined} g
 */
function shapeOfName(trace, node, name, g) {
  const ref = name === "g" ? g : node.saved[name];
  return typeof ref === "string" ? (trace.value(ref)?.shape ?? null) : null;
}

/** A value of which only the shape is known. @param {number[]} shape @returns {Summary} */
const shapeOnly = (shape) => ({
  shape,
  shapeText: formatShape(shape),
  dtype: "float32",
  form: "opaque",
  rows: 0,
  columns: 0,
  cells: [],
  complex: null,
  exact: false,
  norm: 0,
  net: 0,
  zero: false,
  broken: false,
  text: formatShape(shape),
});

const LONGEST = 16;

/**
 * @param {Tree} tree
 * @param {(name: string) => unknown} names
 * @param {number} g
 * @param {number} sent
 */
function localText(tree, names, g, sent) {
  const written = withNumbers(tree, names);
  if (written !== null && written.length <= LONGEST && written.includes("×")) return written;
  const one = evaluate(tree, (name) => (name === "g" ? 1 : names(name)));
  const local = one ? one.data[0] : g !== 0 ? sent / g : NaN;
  return Number.isFinite(local) ? `${formatNumber(g)} × ${formatNumber(local)}` : null;
}

/** The formula with its numbers, for scalars: `1 × 4`. @param {Tree} tree @param {(name: string) => unknown} names */
function withNumbers(tree, names) {
  let known = true;
  const written = plain(tree, (name) => {
    const value = names(name);
    const number = isNumbers(value) && value.data.length === 1 ? value.data[0] : value;
    if (typeof number === "number") return formatNumber(number);
    known = false;
    return null;
  });
  return known ? written : null;
}

/** @param {Numbers} numbers @returns {Summary} */
function summaryOf(numbers) {
  const nest = (/** @type {number} */ depth, /** @type {number} */ offset) => {
    if (depth === numbers.shape.length) return numbers.data[offset];
    const step = elements(numbers.shape.slice(depth + 1));
    /** @type {any[]} */
    const list = Array.from({ length: numbers.shape[depth] }, (_, i) => nest(depth + 1, offset + i * step));
    return list;
  };
  return summarize({ shape: numbers.shape, dtype: "float32", data: nest(0, 0) });
}

/**
 * @param {Product} product @param {Measure} measure @param {Colours} colours
 * @param {{brief: boolean, moving: boolean, tight?: boolean}} how  brief: only what is sent · tight: as small as can be
 * @returns {Chip}
 */
export function drawChip(product, measure, colours, { brief, moving, tight = false }) {
  const { contribution } = product;
  const border = moving ? "bwd" : "line";
  if (!contribution) return labelled("None", measure, border, "mute", "panel");
  if (moving && !brief && product.factors) return multiplication(product.factors, measure, colours);
  if (moving && !brief && product.rows && product.upstream) {
    return weightedRows(product.rows, product.upstream.cells, contribution.cells, measure, colours);
  }
  if (moving && !brief && product.written !== null) {
    const sent = contribution.cells[0];
    return labelled(`${product.written} = ${formatNumber(sent)}`, measure, border, colours.ink(sent), "panel");
  }
  return strip([contribution], [], measure, colours, border, tight);
}

/**
 * @param {string} content
 * @param {Measure} measure
 * @param {string} border
 * @param {string} ink
 * @param {string} fill
 * @returns {Chip}
 */
function labelled(content, measure, border, ink, fill) {
  const w = Math.round(measure(content, 13.5, 500, true) + 18);
  const h = 24;
  return {
    w,
    h,
    marks: [
      rect(-w / 2, -h / 2, w, h, { r: 12, fill, stroke: border, detail: 2 }),
      text(0, 4.8, content, { size: 13.5, weight: 500, mono: true, align: "middle", fill: ink }),
    ],
  };
}

const LINE = 15.5;

/**
 * One line for each element.
 * @param {Factors} factors @param {Measure} measure @param {Colours} colours
 * @returns {Chip}
 */
function multiplication({ arriving, slope, sent }, measure, colours) {
  const columns = [arriving, slope, sent].map((numbers) => numbers.map((x) => formatNumber(x)));
  const widths = columns.map((column) => Math.max(...column.map((each) => measure(each, 13.5, 600, true))));
  const w = Math.round(widths.reduce((sum, each) => sum + each) + 2 * SIGN + 18);
  const h = Math.round(sent.length * LINE + 7);
  /** @type {Mark[]} */
  const marks = [rect(-w / 2, -h / 2, w, h, { r: Math.min(12, h / 2), fill: "panel", stroke: "bwd", sw: 1.6 })];
  sent.forEach((x, i) => {
    const y = -h / 2 + 3.5 + (i + 0.5) * LINE + 4.7;
    let right = -w / 2 + 9;
    columns.forEach((column, k) => {
      if (k) {
        marks.push(
          text(right + SIGN / 2, y, k === 1 ? "×" : "=", { size: 13.5, mono: true, align: "middle", fill: "mute" }),
        );
        right += SIGN;
      }
      right += widths[k];
      marks.push(
        text(right, y, column[i], {
          size: 13.5,
          weight: k === 2 ? 600 : 400,
          mono: true,
          align: "end",
          fill: k === 2 ? colours.ink(x) : "ink",
        }),
      );
    });
  });
  return { w, h, marks };
}

/** Room for × and =. */
const SIGN = 20;
const ROW = 25;

/**
 * The rows of a Jacobian, each times what arrived for its element, added up to what is sent.
 * @param {number[][]} rows @param {number[]} arriving @param {number[]} sent @param {Measure} measure
 * @param {Colours} colours
 * @returns {Chip}
 */
function weightedRows(rows, arriving, sent, measure, colours) {
  const wide = (/** @type {number[]} */ numbers) =>
    Math.max(30, ...numbers.map((x) => measure(formatNumber(x), 13.5, 600, true) + 10));
  const [weightW, cellW] = [wide(arriving), wide([...rows.flat(), ...sent])];
  const w = Math.round(SIGN + weightW + SIGN + sent.length * (cellW + 3) + 13);
  const h = (rows.length + 1) * ROW + 15;
  /** @type {Mark[]} */
  const marks = [rect(-w / 2, -h / 2, w, h, { r: 10, fill: "panel", stroke: "bwd", sw: 1.6 })];
  const weightX = -w / 2 + SIGN;
  const cellX = weightX + weightW + SIGN;
  const cell = (
    /** @type {number} */ x,
    /** @type {number} */ left,
    /** @type {number} */ y,
    /** @type {number} */ across,
    coloured = true,
  ) => {
    const fill = coloured ? colours.cell(x) : "panel";
    marks.push(
      rect(left, y - 11, across, 22, { r: 4, fill, stroke: coloured ? "none" : "rest" }),
      text(left + across / 2, y + 4.8, formatNumber(x), {
        size: 13.5,
        weight: coloured ? 600 : 400,
        mono: true,
        align: "middle",
        fill: coloured ? colours.on(fill) : "ink",
      }),
    );
  };
  const sign = (/** @type {string} */ content, /** @type {number} */ x, /** @type {number} */ y) =>
    marks.push(text(x, y + 4.8, content, { size: 13.5, align: "middle", fill: "mute" }));
  let y = -h / 2 + 5 + ROW / 2;
  rows.forEach((row, i) => {
    if (i) sign("+", -w / 2 + SIGN / 2, y);
    cell(arriving[i], weightX, y, weightW);
    sign("×", cellX - SIGN / 2, y);
    row.forEach((x, j) => cell(x, cellX + j * (cellW + 3), y, cellW, false));
    y += ROW;
  });
  marks.push(rect(cellX, y - ROW / 2 + 1, sent.length * (cellW + 3) - 3, 1.2, { fill: "mute" }));
  y += 5;
  sign("=", cellX - SIGN / 2, y);
  sent.forEach((x, j) => cell(x, cellX + j * (cellW + 3), y, cellW));
  return { w, h, marks };
}

/**
 * The slope that a gradient will be multiplied by: white, for it is no gradient.
 * @param {Product} product @param {Measure} measure
 * @returns {Chip | null}
 */
export function drawSlope({ factors }, measure) {
  if (!factors) return null;
  const same = factors.slope.every((x) => x === factors.slope[0]);
  const numbers = (same ? factors.slope.slice(0, 1) : factors.slope).map((x) => formatNumber(x));
  const label = `×${factors.name}`;
  const gap = factors.name || numbers.length > 1 ? 8 : 1;
  const labelW = measure(label, 13, 600, true);
  const cell = Math.max(...numbers.map((each) => measure(each, 13, 400, true)));
  const w = Math.round(labelW + numbers.length * (cell + gap) + 16);
  const h = 22;
  const left = -w / 2 + 8;
  return {
    w,
    h,
    marks: [
      rect(-w / 2, -h / 2, w, h, { r: 11, fill: "panel", stroke: "rest", detail: 2 }),
      text(left, 4.6, label, { size: 13, weight: 600, mono: true, fill: "soft" }),
      ...numbers.map((each, i) =>
        text(left + labelW + (i + 1) * (cell + gap), 4.6, each, { size: 13, mono: true, align: "end", fill: "soft" }),
      ),
    ],
  };
}

/**
 * @param {Summary[]} parts
 * @param {string[]} between
 * @param {Measure} measure
 * @param {Colours} colours
 * @param {string} border
 * @param {boolean} tight
 * @returns {Chip}
 */
function strip(parts, between, measure, colours, border, tight) {
  const blocks = parts.map((summary) => small(planBlock([summary], measure, summary.shape), tight));
  const gap = 16;
  const inner = blocks.reduce((sum, block) => sum + block.w, 0) + gap * (blocks.length - 1);
  const tall = Math.max(...blocks.map((block) => block.h));
  const w = Math.round(inner + 8);
  const h = Math.round(tall + 8);
  /** @type {Mark[]} */
  const marks = [rect(-w / 2, -h / 2, w, h, { r: Math.min(10, h / 2), fill: "panel", stroke: border, detail: 1 })];
  let x = -inner / 2;
  blocks.forEach((block, i) => {
    if (i) marks.push(text(x - gap / 2, 4, between[i - 1], { size: 13.5, align: "middle", fill: "mute" }));
    marks.push(...drawGradient(block, x, -block.h / 2, parts[i], colours, { quiet: block.cellW < 9 }));
    x += block.w + gap;
  });
  return { w, h, marks };
}

/** Width and height of what is written where a wire has no room. */
export const TIGHT = 30;

/**
 * Numbers as they are, if there is room; what is a heat map anyway, smaller.
 * @param {import("./blocks.js").Block} block @param {boolean} tight
 */
function small(block, tight) {
  const { columns, rows, digits, cellW, gap } = block;
  if (tight && rows > 1) return miniature(block, TIGHT * Math.min(1, columns / rows));
  return digits ? { ...block, w: columns * (cellW + gap) - gap } : miniature(block, 66);
}

/**
 * Un-broadcasting, spelt out: g × x of the broadcast shape, Σ, what the input receives.
 * @param {Product} product @param {string} name  of the tensor @param {Measure} measure @param {Colours} colours
 * @returns {Chip | null}
 */
export function drawSummation(product, name, measure, colours) {
  const { wide, contribution } = product;
  if (!wide || !contribution) return null;
  const heading = `${name} was broadcast, so its gradient is summed`;
  const from = planBlock([wide], measure, wide.shape);
  const to = planBlock([contribution], measure, contribution.shape);
  const [wideText, shape] = [`${product.formula}  ${wide.shapeText}`, formatShape(contribution.shape)];
  const before = Math.max(from.w + 34, measure(wideText, 13, 400, false) + 14);
  const after = Math.max(to.w, measure(shape, 13, 400, false));
  const inner = Math.max(measure(heading, 13, 400, false), before + after);
  const tall = Math.max(from.h, to.h);
  const w = Math.round(inner + 22);
  const h = Math.round(tall + 46);
  const left = -w / 2 + 11;
  const top = -h / 2 + 23;
  const right = left + before;
  return {
    w,
    h,
    marks: [
      rect(-w / 2, -h / 2, w, h, { r: 10, fill: "panel", stroke: "bwd-mid" }),
      text(left, -h / 2 + 15, heading, { size: 13, fill: "bwd-ink" }),
      ...drawGradient(from, left, top + (tall - from.h) / 2, wide, colours),
      text((left + from.w + right) / 2, top + tall / 2 + 4.5, "Σ→", { size: 13, align: "middle", fill: "mute" }),
      ...drawGradient(to, right, top + (tall - to.h) / 2, contribution, colours),
      text(left, h / 2 - 8, wideText, { size: 13, fill: "mute" }),
      text(right, h / 2 - 8, shape, { size: 13, fill: "mute" }),
    ],
  };
}

/**
 * `.grad` before + incoming = after, when something was there before.
 * @param {Summary | null} before
 * @param {Summary | null} incoming
 * @param {Summary | null} after
 * @param {string} name
 * @param {Measure} measure
 * @param {Colours} colours
 * @returns {Chip | null}
 */
export function drawAccumulation(before, incoming, after, name, measure, colours) {
  if (!before || !incoming || !after) return null;
  const heading = `${name}.grad adds up`;
  const terms = [before, incoming, after];
  const blocks = terms.map((summary) => planBlock([summary], measure, summary.shape));
  const stacked = blocks[0].form !== "scalar";
  const notes = ["before", "incoming", "after"];
  const noteW = measure("+ incoming", 13, 400, false) + 8;
  const inner = stacked
    ? Math.max(measure(heading, 13, 400, false), blocks[0].w + noteW)
    : Math.max(measure(heading, 13, 400, false), blocks.reduce((sum, block) => sum + block.w, 0) + 40);
  const w = Math.round(inner + 22);
  const h = Math.round(stacked ? 28 + blocks.reduce((sum, block) => sum + block.h + 5, 0) : 28 + blocks[0].h + 8);
  /** @type {Mark[]} */
  const marks = [
    rect(-w / 2, -h / 2, w, h, { r: 10, fill: "panel", stroke: "bwd-mid" }),
    text(-w / 2 + 11, -h / 2 + 15, heading, { size: 13, fill: "bwd-ink" }),
  ];
  let x = -w / 2 + 11;
  let y = -h / 2 + 23;
  blocks.forEach((block, i) => {
    marks.push(...drawGradient(block, x, y, terms[i], colours));
    if (stacked) {
      marks.push(
        text(x + block.w + 8, y + block.h / 2 + 3.5, (i === 1 ? "+ " : i === 2 ? "= " : "") + notes[i], {
          size: 13,
          fill: "mute",
        }),
      );
      y += block.h + 5;
    } else {
      if (i < 2)
        marks.push(text(x + block.w + 10, y + 13, i ? "=" : "+", { size: 13.5, align: "middle", fill: "mute" }));
      x += block.w + 20;
    }
  });
  return { w, h, marks };
}
