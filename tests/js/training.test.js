import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { indexTrace } from "../../static/js/trace.js";
import { Book } from "../../static/js/ui/book.js";
import { axisTicks, bins, largest, lineScale, outlier, placed, shadeScale } from "../../static/js/training/scale.js";
import { ticksOf } from "../../static/js/training/paint.js";
import { stepAt, tellAgainst } from "../../static/js/scene/step.js";
import { columnBefore, seriesOf, timeOfTurn, turnAt, turnOfCall } from "../../static/js/training/series.js";

const read = (name) =>
  new Book(indexTrace(JSON.parse(readFileSync(new URL(`fixtures/engine/${name}.json`, import.meta.url)))));

test("a training has a column for each turn and a row for each parameter", () => {
  const book = read("training");
  const [series, ...others] = seriesOf(book);
  assert.deepEqual(others, []);
  assert.deepEqual([series.line, series.passes, series.turns], [11, 3, [0, 1, 2]]);
  assert.deepEqual(series.loss, [2.48, 2.194, 2.04]);
  assert.deepEqual(
    series.rows.map((row) => row.tensors.length),
    series.rows.map(() => 1),
  );
  const record = book.doc.training[0].parameters[0];
  assert.equal(series.rows[0].ratio[0], record.update[0] / record.weight[0]);
});

test("passes in which nothing is learned are no training", () => {
  assert.deepEqual(seriesOf(read("rows")), []);
});

test("the turn at hand is that of the last pass that began", () => {
  const book = read("training");
  const [series] = seriesOf(book);
  const [first, second, third] = book.trace.bands;
  assert.equal(turnAt(series, book, first.start), null);
  assert.equal(turnAt(series, book, first.start + 1), 0);
  assert.equal(turnAt(series, book, second.end), 1);
  assert.equal(turnAt(series, book, book.doc.events.length), 2);
  assert.deepEqual(timeOfTurn(series, book, 2), { t: third.end, recorded: true });
});

test("more than six parameters are folded by module", () => {
  const book = read("training");
  const calls = [0, 1, 2];
  const names = ["a.0.weight", "a.0.bias", "a.1.weight", "a.1.bias", "b.weight", "b.bias", "c.weight", "c.bias"];
  const parameters = names.map((name) => ({ tensor: name, grad: [3, 4, null], weight: [1, 0, 1], update: [1, 1, 1] }));
  book.doc.training = [
    { line: 1, column: 0, passes: 3, stride: 1, calls, loss: [1, "NaN", null], peak: null, parameters },
  ];
  book.nameOf = (id) => id;
  const [series] = seriesOf(book);
  assert.deepEqual(
    series.rows.map(({ name, tensors }) => [name, tensors.length]),
    [
      ["a.0", 2],
      ["a.1", 2],
      ["b.weight", 1],
      ["b.bias", 1],
      ["c.weight", 1],
      ["c.bias", 1],
    ],
  );
  assert.equal(series.rows[0].grad[0], Math.sqrt(18));
  assert.equal(series.rows[0].grad[2], null);
  assert.deepEqual(series.rows[0].ratio, [1, null, 1]);
  assert.ok(Number.isNaN(series.loss[1]) && series.loss[2] === null);
});

test("between kept passes the turn is reckoned", () => {
  const series = { calls: [0, 8, 16, 19], turns: [0, 4, 8, 9] };
  assert.deepEqual(
    [0, 2, 8, 12, 16, 19].map((call) => turnOfCall(series, call)),
    [0, 1, 4, 6, 8, 9],
  );
  assert.equal(columnBefore([0, 4, 8], 7), 1);
});

test("a turn that is not recorded leads to its gap", () => {
  const book = read("training");
  const [series] = seriesOf(book);
  book.doc.events.push({ kind: "gap", ops: 1, passes: 9, events: 10 });
  const found = timeOfTurn({ ...series, passes: 12, calls: [0, 1, 2, 11], turns: [0, 1, 2, 11] }, book, 7);
  assert.deepEqual(found, { t: book.doc.events.length, recorded: false });
});

