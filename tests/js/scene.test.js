import { gathered } from "../../static/js/scene/story.js";
/**
 * The picture before it is painted: what is there, what it says, and that it says four different things four different
 * ways.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as programs from "./fixtures/programs.js";
import { overlaps } from "./fixtures/quality.js";
import {
  assertFits,
  assertSteady,
  lookOf,
  sceneOf,
  shelfOf,
  textsOf,
  textsOfItem,
  textsOfSprites,
} from "./fixtures/picture.js";
import { matchSnapshot } from "./fixtures/snapshot.js";
import { edgeKey, indexTrace, stateAt, stops } from "../../static/js/trace.js";
import { Moment, progressAt, STEP_MS } from "../../static/js/scene/moment.js";
import { overlay } from "../../static/js/scene/motion.js";
import { evaluate, isElementwise } from "../../static/js/formula/evaluate.js";
import { formulaOf } from "./fixtures/trees.js";
import { Colours, LIGHT, makeScale, readable } from "../../static/js/scene/colour.js";
import { drawGradient, planBlock } from "../../static/js/scene/blocks.js";
import { roughMeasure } from "../../static/js/scene/marks.js";
import { foldDeepest, foldToFit, openShallowest } from "../../static/js/scene/groups.js";
import {
  headingAt,
  itemAt,
  itemsOf,
  itemsOnLines,
  neighbour,
  numberAt,
  referenceOf,
  searchItems,
  weightAt,
} from "../../static/js/scene/navigate.js";
import { between, firstView, fitClear, fitView, LEGIBLE, reveal, zoomAt } from "../../static/js/scene/view.js";
import { draftScene, wholeGraph } from "../../static/js/scene/scene.js";
import { turnsAt } from "../../static/js/scene/training.js";
import { titleBox, titlesAt } from "../../static/js/scene/titles.js";
import { transitionStart } from "../../static/js/scene/transition.js";
import { Recorder } from "./fixtures/record.js";
import { RADIUS, symbolFor } from "../../static/js/scene/ops.js";
import { summarize } from "../../static/js/trace/numbers.js";

const names = (scene) =>
  scene.items.map((item, i) =>
    item.kind === "card" ? scene.plans[i].name : (scene.plans[i].label ?? scene.plans[i].title),
  );
const find = (scene, name) => names(scene).indexOf(name);
/** The moment after a node of a class has run for the first time. */
const ran = (trace, name) =>
  trace.events.findIndex((event) => event.kind === "node" && trace.nodes.get(event.node).name === name) + 1;

test("one card per tensor with the circle of the op that made it, leaves instead of AccumulateGrad", () => {
  const { scene } = sceneOf(programs.scalars());
  assert.deepEqual(names(scene).toSorted(), ["a", "b", "c", "d", "e"]);
  const circles = scene.items.flatMap((item, i) =>
    item.circle ? [[names(scene)[i], scene.plans[i].circle.label]] : [],
  );
  assert.deepEqual(circles.toSorted(), [
    ["c", "AddBackward0"],
    ["e", "MulBackward0"],
  ]);
  assert.deepEqual(
    scene.links.map(({ from, to, role }) => `${names(scene)[from]} ${role} ${names(scene)[to]}`).toSorted(),
    ["a input c", "b input c", "c input e", "d input e"],
  );
  assert.deepEqual(scene.items.flatMap((_, i) => (scene.plans[i].leaf ? [names(scene)[i]] : [])).toSorted(), [
    "a",
    "b",
    "d",
  ]);
});

test("an op whose results nobody looks at is a circle of its own in a large graph, with the card of none", () => {
  const { scene } = sceneOf(programs.chain(100));
  const alone = scene.items.filter((item) => item.kind === "op");
  assert.equal(alone.length, 99, "all but the last, whose result has a name");
  assert.ok(alone.every((item) => item.circle && item.tensor === null && item.op && item.node));
  const y = scene.items[find(scene, "y")];
  assert.ok(y.circle && y.op && y.tensor);
});

