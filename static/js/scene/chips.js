/**
 * What is written on an edge when a gradient goes back along it: upstream × local = contribution, with its numbers;
 * small heat maps for tensors. And the extra step when a gradient is summed to the shape of a broadcast input.
 * @module
 */
import { elements, formatNumber, formatShape, valueSummary } from "../trace.js";
import { summarize } from "../trace/numbers.js";
import { drawGradient, miniature, planBlock } from "./blocks.js";
import { evaluate, namesOf, parseFormula, shapeOf, withNumbers } from "./evaluate.js";
import { rect, text } from "./marks.js";

/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./marks.js").Measure} Measure */
/** @typedef {import("./colour.js").Colours} Colours */
/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../trace.js").Summary} Summary */
/** @typedef {import("./evaluate.js").Numbers} Numbers */

/**
 * The making of one contribution.
 * @typedef {object} Product
 * @property {Summary | null} upstream
 * @property {Summary | null} contribution  null is None
 * @property {string | null} written  upstream × local with numbers, for scalars
 * @property {Summary | null} local  the slope, elementwise, for small tensors
 * @property {Summary | null} wide  the product before it is summed to the input's shape
 * @property {string} formula
 */

/** @typedef {{w: number, h: number, marks: Mark[]}} Chip  marks are relative to its centre */

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
  const formula = (argument !== null && node?.formula?.[argument]?.text) || "";
  /** @type {Product} */
  const product = {
    upstream: valueSummary(trace, upstream),
    contribution: valueSummary(trace, contribution),
    written: null,
    local: null,
    wide: null,
    formula: node ? withTensorNames(trace, node, formula) : formula,
  };
  const expression = formula ? parseFormula(formula) : null;
  const sent = product.contribution;
  if (!node || !sent || !product.upstream) return product;
  const names = namesOf(trace, node, upstream);
  if (sent.form === "scalar" && product.upstream.form === "scalar") {
    product.written = expression && localText(expression, names, product.upstream.cells[0], sent.cells[0]);
    return product;
  }
  if (!expression) return product;
  const whole = evaluate(expression, names);
  if (!whole) {
    const shape = shapeOf(expression, (name) => shapeOfName(trace, node, name, upstream));
    if (shape && elements(shape) > elements(sent.shape)) product.wide = shapeOnly(shape);
    return product;
  }
  if (elements(whole.shape) > elements(sent.shape)) product.wide = summaryOf(whole);
  const one = evaluate(expression, (name) => (name === "g" ? { shape: [], data: [1] } : names(name)));
  if (one?.data.some((x) => x !== 1)) product.local = summaryOf(one);
  return product;
}

/**
 * The formula with the program's own names: g × x.
 * @param {Trace} trace
 * @param {import("../trace.js").NodeRecord} node
 * @param {string} formula
 */
function withTensorNames(trace, node, formula) {
  const named = formula.replace(/[A-Za-z_]\w*/g, (word) => {
    const ref = node.saved[word];
    const holder = typeof ref === "string" ? trace.holder.get(ref) : undefined;
    return holder ? trace.label(holder) : word;
  });
  return named.replaceAll("**", "^").replaceAll("*", "×");
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
  exact: false,
  norm: 0,
  net: 0,
  zero: false,
  broken: false,
  text: formatShape(shape),
});

const LONGEST = 16;

/**
 * @param {import("./evaluate.js").Expression} expression
 * @param {(name: string) => unknown} names
 * @param {number} g
 * @param {number} sent
 */
