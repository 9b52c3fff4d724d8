/**
 * y coordinates: ranks take turns; each is placed exactly, as the weighted least-squares fit to its neighbours that
 * keeps order and distances (isotonic regression by pooling adjacent violators). Straight edges weigh more than leaves,
 * so the trunk of the program comes out as a line.
 * @module
 */
import { KINK } from "./route.js";

/** @typedef {import("./normalise.js").Proper} Proper */

/** How firmly a vertex keeps the place its neighbours give it. */
const BEND_STRENGTH = 0.05;
const LEAF_STRENGTH = 0.05;
const LOOSE_STRENGTH = 0.01;
const FIXED_STRENGTH = 1e6;
/**
 * How much a neighbour counts: the trunk decides where there is one, then long edges, then leaves; else the drawing
 * drifts.
 */
const BEND_PULL = 0.02;
const LEAF_PULL = 0.002;

/**
 * @param {Proper} graph
 * @param {number[][]} layers
 * @param {Int32Array} groupParent
 * @param {{nodeGap: number, groupPad: number}} gaps
 * @param {Map<number, number>[]} ports  per vertex: where an edge to a neighbour is attached, relative to the centre
 * @param {(number | null)[] | null} seed
 * @param {ArrayLike<number>} label  per vertex: 1 for what is written on an edge; above a leaf it goes with that
 * @returns {Float64Array}
 */
export function assignY(graph, layers, groupParent, gaps, ports, seed, label) {
  const { n, up, down, height } = graph;
  const size = height.length;
  const y = new Float64Array(size);
  const offsets = layers.map((layer) => separate(layer, graph, groupParent, gaps));
  layers.forEach((layer, r) => {
    const middle = offsets[r][layer.length - 1] / 2;
    layer.forEach((v, i) => (y[v] = offsets[r][i] - middle));
  });
  seed?.forEach((at, v) => {
    if (at !== null) y[v] = at;
  });
  const isLeaf = (/** @type {number} */ v) => !up[v].length && down[v].length === 1;
  const strength = new Float64Array(size).fill(BEND_STRENGTH);
  const counts = new Float64Array(size).fill(BEND_PULL);
  for (let v = 0; v < n; v++) {
    const leaf = isLeaf(v) || (label[v] === 1 && up[v].length === 1 && isLeaf(up[v][0]));
    strength[v] = leaf ? LEAF_STRENGTH : 1;
    counts[v] = leaf ? LEAF_PULL : 1;
  }
  const port = (/** @type {number} */ v, /** @type {number} */ w) => ports[v]?.get(w) ?? 0;

  const place = (/** @type {number} */ r, /** @type {boolean} */ left, /** @type {boolean} */ right) => {
    const layer = layers[r];
    const wanted = new Float64Array(layer.length);
    const firm = new Float64Array(layer.length);
    layer.forEach((v, i) => {
      let sum = 0;
      let total = 0;
      const pull = (/** @type {number} */ w) => {
        sum += (y[w] + port(w, v) - port(v, w)) * counts[w];
        total += counts[w];
      };
      if (left) up[v].forEach(pull);
      if (right) down[v].forEach(pull);
      const stay = !total || strength[v] === FIXED_STRENGTH;
      wanted[i] = (stay ? y[v] : sum / total) - offsets[r][i];
      firm[i] = total || stay ? strength[v] : LOOSE_STRENGTH;
    });
    const fitted = isotonic(wanted, firm);
    layer.forEach((v, i) => (y[v] = fitted[i] + offsets[r][i]));
  };

  const sweeps = size > 20000 ? 12 : 24;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const both = sweep >= sweeps - 4;
    if (sweep % 2 === 0) for (let r = 0; r < layers.length; r++) place(r, true, both);
    else for (let r = layers.length - 1; r >= 0; r--) place(r, both, true);
  }
  // Averages leave the trunk a pixel or two off: let everything follow what is before it, but no input that several
  // use, towards which all of them would lean; then inputs and their long edges what they feed.
  const ofInput = inputsOf(graph, layers);
  for (let v = 0; v < size; v++) if (ofInput[v] === SHARED) counts[v] = 0;
  for (let r = 0; r < layers.length; r++) place(r, true, false);
  for (let v = 0; v < size; v++) {
    if (ofInput[v] === SHARED) counts[v] = BEND_PULL;
    if (!ofInput[v]) strength[v] = FIXED_STRENGTH;
  }
  for (let r = layers.length - 1; r >= 0; r--) place(r, false, true);
  straighten(graph, layers, offsets, y, port);
  return y;
}

