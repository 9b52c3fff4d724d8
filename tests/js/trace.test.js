/** The state of everything at time t, and the invariants a run document promises (docs/trace.md). */
import assert from "node:assert/strict";
import { summarize } from "../../static/js/trace/numbers.js";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import * as programs from "./fixtures/programs.js";
import {
  bandAt,
  changesBetween,
  edgeKey,
  formatNumber,
  formatShape,
  indexInPieces,
  indexTrace,
  playPlan,
  stateAt,
  stops,
  valueSummary,
} from "../../static/js/trace.js";

const number = (trace, ref) => trace.value(ref).data;
const at = (trace, kind, nth = 0) => trace.events.flatMap((event, i) => (event.kind === kind ? [i + 1] : []))[nth];

/** Documents as the engine writes them, beside those the small recorder makes. */
const folder = new URL("./fixtures/engine/", import.meta.url);
const written = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => [name, () => JSON.parse(readFileSync(new URL(name, folder), "utf8"))]);
const read = (name) => Object.fromEntries(written)[`${name}.json`]();

for (const [name, program] of [...Object.entries(programs), ...written]) {
  test(`${name}: every state keeps the promises of the document`, () => {
    const trace = indexTrace(program());
    const times = stops(trace);
    assert.equal(times[0], 0);
    assert.equal(times.at(-1), trace.events.length);
    assert.ok(times.every((t, i) => i === 0 || t > times[i - 1]));
    for (const t of times.slice(0, 120)) {
      for (const [id, node] of stateAt(trace, t).nodes) {
        assert.ok(node.arrived <= node.expected, `${id} at ${t}`);
        assert.equal(node.slots.filter((slot) => slot.value !== undefined).length, node.arrived);
        if (node.phase === "ready" || node.phase === "running") assert.equal(node.arrived, node.expected);
        if (node.phase === "waiting") assert.ok(node.arrived < node.expected);
      }
    }
    const end = stateAt(trace, trace.events.length);
    for (const record of trace.document.tensors) {
      if (!end.tensors.has(record.id)) continue;
      const { grad, value } = end.tensors.get(record.id);
      const data = (ref) => (ref && ref !== "none" ? trace.value(ref).data : null);
      assert.deepEqual(data(grad), data(record.grad), `${record.name}.grad`);
      if (record.name) assert.deepEqual(data(value), data(record.final), `${record.name} at the end`);
    }
    for (const event of trace.events) {
      const at = trace.events.indexOf(event);
      const last = trace.events.slice(0, at).findLast(({ kind }) => kind !== "accumulate");
      if (event.kind !== "node" || last.kind === "hook") continue; // a hook may have replaced it
      const before = stateAt(trace, at);
      for (const [nr, ref] of event.grad_outputs.entries()) {
        assert.deepEqual(trace.value(before.nodes.get(event.node).sums[nr])?.data, trace.value(ref)?.data);
      }
      if (trace.events.length > 500) break;
    }
  });
}

test("a gradient that is not yet there, None, and zero are three things", () => {
  const trace = indexTrace(programs.scalars());
  assert.equal(stateAt(trace, 0).tensors.get("t0").grad, null, "before the tensor exists there is no .grad");
  const born = stateAt(trace, 1).tensors.get("t0");
  assert.deepEqual([born.created, born.grad, born.inFlight], [true, "none", undefined]);
  const seeded = stateAt(trace, at(trace, "backward"));
  assert.equal(seeded.tensors.get("t0").inFlight, undefined);
  const e = trace.document.globals.e;
  assert.equal(number(trace, seeded.tensors.get(e).inFlight), 1);
  assert.equal(seeded.tensors.get(e).role, "seed");
});

test("the seed example sends 4 to a and b and 5 to d", () => {
  const trace = indexTrace(programs.scalars());
  const end = stateAt(trace, trace.events.length);
  const grad = (name) => number(trace, end.tensors.get(trace.document.globals[name]).grad);
  assert.deepEqual(["a", "b", "d"].map(grad), [4, 4, 5]);
  assert.equal(end.stdout, trace.document.stdout);
});

test("a fan-in waits: one of two, then both, then it runs", () => {
  const trace = indexTrace(programs.vector());
  const leaf = trace.edges.accumulator.get(trace.document.globals.x);
  const seen = [
    ...new Set(
      Array.from({ length: trace.events.length + 1 }, (_, t) => {
        const { phase, arrived, expected } = stateAt(trace, t).nodes.get(leaf);
        return `${phase} ${arrived}/${expected}`;
      }),
    ),
  ];
  assert.deepEqual(seen, ["idle 0/0", "waiting 0/2", "waiting 1/2", "ready 2/2", "running 2/2", "done 2/2"]);
});

