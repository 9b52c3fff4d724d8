/** Several boxes in sight together. Pure. */

import { around } from "../scene/story.js";
import { leastLegible, zoomAt } from "../scene/view.js";

/** @typedef {import("../scene/view.js").View} View */
/** @typedef {import("../scene/view.js").Box} Box */
/** @typedef {import("../scene/view.js").Size} Size */

/** Around them, for their rings; and where there is no more room. */
const MARGIN = 6;
export const LEAST_MARGIN = 2;

/**
 * The view that shows the whole of several boxes: the nearest to `view`, and no closer.
 * @param {View} view @param {readonly Box[]} boxes @param {Size} size
 * @returns {View | null} null to stay: they are in sight, or would be too small to read
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
