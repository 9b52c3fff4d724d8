/**
 * The order within each rank: barycentre sweeps and exchange of neighbours, best result kept. Members of a group stay
 * together in every rank, and groups side by side keep the same order in all ranks, so their outlines never cross.
 * @module
 */
/** @typedef {import("./normalise.js").Proper} Proper */

/** @typedef {"outputs" | "inputs" | "made"} Start */

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
  const starts = /** @type {Start[]} */ (graph.rank.length < 12000 ? ["outputs", "made", "inputs"] : ["outputs"]);
  for (const [kind, start] of starts.entries()) {
    work.start(start);
    let mine = work.crossings();
    let stale = 0;
    work.remember(mine);
    for (let sweep = 0; sweep < sweeps && mine > 0 && stale < 6; sweep++) {
      work.sweep((sweep + kind) % 2 === 1, sweep % 4 >= 2);
      work.exchange(sweep % 4 >= 2);
      const now = work.crossings();
      stale = now < mine ? 0 : stale + 1;
      mine = Math.min(mine, now);
      work.remember(now);
    }
    if (work.fewest === 0) break;
  }
  if (work.fewest > 0) work.refine(Math.min(MOST_TRIES, graph.ranks * 8));
  return work.best();
}

/** Local improvements are tried this often at most, each in a window of ranks. */
const MOST_TRIES = 700;
const WINDOW = 4;

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

  /**
   * Depth-first from either end, so that what belongs together starts side by side, or as things were made.
   * @param {Start} start
   */
  start(start) {
    const { up, down, rank } = this.graph;
    for (const layer of this.layers) layer.length = 0;
    if (start === "made") {
      for (let v = 0; v < this.size; v++) this.layers[rank[v]].push(v);
      return this.settle();
    }
    const ends = start === "outputs" ? down : up;
    const next = start === "outputs" ? up : down;
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
    this.settle();
  }

  settle() {
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
    for (let pass = 0; pass < 3; pass++) {
      for (let v = 0; v < this.size; v++) {
        if (known[v] && v < seed.length && seed[v] !== null) continue;
        let sum = 0;
        let count = 0;
        for (const neighbours of [up[v], down[v]]) {
          for (const w of neighbours) {
            if (!known[w]) continue;
            sum += at[w];
            count++;
          }
        }
        if (count) {
          at[v] = sum / count;
          known[v] = 1;
        }
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
    for (let v = 0; v < this.size; v++) {
      for (let g = this.graph.group[v]; g >= 0; g = this.groupParent[g]) {
        this.groupKey[g] += at[v];
        count[g]++;
      }
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
    let ga = this.graph.group[a];
    let gb = this.graph.group[b];
    if (ga === gb) return key[a] - key[b] || this.pos[a] - this.pos[b];
    let ea = -1;
    let eb = -1;
    const deep = (/** @type {number} */ g) => (g < 0 ? 0 : depth[g]);
    while (deep(ga) > deep(gb)) ga = groupParent[(ea = ga)];
    while (deep(gb) > deep(ga)) gb = groupParent[(eb = gb)];
    while (ga !== gb) {
      ga = groupParent[(ea = ga)];
      gb = groupParent[(eb = gb)];
    }
    const ka = ea < 0 ? key[a] : groupKey[ea];
    const kb = eb < 0 ? key[b] : groupKey[eb];
    if (ka !== kb) return ka - kb;
    if (ea < 0 && eb < 0) return this.pos[a] - this.pos[b];
    return ea - eb;
  }

  /** @param {boolean} rightwards @param {boolean} flip */
  sweep(rightwards, flip) {
    const { up, down } = this.graph;
    const count = this.layers.length;
    this.groupKeys(this.pos);
    for (let step = 1; step < count; step++) {
      this.place(this.layers[rightwards ? step : count - 1 - step], rightwards ? up : down, flip);
    }
  }

  /**
   * Order one rank by the middle of each vertex's neighbours.
   * @param {number[]} layer
   * @param {number[][]} near
   * @param {boolean} flip
   */
  place(layer, near, flip) {
    if (layer.length < 2) return;
    const { key, pos } = this;
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

  /**
   * Swap neighbours while that helps.
   * @param {boolean} [restless] also where nothing changes: it opens ways out of a standstill
   * @param {number} [first]
   * @param {number} [last] ranks
   */
  exchange(restless = false, first = 0, last = this.layers.length - 1) {
    const { up, down, group } = this.graph;
    const { pos } = this;
    for (let round = 0, improved = true; improved && round < 8; round++) {
      improved = false;
      /** @type {number[][]} */
      const some = this.layers.slice(first, last + 1);
      for (const layer of some) {
        for (let i = 0; i + 1 < layer.length; i++) {
          const a = layer[i];
          const b = layer[i + 1];
          if (group[a] !== group[b]) continue;
          const before = inversions(up[a], up[b], pos) + inversions(down[a], down[b], pos);
          if (!before) continue;
          const after = inversions(up[b], up[a], pos) + inversions(down[b], down[a], pos);
          if (after > before || (after === before && !(restless && round === 0))) continue;
          layer[i] = b;
          layer[i + 1] = a;
          [pos[a], pos[b]] = [pos[b], pos[a]];
          if (after < before) improved = true;
        }
      }
    }
  }

  /**
   * Shake one rank, let its surroundings settle again, keep what has no more crossings than before. Sweeps over
   * everything end in valleys that this climbs out of.
   * @param {number} tries
   */
  refine(tries) {
    this.layers = this.kept.map((layer) => layer.slice());
    this.number();
    const { layers, pos } = this;
    const wide = layers.flatMap((layer, r) => (layer.length > 2 ? [r] : []));
    if (!wide.length) return;
    let total = this.fewest;
    let seed = 12345;
    const random = (/** @type {number} */ n) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 4294967296) * n);
    };
    for (let i = 0; i < tries && total > 0; i++) {
      const r = wide[i < wide.length ? i : random(wide.length)];
      const first = Math.max(0, r - WINDOW);
      const last = Math.min(layers.length - 1, r + WINDOW);
      const before = this.crossingsIn(first - 1, last);
      if (!before) continue;
      const saved = layers.slice(first, last + 1).map((layer) => layer.slice());
      this.shake(layers[r], random);
      for (let pass = 0; pass < 2; pass++) {
        for (let k = r + 1; k <= last; k++) this.place(layers[k], this.graph.up, false);
        for (let k = r - 1; k >= first; k--) this.place(layers[k], this.graph.down, false);
        this.exchange(false, first, last);
      }
      const after = this.crossingsIn(first - 1, last);
      if (after <= before) {
        total += after - before;
        continue;
      }
      saved.forEach((layer, k) => {
        layers[first + k] = layer;
        const middle = (layer.length - 1) / 2;
        for (let at = 0; at < layer.length; at++) pos[layer[at]] = at - middle;
      });
    }
    this.remember(total);
  }

  /**
   * Turn a stretch of a rank around, or move one vertex elsewhere.
   * @param {number[]} layer
   * @param {(n: number) => number} random
   */
  shake(layer, random) {
    const a = random(layer.length);
    const b = random(layer.length);
    if (random(2)) {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      layer.splice(low, high - low + 1, ...layer.slice(low, high + 1).reverse());
    } else layer.splice(b, 0, ...layer.splice(a, 1));
    const middle = (layer.length - 1) / 2;
    layer.forEach((v, i) => (this.key[v] = i - middle));
    if (this.grouped) this.groupKeys(this.pos);
    this.sort(layer, this.key, true);
  }

  crossings() {
    return this.crossingsIn(0, this.layers.length - 1);
  }

  /**
   * Crossings between neighbouring ranks, counted with an accumulator tree (Barth, Jünger and Mutzel 2002).
   * @param {number} from
   * @param {number} to first and last rank to the left of a gap
   */
  crossingsIn(from, to) {
    const { down } = this.graph;
    let total = 0;
    for (let r = Math.max(0, from); r <= to && r + 1 < this.layers.length; r++) {
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
