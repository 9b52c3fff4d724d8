/**
 * Titles of open scopes: above the wires, where fewest pass, and legible from afar as far as there is room.
 * @module
 */
import { timesOf } from "./boxes.js";
import { path, shorten, text } from "./marks.js";

/** @typedef {import("./boxes.js").Hull} Hull */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./marks.js").Measure} Measure */
/** @typedef {import("./place.js").Box} Box */

const LOOK = { size: 13, weight: 600 };
/** Of the sign before a title. */
const MARK_W = 14;
const BASELINE = 15;
/** Around a title, to wires. */
const CLEAR = 7;
/** To the ends of its hull. */
const INDENT = 12;
/** Part of its size below which no title gets on screen. */
const SMALLEST = 0.8;

/** @param {Hull} hull */
const wordsOf = ({ group }) => shorten([group.label, timesOf(group)].filter(Boolean).join("  "), 40);

/** @param {Hull} hull @param {string} ground  the colour behind it @returns {Mark[]} */
export function drawTitle(hull, ground) {
  const [x, y] = [hull.titleX, hull.y + BASELINE];
  const sign = `M${x} ${y - 6}L${x + 4} ${y - 1.5}L${x + 8} ${y - 6}`;
  return [
    path(sign, { stroke: ground, sw: 7 }),
    path(sign, { stroke: "mute", sw: 1.5 }),
    text(x + MARK_W, y, wordsOf(hull), { ...LOOK, fill: "mute", halo: ground }),
  ];
}

/** How much larger titles are than the picture, at a zoom. @param {number} k */
export const titleScale = (k) => Math.max(1, SMALLEST / k);

/**
 * Where a title lies, with its sign: larger, it grows upwards and to the right, and back where its hull ends.
 * @param {Hull} hull @param {Measure} measure @param {number} [scale]
 * @returns {Box}
 */
export function titleBox(hull, measure, scale = 1) {
  const w = scale * (MARK_W + measure(wordsOf(hull), LOOK.size, LOOK.weight, false));
  const x = scale > 1 ? Math.max(hull.x, Math.min(hull.titleX, hull.right - w)) : hull.titleX;
  return { x, y: hull.y + BASELINE - 12 * scale, w, h: 16 * scale };
}

/**
 * For each hull, how its title is moved at a zoom; null where there is no room for it. Outer ones come first.
 * @param {readonly Hull[]} hulls @param {Measure} measure @param {number} k
 * @returns {({x: number, y: number, scale: number} | null)[]} scaled by `scale`, then moved by (x, y)
 */
export function titlesAt(hulls, measure, k) {
  const scale = titleScale(k);
  /** @type {Box[]} */
  const taken = [];
  return hulls.map((hull) => {
    const box = titleBox(hull, measure, scale);
    if (scale > 1) {
      const meets = (/** @type {Box} */ { x, y, w, h }) =>
        box.x < x + w && x < box.x + box.w && box.y < y + h && y < box.y + box.h;
      if (box.x + box.w > hull.right || taken.some(meets)) return null;
      taken.push(box);
    }
    return { x: box.x - hull.titleX * scale, y: (hull.y + BASELINE) * (1 - scale), scale };
  });
}

/**
 * Where a title begins: as far left as nothing crosses it, else where least does.
 * @param {Hull} hull @param {Measure} measure
 * @param {(band: Box) => [number, number][]} crossing  from where to where wires pass through a rectangle
 */
export function placeTitle(hull, measure, crossing) {
  const { y, w, h } = titleBox(hull, measure);
  const from = hull.x + INDENT;
  const last = Math.max(from, hull.right - INDENT - w);
  const wires = crossing({ x: hull.x, y, w: Math.max(hull.right - hull.x, w + 2 * INDENT), h });
  const crossed = (/** @type {number} */ x) =>
    wires.reduce((n, [a, b]) => n + Number(a - CLEAR < x + w && b + CLEAR > x), 0);
  const places = wires.flatMap(([a, b]) => [b + CLEAR, a - CLEAR - w]).sort((p, q) => p - q);
  let best = from;
  for (const x of [...places, last]) if (x >= from && x <= last && crossed(x) < crossed(best)) best = x;
  return best;
}
