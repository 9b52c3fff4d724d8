/**
 * The layered layout: ranks → bends → order → coordinates → blocks. Nothing here recurses over the graph, so depth is
 * no limit. The stages know ranks as columns from left to right; each part is turned at the end, so that it falls.
 * @module
 */
import { assignRanks, components } from "./rank.js";
import { joinPaths, splitEdges } from "./labels.js";
import { normalise } from "./normalise.js";
import { orderRanks } from "./order.js";
import { assignY } from "./coordinate.js";
import { assignPorts, Path, straightenPorts } from "./route.js";
import { packBlocks } from "./pack.js";
import { DEFAULTS } from "./types.js";

/** @typedef {import("./types.js").LayoutInput} LayoutInput */
/** @typedef {import("./types.js").LayoutOutput} LayoutOutput */
/** @typedef {import("./types.js").LayoutOptions} LayoutOptions */

/**
 * @param {LayoutInput} input
 * @returns {LayoutOutput}
 */
export function layout(input) {
  const split = splitEdges(input);
  const { first } = split;
  const { x, y, paths, ...rest } = place(split);
  const labelled = split.width.length > first;
  const middle = (/** @type {Float64Array} */ at, /** @type {number} */ offset) =>
    labelled
      ? at.slice(first)
      : Float64Array.from(paths, (path) => (path[offset] + path[path.length - 2 + offset]) / 2);
  return {
    ...rest,
    x: x.slice(0, first),
    y: y.slice(0, first),
    paths: labelled ? Array.from(input.source, (_, e) => joinPaths(paths[2 * e], paths[2 * e + 1])) : paths,
    labelX: middle(x, 0),
    labelY: middle(y, 1),
  };
}

/** @param {import("./labels.js").Split} input */
function place(input) {
  /** @type {LayoutOptions} */
  const options = { ...DEFAULTS, ...input.options };
  const n = input.width.length;
  const parts = components(n, input.source, input.target);
  const edgesOf = partEdges(parts, n, input);
  const x = new Float64Array(n);
  const y = new Float64Array(n);
  /** @type {Float64Array[]} */
  const paths = new Array(input.source.length);
  let crossings = 0;
  const placed = parts.map((vertices, part) => {
    const one = turned(layoutPart(vertices, edgesOf[part], input, options));
    crossings += one.crossings;
    const pad = options.groupPad * groupDepth(vertices, input);
    return {
      one,
      pad,
      width: one.width + 2 * pad,
      height: one.height + 2 * pad,
      x: 0,
      y: 0,
      order: vertices[0],
      group: commonGroup(vertices, input),
    };
  });
  packBlocks(placed, input.groupParent, { gap: options.nodeGap * 1.6, pad: options.groupPad, aspect: options.aspect });
  let right = 0;
  let bottom = 0;
  placed.forEach(({ one, pad, ...block }, part) => {
    const dx = block.x + pad - one.left;
    const dy = block.y + pad - one.top;
    parts[part].forEach((v, i) => {
      x[v] = one.x[i] + dx;
      y[v] = one.y[i] + dy;
    });
    edgesOf[part].forEach((e, i) => {
      const path = one.paths[i];
      for (let k = 0; k < path.length; k += 2) {
        path[k] += dx;
        path[k + 1] += dy;
      }
      paths[e] = path;
    });
    right = Math.max(right, block.x + block.width);
    bottom = Math.max(bottom, block.y + block.height);
  });
  return { x, y, paths, bounds: { x: 0, y: 0, width: right, height: bottom }, crossings };
}

/**
 * Columns become levels, the last one on top.
 * @param {ReturnType<typeof layoutPart>} part
 */
function turned({ crossings, x, y, paths, left, top, width, height }) {
  for (const path of paths) {
    for (let k = 0; k < path.length; k += 2) {
      const along = path[k];
      path[k] = path[k + 1];
      path[k + 1] = -along;
    }
  }
  return {
    crossings,
    x: y,
    y: x.map((along) => -along),
    paths,
    left: top,
    top: -left - width,
    width: height,
    height: width,
  };
}

