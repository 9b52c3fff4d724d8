/**
 * Edges that span several ranks get a bend in each rank between, shortest first, while the budget lasts; the rest get
 * one bend at each end (sparse normalisation, after Eiglsperger, Siebenhaller and Kaufmann 2005).
 * @module
 */

/**
 * @typedef {object} Proper
 * @property {number} n  real vertices come first, bends after
 * @property {number[]} rank
 * @property {number[]} group
 * @property {number[]} height
 * @property {number[][]} up  neighbours one rank to the left
 * @property {number[][]} down  neighbours one rank to the right
 * @property {number[][]} chains  per edge: its vertices from left to right
 * @property {Uint8Array} reversed  per edge: it closes a cycle and runs right to left
 * @property {number} ranks
 */

const BEND_HEIGHT = 8;
const ALWAYS_BEND = 6;

/**
 * @param {Int32Array} ranks
 * @param {ArrayLike<number>} height
 * @param {ArrayLike<number>} group
 * @param {Int32Array} groupParent
 * @param {Int32Array} source
 * @param {Int32Array} target
 * @param {number} budget
 * @returns {Proper}
 */
export function normalise(ranks, height, group, groupParent, source, target, budget) {
  const n = ranks.length;
  const rank = Array.from(ranks);
  const heights = Array.from(height);
  const groups = Array.from(group);
  /** @type {number[][]} */
  const up = Array.from({ length: n }, () => []);
  /** @type {number[][]} */
  const down = Array.from({ length: n }, () => []);
  const reversed = new Uint8Array(source.length);
  const longest = longestBend(ranks, source, target, budget);
  const inside = groupSpans(rank, groups, groupParent);
  const link = (/** @type {number} */ a, /** @type {number} */ b) => {
    down[a].push(b);
    up[b].push(a);
  };
  const bend = (/** @type {number} */ r, /** @type {number} */ a, /** @type {number} */ b) => {
    rank.push(r);
    heights.push(BEND_HEIGHT);
    groups.push(inside(r, groups[a], groups[b]));
    up.push([]);
    down.push([]);
    return rank.length - 1;
  };
  /** @type {number[][]} */
  const chains = [];
  for (let e = 0; e < source.length; e++) {
    let a = source[e];
    let b = target[e];
    if (ranks[a] > ranks[b]) {
      [a, b] = [b, a];
      reversed[e] = 1;
    }
    const span = ranks[b] - ranks[a];
    const chain = [a];
    if (span > 1 && span <= longest) {
      for (let r = ranks[a] + 1; r < ranks[b]; r++) chain.push(bend(r, a, b));
    } else if (span > 1) chain.push(bend(ranks[a] + 1, a, b), bend(ranks[b] - 1, a, b));
    chain.push(b);
    for (let i = 1; i < chain.length; i++) if (rank[chain[i]] === rank[chain[i - 1]] + 1) link(chain[i - 1], chain[i]);
    chains.push(chain);
  }
  return {
    n,
    rank,
    group: groups,
    height: heights,
    up,
    down,
    chains,
    reversed,
    ranks: Math.max(0, ...ranksOf(rank)) + 1,
  };
}

/** @param {number[]} rank */
function* ranksOf(rank) {
  let most = 0;
  for (const r of rank) if (r > most) most = r;
  yield most;
}

/** @param {Int32Array} ranks @param {Int32Array} source @param {Int32Array} target @param {number} budget */
function longestBend(ranks, source, target, budget) {
  /** @type {Map<number, number>} */
  const spans = new Map();
  for (let e = 0; e < source.length; e++) {
    const span = Math.abs(ranks[target[e]] - ranks[source[e]]);
    if (span > 1) spans.set(span, (spans.get(span) ?? 0) + 1);
  }
  let longest = ALWAYS_BEND;
  let left = budget;
  for (const span of [...spans.keys()].sort((a, b) => a - b)) {
    left -= (spans.get(span) ?? 0) * (span - 1);
    if (left < 0) break;
    longest = Math.max(longest, span);
  }
  return longest;
}

/**
 * An edge leaves its source's groups where they end and enters its target's groups where they begin.
 * @param {number[]} rank @param {number[]} group @param {Int32Array} groupParent
 */
function groupSpans(rank, group, groupParent) {
  const first = new Float64Array(groupParent.length).fill(Infinity);
  const last = new Float64Array(groupParent.length).fill(-Infinity);
  for (let v = 0; v < rank.length; v++) {
    for (let g = group[v]; g >= 0; g = groupParent[g]) {
      first[g] = Math.min(first[g], rank[v]);
      last[g] = Math.max(last[g], rank[v]);
    }
  }
  return (/** @type {number} */ r, /** @type {number} */ from, /** @type {number} */ to) => {
    const around = new Set([-1]);
    for (let g = to; g >= 0; g = groupParent[g]) around.add(g);
    let common = from;
    while (!around.has(common)) common = groupParent[common];
    for (let g = from; g !== common; g = groupParent[g]) if (r <= last[g]) return g;
    for (let g = to; g !== common; g = groupParent[g]) if (r >= first[g]) return g;
    return common;
  };
}
