/**
 * Images and contours as paths, in pixels of their plot. Pure.
 * @module
 */
import { mapped } from "./colours.js";
import { rings } from "./contours.js";
import { box, byColour, dashOf, numbers, round } from "./paths.js";
import { number } from "./scale.js";

/** @typedef {import("./types").Mark} Mark */
/** @typedef {import("./marks.js").Frame} Frame */

/**
 * Cells of one colour are one path.
 * @param {import("../trace/document").ImageSeries} series @param {Frame} frame @returns {Mark[]}
 */
export function image(series, frame) {
  const { rows, columns, alpha } = series;
  const [left = 0, right = 1, low = 0, high = 1] = numbers(series.extent);
  const at = Array.from({ length: columns + 1 }, (_, j) => frame.x.place(left + ((right - left) * j) / columns));
  const up = Array.from({ length: rows + 1 }, (_, i) => frame.y.place(low + ((high - low) * i) / rows));
  const parts = [];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; ) {
      const colour = cell(series, i, j);
      let end = j + 1;
      while (end < columns && cell(series, i, end) === colour) end++;
      const [x = 0, y = 0] = [at[j], up[i]];
      if (colour) parts.push({ d: box(x, y, (at[end] ?? 0) - x, (up[i + 1] ?? 0) - y), colour });
      j = end;
    }
  }
  return [...byColour(parts)].map(([colour, d]) => ({ d, fill: colour, opacity: alpha, exact: true, crisp: true }));
}

/**
 * @param {import("../trace/document").ImageSeries} series
 * @param {number} i @param {number} j @returns {string | null}
 */
function cell({ rgb, levels, values, range, colormap }, i, j) {
  if (rgb) return `#${rgb[i]?.slice(6 * j, 6 * j + 6) ?? "000000"}`;
  if (!colormap) return null;
  const level = levels?.[i]?.[j];
  if (level !== undefined) return level < 0 ? null : mapped(colormap, level / 255);
  const [low = 0, high = 1] = numbers(range);
  const value = number(values?.[i]?.[j]);
  return Number.isNaN(value) ? null : mapped(colormap, (value - low) / (high - low || 1));
}

/** @param {import("../trace/document").ContourSeries} series @param {Frame} frame */
function heights({ x, y, z, levels }, frame) {
  const between = (/** @type {number[]} */ places, /** @type {number} */ part) => {
    const first = Math.floor(part);
    const a = places[first] ?? 0;
    return a + ((places[first + 1] ?? a) - a) * (part - first);
  };
  const at = numbers(x).map(frame.x.place);
  const up = numbers(y).map(frame.y.place);
  const surface = z.map(numbers);
  const all = numbers(levels);
  const span = (all.at(-1) ?? 0) - (all[0] ?? 0);
  return all.map((level, i) =>
    // What is as high as the highest of several levels is not above it.
    rings(surface, i && i === all.length - 1 ? level + span * 1e-9 : level).map((ring) =>
      ring.map(({ column, row, border }) => ({ x: round(between(at, column)), y: round(between(up, row)), border })),
    ),
  );
}

/** @param {{x: number, y: number}[]} ring */
const closed = (ring) => `M${ring.map(({ x, y }) => `${x} ${y}`).join("L")}z`;

/**
 * What is higher than each level, one upon the other.
 * @param {import("../trace/document").ContourSeries} series @param {Frame} frame @returns {Mark[]}
 */
export function areas(series, frame) {
  const paths = heights(series, frame).map((found) => found.map(closed).join(""));
  const above = series.extend === "max" || series.extend === "both";
  const below = series.extend === "min" || series.extend === "both";
  const top = above ? "" : (paths.at(-1) ?? "");
  const shown = above ? paths : paths.slice(0, -1);
  if (below) shown.unshift(box(0, 0, frame.width, frame.height));
  return shown.map((d, i) => {
    // With less than all of its colour, what is higher must not lie upon it.
    const hole = series.alpha < 1 ? (shown[i + 1] ?? top) : top;
    return { d: d + hole, fill: series.colors[i] ?? null, opacity: series.alpha, exact: true, holes: true };
  });
}

/** @param {import("../trace/document").ContourSeries} series @param {Frame} frame @returns {Mark[]} */
export function outlines(series, frame) {
  const width = round(Math.max(0.8, series.width * frame.point));
  return heights(series, frame).map((found, i) => {
    let d = "";
    for (const ring of found) {
      ring.forEach((point, k) => {
        const next = ring[(k + 1) % ring.length] ?? point;
        // Along the border of the grid there is no line.
        if (point.border || next.border) return;
        d += `${d.endsWith(`${point.x} ${point.y}`) ? "" : `M${point.x} ${point.y}`}L${next.x} ${next.y}`;
      });
    }
    const stroke = series.colors[i % Math.max(1, series.colors.length)] ?? null;
    return { d, stroke, width, dash: dashOf(series.style, width), opacity: series.alpha };
  });
}
