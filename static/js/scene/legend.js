/**
 * The legend, always visible: what hue and saturation mean here, and the four looks that are not a colour.
 * @module
 */
import { formatNumber } from "../trace.js";
import { circle, path, rect, text } from "./marks.js";

/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./colour.js").Colours} Colours */

export const LEGEND = Object.freeze({ w: 448, h: 34, narrow: 172 });

/** Where there is little room only the scale is shown. @param {number} room  width of the stage */
export const legendWidth = (room) => (room < LEGEND.w + 40 ? LEGEND.narrow : LEGEND.w);

/**
 * @param {Colours} colours
 * @param {boolean} narrow  only the scale
 * @returns {Mark[]}  from its top left corner
 */
export function drawLegend(colours, narrow = false) {
  const { limit } = colours.scale;
  const left = narrow ? 12 : 66;
  const width = 132;
  const steps = 22;
  /** @type {Mark[]} */
  const marks = narrow ? [] : [text(10, 14, "gradient", { size: 13, fill: "mute", detail: 0 })];
  for (let i = 0; i < steps; i++) {
    const unit = ((i + 0.5) / steps) * 2 - 1;
    const bend = limit / 40;
    const x = Math.sign(unit) * bend * Math.expm1(Math.abs(unit) * Math.log1p(limit / bend));
    marks.push(rect(left + (i * width) / steps, 5, width / steps + 0.5, 10, { fill: colours.cell(x), r: 0 }));
  }
  const end = formatNumber(limit);
  const label = (
    /** @type {number} */ x,
    /** @type {string} */ content,
    /** @type {"start" | "middle" | "end"} */ align,
  ) => text(x, 27, content, { size: 12, align, fill: "mute", detail: 0 });
  marks.push(
    label(left, `−${end}`, "start"),
    label(left + width / 2, "0", "middle"),
    label(left + width, `+${end}`, "end"),
  );
  if (narrow) return marks;
  const word = (/** @type {number} */ x, /** @type {string} */ content) =>
    text(x, 14, content, { size: 13, fill: "mute", detail: 0 });
  marks.push(
    rect(217, 4.5, 11, 11, { r: 3, stroke: "faint", dash: "2 2" }),
    word(233, "not yet"),
    rect(282, 4.5, 11, 11, { r: 3, stroke: "rest" }),
    path("M282 11.5L289 4.5M286 15.5L293 8.5", { stroke: "rest" }),
    word(298, "None"),
    rect(337, 4.5, 11, 11, { r: 3, fill: "zero-solid" }),
    word(353, "zero"),
    circle(390, 10, 5.5, { fill: "nan" }),
    word(400, "NaN, ∞"),
  );
  return marks;
}
