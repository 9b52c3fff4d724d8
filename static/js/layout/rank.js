/**
 * Ranks: the longest path from the inputs, then everything that only waits is pulled to where it is first needed.
 * @module
 */

/**
 * @param {number} n
 * @param {Int32Array} source
 * @param {Int32Array} target
 * @param {ArrayLike<number>} [floor]  per vertex: 1 for one that stays on the lowest level
 * @returns {{rank: Int32Array, outs: number[][], ins: number[][]}} edges that would close a cycle are ignored for
 *   ranking
 */
export function assignRanks(n, source, target, floor = []) {
  /** @type {number[][]} */
  const outs = Array.from({ length: n }, () => []);
  /** @type {number[][]} */
  const ins = Array.from({ length: n }, () => []);
  for (let e = 0; e < source.length; e++) {
    outs[source[e]].push(e);
    ins[target[e]].push(e);
  }
  const rank = new Int32Array(n);
  const order = topological(n, target, outs, ins);
  const place = new Int32Array(n);
  order.forEach((v, i) => (place[v] = i));
  for (const v of order) {
    for (const e of outs[v]) {
      const w = target[e];
      if (place[w] > place[v] && rank[w] <= rank[v]) rank[w] = rank[v] + 1;
    }
  }
  pullSources(order, rank, source, target, outs, ins, floor);
  return { rank, outs, ins };
}

/**
 * @param {number} n @param {Int32Array} target @param {number[][]} outs @param {number[][]} ins
 */
function topological(n, target, outs, ins) {
  const missing = Int32Array.from(ins, (edges) => edges.length);
  /** @type {number[]} */
  const order = [];
  const done = new Uint8Array(n);
  const take = (/** @type {number} */ v) => {
    done[v] = 1;
    order.push(v);
  };
  for (let v = 0; v < n; v++) if (!missing[v]) take(v);
  for (let head = 0, next = 0; order.length < n || head < order.length; head++) {
    if (head === order.length) {
      while (done[next]) next++;
      take(next);
    }
    for (const e of outs[order[head]]) {
      const w = target[e];
      if (--missing[w] === 0 && !done[w]) take(w);
    }
  }
  return order;
}

/**
 * A vertex fed only by leaves, or by vertices that feed nothing else, can wait: no edge gets longer but those from
 * leaves that others use as well, and such a leaf can be drawn at each of its uses.
 * @param {number[]} order @param {Int32Array} rank @param {Int32Array} source @param {Int32Array} target
 * @param {number[][]} outs @param {number[][]} ins @param {ArrayLike<number>} floor
 */
function pullSources(order, rank, source, target, outs, ins, floor) {
  const patient = new Uint8Array(rank.length);
  const comesAlong = (/** @type {number} */ s, /** @type {number} */ v) =>
    !ins[s].length || (patient[s] && outs[s].every((e) => target[e] === v));
  for (const v of order) patient[v] = Number(ins[v].every((e) => comesAlong(source[e], v)));
  for (let i = order.length - 1; i >= 0; i--) {
    const v = order[i];
    if (!patient[v] || !outs[v].length || floor[v]) continue;
    let first = Infinity;
    for (const e of outs[v]) first = Math.min(first, rank[target[e]]);
    if (first - 1 > rank[v]) rank[v] = first - 1;
  }
}

/**
 * Connected components, numbered in order of their first vertex.
 * @param {number} n @param {Int32Array} source @param {Int32Array} target
 * @returns {number[][]}
 */
export function components(n, source, target) {
  const parent = Int32Array.from({ length: n }, (_, i) => i);
  const find = (/** @type {number} */ v) => {
    while (parent[v] !== v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (let e = 0; e < source.length; e++) {
    const a = find(source[e]);
    const b = find(target[e]);
    if (a !== b) parent[Math.max(a, b)] = Math.min(a, b);
  }
  /** @type {Map<number, number[]>} */
  const found = new Map();
  for (let v = 0; v < n; v++) {
    const root = find(v);
    const list = found.get(root);
    if (list) list.push(v);
    else found.set(root, [v]);
  }
  return [...found.values()];
}
