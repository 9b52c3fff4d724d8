/** How long it took: sums over documents made by hand. */
import assert from "node:assert/strict";
import test from "node:test";
import { PartsHeld } from "../../static/js/memory/parts.js";
import { passTree } from "../../static/js/map/tree.js";
import { byLine, byModule, duration, secondsOf, tookOf, whole } from "../../static/js/seconds/model.js";
import { indexTrace } from "../../static/js/trace.js";

const timing = { wall: 9, threads: 1, clocks: [] };

/**
 * A chain of ops, each with a node, and a leaf that the first one is made of; a pass goes through all of it.
 * @param {{forward?: number, backward?: number, scope?: string, line?: number}[]} ops
 * @param {{scopes?: object[], grad?: number, during?: {seconds: number, by: number}, timing?: object | null}} [more]
 */
function made(ops, { scopes = [], grad, during, timing: told = timing } = {}) {
  const nodes = ops.map(({ scope = "s0", line = 1 }, i) => ({
    id: `n${i}`,
    name: "SinBackward0",
    op: `o${i}`,
    line,
    scope,
    variable: null,
    next_functions: [[i ? `n${i - 1}` : "leaf", 0]],
  }));
  const leaf = {
    id: "leaf",
    name: "AccumulateGrad",
    op: null,
    line: null,
    scope: "s0",
    variable: "t",
    next_functions: [],
  };
  const rows = ops.map(({ forward, scope = "s0", line = 1 }, i) => ({
    id: `o${i}`,
    name: "sin",
    inputs: [i ? `t${i - 1}` : "t"],
    outputs: [`t${i}`],
    node: `n${i}`,
    line,
    scope,
    ...(forward === undefined ? {} : { seconds: forward }),
  }));
  const inner = during && { id: "inner", name: "mul", inputs: [], outputs: [], node: null, line: 7, scope: "s0" };
  const ran = (/** @type {string} */ node, /** @type {number | undefined} */ seconds) => ({
    kind: "node",
    call: 0,
    node,
    grad_outputs: [null],
    grad_inputs: [],
    sends: [],
    ready: [],
    ...(seconds === undefined ? {} : { seconds }),
  });
  const events = [
    ...rows.map(({ id }) => ({ kind: "op", op: id })),
    { kind: "backward", call: 0, roots: [[`n${ops.length - 1}`, 0]], gradients: [null], reachable: [], line: 1 },
    ...[...ops.keys()]
      .reverse()
      .flatMap((i) => [...(during?.by === i ? [{ kind: "op", op: "inner" }] : []), ran(`n${i}`, ops[i].backward)]),
    ran("leaf", grad),
    { kind: "backward_end", call: 0 },
  ];
  return indexTrace(
    /** @type {any} */ ({
      source: { code: "" },
      values: {},
      tensors: [],
      modules: [],
      nodes: [...nodes, leaf],
      ops: [...rows, ...(inner ? [{ ...inner, seconds: during.seconds }] : [])],
      scopes: [{ id: "s0", parent: null, kind: "program", label: "program" }, ...scopes],
      events,
      limits: {},
      ...(told ? { timing: told } : {}),
    }),
  );
}

/** @param {string} id @param {string} parent @param {string} label */
const module = (id, parent, label) => ({ id, parent, kind: "module", label });

test("a document that was not measured has none", () => {
  assert.equal(secondsOf(made([{}], { timing: null })), null);
});

test("forward is what ops took, backward what nodes took, and what they ran", () => {
  const trace = made(
    [
      { forward: 1, backward: 2, line: 3 },
      { forward: 4, line: 4 },
    ],
    { grad: 8, during: { seconds: 16, by: 0 } },
  );
  const seconds = secondsOf(trace);
  assert.ok(seconds);
  assert.deepEqual([seconds.forward, seconds.backward], [5, 26]);
  assert.deepEqual(byLine(seconds), [
    [3, { forward: 1, backward: 18 }],
    [null, { forward: 0, backward: 8 }],
    [4, { forward: 4, backward: 0 }],
  ]);
  // The op inside of a node is the node's, and the leaf goes with the node that sends to it.
  assert.deepEqual(
    tookOf(trace, (node) => node === "n0"),
    { forward: 1, backward: 26 },
  );
});

test("modules that took longest are opened while there is room", () => {
  const scopes = [
    module("net", "s0", "Net"),
    module("a", "net", "a: Layer"),
    module("a0", "a", "0: Part"),
    module("a1", "a", "1: Part"),
    module("b", "net", "b: Layer"),
    module("b0", "b", "0: Part"),
    module("b1", "b", "1: Part"),
  ];
  const ops = ["a0", "a1", "b0", "b1", "net", "s0"].map((scope, i) => ({ scope, forward: 2 ** (6 - i), backward: 0 }));
  const seconds = secondsOf(made(ops, { scopes }));
  assert.ok(seconds);
  const told = (/** @type {number} */ most) => byModule(seconds, most).map(([name, took]) => [name, whole(took)]);
  assert.deepEqual(told(6), [
    ["Net.a.0", 64],
    ["Net.a.1", 32],
    ["Net.b.0", 16],
    ["Net.b.1", 8],
    ["Net itself", 4],
    ["", 2],
  ]);
  assert.deepEqual(told(5), [
    ["Net.a.0", 64],
    ["Net.a.1", 32],
    ["Net.b", 24],
    ["Net itself", 4],
    ["", 2],
  ]);
  assert.deepEqual(told(2), [
    ["Net", 124],
    ["", 2],
  ]);
});

test("a box of the map says its share", () => {
  const scopes = [module("net", "s0", "Net"), module("a", "net", "a: Layer"), module("b", "net", "b: Layer")];
  const ops = ["a", "a", "b", "b"].map((scope) => ({ scope, forward: 0.001, backward: 0.002 }));
  const trace = made(ops, { scopes, grad: 0.004 });
  const tree = passTree(trace, trace.bands[0]);
  const [layer] = [...new Set([...tree.of.values()].map(({ parent }) => parent))].filter((part) => part?.id === "a");
  assert.ok(layer);
  const held = new PartsHeld(trace, tree);
  assert.equal(held.words({ parts: [layer] }), "Took 2 ms forward, 8 ms backward: 63 % of what was measured.");
});

test("durations have three digits and a unit", () => {
  const words = [0, 2.3e-9, 8.504e-4, 0.0142, 0.9996, 1, 2.3149, 1234.5].map(duration);
  assert.deepEqual(words, ["0 s", "2.3 ns", "850 µs", "14.2 ms", "1 s", "1 s", "2.31 s", "1,235 s"]);
});
