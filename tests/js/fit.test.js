/** What does not fit is drawn with less: in which order, what stays, and that it can be read. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import * as programs from "./fixtures/programs.js";
import { assertFits, sceneOf } from "./fixtures/picture.js";
import { withChains } from "../../static/js/scene/chains.js";
import { GENEROUS, fits, thriftier } from "../../static/js/scene/fit.js";
import { Moment } from "../../static/js/scene/moment.js";
import { outOfSight, rootsAt } from "../../static/js/scene/story.js";
import { stops } from "../../static/js/trace.js";

const folder = new URL("./fixtures/engine/", import.meta.url);
const documents = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => ({ name, document: JSON.parse(readFileSync(new URL(name, folder), "utf8")) }));
const cards = (scene) =>
  new Set(scene.items.flatMap(({ kind, tensor }) => (kind === "card" ? [scene.trace.label(tensor)] : [])));

const NO_ROOM = { width: 4000, height: 20 };

const tallest = ({ parts }) => Math.max(...parts.map(({ box }) => box.h));

/** The scenes of a document, from the one that shows most. */
function* thrifts(document) {
  for (let thrift = GENEROUS, scene; thrift; thrift = thriftier(scene, NO_ROOM)) {
    if (thrift.chains) thrift.chains = withChains;
    ({ scene } = sceneOf(document, { thrift }));
    yield scene;
  }
}

/** Cards that an edge passes through though it belongs to neither end of it. */
const crossed = (scene) =>
  scene.links.flatMap(({ from, to }, j) => {
    const { xs, ys } = scene.way(j);
    return scene.items.flatMap(({ key, kind }, i) => {
      if (i === from || i === to || kind !== "card" || !scene.shows(i)) return [];
      const { x, y, w, h } = scene.faceOf(i);
      const inside = (k) => xs[k] > x + 2 && xs[k] < x + w - 2 && ys[k] > y + 2 && ys[k] < y + h - 2;
      return [...xs.keys()].some(inside) ? [`${scene.items[from].key} → ${scene.items[to].key} over ${key}`] : [];
    });
  });

for (const { name, document } of documents) {
  test(`${name}: with little room it is lower, what it says can be read, and what has a name keeps its card`, () => {
    const [roomy, dense] = [GENEROUS, { ...GENEROUS, dense: true }].map(
      (thrift) => sceneOf(document, { thrift }).scene,
    );
    assert.ok(tallest(dense) <= tallest(roomy));
    assert.deepEqual([...crossed(roomy), ...crossed(dense)], []);
    for (const tensor of document.tensors) {
      if (tensor.name && cards(roomy).has(tensor.name)) assert.ok(cards(dense).has(tensor.name), tensor.name);
    }
    for (const t of stops(dense.trace)) {
      dense.items.forEach((_, i) => assertFits(dense, i, new Moment(dense.trace, t)));
    }
  });
}

test("results without a name go first, then turns of loops, scopes and numbers of matrices", () => {
  const found = [...thrifts(programs.perceptron())];
  const said = ({ whole: { thrift, groups } }) => [
    ...["dense", "gather", "chains", "low", "flat", "cones"].filter((name) => thrift[name]),
    ...thrift.folds.map((id) => groups.get(id).label),
  ];
  assert.deepEqual(
    found.map((scene) => said(scene).join(", ")),
    [
      "",
      "dense",
      "dense, gather",
      "dense, gather, 0: Linear",
      "dense, gather, 0: Linear, 1: Linear",
      "dense, gather, 0: Linear, 1: Linear, 2: Linear",
      "dense, gather, 0: Linear, 1: Linear, 2: Linear, net: Sequential",
      "dense, gather, chains, 0: Linear, 1: Linear, 2: Linear, net: Sequential",
      "dense, gather, chains, low, 0: Linear, 1: Linear, 2: Linear, net: Sequential",
      "dense, gather, chains, low, flat, 0: Linear, 1: Linear, 2: Linear, net: Sequential",
      "dense, gather, chains, low, flat, cones, 0: Linear, 1: Linear, 2: Linear, net: Sequential",
    ],
  );
  assert.ok(found.every(({ bounds }, k) => !k || bounds.h <= found[k - 1].bounds.h));
});

test("what a reader opens stays open, and thrift ends all the same", () => {
  const left = new Set([
    "dense",
    "chains",
    "gather",
    "0: Linear",
    "1: Linear",
    "2: Linear",
    "net: Sequential",
    "low",
    "flat",
    "cones",
  ]);
  let thrift = GENEROUS;
  for (;;) {
    const { scene } = sceneOf(programs.perceptron(), { thrift, folded: new Set() });
    thrift = thriftier(scene, NO_ROOM);
    if (!thrift) break;
    const { groups } = scene.whole;
    const { folds, ...others } = thrift;
    const last = folds.at(-1);
    const said = [...Object.keys(others).filter((name) => others[name]), groups.get(last)?.label];
    assert.ok(
      said.some((word) => left.delete(word)),
      `${said.join(", ")} again`,
    );
  }
  assert.deepEqual([...left], []);
});