test("a loss is drawn by decades where it spans many", () => {
  assert.deepEqual(lineScale([1, 0.001, null, Number.NaN]), { low: 0.001, high: 1, log: true });
  assert.equal(lineScale([1, 0.5]).log, false);
  assert.equal(placed({ low: 0.001, high: 1, log: true }, 0.1).toFixed(3), "0.667");
  assert.deepEqual(lineScale([]), { low: 0, high: 1, log: false });
  assert.equal(placed(lineScale([3, 3]), 3), 0.5);
});

test("a number that stands out does not blacken the others, and is named", () => {
  const values = [...Array.from({ length: 99 }, (_, i) => 0.01 + i / 1e4), 570];
  const scale = shadeScale(values);
  assert.ok(scale.high < 0.03);
  assert.deepEqual(outlier([{ name: "b", values }], scale), { name: "b", row: 0, column: 99, value: 570 });
  assert.equal(outlier([{ name: "b", values: values.slice(0, 99) }], shadeScale(values.slice(0, 99))), null);
});

test("turns that share a column show the largest of them", () => {
  const columns = bins(10, 12, 4);
  assert.deepEqual(columns, [
    { first: 0, last: 2 },
    { first: 3, last: 5 },
    { first: 6, last: 9 },
  ]);
  assert.equal(largest([1, 9, 2], { first: 0, last: 2 }), 9);
  assert.equal(largest([null, 2], { first: 0, last: 1 }), 2);
  assert.ok(Number.isNaN(largest([1, Number.NaN, 5], { first: 0, last: 2 })));
  assert.deepEqual(bins(3, 900, 4).length, 3);
});

test("turns on the axis are round", () => {
  assert.deepEqual(axisTicks(100, 900, 64), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
  assert.deepEqual(axisTicks(3, 900, 64), [0, 1, 2]);
  assert.deepEqual(axisTicks(10000, 900, 64).slice(0, 3), [0, 1000, 2000]);
});

test("below the columns stand the iterations that they are, also where few of them are recorded", () => {
  const single = (count) => Array.from({ length: count }, (_, i) => ({ first: i, last: i }));
  assert.deepEqual(ticksOf({ passes: 107, turns: [0, 100] }, single(2), 900), [
    { turn: 0, at: 0 },
    { turn: 100, at: 1 },
  ]);
  const turns = Array.from({ length: 100 }, (_, i) => i);
  assert.deepEqual(ticksOf({ passes: 100, turns }, single(100), 900)[1], { turn: 10, at: 10 });
  const halves = Array.from({ length: 50 }, (_, i) => ({ first: 2 * i, last: 2 * i + 1 }));
  assert.deepEqual(ticksOf({ passes: 100, turns }, halves, 900)[1], { turn: 10, at: 5 });
});

test("numbers that hardly differ have shades that hardly differ", () => {
  const scale = shadeScale([0.0002, 0.00019998]);
  assert.ok(Math.abs(placed(scale, 0.0002) - placed(scale, 0.00019998)) < 0.01);
  assert.equal(scale.high, 0.0002);
});

test("a step is what the optimizer wrote, and says where that goes against its gradient", () => {
  const { trace } = read("momentum");
  const numbers = (ref) => [trace.value(ref).data].flat();
  const [value, grad] = [new Map(), new Map()];
  const said = new Set();
  for (const tensor of trace.document.tensors) value.set(tensor.id, numbers(tensor.value));
  for (const [i, event] of trace.events.entries()) {
    if (event.kind === "accumulate") grad.set(event.tensor, numbers(event.after));
    if (event.kind !== "write") continue;
    const after = numbers(event.value);
    const step = stepAt(trace, event.tensor, i + 1);
    const moved = after.map((x, k) => x - value.get(event.tensor)[k]);
    assert.deepEqual(step.summary.cells, moved);
    const against = moved.filter((x, k) => x > 0 === grad.get(event.tensor)[k] > 0).length;
    assert.equal(step.against.count, against);
    said.add(tellAgainst(step));
    value.set(event.tensor, after);
  }
  assert.deepEqual([...said], ["", "2 of 2 against .grad", "moves ↓, .grad says ↑"]);
});
