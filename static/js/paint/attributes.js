/**
 * A mark as an SVG element: its name, its attributes, its text. Both the live picture and the exported file use this.
 * @module
 */
import { round, text } from "../scene/marks.js";

/** @typedef {import("../scene/marks.js").Mark} Mark */
/** @typedef {import("../scene/colour.js").Palette} Palette */

export const SANS = 'Inter, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif';
export const MONO = '"JetBrains Mono", "SFMono-Regular", ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** Width of the stroke behind letters that stand on wires. */
export const HALO = 5;

/** @param {Mark} mark */
export const elementName = (mark) => mark.type;

/** @param {string} paint @param {Palette} palette */
export const resolve = (paint, palette) => palette[paint] ?? paint;

/**
 * Attributes that differ from SVG's defaults.
 * @param {Mark} mark @param {Palette} palette
 * @returns {Record<string, string | number>}
 */
export function attributesOf(mark, palette) {
  /** @type {Record<string, string | number>} */
  const a = {};
  if (mark.type === "text") {
    a.x = round(mark.x);
    a.y = round(mark.y);
    a.fill = resolve(mark.fill, palette);
    a["font-size"] = round(mark.size);
    if (mark.weight !== 400) a["font-weight"] = mark.weight;
    if (mark.align !== "start") a["text-anchor"] = mark.align;
    a["font-family"] = mark.mono ? MONO : SANS;
    if (mark.halo !== "none") {
      a.stroke = resolve(mark.halo, palette);
      a["stroke-width"] = HALO;
      a["stroke-linejoin"] = "round";
      a["paint-order"] = "stroke";
    }
    if (mark.strike) a["text-decoration"] = "line-through";
    if (mark.opacity !== 1) a.opacity = mark.opacity;
    return a;
  }
  if (mark.type === "rect") {
    a.x = round(mark.x);
    a.y = round(mark.y);
    a.width = round(Math.max(0, mark.w));
    a.height = round(Math.max(0, mark.h));
    if (mark.r) a.rx = mark.r;
  } else if (mark.type === "circle") {
    a.cx = round(mark.x);
    a.cy = round(mark.y);
    a.r = round(mark.r);
  } else {
    a.d = mark.d;
    a["stroke-linecap"] = "round";
    a["stroke-linejoin"] = "round";
  }
  a.fill = resolve(mark.fill, palette);
  if (mark.stroke !== "none") {
    a.stroke = resolve(mark.stroke, palette);
    if (mark.sw !== 1) a["stroke-width"] = mark.sw;
    if (mark.dash) a["stroke-dasharray"] = mark.dash;
  }
  if (mark.opacity !== 1) a.opacity = mark.opacity;
  return a;
}

/** Between two heads that end beside each other there is no room for a sign. */
const BESIDE = 28;

/**
 * A sign beside the head of an edge, on the side where no other ends; none between two others.
 * @param {import("../scene/scene.js").Scene} scene @param {number} j @param {{stroke: string, width: number}} look
 * @param {string} sign
 */
export function signMark({ paths, links, out }, j, { stroke, width }, sign) {
  const [x, y] = paths[j];
  const offsets = out[links[j].from].map((k) => paths[k][0] - x);
  const right = offsets.some((by) => by > 0 && by < BESIDE);
  const between = right && offsets.some((by) => by < 0 && by > -BESIDE);
  return text(x + (right ? -1 : 1) * (9 + width / 2), y - 8, between ? "" : sign, {
    size: 13,
    weight: 700,
    align: "middle",
    fill: stroke,
    halo: "paper",
  });
}

/**
 * The head of an arrow where a link ends; links are upright there.
 * @param {Float64Array} path @param {"forward" | "backward" | "none"} arrow @param {number} width  of the line
 * @returns {string}
 */
export function arrowHead(path, arrow, width) {
  if (arrow === "none") return "";
  const size = 3.4 + width * 0.7;
  const n = path.length;
  const [x, y] = arrow === "forward" ? [path[n - 2], path[n - 1]] : [path[0], path[1]];
  const way = arrow === "forward" ? -1 : 1;
  const back = round(y - way * size * 1.6);
  return `M${round(x)} ${round(y)}L${round(x - size * 0.9)} ${back}L${round(x + size * 0.9)} ${back}Z`;
}