test("gradients fall: every result stands above what it was computed from", () => {
  for (const program of [programs.scalars, programs.vector, programs.perceptron, programs.chain, programs.descent]) {
    const { scene } = sceneOf(program());
    for (const { from, to } of scene.links) {
      assert.ok(scene.boxes[to].y + scene.boxes[to].h < scene.boxes[from].y, `${names(scene)[from]} is below`);
    }
    scene.paths.forEach((path, j) => {
      const { from, to } = scene.links[j];
      const lower = scene.boxes[from];
      const upper = scene.boxes[to];
      assert.ok(Math.abs(path[1] - lower.y) < 0.01 && Math.abs(path.at(-1) - (upper.y + upper.h)) < 0.01);
    });
  }
});

test("edges meet a card at its circle, and come from the port of a leaf", () => {
  const { scene } = sceneOf(programs.scalars());
  scene.paths.forEach((path, j) => {
    const at = (i) => scene.x[i] + scene.draft.input.anchor[i];
    assert.ok(Math.abs(path[0] - at(scene.links[j].from)) < 1, "one edge leaves its middle");
    assert.ok(Math.abs(path.at(-2) - at(scene.links[j].to)) <= RADIUS, "two end on its circle");
  });
});

for (const [name, program] of Object.entries(programs)) {
  test(`${name}: nothing overlaps, at every step everything can be drawn`, () => {
    const { scene, trace } = sceneOf(program());
    assert.equal(overlaps(scene.draft.input, scene), 0);
    for (const t of stops(trace).slice(0, 60)) {
      const moment = new Moment(trace, t);
      scene.items.forEach((_, i) => {
        assert.ok(
          scene
            .itemMarks(i, moment)
            .every((mark) => !/NaN|undefined/.test(JSON.stringify(mark.type === "text" ? [mark.x, mark.y] : mark))),
        );
      });
      scene.links.forEach((_, j) => assert.ok(Number.isFinite(scene.linkLook(j, moment).width)));
      overlay(scene, moment, progressAt(STEP_MS), { from: t, still: true });
    }
  });
}

test("what an item says fits into it, and no two things it says stand on each other", () => {
  for (const program of Object.values(programs)) {
    const { scene, trace } = sceneOf(program());
    for (const t of stops(trace).slice(0, 60)) {
      scene.items.forEach((_, i) => assertFits(scene, i, new Moment(trace, t)));
    }
  }
});

test("the seed example at the step of AddBackward0", () => {
  const { scene, trace } = sceneOf(programs.scalars());
  matchSnapshot("scalars-add", lookOf(scene, new Moment(trace, ran(trace, "AddBackward0"))));
});

test("the vector example with a fan-in half full and a broadcast undone", () => {
  const { scene, trace } = sceneOf(programs.vector());
  const t = ran(trace, "MulBackward0");
  const moment = new Moment(trace, t, t - 1, "travel");
  matchSnapshot(
    "vector-mul-travelling",
    lookOf(scene, moment, { stage: "travel", part: 0.5 }, { from: t - 1, still: false }),
  );
  const texts = textsOf(scene, moment, { stage: "travel", part: 0.5 }, { from: t - 1, still: false });
  assert.ok(texts.includes("1 of 2 arrived"), "the receiver still waits while packets travel");
  assert.ok(texts.includes("w was broadcast, so its gradient is summed"));
  const landed = textsOfItem(scene, find(scene, "x"), new Moment(trace, t));
  assert.ok(landed.includes("2 of 2 arrived"), "both have arrived");
  assert.deepEqual(landed.slice(0, 2), [".grad", "x"], "and .grad is still empty");
});

test("a card says whether its gradient passes through or is in its .grad", () => {
  const { scene, trace } = sceneOf(programs.scalars());
  const said = (name, t) =>
    textsOfItem(scene, find(scene, name), new Moment(trace, t)).filter((text) => /grad/.test(text));
  const start = trace.events.findIndex((event) => event.kind === "backward") + 1;
  assert.deepEqual([said("e", start), said("c", start), said("a", start)], [["gradient"], ["gradient"], [".grad"]]);
  assert.deepEqual(said("a", ran(trace, "AddBackward0")), [".grad"]);
  assert.deepEqual(said("a", trace.events.length), [".grad"]);
  const again = sceneOf(programs.twice());
  const second = again.trace.events.findLastIndex((event) => event.kind === "node" && event.sends.length) + 1;
  const stands = textsOfItem(again.scene, find(again.scene, "x"), new Moment(again.trace, second));
  assert.deepEqual(stands.slice(stands.indexOf(".grad"), stands.indexOf(".grad") + 2), [".grad", "6"]);
});

