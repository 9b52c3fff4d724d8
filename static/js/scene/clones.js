/**
 * A leaf used far away gets a card beside that use, instead of an edge across the whole drawing. When it was written in
 * place between two uses, each card shows the value it had when it was used.
 * @module
 */
import { assignRanks } from "../layout/rank.js";

/** @typedef {import("./graph.js").Graph} Graph */
/** @typedef {import("./graph.js").Link} Link */
/** @typedef {import("../trace.js").Trace} Trace */

/** Ranks between two uses of a leaf that one card can still serve. */
const FAR = 8;

/**
 * @param {Trace} trace
 * @param {Graph} graph
 * @returns {Graph}
 */
export function cloneLeaves(trace, graph) {
  const source = Int32Array.from(graph.links, (link) => link.from);
  const target = Int32Array.from(graph.links, (link) => link.to);
  const { rank, ins, outs } = assignRanks(graph.items.length, source, target);
  const items = graph.items.slice();
  const links = graph.links.slice();
  const versions = trace.histories.written;
  for (let i = 0; i < graph.items.length; i++) {
    const item = graph.items[i];
    if (item.kind !== "card" || !item.tensor || ins[i].length || outs[i].length < 2) continue;
    const clusters = clusterUses(trace, graph, outs[i], rank, versions.get(item.tensor) ?? []);
    let before = i;
    clusters.slice(1).forEach((edges, k) => {
      const first = graph.items[graph.links[edges[0]].to];
      const clone = { ...item, key: `${item.key}+${k + 1}`, original: i, scope: first.scope, from: item.from };
      const used = graph.items[graph.links[clusters[k][0]].to].from;
      const written = (versions.get(item.tensor ?? "") ?? []).find((t) => t > used && t <= first.from);
      if (written !== undefined) {
        items[before] = { ...items[before], until: written - 1 };
        clone.from = written;
        clone.since = written - 1;
        clone.phase = true;
      }
      items.push(clone);
      before = items.length - 1;
      for (const e of edges) links[e] = { ...links[e], from: before };
    });
  }
  return { items, links };
}

/** @param {number[]} times @param {number} t */
const version = (times, t) => times.filter((at) => at <= t).length;

/**
 * Uses in one iteration, at one version and near each other share a card.
 * @param {Trace} trace
 * @param {Graph} graph
 * @param {number[]} edges
 * @param {Int32Array} rank
 * @param {number[]} times
 * @returns {number[][]}
 */
function clusterUses(trace, graph, edges, rank, times) {
  /** @type {Map<string, number[][]>} */
  const bySituation = new Map();
  /** @type {number[][]} */
  const clusters = [];
  const ordered = edges
    .slice()
    .sort((a, b) => use(a).from - use(b).from || rank[graph.links[a].to] - rank[graph.links[b].to]);
  /** @param {number} e */
  function use(e) {
    return graph.items[graph.links[e].to];
  }
  for (const e of ordered) {
    const situation = `${iterationOf(trace, use(e).scope)}|${version(times, use(e).from)}`;
    const known = bySituation.get(situation) ?? [];
    bySituation.set(situation, known);
    const at = rank[graph.links[e].to];
    const near = known.find((cluster) => cluster.some((other) => Math.abs(rank[graph.links[other].to] - at) <= FAR));
    if (near) near.push(e);
    else {
      const cluster = [e];
      known.push(cluster);
      clusters.push(cluster);
    }
  }
  return clusters;
}

/** The innermost loop iteration around a scope. @param {Trace} trace @param {string | null} scope */
function iterationOf(trace, scope) {
  for (let id = scope; id; id = trace.scopes.get(id)?.parent ?? null) {
    if (trace.scopes.get(id)?.kind === "loop") return id;
  }
  return "";
}
