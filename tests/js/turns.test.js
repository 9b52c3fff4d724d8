/** A long loop shows the turn at hand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Recorder } from "./fixtures/record.js";
import { LIGHT } from "../../static/js/scene/colour.js";
import { roughMeasure } from "../../static/js/scene/marks.js";
import { draftScene, Scene, wholeGraph, withTurns } from "../../static/js/scene/scene.js";
import { sameTurns, trainingLoops, turnsAt } from "../../static/js/scene/training.js";
import { turnsFor } from "../../static/js/scene/turns.js";
import { layout } from "../../static/js/layout/layered.js";
import { indexTrace, stateAt } from "../../static/js/trace.js";

/** y = y · w · 2, turn by turn, and one pass in the end: the graph goes through all turns. */
function chain(turns = 60) {
  const r = new Recorder();
  const w = r.at(1).leaf("w", 1);
  let y = w;
  for (let i = 0; i < turns; i++) {
    r.at(2).enter("loop", "for i", i);
    y = r.bind(r.at(3).op("mul", r.op("mul", r.op("mul", y, w), 2), 3), "y");
    r.exit();
  }
  r.at(6).backward(y);
  return r.document;
}

function drawn(whole) {
  const draft = draftScene(whole, {
    folded: whole.folded,
    measure: roughMeasure,
    palette: LIGHT,
    view: { width: 720, height: 560 },
  });
  return new Scene(draft, layout(draft.input), LIGHT);
}

const boxes = (scene) => scene.items.flatMap(({ group }) => (group ? [scene.whole.groups.get(group).label] : []));

function follow(scene, t) {
  const turns = turnsFor(scene, stateAt(scene.trace, t).event, t);
  return turns ? drawn(withTurns(scene.whole, scene.folded, turns)) : scene;
}

test("at first the first turn stands out, and the others are one box", () => {
  const scene = drawn(wholeGraph(indexTrace(chain())));
  assert.deepEqual(boxes(scene), ["iterations 1 … 59"]);
});

test("the turn in which something happens stands out, those before and after it are gathered", () => {
  let scene = drawn(wholeGraph(indexTrace(chain())));
  const { trace } = scene;
  const first = scene;
  const nodes = trace.document.nodes.filter((node) => !node.variable);
  const ranAt = (turn) =>
    trace.events.findIndex((event) => event.kind === "node" && event.node === nodes[turn * 3 + 1].id) + 1;
  assert.equal(follow(scene, ranAt(0)), first, "what is in sight stays");
  scene = follow(scene, ranAt(7));
  assert.deepEqual(boxes(scene), ["iterations 0 … 6", "iterations 8 … 59"]);
  assert.equal(follow(scene, ranAt(7)), scene);
  scene = follow(scene, ranAt(59));
  assert.deepEqual(boxes(scene), ["iterations 0 … 58"]);
  scene = follow(scene, ranAt(1));
  assert.deepEqual(boxes(scene), ["iteration 0", "iterations 2 … 59"]);
});

test("what a reader has folded stays folded", () => {
  const whole = wholeGraph(indexTrace(chain()));
  const loop = [...whole.groups.values()].find((group) => group.kind === "loop" && !group.gathers);
  const scene = drawn({ ...whole, folded: new Set([loop.id]) });
  assert.equal(
    turnsFor(scene, stateAt(scene.trace, scene.trace.events.length - 1).event, scene.trace.events.length - 1),
    null,
  );
});

test("a loop of some ten turns is gathered too, once the program is too long to be read as a whole", () => {
  assert.deepEqual(boxes(drawn(wholeGraph(indexTrace(chain(24))))), ["iterations 1 … 23"]);
  assert.deepEqual(boxes(drawn(wholeGraph(indexTrace(chain(10))))), []);
});

