/** Leaves stand on a shelf below the graph, and their edges come down to it whatever one sees of the graph. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as programs from "./fixtures/programs.js";
import { sceneOf, shelfOf } from "./fixtures/picture.js";
import { drawGraph } from "../../static/js/paint/drawing.js";
import { Moment } from "../../static/js/scene/moment.js";
import {
  aimsOf,
  divide,
  onShelf,
  outletOf,
  placeSlots,
  planLeaves,
  SHARE,
  shownIn,
  slotsOf,
  wayDown,
  wayToShelf,
} from "../../static/js/scene/shelf.js";
import { ledUp, turnsDown } from "../../static/js/scene/lanes.js";
import { lowered, planBlock } from "../../static/js/scene/blocks.js";

const slot = (w, h = 60) => ({ tensor: "t", items: [0], w, h, above: 8 });
const slots = [120, 80, 200, 90].map((w) => slot(w));
const aims = [300, 40, 310, 900];

test("slots lie below their ports as far as there is room, in their order, and never over each other", () => {
  const { x, y, h } = placeSlots(slots, aims, 760);
  assert.deepEqual([x[1] < x[0], x[0] < x[2], x[2] < x[3]], [true, true, true]);
  assert.equal(new Set(y).size, 1);
  assert.ok(h > 60 && h < 100);
  for (const [a, b] of [
    [1, 0],
    [0, 2],
    [2, 3],
  ]) {
    assert.ok(x[b] - slots[b].w / 2 - (x[a] + slots[a].w / 2) >= 8);
  }
  assert.ok(x[1] - 40 >= 0 && x[3] + 45 <= 760);
  assert.equal(x[1], 48, "as near to 40 as it can be");
});

test("an edge turns above the rim, but not where something is beside it", () => {
  const [from, to] = [
    { x: 95, y: 262 },
    { x: 113, y: 367 },
  ];
  assert.deepEqual(wayToShelf(from, to, [{ left: 120, right: 300 }]), [from, to]);
  assert.deepEqual(wayToShelf(from, to, [{ left: 97, right: 300 }]), [from, { x: 95, y: 347 }, to]);
  const cut = { x: 95, y: 347 };
  assert.deepEqual(wayToShelf(cut, to, [{ left: 97, right: 300 }]), [cut, to]);
});

test("what does not fit in one row goes on in the next", () => {
  const { x, y } = placeSlots(slots, aims, 330);
  assert.equal(new Set(y).size, 2);
  x.forEach((at, i) => assert.ok(at - slots[i].w / 2 >= 0 && at + slots[i].w / 2 <= 330));
});

test("a shelf grows with its room, and is never too small to read", () => {
  const stage = (width) => ({ width, height: 700 });
  assert.ok(divide(slots, null, stage(2000)).scale > 1);
  assert.equal(divide(slots, null, stage(200)).scale, 0.925);
  assert.equal(divide(slots, { w: 300, h: 80 }, stage(1200)).strip, "beside");
  assert.equal(divide(slots, { w: 300, h: 80 }, stage(700)).strip, "below");
  assert.equal(divide(slots, { w: 300, h: 400 }, stage(700)).strip, "none", "leaves and the graph come first");
  assert.ok(divide([slot(100, 400)], null, stage(700)).scale * 400 <= SHARE * 700 * 1.2);
});

test("leaves show their numbers where there is room, and lose them before they lose their place", () => {
  const { scene } = sceneOf(programs.perceptron());
  const wide = slotsOf(scene.items, scene.plans).length;
  assert.equal(wide, 6, "each parameter has one");
  const asked = [];
  const plan = (room) => {
    asked.push(room);
    return scene.plans;
  };
  planLeaves(scene.items, plan, { width: 4000, height: 700 });
  assert.deepEqual(asked, ["wide"]);
  planLeaves(scene.items, plan, { width: 200, height: 300 });
  assert.deepEqual(asked, ["wide", "wide", "narrow", "close"]);
});

test("a leaf is no card in the graph but a port on its lowest level", () => {
  const { scene } = sceneOf(programs.scalars());
  const [lowest] = [...scene.y].sort((a, b) => b - a);
  for (const i of scene.shelved) assert.equal(scene.y[i], lowest);
  assert.equal(scene.shelved.size, 3);
  const moment = new Moment(scene.trace, scene.trace.events.length);
  scene.items.forEach((_, i) => assert.equal(scene.marksHere(i, moment).length > 0, !scene.shelved.has(i)));
  const shelf = shelfOf(scene);
  scene.items.forEach((_, i) => assert.equal(shelf.shows(i), scene.shelved.has(i)));
});

test("an edge comes out of the graph at its port, else at the rim where it is cut off, else above its leaf", () => {
  const { scene } = sceneOf(programs.scalars());
  const j = scene.links.findIndex(({ from }) => scene.shelved.has(from));
  const [x, y] = scene.paths[j];
  const [width, rim] = [800, 500];
  const out = (view) => outletOf(scene, j, view, width, rim, 400);
  assert.deepEqual(out({ k: 1, x: 100, y: 0 }), { x: x + 100, y });
  const cut = out({ k: 1, x: 100, y: rim + 30 - y });
  assert.equal(cut.y, rim);
  assert.ok(Math.abs(cut.x - x - 100) < 40);
  assert.deepEqual(out({ k: 1, x: 100, y: 4000 }), { x: 400, y: rim });
  assert.deepEqual(out({ k: 1, x: 4000, y: 0 }), { x: 400, y: rim });
});

test("an edge that comes from above what is seen does not go through what stands below", () => {
  const { scene } = sceneOf(programs.scalars());
  const j = scene.links.findIndex(({ from }) => scene.shelved.has(from));
  const [x, y] = scene.paths[j];
  const view = { k: 1, x: 0, y: -y - 60 };
  assert.deepEqual(outletOf(scene, j, view, 4000, 500, 400), { x, y: -20 }, "nothing is there");
  const boxes = [...scene.boxes, { x: x - 10, y: y + 100, w: 20, h: 30 }];
  const other = Object.assign(Object.create(scene), { boxes, shows: () => true });
  assert.deepEqual(outletOf(other, j, view, 4000, 500, 400), { x: 400, y: 500 });
});

test("leaves keep their numbers where the shelf is hardly lower without", () => {
  const { scene } = sceneOf(programs.scalars());
  const planned = (/** @type {number} */ share) => {
    const shorter = scene.plans.map((plan) => (plan.leaf ? { ...plan, h: share * plan.h } : plan));
    const plan = (room) => (room === "close" ? shorter : scene.plans);
    return planLeaves(scene.items, plan, { width: 200, height: 100 }).plans === shorter;
  };
  assert.deepEqual([planned(0.95), planned(0.4)], [false, true]);
});

