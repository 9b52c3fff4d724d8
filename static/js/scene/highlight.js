/**
 * What lies under the picture to set something apart: the items of the lines at hand, what is pointed at, what is
 * chosen.
 * @module
 */
import { path, rect } from "./marks.js";
import { tieMarks } from "./motion.js";
import { itemsOf, linkOf, referenceOf } from "./navigate.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./navigate.js").Reference} Reference */

/**
 * @param {Scene} scene
 * @param {{lines: readonly number[], lit: readonly string[], hovered: number, hoveredLink: number,
 *   selected: Reference | null}} what lines: items of the lines the cursor covers; lit: tensors that are spoken of
 * @returns {Mark[]}
 */
export function highlightMarks(scene, { lines, lit, hovered, hoveredLink, selected }) {
  const pointed = hovered >= 0 ? referenceOf(scene, hovered) : null;
  const rings = [
    ...lit.flatMap((id) =>
      itemsOf(scene, { kind: "tensor", id }).map((i) => ({ i, fill: "bwd-soft", stroke: "bwd-mid" })),
    ),
    ...lines.map((i) => ({ i, fill: "sunken", stroke: "rest" })),
    ...(pointed ? itemsOf(scene, pointed) : hovered >= 0 ? [hovered] : []).map((i) => ({
      i,
      fill: "none",
      stroke: "rest",
    })),
    ...(selected ? itemsOf(scene, selected) : []).map((i) => ({ i, fill: "sunken", stroke: "focus" })),
  ]
    .filter(({ i }) => scene.boxes[i])
    .map(({ i, fill, stroke }) => {
      const box = scene.faceOf(i);
      return rect(box.x - 6, box.y - 6, box.w + 12, box.h + 12, { r: 15, fill, stroke, sw: 2 });
    });
  const band = (/** @type {number} */ j, /** @type {string} */ stroke) =>
    j >= 0 && scene.texts[j] ? [path(scene.texts[j], { stroke, sw: 14, opacity: 0.45 })] : [];
  const together = [selected, pointed].flatMap((each) => (each ? [itemsOf(scene, each), sourceTo(scene, each)] : []));
  return [
    ...together.flatMap((items) => tieMarks(scene, items)),
    ...rings,
    ...band(hoveredLink, "rest"),
    ...band(linkOf(scene, selected), "focus"),
  ];
}

/**
 * The card of what a tensor was detached from, and its own.
 * @param {Scene} scene
 * @param {Reference} reference
 * @returns {number[]} none where an edge joins them already
 */
function sourceTo(scene, reference) {
  const record = reference.kind === "tensor" ? scene.trace.tensors.get(reference.id) : undefined;
  if (!record?.detached_from || !record.requires_grad) return [];
  const [own, source] = [reference.id, record.detached_from].map((id) => itemsOf(scene, { kind: "tensor", id })[0]);
  return own === undefined || source === undefined ? [] : [source, own];
}
