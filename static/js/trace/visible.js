/**
 * What deserves to be drawn: everything a gradient can pass, what feeds it, and the places where gradients are cut.
 * Arithmetic among constants, and what is computed from a cut and never comes back, stay out of the picture.
 * @module
 */
import { bufferKey } from "./edges.js";

/** @typedef {import("./document").RunDocument} RunDocument */
/** @typedef {import("./document").Op} OpRecord */
/** @typedef {import("./document").Tensor} TensorRecord */

/**
 * @typedef {object} Visible
 * @property {Set<string>} ops
 * @property {Set<string>} tensors
 * @property {Set<string>} nodes  every node except AccumulateGrad, which is drawn as its leaf
 */

/**
 * @param {RunDocument} document
 * @param {Map<string, TensorRecord>} tensors
 * @param {readonly string[]} blamed  tensors that the error is about
 * @returns {Visible}
 */
export function findVisible(document, tensors, blamed) {
  const alive = new Set(document.nodes.map((node) => node.id));
  const differentiable = (/** @type {OpRecord} */ op) => op.node !== null && alive.has(op.node);
  /** @type {Set<string>} tensors computed from something that requires grad */
  const related = new Set();
  for (const tensor of document.tensors) {
    const source = tensor.detached_from;
    if (source && (tensors.get(source)?.requires_grad || related.has(source))) related.add(tensor.id);
  }
  /** @type {Set<string>} */
  const ops = new Set();
  /** @type {Map<string, OpRecord>} */
  const producer = new Map();
  for (const op of document.ops) {
    const inPlace = op.outputs.some((id) => op.inputs.includes(id));
    if (differentiable(op)) ops.add(op.id);
    else if (inPlace) continue;
    const touches = op.inputs.some((id) => tensors.get(id)?.requires_grad || related.has(id));
    for (const id of op.outputs) {
      if (touches) related.add(id);
      if (!producer.has(id)) producer.set(id, op);
    }
  }
  // Walk back from what is differentiated to the cut it came through.
  const queue = document.ops.filter((op) => ops.has(op.id)).flatMap((op) => op.inputs);
  for (let i = 0; i < queue.length; i++) {
    const op = producer.get(queue[i]);
    if (!op || ops.has(op.id) || !related.has(queue[i])) continue;
    ops.add(op.id);
    queue.push(...op.inputs);
  }
  const cuts = new Set(["detach", "detach_", "data"]);
  const named = (/** @type {OpRecord} */ op) => op.outputs.some((id) => tensors.get(id)?.name);
  for (const op of document.ops) {
    if (ops.has(op.id) || differentiable(op)) continue;
    const direct = op.inputs.some((id) => tensors.get(id)?.requires_grad);
    const inPlace = op.outputs.some((id) => op.inputs.includes(id));
    if (direct && !inPlace && (cuts.has(op.name) || named(op))) ops.add(op.id);
  }
  for (const op of document.ops) {
    const made = op.outputs.some((id) => !op.inputs.includes(id) && isComputedLeaf(tensors.get(id)));
    if (made && !op.node && op.inputs.some((id) => tensors.get(id)?.name)) ops.add(op.id);
  }
  dropIdleViews(document, tensors, ops);
  /** @type {Set<string>} */
  const shown = new Set();
  const results = resultsOf(document, tensors, ops);
  for (const op of document.ops) if (ops.has(op.id)) for (const id of [...op.inputs, ...results(op)]) shown.add(id);
  for (const node of document.nodes) if (node.variable) shown.add(node.variable);
  for (const tensor of document.tensors) if (tensor.requires_grad && (tensor.name || tensor.path)) shown.add(tensor.id);
  for (const event of document.events) {
    if (event.kind === "read" && event.tensor && tensors.get(event.tensor)?.name) shown.add(event.tensor);
  }
  for (const id of blamed) shown.add(id);
  if (!ops.size) for (const tensor of document.tensors) if (tensor.name) shown.add(tensor.id);
  return { ops, tensors: shown, nodes: livingNodes(document, ops) };
}

