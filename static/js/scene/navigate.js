/**
 * Finding things in a scene: under the pointer, by name, by line, and from one to the next with the keyboard.
 * @module
 */
import { edgeKey } from "../trace.js";
import { titleBox, titlesAt } from "./titles.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {"left" | "right" | "up" | "down" | "next" | "previous"} Direction */
/**
 * @typedef {{kind: "tensor" | "node" | "op" | "edge", id: string}} Reference what the rest of the page knows an item
 *   by; an edge by its edgeKey
 */

/** @param {Scene} scene @param {number} i @returns {Reference | null}  null for a folded scope */
export function referenceOf(scene, i) {
  const item = scene.items[i];
  if (item.kind === "card" && item.tensor) return { kind: "tensor", id: item.tensor };
  if (item.node) return { kind: "node", id: item.node };
  return item.op ? { kind: "op", id: item.op } : null;
}

/**
 * What a link stands for: the edge of the backward graph that runs along it, else the tensor; null for several at once.
 * @param {Scene} scene
 * @param {number} j
 * @returns {Reference | null}
 */
export function referenceOfLink(scene, j) {
  const { role, carries, tensor } = scene.links[j];
  if (role === "bundle" || carries.length > 1) return null;
  if (carries.length) return { kind: "edge", id: edgeKey(carries[0].node, carries[0].index) };
  return tensor ? { kind: "tensor", id: tensor } : null;
}

/**
 * The link an edge is drawn as.
 * @param {Scene} scene
 * @param {Reference | null} reference
 * @returns {number} −1 for none
 */
export const linkOf = (scene, reference) => (reference?.kind === "edge" ? (scene.linkOf?.get(reference.id) ?? -1) : -1);

/**
 * Every item that shows a thing: a tensor may have several cards.
 * @param {Scene} scene
 * @param {Reference} reference
 * @returns {number[]}
 */
export function itemsOf(scene, { kind, id }) {
  if (kind === "tensor") return scene.byTensor?.get(id) ?? [];
  if (kind === "edge") return [];
  const one = kind === "node" ? scene.byNode?.get(id) : scene.byOp?.get(id);
  if (one === undefined) return [];
  const { tensor } = scene.items[one];
  return tensor ? (scene.byTensor?.get(tensor) ?? [one]) : [one];
}

/** @param {Scene} scene @param {number} x @param {number} y @returns {number}  index, −1 for none */
export function itemAt(scene, x, y) {
  for (let i = scene.boxes.length - 1; i >= 0; i--) {
    const box = scene.boxes[i];
    if (x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h) return i;
  }
  return -1;
}

/**
 * @param {Scene} scene
 * @param {number} x
 * @param {number} y
 * @param {number} reach how near is near enough
 * @returns {number} the nearest link, −1 for none
 */
export function linkAt(scene, x, y, reach) {
  let found = -1;
  let least = reach;
  scene.linkBoxes().forEach((box, j) => {
    if (x < box.x - reach || x > box.x + box.w + reach || y < box.y - reach || y > box.y + box.h + reach) return;
    const away = scene.way(j).distance(x, y);
    if (away < least) {
      least = away;
      found = j;
    }
  });
  return found;
}

/**
 * The heading of an open scope.
 * @param {Scene} scene
 * @param {number} x
 * @param {number} y
 * @param {number} [zoom]
 * @returns {string | null} its group
 */
export function headingAt(scene, x, y, zoom = 1) {
  const shown = titlesAt(scene.hulls, scene.measure, zoom);
  for (let i = scene.hulls.length - 1; i >= 0; i--) {
    const scale = shown[i]?.scale;
    if (!scale) continue;
    const { x: left, y: top, w, h } = titleBox(scene.hulls[i], scene.measure, scale);
    const near = 6 * scale;
    if (x >= left - near && x <= left + w + near && y >= top - near && y <= top + h + near) {
      return scene.hulls[i].group.id;
    }
  }
  return null;
}

/**
 * A number on a leaf's card that can be changed by dragging.
 * @param {Scene} scene @param {number} x @param {number} y
 * @returns {{tensor: string, index: number} | null}
 */
export function numberAt(scene, x, y) {
  const i = itemAt(scene, x, y);
  if (i < 0) return null;
  const item = scene.items[i];
  const plan = scene.plans[i];
  if (item.kind !== "card" || plan.kind !== "card" || !item.tensor || scene.into[i].length) return null;
  const record = scene.trace.tensors.get(item.tensor);
  if (!record?.name || !record.is_leaf) return null;
  const { value, body } = plan;
  if (!value.digits) return null;
  const left = scene.x[i] + body.x + plan.valueX;
  const top = scene.y[i] + body.y + plan.valueY;
  const column = Math.floor((x - left) / (value.cellW + value.gap));
  const row = Math.floor((y - top) / (value.cellH + value.gap));
  if (column < 0 || column >= value.columns || row < 0 || row >= value.rows) return null;
  return { tensor: item.tensor, index: row * value.columns + column };
}

