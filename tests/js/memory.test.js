/** What backward holds: arithmetic on documents made by hand. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { lineOf, outline, stepAt } from "../../static/js/memory/line.js";
import { checkpointing, heldAt, kindsAt, memoryOf, sharesAt, sizeOf } from "../../static/js/memory/model.js";
import { linesAt, modulesAt, offersOf } from "../../static/js/memory/modules.js";
import { besides, bytes, offerWords, percent } from "../../static/js/memory/words.js";
import { PartsHeld } from "../../static/js/memory/parts.js";
import { passTree } from "../../static/js/map/tree.js";
import { indexTrace, stops } from "../../static/js/trace.js";
import { Book } from "../../static/js/ui/book.js";

/**
 * A document of ops in a row, each made of the one before, and of what happens then.
 * @typedef {{keeps?: string[], scope?: string, line?: number, freed?: number}} Made  an op: the storages its node keeps
 * @param {Made[]} ops
 * @param {Record<string, [number, string, (string | null)?]>} storages bytes, kind, tensor
 * @param {object[]} after events
 * @param {object[]} scopes
 */
function made(ops, storages, after = [], scopes = []) {
  const names = ops.map((_, i) => i + 1);
  return indexTrace(
    /** @type {any} */ ({
      source: { code: "" },
      stdout: "",
      values: {},
      globals: [],
      warnings: [],
      modules: [{ path: "net", type: "Net", parameters: [] }],
      tensors: [0, ...names].map((i) => ({
        id: `t${i}`,
        name: `x${i}`,
        path: null,
        shape: [2],
        dtype: "float32",
        requires_grad: true,
        is_leaf: i === 0,
        grad_fn: i ? `n${i}` : null,
        output_nr: 0,
        line: i,
        scope: null,
      })),
      nodes: names.map((i) => ({
        id: `n${i}`,
        name: "MulBackward0",
        next_functions: [i > 1 ? [`n${i - 1}`, 0] : null],
        variable: null,
        saved: {},
        attributes: {},
        op: `o${i}`,
        line: ops[i - 1].line ?? i,
        scope: ops[i - 1].scope ?? null,
        formula: {},
        freed: ops[i - 1].freed,
        keeps: ops[i - 1].keeps?.map((name) => {
          const storage = name.replace("ctx.", "");
          return { name, storage, tensor: storages[storage][2] ?? null };
        }),
      })),
      ops: names.map((i) => ({
        id: `o${i}`,
        name: "mul",
        inputs: [`t${i - 1}`],
        outputs: [`t${i}`],
        node: `n${i}`,
        line: i,
        scope: ops[i - 1].scope ?? null,
      })),
      scopes,
      storages: Object.entries(storages).map(([id, [size, kind, tensor = null]]) => ({
        id,
        bytes: size,
        kind,
        tensor,
      })),
      events: [...names.map((i) => ({ kind: "op", op: `o${i}`, line: i })), ...after],
    }),
  );
}

/** @param {ReturnType<typeof made>} trace */
const memory = (trace) => /** @type {NonNullable<ReturnType<typeof memoryOf>>} */ (memoryOf(trace));

/** @param {number} call @param {number[]} nodes @param {boolean} [retain] */
const pass = (call, nodes, retain = false) => [
  { kind: "backward", call, roots: [[`n${nodes[0]}`, 0]], gradients: [null], retain_graph: retain, reachable: [] },
  ...nodes.flatMap((i) => [
    { kind: "node", call, node: `n${i}`, grad_outputs: [], grad_inputs: [], sends: [], ready: [] },
    ...(retain ? [] : [{ kind: "release", call, node: `n${i}` }]),
  ]),
  { kind: "backward_end", call },
];

/** @param {ReturnType<typeof made>} trace */
const heights = (trace) => trace.events.map((_, i) => heldAt(memory(trace), i + 1));

test("forward climbs, backward descends, and the peak is at the end of forward", () => {
  const trace = made(
    [{ keeps: ["a"] }, { keeps: ["b"] }],
    { a: [100, "activation"], b: [20, "activation"] },
    pass(0, [2, 1]),
  );
  // op op backward node release node release end
  assert.deepEqual(heights(trace), [100, 120, 120, 120, 100, 100, 0, 0]);
  assert.deepEqual(memory(trace).peak, { t: 2, bytes: 120 });
  assert.equal(heldAt(memory(trace), 0), 0);
});

