/**
 * How the forward graph and the backward graph share their edges: which input of an op carries which entry of
 * `next_functions`, and which tensor stands at (node, output_nr).
 * @module
 */
/** @typedef {import("./document").Op} OpRecord */
/** @typedef {import("./document").Node} NodeRecord */
/** @typedef {import("./document").RunDocument} RunDocument */

/** The name of the edge a node sends its `index`-th gradient along. @param {string} node @param {number} index */
export const edgeKey = (node, index) => `${node}:${index}`;

/** The place a gradient is summed: one input of one node. @param {string} node @param {number} nr */
export const bufferKey = (node, nr) => `${node}/${nr}`;

/**
 * @typedef {object} Edges
 * @property {Map<string, string>} tensorAt  bufferKey → tensor whose gradient is summed there
 * @property {Map<string, string>} accumulator  leaf tensor → its AccumulateGrad
 * @property {Map<string, string>} opOf  node → op
 * @property {Map<string, (number | null)[]>} carried  op → per input, the index in its node's next_functions
 * @property {Map<string, number[]>} loose  node → indices of next_functions that no input of an op carries
 */

/**
 * @param {RunDocument} document
 * @param {Map<string, NodeRecord>} nodes
 * @returns {Edges}
 */
export function linkEdges(document, nodes) {
  /** @type {Edges} */
  const edges = { tensorAt: new Map(), accumulator: new Map(), opOf: new Map(), carried: new Map(), loose: new Map() };
  for (const node of document.nodes) {
    if (node.variable !== null && node.variable !== undefined) {
      edges.accumulator.set(node.variable, node.id);
      edges.tensorAt.set(bufferKey(node.id, 0), node.variable);
    }
  }
  // An in-place op moves its tensor to a new node, so the place of each input is remembered op by op.
  /** @type {Map<string, string>} */
  const place = new Map();
  for (const op of document.ops) {
    const node = op.node ? nodes.get(op.node) : undefined;
    if (node) {
      edges.opOf.set(node.id, op.id);
      edges.carried.set(op.id, carry(op, node, place, edges.accumulator, nodes));
    }
    op.outputs.forEach((tensor, nr) => {
      if (node) {
        place.set(tensor, bufferKey(node.id, nr));
        if (!edges.tensorAt.has(bufferKey(node.id, nr))) edges.tensorAt.set(bufferKey(node.id, nr), tensor);
      }
    });
  }
  for (const tensor of document.tensors) {
    if (tensor.grad_fn) edges.tensorAt.set(bufferKey(tensor.grad_fn, tensor.output_nr), tensor.id);
  }
  for (const node of document.nodes) {
    if (node.variable) continue;
    const op = edges.opOf.get(node.id);
    const carried = new Set(op ? edges.carried.get(op) : []);
    const loose = node.next_functions.flatMap((next, index) => (next && !carried.has(index) ? [index] : []));
    if (loose.length) edges.loose.set(node.id, loose);
  }
  return edges;
}

/**
 * @param {OpRecord} op
 * @param {NodeRecord} node
 * @param {Map<string, string>} place
 * @param {Map<string, string>} accumulator
 * @param {Map<string, NodeRecord>} nodes
 * @returns {(number | null)[]}
 */
function carry(op, node, place, accumulator, nodes) {
  const free = node.next_functions.map((next) => (next ? bufferKey(next[0], next[1]) : null));
  const found = op.inputs.map((tensor) => {
    const leaf = accumulator.get(tensor);
    const candidates = [place.get(tensor), leaf && bufferKey(leaf, 0)];
    const index = free.findIndex((key) => key !== null && candidates.includes(key));
    if (index < 0) return null;
    free[index] = null;
    return index;
  });
  // A write through a view moves its base to a node no op made (CopySlices): such edges belong to inputs with a place.
  return found.map((known, i) => {
    if (known !== null || !place.has(op.inputs[i])) return known;
    const index = free.findIndex(
      (key, k) =>
        key !== null &&
        nodes.get(node.next_functions[k]?.[0] ?? "")?.op === null &&
        !nodes.get(node.next_functions[k]?.[0] ?? "")?.variable,
    );
    if (index < 0) return null;
    place.set(op.inputs[i], /** @type {string} */ (free[index]));
    free[index] = null;
    return index;
  });
}

/**
 * For each send of a node event, the index in next_functions it travelled along.
 * @param {NodeRecord | undefined} node
 * @param {readonly {to: string, input_nr: number}[]} sends
 * @returns {number[]}  -1 where the document names no such edge
 */
export function sendIndices(node, sends) {
  const used = new Set();
  return sends.map((send) => {
    const index =
      node?.next_functions.findIndex(
        (next, i) => next && next[0] === send.to && next[1] === send.input_nr && !used.has(i),
      ) ?? -1;
    used.add(index);
    return index;
  });
}
