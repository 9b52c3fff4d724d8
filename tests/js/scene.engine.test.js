/**
 * Documents as the engine writes them, drawn: the kinds of programs the small recorder of these tests does not know.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { overlaps } from "./fixtures/quality.js";
import { assertFits, assertSteady, sceneOf, shared, textsOf, textsOfItem, textsOfSprites } from "./fixtures/picture.js";
import { edgeKey, indexTrace, stateAt, stops } from "../../static/js/trace.js";
import { Moment, progressAt, STEP_MS } from "../../static/js/scene/moment.js";
import { overlay } from "../../static/js/scene/motion.js";
import { hintOfLink } from "../../static/js/scene/hint.js";
import { linkAt, linkOf, referenceOfLink } from "../../static/js/scene/navigate.js";
import { RADIUS, symbolOfNode } from "../../static/js/scene/ops.js";
import { productOf } from "../../static/js/scene/chips.js";
import { stepAt } from "../../static/js/scene/step.js";
import { drawStrip, planStrip } from "../../static/js/scene/strip.js";

const folder = new URL("./fixtures/engine/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));
const cards = (scene, name) =>
  scene.items.flatMap((item, i) => (item.kind === "card" && scene.plans[i].name === name ? [i] : []));
/** The name beside the circle of an op, or of a card with its op. */
const circleOf = (scene, i) => (scene.plans[i].circle ?? scene.plans[i]).label;
const value = (trace, moment, scene, i) =>
  trace.value(moment.tensor(scene.items[i].tensor, scene.items[i].until).value).data;

for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  test(`${file}: drawn at every step, and the last state is the document's`, () => {
    const { scene, trace } = sceneOf(read(file.replace(".json", "")));
    assert.equal(overlaps(scene.draft.input, scene), 0);
    for (const t of stops(trace)) {
      const moment = new Moment(trace, t, Math.max(0, t - 1), "travel");
      scene.items.forEach((_, i) => assert.ok(scene.itemMarks(i, moment).length));
      scene.links.forEach((_, j) => scene.linkLook(j, moment));
      overlay(scene, moment, { stage: "travel", part: 0.5 }, { from: Math.max(0, t - 1), still: false });
      overlay(scene, new Moment(trace, t), progressAt(STEP_MS), { from: t, still: true });
    }
    assert.ok([...scene.x, ...scene.y].every(Number.isFinite), "everything lies somewhere");
    const end = stateAt(trace, trace.events.length);
    const data = (ref) => (ref && ref !== "none" ? JSON.stringify(trace.value(ref).data) : null);
    for (const tensor of trace.document.tensors) {
      if (end.tensors.has(tensor.id)) {
        assert.equal(data(end.tensors.get(tensor.id).grad), data(tensor.grad), tensor.name);
      }
    }
  });
}

test("every gradient that was sent has a link to travel along, or a folded scope around it", () => {
  for (const name of ["scalars", "vector", "training", "recurrent", "second", "cut"]) {
    for (const { start, end } of indexTrace(read(name)).bands) {
      const { scene, trace } = sceneOf(read(name), { at: end });
      for (const event of trace.events.slice(start, end)) {
        if (event.kind !== "node") continue;
        const next = trace.nodes.get(event.node).next_functions;
        event.sends.forEach(({ to, input_nr }) => {
          const index = next.findIndex((each) => each && each[0] === to && each[1] === input_nr);
          assert.ok(scene.linkOf.has(edgeKey(event.node, index)), `${name}: ${event.node} to ${to}`);
        });
      }
    }
  }
});

test("every edge knows the rule of its own input, also behind one that needs no gradient", () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    const { scene, trace } = sceneOf(read(file.replace(".json", "")));
    for (const { carries, argument } of scene.links) {
      for (const { node, index } of carries) {
        const { formula, next_functions } = trace.nodes.get(node);
        const known = Object.keys(formula ?? {});
        if (carries.length > 1 || known.length !== next_functions.length) continue;
        assert.equal(argument, known[index], `${file}: input ${index} of ${trace.nodes.get(node).name}`);
      }
    }
  }
  const { scene, trace } = sceneOf(read("constant"));
  const product = trace.document.nodes.find(({ name }) => name === "MulBackward0").id;
  const start = new Moment(trace, trace.events.findIndex((event) => event.kind === "backward") + 1);
  assert.deepEqual(textsOfSprites(scene, start, "slope").get(edgeKey(product, 1)), ["×x", "1", "2"]);
});