test("a block that two nodes keep counts once, until the last of them lets go", () => {
  const trace = made([{ keeps: ["a"] }, { keeps: ["a", "a"] }], { a: [100, "activation"] }, pass(0, [2, 1]));
  assert.deepEqual(heights(trace), [100, 100, 100, 100, 100, 100, 0, 0]);
});

test("parameters, buffers and inputs are told apart", () => {
  const trace = made(
    [{ keeps: ["w", "x"] }, { keeps: ["w", "a", "m"] }],
    { w: [40, "parameter"], x: [8, "input"], a: [100, "activation"], m: [4, "buffer"] },
    pass(0, [2, 1]),
  );
  assert.equal(memory(trace).peak.bytes, 100);
  const kinds = kindsAt(memory(trace), 2);
  assert.deepEqual(Object.fromEntries(kinds), { parameter: 40, buffer: 4, input: 8, activation: 100 });
  assert.equal(besides(kinds), "40 bytes of parameters, 8 bytes of inputs, 4 bytes of buffers");
  assert.equal(besides(kindsAt(memory(trace), 0)), "");
});

test("retain_graph holds everything until a later pass releases it", () => {
  const trace = made([{ keeps: ["a"] }, { keeps: ["b"] }], { a: [100, "activation"], b: [20, "activation"] }, [
    ...pass(0, [2, 1], true),
    ...pass(1, [2, 1]),
  ]);
  assert.deepEqual(heights(trace), [100, 120, 120, 120, 120, 120, 120, 120, 100, 100, 0, 0]);
});

test("what is never released is held to the end", () => {
  const trace = made([{ keeps: ["a"] }, { keeps: ["b"] }], { a: [100, "activation"], b: [20, "activation"] });
  assert.deepEqual(heights(trace), [100, 120]);
});

test("a graph that the program drops is held until then, and what hangs on ctx beyond its release", () => {
  const trace = made(
    [{ keeps: ["a"], freed: 3 }, { keeps: ["b", "ctx.c"] }],
    { a: [100, "activation"], b: [20, "activation"], c: [3, "activation"] },
    pass(0, [2]),
  );
  // op op backward node release end
  assert.deepEqual(heights(trace), [100, 123, 123, 23, 3, 3]);
});

test("a document that does not tell has no memory", () => {
  const trace = made([{}], {});
  assert.equal(memoryOf(trace), null);
});

const SCOPES = [
  { id: "s0", parent: null, kind: "program", label: "program", line: null, iteration: null },
  { id: "s1", parent: "s0", kind: "module", label: "Net", line: 1, iteration: null },
  { id: "s2", parent: "s1", kind: "module", label: "blocks.0: Block", line: 1, iteration: null },
  { id: "s3", parent: "s1", kind: "module", label: "blocks.1: Block", line: 1, iteration: null },
  { id: "s4", parent: "s2", kind: "module", label: "fc: Linear", line: 1, iteration: null },
];

/** Two blocks of two ops each, then a loss; each op keeps what the one before made. */
const twoBlocks = () =>
  made(
    [
      { keeps: ["x"], scope: "s4", line: 7 },
      { keeps: ["a"], scope: "s2", line: 8 },
      { keeps: ["b"], scope: "s3", line: 7 },
      { keeps: ["c"], scope: "s3", line: 8 },
      { keeps: ["d"], scope: "s0", line: 20 },
    ],
    {
      x: [10, "input", "t0"],
      a: [100, "activation", "t1"],
      b: [10, "activation", "t2"],
      c: [100, "activation", "t3"],
      d: [10, "activation", "t4"],
    },
    pass(0, [5, 4, 3, 2, 1]),
    SCOPES,
  );

test("what is held at a moment, by module and by line", () => {
  const trace = twoBlocks();
  const { peak } = memory(trace);
  assert.deepEqual(peak, { t: 5, bytes: 220 });
  assert.deepEqual(modulesAt(memory(trace), peak.t), [
    ["net.blocks.1", 110],
    ["net.blocks.0", 100],
    ["", 10],
  ]);
  assert.deepEqual(linesAt(memory(trace), peak.t), [
    [8, 200],
    [7, 10],
    [20, 10],
  ]);
});

