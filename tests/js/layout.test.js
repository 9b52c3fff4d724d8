/** Drawings that can be read: nothing overlaps, few crossings, the trunk is straight, and it is fast. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { layout } from "../../static/js/layout/layered.js";
import { isotonic } from "../../static/js/layout/coordinate.js";
import { families } from "./fixtures/families.js";
import { crossings, overlaps, passesThrough } from "./fixtures/quality.js";

function input({ nodes, edges }, options = {}, groups = null) {
  return {
    width: Float64Array.from(nodes, (node) => node.w), height: Float64Array.from(nodes, (node) => node.h),
    group: groups ? groups.of : new Int32Array(nodes.length).fill(-1), groupParent: groups ? groups.parent : new Int32Array(0),
    source: Int32Array.from(edges, (edge) => edge[0]), target: Int32Array.from(edges, (edge) => edge[1]), label: new Float64Array(edges.length), seed: null,
    options: { viewWidth: 1e9, ...options },
  };
}

/** Crossings of the same graphs as Graphviz dot 2.43 counts them in its own order (dot -v). */
const DOT = { diamond: { 100: 64, 1000: 610 }, residual: { 100: 0, 1000: 0 }, transformer: { 100: 28, 1000: 238 } };

for (const [family, sizes] of Object.entries(DOT)) for (const [size, dot] of Object.entries(sizes)) {
  test(`${family} of ${size}: no overlaps, crossings within 1.15 times Graphviz`, () => {
    const graph = families[family](Number(size));
    const request = input(graph);
    const drawn = layout(request);
    assert.equal(overlaps(request, drawn), 0);
    assert.equal(passesThrough(request, drawn), 0, "edges keep out of boxes");
    assert.ok(crossings(request, drawn) <= 1.15 * dot + 1, `${crossings(request, drawn)} crossings, dot has ${dot}`);
  });
}

test("forward runs left to right", () => {
  const request = input(families.transformer(200));
  const { x } = layout(request);
  request.source.forEach((s, e) => assert.ok(x[s] < x[request.target[e]]));
});

test("the trunk of a chain with leaves is straight", () => {
  const nodes = [], edges = [];
  for (let i = 0; i < 40; i++) {
    nodes.push({ w: 60, h: 40 }, { w: 90, h: 50 });
    edges.push([2 * i + 1, 2 * i]);
    if (i) edges.push([2 * i - 2, 2 * i]);
  }
  const { y } = layout(input({ nodes, edges }));
  const trunk = nodes.flatMap((_, i) => (i % 2 ? [] : [y[i]]));
  assert.ok(Math.max(...trunk.slice(1).map((at, i) => Math.abs(at - trunk[i]))) < 20);
});

test("groups side by side do not interleave", () => {
  const graph = families.diamond(60);
  const of = Int32Array.from(graph.nodes, (_, i) => (i < 2 ? -1 : i % 2)), parent = Int32Array.of(-1, -1);
  const request = input(graph, {}, { of, parent });
  const { x, y } = layout(request);
  const columns = new Map();
  graph.nodes.forEach((_, i) => columns.set(x[i], [...(columns.get(x[i]) ?? []), i]));
  for (const column of columns.values()) {
    const order = column.sort((a, b) => y[a] - y[b]).map((i) => of[i]).filter((g, i, all) => g >= 0 && g !== all[i - 1]);
    assert.equal(new Set(order).size, order.length, `a group is split in a column: ${order}`);
  }
});

test("a ribbon too long to read is broken into rows", () => {
  const request = input(families.chain(200), { viewWidth: 900, aspect: 1.4 });
  const drawn = layout(request);
  assert.ok(drawn.rows > 4);
  assert.equal(overlaps(request, drawn), 0);
  assert.ok(drawn.bounds.width < 0.25 * layout(input(families.chain(200))).bounds.width);
});

test("after an edit, what stays stays near where it was", () => {
  const graph = families.diamond(100);
  const before = layout(input(graph));
  const edited = { nodes: [...graph.nodes, { w: 60, h: 28 }], edges: [...graph.edges.slice(1), [graph.edges[0][0], 100], [100, graph.edges[0][1]]] };
  const request = input(edited);
  request.seed = Float64Array.from(edited.nodes, (_, i) => (i < 100 ? before.y[i] : NaN));
  const after = layout(request);
  const moves = graph.nodes.map((_, i) => after.y[i] - before.y[i]).sort((a, b) => a - b);
  const median = moves[50];
  const mean = moves.reduce((sum, move) => sum + Math.abs(move - median), 0) / moves.length;
  assert.ok(mean < 60, `moved ${mean} px on average`);
});

test("depth is no limit, and cycles do not hang", () => {
  const deep = layout(input(families.chain(20000)));
  assert.equal(deep.x.length, 20000);
  const nodes = [0, 1, 2].map(() => ({ w: 50, h: 30 }));
  const drawn = layout(input({ nodes, edges: [[0, 1], [1, 2], [2, 0]] }));
  assert.ok(drawn.paths.every((path) => path.every(Number.isFinite)));
});

test("separate graphs are set one after the other", () => {
  const nodes = Array.from({ length: 8 }, () => ({ w: 80, h: 40 }));
  const request = input({ nodes, edges: [[0, 1], [2, 3], [4, 5], [6, 7]] });
  assert.equal(overlaps(request, layout(request)), 0);
});

test("an empty graph is drawn as nothing", () => {
  assert.deepEqual(layout(input({ nodes: [], edges: [] })).bounds, { x: 0, y: 0, width: 0, height: 0 });
});

for (const [size, budget] of [[1000, 200], [10000, 1000]]) {
  test(`${size} vertices cost at most ${budget} ms of CPU`, () => {
    for (const family of Object.keys(families)) {
      const request = input(families[family](size));
      layout(request);
      let best = Infinity;
      for (let round = 0; round < 3 && best > budget; round++) {
        const start = process.cpuUsage();
        layout(request);
        const { user, system } = process.cpuUsage(start);
        best = Math.min(best, (user + system) / 1000);
      }
      assert.ok(best <= budget, `${family}: ${best} ms`);
    }
  });
}

test("isotonic regression keeps order and pools violators", () => {
  assert.deepEqual([...isotonic([1, 3, 2, 4], [1, 1, 1, 1])], [1, 2.5, 2.5, 4]);
  assert.deepEqual([...isotonic([5, 0], [3, 1])], [3.75, 3.75]);
});
