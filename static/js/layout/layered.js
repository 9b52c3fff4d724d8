/**
 * The layered layout: ranks → bends → order → coordinates → rows → blocks. Nothing here recurses over the graph, so
 * depth is no limit.
 * @module
 */
import { assignRanks, components } from "./rank.js";
import { normalise } from "./normalise.js";
import { orderRanks } from "./order.js";
import { assignY } from "./coordinate.js";
import { assignPorts, Path } from "./route.js";
import { breakRows, carryOver, ROW_GUTTER } from "./wrap.js";
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
  /** @type {LayoutOptions} */
  const options = { ...DEFAULTS, ...input.options };
  const n = input.width.length;
  const parts = components(n, input.source, input.target);
  const edgesOf = partEdges(parts, n, input);
  const x = new Float64Array(n);
  const y = new Float64Array(n);
  /** @type {Float64Array[]} */
  const paths = new Array(input.source.length);
  const row = new Int32Array(n);
  let rows = 1;
  let crossings = 0;
  let rowsBefore = 0;
  const placed = parts.map((vertices, part) => {
    const one = layoutPart(vertices, edgesOf[part], input, options, parts.length);
    rows = Math.max(rows, one.rows);
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
      row[v] = rowsBefore + one.row[i];
      x[v] = one.x[i] + dx;
      y[v] = one.y[i] + dy;
    });
    rowsBefore += one.rows;
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
  return { x, y, paths, bounds: { x: 0, y: 0, width: right, height: bottom }, row, rows, crossings };
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
 * @param {LayoutInput} input
 * @param {LayoutOptions} options
 * @param {number} parts  how many share the view
 */
