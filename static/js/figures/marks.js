/**
 * What is drawn of each kind of series, as paths in pixels of its plot. Pure.
 * @module
 */
import { mapped } from "./colours.js";
import { box, byColour, dashOf, marker, numbers, polyline, round, STROKED } from "./paths.js";
import { number } from "./scale.js";
import { areas, image, outlines } from "./surfaces.js";
import { plain, widthOf } from "./texts.js";

/** @typedef {import("../trace/document").AnySeries} Series */
/** @typedef {import("./types").Mark} Mark */
/**
 * @typedef {object} Frame
 * @property {import("./scale.js").Scale} x
 * @property {import("./scale.js").Scale} y
 * @property {number} width of the plot, in pixels
 * @property {number} height
 * @property {number} point pixels of a point, the unit in which matplotlib measures lines and markers
 */

/**
 * @param {Series} series
 * @param {Frame} frame
 * @returns {Mark[]}
 */
export function marksOf(series, frame) {
  switch (series.kind) {
    case "line":
      return line(series, frame);
    case "points":
      return points(series, frame);
    case "bars":
      return bars(series, frame);
    case "fill":
      return fill(series, frame);
    case "segments":
      return segments(series, frame);
    case "rule":
      return rule(series, frame);
    case "span":
      return span(series, frame);
    case "image":
      return image(series, frame);
    case "contour":
      return series.filled ? areas(series, frame) : outlines(series, frame);
    case "text":
      return arrow(series, frame);
  }
}

/** @param {import("../trace/document").LineSeries} series @param {Frame} frame @returns {Mark[]} */
function line({ x, y, color, alpha, style, width, marker: kind, size, hollow, steps }, frame) {
  const at = numbers(x).map(frame.x.place);
  const up = numbers(y).map(frame.y.place);
  /** @type {Mark[]} */
  const made = [];
  const wide = round(Math.max(0.8, width * frame.point));
  if (style) {
    const d = steps ? polyline(...stepped(at, up, steps)) : polyline(at, up);
    made.push({ d, stroke: color, width: wide, dash: dashOf(style, wide), opacity: alpha });
  }
  if (kind) {
    const d = at.map((px, i) => marker(kind, px, up[i] ?? Number.NaN, round(Math.max(3, size * frame.point)))).join("");
    const bare = hollow || STROKED.has(kind);
    made.push({ d, fill: bare ? null : color, stroke: bare ? color : null, width: 1.2, opacity: alpha });
  }
  return made;
}

/** @param {number[]} at @param {number[]} up @param {string} steps @returns {[number[], number[]]} */
function stepped(at, up, steps) {
  const [xs, ys] = [at.slice(0, 1), up.slice(0, 1)];
  for (let i = 1; i < at.length; i++) {
    const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = [at[i - 1], at[i], up[i - 1], up[i]];
    const turn = steps === "pre" ? x0 : steps === "mid" ? (x0 + x1) / 2 : x1;
    xs.push(turn, turn, x1);
    ys.push(y0, y1, y1);
  }
  return [xs, ys];
}

/** @param {import("../trace/document").PointSeries} series @param {Frame} frame @returns {Mark[]} */
function points({ x, y, color, colors, values, range, colormap, marker: kind, sizes, edge, alpha }, frame) {
  const [low, high] = numbers(range);
  const shown = kind ?? "o";
  const colourAt = (/** @type {number} */ i) => {
    if (!colormap || !values) return colors?.[i] ?? color;
    const value = number(values[i]);
    return Number.isNaN(value) ? null : mapped(colormap, (value - (low ?? 0)) / ((high ?? 0) - (low ?? 0) || 1));
  };
  const up = numbers(y);
  const single = numbers(x).map((value, i) => {
    const size = Math.sqrt(Math.max(0, number(sizes[i] ?? sizes[0] ?? 36))) * frame.point;
    const d = marker(shown, frame.x.place(value), frame.y.place(up[i] ?? Number.NaN), round(Math.max(2, size)));
    return { d, colour: colourAt(i) };
  });
  const bare = STROKED.has(shown);
  const look = (/** @type {string | null} */ colour) => ({
    fill: bare ? null : colour,
    stroke: bare ? colour : edge,
    width: bare ? 1.4 : 0.8,
    opacity: alpha,
    exact: Boolean(colormap),
  });
  // What lies upon each other shows through when each is drawn by itself.
  if (alpha < 1) return single.map(({ d, colour }) => ({ d, ...look(colour) }));
  return [...byColour(single)].map(([colour, d]) => ({ d, ...look(colour) }));
}

/** @param {import("../trace/document").BarSeries} series @param {Frame} frame @returns {Mark[]} */
function bars({ x, y, width, height, color, colors, edge, hollow, alpha }, frame) {
  const [ys, widths, heights] = [numbers(y), numbers(width), numbers(height)];
  const single = numbers(x).map((value, i) => {
    const left = frame.x.place(value);
    const right = frame.x.place(value + (widths[i] ?? 0));
    const foot = grounded(frame.y.place(ys[i] ?? 0), frame.height);
    const head = frame.y.place((ys[i] ?? 0) + (heights[i] ?? 0));
    const start = grounded(left, 0);
    const known = [start, right, foot, head].every(Number.isFinite);
    return { d: known ? box(start, foot, right - start, head - foot) : "", colour: colors?.[i] ?? color };
  });
  return [...byColour(single)].map(([colour, d]) => ({
    d,
    fill: hollow ? null : colour,
    stroke: edge ?? (hollow ? colour : null),
    width: 1,
    opacity: alpha,
  }));
}