test("a second backward call starts clean but keeps .grad; freed nodes stay freed", () => {
  const trace = indexTrace(programs.twice());
  const [first, second] = [at(trace, "backward", 0), at(trace, "backward", 1)];
  const x = trace.document.globals.x;
  const node = trace.document.tensors.at(-1).grad_fn;
  const between = stateAt(trace, second);
  assert.equal(number(trace, between.tensors.get(x).grad), 6);
  assert.equal(between.tensors.get(x).inFlight, undefined);
  assert.equal(between.edges.get(edgeKey(node, 0)).phase, "none");
  assert.equal(stateAt(trace, second - 1).nodes.get(node).freed, false, "retain_graph keeps what was saved");
  const end = stateAt(trace, trace.events.length);
  assert.equal(end.nodes.get(node).freed, true);
  assert.equal(number(trace, end.tensors.get(x).grad), 12);
  assert.equal(bandAt(trace, first).call, 0);
  assert.equal(bandAt(trace, at(trace, "backward_end", 0)), null);
});

test("going back gives the state going forth gave", () => {
  const trace = indexTrace(programs.perceptron());
  const times = stops(trace);
  const dump = (t) =>
    JSON.stringify([...stateAt(trace, t).nodes].map(([id, node]) => [id, node.phase, node.arrived, node.sum]));
  const forth = times.map(dump);
  trace.states.clear();
  const back = times.toReversed().map(dump).toReversed();
  assert.deepEqual(back, forth);
});

test("changesBetween names what differs and nothing that cannot", () => {
  const trace = indexTrace(programs.vector());
  const t = at(trace, "node", 1);
  const { nodes, edges } = changesBetween(trace, t - 1, t);
  assert.ok(nodes.has(trace.events[t - 1].node));
  assert.ok(edges.has(edgeKey(trace.events[t - 1].node, 0)));
  assert.equal(changesBetween(trace, t, t).nodes.size, 0);
});

test("an accumulation and the node event of its leaf are one step, in either order", () => {
  const document = programs.scalars();
  const count = stops(indexTrace(document)).length;
  const i = document.events.findIndex((event) => event.kind === "accumulate");
  [document.events[i - 1], document.events[i]] = [document.events[i], document.events[i - 1]];
  assert.equal(stops(indexTrace(document)).length, count);
});

test("ten thousand events are indexed in half a second of CPU, and any state is there at once", () => {
  const document = programs.chain(3400);
  const cpu = (work) => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  let trace = indexTrace(document);
  assert.ok(trace.events.length > 10000);
  assert.ok(Math.min(...[1, 2, 3].map(() => cpu(() => (trace = indexTrace(document))))) < 500);
  const scrub = () => {
    for (let i = 0; i < 2000; i++) stateAt(trace, (i * 7919) % trace.events.length).nodes.get("n40");
  };
  assert.ok(Math.min(cpu(scrub), cpu(scrub)) / 2000 < 0.2);
});

test("a play never moves for longer than twelve seconds", () => {
  for (const program of [programs.scalars, programs.doubling, programs.perceptron, programs.chain]) {
    const trace = indexTrace(program());
    const plan = playPlan(trace);
    assert.equal(plan.at(-1).t, trace.events.length);
    assert.ok(plan.reduce((sum, beat) => sum + beat.ms, 0) <= 12001);
  }
  assert.deepEqual(
    playPlan(indexTrace(programs.scalars())).map(({ t }) => t),
    stops(indexTrace(programs.scalars())).slice(1),
  );
});

test("numbers", () => {
  const cases = [
    [2, "2"],
    [0.5, "0.5"],
    [0.05423, "0.05423"],
    [0.10000000149, "0.1"],
    [1 / 3, "0.3333"],
    [0.0001, "0.0001"],
    [0.00099996, "0.001"],
    [0.0000999996, "0.0001"],
    [0.00005, "5e-5"],
    [0.0000125, "1.25e-5"],
    [-590.4467, "−590.4"],
    [1024, "1024"],
    [12345, "12345"],
    [12345.6, "12350"],
    [99999, "99999"],
    [99999.6, "1e5"],
    [123456, "1.23e5"],
    [1e30, "1e30"],
    [0, "0"],
    [-0, "0"],
    ["NaN", "nan"],
    ["Infinity", "inf"],
    ["-Infinity", "−inf"],
    [true, "True"],
  ];
  for (const [x, text] of cases) assert.equal(formatNumber(x), text);
  assert.deepEqual(
    [3, -7, 1234567, 1e7, 2 ** 31].map((x) => formatNumber(x, "int64")),
    ["3", "−7", "1234567", "1e7", "2.15e9"],
    "integers keep their digits",
  );
  assert.deepEqual([[], [3], [2, 3]].map(formatShape), ["()", "(3,)", "(2, 3)"]);
});

test("a summary says how a value is drawn", () => {
  const trace = indexTrace(programs.perceptron(1, 20, 40));
  const forms = new Map(
    Object.keys(trace.document.values).map((ref) => [
      valueSummary(trace, ref).shapeText,
      valueSummary(trace, ref).form,
    ]),
  );
  assert.equal(forms.get("()"), "scalar");
  assert.equal(forms.get("(40, 20)"), "thumbnail");
  const zero = { shape: [2], dtype: "float32", data: [0, 0] };
  const broken = { shape: [2], dtype: "float32", data: ["NaN", 1] };
  trace.document.values.z = zero;
  trace.document.values.b = broken;
  assert.equal(valueSummary(trace, "z").zero, true);
  assert.deepEqual([valueSummary(trace, "b").broken, valueSummary(trace, "b").zero], [true, false]);
});

