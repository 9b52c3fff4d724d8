/**
 * From one drawing to the next after an edit: what is still there moves, and its edges follow.
 * @module
 */
import { round } from "./marks.js";

/** @typedef {import("./scene.js").Scene} Scene */

/** Larger drawings change at once. */
const MOST_ITEMS = 250;

/**
 * @param {Scene | null} before @param {Scene} after
 * @returns {{x: Float64Array, y: Float64Array} | null} where each item of `after` starts from; null when one would say
 *   nothing
 */
export function transitionStart(before, after) {
  if (!before || after.items.length > MOST_ITEMS) return null;
  const known = new Map(before.items.map((item, i) => [item.key, i]));
  const x = Float64Array.from(after.x);
  const y = Float64Array.from(after.y);
  let moved = 0;
  after.items.forEach((item, i) => {
    const j = known.get(item.key);
    if (j === undefined) return;
    x[i] = before.x[j];
    y[i] = before.y[j];
    moved = Math.max(moved, Math.abs(x[i] - after.x[i]), Math.abs(y[i] - after.y[i]));
  });
  return moved > 2 ? { x, y } : null;
}

/** @param {Scene} scene @param {{x: Float64Array, y: Float64Array}} start @param {number} t  0 … 1 */
export function transitionAt(scene, start, t) {
  const x = start.x.map((from, i) => from + (scene.x[i] - from) * t);
  const y = start.y.map((from, i) => from + (scene.y[i] - from) * t);
  const { anchor, height } = scene.draft.input;
  const texts = scene.links.map(({ from, to }) => {
    const x0 = x[from] + anchor[from];
    const y0 = y[from] - height[from] / 2;
    const x1 = x[to] + anchor[to];
    const y1 = y[to] + height[to] / 2;
    const middle = (y0 + y1) / 2;
    const bend = `${round(x0)} ${round(middle)} ${round(x1)} ${round(middle)}`;
    return `M${round(x0)} ${round(y0)}C${bend} ${round(x1)} ${round(y1)}`;
  });
  return { x, y, texts, paths: scene.paths };
}
