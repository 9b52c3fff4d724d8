/**
 * The lines beside the rows of the map: ways around modules in the gutter, and the norm through depth at the right.
 * @module
 */
import { s } from "../ui/dom.js";
import { morph } from "../ui/morph.js";
import { PITCH } from "./map.js";
import { marksOf, placeOf } from "./scale.js";

/** @typedef {import("./tree.js").Part} Part */
/** @typedef {import("./rows.js").Row} Row */

/** px: the column of the curve, and its margin. */
const CURVE = 98;
const MARGIN = 14;
const LANE = 5;
/** px around a point of the curve that are the point for a pointer. */
const HIT = 13;

/**
 * @param {Element} svg
 * @param {object} view
 * @param {Row[]} view.shown
 * @param {import("./scale.js").Decades} view.scale
 * @param {number} view.t
 * @param {Part | null} view.now
 * @param {number} view.width
 * @param {boolean} view.curve  whether there is room for it
 * @param {number} view.indent  of inner rows
 */
export function lines(svg, { shown, scale, t, now, width, curve, indent }) {
  const height = shown.length * PITCH;
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
  const at = new Map(shown.map((row, i) => [row.parts[0], i]));
  /** @type {SVGElement[]} */
  const parts = [...ways(shown, at, t, indent)];
  if (curve) parts.push(...curveOf(shown, scale, t, now, width));
  morph(svg, parts);
}

/** @param {Row[]} shown @param {Map<Part, number>} at @param {number} t @param {number} indent */
function* ways(shown, at, t, indent) {
  for (const row of shown) {
    const [part] = row.parts;
    if (!row.open || part.children.every((child) => child.kind === "op")) continue;
    yield* waysIn(part, (row.depth + 1) * indent, at, t);
  }
  const top = shown[0]?.parts[0].parent;
  if (top) yield* waysIn(top, 0, at, t);
}

/** @param {Part} part @param {number} inset  px @param {Map<Part, number>} at @param {number} t */
function* waysIn(part, inset, at, t) {
  if (part.children.every((child) => child.kind === "op")) return;
  let lane = 0;
  for (const skip of part.skips) {
    const from = at.get(part.children[skip.from]);
    const beyond = part.children[skip.to] ?? part.children[part.children.length - 1];
    const to = at.get(beyond);
    if (from === undefined || to === undefined) continue;
    const x = inset - 3;
    const left = x - 5 - (lane++ % 3) * LANE;
    const [y0, y1] = [from * PITCH + PITCH / 2, to * PITCH + (part.children[skip.to] ? PITCH / 2 : PITCH - 4)];
    const down = `Q${left} ${y0} ${left} ${y0 + 5}V${y1 - 5}Q${left} ${y1} ${left + 5} ${y1}`;
    const d = `M${x + 2} ${y0}H${left + 4}${down}H${x + 2}`;
    yield s("path", { class: `map-way ${skip.time < t ? "past" : "later"}`, d });
  }
}

/**
 * @param {Row[]} shown
 * @param {import("./scale.js").Decades} scale
 * @param {number} t
 * @param {Part | null} now
 * @param {number} width
 */
function* curveOf(shown, scale, t, now, width) {
  const left = width - CURVE + MARGIN;
  const wide = CURVE - 2 * MARGIN;
  const height = shown.length * PITCH;
  for (const power of marksOf(scale, scale.low < -3 ? 2 : 3)) {
    const x = left + placeOf(scale, 10 ** power) * wide;
    yield s("path", { class: "map-grid", d: `M${x} 0V${height - 14}` });
    const text = power > -3 && power <= 3 ? String(Number((10 ** power).toPrecision(1))) : `1e${power}`;
    const anchor = x === left && text.length > 4 ? "start" : "middle"; // beside the rows, not on them
    yield s("text", { class: "map-tick", x, y: height - 2, "text-anchor": anchor }, text);
  }
  /** @type {{x: number, y: number, time: number, name: string, now: boolean}[]} */
  const points = [];
  shown.forEach((row, i) => {
    const { arriving } = row.parts[0];
    if (row.open || !arriving || arriving.time >= t) return;
    points.push({
      x: left + placeOf(scale, arriving.norm) * wide,
      y: i * PITCH + PITCH / 2,
      time: row.parts[0].first,
      name: row.parts[0].name,
      now: now !== null && row.parts.some((part) => part === now || isInside(now, part)),
    });
  });
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    yield s("path", { class: "map-curve", d: `M${a.x} ${a.y}L${b.x} ${b.y}` });
  }
  for (const point of points) {
    yield s("circle", {
      class: `map-point ${point.now ? "now" : "past"}`,
      cx: point.x,
      cy: point.y,
      r: 3.4,
    });
  }
  for (const { x, y, time, name } of points) {
    const hit = s("circle", { class: "map-hit", "data-time": time, cx: x, cy: y, r: HIT });
    hit.append(s("title", {}, `Go to ${name}`));
    yield hit;
  }
}

/** @param {Part} part @param {Part} outer */
function isInside(part, outer) {
  for (let at = part.parent; at; at = at.parent) if (at === outer) return true;
  return false;
}