test("a folded vector has no cells beyond its end, which would look like zeros", () => {
  const value = { shape: [100], dtype: "float32", data: new Array(100).fill(1), norm: 10 };
  const summary = summarize(value);
  assert.equal(summary.form, "thumbnail");
  assert.equal(summary.cells.length, 100);
  assert.ok(summary.rows * summary.columns > 100 && !summary.exact);
});

test("while an inner backward runs, the gradients of the outer one stay in flight", () => {
  const trace = indexTrace(read("nested"));
  const [outer, inner] = trace.bands;
  assert.equal(inner.outer, outer);
  const before = stateAt(trace, inner.start);
  const within = stateAt(trace, inner.end - 1);
  const flying = [...before.nodes]
    .filter(([, node]) => node.phase === "waiting" || node.phase === "ready")
    .map(([id]) => id);
  assert.ok(flying.length >= 3);
  for (const id of flying) assert.deepEqual(within.nodes.get(id).sums, before.nodes.get(id).sums, id);
  for (const [key, edge] of before.edges) {
    if (edge.phase !== "none") assert.equal(within.edges.get(key).value, edge.value);
  }
});

test("an inner backward through the same nodes gives them back as it found them", () => {
  const trace = indexTrace(read("inner"));
  const [, inner] = trace.bands;
  const before = stateAt(trace, inner.start);
  const within = stateAt(trace, inner.end - 1);
  const after = stateAt(trace, inner.end);
  const shared = trace.events[inner.start].roots[0][0];
  assert.equal(within.nodes.get(shared).phase, "running");
  assert.equal(after.nodes.get(shared).phase, "waiting");
  assert.deepEqual(after.nodes.get(shared).sums, before.nodes.get(shared).sums);
  assert.deepEqual(after.ready, before.ready, "the queue of the outer pass is back");
});

test("what is printed after a step does not hide what the step was about", () => {
  const trace = indexTrace(read("hooks"));
  const end = trace.events.length;
  assert.equal(stateAt(trace, end).event.kind, "backward_end");
  const printed = trace.events.findIndex((event) => event.kind === "print") + 1;
  assert.equal(stateAt(trace, printed).event.kind, "accumulate");
});

test("a line that differentiates keeps the value it gives, not what the pass computes on the way", () => {
  const trace = indexTrace(read("second"));
  const band = trace.bands.find((each) => each.create_graph);
  const last = trace.events[band.end - 1];
  const bound = trace.events.findIndex(
    (event, i) => i >= band.end && event.kind === "bind" && event.line === band.line,
  );
  assert.equal(last.kind, "backward_end");
  assert.equal(stateAt(trace, band.end).lineValues.get(band.line), undefined);
  if (bound >= 0) assert.ok(stateAt(trace, bound + 1).lineValues.get(band.line));
});

test("an error is about what the document names, else about the tensors that do not fit", () => {
  const trace = indexTrace(read("misfit"));
  assert.deepEqual(
    trace.blame.tensors.map((id) => trace.label(id)),
    ["h", "w"],
  );
  assert.deepEqual(indexTrace(read("twice")).blame.nodes, read("twice").error?.nodes ?? []);
  assert.deepEqual(indexTrace(read("scalars")).blame, { tensors: [], nodes: [] });
  const other = { ...read("misfit"), error: { ...read("misfit").error, message: "name 'h' is not defined" } };
  assert.deepEqual(indexTrace(other).blame.tensors, [], "only where shapes or types are the matter");
});

test("a leaf that has accumulated is no longer in the queue while its hook runs", () => {
  const document = JSON.parse(readFileSync(new URL("./fixtures/engine/checkpoint.json", import.meta.url), "utf8"));
  const trace = indexTrace(document);
  const t = document.events.findIndex((event) => event.kind === "accumulate");
  const { node } = document.events[t];
  assert.deepEqual([stateAt(trace, t).ready.includes(node), stateAt(trace, t + 1).ready.includes(node)], [true, false]);
});

test("a long run is indexed in pieces, and is then what it is when indexed at once", async () => {
  const document = programs.chain(3000);
  let pauses = 0;
  const trace = await indexInPieces(document, async () => void pauses++);
  assert.ok(pauses >= 3);
  const t = Math.floor(trace.events.length * 0.8);
  const [a, b] = [stateAt(trace, t), stateAt(indexTrace(document), t)];
  assert.deepEqual(
    [a.ready, a.line, [...a.nodes.keys()].map((id) => a.nodes.get(id))],
    [b.ready, b.line, [...b.nodes.keys()].map((id) => b.nodes.get(id))],
  );
});