test("what a module holds besides its modules is its own", () => {
  const trace = made(
    [
      { keeps: ["a"], scope: "s4" },
      { keeps: ["b"], scope: "s2" },
      { keeps: ["c"], scope: "s3" },
    ],
    { a: [3, "activation"], b: [2, "activation"], c: [1, "activation"] },
    [],
    SCOPES,
  );
  assert.deepEqual(modulesAt(memory(trace), 3), [
    ["net.blocks.0.fc", 3],
    ["net.blocks.0 itself", 2],
    ["net.blocks.1", 1],
  ]);
});

test("checkpointing a module keeps what it was given, and is computed again when the pass comes to it", () => {
  const trace = twoBlocks();
  const at = memory(trace);
  // The first block: its `a` is not there at the end of forward (220 → 120), but when the second is done it is: 110.
  assert.deepEqual(checkpointing(at, ["s2"]), { frees: 100, ops: 2 });
  // The second: `c` is there again when the loss's `d` is gone: 100 + 10 + 100.
  assert.deepEqual(checkpointing(at, ["s3"]), { frees: 10, ops: 2 });
  // Both: 10 + 10 at the end of forward; then `b` and `c`.
  assert.deepEqual(checkpointing(at, ["s2", "s3"]), { frees: 110, ops: 4 });
  // All of it: everything but the loss's is there again at once.
  assert.deepEqual(checkpointing(at, ["s1"]), { frees: 10, ops: 4 });
});

test("what is offered: alike blocks together, and no module that computes more for the same", () => {
  const trace = twoBlocks();
  const offers = offersOf(memory(trace));
  assert.deepEqual(offers, [
    { name: "net.blocks.0–1", frees: 110, ops: 4 },
    { name: "net.blocks.0", frees: 100, ops: 2 },
  ]); // the second alone would free 10 of 220, which is no help
  assert.equal(
    offerWords(offers[1], 220),
    "Checkpointing net.blocks.0 would free 100 bytes of the 220 bytes at the peak, and compute 2 ops again.",
  );
});

test("blocks that hold little each are offered together", () => {
  const blocks = [...Array(40).keys()];
  const [program, net] = SCOPES;
  const scopes = blocks.map((i) => ({ ...SCOPES[2], id: `b${i}`, label: `blocks.${i}: Block` }));
  const ops = blocks.flatMap((i) => [
    { scope: `b${i}`, keeps: [`a${i}`] },
    { scope: `b${i}`, keeps: [`c${i}`] },
  ]);
  const storages = Object.fromEntries(
    blocks.flatMap((i) => [
      [`a${i}`, /** @type {[number, string, string]} */ ([1, "activation", `t${2 * i}`])],
      [`c${i}`, /** @type {[number, string, string]} */ ([9, "activation", `t${2 * i + 1}`])],
    ]),
  );
  const trace = made(ops, storages, pass(0, blocks.flatMap((i) => [2 * i + 1, 2 * i + 2]).reverse()), [
    program,
    net,
    ...scopes,
  ]);
  const [first, ...others] = offersOf(memory(trace));
  // At the peak 40 of 400 bytes are left, what each was given, and what the last one computes again.
  assert.deepEqual([first.name, first.frees, first.ops], ["net.blocks.0–39", 400 - 49, 80]);
  assert.deepEqual(others, []);
});

test("what is given to a module and was kept by nobody costs its bytes", () => {
  const trace = made(
    [{}, { scope: "s2" }, { keeps: ["a"], scope: "s2" }, { keeps: ["b"] }],
    { a: [100, "activation", "t2"], b: [50, "activation", "t3"] },
    pass(0, [4, 3, 2, 1]),
    SCOPES,
  );
  // `x1`, two float32, is kept from the first op of the module on.
  assert.deepEqual(checkpointing(memory(trace), ["s2"]), { frees: 150 - 108, ops: 2 });
});

