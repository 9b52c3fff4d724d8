/**
 * What lies under the picture to set something apart: the items of the lines at hand, what is pointed at, what is
 * chosen.
 * @module
 */
import { edgeKey, readsAt } from "../trace.js";
import { path, rect } from "./marks.js";
import { isRead, tieMarks } from "./motion.js";
import { itemsOf, linkOf, referenceOf } from "./navigate.js";
import { RADIUS } from "./ops.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./navigate.js").Reference} Reference */

/**
 * @param {Scene} scene
 * @param {{lines: readonly number[], lit: readonly string[], hovered: number, hoveredLink: number,
 *   selected: Reference | null, t: number}} what
 *   lines: items of the lines the cursor covers · lit: tensors that are spoken of · t: what is read then is lit
 * @returns {Mark[]}
 */
export function highlightMarks(scene, { lines, lit, hovered, hoveredLink, selected, t }) {
  const pointed = hovered >= 0 ? referenceOf(scene, hovered) : null;
  const read = new Set(readsAt(scene.trace, t).map(({ tensor }) => tensor));
  const spoken = lit.filter((id) => !read.has(id)).flatMap((id) => itemsOf(scene, { kind: "tensor", id }));
  const current = spoken.filter((i) => scene.items[i].until >= t);
  const rings = [
    ...(current.length ? current : spoken).map((i) => ({ i, fill: "bwd-soft", stroke: "bwd-mid" })),
    ...lines.map((i) => ({ i, fill: "sunken", stroke: "rest" })),
    ...(pointed ? itemsOf(scene, pointed) : hovered >= 0 ? [hovered] : []).map((i) => ({
      i,
      fill: "none",
      stroke: "rest",
    })),
    ...(selected ? itemsOf(scene, selected) : []).map((i) => ({ i, fill: "sunken", stroke: "focus" })),
  ]
    .filter(({ i }) => scene.boxes[i] && scene.shows(i))
    .map(({ i, fill, stroke }) => {
      const box = scene.faceOf(i);
      return rect(box.x - 6, box.y - 6, box.w + 12, box.h + 12, { r: 15, fill, stroke, sw: 2 });
    });
  const band = (/** @type {number} */ j, /** @type {string} */ stroke) =>
    j >= 0 && scene.texts[j] ? [path(scene.texts[j], { stroke, sw: 14, opacity: 0.45 })] : [];
  const together = [selected, pointed].flatMap((each) => (each ? [itemsOf(scene, each), sourceTo(scene, each)] : []));
  return [
    ...readMarks(scene, t),
    ...together.flatMap((items) => tieMarks(scene, items)),
    ...rings,
    ...band(hoveredLink, "rest"),
    ...band(linkOf(scene, selected), "focus"),
  ];
}

/**
 * What a line looks at: tensors by their cards, nodes by their circles and the edges that leave them.
 * @param {Scene} scene @param {number} t
 * @returns {Mark[]}
 */
function readMarks(scene, t) {
  /** @type {Map<string, Mark>} */
  const marks = new Map();
  const light = (/** @type {string} */ key, /** @type {Mark} */ mark) => marks.set(key, mark);
  const ring = (/** @type {string | null | undefined} */ node) => {
    const i = node ? scene.byNode?.get(node) : undefined;
    const plan = i === undefined ? null : scene.plans[i];
    const circle = plan?.kind === "card" ? plan.circle : plan?.kind === "op" ? plan : null;
    if (i === undefined || !circle || !scene.shows(i)) return;
    const x = scene.x[i] + /** @type {{anchor: number}} */ (plan).anchor;
    const y = scene.y[i] + (plan?.kind === "card" ? plan.h / 2 - RADIUS : 0);
    const [w, h] = [circle.half + GLOW, RADIUS + GLOW];
    light(`node ${node}`, rect(x - w, y - h, 2 * w, 2 * h, { r: h, ...LIT }));
  };
  for (const read of readsAt(scene.trace, t)) {
    const card = read.tensor ? scene.cardAt(read.tensor, t) : undefined;
    if (card !== undefined && scene.items[card].kind === "card" && scene.shows(card) && read.attribute !== "grad_fn") {
      const box = scene.faceOf(card);
      light(`card ${card}`, rect(box.x - 5, box.y - 5, box.w + 10, box.h + 10, { r: 13, ...LIT }));
    }
    ring(read.node);
    if (read.attribute === "grad_fn" && typeof read.value === "string") ring(read.value);
    if (!read.node || read.attribute !== "next_functions") continue;
    scene.trace.nodes.get(read.node)?.next_functions.forEach((_, index) => {
      const j = scene.linkOf?.get(edgeKey(read.node ?? "", index));
      if (j === undefined || !isRead(read, read.node ?? "", index) || !scene.texts[j]) return;
      light(`edge ${j}`, path(scene.texts[j], { stroke: "bwd-mid", sw: 14, opacity: 0.55 }));
    });
  }
  return [...marks.values()];
}

/** Around what is lit. */
const GLOW = 7;
const LIT = { fill: "bwd-soft", stroke: "bwd", sw: 1.8 };

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
