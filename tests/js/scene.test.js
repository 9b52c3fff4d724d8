/**
 * The picture before it is painted: what is there, what it says, and that it says four different things four different
 * ways.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as programs from "./fixtures/programs.js";
import { overlaps } from "./fixtures/quality.js";
import { lookOf, sceneOf, textsOf } from "./fixtures/picture.js";
import { matchSnapshot } from "./fixtures/snapshot.js";
import { edgeKey, indexTrace, stateAt, stops } from "../../static/js/trace.js";
import { Moment, progressAt, STEP_MS } from "../../static/js/scene/moment.js";
import { overlay } from "../../static/js/scene/motion.js";
import { evaluate, parseFormula, withNumbers } from "../../static/js/scene/evaluate.js";
import { Colours, LIGHT, makeScale, readable } from "../../static/js/scene/colour.js";
import { drawGradient, planBlock } from "../../static/js/scene/blocks.js";
import { roughMeasure } from "../../static/js/scene/marks.js";
import { foldDeepest, foldToFit, openOne, openShallowest } from "../../static/js/scene/groups.js";
import { itemAt, itemsOnLines, neighbour, numberAt, referenceOf, searchItems } from "../../static/js/scene/navigate.js";
import { between, firstView, fitView, reveal, zoomAt } from "../../static/js/scene/view.js";
import { transitionStart } from "../../static/js/scene/transition.js";
import { Recorder } from "./fixtures/record.js";
import { symbolFor } from "../../static/js/scene/ops.js";
import { summarize } from "../../static/js/trace/numbers.js";

const names = (scene) =>
  scene.items.map((item, i) =>
    item.kind === "card" ? scene.plans[i].name : (scene.plans[i].label ?? scene.plans[i].title),
  );
const find = (scene, name) => names(scene).indexOf(name);

test("one card per tensor, one circle per op, leaves instead of AccumulateGrad", () => {
  const { scene } = sceneOf(programs.scalars());
  assert.deepEqual(names(scene).toSorted(), ["AddBackward0", "MulBackward0", "a", "b", "c", "d", "e"]);
  assert.equal(scene.links.length, 6);
});

test("forward runs left to right along every link", () => {
  for (const program of [programs.scalars, programs.vector, programs.perceptron]) {
    const { scene } = sceneOf(program());
    for (const { from, to } of scene.links) assert.ok(scene.row[from] !== scene.row[to] || scene.x[from] < scene.x[to]);
  }
});

for (const [name, program] of Object.entries(programs)) {
  test(`${name}: nothing overlaps, at every step everything can be drawn`, () => {
    const { scene, trace } = sceneOf(program());
    const size = { width: scene.plans.map((plan) => plan.w), height: scene.plans.map((plan) => plan.h) };
    assert.equal(overlaps(size, scene), 0);
    for (const t of stops(trace).slice(0, 60)) {
      const moment = new Moment(trace, t);
      scene.items.forEach((_, i) =>
        assert.ok(
          scene
            .itemMarks(i, moment)
            .every((mark) => !/NaN|undefined/.test(JSON.stringify(mark.type === "text" ? [mark.x, mark.y] : mark))),
        ),
      );
      scene.links.forEach((_, j) => assert.ok(Number.isFinite(scene.linkLook(j, moment).width)));
      overlay(scene, moment, progressAt(STEP_MS), { from: t, still: true });
    }
  });
}

test("the seed example at the step of AddBackward0", () => {
  const { scene, trace } = sceneOf(programs.scalars());
  const t =
    trace.events.findIndex((event) => event.kind === "node" && trace.nodes.get(event.node).name === "AddBackward0") + 1;
  matchSnapshot("scalars-add", lookOf(scene, new Moment(trace, t)));
});

test("the vector example with a fan-in half full and a broadcast undone", () => {
  const { scene, trace } = sceneOf(programs.vector());
  const t =
    trace.events.findIndex((event) => event.kind === "node" && trace.nodes.get(event.node).name === "MulBackward0") + 1;
  const moment = new Moment(trace, t, t - 1, "travel");
  matchSnapshot(
    "vector-mul-travelling",
    lookOf(scene, moment, { stage: "travel", part: 0.5 }, { from: t - 1, still: false }),
  );
  const texts = textsOf(scene, moment, { stage: "travel", part: 0.5 }, { from: t - 1, still: false });
  assert.ok(texts.includes("waiting 1/2"), "the receiver still waits while packets travel");
  assert.ok(texts.includes("w was broadcast, so its gradient is summed"));
  assert.ok(textsOf(scene, new Moment(trace, t)).includes("2/2 arrived"));
});

test("not yet, None, zero and NaN look different", () => {
  const colours = new Colours(LIGHT, makeScale(1, 1));
  const one = (x) => summarize({ shape: [], dtype: "float32", data: x });
  const block = planBlock([one(1)], roughMeasure, []);
  const looks = ["not yet", "none", one(0), one("NaN"), one(0.5), one(-0.5)].map((shown) =>
    JSON.stringify(drawGradient(block, 0, 0, shown, colours)),
  );
  assert.equal(new Set(looks).size, looks.length);
  assert.match(looks[0], /"dash":"2 2.5"/);
  assert.match(looks[1], /"None"/);
  assert.ok(looks[2].includes(LIGHT["zero-solid"]) && looks[3].includes(LIGHT.nan));
});

test("hue is the sign, whatever the size; text on it can be read", () => {
  const scale = makeScale(10, 10);
  const colours = new Colours(LIGHT, scale);
  const channel = (hex, i) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16);
  for (const x of [0.1, 0.3, 5, 10, 1e9]) {
    assert.ok(channel(colours.cell(x), 2) >= channel(colours.cell(x), 0), `${x} is bluish`);
    assert.ok(channel(colours.cell(-x), 0) >= channel(colours.cell(-x), 2), `${-x} is orange`);
    assert.equal(scale.strength(x), -scale.strength(-x));
  }
  assert.equal(scale.strength(1e9), 1);
  assert.equal(readable(LIGHT.pos), "#ffffff");
  assert.equal(readable(LIGHT.neg), "#14171d");
});

test("an edge carries its product; a fan-in twice to the same op carries two", () => {
  const { scene, trace } = sceneOf(programs.twice());
  const node = trace.document.tensors.at(-1).grad_fn;
  const links = [0, 1].map((index) => scene.linkOf.get(edgeKey(node, index)));
  assert.equal(new Set(links).size, 2);
  const t = trace.events.findIndex((event) => event.kind === "node") + 1;
  assert.ok(textsOf(scene, new Moment(trace, t)).includes("1 × 3 = 3"));
});

test("a second backward shows before + incoming = after", () => {
  const { scene, trace } = sceneOf(programs.twice());
  const t = trace.events.findLastIndex((event) => event.kind === "accumulate") + 1;
  const texts = textsOf(scene, new Moment(trace, t));
  assert.ok(texts.includes("x.grad adds up"));
  for (const number of ["6.0", "12.0"]) assert.ok(texts.includes(number));
});

test("the error points at the node whose saved tensors were freed", () => {
  const { scene, trace } = sceneOf(programs.twice());
  const i = find(scene, "MulBackward0");
  const marks = scene.itemMarks(i, new Moment(trace, trace.events.length));
  assert.ok(marks.some((mark) => mark.type === "text" && mark.text === "!"));
  assert.ok(
    marks.some((mark) => mark.type === "text" && mark.strike),
    "what was freed is struck out",
  );
  assert.ok(
    !scene
      .itemMarks(i, new Moment(trace, trace.events.length - 1))
      .some((mark) => mark.type === "text" && mark.text === "!"),
  );
});

test("detach is a severed edge with its reason", () => {
  const { scene, trace } = sceneOf(programs.detached());
  const loud = scene.links.filter((link) => link.cut?.loud);
  assert.equal(loud.length, 1);
  assert.equal(loud[0].cut.reason, "detach");
  assert.ok(textsOf(scene, new Moment(trace, trace.events.length)).includes("detach"));
});

test("a leaf used in every turn of a loop has a card in each, with the value it had then", () => {
  const { scene, trace } = sceneOf(programs.descent());
  const w = trace.document.globals.w;
  const cards = scene.byTensor.get(w);
  assert.equal(cards.length, 3);
  const moment = new Moment(trace, trace.events.length);
  const values = cards.map((i) => trace.value(moment.tensor(w, scene.items[i].until).value).data);
  assert.equal(new Set(values).size, 3);
  assert.deepEqual(scene.draft.open.map((group) => group.kind).sort(), ["iteration", "iteration", "iteration", "loop"]);
});

test("hulls hold their members and nothing else", () => {
  const { scene, whole } = sceneOf(programs.perceptron());
  for (const hull of scene.hulls) {
    const inside = (box) =>
      box.x >= hull.x - 1 &&
      box.x + box.w <= hull.x + hull.w + 1 &&
      box.y >= hull.y - 1 &&
      box.y + box.h <= hull.y + hull.h + 1;
    const members = new Set(hull.group.items.map((i) => scene.draft.shown.shownAs[i]));
    assert.ok(
      [...members].some((i) => inside(scene.boxes[i])),
      hull.group.label,
    );
  }
  assert.deepEqual(
    [...whole.groups.values()].map((group) => group.label),
    ["net: Sequential", "0: Linear", "1: Linear", "2: Linear"],
    "a module of one op needs no hull",
  );
});

test("however deep scopes lie in each other, their titles stand below each other", () => {
  const r = new Recorder();
  let x = r.at(1).leaf("x", 1);
  const levels = ["a", "b", "c", "d", "e", "f"];
  for (const level of levels) r.enter("module", level);
  x = r.op("sin", x);
  for (const _ of levels) {
    x = r.bind(r.op("sin", x), "y");
    r.exit();
  }
  r.backward(r.op("sin", x));
  const { scene } = sceneOf(r.document);
  const tops = scene.hulls
    .filter((hull) => hull.first)
    .map((hull) => hull.y)
    .sort((p, q) => p - q);
  assert.equal(tops.length, levels.length);
  for (let k = 1; k < tops.length; k++) assert.ok(tops[k] - tops[k - 1] >= 14, `${tops}`);
});

test("parameters are drawn in the module that uses them", () => {
  const { scene, trace } = sceneOf(programs.perceptron());
  const weight = trace.document.tensors.find((tensor) => tensor.path === "net.1.weight");
  const [i] = scene.byTensor.get(weight.id);
  const label = (id) => trace.scopes.get(id).label;
  assert.equal(label(scene.items[i].scope), "1: Linear");
});

test("large programs start folded; a long loop shows its first turn", () => {
  const { whole, scene } = sceneOf(programs.descent(120));
  assert.ok(whole.graph.items.length > 200);
  assert.ok(scene.items.length < 60);
  const boxes = scene.items.flatMap((item, i) => (item.kind === "box" ? [scene.plans[i].title] : []));
  assert.deepEqual(boxes, ["iterations 1 … 119"]);
  const { group } = scene.items.find((item) => item.kind === "box");
  assert.ok(openOne(whole.groups, whole.folded, group).size > 100, "opening it shows 119 boxes, not everything");
  assert.equal(foldToFit(whole.groups, 60).size, 0);
});

test("a folded scope says what runs inside", () => {
  const document = programs.perceptron();
  const { whole, trace } = sceneOf(document);
  const net = [...whole.groups.values()].find((group) => group.label.startsWith("net"));
  const { scene } = sceneOf(document, { folded: new Set([net.id]) });
  const i = scene.items.findIndex((item) => item.group === net.id);
  const t =
    trace.events.findIndex((event) => event.kind === "node" && trace.nodes.get(event.node).name === "TanhBackward0") +
    1;
  const texts = scene.itemMarks(i, new Moment(trace, t)).flatMap((mark) => (mark.type === "text" ? [mark.text] : []));
  assert.deepEqual(texts, ["net: Sequential", "TanhBackward0"]);
  assert.ok(scene.links.some((link) => link.role === "bundle" && link.carries.length));
});

test("only what changed is drawn again", () => {
  const { scene, trace } = sceneOf(programs.chain(600));
  const t = trace.events.findIndex((event) => event.kind === "node") + 40;
  const { histories } = trace;
  const changes = {
    tensors: histories.tensors.between(t - 1, t),
    nodes: histories.nodes.between(t - 1, t),
    edges: histories.edges.between(t - 1, t),
  };
  const { items, links } = scene.affected(changes, t - 1, t);
  assert.ok(items.size < 12 && links.size < 20);
  const [before, after] = [new Moment(trace, t - 1), new Moment(trace, t)];
  scene.items.forEach((_, i) => {
    if (!items.has(i)) assert.deepEqual(scene.itemMarks(i, after), scene.itemMarks(i, before));
  });
  scene.links.forEach((_, j) => {
    if (!links.has(j)) assert.deepEqual(scene.linkLook(j, after), scene.linkLook(j, before));
  });
});

test("formulas are read with their numbers", () => {
  const names = (name) =>
    ({ g: 2, self: { shape: [], data: [3] }, other: { shape: [2], data: [1, -1] }, alpha: 1 })[name];
  const show = (text) => withNumbers(parseFormula(text), names);
  assert.equal(show("g * self"), "2 × 3");
  assert.equal(show("-g * (self + 1)"), "−2 × (3 + 1)");
  assert.equal(show("g if alpha == 1 else g * alpha"), "2");
  assert.equal(show("g * other"), null, "a tensor has no single number");
  assert.deepEqual(
    evaluate(parseFormula("g * other ** 2 - 1"), (name) => (name === "g" ? { shape: [], data: [2] } : names(name))),
    { shape: [2], data: [1, 1] },
  );
  assert.equal(parseFormula("mm_grad_first(g, mat2, self.shape)"), null);
  assert.equal(
    evaluate(parseFormula("where(self > 5, g, 0.0)"), (name) => (name === "g" ? { shape: [], data: [2] } : names(name)))
      .data[0],
    0,
  );
});

test("symbols", () => {
  assert.deepEqual(
    ["add", "MulBackward0", "mm", "sub_", "tanh", "LogSoftmaxBackward0", "ConvolutionBackward0"].map(symbolFor),
    ["+", "×", "@", "−", "tanh", "log sm", "conv"],
  );
});

test("the derivative of a function bears a prime, and a symbol too long for its circle stands in two lines", () => {
  assert.deepEqual(["tanh_backward", "LeakyReluBackward0", "MkldnnRnnLayerBackward0", "linalg_qr"].map(symbolFor), [
    "tanh′",
    "leaky relu",
    "LSTM",
    "QR",
  ]);
  const r = new Recorder();
  r.at(1).op("relu", r.leaf("x", 1));
  const { document } = r;
  document.ops[0].name = "leaky_relu";
  const { scene } = sceneOf(document);
  assert.deepEqual(scene.plans.find((plan) => plan.kind === "op").symbol, ["leaky", "relu"]);
});

test("pointing, searching and walking", () => {
  const { scene, trace } = sceneOf(programs.scalars());
  const c = find(scene, "c");
  const mul = find(scene, "MulBackward0");
  assert.equal(itemAt(scene, scene.x[c], scene.y[c]), c);
  assert.equal(itemAt(scene, -500, -500), -1);
  assert.deepEqual(referenceOf(scene, c), { kind: "tensor", id: trace.document.globals.c });
  assert.equal(neighbour(scene, c, "right"), mul);
  assert.equal(neighbour(scene, mul, "left") === c || neighbour(scene, mul, "left") === find(scene, "d"), true);
  assert.equal(neighbour(scene, c, "down"), find(scene, "d"));
  assert.deepEqual(
    itemsOnLines(scene, [6])
      .map((i) => names(scene)[i])
      .sort(),
    ["MulBackward0", "e"],
  );
  assert.equal(searchItems(scene, "mulb")[0].label, "MulBackward0");
  assert.deepEqual(searchItems(scene, "D")[0], { kind: "tensor", id: trace.document.globals.d, label: "d" });
  const a = find(scene, "a");
  const box = scene.boxes[a];
  assert.deepEqual(numberAt(scene, box.x + box.w - 14, box.y + 12), { tensor: trace.document.globals.a, index: 0 });
  assert.equal(
    numberAt(scene, scene.boxes[c].x + scene.boxes[c].w - 14, scene.boxes[c].y + 12),
    null,
    "only leaves can be changed",
  );
});

test("the view: fitting, zooming about a point, revealing, flying", () => {
  const size = { width: 800, height: 600 };
  const view = fitView({ x: 100, y: 50, w: 1000, h: 200 }, size);
  assert.ok(view.k <= 0.8 && view.x + 100 * view.k >= 0 && view.x + 1100 * view.k <= 800);
  const near = zoomAt(view, 2, { x: 400, y: 300 });
  const world = (v) => (400 - v.x) / v.k;
  assert.ok(Math.abs(world(near) - world(view)) < 1e-9);
  assert.equal(reveal(view, { x: 300, y: 100, w: 50, h: 50 }, size), null);
  assert.ok(reveal(view, { x: 5000, y: 100, w: 50, h: 50 }, size));
  const free = { k: 1, x: 0, y: 0 };
  const map = { x: 600, y: 450, w: 200, h: 150 };
  const card = { x: 620, y: 470, w: 100, h: 60 };
  assert.equal(reveal(free, card, size), null);
  const moved = reveal(free, card, size, { x: 0, y: 0, w: 760, h: 570 }, [map]);
  assert.ok(card.x + card.w + moved.x <= map.x || card.y + card.h + moved.y <= map.y, "out from under the small map");
  assert.deepEqual(between(view, near, 1, size), near);
  assert.ok(Math.abs(between(view, near, 0, size).k - view.k) < 1e-9);
});

test("after an edit the same things keep their keys and start where they were", () => {
  const first = sceneOf(programs.scalars()).scene;
  const changed = programs.scalars();
  changed.values[changed.tensors[0].value].data = 7;
  const second = sceneOf(changed, { before: first }).scene;
  assert.deepEqual(
    second.items.map((item) => item.key),
    first.items.map((item) => item.key),
  );
  assert.equal(transitionStart(first, second), null, "nothing moved");
});

test("a moment between steps: senders are ahead of receivers", () => {
  const trace = indexTrace(programs.scalars());
  const t = trace.events.findIndex((event) => event.kind === "node") + 1;
  const { node, sends } = trace.events[t - 1];
  const travelling = new Moment(trace, t, t - 1, "travel");
  const landed = new Moment(trace, t, t - 1, "merge");
  assert.equal(travelling.node(node).phase, "running");
  assert.equal(travelling.node(sends[0].to).arrived, 0);
  assert.equal(landed.node(sends[0].to).arrived, 1);
  assert.equal(stateAt(trace, t).nodes.get(sends[0].to).arrived, 1);
});

test("a first look at a large graph is near enough to read", () => {
  const size = { width: 700, height: 500 };
  const small = firstView({ x: 0, y: 0, w: 900, h: 300 }, size, { x: 0, y: 0, w: 10, h: 10 });
  assert.ok(small.k > 0.6 && small.k < 0.8, "everything");
  const large = firstView({ x: 0, y: 0, w: 9000, h: 3000 }, size, { x: 4000, y: 1500, w: 100, h: 100 });
  assert.ok(large.k > 0.5);
  assert.ok(reveal(large, { x: 4000, y: 1500, w: 100, h: 100 }, size) === null);
});

test("folding goes from the inside out, unfolding from the outside in", () => {
  const group = (id, parent, depth) => ({
    id,
    parent,
    depth,
    items: [0, 1, 2],
    label: id,
    kind: "module",
    line: 1,
    repeats: 1,
    turn: null,
    gathers: false,
  });
  const all = [group("net", null, 1), group("block", "net", 2), group("norm", "block", 3), group("head", null, 1)];
  const groups = new Map(all.map((each) => [each.id, each]));
  assert.deepEqual([...foldDeepest(all, new Set())], ["norm"]);
  assert.deepEqual([...foldDeepest(all.slice(0, 2), new Set(["norm"]))], ["norm", "block"]);
  assert.deepEqual([...openShallowest(groups, new Set(["norm", "net", "head"]))], ["norm"]);
  assert.deepEqual([...openShallowest(groups, new Set())], []);
});
