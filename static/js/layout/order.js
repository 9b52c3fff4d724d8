/**
 * The order within each rank: barycentre sweeps and exchange of neighbours, best result kept. Members of a group stay
 * together in every rank, and groups side by side keep the same order in all ranks, so their outlines never cross.
 * @module
 */
/** @typedef {import("./normalise.js").Proper} Proper */

/**
 * @param {Proper} graph
 * @param {Int32Array} groupParent
 * @param {number} sweeps
 * @param {(number | null)[] | null} seed  y of each real vertex in the drawing before, when there was one
 * @returns {{layers: number[][], crossings: number}}
 */
export function orderRanks(graph, groupParent, sweeps, seed) {
  const work = new Ordering(graph, groupParent);
  if (seed) {
    work.startFrom(seed);
    work.exchange();
    work.remember(work.crossings());
    return work.best();
  }
  const starts = graph.rank.length < 12000 ? [1, 0] : [1];
  for (const kind of starts) {
    work.start(kind === 1);
    let mine = work.crossings(), stale = 0;
    work.remember(mine);
    for (let sweep = 0; sweep < sweeps && mine > 0 && stale < 6; sweep++) {
      work.sweep((sweep + kind) % 2 === 0, sweep % 4 >= 2);
      work.exchange();
      const now = work.crossings();
      stale = now < mine ? 0 : stale + 1;
      mine = Math.min(mine, now);
      work.remember(now);
    }
    if (work.fewest === 0) break;
  }
  return work.best();
}

class Ordering {
  /** @param {Proper} graph @param {Int32Array} groupParent */
  constructor(graph, groupParent) {
    this.graph = graph;
    this.groupParent = groupParent;
    this.size = graph.rank.length;
    /** @type {number[][]} */
    this.layers = Array.from({ length: graph.ranks }, () => []);
    this.pos = new Float64Array(this.size);
    this.key = new Float64Array(this.size);
    this.grouped = graph.group.some((g) => g >= 0);
    this.depth = Int32Array.from(groupParent, (_, g) => {
      let depth = 0;
      for (let at = g; at >= 0; at = groupParent[at]) depth++;
      return depth;
    });
    this.groupKey = new Float64Array(groupParent.length);
    this.fewest = Infinity;
    /** @type {number[][]} */
    this.kept = [];
  }

  /** Depth-first from the inputs or from the outputs: what belongs together starts side by side. @param {boolean} fromOutputs */
  start(fromOutputs) {
    const { up, down, rank } = this.graph;
    const ends = fromOutputs ? down : up, next = fromOutputs ? up : down;
    for (const layer of this.layers) layer.length = 0;
    const seen = new Uint8Array(this.size);
    for (let root = 0; root < this.size; root++) {
      if (ends[root].length) continue;
      const stack = [root];
      while (stack.length) {
        const v = /** @type {number} */ (stack.pop());
        if (seen[v]) continue;
        seen[v] = 1;
        this.layers[rank[v]].push(v);
        for (let i = next[v].length - 1; i >= 0; i--) stack.push(next[v][i]);
      }
    }
    for (let v = 0; v < this.size; v++) if (!seen[v]) this.layers[rank[v]].push(v);
    this.number();
    if (this.grouped) for (const layer of this.layers) this.sort(layer, this.pos);
  }

  /** @param {(number | null)[]} seed */
  startFrom(seed) {
    const { up, down, rank } = this.graph;
    const known = new Uint8Array(this.size);
    const at = new Float64Array(this.size);
    seed.forEach((y, v) => {
      if (y === null) return;
      known[v] = 1;
      at[v] = y;
    });
    for (let pass = 0; pass < 3; pass++) for (let v = 0; v < this.size; v++) {
      if (known[v] && v < seed.length && seed[v] !== null) continue;
      let sum = 0, count = 0;
      for (const w of up[v]) if (known[w]) sum += at[w], count++;
      for (const w of down[v]) if (known[w]) sum += at[w], count++;
      if (count) {
        at[v] = sum / count;
        known[v] = 1;
      }
    }
    for (const layer of this.layers) layer.length = 0;
    for (let v = 0; v < this.size; v++) this.layers[rank[v]].push(v);
    this.groupKeys(at);
    for (const layer of this.layers) this.sort(layer, at, true);
    this.number();
  }

  number() {
    for (const layer of this.layers) {
      const middle = (layer.length - 1) / 2;
      for (let i = 0; i < layer.length; i++) this.pos[layer[i]] = i - middle;
    }
  }

  /** Where each group lies as a whole, over all its ranks. @param {Float64Array} at */
  groupKeys(at) {
    const count = new Int32Array(this.groupParent.length);
    this.groupKey.fill(0);
    for (let v = 0; v < this.size; v++) for (let g = this.graph.group[v]; g >= 0; g = this.groupParent[g]) {
      this.groupKey[g] += at[v];
      count[g]++;
    }
    for (let g = 0; g < count.length; g++) if (count[g]) this.groupKey[g] /= count[g];
  }