/** A bar from 0 on a logarithmic axis begins at its end. @param {number} place @param {number} end */
const grounded = (place, end) => (Number.isFinite(place) ? place : end);

/** @param {import("../trace/document").FillSeries} series @param {Frame} frame @returns {Mark[]} */
function fill({ x, low, high, upright, outline, color, alpha }, frame) {
  const [along, across] = upright ? [frame.x, frame.y] : [frame.y, frame.x];
  const at = numbers(x).map(along.place);
  const ends = [numbers(low), numbers(high)].map((side) =>
    side.map((value) => grounded(across.place(value), upright ? frame.height : 0)),
  );
  const [from = [], to = []] = ends;
  const path = (/** @type {number[]} */ a, /** @type {number[]} */ b) => (upright ? polyline(a, b) : polyline(b, a));
  if (outline) return [{ d: path(at, to), stroke: color, width: 1.3, opacity: alpha }];
  /** @type {Mark[]} */
  const made = [];
  let start = 0;
  for (let i = 0; i <= at.length; i++) {
    if (i < at.length && [at[i], from[i], to[i]].every(Number.isFinite)) continue;
    if (i > start) {
      const part = (/** @type {number[]} */ list) => list.slice(start, i);
      const d = path([...part(at), ...part(at).reverse()], [...part(to), ...part(from).reverse()]);
      made.push({ d: `${d}z`, fill: color, opacity: alpha });
    }
    start = i + 1;
  }
  return made;
}

/** @param {import("../trace/document").SegmentSeries} series @param {Frame} frame @returns {Mark[]} */
function segments({ from, to, color, alpha, style, width, caps }, frame) {
  const [x1 = [], y1 = []] = from.map(numbers);
  const [x2 = [], y2 = []] = to.map(numbers);
  let d = "";
  x1.forEach((value, i) => {
    const [a, b] = [frame.x.place(value), frame.y.place(y1[i] ?? Number.NaN)];
    const [c, e] = [frame.x.place(x2[i] ?? Number.NaN), frame.y.place(y2[i] ?? Number.NaN)];
    if (![a, b, c, e].every(Number.isFinite)) return;
    d += `M${round(a)} ${round(b)}L${round(c)} ${round(e)}`;
    if (!caps) return;
    for (const [px, py] of [
      [a, b],
      [c, e],
    ])
      d +=
        Math.abs(a - c) < 0.05
          ? `M${round((px ?? 0) - 3)} ${round(py ?? 0)}h6`
          : `M${round(px ?? 0)} ${round((py ?? 0) - 3)}v6`;
  });
  const wide = Math.max(0.8, width * frame.point);
  return d ? [{ d, stroke: color, width: round(wide), dash: dashOf(style, wide), opacity: alpha }] : [];
}

/** @param {import("../trace/document").RuleSeries} series @param {Frame} frame @returns {Mark[]} */
function rule({ axis, at, part, color, alpha, style, width }, { x, y, width: w, height, point }) {
  const [from = 0, to = 1] = numbers(part);
  const place = (axis === "x" ? x : y).place(number(at));
  if (!Number.isFinite(place)) return [];
  const d =
    axis === "x"
      ? `M${round(place)} ${round(height * (1 - from))}V${round(height * (1 - to))}`
      : `M${round(w * from)} ${round(place)}H${round(w * to)}`;
  const wide = Math.max(0.8, width * point);
  return [{ d, stroke: color, width: round(wide), dash: dashOf(style, wide), opacity: alpha }];
}

/** @param {import("../trace/document").SpanSeries} series @param {Frame} frame @returns {Mark[]} */
function span({ axis, span: ends, color, alpha }, { x, y, width, height }) {
  const [from = 0, to = 0] = numbers(ends).map((axis === "x" ? x : y).place);
  if (!Number.isFinite(from) || !Number.isFinite(to)) return [];
  const d = axis === "x" ? box(from, 0, to - from, height) : box(0, from, width, to - from);
  return [{ d, fill: color, opacity: alpha }];
}

/**
 * From a note to what it points at.
 * @param {import("../trace/document").TextSeries} series @param {Frame} frame @returns {Mark[]}
 */
function arrow({ text, x, y, to, color, where, across, alpha }, frame) {
  if (!to || where !== "data") return [];
  const [px, py] = [frame.x.place(number(x)), frame.y.place(number(y))];
  const [c, d] = [frame.x.place(number(to[0])), frame.y.place(number(to[1]))];
  if (![px, py, c, d].every(Number.isFinite)) return [];
  const wide = widthOf(plain(text));
  const left = px - ({ center: wide / 2, right: wide }[across] ?? 0);
  // It begins at the side of the text that looks towards its end.
  const a = Math.min(Math.max(c, left - 3), left + wide + 3);
  const b = Math.min(Math.max(d, py - 14), py + 4);
  const angle = Math.atan2(d - b, c - a);
  const wing = (/** @type {number} */ turn) =>
    `M${round(c)} ${round(d)}L${round(c - 7 * Math.cos(angle + turn))} ${round(d - 7 * Math.sin(angle + turn))}`;
  const path = `M${round(a)} ${round(b)}L${round(c)} ${round(d)}${wing(0.45)}${wing(-0.45)}`;
  return [{ d: path, stroke: color, width: 1, opacity: alpha }];
}
