/**
 * The map of a large pass: its tree, the norms in it, the rows there is room for.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { indexTrace } from "../../static/js/trace.js";
import { levelOf, outermost, skipsAmong } from "../../static/js/map/boxes.js";
import { placeLevel, roomIn } from "../../static/js/map/place.js";
import { parametersAt } from "../../static/js/map/parameters.js";
import { drawMap } from "../../static/js/map/drawing.js";
import { roughMeasure } from "../../static/js/scene/marks.js";
import { chain, flowOf, openToFit, parametersOf, phaseOf, rowsOf, sizeOf } from "../../static/js/map/rows.js";
import { decades, marksOf, placeOf } from "../../static/js/map/scale.js";
import { partsOfPass } from "../../static/js/map/strip.js";
import { passTree, wantsMap } from "../../static/js/map/tree.js";

const read = (name) =>
  indexTrace(JSON.parse(readFileSync(new URL(`./fixtures/engine/${name}.json`, import.meta.url), "utf8")));
const trace = read("blocks");
const tree = passTree(trace, trace.bands[0]);
const find = (part, ...names) => names.reduce((at, name) => at.children.find((child) => child.name === name), part);
const norm = (values) => Math.hypot(...values.flat(3));
const close = (a, b) => assert.ok(Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(b)), `${a} is not ${b}`);

test("modules come in the order of the pass, named as the program names them", () => {
  assert.deepEqual(
    tree.root.children.map((part) => [part.kind, part.name, part.type]),
    [
      ["op", "loss", "SumBackward0"],
      ["op", "mean", "MeanBackward1"],
      ["op", "pow", "PowBackward0"],
      ["module", "head", "Linear"],
      ["module", "net", "Sequential"],
    ],
  );
  const net = find(tree.root, "net");
  assert.deepEqual(
    net.children.map((part) => `${part.name} ${part.type}`),
    [5, 4, 3, 2, 1, 0].map((i) => `${i} Block`),
  );
  assert.deepEqual(
    find(net, "5").children.map((part) => part.name),
    ["add", "lin2", "tanh", "lin1"],
  );
});

test("what arrives and leaves is what the pass sent", () => {
  const event = (node) => trace.events.find((each) => each.kind === "node" && each.node === node);
  for (const block of find(tree.root, "net").children) {
    const add = block.children.find(({ type }) => type === "AddBackward0");
    const [given] = event(add.node).grad_outputs;
    close(block.arriving.norm, norm(trace.value(given).data));
    close(add.arriving.norm, block.arriving.norm);
  }
  const blocks = find(tree.root, "net").children;
  for (let i = 1; i < blocks.length; i++) {
    close(blocks[i - 1].leaving.norm, blocks[i].arriving.norm);
    assert.ok(blocks[i - 1].leaving.exact);
  }
  assert.equal(tree.root.arriving.norm, 1);
  assert.equal(find(tree.root, "net", "0").leaving, null, "its input asked for no gradient");
});

test("a residual connection is a way around", () => {
  const block = find(tree.root, "net", "3");
  assert.deepEqual(
    block.skips.map(({ from, to }) => [from, to]),
    [[0, 4]],
  );
  close(block.skips[0].norm, block.arriving.norm);
});

test("parameters belong to the modules that use them, with what the pass left in them", () => {
  const { parameters } = find(tree.root, "net", "2", "lin1");
  assert.deepEqual(
    parameters.map(({ name, size }) => [name, size]),
    [
      ["net.2.lin1.bias", 3],
      ["net.2.lin1.weight", 6],
    ],
  );
  for (const { tensor, grad } of parameters) close(grad.norm, norm(trace.value(trace.tensors.get(tensor).grad).data));
  assert.equal(sizeOf(tree.root.parameters), 6 * (9 + 8) + 3);
});

test("rows unfold in place, and alike ones fold into runs where there is no room", () => {
  const net = find(tree.root, "net");
  const open = new Set([net.id]);
  const all = rowsOf(tree.root, { open, now: null, room: 20 });
  assert.deepEqual(
    all.map((row) => [row.name, row.depth, row.open]),
    [
      ["loss", 0, false],
      ["mean", 0, false],
      ["pow", 0, false],
      ["head", 0, false],
      ["net", 0, true],
      ...[5, 4, 3, 2, 1, 0].map((i) => [String(i), 1, false]),
    ],
  );
  const few = rowsOf(tree.root, { open, now: null, room: 7 });
  assert.deepEqual([few.length, few[5].name, few[5].type], [6, "0…5", "Block ×6"]);
  assert.equal(parametersOf(few[5]).length, 24);
  assert.equal(flowOf(few[5]).arriving, net.children[0].arriving);
  const now = find(net, "3", "lin2").children[0];
  const around = rowsOf(tree.root, { open: new Set([...open, ...chain(now).map((part) => part.id)]), now, room: 9 });
  assert.ok(
    around.some((row) => row.parts[0] === now),
    "what runs is never in a run",
  );
  assert.ok(rowsOf(tree.root, { open: new Set([...open, few[5].key]), now: null, room: 7 }).length > 7, "a run opens");
});

test("a row is later, now, begun or past", () => {
  const net = find(tree.root, "net");
  const [row] = rowsOf(net, { open: new Set(), now: null, room: 9 });
  const [block] = row.parts;
  assert.equal(phaseOf(row, block.first, null), "later");
  assert.equal(phaseOf(row, block.first + 1, block.children[0]), "now");
  assert.equal(phaseOf({ ...row, open: true }, block.first + 1, block.children[0]), "around");
  assert.equal(phaseOf(row, block.first + 1, null), "begun");
  assert.equal(phaseOf(row, block.last + 1, null), "past");
});

test("what opens first fits, like ones in a row as one", () => {
  assert.deepEqual([...openToFit(tree.root, 11)], [find(tree.root, "net").id]);
  const one = openToFit(tree.root, 6);
  assert.deepEqual([...one], [find(tree.root, "net").id], "six blocks are a run");
  assert.deepEqual(
    rowsOf(tree.root, { open: one, now: null, room: 8 }).map((row) => row.name),
    ["loss", "mean", "pow", "head", "net", "5", "4", "0…3"],
  );
  assert.equal(openToFit(tree.root, 5).size, 0);
  const block = find(tree.root, "net", "3");
  const alone = { ...tree.root, children: [block] };
  const among = { ...tree.root, children: [block, ...tree.root.children.filter((part) => part.kind === "op")] };
  assert.ok(block.children.length > 3 && among.children.length > 3);
  assert.deepEqual([...openToFit(alone, 3)], [block.id], "a model that is all there is opens anyway");
  assert.equal(openToFit(among, 4).size, 0);
});

test("norms lie on whole decades, two of them at least", () => {
  assert.deepEqual(decades(0.02, 0.9), { low: -2, high: 0 });
  assert.deepEqual(decades(0.5, 0.9), { low: -2, high: 0 });
  assert.deepEqual(decades(1e-30, 3), { low: -11, high: 1 }, "what is far smaller is at the edge");
  assert.deepEqual(decades(Infinity, 0), { low: -2, high: 0 });
  assert.deepEqual(
    [0, 0.001, 0.1, 1, NaN].map((x) => placeOf({ low: -2, high: 0 }, x)),
    [0, 0, 0.5, 1, 0],
  );
  assert.deepEqual(marksOf({ low: -2, high: 0 }, 3), [-2, -1, 0]);
  assert.ok(marksOf({ low: -11, high: 1 }, 3).length <= 3);
});

test("the timeline shows the parts of what takes most of the pass", () => {
  assert.deepEqual(
    partsOfPass(trace, trace.bands[0]).map((part) => part.name),
    ["", "head", "5", "4", "3", "2", "1", "0"],
  );
});

test("parameters are sorted by the gradient that has arrived in them", () => {
  const names = (t, order) => parametersAt({ trace }, t, order).map(({ name }) => name);
  assert.equal(names(0, "program")[0], "net.0.lin1.weight");
  const end = parametersAt({ trace }, trace.events.length, "smallest");
  assert.equal(end.length, 26);
  assert.ok(end.every(({ past }) => past));
  assert.deepEqual(
    end.map(({ norm }) => norm),
    end.map(({ norm }) => norm).sort((a, b) => a - b),
  );
  assert.deepEqual(names(0, "smallest"), names(0, "program"), "nothing is known before it arrives");
  assert.ok(parametersAt({ trace }, 1, "name").every(({ past, norm }) => !past && norm === null));
});

test("frozen parameters are listed behind those that get a gradient", () => {
  const [, ...rest] = trace.document.modules.flatMap(({ parameters }) => Object.values(parameters));
  const tensors = new Map(trace.tensors);
  for (const id of rest.slice(0, 3)) tensors.set(id, { ...tensors.get(id), requires_grad: false });
  const partly = Object.assign(Object.create(trace), { tensors });
  const frozen = (t, order) => parametersAt({ trace: partly }, t, order).map((each) => each.frozen);
  assert.deepEqual(frozen(0, "program").slice(0, 5), [false, true, true, true, false]);
  for (const order of ["smallest", "largest"]) {
    for (const t of [0, trace.events.length]) {
      assert.deepEqual(frozen(t, order), [...Array(23).fill(false), true, true, true]);
    }
  }
});

test("time steps of a module are turns of a loop, in the order of the pass", () => {
  const steps = read("steps");
  const { root } = passTree(steps, steps.bands[0]);
  const rnn = find(root, "rnn");
  const loops = rnn.children.filter((part) => part.kind === "loop");
  assert.deepEqual(
    loops.map((loop) => loop.children.map((turn) => turn.name.slice(5)).join("")),
    ["01234", "43210", "01234", "43210"],
    "two layers, in two directions: the pass goes against each",
  );
  for (const loop of loops) {
    const weights = loop.parameters.map(({ name }) => name).filter((name) => name.includes("weight"));
    assert.equal(weights.length, 1);
    for (const turn of loop.children) {
      assert.deepEqual(
        turn.children.map((part) => part.name),
        ["tanh", "add", "addmm", `${weights[0]}.T`],
      );
      assert.ok(turn.arriving.norm > 0);
    }
  }
  const norms = loops[0].children.map((turn) => turn.arriving.norm);
  assert.ok(norms[0] > norms[4], "what arrives at the first step has come a long way");
  assert.equal(
    loops.reduce((ops, loop) => ops + loop.ops, 0),
    4 * 5 * 4,
  );
});

test("a small pass has no map, a loop of many has one, and some ops in several modules", () => {
  assert.equal(wantsMap(read("loop")), false);
  assert.equal(wantsMap(trace), true);
  const unet = read("unet");
  assert.equal(passTree(unet, unet.bands[0]).root.ops, 26);
  assert.equal(wantsMap(unet), true);
  const document = JSON.parse(JSON.stringify(unet.document));
  for (const scope of document.scopes) if (scope.kind === "module") scope.kind = "function";
  assert.equal(wantsMap(indexTrace(document)), false, "functions are seen in the graph");
});

test("an iteration that only calls a module is that module", () => {
  const unet = read("unet");
  const loop = outermost(passTree(unet, unet.bands[0]).root).find(({ kind }) => kind === "loop");
  assert.deepEqual(
    loop.children.map(({ kind, name, type }) => [kind, name, type]),
    [1, 0].map((i) => ["module", `blocks.${i}`, "Double"]),
  );
});

test("the map that leaves the page has its rows and numbers", () => {
  const rows = rowsOf(tree.root, { open: new Set([find(tree.root, "net").id]), now: null, room: 20 });
  const t = trace.events.length;
  const { box, layers } = drawMap(rows, { tree, t, now: null, measure: roughMeasure });
  const texts = layers.flatMap(({ marks }) => marks.filter(({ type }) => type === "text"));
  assert.deepEqual(
    texts.filter(({ weight }) => weight === 600).map(({ text }) => text.replace(/^[▾▸] /, "")),
    rows.map(({ name }) => name),
  );
  assert.ok(texts.some(({ text }) => text === "Block"));
  assert.ok(texts.every(({ x, y, text }) => x < box.w && y < box.h && !/undefined|NaN|null/.test(text)));
});

const level = (of, { room = 20, part = null } = {}) => {
  const pass = passTree(of, of.bands[0]);
  return levelOf(of, pass, part ? part.children : outermost(pass.root), { room, whole: !part });
};

test("boxes are what the pass goes through, what dominates it taken apart", () => {
  assert.deepEqual(
    level(trace).boxes.map(({ name, type }) => `${name} ${type}`),
    [
      "loss SumBackward0",
      "mean MeanBackward1",
      "pow PowBackward0",
      "head Linear",
      ...[5, 4, 3, 2, 1, 0].map((i) => `net.${i} Block`),
    ],
  );
});

test("what arrives at a box is what the parts before it sent, and a ribbon leads there", () => {
  const { boxes, links } = level(trace);
  for (const [i, { parts, arriving }] of boxes.entries()) {
    assert.equal(arriving.norm, parts[0].arriving.norm);
    if (i) close(links.find(({ from, to }) => from === i - 1 && to === i).flow.norm, arriving.norm);
  }
});

test("a residual connection is an arc over its box, and between the boxes inside", () => {
  const boxes = level(trace).boxes;
  assert.deepEqual(
    boxes.map(({ around }) => around.length),
    [0, 0, 0, 0, 1, 1, 1, 1, 1, 0],
    "none in the block whose input asks for no gradient",
  );
  const block = find(tree.root, "net", "3");
  const { links } = level(trace, { part: block });
  assert.deepEqual(
    skipsAmong(links).map(({ from, to }) => [block.children[from].name, to]),
    [["add", block.children.length]],
    "out of the block",
  );
  const ways = [
    { from: 0, to: 1 },
    { from: 1, to: 2 },
    { from: 0, to: 2 },
    { from: 0, to: 3 },
  ];
  assert.deepEqual(skipsAmong(ways), [ways[2]], "what ends elsewhere goes around nothing");
});

test("alike parts share boxes where there is no room, a run is cut evenly and whatever runs now", () => {
  const { boxes } = level(trace, { room: 7 });
  assert.deepEqual(
    boxes.map(({ name, type }) => `${name} ${type}`),
    ["loss SumBackward0", "mean MeanBackward1", "pow PowBackward0", "head Linear"].concat([
      "net.5…4 Block ×2",
      "net.3…2 Block ×2",
      "net.1…0 Block ×2",
    ]),
  );
  assert.equal(boxes[5].parameters.length, 8);
  close(boxes[5].arriving.norm, find(tree.root, "net", "3").arriving.norm);
});

test("boxes stand in rows as wide as there is room, or one below the other", () => {
  for (const width of [1020, 790, 640, 340]) {
    const drawn = level(trace, { room: roomIn(width) });
    const { boxes, height, upright } = placeLevel(drawn, { width, height: 80 });
    assert.equal(upright, width === 340);
    assert.ok(boxes.every(({ x, y, w, h }) => x >= 0 && x + w <= width && y >= 0 && y + h <= height && w >= 76));
    for (let i = 1; i < boxes.length; i++) {
      const [a, b] = [boxes[i - 1], boxes[i]];
      assert.ok(a.row === b.row && !upright ? b.x >= a.x + a.w + 10 : b.y >= a.y + a.h + 10, `${width}: ${i}`);
    }
  }
});

test("what is not finite is called what it is", () => {
  const broken = indexTrace(structuredClone(trace.document));
  const event = broken.events.find(({ kind }) => kind === "node");
  const value = broken.document.values[event.grad_inputs[0]];
  const flow = (data) => {
    value.data = data;
    broken.summaries.clear();
    return passTree(broken, { ...broken.bands[0] }).root.children[1].arriving.norm;
  };
  const filled = (x, like) => (Array.isArray(like) ? like.map((each) => filled(x, each)) : x);
  assert.equal(flow(filled("Infinity", value.data)), Infinity);
  assert.ok(Number.isNaN(flow(filled("NaN", value.data))));
});