/** Computed from nothing that was recorded, and then asked for. @param {TensorRecord | undefined} tensor */
const isComputedLeaf = (tensor) => Boolean(tensor?.is_leaf && tensor.requires_grad && tensor.name);

/**
 * The results of an op that say something: not the means of a normalisation or the indices of a maximum, beside the
 * result that is used, when nobody named, used, watched or differentiated them.
 * @param {RunDocument} document @param {Map<string, TensorRecord>} tensors @param {Set<string>} ops
 */
function resultsOf(document, tensors, ops) {
  const used = new Set(document.ops.flatMap((op) => (ops.has(op.id) ? op.inputs : [])));
  for (const id of document.error?.tensors ?? []) used.add(id);
  for (const { detached_from } of document.tensors) if (detached_from) used.add(detached_from);
  /** @type {Set<string>} */
  const roots = new Set();
  for (const event of document.events) {
    if (event.kind === "backward") for (const [node, nr] of event.roots) roots.add(bufferKey(node, nr));
    else if (event.kind === "hook" && event.target) used.add(event.target);
  }
  return (/** @type {OpRecord} */ op) => {
    if (op.outputs.length < 2) return op.outputs;
    const telling = op.outputs.filter((id, nr) => {
      const tensor = tensors.get(id);
      return (
        used.has(id) ||
        tensor?.name ||
        tensor?.path ||
        tensor?.retains_grad ||
        (op.node && roots.has(bufferKey(op.node, nr)))
      );
    });
    return telling.length ? telling : op.outputs;
  };
}

/**
 * A view taken only to write through it (`y[0] = 0`) is drawn as what the write does to its base.
 * @param {RunDocument} document @param {Map<string, TensorRecord>} tensors @param {Set<string>} ops
 */
function dropIdleViews(document, tensors, ops) {
  const used = new Set(
    document.events.flatMap((event) =>
      event.kind === "backward" ? event.roots.map(([node]) => node) : event.kind === "hook" ? [event.target] : [],
    ),
  );
  /** @type {Map<string, number>} tensor → how many drawn ops take it without writing it */
  const uses = new Map();
  const count = (/** @type {OpRecord} */ op, /** @type {number} */ by) => {
    for (const id of op.inputs) if (!op.outputs.includes(id)) uses.set(id, (uses.get(id) ?? 0) + by);
  };
  for (const op of document.ops) if (ops.has(op.id)) count(op, 1);
  const written = new Set(document.ops.flatMap((op) => op.outputs.filter((id) => op.inputs.includes(id))));
  for (let i = document.ops.length - 1; i >= 0; i--) {
    const op = document.ops[i];
    if (!ops.has(op.id) || (op.node && used.has(op.node))) continue;
    const idle = op.outputs.every(
      (id) => tensors.get(id)?.view_of && !tensors.get(id)?.name && !uses.get(id) && !used.has(id),
    );
    const writes = op.outputs.some((id) => op.inputs.includes(id));
    if (!idle || !(writes || op.outputs.some((id) => written.has(id)))) continue;
    ops.delete(op.id);
    count(op, -1);
  }
}

/**
 * Nodes of drawn ops, and nodes without an op that something leads to.
 * @param {RunDocument} document
 * @param {Set<string>} ops
 */
function livingNodes(document, ops) {
  const wanted = new Set(document.events.flatMap((event) => (event.kind === "backward" ? event.reachable : [])));
  for (const node of document.nodes) {
    if (node.op && ops.has(node.op)) for (const next of node.next_functions) if (next) wanted.add(next[0]);
  }
  const living = document.nodes.filter(
    (node) => !node.variable && (node.op ? ops.has(node.op) || wanted.has(node.id) : wanted.has(node.id)),
  );
  return new Set(living.map((node) => node.id));
}
