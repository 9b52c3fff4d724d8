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

/**
 * A backward pass in a drawing: what it goes through, with where that is. from, until: events, from its first
 * @typedef {Part & {from: number, until: number}} Pass
 */

/** @type {WeakMap<Scene, Pass[]>} */
const passes = new WeakMap();

/** The backward passes of a run, as they are drawn; leaves stand elsewhere. @param {Scene} scene @returns {Pass[]} */
export function passesOf(scene) {
  let found = passes.get(scene);
  if (!found) passes.set(scene, (found = findPasses(scene)));
  return found;
}

/** @param {Scene} scene @returns {Pass[]} */
function findPasses(scene) {
  /** @type {Pass[]} */
  const found = [];
  /** @type {Pass[]} */
  const running = [];
  const take = (/** @type {string | undefined} */ node, /** @type {number} */ t) => {
    const i = node && running.length ? scene.itemOf(node, t) : undefined;
    if (i !== undefined && scene.shows(i)) running.at(-1)?.items.add(i);
  };
  scene.trace.events.forEach((event, at) => {
    if (event.kind === "backward") {
      const pass = { items: new Set(), box: { x: 0, y: 0, w: 0, h: 0 }, from: at + 1, until: Infinity };
      found.push(pass);
      running.push(pass);
      for (const [node] of event.roots) take(node, at + 1);
    } else if (event.kind === "node") take(event.node, at + 1);
    else if (event.kind === "backward_end") /** @type {Pass} */ (running.pop() ?? { until: 0 }).until = at + 1;
  });
  const shown = found.filter(({ items }) => items.size);
  for (const pass of shown) pass.box = around([...pass.items].map((i) => scene.boxes[i]));
  return shown;
}

/** The pass that runs at time t, the innermost. @param {Scene} scene @param {number} t */
export const passAt = (scene, t) =>
  passesOf(scene).reduce(
    (/** @type {Pass | null} */ found, pass) => (pass.from <= t && t <= pass.until ? pass : found),
    null,
  );

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