test("a single number is written however little room there is", () => {
  const measure = (content) => 8 * content.length;
  const block = (/** @type {number[]} */ cells) =>
    planBlock(
      [{ shape: [1, cells.length], rows: 1, columns: cells.length, cells, exact: true, dtype: "float32" }],
      measure,
    );
  assert.equal(lowered(block([6]), "close").digits, true);
  assert.equal(lowered(block([6, 7]), "close").digits, false);
});

test("a picture that leaves the page has the leaves below the graph", () => {
  const { scene, trace } = sceneOf(programs.scalars());
  const { box, layers } = drawGraph(scene, new Moment(trace, trace.events.length), []);
  const at = (text) => layers.filter(({ marks }) => marks.some((mark) => mark.text === text)).map(({ y }) => y);
  const lowest = Math.max(...at("e"));
  for (const name of ["a", "b", "d"]) assert.ok(Math.min(...at(name)) > lowest, name);
  assert.equal(at(".grad").length, 3);
  assert.ok(Math.max(...at(".grad")) < box.y + box.h);
});

test("an edge goes around what is below its port, as near as there is room, and does not cross another", () => {
  const box = (x, y, w, h = 40) => ({ x, y, w, h });
  const foot = 300;
  const clear = ({ x }, { begin }, boxes) =>
    boxes.every((each) => x <= each.x || x >= each.x + each.w || begin >= each.y + each.h);
  const ports = [40, 70, 160].map((x) => ({ x, y: 100 }));
  assert.deepEqual(turnsDown(ports, [box(0, 20, 200)], foot), [[], [], []], "above them");
  const wide = [box(0, 150, 200)];
  const [[a], [b], [c]] = turnsDown(ports, wide, foot);
  assert.ok(a.x < b.x && b.x < 0 && c.x > 200, "to the nearer side, in their order");
  assert.ok([a, b, c].every((turn) => turn.begin >= 100 && turn.end <= 150 && clear(turn, turn, wide)));
  const beside = [box(0, 150, 100), box(110, 150, 100), box(-900, 220, 1000)];
  const [turns] = turnsDown([{ x: 60, y: 100 }], beside, foot);
  assert.ok(turns.length === 1 && turns[0].x > 100 && turns[0].x < 110, "between two");
  const path = ledUp(Float64Array.of(60, 100, 60, 90, 60, 80, 60, 70), turns, foot);
  assert.equal((path.length - 2) % 6, 0);
  assert.deepEqual([...path.slice(0, 2), ...path.slice(-2)], [turns[0].x, foot, 60, 70]);
});

test("edges of a second row go down between the cards of the first", () => {
  const { scene } = sceneOf(programs.perceptron());
  const places = placeSlots(scene.slots, aimsOf(scene), 420);
  assert.ok(places.rows.length > 1);
  const shelf = onShelf(scene, places, 0);
  const boxes = scene.slots.map((_, k) => shelf.boxes[shownIn(scene, scene.slots[k], 0)]);
  for (const k of places.rows.at(-1)) {
    const way = wayDown(shelf, shownIn(scene, scene.slots[k], 0));
    assert.equal(way.length, 2 * places.rows.length - 1);
    for (const { x } of way.slice(0, 2)) {
      assert.ok(places.rows[0].every((i) => x < boxes[i].x || x > boxes[i].x + boxes[i].w));
    }
  }
});