function localText(expression, names, g, sent) {
  const written = withNumbers(expression, names);
  if (written !== null && written.length <= LONGEST && written.includes("×")) return written;
  const one = evaluate(expression, (name) => (name === "g" ? { shape: [], data: [1] } : names(name)));
  const local = one ? one.data[0] : g !== 0 ? sent / g : NaN;
  return Number.isFinite(local) ? `${short(g)} × ${short(local)}` : null;
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

/** @param {number} x */
const short = (x) => (Number.isInteger(x) && Math.abs(x) < 1e4 ? String(x).replace("-", "−") : formatNumber(x, "card"));

/**
 * @param {Product} product @param {Measure} measure @param {Colours} colours
 * @param {{brief: boolean, moving: boolean}} how  brief: only what is sent
 * @returns {Chip}
 */
export function drawChip(product, measure, colours, { brief, moving }) {
  const { contribution } = product;
  const border = moving ? "bwd-mid" : "line";
  if (!contribution) return labelled("None", measure, border, "mute", "panel");
  if (contribution.form === "scalar") {
    const sent = short(contribution.cells[0]);
    const content = brief || product.written === null ? sent : `${product.written} = ${sent}`;
    return labelled(content, measure, border, moving ? "bwd-ink" : colours.ink(contribution.cells[0]), "panel");
  }
  const parts = brief ? [] : heatParts(product);
  return parts.length < 2
    ? strip([contribution], [], measure, colours, border)
    : column(parts, measure, colours, border);
}

/** @param {Product} product @returns {Summary[]} */
function heatParts({ upstream, local, wide, contribution }) {
  const sent = wide ?? contribution;
  if (!upstream || !sent || upstream.form === "opaque" || sent.form === "opaque") return [];
  return local ? [upstream, local, sent] : [upstream, sent];
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
  const w = Math.round(measure(content, 11.5, 500, true) + 16);
  const h = 20;
  return {
    w,
    h,
    marks: [
      rect(-w / 2, -h / 2, w, h, { r: 10, fill, stroke: border, detail: 2 }),
      text(0, 4, content, { size: 11.5, weight: 500, mono: true, align: "middle", fill: ink }),
    ],
  };
}

/**
 * @param {Summary[]} parts
 * @param {string[]} between
 * @param {Measure} measure
 * @param {Colours} colours
 * @param {string} border
 * @returns {Chip}
 */
function strip(parts, between, measure, colours, border) {
  const blocks = parts.map((summary) =>
    miniature(planBlock([summary], measure, summary.shape), parts.length > 1 ? 44 : 60),
  );
  const gap = 16;
  const inner = blocks.reduce((sum, block) => sum + block.w, 0) + gap * (blocks.length - 1);
  const tall = Math.max(...blocks.map((block) => block.h));
  const w = Math.round(inner + 16);
  const h = Math.round(tall + 10);
  /** @type {Mark[]} */
  const marks = [rect(-w / 2, -h / 2, w, h, { r: Math.min(10, h / 2), fill: "panel", stroke: border, detail: 1 })];
  let x = -inner / 2;
  blocks.forEach((block, i) => {
    if (i) marks.push(text(x - gap / 2, 4, between[i - 1], { size: 11, align: "middle", fill: "mute" }));
    marks.push(...drawGradient(block, x, -block.h / 2, parts[i], colours, { quiet: block.cellW < 9 }));
    x += block.w + gap;
  });
  return { w, h, marks };
}

/**
 * Written one below the other, as one multiplies on paper.
 * @param {Summary[]} parts
 * @param {Measure} measure
 * @param {Colours} colours
 * @param {string} border
 * @returns {Chip}
 */
function column(parts, measure, colours, border) {
  const blocks = parts.map((summary) => miniature(planBlock([summary], measure, summary.shape), 66));
  const wide = Math.max(...blocks.map((block) => block.w));
  const w = Math.round(wide + 30);
  const h = Math.round(blocks.reduce((sum, block) => sum + block.h + 4, 0) + 13);
  const left = -w / 2 + 21;
  /** @type {Mark[]} */
  const marks = [rect(-w / 2, -h / 2, w, h, { r: 8, fill: "panel", stroke: border, detail: 1 })];
  let y = -h / 2 + 7;
  blocks.forEach((block, i) => {
    const last = i === blocks.length - 1;
    if (last) {
      marks.push(rect(-w / 2 + 8, y - 1, w - 16, 1, { fill: "rest" }));
      y += 3;
    }
    const sign = last ? (blocks.length === 3 ? "=" : "→") : i === 1 ? "×" : "";
    if (sign) marks.push(text(-w / 2 + 12, y + block.h / 2 + 3.8, sign, { size: 11, align: "middle", fill: "mute" }));
    marks.push(...drawGradient(block, left + (wide - block.w) / 2, y, parts[i], colours, { quiet: block.cellW < 9 }));
    y += block.h + 4;
  });
  return { w, h, marks };
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
  const inner = Math.max(measure(heading, 10.5, 400, false), from.w + 34 + to.w);
  const tall = Math.max(from.h, to.h);
  const w = Math.round(inner + 22);
  const h = Math.round(tall + 46);
  const left = -w / 2 + 11;
  const top = -h / 2 + 23;
  const right = left + from.w + 34;
  return {
    w,
    h,
    marks: [
      rect(-w / 2, -h / 2, w, h, { r: 10, fill: "panel", stroke: "bwd-mid" }),
      text(left, -h / 2 + 15, heading, { size: 10.5, fill: "bwd-ink" }),
      ...drawGradient(from, left, top + (tall - from.h) / 2, wide, colours),
      text(left + from.w + 17, top + tall / 2 + 4.5, "Σ→", { size: 13, align: "middle", fill: "mute" }),
      ...drawGradient(to, right, top + (tall - to.h) / 2, contribution, colours),
      text(left, h / 2 - 8, `${product.formula}  ${wide.shapeText}`, { size: 10, fill: "mute" }),
      text(right, h / 2 - 8, formatShape(contribution.shape), { size: 10, fill: "mute" }),
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
  const noteW = measure("+ incoming", 10.5, 400, false) + 8;
  const inner = stacked
    ? Math.max(measure(heading, 10.5, 400, false), blocks[0].w + noteW)
    : Math.max(measure(heading, 10.5, 400, false), blocks.reduce((sum, block) => sum + block.w, 0) + 40);
  const w = Math.round(inner + 22);
  const h = Math.round(stacked ? 28 + blocks.reduce((sum, block) => sum + block.h + 5, 0) : 28 + blocks[0].h + 8);
  /** @type {Mark[]} */
  const marks = [
    rect(-w / 2, -h / 2, w, h, { r: 10, fill: "panel", stroke: "bwd-mid" }),
    text(-w / 2 + 11, -h / 2 + 15, heading, { size: 10.5, fill: "bwd-ink" }),
  ];
  let x = -w / 2 + 11;
  let y = -h / 2 + 23;
  blocks.forEach((block, i) => {
    marks.push(...drawGradient(block, x, y, terms[i], colours));
    if (stacked) {
      marks.push(
        text(x + block.w + 8, y + block.h / 2 + 3.5, (i === 1 ? "+ " : i === 2 ? "= " : "") + notes[i], {
          size: 10.5,
          fill: "mute",
        }),
      );
      y += block.h + 5;
    } else {
      if (i < 2) marks.push(text(x + block.w + 10, y + 13, i ? "=" : "+", { size: 12, align: "middle", fill: "mute" }));
      x += block.w + 20;
    }
  });
  return { w, h, marks };
}

/**
 * What a hook did to a gradient.
 * @param {Summary | null} before
 * @param {Summary | null} after
 * @param {Measure} measure
 * @param {Colours} colours
 * @returns {Chip | null}
 */
export function drawHookChange(before, after, measure, colours) {
  if (!before) return null;
  const same = after === before || after === null;
  const parts = same ? [before] : [before, after];
  return strip(parts, same ? [] : ["→"], measure, colours, "bwd-mid");
}
