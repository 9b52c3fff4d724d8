/**
 * The legend, always visible: what hue and saturation mean here, and the four looks that are not a colour.
 * @module
 */
import { formatNumber } from "../trace.js";
import { path, rect, text } from "./marks.js";

/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./colour.js").Colours} Colours */

export const LEGEND = Object.freeze({ w: 640, h: 26, narrow: 330 });

/** Where there is little room only the scale is shown. @param {number} room  width of the stage */
export const isNarrow = (room) => room < 730;

const SIZE = 13;
const BAR = 96;
const STEPS = 24;
const TOP = 6;
const BOX = 14;

/**
 * @param {Colours} colours
 * @param {import("./marks.js").Measure} measure
 * @param {boolean} narrow  only the scale
 * @returns {{marks: Mark[], w: number}}  from its top left corner
 */
export function drawLegend(colours, measure, narrow = false) {
  const { limit } = colours.scale;
  /** @type {Mark[]} */
  const marks = [];
  let x = 8;
  const word = (/** @type {string} */ content, gap = 8) => {
    marks.push(text(x, TOP + 11.5, content, { size: SIZE, fill: "mute", detail: 0 }));
    x += measure(content, SIZE, 400, false) + gap;
  };
  word("gradient", 12);
  const end = formatNumber(limit);
  word(`−${end}`);
  for (let i = 0; i < STEPS; i++) {
    const unit = ((i + 0.5) / STEPS) * 2 - 1;
    const bend = limit / 40;
    const at = Math.sign(unit) * bend * Math.expm1(Math.abs(unit) * Math.log1p(limit / bend));
    marks.push(rect(x + (i * BAR) / STEPS, TOP + 2, BAR / STEPS + 0.5, 10, { fill: colours.cell(at) }));
  }
  x += BAR + 8;
  word(`+${end}`, 22);
  if (narrow) return { marks, w: Math.ceil(x) };
  const looks = [
    { name: "not yet", box: { stroke: "rest", dash: "2 2.5" } },
    { name: "None", box: { stroke: "rest" } },
    { name: "zero", box: { fill: "zero-solid" } },
    { name: "NaN, ∞", box: { fill: "nan" } },
  ];
  for (const { name, box } of looks) {
    marks.push(rect(x, TOP, BOX, BOX, { r: 3, ...box }));
    if (name === "None") {
      marks.push(
        path(`M${x} ${TOP + 8}L${x + 8} ${TOP}M${x + 4} ${TOP + BOX}L${x + BOX} ${TOP + 4}`, { stroke: "rest" }),
      );
    }
    x += BOX + 6;
    word(name, 18);
  }
  return { marks, w: Math.ceil(x) };
}