test("above the root stands the one number that is differentiated", () => {
  const one = sceneOf(programs.scalars());
  assert.ok(textsOfItem(one.scene, find(one.scene, "e"), new Moment(one.trace, 0)).every((text) => !/L/.test(text)));
  assert.ok(
    textsOfItem(one.scene, find(one.scene, "e"), new Moment(one.trace, one.trace.events.length)).includes("L = e"),
  );
  const { scene, trace } = sceneOf(programs.vector());
  const y = find(scene, "y");
  const texts = textsOfItem(scene, y, new Moment(trace, trace.events.length));
  for (const term of ["L =", "0.1·y₀", "1·y₁", "0.0001·y₂"]) assert.ok(texts.includes(term), `${term} in ${texts}`);
  const [y0, y1, y2] = trace.value(trace.tensors.get(trace.document.globals.y).value).data;
  const total = Number(texts.find((text) => /^[=≈] /.test(text)).slice(2));
  assert.ok(Math.abs(total - (0.1 * y0 + y1 + 1e-4 * y2)) < 1e-3 * total);
});

/** y = x · x, and one backward pass with weights. */
function weighted(data, gradient) {
  const r = new Recorder("x = …\ny = x * x\ny.backward(…)\n");
  const x = r.at(1).leaf("x", data);
  const y = r.bind(r.at(2).op("mul", x, x), "y");
  r.at(3).backward(y, { gradient });
  const drawn = sceneOf(r.document);
  return { ...drawn, i: find(drawn.scene, "y"), end: new Moment(drawn.trace, drawn.trace.events.length) };
}

test("the one number is right and has room, however many elements there are and whatever they weigh", () => {
  const cases = [
    [3, null, ["L = y"]],
    [[3], [1], ["L = y"]],
    [
      [1, 2],
      [0.5, -3],
      ["L =", "0.5·y₀", "+", "−3·y₁", "= −11.5"],
    ],
    [
      [0.01, 0.02],
      [-0.123456, 77777.7],
      ["L =", "−0.1235·y₀", "+", "77780·y₁", "≈ 31.11"],
    ],
    [[0.01, 0.02, 0.03, 0.04], [-1.1, -0.0123, -0.1, -0.2], null],
    [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5], ["L = sum of weight · y, element by element"]],
    [
      [
        [1, 2],
        [3, 4],
      ],
      [
        [1, 0],
        [0, 1],
      ],
      ["L = sum of weight · y, element by element"],
    ],
  ];
  for (const [data, gradient, expected] of cases) {
    const { scene, i, end } = weighted(data, gradient);
    assertFits(scene, i, end);
    const texts = textsOfItem(scene, i, end);
    for (const text of expected ?? []) assert.ok(texts.includes(text), `${text} in ${texts.join(" | ")}`);
  }
});

test("a single number with a weight is not the number that is differentiated", () => {
  const { scene, i, end } = weighted(3, 2);
  assert.ok(textsOfItem(scene, i, end).includes("2"), "the weight is what the pass starts with");
  assert.ok(!textsOfItem(scene, i, end).includes("L = y"), "the slope of L = y would start with 1");
});

