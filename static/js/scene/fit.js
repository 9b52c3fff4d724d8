/**
 * What does not fit is drawn with less: results without a name as circles, then one turn of a loop, then scopes as
 * boxes, from the innermost. Pure.
 * @module
 */
import { foldDeepest } from "./groups.js";
import { LEGIBLE } from "./view.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./view.js").Box} Box */
/** @typedef {import("./view.js").Size} Size */

/**
 * dense: results without a name are circles, and things stand closer · gather: of a loop one turn is open · folds:
 * levels of scopes that are boxes, from the innermost
 * @typedef {{dense: boolean, gather: boolean, folds: number}} Thrift
 */

/** @type {Thrift} */
export const GENEROUS = Object.freeze({ dense: false, gather: false, folds: 0 });

/**
 * The next way to draw a scene, which takes less room.
 * @param {Scene} scene
 * @returns {Thrift | null}  null where there is none
 */
export function thriftier({ whole, draft }) {
  const { thrift } = whole;
  if (!thrift.dense) return { ...thrift, dense: true };
  if (!draft.open.length) return null;
  if (!thrift.gather) return { ...thrift, gather: true };
  return { ...thrift, folds: thrift.folds + 1 };
}

/**
 * What is folded where so much thrift is needed.
 * @param {import("./scene.js").Whole} whole
 * @returns {Set<string>}
 */
export function foldedFor({ groups, folded, thrift }) {
  let now = new Set(folded);
  for (let n = 0; n < thrift.folds; n++) {
    now = foldDeepest(
      [...groups.values()].filter(({ id }) => !isHidden(id, groups, now)),
      now,
    );
  }
  return now;
}

/**
 * Does a group lie in one that is folded, or is it folded itself?
 * @param {string} id @param {Map<string, import("./groups.js").Group>} groups @param {ReadonlySet<string>} folded
 */
export function isHidden(id, groups, folded) {
  for (let at = /** @type {string | null} */ (id); at; at = groups.get(at)?.parent ?? null) {
    if (folded.has(at)) return true;
  }
  return false;
}

/** Of the room, kept free around what must be read. */
const RIM = 6;

/** Can a box be read as a whole? @param {Box} box @param {Size} room */
export const fits = ({ w, h }, { width, height }) => w * LEGIBLE <= width - 2 * RIM && h * LEGIBLE <= height - 2 * RIM;
