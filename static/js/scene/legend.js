/**
 * The legend, always visible: which way values and gradients go, what hue and saturation mean here, and those of the
 * four looks that are not a colour that occur in this picture.
 * @module
 */
import { formatNumber, valueSummary } from "../trace.js";
import { hatchedNone } from "./blocks.js";
import { gradientsOf } from "./colour.js";
import { path, rect, text } from "./marks.js";

/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./colour.js").Colours} Colours */

/** @typedef {"not yet" | "None" | "zero" | "NaN, ∞" | "complex: |z|"} Look */

export const LEGEND = Object.freeze({ w: 640, h: 24, narrow: 224 });

/** The key of directions, in a row of its own. */
export const WAYS = Object.freeze({ h: 24 });

/** Where there is little room the scale alone is shown. @param {number} room  width of the stage */
export const isNarrow = (room) => room < 730;

const SIZE = 13;
const STEPS = 24;
const TOP = 6;
const BOX = 14;

/** Sizes have no sign: three of their greys, the largest last. @type {Look} */
const SIZES = "complex: |z|";
const GREYS = [0.05, 0.3, 1];

/** @type {Record<Exclude<Look, typeof SIZES>, Partial<import("./marks.js").RectMark>>} */
const LOOKS = {
  "not yet": { stroke: "rest", dash: "2 2.5" },
  None: {},
  zero: { fill: "zero-solid" },
  "NaN, ∞": { fill: "nan" },
};

/** @type {WeakMap<import("../trace.js").Trace, Set<Look>>} */
const occurring = new WeakMap();

/**
 * The looks that gradients have in a run.
 * @param {import("../trace.js").Trace} trace
 * @returns {ReadonlySet<Look>}
 */
export function looksOf(trace) {
  let looks = occurring.get(trace);
  if (looks) return looks;
  occurring.set(trace, (looks = new Set()));
  if (trace.nodes.size) looks.add("not yet");
  if (trace.document.tensors.some((tensor) => tensor.is_leaf && trace.visible.tensors.has(tensor.id)))
    looks.add("None");
  for (const ref of gradientsOf(trace)) {
    const summary = valueSummary(trace, ref);
    if (summary?.cells.includes(0)) looks.add("zero");
    if (summary?.broken) looks.add("NaN, ∞");
    if (summary?.complex) looks.add(SIZES);
  }
  return looks;
}

/** A thin arrow, as of the forward pass. */
const LINE = { stroke: "mute", sw: 1.4 };

/**
 * @param {Colours} colours
 * @param {import("./marks.js").Measure} measure
 * @param {ReadonlySet<Look>} looks  that occur
 * @param {boolean} narrow  only the scale
 * @returns {{marks: Mark[], w: number}}  from its top left corner
 */
export function drawLegend(colours, measure, looks, narrow = false) {
  const { limit } = colours.scale;
  const sizes = looks.has(SIZES);
  const bar = narrow ? (sizes ? 34 : 64) : sizes ? 64 : 96;
  /** @type {Mark[]} */
  const marks = [];
  let x = 8;
  const word = (/** @type {string} */ content, gap = 8) => {
    marks.push(text(x, TOP + 11.5, content, { size: SIZE, fill: "mute", detail: 0 }));
    x += measure(content, SIZE, 400, false) + gap;
  };
  if (!narrow && !sizes) word("gradient", 12);
  const end = formatNumber(limit);
  word(`−${end}`);
  for (let i = 0; i < STEPS; i++) {
    const unit = ((i + 0.5) / STEPS) * 2 - 1;
    const bend = limit / 40;
    const at = Math.sign(unit) * bend * Math.expm1(Math.abs(unit) * Math.log1p(limit / bend));
    marks.push(rect(x + (i * bar) / STEPS, TOP + 2, bar / STEPS + 0.5, 10, { fill: colours.cell(at) }));
  }
  x += bar + 8;
  word(`+${end}`, narrow ? 10 : 22);
  if (sizes) {
    for (const part of GREYS) {
      marks.push(rect(x, TOP + 2, 10, 10, { fill: colours.size(part * limit) }));
      x += 10;
    }
    x += 6;
    word(narrow ? "|z|" : SIZES, 18);
  }
  if (narrow) return { marks, w: Math.ceil(x) };
  for (const [name, box] of Object.entries(LOOKS)) {
    if (!looks.has(/** @type {Look} */ (name))) continue;
    marks.push(...(name === "None" ? hatchedNone(x, TOP, 20, BOX) : [rect(x, TOP, BOX, BOX, { r: 3, ...box })]));
    x += (name === "None" ? 20 : BOX) + 6;
    word(name, 18);
  }
  return { marks, w: Math.ceil(x) };
}

/**
 * Which way values go, and which way gradients.
 * @param {import("./marks.js").Measure} measure
 * @param {boolean} narrow  in a word each
 * @returns {{marks: Mark[], w: number}}  from its top left corner
 */
export function drawWays(measure, narrow = false) {
  const forward = narrow ? "values" : "values are computed this way";
  const backward = narrow ? "gradients" : "gradients flow back this way";
  const word = (/** @type {number} */ x, /** @type {string} */ content) =>
    text(x, TOP + 11.5, content, { size: SIZE, fill: "mute", detail: 0 });
  const width = (/** @type {string} */ content) => measure(content, SIZE, 400, false);
  const [up, y] = [13, TOP];
  const down = up + 13 + width(forward) + 26;
  return {
    marks: [
      path(`M${up} ${y + 13}L${up} ${y + 2}M${up - 4} ${y + 6}L${up} ${y + 1}L${up + 4} ${y + 6}`, LINE),
      word(up + 13, forward),
      path(`M${down} ${y}L${down} ${y + 9}`, { stroke: "mute", sw: 3 }),
      path(`M${down - 5} ${y + 7}L${down + 5} ${y + 7}L${down} ${y + 14}Z`, { fill: "mute" }),
      word(down + 13, backward),
    ],
    w: Math.ceil(down + 13 + width(backward) + 8),
  };
}