test("the weights of a pass can be dragged where they stand, once it has begun", () => {
  const { scene, trace, i } = weighted([1, 2, 3], [0.5, 1, -2]);
  const start = trace.events.findIndex((event) => event.kind === "backward") + 1;
  const moment = new Moment(trace, start);
  const shown = scene
    .itemMarks(i, moment)
    .filter((mark) => ["0.5", "1", "−2"].includes(mark.text) && mark.weight === 600);
  assert.equal(shown.length, 3);
  const ref = trace.events[start - 1].gradients[0];
  shown.forEach((mark, index) => {
    const at = [scene.x[i] + mark.x, scene.y[i] + mark.y - 4];
    assert.deepEqual(weightAt(scene, ...at, start), { call: 0, root: 0, index, gradient: ref });
    assert.equal(weightAt(scene, ...at, start - 1), null, "there are none before");
    assert.equal(numberAt(scene, ...at), null);
  });
  const [x, y] = [scene.x[i] + shown[0].x, scene.y[i] + shown[0].y];
  assert.equal(weightAt(scene, x, y - 40, start), null, "above are the elements");
  assert.equal(weightAt(scene, x - 80, y, start), null, "beside is a word");
  assert.equal(weightAt(scene, scene.x[find(scene, "x")], scene.y[find(scene, "x")], start), null);
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

test("an edge carries a slope, then its product, then what was sent; a fan-in twice to one op carries two", () => {
  const { scene, trace } = sceneOf(programs.twice());
  const node = trace.document.tensors.at(-1).grad_fn;
  const keys = [0, 1].map((index) => edgeKey(node, index));
  assert.equal(new Set(keys.map((key) => scene.linkOf.get(key))).size, 2);
  const t = trace.events.findIndex((event) => event.kind === "node") + 1;
  const said = (kind, at) =>
    keys.map((key) => textsOfSprites(scene, new Moment(trace, at), kind).get(key)?.join(" ") ?? null);
  const nothing = [null, null];
  assert.deepEqual([said("slope", t - 1), said("chip", t - 1)], [["×x 3", "×x 3"], nothing], "before");
  assert.deepEqual([said("slope", t), said("chip", t)], [nothing, ["1 × 3 = 3", "1 × 3 = 3"]], "while it moves");
  const end = trace.events.findIndex((event) => event.kind === "backward_end") + 1;
  assert.deepEqual([said("slope", end), said("chip", end)], [nothing, ["3", "3"]], "afterwards");
});

test("a product of a few elements has a line for each, and its slope says the number where it is one for all", () => {
  const { scene, trace } = sceneOf(programs.vector());
  const sine = trace.document.nodes.find((node) => node.name === "SinBackward0").id;
  const product = trace.document.nodes.find((node) => node.name === "MulBackward0").id;
  const start = new Moment(trace, trace.events.findIndex((event) => event.kind === "backward") + 1);
  const slopes = textsOfSprites(scene, start, "slope");
  assert.deepEqual(slopes.get(edgeKey(product, 0)), ["×w", "0.5"]);
  assert.deepEqual(slopes.get(edgeKey(sine, 0)), ["×cos(x)", "0.5403", "−0.4161", "−0.99"]);
  const chips = textsOfSprites(scene, new Moment(trace, ran(trace, "SinBackward0")), "chip");
  assert.equal(
    chips.get(edgeKey(sine, 0)).join(" "),
    "0.1 × 0.5403 = 0.05403 1 × −0.4161 = −0.4161 0.0001 × −0.99 = −9.9e-5",
  );
});

test("a second backward shows before + incoming = after", () => {
  const { scene, trace } = sceneOf(programs.twice());
  const t = trace.events.findLastIndex((event) => event.kind === "accumulate") + 1;
  assert.deepEqual(textsOfSprites(scene, new Moment(trace, t), "note").get("accumulate"), [
    "x.grad adds up",
    "6",
    "+",
    "6",
    "=",
    "12",
  ]);
});

test("the error points at the node whose saved tensors were freed", () => {
  const { scene, trace } = sceneOf(programs.twice());
  const i = find(scene, "y");
  assert.equal(scene.byNode.get(trace.document.error.nodes[0]), i);
  const end = trace.events.length;
  assert.equal(textsOfItem(scene, i, new Moment(trace, end)).filter((text) => text === "!").length, 1);
  assert.ok(!textsOfItem(scene, i, new Moment(trace, end - 1)).includes("!"));
  const freed = trace.events.findIndex((event) => event.kind === "release") + 1;
  const said = (t) => textsOfItem(scene, i, new Moment(trace, t)).find((text) => text.startsWith("MulBackward0"));
  assert.deepEqual(
    [said(freed - 1), said(freed), said(end)],
    ["MulBackward0", ...Array(2).fill("MulBackward0 · freed")],
  );
});

test("detach is a severed edge with its reason", () => {
  const { scene, trace } = sceneOf(programs.detached());
  const loud = scene.links.filter((link) => link.cut?.loud);
  assert.equal(loud.length, 1);
  assert.equal(loud[0].cut.reason, "detach");
  assert.ok(textsOf(scene, new Moment(trace, trace.events.length)).includes("detach"));
});

test("a leaf used in every turn of a training loop has one card, and the turn is the top sheet of a stack", () => {
  const { scene, trace } = sceneOf(programs.descent());
  const w = trace.document.globals.w;
  assert.equal(scene.byTensor.get(w).length, 1);
  assert.deepEqual(
    scene.draft.open.map(({ kind, label, stack }) => [kind, label, stack]),
    [["loop", "for step in range(3): iteration 0 of 0 … 2", 3]],
  );
  const last = sceneOf(programs.descent(), { at: trace.events.length });
  assert.equal(last.scene.draft.open[0].label, "for step in range(3): iteration 2 of 0 … 2");
});

/** Whether a point lies within an outline; its rounded corners count as sharp. @param {string} d */
function insideOf(d) {
  const corners = [...d.matchAll(/Q(\S+) (\S+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
  return (px, py) =>
    corners.reduce((within, [x1, y1], i) => {
      const [x0, y0] = corners.at(i - 1);
      return y0 > py !== y1 > py && px < x0 + ((py - y0) / (y1 - y0)) * (x1 - x0) ? !within : within;
    }, false);
}

test("hulls hold their members and nothing else", () => {
  const { scene, whole } = sceneOf(programs.perceptron());
  for (const { d, group } of scene.hulls) {
    const inside = insideOf(d);
    const members = new Set(group.items.map((i) => scene.draft.shown.shownAs[i]));
    scene.boxes.forEach(({ x, y, w, h }, i) => {
      const corners = [inside(x, y), inside(x + w, y), inside(x, y + h), inside(x + w, y + h), inside(x + w / 2, y)];
      assert.deepEqual(corners, Array(5).fill(members.has(i)), `${names(scene)[i]} and ${group.label}`);
    });
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
  const tops = scene.hulls.map((hull) => hull.y).sort((p, q) => p - q);
  assert.equal(tops.length, levels.length);
  for (let k = 1; k < tops.length; k++) assert.ok(tops[k] - tops[k - 1] >= 14, `${tops}`);
});

test("no wire passes through the title of a scope, and from afar titles are larger and keep off each other", () => {
  const unrolled = JSON.parse(readFileSync(new URL("./fixtures/engine/recurrent.json", import.meta.url), "utf8"));
  for (const { scene } of [sceneOf(programs.perceptron()), sceneOf(unrolled, { folded: new Set() })]) {
    assert.ok(scene.hulls.length > 2);
    for (const hull of scene.hulls) {
      const title = titleBox(hull, scene.measure);
      assert.deepEqual(scene.crossing(title), [], hull.group.label);
      assert.equal(headingAt(scene, title.x + title.w / 2, hull.y + 10), hull.group.id);
    }
    const far = titlesAt(scene.hulls, scene.measure, 0.2);
    const shown = scene.hulls.flatMap((hull, i) => (far[i] ? [titleBox(hull, scene.measure, 4)] : []));
    assert.ok(shown.length);
    shown.forEach((a, i) =>
      shown.slice(0, i).forEach((b) => {
        assert.ok(a.x >= b.x + b.w || b.x >= a.x + a.w || a.y >= b.y + b.h || b.y >= a.y + a.h);
      }),
    );
  }
});

test("parameters are drawn in the module that uses them", () => {
  const { scene, trace } = sceneOf(programs.perceptron());
  const weight = trace.document.tensors.find((tensor) => tensor.path === "net.1.weight");
  const [i] = scene.byTensor.get(weight.id);
  const label = (id) => trace.scopes.get(id).label;
  assert.equal(label(scene.items[i].scope), "1: Linear");
});

test("of a training loop as long as it may be one turn is drawn", () => {
  const { whole, scene } = sceneOf(programs.descent(120));
  assert.ok(whole.graph.items.length < 10);
  assert.equal(scene.items.filter((item) => item.kind === "box").length, 0);
  assert.equal(foldToFit(whole.groups, 60).size, 0);
});

test("another turn of a training measures only what is new in it", () => {
  const { trace, scene } = sceneOf(programs.descent(120));
  let measured = 0;
  const measure = (...what) => {
    measured++;
    return roughMeasure(...what);
  };
  const draft = (t) => {
    measured = 0;
    const whole = wholeGraph(trace, turnsAt(trace, t));
    draftScene(whole, { folded: whole.folded, measure, palette: LIGHT, view: { width: 720, height: 560 } });
    return measured;
  };
  const first = draft(0);
  const later = draft(Math.round(trace.events.length / 2));
  assert.ok(first > 120 && later < 120 && scene.items.length > 0, `${first}, then ${later}`);
});

test("a folded scope says what runs inside", () => {
  const document = programs.perceptron();
  const { whole, trace } = sceneOf(document);
  const net = [...whole.groups.values()].find((group) => group.label.startsWith("net"));
  const { scene } = sceneOf(document, { folded: new Set([net.id]) });
  const i = scene.items.findIndex((item) => item.group === net.id);
  const t = ran(trace, "TanhBackward0");
  assert.deepEqual(textsOfItem(scene, i, new Moment(trace, t)), ["net: Sequential", "TanhBackward0"]);
  assert.ok(scene.links.some((link) => link.role === "bundle" && link.carries.length));
});

test("what is spoken of is brought into sight together, as long as it can be read", () => {
  const size = { width: 400, height: 300 };
  const box = (/** @type {number} */ x, y = 0) => ({ x, y, w: 100, h: 40 });
  const view = { x: 0, y: 20, k: 1 };
  assert.equal(gathered(view, [box(10), box(200)], size), null, "in sight");
  assert.deepEqual(gathered(view, [box(-30), box(200)], size), { k: 1, x: 36, y: 20 });
  const nearer = gathered({ x: 0, y: 0, k: 1.5 }, [box(0), box(290)], size);
  assert.ok(nearer && nearer.k < 1 && nearer.k >= LEGIBLE);
  assert.ok(Math.abs(nearer.x - 6) < 1e-9 && Math.abs(nearer.x + 390 * nearer.k - 394) < 1e-9);
  assert.equal(gathered(view, [box(0), box(600)], size), null, "too far apart");
});

test("only what changed is drawn again", () => {
  const { scene, trace } = sceneOf(programs.chain(600));
  const t = trace.events.findIndex((event) => event.kind === "node") + 40;
  const { items, links } = assertSteady(scene, trace, t - 1, t);
  assert.ok(items.size < 12 && links.size < 20);
  const { scalars, vector, twice, perceptron, descent } = programs;
  for (const program of [scalars, vector, twice, programs.detached, perceptron, descent]) {
    const small = sceneOf(program());
    const times = stops(small.trace);
    for (let k = 1; k < times.length; k++) assertSteady(small.scene, small.trace, times[k - 1], times[k]);
  }
});

test("formulas are computed with their numbers", () => {
  const names = (name) =>
    ({ g: 2, self: { shape: [], data: [3] }, other: { shape: [2], data: [1, -1] }, alpha: 1 })[name];
  const run = (text) => evaluate(formulaOf(text), names);
  assert.deepEqual(run("g * other ** 2 - 1"), { shape: [2], data: [1, 1] });
  assert.deepEqual(run("where(self > 5, g, 0.0)"), { shape: [], data: [0] });
  assert.deepEqual(run("hardtanh_backward(g, other, min_val, max_val)"), null, "min_val has no number here");
  assert.deepEqual(run("-g * (self + 1)"), { shape: [], data: [-8] });
  assert.ok(!isElementwise(formulaOf("mm_grad_first(g, mat2, self.shape, self.strides)")));
  assert.ok(isElementwise(formulaOf("threshold_backward(g, result, 0)")));
});

test("symbols", () => {
  assert.deepEqual(
    ["add", "MulBackward0", "mm", "sub_", "tanh", "LogSoftmaxBackward0", "ConvolutionBackward0"].map(symbolFor),
    ["+", "×", "@", "−", "tanh", "log sm", "conv"],
  );
  assert.equal(symbolFor("MaxPool2DWithIndicesBackward0"), "pool");
  assert.equal(symbolFor("UpsampleNearest2DBackward0"), "nearest2d");
});

test("a Function of the program's own is called what its class is", () => {
  const names = ["MyReLU", "MyReLUBackward", "MulBy2", "STE", "CopySlices"];
  assert.deepEqual(names.map(symbolFor), ["MyReLU", "MyReLU", "MulBy2", "STE", "[…]="]);
});

test("the derivative of a function bears a prime, and a symbol too long for a circle makes it a capsule", () => {
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
  const { symbol, half, size } = scene.plans.find((plan) => plan.circle).circle;
  assert.equal(symbol, "leaky relu");
  assert.ok(half > RADIUS && 2 * half > roughMeasure(symbol, size, 500, false));
});

test("pointing, searching and walking", () => {
  const { scene, trace } = sceneOf(programs.scalars());
  const [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map((name) => find(scene, name));
  assert.equal(itemAt(scene, scene.x[c], scene.y[c]), c);
  assert.equal(itemAt(scene, -500, -500), -1);
  assert.deepEqual(referenceOf(scene, c), { kind: "tensor", id: trace.document.globals.c });
  assert.equal(neighbour(scene, a, "up"), c, "towards the results");
  assert.equal(neighbour(scene, c, "up"), e);
  assert.equal(neighbour(scene, e, "up"), e, "there is nothing above");
  assert.ok([a, b].includes(neighbour(scene, c, "down")));
  assert.ok([c, d].includes(neighbour(scene, e, "down")));
  const [left, right] = scene.x[a] < scene.x[b] ? [a, b] : [b, a];
  assert.deepEqual([neighbour(scene, left, "right"), neighbour(scene, right, "left")], [right, left]);
  assert.deepEqual(
    itemsOnLines(scene, [6]).map((i) => names(scene)[i]),
    ["e"],
  );
  const [found] = searchItems(scene, "mulb");
  assert.equal(found.label, "MulBackward0");
  assert.deepEqual(itemsOf(scene, found), [e], "a node is the card with its circle");
  assert.deepEqual(searchItems(scene, "D")[0], { kind: "tensor", id: trace.document.globals.d, label: "d" });
  const shelf = shelfOf(scene);
  const onNumber = (i, { x, y } = shelf) => {
    const { body, value, valueX, valueY } = scene.plans[i];
    return [x[i] + body.x + valueX + value.cellW / 2, y[i] + body.y + valueY + value.cellH / 2];
  };
  assert.deepEqual(numberAt(shelf, ...onNumber(a)), { tensor: trace.document.globals.a, index: 0 });
  const drawn = scene.itemMarks(a, new Moment(trace, trace.events.length)).find((mark) => mark.text === "2");
  const [x, y] = onNumber(a);
  assert.ok(Math.abs(shelf.x[a] + drawn.x - x) < 1 && Math.abs(shelf.y[a] + drawn.y - y) < 8, "where it is drawn");
  assert.equal(itemAt(shelf, shelf.x[a], shelf.y[a]), a);
  assert.equal(numberAt(scene, ...onNumber(c, scene)), null, "only leaves can be changed");
  const vector = sceneOf(programs.vector());
  const i = find(vector.scene, "x");
  const { body, value, valueX, valueY } = vector.scene.plans[i];
  const stands = shelfOf(vector.scene);
  const third = stands.x[i] + body.x + valueX + 2 * (value.cellW + value.gap) + value.cellW / 2;
  assert.equal(numberAt(stands, third, stands.y[i] + body.y + valueY + value.cellH / 2).index, 2);
});

test("who does not see the picture hears of a card its value, of a leaf its .grad, and the node on its circle", () => {
  const { scene, trace } = sceneOf(programs.scalars());
  const said = (name, t) => scene.describe(find(scene, name), new Moment(trace, t));
  const end = trace.events.length;
  assert.equal(said("a", 1), "tensor a, leaf, value 2, grad None");
  assert.equal(said("a", end), "tensor a, leaf, value 2, grad 4");
  assert.match(said("e", end), /^tensor e, value 20.*MulBackward0.*freed/);
});

test("the view: fitting, zooming about a point, revealing, flying", () => {
  const size = { width: 800, height: 600 };
  const view = fitView({ x: 100, y: 50, w: 1000, h: 200 }, size);
  assert.ok(view.k <= 0.8 && view.x + 100 * view.k >= 0 && view.x + 1100 * view.k <= 800);
  const key = { x: 0, y: 0, w: 220, h: 60 };
  const tall = { x: 0, y: 0, w: 500, h: 500 };
  const whole = fitView(tall, size);
  const away = [{ x: 300, y: 0, w: 200, h: 500 }];
  assert.deepEqual(fitClear(tall, size, away, [key]), whole, "what lies elsewhere may stay");
  const under = [{ x: 0, y: 0, w: 200, h: 40 }];
  const cleared = fitClear(tall, size, under, [key]);
  assert.ok(cleared.x >= key.w || cleared.y >= key.h, "out from under the key");
  assert.ok(cleared.x + 500 * cleared.k <= 800 && cleared.y + 500 * cleared.k <= 600, "and all of it in sight");
  assert.ok(cleared.k >= LEGIBLE, "and to be read");
  const near = zoomAt(view, 2, { x: 400, y: 300 });
  const world = (v) => (400 - v.x) / v.k;
  assert.ok(Math.abs(world(near) - world(view)) < 1e-9);
  assert.equal(reveal(view, { x: 300, y: 100, w: 50, h: 50 }, size), null);
  const right = reveal(view, { x: 5000, y: 100, w: 50, h: 50 }, size);
  assert.ok(right && right.x < view.x && right.y === view.y, "only in the direction in which it is out of sight");
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

test("a first look is near enough to read", () => {
  const size = { width: 700, height: 500 };
  const small = firstView({ x: 0, y: 0, w: 700, h: 300 }, size, { x: 0, y: 0, w: 10, h: 10 });
  assert.ok(small.k > LEGIBLE && small.k < 1, "everything");
  for (const side of [900, 9000]) {
    const focus = { x: side / 2, y: side / 2, w: 100, h: 60 };
    const large = firstView({ x: 0, y: 0, w: side, h: side }, size, focus);
    assert.equal(large.k, LEGIBLE);
    assert.equal(reveal(large, focus, size), null);
  }
});

test("a first look on a phone shows everything from side to side, the whole of a box, or its beginning", () => {
  const size = { width: 390, height: 360 };
  const seen = ({ k, x }, box) => [box.x * k + x, (box.x + box.w) * k + x];
  const bounds = { x: 0, y: 0, w: 470, h: 640 };
  const all = firstView(bounds, size, { x: 0, y: 0, w: 120, h: 90 });
  assert.ok(all.k < LEGIBLE && seen(all, bounds)[0] >= 0 && seen(all, bounds)[1] <= size.width);
  const wide = { x: 300, y: 20, w: 450, h: 90 };
  const cover = { x: 298, y: 0, w: 92, h: 46 };
  const box = firstView({ x: 0, y: 0, w: 2000, h: 640 }, size, wide, [cover]);
  assert.ok(seen(box, wide)[0] >= 0 && seen(box, wide)[1] <= size.width);
  assert.ok(wide.y * box.k + box.y > cover.h, "below what covers the picture");
  const wider = { ...wide, w: 900 };
  assert.ok(seen(firstView({ x: 0, y: 0, w: 2000, h: 640 }, size, wider), wider)[0] >= 0);
});

test("what comes into sight on a phone does not leave it on the other side", () => {
  const size = { width: 390, height: 360 };
  for (const [x, w] of [
    [250, 300],
    [-120, 360],
    [200, 200],
  ]) {
    const to = reveal({ k: 1, x: 0, y: 0 }, { x, y: 40, w, h: 90 }, size);
    assert.ok(to && x + to.x >= 0 && x + w + to.x <= size.width, `${x}`);
  }
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

test("what a convolution makes is drawn as maps side by side, with nothing between them", () => {
  const map = (m) => Array.from({ length: 4 }, (_, r) => Array.from({ length: 4 }, (_, c) => 100 * m + 4 * r + c + 1));
  const value = { shape: [1, 8, 4, 4], dtype: "float32", data: [Array.from({ length: 8 }, (_, m) => map(m))] };
  const { form, rows, columns, cells } = summarize(value);
  assert.deepEqual([form, rows, columns, cells.length], ["thumbnail", 9, 19, 171]);
  assert.equal(Object.keys(cells).length, 8 * 16, "a hole for each cell between maps");
  assert.deepEqual(cells.slice(0, 4), [1, 2, 3, 4]);
  assert.equal(4 in cells, false);
  assert.deepEqual(cells.slice(5, 9), [101, 102, 103, 104]);
  assert.deepEqual(cells.slice(5 * columns, 5 * columns + 4), [401, 402, 403, 404]);
  const summary = summarize({ ...value, shape: [32, 4], data: value.data.flat(2) });
  assert.deepEqual([summary.rows, summary.columns], [16, 4], "a matrix stays one");
});
