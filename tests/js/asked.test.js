/** What a program looks at is named and lit on the picture: leaf tags, grad_fn, next_functions, AccumulateGrad. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readsAt, stops } from "../../static/js/trace.js";
import { highlightMarks } from "../../static/js/scene/highlight.js";
import { Moment } from "../../static/js/scene/moment.js";
import { assertSteady, sceneOf, shared, shelfOf, textsOfItem, textsOfSprites } from "./fixtures/picture.js";

const read = (name) => JSON.parse(readFileSync(new URL(`./fixtures/engine/${name}.json`, import.meta.url), "utf8"));
const lit = (scene, t) =>
  [scene, shelfOf(scene, t)].flatMap((each) =>
    highlightMarks(each, { lines: [], hovered: -1, hoveredLink: -1, lit: [], selected: null, t }),
  );

/** The times of the steps that read an attribute. */
const readers = (trace, attribute) =>
  stops(trace).filter((t) => readsAt(trace, t).some((each) => each.attribute === attribute));

/** The step before one. */
const before = (trace, t) =>
  stops(trace)
    .filter((each) => each < t)
    .at(-1);

test("tags say what is a leaf, from the line on that asks, and are lit while it does", () => {
  const { scene, trace } = sceneOf(read("reads"));
  const card = (name) => scene.plans.findIndex((plan) => plan.name === name);
  const [asks] = readers(trace, "is_leaf");
  const at = (name, t) => textsOfItem(scene, card(name), new Moment(trace, t));
  assert.ok(!at("b", before(trace, asks)).includes("not a leaf"));
  for (const t of [asks, trace.events.length]) {
    assert.ok(at("b", t).includes("not a leaf"));
    assert.ok(at("c", t).includes("leaf"));
    assert.ok(at("c", t).includes("detached from b:") && at("c", t).includes("the path ends here"));
  }
  const tag = (t) => scene.itemMarks(card("b"), new Moment(trace, t)).find((mark) => mark.text === "not a leaf").fill;
  assert.deepEqual([tag(asks), tag(trace.events.length)], ["on-bwd", "mute"]);
  assert.ok(lit(scene, asks).length >= 4, "the cards that are read are lit");
  assert.equal(lit(scene, before(trace, asks)).length, 0);
});

test("a .grad that stays None has its row in the card, with the reason", () => {
  const { scene, trace } = sceneOf(read("reads"));
  const b = scene.plans.findIndex((plan) => plan.name === "b");
  for (const t of stops(trace).slice(3)) {
    const texts = textsOfItem(scene, b, new Moment(trace, t));
    assert.ok(texts.includes("None") && texts.includes("(not a leaf)") && texts.includes(".grad"), String(texts));
  }
});

test("grad_fn points at its circle, and next_functions stand on their edges and beside it", () => {
  const { scene, trace } = sceneOf(read("reads"));
  const [first] = readers(trace, "next_functions");
  const names = (t) => [...textsOfSprites(scene, new Moment(trace, t), "name").values()].flat();
  assert.deepEqual(names(before(trace, first)), []);
  assert.deepEqual(names(first), ["next_functions[1]"], "next_functions[0] is None: a requires no gradient");
  const e = scene.plans.findIndex((plan) => plan.name === "e");
  const texts = textsOfItem(scene, e, new Moment(trace, first));
  assert.ok(texts.includes("e.grad_fn") && texts.includes("[0] None: a doesn't require grad"), String(texts));
  const b = scene.plans.findIndex((plan) => plan.name === "b");
  assert.ok(textsOfItem(scene, b, new Moment(trace, trace.events.length)).includes("[1] None: 3 is a number"));
});

test("everything is named when the reader asks, and nothing covers a name", () => {
  for (const name of ["reads", "scalars", "vector", "twice", "kinds"]) {
    const { scene, trace } = sceneOf(read(name), { names: true });
    const texts = scene.items.flatMap((_, i) => textsOfItem(scene, i, new Moment(trace, trace.events.length)));
    assert.ok(texts.includes("AccumulateGrad") && texts.some((each) => each.endsWith("grad_fn")), String(texts));
    const boxes = scene.draft.chips.flatMap(({ name: label, w, h }, j) =>
      label ? [{ x: scene.labelX[j] - w / 2, y: scene.labelY[j] - h / 2, w, h }] : [],
    );
    assert.ok(boxes.length, name);
    for (const [i, box] of boxes.entries()) {
      for (const other of [...boxes.slice(i + 1), ...scene.boxes]) assert.equal(shared(box, other), 0, name);
    }
  }
});

test("a step that reads draws anew what it lights, and what the step before had lit", () => {
  const { scene, trace } = sceneOf(read("reads"));
  const times = stops(trace);
  for (let k = 1; k < times.length; k++) assertSteady(scene, trace, times[k - 1], times[k]);
  assertSteady(scene, trace, 0, times.at(-1));
  assertSteady(scene, trace, times.at(-1), times[2]);
});

test("what takes no part says why in its card", () => {
  const { scene, trace } = sceneOf(read("unreached"));
  const end = new Moment(trace, trace.events.length);
  const said = (name) =>
    textsOfItem(
      scene,
      scene.plans.findIndex((plan) => plan.name === name),
      end,
    ).join(" ");
  assert.match(said("w"), /its path is cut by detach/);
  assert.doesNotMatch(said("v"), /cut|pass/);
  assert.match(said("steps"), /an integer tensor/);
});

test("numbers that were only looked at cut no path", () => {
  const { scene, trace } = sceneOf(read("aside_data"));
  const end = new Moment(trace, trace.events.length);
  const leaf = scene.plans.findIndex((plan) => plan.name === "x");
  assert.match(textsOfItem(scene, leaf, end).join(" "), /no backward\(\) reaches it/);
});

test("an edge that a full document does not name is not drawn as one that is cut", () => {
  const document = read("scalars");
  document.nodes[0].next_functions = document.nodes[0].next_functions.map(() => null);
  const loud = () => sceneOf(structuredClone(document)).scene.links.filter(({ cut }) => cut).length;
  const severed = loud();
  document.nodes[0].cut = true;
  assert.ok(loud() < severed);
});
