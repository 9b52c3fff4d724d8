import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { indexTrace, stops } from "../../static/js/trace.js";
import { Book } from "../../static/js/ui/book.js";
import { carryOver } from "../../static/js/timeline/carry.js";
import { createPlayer } from "../../static/js/timeline/player.js";
import {
  leafStops,
  mainEvent,
  placeAt,
  startOfFirstPass,
  stopIndex,
  stretches,
} from "../../static/js/timeline/places.js";
import { labelled, layOut, nearest, signPlaces } from "../../static/js/timeline/timeline.js";
import * as programs from "./fixtures/programs.js";

const open = (document) => {
  const trace = indexTrace(document);
  return { book: new Book(trace), times: stops(trace) };
};

test("the page opens where the first backward pass starts, before anything has moved", () => {
  const { book, times } = open(programs.scalars());
  const place = placeAt(book, times, startOfFirstPass(book, times));
  assert.equal(place.subject, "start at MulBackward0");
  assert.match(place.title, /^Step 1 of \d+ · backward #1$/);
  assert.equal(place.line, 7);
  const without = programs.scalars();
  without.events = without.events.filter(({ kind }) => ["bind", "op"].includes(kind));
  const forward = open(without);
  assert.equal(startOfFirstPass(forward.book, forward.times), forward.times.at(-1), "no pass: at the end");
});

test("a program that only prints is a print", () => {
  const document = programs.scalars();
  const { events, ops, tensors, nodes, ...rest } = document;
  const { book, times } = open({
    ...rest,
    ops: [],
    tensors: [],
    nodes: [],
    events: [{ kind: "print", text: "9\n", line: 3 }],
  });
  assert.equal(placeAt(book, times, 1).title, "Step 1 of 1 · print");
});

test("every stop belongs to exactly one stretch and backward calls are numbered", () => {
  const { book, times } = open(programs.twice());
  const parts = stretches(book, times);
  let next = 1;
  for (const { first, last } of parts) {
    assert.equal(first, next);
    assert.ok(last >= first);
    next = last + 1;
  }
  assert.equal(next, times.length);
  assert.deepEqual(
    parts.filter((part) => part.kind === "backward").map((part) => part.call),
    [0, 1, 2],
  );
});

test("resetting a gradient in place is one step, told by the gradient", () => {
  const document = programs.twice();
  const write = { kind: "write", tensor: "t9", version: 1, value: null, line: 5 };
  const reset = { kind: "grad", tensor: document.tensors[0].id, before: null, after: null, line: 5, by: "in_place" };
  const at = document.events.findIndex((event) => event.kind === "backward_end") + 1;
  document.events.splice(at, 0, write, reset);
  const { times } = open(document);
  assert.ok(times.includes(at + 2) && !times.includes(at + 1));
});

test("a time between two stops belongs to the one before", () => {
  assert.equal(stopIndex([0, 4, 9], 5), 1);
  assert.equal(stopIndex([0, 4, 9], 9), 2);
  assert.equal(stopIndex([0, 4, 9], 99), 2);
  assert.equal(stopIndex([0], 3), 0);
});

test("shift and arrow go to where gradients land", () => {
  const { book, times } = open(programs.scalars());
  const subjects = leafStops(book, times).map((t) => placeAt(book, times, t).subject);
  assert.deepEqual(subjects.toSorted(), ["a.grad", "b.grad", "d.grad"]);
});

test("ticks keep their order and stay on the track", () => {
  for (const width of [300, 1400]) {
    const { book, times } = open(programs.descent(4));
    const { x, bands } = layOut(book, times, width);
    assert.equal(x.length, times.length);
    x.forEach((at, i) => assert.ok(i === 0 || at > x[i - 1], `${i}: ${at}`));
    assert.ok(x.at(-1) < width);
    assert.ok(bands.every((band) => band.width > 0));
  }
});

test("a changed number keeps the step, another program does not", () => {
  const { book, times } = open(programs.scalars());
  const same = open(programs.scalars()).book;
  const t = startOfFirstPass(book, times);
  assert.equal(carryOver(book, same, t), t);
  assert.equal(carryOver(book, open(programs.vector()).book, t), null);
  assert.equal(carryOver(book, same, book.doc.events.length), same.doc.events.length, "an edit keeps the end");
  assert.equal(
    carryOver(book, open(programs.vector()).book, book.doc.events.length),
    null,
    "a program that was pasted over it does not",
  );
});

test("playing arrives at every stop in order and says when it is over", async () => {
  const { book, times } = open(programs.scalars());
  const shown = [];
  let over = 0;
  const player = createPlayer({
    show: async (t) => shown.push(t),
    stopped: () => over++,
    speed: () => 1,
    wait: async () => {},
  });
  await player.play(book.trace, 0);
  assert.deepEqual(shown, times.slice(1));
  assert.equal(over, 1);
});

test("a page that cannot keep up leaves hurried beats out, keeps time, and still arrives at the end", async () => {
  const { book, times } = open(programs.chain(300));
  const play = async (/** @type {number} */ cost) => {
    let clock = 0;
    const shown = [];
    const show = async (t) => {
      shown.push(t);
      clock += cost;
    };
    const player = createPlayer({
      show,
      stopped: () => {},
      speed: () => 1,
      wait: async (ms) => void (clock += ms),
      now: () => clock,
    });
    await player.play(book.trace, 0);
    return { clock, shown };
  };
  const quick = await play(10);
  const slow = await play(300);
  assert.ok(slow.shown.length < quick.shown.length / 3);
  assert.ok(slow.clock < quick.clock + 600, `${slow.clock} ms for what should take ${quick.clock}`);
  assert.equal(slow.shown.at(-1), times.at(-1));
});

test("stopping stops, even while held", async () => {
  const { book } = open(programs.scalars());
  const shown = [];
  const player = createPlayer({
    show: async (t) => shown.push(t),
    stopped: () => assert.fail("not over"),
    speed: () => 1,
    wait: async () => {},
  });
  player.hold(true);
  const playing = player.play(book.trace, 0);
  await new Promise((done) => setTimeout(done, 5));
  player.stop();
  await playing;
  assert.equal(shown.length, 1);
});

test("a place on the track is the stop nearest to it", () => {
  const x = [4, 20, 30, 50];
  assert.deepEqual(
    [-5, 4, 11, 13, 25, 26, 41, 500].map((at) => nearest(x, at)),
    [0, 0, 0, 1, 1, 2, 3, 3],
  );
  assert.equal(nearest([4], 100), 0);
});

test("numbers of findings stand above their moments, and beside each other where those are the same", () => {
  const sign = (/** @type {number} */ number, /** @type {number | null} */ t) => ({
    ...{ number, t, headline: "", wrong: true, open: false },
    ...{ line: null, item: null },
  });
  const places = signPlaces([sign(1, 7), sign(2, 3), sign(3, null), sign(4, 6)], [4, 20, 60, 100], [0, 3, 7, 12]);
  assert.deepEqual(
    places.map(({ sign, at }) => [sign.number, at]),
    [
      [2, 20],
      [1, 60],
      [4, 77],
    ],
  );
});

test("labels of the track have room of their own, beside each other and beside numbers", () => {
  for (const [program, signed] of [
    [programs.scalars(), false],
    [programs.twice(), true],
    [programs.descent(3), true],
  ]) {
    const { book, times } = open(program);
    const seen = new Set();
    for (let width = 120; width < 1500; width += 7) {
      const { x, bands } = layOut(book, times, width);
      const places = signed ? [{ at: x[2] }, { at: x[x.length - 2] }] : [];
      const measure = (text) => text.length * 8.5;
      let free = 0;
      for (const { label, labelAt, left } of labelled(bands, places, measure)) {
        if (!label) continue;
        seen.add(label.replace(/\d+/g, "n"));
        const end = labelAt + measure(label);
        assert.ok(labelAt >= free && labelAt >= left && end < width, `${label} at ${width}`);
        for (const { at } of places) assert.ok(end <= at - 7.5 || labelAt >= at + 7.5, `${label} on a number`);
        free = end + 8;
      }
    }
    assert.ok(seen.has("backward #n · n steps") && seen.has("#n"), [...seen].join());
  }
});

test("a stretch is named after what its steps do: forward, backward, update or print", () => {
  const read = (/** @type {string} */ name) =>
    open(JSON.parse(readFileSync(new URL(`./fixtures/engine/${name}.json`, import.meta.url), "utf8")));
  const bars = ({ book, times }) =>
    layOut(book, times, 1400).bands.map(({ names, first, last }) => `${names[0]} (${first}–${last})`);
  assert.deepEqual(bars(read("reads")), [
    "forward · 3 steps (1–3)",
    "print · 2 steps (4–5)",
    "forward · 1 step (6–6)",
    "backward #1 · 5 steps (7–11)",
    "print · 5 steps (12–16)",
  ]);
  const { book, times } = read("training");
  const kinds = stretches(book, times).map(({ kind }) => kind);
  const step = ["forward", "update", "backward", "update"];
  assert.deepEqual(kinds, ["forward", "backward", "update", ...step, ...step], "zero_grad() first finds nothing");
  const titles = times.map((t) => placeAt(book, times, t)).filter(({ stretch }) => stretch?.kind === "update");
  assert.equal(titles[0].title, "Step 1 of 4 · update");
  for (const { stop } of titles) {
    assert.match(mainEvent(book, times, stop)?.kind ?? "", /^(write|grad)$/, "an update changes a leaf or its .grad");
  }
});