test("a slope that is a product bears its name", () => {
  const { scene, trace } = sceneOf(read("product"));
  const [, product] = trace.document.nodes.filter(({ name }) => name === "MulBackward0");
  const start = new Moment(trace, trace.events.findIndex((event) => event.kind === "backward") + 1);
  const slopes = textsOfSprites(scene, start, "slope");
  const said = [0, 1].map((index) => slopes.get(edgeKey(product.id, index)));
  assert.deepEqual(said, [
    ["×b", "3", "4"],
    ["×(2×b)", "6", "8"],
  ]);
});

test("a tensor written in place has a card per state, each with the value it had", () => {
  const { scene, trace } = sceneOf(read("inplace"));
  const end = new Moment(trace, trace.events.length);
  const z = cards(scene, "z").map((i) => value(trace, end, scene, i)[1]);
  assert.equal(z.length, 2);
  assert.ok(Math.abs(z[1] / z[0] - 2) < 1e-5, "the second is the first times two");
  assert.equal(cards(scene, "y").length, 3, "made, written through a view, added to");
  assert.ok(scene.items.some((_, i) => circleOf(scene, i) === "CopySlices"));
});

test("every write through a view has its own card, and each shows what the tensor held then", () => {
  const { scene, trace } = sceneOf(read("slices"));
  const own = cards(scene, "y");
  for (const t of [trace.events.length, trace.events.findIndex((event) => event.kind === "backward") + 1]) {
    assert.deepEqual(
      own.map((i) => value(trace, new Moment(trace, t), scene, i)),
      [
        [2, 4, 6],
        [10, 4, 6],
        [10, 20, 6],
      ],
    );
  }
  assert.deepEqual(
    own.map((i) => circleOf(scene, i)),
    ["MulBackward0", "CopySlices", "CopySlices"],
    "each on the circle of what made it",
  );
  const written = trace.events.flatMap((event, i) =>
    event.kind === "write" && trace.label(event.tensor) === "y" ? [i + 1] : [],
  );
  assert.deepEqual(
    own.slice(1).map((i) => scene.items[i].from),
    written,
    "a card is there from its write on",
  );
});

test("a training loop shows one turn, with the value its weight has then", () => {
  const document = read("loop");
  const { length } = document.events;
  const shown = (/** @type {number} */ t) => {
    const { scene, trace } = sceneOf(document, { at: t });
    return cards(scene, "w").map((i) => value(trace, new Moment(trace, t), scene, i));
  };
  const firstWrite = document.events.findIndex((event) => event.kind === "write");
  assert.deepEqual(shown(firstWrite), [1], "used before any write");
  assert.ok(Math.abs(shown(firstWrite + 1)[0] - 2.6) < 1e-5, "after it");
  assert.equal(shown(length).length, 1);
});

test("a weight of a recurrent net stands beside every use and is summed once", () => {
  const { scene, trace } = sceneOf(read("recurrent"));
  const own = cards(scene, "W");
  assert.ok(own.length > 1);
  assert.equal(own.filter((i) => scene.plans[i].gradient).length, 1);
  const sum = own.find((i) => scene.plans[i].gradient);
  const said = (t) => textsOfItem(scene, sum, new Moment(trace, t)).filter((text) => /arrived|used|waits/.test(text));
  assert.deepEqual(said(trace.events.length), ["5 of 5 arrived"]);
  assert.deepEqual(said(trace.events.findIndex((event) => event.kind === "backward")), ["used 5×"]);
});

test("double backward: nodes made by a backward pass are drawn, and a hook is seen", () => {
  const { scene, trace } = sceneOf(read("second"));
  const calls = trace.bands.length;
  assert.equal(calls, 2);
  const t = trace.events.findIndex((event) => event.kind === "hook") + 1;
  assert.ok(t > 0);
  assert.ok(textsOf(scene, new Moment(trace, t)).some((text) => /^hook(, line \d+)?$/.test(text)));
});