test("ops in a row without a name are one box, and what goes into it from the root is written on its edge", () => {
  let found = 0;
  for (const { document } of documents) {
    const [before, after] = [false, withChains].map(
      (chains) => sceneOf(document, { thrift: { ...GENEROUS, dense: true, gather: true, chains } }).scene,
    );
    const named = (scene) => scene.items.flatMap(({ kind, key }) => (kind === "card" ? [key] : [])).sort();
    assert.deepEqual(named(after), named(before));
    for (const [i, { group }] of after.items.entries()) {
      if (!group?.startsWith("chain:")) continue;
      found++;
      const { title, detail, nodes } = after.plans[i];
      assert.equal(title.split(" ").length, nodes.length);
      assert.equal(detail, `${nodes.length} ops`);
      for (const j of after.out[i]) {
        const { carries, role, to } = after.links[j];
        if (!carries.length || after.items[to].kind === "box") continue;
        assert.equal(role, "input");
        const was = before.links.findIndex((link) => link.carries.some(({ node }) => node === carries[0].node));
        assert.deepEqual(after.draft.chips[j].slope, before.draft.chips[was].slope);
      }
      for (const t of stops(after.trace)) assertFits(after, i, new Moment(after.trace, t));
    }
  }
  assert.ok(found > 3, `${found} chains`);
});

test("where chains are not enough, what leads to one op only is one box, called by what it computes", () => {
  let found = 0;
  for (const { document } of documents) {
    const thrift = { ...GENEROUS, dense: true, gather: true, chains: withChains };
    const [chains, cones] = [false, true].map(
      (each) => sceneOf(document, { thrift: { ...thrift, cones: each } }).scene,
    );
    assert.ok(cones.items.length <= chains.items.length);
    for (const [i, { group }] of cones.items.entries()) {
      if (!group?.startsWith("chain:")) continue;
      const { items, label } = cones.whole.groups.get(group);
      const left = cones.whole.graph.links.filter(({ from, to }) => items.includes(from) && !items.includes(to));
      assert.equal(new Set(left.map(({ from }) => from)).size, 1, "one op leads out of it");
      assert.ok(cones.plans[i].nodes.length >= 2);
      if (!cones.out[i].length) assert.fail(`${label} leads nowhere`);
      found += Number(label.includes("*") || label.includes("+"));
    }
  }
  assert.ok(found > 0);
});

test("where a pass is a tower a gradient stands beside its value, and fits there", () => {
  let lower = 0;
  for (const { document } of documents) {
    const thrift = { ...GENEROUS, dense: true, gather: true, chains: withChains, low: true };
    const [before, after] = [false, true].map((flat) => sceneOf(document, { thrift: { ...thrift, flat } }).scene);
    lower += Number(tallest(after) < tallest(before));
    for (const t of stops(after.trace)) {
      after.items.forEach((_, i) => assertFits(after, i, new Moment(after.trace, t)));
    }
  }
  assert.ok(lower > 3, `${lower} are lower`);
});

test("numbers beside each other make way where a pass is too wide for them, but not for one far too high", () => {
  const { document } = documents.find(({ name }) => name === "roots.json");
  const thrift = { ...GENEROUS, dense: true, gather: true, chains: withChains, low: true };
  const [before, after] = [false, null].map((flat) => sceneOf(document, { thrift: { ...thrift, flat } }).scene);
  const [wide, narrow] = [before, after].map(({ parts }) => Math.max(...parts.map(({ box }) => box.w)));
  assert.ok(narrow < wide, `${narrow}, ${wide}`);
  const folds = [...before.whole.groups.keys()];
  const { scene } = sceneOf(document, { thrift: { ...thrift, folds } });
  const room = (height) => ({ width: 0.9 * Math.max(...scene.parts.map(({ box }) => box.w)), height });
  assert.equal(thriftier(scene, room(tallest(scene))).flat, null);
  assert.notEqual(thriftier(scene, room(NO_ROOM.height))?.flat, null);
});

test("leaves that take too much of a stage are folded with their modules", () => {
  const chains = withChains;
  let [scene, thrift] = [null, { ...GENEROUS, dense: true, gather: true, chains, low: true }];
  const document = programs.perceptron();
  const next = (shelf) => {
    ({ scene } = sceneOf(document, { thrift }));
    const folds = [...scene.whole.groups.keys()];
    ({ scene } = sceneOf(document, { thrift: { ...thrift, folds } }));
    return thriftier(scene, { ...NO_ROOM, shelf });
  };
  assert.equal(next(0.6 * NO_ROOM.height).tucked, false);
  const { slots } = scene;
  thrift = { ...thrift, tucked: true };
  assert.equal(next(NO_ROOM.height).tucked, true);
  assert.ok(slots.length > scene.slots.length, `${slots.length}, ${scene.slots.length}`);
});

test("the root of the pass that runs, and which way it is when it is out of sight", () => {
  const { scene, trace } = sceneOf(programs.scalars());
  const begin = trace.events.findIndex(({ kind }) => kind === "backward") + 1;
  assert.deepEqual(rootsAt(scene, begin - 1), []);
  const [root] = rootsAt(scene, begin);
  assert.equal(scene.plans[root].name, "e");
  const size = { width: 400, height: 100 };
  const { x, y, h } = scene.boxes[root];
  assert.equal(outOfSight(scene, begin, { k: 1, x: 40 - x, y: 4 - y }, { width: 900, height: h + 8 }), null);
  const below = outOfSight(scene, begin, { k: 1, x: 40 - x, y: -y - h - 30 }, { width: 900, height: 100 });
  assert.deepEqual([below.way, below.root], ["above", root]);
  assert.ok(below.count >= 1 && below.count < scene.items.length);
  assert.equal(below.seen, false);
  const partly = outOfSight(scene, begin, { k: 1, x: 40 - x, y: -y - 10 }, { width: 900, height: 100 });
  assert.deepEqual([partly.way, partly.seen], ["above", true]);
  assert.equal(fits({ x: 0, y: 0, w: 419, h: 90 }, size), true);
  assert.equal(fits({ x: 0, y: 0, w: 420, h: 90 }, size), false);
});