test("bytes as people read them", () => {
  const written = [0, 1, 12, 1023, 1024, 1536, 12_600, 200_000, 1024 * 1023.9, 4.2 * 2 ** 20, 3 * 2 ** 30].map(bytes);
  const read = [
    "0 bytes",
    "1 byte",
    "12 bytes",
    "1023 bytes",
    "1 KB",
    "1.5 KB",
    "12.3 KB",
    "195 KB",
    "1 MB",
    "4.2 MB",
    "3 GB",
  ];
  assert.deepEqual(written, read);
  assert.deepEqual([percent(1, 3), percent(1, 1000), percent(0, 10), percent(1, 0)], ["33 %", "< 1 %", "0 %", "0 %"]);
});

test("the size of an element", () => {
  const sizes = ["float32", "bfloat16", "complex64", "bool", "int64", "float8_e4m3fn"].map(sizeOf);
  assert.deepEqual(sizes, [4, 2, 8, 1, 8, 1]);
});

test("in the engine's documents shares add up to what is held, and the line's top is the peak", () => {
  const folder = new URL("./fixtures/engine/", import.meta.url);
  let told = 0;
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
    const trace = indexTrace(JSON.parse(readFileSync(new URL(name, folder), "utf8")));
    const of = memoryOf(trace);
    if (!of) continue;
    told++;
    const steps = stops(trace);
    for (const t of steps) {
      const held = heldAt(of, t);
      const sum = [...sharesAt(of, t, (node) => node).values()].reduce((a, b) => a + b, 0);
      assert.equal(sum, held, `${name} at ${t}`);
      assert.ok(held >= 0 && held <= of.peak.bytes);
      assert.equal(kindsAt(of, t).get("activation") ?? 0, held);
    }
    const { columns } = lineOf(new Book(trace), steps, of);
    assert.equal(Math.max(...columns), of.peak.bytes ? 1 : 0, name);
    for (const { frees } of offersOf(of)) assert.ok(frees > 0 && frees <= of.peak.bytes, name);
  }
  assert.ok(told >= 10, `${told} documents tell of memory`);
});

test("parts of a pass hold what their nodes do", () => {
  const trace = twoBlocks();
  const tree = passTree(trace, trace.bands[0]);
  const held = new PartsHeld(trace, tree);
  const parts = new Map([...tree.of.values()].map((part) => [part.parent?.id, part.parent]));
  const box = { parts: [/** @type {any} */ (parts.get("s3"))] };
  assert.deepEqual(held.of(box), { now: 110, first: 110 });
  held.move(trace.events.length);
  assert.deepEqual(held.of(box), { now: 0, first: 110 });
  assert.equal(
    held.words(box),
    "Holds 0 bytes for backward, 110 bytes when the pass began. " +
      "Checkpointing net.blocks.1 would free 10 bytes of the 220 bytes at the peak, and compute 2 ops again.",
  );
  assert.equal(new PartsHeld(made([{}], {}, pass(0, [1])), tree).words(box), "");
});

test("the outline of columns, and the step at a place", () => {
  assert.equal(outline([]), "");
  assert.equal(outline([0, 0.5, 0.5, 1]), "M0 1V1H1V0.5H2H3V0H4V1Z");
  assert.deepEqual([stepAt(-1, 4), stepAt(0.3, 4), stepAt(1, 4)], [0, 1, 3]);
});

test("checkpointing lowers the peak by as much as in PyTorch", () => {
  const read = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(new URL(`./fixtures/memory/${name}`, import.meta.url), "utf8"));
  const trace = indexTrace(read("blocks.json"));
  const of = memory(trace);
  const { "": peak, ...peaks } = read("blocks.torch.json");
  assert.equal(of.peak.bytes, peak);
  const scopes = [...trace.scopes.values()].filter(({ kind }) => kind === "module");
  /** @param {string | null} id @returns {string} */
  const path = (id) => {
    const { kind, label, parent } = trace.scopes.get(id ?? "") ?? { kind: "", label: "", parent: null };
    const around = parent ? path(parent) : "";
    return kind === "module" && label.includes(": ") ? `${around}${label.split(": ")[0]}.` : around;
  };
  for (const [modules, after] of Object.entries(peaks)) {
    const calls = modules.split(" ").map((name) => scopes.find(({ id }) => path(id) === `${name}.`)?.id ?? name);
    assert.equal(checkpointing(of, calls).frees, peak - after, modules);
  }
});