test("results beside the one that counts are drawn when somebody named or used them", () => {
  const document = read("aside");
  const { trace } = sceneOf(document);
  const shown = (/** @type {string} */ name, /** @type {number} */ nth) =>
    trace.visible.tensors.has(document.ops.find((op) => op.name === name).outputs[nth]);
  assert.deepEqual([shown("max", 0), shown("max", 1)], [true, false]);
  assert.deepEqual([shown("min", 0), shown("min", 1)], [true, true]);
});

test("results that nobody named, used or differentiated are not drawn, even when they could be differentiated", () => {
  const document = read("idle");
  const { scene } = sceneOf(document);
  const drawn = (/** @type {string} */ name) =>
    document.ops.find((op) => op.name === name).outputs.map((id) => scene.items.some((item) => item.tensor === id));
  assert.deepEqual(drawn("native_layer_norm"), [true, false, false]);
  assert.deepEqual(drawn("max"), [true, false]);
  assert.deepEqual(drawn("split"), [false, true]);
  assert.deepEqual(drawn("unbind"), [true, true], "both have names");
});

test("what a node hands out of its saved tensors is the card it was made as", () => {
  const { scene } = sceneOf(read("penalty"));
  const places = scene.items.flatMap(({ kind, place, original }) =>
    kind === "card" && place && original === null ? [place] : [],
  );
  assert.equal(new Set(places).size, places.length);
  assert.equal(cards(scene, "out").length, 1);
  assert.ok(cards(scene, "grad of x*w@w.T").length);
});

test("where a gradient comes from is said with the number its op works with", () => {
  const { trace } = sceneOf(read("second"));
  const pow = trace.document.nodes.find((node) => node.name === "PowBackward0");
  assert.equal(symbolOfNode(trace, pow.id), "x³");
});

test("cuts say why", () => {
  const { scene } = sceneOf(read("cut"));
  assert.deepEqual(
    scene.links
      .filter((link) => link.cut?.loud)
      .map((link) => link.cut.reason)
      .sort(),
    ["detach", "no_grad"],
  );
  assert.ok(scene.links.filter((link) => link.cut && !link.cut.loud).length >= 2);
});

test("setting a parameter up is no step; an optimizer's write is", () => {
  const { trace } = sceneOf(read("training"));
  const times = new Set(stops(trace));
  const writes = trace.events.flatMap((event, i) => (event.kind === "write" ? [i + 1] : []));
  assert.ok(writes.filter((t) => times.has(t)).length >= 8);
  assert.ok(writes.filter((t) => !times.has(t)).length >= 4);
});

test("a link says what goes along it, at every time", () => {
  const { scene, trace } = sceneOf(read("slices"));
  const end = new Moment(trace, trace.events.length);
  const start = new Moment(
    trace,
    trace.events.findIndex((event) => event.kind === "backward"),
  );
  const x = scene.links.findIndex((link) => link.tensor === trace.document.globals.x);
  assert.deepEqual(hintOfLink(scene, x, start), {
    title: "x → MulBackward0",
    lines: ["forward: [1, 2, 3] (3,)", "backward: no gradient yet"],
  });
  assert.deepEqual(hintOfLink(scene, x, end).lines[1], "backward: [0, 0, 24] (3,)");
  const several = sceneOf(read("kinds"));
  const first = several.scene.links.findIndex(({ role, to }) => role === "output" && several.scene.items[to].tensor);
  assert.deepEqual(hintOfLink(several.scene, first, new Moment(several.trace, several.trace.events.length)), {
    title: "SplitBackward0 → left",
    lines: ["forward: [3] (1,)", "backward: no gradient yet"],
  });
  for (const name of ["cut", "second", "recurrent", "training"]) {
    const drawn = sceneOf(read(name));
    for (const t of stops(drawn.trace)) {
      drawn.scene.links.forEach((_, j) => {
        const { title, lines } = hintOfLink(drawn.scene, j, new Moment(drawn.trace, t));
        assert.doesNotMatch([title, ...lines].join(" "), /undefined|null|NaN/);
      });
    }
  }
});

test("a cut link says why", () => {
  const { scene, trace } = sceneOf(read("cut"));
  const cut = scene.links.findIndex((link) => link.cut?.loud);
  assert.deepEqual(hintOfLink(scene, cut, new Moment(trace, trace.events.length)).lines, ["cut here: no_grad"]);
});

