/**
 * What does not fit is drawn with less: results without a name as circles, then one iteration of a loop, then scopes
 * as boxes, from the innermost, then chains of ops; where not even a pass fits, what goes into a result as one. Pure.
 * @module
 */
import { startsAt } from "./objective.js";
import { passesOf } from "./story.js";
import { LEGIBLE } from "./view.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./story.js").Part} Part */
/** @typedef {import("./view.js").Box} Box */
/** @typedef {import("./view.js").Size} Size */

/**
 * dense: results without a name are circles, and things stand closer · gather: of a loop one iteration is open ·
 * folds: groups that are boxes · chains: what makes boxes of ops that follow each other, once it is loaded · low:
 * matrices are cells without numbers · tucked: leaves lie in the modules that they belong to · flat: a gradient stands
 * beside its value, null where not even that of a number has room · stacked: what is differentiated stands above its
 * root, also where that is a number · cones: boxes are of all ops that lead to one of them only
 * @typedef {{
 *   dense: boolean, gather: boolean, folds: readonly string[],
 *   chains: boolean | typeof import("./chains.js").withChains, low: boolean, tucked: boolean, flat: boolean | null,
 *   stacked: boolean, cones: boolean,
 * }} Thrift
 */

/** @type {Thrift} */
export const GENEROUS = Object.freeze({
  dense: false,
  gather: false,
  folds: [],
  chains: false,
  low: false,
  tucked: false,
  flat: false,
  stacked: false,
  cones: false,
});

/**
 * The next way to draw a scene that cannot be read as a whole, which takes less room.
 * @param {Scene} scene @param {Size & {shelf?: number}} room  of it, the height that leaves take besides
 * @returns {Thrift | null}  null where there is none
 */
export function thriftier(scene, room) {
  const { thrift } = scene.whole;
  const tight = scene.parts.filter(({ box }) => !fits(box, room));
  if (!tight.length) return null;
  if (!thrift.dense) return { ...thrift, dense: true };
  if (!thrift.gather && scene.draft.open.length) return { ...thrift, gather: true };
  const next = nextFold(scene, tight);
  if (next !== null) return { ...thrift, folds: [...thrift.folds, next] };
  if (!thrift.chains) return { ...thrift, chains: true };
  if (!thrift.low) return { ...thrift, low: true };
  const { height, shelf = 0 } = room;
  if (!thrift.tucked && shelf > MOST * (height + shelf)) return { ...thrift, tucked: true };
  const passes = passesOf(scene).filter(({ box }) => !fits(box, room));
  if (thrift.flat === false && passes.some((pass) => isTower(pass.box, room))) return { ...thrift, flat: true };
  if (thrift.flat !== null && passes.some(({ box }) => isWide(box, room))) return { ...thrift, flat: null };
  if (!thrift.stacked && tight.some(({ box }) => isLow(box, room))) return { ...thrift, flat: null, stacked: true };
  return thrift.cones || !passes.length ? null : { ...thrift, cones: true };
}

/** Is it too high, with room beside it for wider cards? @param {Box} box @param {Size} room */
const isTower = ({ w, h }, { width, height }) =>
  h * LEGIBLE > height - 2 * RIM && w * LEGIBLE < BESIDE * (width - 2 * RIM);

/** Is it too wide, and about as high as the room? @param {Box} box @param {Size} room */
const isWide = ({ w, h }, room) => !fits({ w, h: h / ABOUT }, room) && fits({ w: 0, h: h / ABOUT }, room);

/** Is it too wide, with room above it? @param {Box} box @param {Size} room */
const isLow = ({ w, h }, room) => !fits({ w, h: 0 }, room) && fits({ w: 0, h: h / BESIDE }, room);

/**
 * The innermost group of what does not fit, of several the largest. One that a pass sets out from stays open, and one
 * with what the error is about.
 * @param {Scene} scene @param {readonly Part[]} tight
 * @returns {string | null}
 */
function nextFold({ draft, whole }, tight) {
  const { items } = whole.graph;
  const opened = new Set(whole.thrift.folds); // what is open all the same was opened by the reader
  const cramped = draft.open.filter((group) => {
    const [first] = group.items;
    return (
      !opened.has(group.id) &&
      !group.items.some((i) => isTold(whole.trace, items[i])) &&
      tight.some((part) => part.items.has(draft.shown.shownAs[first]))
    );
  });
  const rank = (/** @type {import("./groups.js").Group} */ { depth, items }) => 1e6 * depth + items.length;
  return cramped.length ? cramped.reduce((a, b) => (rank(b) > rank(a) ? b : a)).id : null;
}

/**
 * Does a pass set out from it, or is the error about it?
 * @param {import("../trace.js").Trace} trace @param {import("./graph.js").Item} item
 */
export const isTold = (trace, { place, tensor, node }) =>
  startsAt(trace, place).length > 0 ||
  trace.blame.tensors.includes(tensor ?? "") ||
  trace.blame.nodes.includes(node ?? "");

/**
 * What is folded where so much thrift is needed.
 * @param {import("./scene.js").Whole} whole
 * @returns {Set<string>}
 */
export const foldedFor = ({ groups, folded, thrift }) =>
  new Set([...folded, ...thrift.folds.filter((id) => groups.has(id))]);

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

/** Of the stage: leaves that take more are folded with their modules. */
const MOST = 0.4;
/** px kept free around what must be read. */
const RIM = 6;
/** Of the width of the room: what is no wider has room for cards with gradients beside their values. */
const BESIDE = 0.75;
/** Times the height of the room, to which the width comes before the height. */
const ABOUT = 1.6;

/**
 * Can a box be read as a whole?
 * @param {{w: number, h: number}} box @param {Size} room @param {number} [rim] @param {number} [least]  zoom
 */
export const fits = ({ w, h }, { width, height }, rim = RIM, least = LEGIBLE) =>
  w * least <= width - 2 * rim && h * least <= height - 2 * rim;
