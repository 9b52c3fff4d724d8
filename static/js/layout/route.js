/**
 * Edges as chains of cubic curves: level where they pass a rank, bending only in the gaps between ranks.
 * @module
 */

/** A path under construction: x0 y0, then x1 y1 x2 y2 x3 y3 per piece. */
export class Path {
  /** @param {number} x @param {number} y */
  constructor(x, y) {
    /** @type {number[]} */
    this.numbers = [x, y];
    this.x = x;
    this.y = y;
  }

  /** Level at both ends. @param {number} x @param {number} y */
  bend(x, y) {
    const reach = (x - this.x) * (Math.abs(y - this.y) < 0.5 ? 1 / 3 : 0.5);
    this.numbers.push(this.x + reach, this.y, x - reach, y, x, y);
    this.x = x;
    this.y = y;
  }

  /** @param {number} x @param {number} y */
  line(x, y) {
    const { x: a, y: b } = this;
    if (Math.abs(x - a) < 0.01 && Math.abs(y - b) < 0.01) return;
    this.numbers.push(a + (x - a) / 3, b + (y - b) / 3, x - (x - a) / 3, y - (y - b) / 3, x, y);
    this.x = x;
    this.y = y;
  }

  done() {
    return Float64Array.from(this.numbers);
  }
}

/**
 * Where each edge meets its two ends, so that the edges of one side are spread in the order of what they lead to.
 * @param {import("./normalise.js").Proper} graph
 * @param {Float64Array | number[]} pos
 * @param {Float64Array} anchor
 * @returns {{source: Float64Array, target: Float64Array}}  offsets from the centre, per edge
 */
export function assignPorts(graph, pos, anchor) {
  const { chains, n, height } = graph;
  const source = new Float64Array(chains.length);
  const target = new Float64Array(chains.length);
  /** @type {number[][]} */
  const leaving = Array.from({ length: n }, () => []);
  /** @type {number[][]} */
  const entering = Array.from({ length: n }, () => []);
  chains.forEach((chain, e) => {
    leaving[chain[0]].push(e);
    entering[chain[chain.length - 1]].push(e);
  });
  const spread = (
    /** @type {number[]} */ edges,
    /** @type {number} */ v,
    /** @type {Float64Array} */ offsets,
    /** @type {(e: number) => number} */ next,
  ) => {
    for (const e of edges) offsets[e] = anchor[v];
    if (edges.length < 2) return;
    edges.sort((a, b) => pos[next(a)] - pos[next(b)] || a - b);
    const step = Math.min(14, Math.max(26, height[v] - 2 * Math.abs(anchor[v]) - 20) / (edges.length - 1));
    edges.forEach((e, i) => (offsets[e] += (i - (edges.length - 1) / 2) * step));
  };
  for (let v = 0; v < n; v++) {
    spread(leaving[v], v, source, (e) => chains[e][1]);
    spread(entering[v], v, target, (e) => chains[e][chains[e].length - 2]);
  }
  return { source, target };
}

/** An edge that leaves its line by less than this has a kink. */
export const KINK = 7;
/** Between two edges of one side. */
const APART = 8;

/**
 * Edges that nearly go straight do, where the others at that end leave room.
 * @param {import("./normalise.js").Proper} graph
 * @param {ArrayLike<number>} y
 * @param {{source: Float64Array, target: Float64Array}} ports  changed
 */
export function straightenPorts({ chains, height }, y, { source, target }) {
  /** @type {Map<string, number[]>} */
  const sides = new Map();
  const side = (/** @type {string} */ key, /** @type {number} */ e) => {
    const edges = sides.get(key);
    if (edges) edges.push(e);
    else sides.set(key, [e]);
  };
  chains.forEach((chain, e) => {
    side(`s${chain[0]}`, e);
    side(`t${chain[chain.length - 1]}`, e);
  });
  for (const [key, edges] of sides) {
    if (edges.length < 2) continue;
    const starts = key[0] === "s";
    const ports = starts ? source : target;
    for (const e of edges) {
      const chain = chains[e];
      const [v, next] = starts ? [chain[0], chain[1]] : [chain[chain.length - 1], chain[chain.length - 2]];
      const far = chain.length > 2 ? 0 : (starts ? target : source)[e];
      const wanted = y[next] + far - y[v];
      const off = Math.abs(wanted - ports[e]);
      if (off < 0.01 || off >= KINK || Math.abs(wanted) > height[v] / 2 - 1) continue;
      if (edges.every((other) => other === e || Math.abs(ports[other] - wanted) >= APART)) ports[e] = wanted;
    }
  }
}