test("the link under a point is the nearest one, and none from far away", () => {
  const { scene } = sceneOf(read("recurrent"));
  scene.links.forEach((_, j) => {
    const { x, y } = scene.way(j).at(0.37);
    const found = linkAt(scene, x, y, 5);
    assert.ok(scene.way(found).distance(x, y) <= scene.way(j).distance(x, y));
    const reference = referenceOfLink(scene, j);
    if (reference?.kind === "edge") assert.equal(linkOf(scene, reference), j);
  });
  assert.equal(linkAt(scene, scene.bounds.x - 100, scene.bounds.y - 100, 7), -1);
});

test("a detached tensor hangs on what it was detached from by a cut edge", () => {
  const { scene, trace } = sceneOf(read("detached"));
  const found = scene.links
    .filter((link) => link.role === "alias")
    .map((link) => [scene.plans[link.from].name, link.cut.reason, scene.plans[link.to].name]);
  assert.deepEqual(found.sort(), [
    ["b", ".data", "e"],
    ["b", "detach", "c"],
  ]);
  const j = scene.links.findIndex((link) => link.cut?.reason === "detach");
  assert.deepEqual(hintOfLink(scene, j, new Moment(trace, trace.events.length)), {
    title: "b → c",
    lines: ["cut here: detach", "same memory, no history"],
  });
  assert.deepEqual(referenceOfLink(scene, j), { kind: "tensor", id: trace.document.globals.b });
  assert.ok(textsOf(scene, new Moment(trace, trace.events.length)).includes(".data"));
});

/** What an item covers: the body of a card and what stands above it, its circle, and the name beside that. */
function covered(scene, i) {
  if (!scene.shows(i)) return [];
  const plan = scene.plans[i];
  const [x, y] = [scene.x[i], scene.y[i]];
  const ring = plan.kind === "op" ? plan : plan.circle;
  const boxes = plan.body ? [{ x: x + plan.body.x, y: y + plan.body.y, w: plan.body.w, h: plan.body.h }] : [];
  if (!ring) return plan.body ? boxes : [scene.boxes[i]];
  const [cx, cy] = [x + plan.anchor, y + plan.h / 2 - RADIUS];
  boxes.push({ x: cx - ring.half, y: cy - RADIUS, w: 2 * ring.half, h: 2 * RADIUS });
  boxes.push({ x: cx + ring.half, y: cy + (plan.body ? 0 : -8), w: ring.w - 2 * ring.half, h: 16 });
  return boxes;
}

for (const name of ["dense", "scalars", "vector", "twice", "slices", "nested", "factor", "detached", "cut", "kinds"]) {
  test(`${name}: what is written on edges lies on them, and covers neither items nor each other`, () => {
    const { scene, trace } = sceneOf(read(name));
    const room = scene.items.flatMap((_, i) => covered(scene, i));
    for (const t of stops(trace)) {
      const written = overlay(scene, new Moment(trace, t), progressAt(STEP_MS), { from: t, still: true }).flatMap(
        ({ key, x, y, marks }) => {
          const [, kind, id] = /^(chip|slope|cut):(.*)$/.exec(key) ?? [];
          if (!kind) return [];
          const link = kind === "cut" ? Number(id) : scene.linkOf.get(id);
          const frame = (kind === "cut" && marks.find((mark) => mark.stroke === "error-line")) || marks[0];
          return [{ key, link, x: x + frame.x, y: y + frame.y, w: frame.w, h: frame.h }];
        },
      );
      written.forEach((box, k) => {
        const away = scene.way(box.link).distance(box.x + box.w / 2, box.y + box.h / 2);
        assert.ok(
          away <= (scene.brief ? 0.85 * box.h : 1),
          `${box.key} at ${t} lies ${Math.round(away)} from its edge`,
        );
        const most = scene.brief ? 0.2 * box.w * box.h : 0;
        for (const other of room) {
          assert.ok(
            shared(box, other) <= most,
            `${box.key} at ${t} covers ${Math.round(shared(box, other))} px² of an item`,
          );
        }
        for (const other of written.slice(k + 1)) {
          assert.ok(shared(box, other) <= most, `${box.key} and ${other.key} at ${t} cover each other`);
        }
      });
    }
  });
}

