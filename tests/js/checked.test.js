import assert from "node:assert/strict";
import test from "node:test";
import { checked, passAt } from "../../static/js/ledger/checked.js";

const element = (index, autograd, numeric, more = {}) => ({ index, agrees: true, autograd, numeric, ...more });

test("all elements that agree are said to match", () => {
  const elements = [element([0], 2, 1.9999999998), element([1], 0, 3e-12)];
  const { said, rows, note } = checked("w", { status: "agrees", elements, of: 2, step: 2e-6, reason: null });
  assert.equal(said, "All 2 elements match the numerical derivative.");
  assert.deepEqual(
    rows.map(({ name, autograd, slope }) => [name, autograd, slope]),
    [
      ["w[0]", "2", "2"],
      ["w[1]", "0", "0"],
    ],
  );
  assert.match(note, /moved by ±2e-6/);
});

test("a scalar has no index, and one number is no list", () => {
  const check = { status: "agrees", elements: [element([], 6, 6)], of: 1, step: 1e-6, reason: null };
  assert.equal(checked("x", check).said, "It matches the numerical derivative.");
  assert.equal(checked("x", check).rows[0].name, "x");
});

test("what differs comes first, with both slopes of a corner", () => {
  const corner = element([1, 2], 0, 0.5, { agrees: false, left: 0, right: 1 });
  const elements = [...Array.from({ length: 20 }, (_, i) => element([0, i], 1, 1)), corner];
  const reason = { kind: "corner", text: "relu has a corner", op: "o1", line: 4 };
  const { said, rows, more } = checked("w", { status: "differs", elements, of: 400, step: 1e-6, reason });
  assert.equal(said, "1 of the 21 elements checked (of 400) differs from the numerical derivative.");
  assert.deepEqual(rows[0], { name: "w[1, 2]", autograd: "0", slope: "0 left, 1 right", agrees: false });
  assert.equal(more, 13);
});

test("complex numbers are written with both parts, and what is no number by its name", () => {
  const elements = [element([0], [1, -2], [1, -2]), element([1], "Infinity", "NaN", { agrees: false })];
  const { rows } = checked("z", { status: "differs", elements, of: 2, step: 1e-6, reason: null });
  assert.deepEqual([rows[0].autograd, rows[0].slope, rows[1].autograd], ["inf", "nan", "1 − 2i"]);
});

test("the pass that is checked is the one whose gradient is shown", () => {
  const add = (tensor, call) => ({ kind: "accumulate", tensor, call });
  const events = [{ kind: "op" }, add("t0", 0), add("t1", 0), { kind: "op" }, add("t0", 1)];
  assert.equal(passAt(events, "t0", 2), 0);
  assert.equal(passAt(events, "t0", 4), 0);
  assert.equal(passAt(events, "t0", 5), 1);
  assert.equal(passAt(events, "t0", 0), 0);
  assert.equal(passAt(events, "t7", 5), null);
});