/** h = h · w[i] · x, with as many weights as asked for and another constant at each turn. */
function recurrence(weights, turns = 40) {
  const r = new Recorder();
  const all = Array.from({ length: weights }, (_, i) => r.at(1).leaf(`w${i}`, i + 1));
  let h = r.at(2).leaf("h", 1);
  for (let i = 0; i < turns; i++) {
    r.at(3).enter("loop", "for i", i);
    const x = r.at(4).leaf(`x${i}`, 2, false);
    h = r.bind(r.at(5).op("mul", r.op("mul", h, all[i % weights]), x), "h");
    r.exit();
  }
  r.at(6).backward(h);
  return r.document;
}

test("what only gathered turns use is gathered with them: constants always, leaves when they are many", () => {
  const leaves = (/** @type {number} */ weights) => {
    const scene = drawn(wholeGraph(indexTrace(recurrence(weights))));
    assert.deepEqual(boxes(scene), ["iterations 1 … 39"]);
    return [...new Set(scene.items.flatMap(({ tensor }) => scene.trace.tensors.get(tensor)?.name ?? []))].sort();
  };
  assert.deepEqual(leaves(1), ["h", "w0", "x0"]);
  assert.deepEqual(leaves(4), ["h", "w0", "w1", "w2", "w3", "x0"]);
  assert.deepEqual(leaves(8), ["h", "w0", "x0"], "seven others are in the box");
});

test("where a box has swallowed a leaf, the card beside the turn at hand stands in for it, with its tank", () => {
  let scene = drawn(wholeGraph(indexTrace(recurrence(8))));
  const { trace } = scene;
  const t =
    trace.events.findIndex(
      (event) =>
        event.kind === "node" &&
        trace.nodes.get(event.node)?.next_functions.some((next) => next && trace.nodes.get(next[0])?.variable === "t3"),
    ) + 1;
  scene = follow(scene, t);
  const shown = scene.items.flatMap((item, i) =>
    item.kind === "card" && item.tensor === "t3" ? [scene.plans[i]] : [],
  );
  assert.deepEqual(
    shown.map((plan) => [plan.name, plan.leaf]),
    [["w3", true]],
  );
});

test("a short loop shows all its turns", () => {
  const whole = wholeGraph(indexTrace(chain(6)));
  assert.ok([...whole.groups.values()].every((group) => !group.gathers));
});

/** Steps of w −= ∂(w·w)/∂w; with `graph` each turn's loss contains the one before. */
function training(turns, graph = false) {
  const r = new Recorder();
  const w = r.at(1).leaf("w", 1);
  let before = null;
  for (let i = 0; i < turns; i++) {
    r.at(2).enter("loop", "for i", i);
    const square = r.op("mul", w, w);
    const loss = r.bind(r.at(3).op("mul", square, before ?? 2), "loss");
    if (graph) before = loss;
    r.at(4).backward(loss);
    r.at(5).write(w, { shape: [], data: [1 / (i + 2)] });
    r.exit();
  }
  return indexTrace(r.document);
}

test("the turn of a training loop that is drawn is the last that has begun", () => {
  const trace = training(4);
  const [loop] = trainingLoops(trace).keys();
  const turn = (t) => turnsAt(trace, t).get(loop);
  const writes = trace.events.flatMap((event, i) => (event.kind === "write" ? [i + 1] : []));
  assert.equal(turn(0), 0);
  assert.equal(turn(writes[1]), 1, "until the next turn's first op");
  assert.equal(turn(writes[1] + 1), 2);
  assert.equal(turn(trace.events.length), 3);
  assert.equal(trainingLoops(trace).get(loop).total, 4);
  assert.ok(sameTurns(turnsAt(trace, 0), turnsAt(trace, 1)) && !sameTurns(turnsAt(trace, 0), turnsAt(trace, 1000)));
});

test("turns whose graphs are connected, and loops with one pass, are drawn as they are", () => {
  assert.equal(trainingLoops(training(4, true)).size, 0);
  assert.equal(trainingLoops(training(1)).size, 0);
  assert.equal(trainingLoops(indexTrace(chain(6))).size, 0);
});