/** @param {number[][]} parts @param {number} n @param {LayoutInput} input */
function partEdges(parts, n, input) {
  const partOf = new Int32Array(n);
  parts.forEach((vertices, part) => vertices.forEach((v) => (partOf[v] = part)));
  /** @type {number[][]} */
  const edges = parts.map(() => []);
  for (let e = 0; e < input.source.length; e++) edges[partOf[input.source[e]]].push(e);
  return edges;
}

/**
 * How many outlines may surround the part's outermost vertices.
 * @param {number[]} vertices
 * @param {LayoutInput} input
 */
function groupDepth(vertices, input) {
  let deepest = 0;
  for (const v of vertices) {
    let depth = 0;
    for (let g = input.group[v]; g >= 0; g = input.groupParent[g]) depth++;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** The innermost group around all vertices. @param {number[]} vertices @param {LayoutInput} input */
function commonGroup(vertices, input) {
  let common = input.group[vertices[0]];
  for (const v of vertices) {
    const above = new Set([-1]);
    for (let g = input.group[v]; g >= 0; g = input.groupParent[g]) above.add(g);
    while (!above.has(common)) common = input.groupParent[common];
    if (common < 0) break;
  }
  return common;
}

/**
 * @param {number[]} vertices
 * @param {number[]} edges
 * @param {import("./labels.js").Split} input
 * @param {LayoutOptions} options
 */
function layoutPart(vertices, edges, input, options) {
  const index = new Map(vertices.map((v, i) => [v, i]));
  const pick = (/** @type {ArrayLike<number>} */ from) => Float64Array.from(vertices, (v) => from[v]);
  const width = pick(input.height);
  const height = pick(input.width);
  const group = Int32Array.from(vertices, (v) => input.group[v]);
  const source = Int32Array.from(edges, (e) => /** @type {number} */ (index.get(input.source[e])));
  const target = Int32Array.from(edges, (e) => /** @type {number} */ (index.get(input.target[e])));
  const floor = vertices.map((v) => input.floor[v]);
  const { rank } = assignRanks(vertices.length, source, target, floor);
  const graph = normalise(rank, height, group, input.groupParent, source, target, options.dummyBudget);
  const seed = seedOf(vertices, input.seed);
  const { layers, crossings } = orderRanks(graph, input.groupParent, options.sweeps, seed);
  const pos = new Float64Array(graph.rank.length);
  for (const layer of layers) layer.forEach((v, i) => (pos[v] = i));
  const anchor = pick(input.anchor);
  const ports = assignPorts(graph, pos, anchor);
  const label = vertices.map((v) => Number(v >= input.first));
  const y = assignY(graph, layers, input.groupParent, options, portTable(graph, ports), seed, label);
  straightenPorts(graph, y, ports);
  const gap = input.width.length > input.first ? options.rankGap / 8 : options.rankGap;
  const inset = pick(input.inset);
  const columns = placeColumns(graph, layers, y, width, inset, ports, { ...options, rankGap: gap });
  return { crossings, ...draw(graph, columns, width, inset, y, ports) };
}

/** @param {number[]} vertices @param {Float64Array | null} seed */
function seedOf(vertices, seed) {
  if (!seed) return null;
  const found = vertices.map((v) => (Number.isNaN(seed[v]) ? null : seed[v]));
  const known = found.filter((y) => y !== null).length;
  return known * 2 > vertices.length ? found : null;
}

/**
 * @param {import("./normalise.js").Proper} graph
 * @param {{source: Float64Array, target: Float64Array}} ports
 * @returns {Map<number, number>[]}
 */
function portTable(graph, ports) {
  /** @type {Map<number, number>[]} */
  const table = [];
  const put = (/** @type {number} */ v, /** @type {number} */ w, /** @type {number} */ offset) => {
    const known = (table[v] ??= new Map()).get(w);
    table[v].set(w, known === undefined ? offset : (known + offset) / 2);
  };
  graph.chains.forEach((chain, e) => {
    put(chain[0], chain[1], ports.source[e]);
    put(chain[chain.length - 1], chain[chain.length - 2], ports.target[e]);
  });
  return table;
}

/**
 * x extents of the ranks. A gap is wide enough for its steepest edge.
 * @param {import("./normalise.js").Proper} graph
 * @param {number[][]} layers
 * @param {Float64Array} y
 * @param {Float64Array} width
 * @param {Float64Array} inset  room for bends inside the boxes, per vertex
 * @param {{source: Float64Array, target: Float64Array}} ports
 * @param {LayoutOptions} options
 * @returns {{left: Float64Array, right: Float64Array}}
 */
function placeColumns(graph, layers, y, width, inset, ports, options) {
  const { ranks, n, rank, chains, group } = graph;
  const wide = new Float64Array(ranks);
  const gap = new Float64Array(ranks).fill(options.rankGap);
  const columns = { left: new Float64Array(ranks), right: new Float64Array(ranks) };
  layers.forEach((layer, r) => {
    for (const v of layer) if (v < n) wide[r] = Math.max(wide[r], width[v]);
    if (r + 1 < ranks && group.length && changesGroup(layer, layers[r + 1], group)) gap[r] += options.groupPad * 1.2;
  });
  chains.forEach((chain, e) => {
    const last = chain.length - 1;
    for (let i = 1; i <= last; i++) {
      const a = chain[i - 1];
      const b = chain[i];
      const from = y[a] + (i === 1 ? ports.source[e] : 0);
      const to = y[b] + (i === last ? ports.target[e] : 0);
      if (rank[b] !== rank[a] + 1) continue;
      const steep = Math.min(options.steepest, 0.14 * Math.abs(to - from)) - (inset[a] ?? 0) - (inset[b] ?? 0);
      gap[rank[a]] = Math.max(gap[rank[a]], steep);
    }
  });
  let x = 0;
  for (let r = 0; r < ranks; r++) {
    columns.left[r] = x;
    x += wide[r];
    columns.right[r] = x;
    x += gap[r];
  }
  return columns;
}

/** @param {number[]} a @param {number[]} b @param {number[]} group */
function changesGroup(a, b, group) {
  const before = new Set(a.map((v) => group[v]));
  return before.size !== new Set(b.map((v) => group[v])).size || b.some((v) => !before.has(group[v]));
}

/**
 * @param {import("./normalise.js").Proper} graph
 * @param {{left: Float64Array, right: Float64Array}} columns
 * @param {Float64Array} width
 * @param {Float64Array} inset  how far inside its box an edge ends, per vertex
 * @param {Float64Array} y
 * @param {{source: Float64Array, target: Float64Array}} ports
 */
function draw(graph, columns, width, inset, y, ports) {
  const { n, rank, chains, reversed, height } = graph;
  const xs = new Float64Array(n);
  for (let v = 0; v < n; v++) xs[v] = (columns.left[rank[v]] + columns.right[rank[v]]) / 2;
  const paths = chains.map((chain, e) => {
    const last = chain.length - 1;
    const first = chain[0];
    const path = new Path(xs[first] + width[first] / 2 - inset[first], y[first] + ports.source[e]);
    for (let i = 1; i <= last; i++) {
      const v = chain[i];
      const end = i === last;
      const entry = end ? xs[v] - width[v] / 2 + inset[v] : columns.left[rank[v]];
      const level = y[v] + (end ? ports.target[e] : 0);
      const before = columns.right[rank[chain[i - 1]]];
      if (i > 1 || (path.x < before && !inset[first])) path.line(before, path.y);
      path.bend(end && inset[v] ? entry : Math.min(columns.left[rank[v]], entry), level);
      path.line(entry, level);
      if (!end) path.line(columns.right[rank[v]], level);
    }
    return reversed[e] ? backwards(path.done()) : path.done();
  });
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let v = 0; v < n; v++) {
    left = Math.min(left, xs[v] - width[v] / 2);
    right = Math.max(right, xs[v] + width[v] / 2);
  }
  for (let v = 0; v < y.length; v++) {
    top = Math.min(top, y[v] - height[v] / 2);
    bottom = Math.max(bottom, y[v] + height[v] / 2);
  }
  return { x: xs, y: y.slice(0, n), paths, left, top, width: right - left, height: bottom - top };
}

/** @param {Float64Array} path */
function backwards(path) {
  const turned = new Float64Array(path.length);
  for (let i = 0; i < path.length; i += 2) {
    turned[i] = path[path.length - 2 - i];
    turned[i + 1] = path[path.length - 1 - i];
  }
  return turned;
}