test("after a hook a card shows the gradient the hook made", () => {
  const { scene, trace } = sceneOf(read("hooks"));
  const hook = trace.events.findIndex((event) => event.kind === "hook" && event.on === "tensor") + 1;
  const y = cards(scene, "y")[0];
  const shown = (t) =>
    scene.itemMarks(y, new Moment(trace, t)).flatMap((mark) => (mark.type === "text" ? [mark.text] : []));
  assert.ok(shown(hook - 1).includes("12") && !shown(hook - 1).includes("24"), "before");
  assert.ok(shown(hook).includes("24"), "after");
  const line = trace.events[hook - 1].registered;
  assert.deepEqual(
    shown(trace.events.length).slice(0, 6),
    ["gradient", "6", "12", `hook, line ${line}`, "12", "24"],
    "what came, who changed it, and what went on",
  );
});

test("what autograd.grad returned is not shown as .grad", () => {
  const { scene, trace } = sceneOf(read("kinds"));
  const end = trace.events.flatMap((event, i) => (event.kind === "backward_end" ? [i + 1] : []))[1];
  const tank = (t) => {
    const texts = textsOfItem(scene, scene.cardAt(trace.document.globals.x, t), new Moment(trace, t));
    return texts.slice(0, texts.indexOf("x"));
  };
  assert.deepEqual(tank(end), [".grad", "None"], "the pass is over, and has left .grad alone");
  const set = trace.events.findIndex(({ kind, after }, i) => i >= end && kind === "grad" && after) + 1;
  assert.deepEqual(tank(set), [".grad", "1", "1"], "the program has set it itself");
});

test("a leaf nothing was computed from has an empty tank", () => {
  const lonely = sceneOf({ ...read("scalars"), events: read("scalars").events.slice(0, 1), ops: [], nodes: [] });
  const i = cards(lonely.scene, "a")[0];
  const plan = lonely.scene.plans[i];
  assert.ok(plan.leaf && plan.gradient);
  assert.ok(textsOfItem(lonely.scene, i, new Moment(lonely.trace, 1)).includes("None"));
});

test("a card says when a pass has gone by it, and keeps what a pass brought that ended there", () => {
  const { scene, trace } = sceneOf(read("passedby"));
  const said = (name, t) =>
    textsOfItem(scene, cards(scene, name)[0], new Moment(trace, t)).filter((text) =>
      /^(gradient|not reached|two gradients.*)$/.test(text),
    );
  const [first, second] = trace.bands;
  assert.deepEqual([said("side", first.start), said("side", first.start + 1)], [["gradient"], ["not reached"]]);
  assert.deepEqual([said("loss", first.end), said("loss", second.start + 1)], [["gradient"], ["not reached"]]);
  assert.deepEqual(said("h", second.start), ["gradient", "two gradients will be added"]);
  assert.deepEqual(said("h", second.end), ["gradient", "two gradients are added"]);
  const held = textsOfItem(scene, cards(scene, "h")[0], new Moment(trace, second.end));
  assert.ok(held.includes("8"), held.join());
});

test("what a formula takes besides is called on the edge as the formula calls it", () => {
  const { trace } = sceneOf(read("telling"));
  const node = [...trace.nodes.values()].find(({ name }) => name.startsWith("FakeQuantize"));
  const ran = trace.events.find((event) => event.kind === "node" && event.node === node.id);
  assert.equal(productOf(trace, node.id, 0, "self", ran.grad_outputs[0], ran.grad_inputs[0]).factors.name, "mask");
});

test("of a rule with two cases the one that holds is written", () => {
  const { trace } = sceneOf(read("cases"));
  const written = trace.events
    .filter((event) => event.kind === "node" && trace.nodes.get(event.node).name === "AddBackward0")
    .map(({ node, grad_outputs, grad_inputs }) => productOf(trace, node, 1, "other", grad_outputs[0], grad_inputs[1]));
  assert.deepEqual(
    written.map(({ formula }) => formula),
    ["g × 3", "g"],
  );
});

test("what a comparison gives is no integer", () => {
  const { scene, trace } = sceneOf(read("telling"));
  const said = textsOf(scene, new Moment(trace, trace.events.length));
  assert.ok(said.includes("bool") && !said.includes("integer"));
});