/** What `inputsOf` says of inputs that one or several use. */
const OWN = 1;
const SHARED = 2;

/**
 * Which vertices are inputs, or bends of their edges.
 * @param {Proper} graph
 * @param {number[][]} layers
 */
function inputsOf({ n, up, down }, layers) {
  const found = new Uint8Array(up.length);
  for (const v of layers.flat()) {
    if (!up[v].length) found[v] = down[v].length > 1 ? SHARED : OWN;
    else if (v >= n) found[v] = found[up[v][0]];
  }
  return found;
}

/**
 * Take out kinks where there is room beside them: what has no more than one edge on either side moves to the line of
 * what is before or behind it.
 * @param {Proper} graph
 * @param {number[][]} layers
 * @param {readonly Float64Array[]} offsets  least distances within each rank
 * @param {Float64Array} y  changed
 * @param {(v: number, w: number) => number} port
 */
function straighten({ up, down }, layers, offsets, y, port) {
  const free = (/** @type {number} */ v) => up[v].length < 2 && down[v].length < 2;
  const follow = (/** @type {number} */ r, /** @type {number[][]} */ neighbours) => {
    layers[r].forEach((v, i) => {
      if (neighbours[v].length !== 1 || !free(v)) return;
      const w = neighbours[v][0];
      const wanted = y[w] + port(w, v) - port(v, w);
      const off = Math.abs(wanted - y[v]);
      if (off < 0.01 || off >= KINK) return;
      const low = i ? y[layers[r][i - 1]] + offsets[r][i] - offsets[r][i - 1] : -Infinity;
      const high = i + 1 < layers[r].length ? y[layers[r][i + 1]] - offsets[r][i + 1] + offsets[r][i] : Infinity;
      if (wanted >= low && wanted <= high) y[v] = wanted;
    });
  };
  for (let r = 1; r < layers.length; r++) follow(r, up);
  for (let r = layers.length - 1; r >= 0; r--) follow(r, down);
}

/**
 * Least distance of each vertex from the first of its rank. Where groups end or begin there is room for their outlines.
 * @param {number[]} layer
 * @param {Proper} graph
 * @param {Int32Array} groupParent
 * @param {{nodeGap: number, groupPad: number}} gaps
 */
function separate(layer, graph, groupParent, gaps) {
  const { height, group, n } = graph;
  const offsets = new Float64Array(layer.length);
  for (let i = 1; i < layer.length; i++) {
    const a = layer[i - 1];
    const b = layer[i];
    const gap = a >= n && b >= n ? gaps.nodeGap * 0.4 : gaps.nodeGap;
    offsets[i] =
      offsets[i - 1] + (height[a] + height[b]) / 2 + gap + gaps.groupPad * borders(group[a], group[b], groupParent);
  }
  return offsets;
}

/**
 * Outlines crossed on the way from one group to another.
 * @param {number} a
 * @param {number} b
 * @param {Int32Array} parent
 */
function borders(a, b, parent) {
  if (a === b) return 0;
  const above = new Map();
  let count = 0;
  for (let g = a; g >= 0; g = parent[g]) above.set(g, count++);
  above.set(-1, count);
  let steps = 0;
  for (let g = b; ; g = parent[g], steps++) {
    const met = above.get(g);
    if (met !== undefined) return met + steps;
  }
}

/**
 * The non-decreasing sequence nearest to `wanted` in weighted squares.
 * @param {ArrayLike<number>} wanted @param {ArrayLike<number>} weight
 * @returns {Float64Array}
 */
export function isotonic(wanted, weight) {
  const value = [];
  const mass = [];
  const count = [];
  for (let i = 0; i < wanted.length; i++) {
    let v = wanted[i];
    let m = weight[i];
    let c = 1;
    while (value.length && value[value.length - 1] > v) {
      const pm = /** @type {number} */ (mass.pop());
      const pv = /** @type {number} */ (value.pop());
      v = (pv * pm + v * m) / (pm + m);
      m += pm;
      c += /** @type {number} */ (count.pop());
    }
    value.push(v);
    mass.push(m);
    count.push(c);
  }
  const fitted = new Float64Array(wanted.length);
  for (let b = 0, i = 0; b < value.length; b++) for (let c = 0; c < count[b]; c++) fitted[i++] = value[b];
  return fitted;
}
