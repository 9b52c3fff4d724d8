import assert from "node:assert/strict";
import test from "node:test";
import { sourceAt, unitsBefore } from "../../static/js/trace.js";

test("columns count characters", () => {
  assert.equal(unitsBefore("a = 1", 3), 3);
  assert.equal(unitsBefore("é = 1", 3), 3);
  assert.equal(unitsBefore('"🚀🚀" + x', 7), 9);
});

test("the text of a place is known where it lies on one line", () => {
  const lines = ['print("🚀", x * 2)', "y = x"];
  const place = { line: 1, column: 11, end_line: 1, end_column: 16 };
  assert.equal(sourceAt(lines, place), "x * 2");
  assert.equal(sourceAt(lines, { ...place, end_line: 2 }), null);
  assert.equal(sourceAt(lines, { ...place, end_column: 11 }), null);
  assert.equal(sourceAt(lines, { ...place, column: null }), null);
  assert.equal(sourceAt(lines, { ...place, line: 3, end_line: 3 }), null);
});
