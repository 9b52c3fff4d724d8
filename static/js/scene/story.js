/**
 * What belongs together at a moment: the pass that runs, from its root to its leaves. Pure.
 * @module
 */
import { components } from "../layout/rank.js";
import { leastLegible, onScreen, zoomAt } from "./view.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./place.js").Box} Box */

/**
 * The items that the pass at time t sets out from; none between passes.
 * @param {Scene} scene @param {number} t
 */
export function rootsAt(scene, t) {
  const { events } = scene.trace;
  for (let at = t - 1; at >= 0; at--) {
    const event = events[at];
    if (event.kind === "backward") {
      return [...new Set(event.roots.flatMap(([node]) => scene.itemOf(node, t) ?? []))].filter((i) => scene.shows(i));
    }
    if (event.kind === "backward_end" && at < t - 1) return [];
  }
  return [];
}

/**
 * Of a pass whose root is out of sight: which way it lies, and how much lies that way. seen: most of the root is not.
 * @param {Scene} scene @param {number} t @param {import("./view.js").View} view @param {import("./view.js").Size} size
 * @returns {{way: "above" | "left" | "right" | "below", count: number, root: number, seen: boolean} | null}
 */
export function outOfSight(scene, t, view, { width, height }) {
  const ways = Object.entries({
    above: (/** @type {Box} */ { y }) => y < -SLACK,
    left: (/** @type {Box} */ { x }) => x < -SLACK,
    right: (/** @type {Box} */ { x, w }) => x + w > width + SLACK,
    below: (/** @type {Box} */ { y, h }) => y + h > height + SLACK,
  });
  for (const root of rootsAt(scene, t)) {
    const at = onScreen(view, scene.boxes[root]);
    const found = ways.find(([_, isOut]) => isOut(at));
    if (!found) continue;
    const [x, y] = [at.x + at.w / 2, at.y + at.h / 2];
    const [way, isOut] = found;
    const seen = x >= 0 && x <= width && y >= 0 && y <= height;
    const part = scene.parts.find(({ items }) => items.has(root));
    const out = [...(part?.items ?? [])].filter((i) => scene.shows(i) && isOut(onScreen(view, scene.boxes[i])));
    return { way: /** @type {"above" | "left" | "right" | "below"} */ (way), count: out.length, root, seen };
  }
  return null;
}

/** px of a box that may be out of sight. */
const SLACK = 2;

/** What is drawn in one piece, and where. @typedef {{items: Set<number>, box: Box}} Part */

/** The separate graphs of a drawing. @param {Scene} scene @returns {Part[]} */
export function partsOf(scene) {
  const { boxes, links } = scene;
  const source = Int32Array.from(links, ({ from }) => from);
  const target = Int32Array.from(links, ({ to }) => to);
  const ways = scene.linkBoxes();
  return components(boxes.length, source, target).map((members) => {
    const items = new Set(members);
    const edges = members.flatMap((i) => scene.out[i].map((j) => ways[j]));
    return { items, box: around([...members.map((i) => boxes[i]), ...edges]) };
  });
}

/** @param {readonly Box[]} boxes @returns {Box} */
export function around(boxes) {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    w: Math.max(...boxes.map((box) => box.x + box.w)) - x,
    h: Math.max(...boxes.map((box) => box.y + box.h)) - y,
  };
}

/** Around them, for their rings; and where there is no more room. */
const MARGIN = 6;
export const LEAST_MARGIN = 2;

/**
 * The view that shows the whole of several boxes: the nearest to `view`, and no closer.
 * @param {import("./view.js").View} view @param {readonly Box[]} boxes @param {import("./view.js").Size} size
 * @returns {import("./view.js").View | null} null to stay: they are in sight, or would be too small to read
 */
export function gathered(view, boxes, { width, height }) {
  if (!boxes.length) return null;
  const { x, y, w, h } = around(boxes);
  const least = leastLegible({ width, height });
  const largest = (/** @type {number} */ margin) => Math.min((width - 2 * margin) / w, (height - 2 * margin) / h);
  const margin = largest(MARGIN) < least ? LEAST_MARGIN : MARGIN;
  const k = Math.min(view.k, largest(margin));
  if (k < Math.min(view.k, least)) return null;
  const at = zoomAt(view, k / view.k, { x: width / 2, y: height / 2 });
  const into = (/** @type {number} */ from, /** @type {number} */ length, /** @type {number} */ room) =>
    Math.max(0, margin - from) + Math.min(0, room - margin - from - length);
  const [right, down] = [into(at.x + x * k, w * k, width), into(at.y + y * k, h * k, height)];
  return k < view.k || right || down ? { k, x: at.x + right, y: at.y + down } : null;
}