function layoutPart(vertices, edges, input, options, parts) {
  const index = new Map(vertices.map((v, i) => [v, i]));
  const pick = (/** @type {ArrayLike<number>} */ from) => Float64Array.from(vertices, (v) => from[v]);
  const width = pick(input.width);
  const height = pick(input.height);
  const group = Int32Array.from(vertices, (v) => input.group[v]);
  const source = Int32Array.from(edges, (e) => /** @type {number} */ (index.get(input.source[e])));
  const target = Int32Array.from(edges, (e) => /** @type {number} */ (index.get(input.target[e])));
  const { rank } = assignRanks(vertices.length, source, target);
  const graph = normalise(rank, height, group, input.groupParent, source, target, options.dummyBudget);
  const seed = seedOf(vertices, input.seed);
  const { layers, crossings } = orderRanks(graph, input.groupParent, options.sweeps, seed);
  const pos = new Float64Array(graph.rank.length);
  for (const layer of layers) layer.forEach((v, i) => (pos[v] = i));
  const anchor = input.anchor ? pick(input.anchor) : new Float64Array(vertices.length);
  const ports = assignPorts(graph, pos, anchor);
  const y = assignY(graph, layers, input.groupParent, options, portTable(graph, ports), seed);
  const label = edges.map((e) => input.label[e]);
  const columns = placeColumns(graph, layers, y, width, ports, label, options);
  const rows = breakRows(columns, {
    viewWidth: options.viewWidth,
    viewHeight: options.viewWidth / options.aspect / Math.min(6, parts),
  });
  const reach = input.reach ? pick(input.reach) : width.map((w) => w / 2);
  return {
    crossings,
    rows: rows.start.length,
    row: rank.map((r) => rows.rowOf[r]),
    ...draw(graph, columns, rows, width, reach, y, ports),
  };
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
 * x extents of the ranks. A gap is as wide as the widest label in it and wide enough for its steepest edge.
 * @param {import("./normalise.js").Proper} graph
 * @param {number[][]} layers
 * @param {Float64Array} y
 * @param {Float64Array} width
 * @param {{source: Float64Array, target: Float64Array}} ports
 * @param {number[]} label
 * @param {LayoutOptions} options
 * @returns {import("./wrap.js").Columns}
 */
function placeColumns(graph, layers, y, width, ports, label, options) {
  const { ranks, n, rank, chains, height, group } = graph;
  const wide = new Float64Array(ranks);
  const gap = new Float64Array(ranks).fill(options.rankGap);
  const columns = {
    left: new Float64Array(ranks),
    right: new Float64Array(ranks),
    top: new Float64Array(ranks),
    bottom: new Float64Array(ranks),
    crossing: new Int32Array(ranks),
  };
  layers.forEach((layer, r) => {
    columns.top[r] = Math.min(...layer.map((v) => y[v] - height[v] / 2));
    columns.bottom[r] = Math.max(...layer.map((v) => y[v] + height[v] / 2));
    for (const v of layer) if (v < n) wide[r] = Math.max(wide[r], width[v]);
    if (r + 1 < ranks && group.length && changesGroup(layer, layers[r + 1], group)) gap[r] += options.groupPad * 1.2;
  });
  chains.forEach((chain, e) => {
    const last = chain.length - 1;
    const r = rank[chain[last - 1]];
    gap[r] = Math.max(gap[r], label[e] ? label[e] + 42 : 0);
    for (let i = 1; i <= last; i++) {
      const a = chain[i - 1];
      const b = chain[i];
      const from = y[a] + (i === 1 ? ports.source[e] : 0);
      const to = y[b] + (i === last ? ports.target[e] : 0);
      if (rank[b] === rank[a] + 1) gap[rank[a]] = Math.max(gap[rank[a]], Math.min(110, 0.22 * Math.abs(to - from)));
    }
    for (let s = rank[chain[0]]; s < rank[chain[last]]; s++) columns.crossing[s]++;
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
 * @param {import("./wrap.js").Columns} columns
 * @param {import("./wrap.js").Rows} rows
 * @param {Float64Array} width
 * @param {Float64Array} reach
 * @param {Float64Array} y
 * @param {{source: Float64Array, target: Float64Array}} ports
 */
function draw(graph, columns, rows, width, reach, y, ports) {
  const { n, rank, chains, reversed } = graph;
  const shiftX = (/** @type {number} */ r) => rows.shiftX[rows.rowOf[r]];
  const shiftY = (/** @type {number} */ r) => rows.shiftY[rows.rowOf[r]];
  const xs = new Float64Array(n);
  const ys = new Float64Array(n);
  for (let v = 0; v < n; v++) {
    xs[v] = (columns.left[rank[v]] + columns.right[rank[v]]) / 2 + shiftX(rank[v]);
    ys[v] = y[v] + shiftY(rank[v]);
  }
  /** @type {Map<number, number>} */
  const lanes = new Map();
  const paths = chains.map((chain, e) => {
    const last = chain.length - 1;
    const first = chain[0];
    const path = new Path(xs[first] + reach[first], ys[first] + ports.source[e]);
    for (let i = 1; i <= last; i++) {
      const v = chain[i];
      const r = rank[v];
      const before = rank[chain[i - 1]];
      const end = i === last;
      const entry = end ? xs[v] - reach[v] : columns.left[r] + shiftX(r);
      const level = y[v] + shiftY(r) + (end ? ports.target[e] : 0);
      if (rows.rowOf[r] !== rows.rowOf[before]) overRows(path, before, r, entry, level);
      else {
        if (i > 1 || path.x < columns.right[before] + shiftX(before)) {
          path.line(columns.right[before] + shiftX(before), path.y);
        }
        const near = columns.left[r] + shiftX(r);
        path.bend(Math.min(near, entry), level);
        path.line(entry, level);
      }
      if (!end) path.line(columns.right[r] + shiftX(r), level);
    }
    return reversed[e] ? backwards(path.done()) : path.done();
  });

  /** @param {Path} path @param {number} before @param {number} r @param {number} entry @param {number} level */
  function overRows(path, before, r, entry, level) {
    for (let row = rows.rowOf[before]; row < rows.rowOf[r]; row++) {
      const lane = lanes.get(row) ?? 0;
      lanes.set(row, lane + 1);
      const left = row + 1 === rows.rowOf[r] ? entry : rows.shiftX[row + 1] + columns.left[rows.start[row + 1]];
      const y = row + 1 === rows.rowOf[r] ? level : rows.top[row + 1] - 6;
      carryOver(path, {
        right: rows.shiftX[row] + columns.right[rows.start[row + 1] - 1],
        left,
        gutter: rows.bottom[row] + ROW_GUTTER / 2 + lane * 14,
        y,
        lane,
      });
    }
  }

  const top = Math.min(...rows.top);
  const bottom = Math.max(...rows.bottom);
  let left = Infinity;
  let right = -Infinity;
  for (let v = 0; v < n; v++) {
    left = Math.min(left, xs[v] - width[v] / 2);
    right = Math.max(right, xs[v] + width[v] / 2);
  }
  if (rows.start.length > 1) {
    left -= 26;
    right += 26;
  }
  return { x: xs, y: ys, paths, left, top, width: right - left, height: bottom - top };
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