  /**
   * @param {number[]} layer
   * @param {Float64Array} key
   * @param {boolean} [keysKnown]
   * @param {boolean} [flip]  how ties are broken
   */
  sort(layer, key, keysKnown = false, flip = false) {
    const { pos } = this;
    const tie = flip ? -1 : 1;
    if (!this.grouped) layer.sort((a, b) => key[a] - key[b] || tie * (pos[a] - pos[b]));
    else {
      if (!keysKnown) this.groupKeys(key);
      layer.sort((a, b) => this.compareGrouped(a, b, key));
    }
    const middle = (layer.length - 1) / 2;
    for (let i = 0; i < layer.length; i++) pos[layer[i]] = i - middle;
  }

  /**
   * Compare what differs first below the innermost common group: a vertex by its key, a group by the group's.
   * @param {number} a @param {number} b @param {Float64Array} key
   */
  compareGrouped(a, b, key) {
    const { groupParent, depth, groupKey } = this;
    let ga = this.graph.group[a], gb = this.graph.group[b];
    if (ga === gb) return key[a] - key[b] || this.pos[a] - this.pos[b];
    let ea = -1, eb = -1;
    const deep = (/** @type {number} */ g) => (g < 0 ? 0 : depth[g]);
    while (deep(ga) > deep(gb)) ga = groupParent[ea = ga];
    while (deep(gb) > deep(ga)) gb = groupParent[eb = gb];
    while (ga !== gb) {
      ga = groupParent[ea = ga];
      gb = groupParent[eb = gb];
    }
    const ka = ea < 0 ? key[a] : groupKey[ea], kb = eb < 0 ? key[b] : groupKey[eb];
    if (ka !== kb) return ka - kb;
    if (ea < 0 && eb < 0) return this.pos[a] - this.pos[b];
    return ea - eb;
  }

  /** @param {boolean} rightwards @param {boolean} flip */
  sweep(rightwards, flip) {
    const { up, down } = this.graph;
    const near = rightwards ? up : down;
    const { key, pos } = this;
    const count = this.layers.length;
    this.groupKeys(pos);
    for (let step = 1; step < count; step++) {
      const layer = this.layers[rightwards ? step : count - 1 - step];
      if (layer.length < 2) continue;
      for (const v of layer) {
        const neighbours = near[v];
        if (!neighbours.length) {
          key[v] = pos[v];
          continue;
        }
        let sum = 0;
        for (const w of neighbours) sum += pos[w];
        key[v] = sum / neighbours.length;
      }
      this.sort(layer, key, true, flip);
    }
  }

  exchange() {
    const { up, down, group } = this.graph;
    const { pos } = this;
    for (let round = 0, improved = true; improved && round < 4; round++) {
      improved = false;
      for (const layer of this.layers) for (let i = 0; i + 1 < layer.length; i++) {
        const a = layer[i], b = layer[i + 1];
        if (group[a] !== group[b]) continue;
        const before = inversions(up[a], up[b], pos) + inversions(down[a], down[b], pos);
        if (!before) continue;
        if (inversions(up[b], up[a], pos) + inversions(down[b], down[a], pos) >= before) continue;
        layer[i] = b;
        layer[i + 1] = a;
        [pos[a], pos[b]] = [pos[b], pos[a]];
        improved = true;
      }
    }
  }

  /** Crossings between neighbouring ranks, counted with an accumulator tree (Barth, Jünger and Mutzel 2002). */
  crossings() {
    const { down } = this.graph;
    let total = 0;
    for (let r = 0; r + 1 < this.layers.length; r++) {
      const width = this.layers[r + 1].length;
      if (!width) continue;
      const middle = (width - 1) / 2;
      let first = 1;
      while (first < width) first <<= 1;
      const tree = new Int32Array(2 * first - 1);
      first--;
      for (const v of this.layers[r]) {
        const ends = down[v].map((w) => this.pos[w] + middle);
        if (ends.length > 1) ends.sort((a, b) => a - b);
        for (const end of ends) {
          let i = Math.round(end) + first;
          tree[i]++;
          while (i > 0) {
            if (i % 2) total += tree[i + 1];
            i = (i - 1) >> 1;
            tree[i]++;
          }
        }
      }
    }
    return total;
  }

  /** @param {number} crossings */
  remember(crossings) {
    if (crossings >= this.fewest) return;
    this.fewest = crossings;
    this.kept = this.layers.map((layer) => layer.slice());
  }

  best() {
    return { layers: this.kept, crossings: this.fewest };
  }
}

/** @param {number[]} a @param {number[]} b @param {Float64Array} pos */
function inversions(a, b, pos) {
  let count = 0;
  for (const x of a) for (const y of b) if (pos[x] > pos[y]) count++;
  return count;
}
