/** A training that is watched: the series of its strip. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bookOf, stateOf } from "../../static/js/live/told.js";
import { seriesOf, timeOfTurn, turnAt } from "../../static/js/training/series.js";

/** @param {number} loss @param {Record<string, (number | null)[]>} parameters */
const column = (loss, parameters, line = 9) => ({ file: "train.py", line, column: 4, loss, parameters });

const COLUMNS = new Map([
  [0, [column(4, { "net.w": [2, 1, 0.5] })]],
  [100, [column(3, { "net.w": [1, 1, 0.1], "net.b": [0.5, 2, 0.2] })]],
  [137, [column(2, { "net.w": [0.5, 1, 0.1] })]],
]);

test("iterations are columns by their own numbers, and parameters rows by name", () => {
  const book = bookOf(COLUMNS, new Set([0, 100, 137]), 150);
  const [series] = seriesOf(book);
  assert.deepEqual(series.turns, [0, 100, 137]);
  assert.equal(series.passes, 150);
  assert.deepEqual(series.loss, [4, 3, 2]);
  assert.deepEqual(
    series.rows.map(({ name, grad }) => [name, grad]),
    [
      ["net.w", [2, 1, 0.5]],
      ["net.b", [null, 0.5, null]],
    ],
  );
  assert.deepEqual(series.rows[0].ratio, [0.5, 0.1, 0.1]);
});

test("a column leads to its recording, and one that was let go to the one before it", () => {
  const book = bookOf(COLUMNS, new Set([0, 137]), 150);
  const [series] = seriesOf(book);
  assert.deepEqual(timeOfTurn(series, book, 0), { t: 1, recorded: true });
  assert.deepEqual(timeOfTurn(series, book, 137), { t: 3, recorded: true });
  assert.deepEqual(timeOfTurn(series, book, 100), { t: 1, recorded: false });
  assert.equal(turnAt(series, book, 3), 137);
  assert.equal(turnAt(series, book, 0), null);
});

test("two losses are two series, each with the iterations in which it was", () => {
  const both = new Map([
    [0, [column(1, { d: [1, 1, 1] }, 5), column(9, { g: [1, 1, 1] }, 9)]],
    [10, [column(2, { d: [1, 1, 1] }, 5)]],
    [20, [column(3, { d: [1, 1, 1] }, 5), column(7, { g: [2, 1, 1] }, 9)]],
  ]);
  const book = bookOf(both, new Set([0, 10, 20]), 21);
  const all = seriesOf(book);
  assert.deepEqual(
    all.map(({ line, loss }) => [line, loss]),
    [
      [5, [1, 2, 3]],
      [9, [9, null, 7]],
    ],
  );
  assert.deepEqual(
    all.map((series) => turnAt(series, book, 2)),
    [10, 10],
  );
});

test("the state is said in a sentence", () => {
  const told = { version: 1, iteration: 1, every: 10, told: null, known: [], kept: [], columns: [], findings: [] };
  assert.equal(stateOf({ ...told, state: "running", iteration: 1234 }), "Training: iteration 1,234");
  assert.equal(stateOf({ ...told, state: "paused" }), "Paused after 1 iteration");
  assert.equal(
    stateOf({ ...told, state: "over", iteration: 7, told: "ValueError ended iteration 7: no" }),
    "Over after 7 iterations: ValueError ended iteration 7: no",
  );
});