test("complex numbers are written whole, on greys: they have no sign", () => {
  const { scene, trace } = sceneOf(read("complex"));
  const [z] = cards(scene, "z");
  const moment = new Moment(trace, trace.events.findIndex((event) => event.kind === "accumulate") + 1);
  const said = textsOfItem(scene, z, moment);
  for (const number of ["1+2j", "3−1j", "2+4j", "6−2j"]) assert.ok(said.includes(number), number);
  const { positive, negative } = scene.colours;
  const hues = new Set([...positive, ...negative].slice(1));
  assert.ok(!scene.itemMarks(z, moment).some(({ fill }) => fill && hues.has(fill)));
  const [y] = cards(scene, "y");
  const end = new Moment(trace, trace.events.length);
  assert.ok(textsOfItem(scene, y, end).includes("L = Re(sum of conj(weight) · y)"));
});

test("only what changed is drawn again", () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    const { scene, trace } = sceneOf(read(file.replace(".json", "")));
    const times = stops(trace);
    for (let k = 1; k < times.length; k++) assertSteady(scene, trace, times[k - 1], times[k]);
  }
});

test("what an item says fits into it, and no two things it says stand on each other", () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    const { scene, trace } = sceneOf(read(file.replace(".json", "")));
    for (const t of stops(trace)) {
      scene.items.forEach((_, i) => assertFits(scene, i, new Moment(trace, t)));
    }
  }
});

test("L has the terms of every root of a pass, and stands beside a root that is used further on", () => {
  const { scene, trace } = sceneOf(read("roots"));
  const [y, z] = ["y", "z"].map((name) => cards(scene, name)[0]);
  const [first, second] = trace.events.flatMap((event, i) => (event.kind === "backward" ? [i + 1] : []));
  const says = (i, t) => textsOfItem(scene, i, new Moment(trace, t)).filter((each) => each.startsWith("L ="));
  assert.deepEqual(says(y, first), ["L = 1·y₀ + 0.5·y₁"]);
  assert.deepEqual(says(y, second), ["L = z + 1·y₀ − 1·y₁"]);
  assert.deepEqual(says(z, second), ["L = z + 1·y₀ − 1·y₁"]);
  assert.ok(scene.plans[y].objective.beside && !scene.plans[z].objective.beside);
  const plate = scene.itemMarks(y, new Moment(trace, second)).find((mark) => mark.type === "rect" && mark.h === 28);
  const left = scene.x[y] + plate.x;
  for (const j of scene.out[y]) {
    const { x, y: top } = scene.way(j).at(0.02);
    assert.ok(x > left + plate.w || top < scene.y[y] + plate.y, "its edge does not run through L");
  }
});

test("what several gradients meet in says how many have arrived, and then that they are added", () => {
  const { scene, trace } = sceneOf(read("roots"));
  const [y] = cards(scene, "y");
  const says = (t) => textsOfItem(scene, y, new Moment(trace, t)).find((each) => /gradients|\d arrived$/.test(each));
  const second = trace.events.findLastIndex((event) => event.kind === "backward") + 1;
  assert.deepEqual(
    [says(3), says(second), says(trace.events.length)],
    ["two gradients will be added", "1 of 2 arrived", "two gradients are added"],
  );
  const labels = (t) => textsOfItem(scene, y, new Moment(trace, t)).filter((each) => /^(weight|gradient)$/.test(each));
  assert.deepEqual([labels(second), labels(trace.events.length)], [["weight"], ["gradient"]]);
});

test("passes with .grad cleared in between are said to be apart, and rows of the Jacobian to be that", () => {
  const { scene, trace } = sceneOf(read("rows"));
  const { strip } = scene;
  assert.equal(strip.note, "∂y₀/∂x, ∂y₁/∂x: rows of the Jacobian");
  const planned = (/** @type {number} */ most) => planStrip(scene.trace, scene.measure, most);
  assert.deepEqual([planned(strip.w).w, planned(strip.w - 1).w < strip.w], [strip.w, true], "closer where it must be");
  const digits = (t) =>
    drawStrip(strip, t, scene.colours).flatMap((mark) => (/^\d$/.test(mark.text) ? [mark.text] : []));
  const starts = trace.events.flatMap((event, i) => (event.kind === "backward" ? [i + 1] : []));
  assert.deepEqual(digits(starts[0]), ["1", "0"], "what the running pass gives is not there before it lands");
  assert.deepEqual(digits(trace.events.length), ["1", "0", "1", "3", "0", "1", "2", "4"]);
});