/**
 * A weight of the pass at time t, on the card where it starts, that can be changed by dragging.
 * @param {Scene} scene @param {number} x @param {number} y @param {number} t
 * @returns {{call: number, root: number, index: number, gradient: string} | null}
 */
export function weightAt(scene, x, y, t) {
  const i = itemAt(scene, x, y);
  const plan = scene.plans[i];
  if (plan?.kind !== "card" || !plan.objective?.handles || !plan.gradient?.digits) return null;
  const start = plan.objective.starts.filter((each) => each.t <= t).at(-1);
  if (!start?.gradient) return null;
  const { body, gradient } = plan;
  const left = scene.x[i] + body.x + plan.gradientX;
  const top = scene.y[i] + body.y + plan.gradientY;
  if (y < top || y > top + plan.gradientH) return null;
  const index = Math.floor((x - left) / (gradient.cellW + gradient.gap));
  return index < 0 || index >= gradient.columns
    ? null
    : { call: start.call, root: start.root, index, gradient: start.gradient };
}

/** @param {Scene} scene @param {Iterable<number>} lines @returns {number[]} */
export function itemsOnLines(scene, lines) {
  const wanted = new Set(lines);
  const { trace } = scene;
  return scene.items.flatMap((item, i) => {
    const line = item.op
      ? trace.ops.get(item.op)?.line
      : item.tensor
        ? trace.tensors.get(item.tensor)?.line
        : item.node
          ? trace.nodes.get(item.node)?.line
          : null;
    return line && wanted.has(line) ? [i] : [];
  });
}

/**
 * Items whose name, shape, node, op or scope contains the query; exact names first.
 * @param {Scene} scene @param {string} query
 * @returns {(Reference & {label: string})[]}
 */
export function searchItems(scene, query) {
  const wanted = query.trim().toLowerCase();
  if (!wanted) return [];
  const { trace } = scene;
  /** @type {{reference: Reference & {label: string}, rank: number}[]} */
  const found = [];
  const consider = (
    /** @type {Reference["kind"]} */ kind,
    /** @type {string} */ id,
    /** @type {string} */ label,
    /** @type {string[]} */ words,
  ) => {
    const rank = Math.min(
      ...words.map((word) => (word === wanted ? 0 : word.startsWith(wanted) ? 1 : word.includes(wanted) ? 2 : 9)),
    );
    if (rank < 9) found.push({ reference: { kind, id, label }, rank });
  };
  for (const id of scene.byTensor?.keys() ?? []) {
    const record = trace.tensors.get(id);
    const words = [trace.label(id), record?.path ?? "", record?.name ?? ""].map((word) => word.toLowerCase());
    consider("tensor", id, trace.label(id), words);
  }
  for (const id of scene.byNode?.keys() ?? []) {
    const node = trace.nodes.get(id);
    if (!node || node.variable) continue;
    const scope = node.scope ? (trace.scopes.get(node.scope)?.label ?? "") : "";
    consider("node", id, node.name, [node.name.toLowerCase(), scope.toLowerCase()]);
  }
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, 100)
    .map(({ reference }) => reference);
}

/**
 * Up and down follow edges, as they are drawn; left and right go to the nearest item of about the same rank; next and
 * previous in order of creation.
 * @param {Scene} scene @param {number} i @param {Direction} direction
 * @returns {number}
 */
export function neighbour(scene, i, direction) {
  const count = scene.items.length;
  if (i < 0) return count ? 0 : -1;
  if (direction === "next") return (i + 1) % count;
  if (direction === "previous") return (i + count - 1) % count;
  if (direction === "up" || direction === "down") {
    const near =
      direction === "down" ? scene.into[i].map((j) => scene.links[j].from) : scene.out[i].map((j) => scene.links[j].to);
    const away = (/** @type {number} */ k) => Math.hypot(scene.x[k] - scene.x[i], scene.y[k] - scene.y[i]);
    return near.length ? near.reduce((best, each) => (away(each) < away(best) ? each : best)) : i;
  }
  const way = direction === "left" ? -1 : 1;
  let found = i;
  let least = Infinity;
  for (let k = 0; k < count; k++) {
    const dx = (scene.x[k] - scene.x[i]) * way;
    if (k === i || dx < 8) continue;
    const cost = dx + 2.5 * Math.abs(scene.y[k] - scene.y[i]);
    if (cost < least) {
      least = cost;
      found = k;
    }
  }
  return found;
}