test("what dropout multiplies by is called so, other constants are not", () => {
  const trace = indexTrace(read("dropout"));
  const factors = trace.document.ops.flatMap(({ name, inputs }) => (name === "mul" ? [trace.label(inputs[1])] : []));
  assert.deepEqual(factors, ["dropout mask", "dropout mask", "constant"]);
});

test("a card in a training says what the turn changed in its leaf, once it has", () => {
  const document = read("training");
  const [{ parameters, calls }] = document.training;
  const { trace } = sceneOf(document);
  for (const [turn, call] of calls.entries()) {
    const begins = trace.bands.find((band) => band.call === call);
    for (const { tensor, update, weight } of parameters) {
      const landed =
        document.events.findIndex((e) => e.kind === "accumulate" && e.call === call && e.tensor === tensor) + 1;
      const written = document.events.findIndex((e, i) => i > landed && e.kind === "write" && e.tensor === tensor) + 1;
      assert.ok(begins && landed && written);
      const { scene } = sceneOf(document, { at: landed });
      const i = scene.cardAt(tensor, landed);
      const said = (t) => textsOfItem(scene, i, new Moment(trace, t));
      assert.ok(said(landed).includes("step"), "not yet");
      const share = Number((100 * update[turn]) / weight[turn]);
      const after = said(written).find((words) => words.startsWith("step "));
      const [, percent] = /([\d.e−]+) %$/.exec(after) ?? [];
      assert.ok(Math.abs(parseFloat(percent) - share) <= 0.06 * share, `${after}, and not ${share} %`);
      const numbers = (t) => [trace.value(stateAt(trace, t).tensors.get(tensor).value).data].flat(9);
      const { summary } = stepAt(trace, tensor, written);
      const [one, other] = [numbers(landed), numbers(written)];
      assert.deepEqual(
        summary.cells,
        other.map((x, k) => x - one[k]),
      );
      assert.match(scene.describe(i, new Moment(trace, written)), /, step [\d.]+ % of its norm/);
    }
  }
});

test("a hook that was removed is not what a later pass goes through", () => {
  const { scene, trace } = sceneOf(read("removed"));
  const [x] = cards(scene, "x");
  const ends = trace.events.flatMap(({ kind }, i) => (kind === "backward_end" ? [i + 1] : []));
  const says = ends.map((t) => textsOfItem(scene, x, new Moment(trace, t)));
  assert.equal(says[0].includes("hook, line 3"), true);
  assert.equal(says[1].includes("hook, line 3"), false);
  assert.equal(says[1].includes("arrived"), true, "what arrived is told of nevertheless");
});

test("versions of what was overwritten are told apart, and a line leads from who saved it to what it is", () => {
  const { scene, trace } = sceneOf(read("inplace"));
  const end = new Moment(trace, trace.events.length);
  const versions = cards(scene, "z").map((i) => textsOfItem(scene, i, end).filter((each) => /^v\d$/.test(each)));
  assert.deepEqual(versions, [["v0"], ["v1"]]);
  const over = overlay(scene, end, progressAt(STEP_MS), { from: end.t, still: true });
  const said = over.flatMap(({ key, marks }) => (key === "overwritten" ? marks.flatMap(({ text }) => text ?? []) : []));
  assert.deepEqual(said, ["saved v0,", "now v1"]);
  const before = new Moment(trace, trace.events.length - 1);
  const earlier = overlay(scene, before, progressAt(STEP_MS), { from: before.t, still: true });
  assert.equal(
    earlier.some(({ key }) => key === "overwritten"),
    false,
  );
});

test("a card says what is left of gradients that overwrite each other", () => {
  const { scene, trace } = sceneOf(read("overwriting"));
  const [x] = cards(scene, "x");
  const says = (t) => textsOfItem(scene, x, new Moment(trace, t)).find((each) => /gradients|arrived$|kept$/.test(each));
  const begins = trace.events.findIndex((event) => event.kind === "backward");
  const runs = trace.events.findIndex((event) => event.kind === "node") + 1;
  assert.deepEqual(
    [says(begins), says(runs), says(trace.events.length)],
    ["three gradients will arrive", "1 of 3 arrived", "only the last is kept"],
  );
});
