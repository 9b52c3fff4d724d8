import assert from "node:assert/strict";
import test from "node:test";
import { indexTrace } from "../../static/js/trace.js";
import { Book } from "../../static/js/ui/book.js";
import { question } from "../../static/js/vector/vector.js";
import { scalars, vector } from "./fixtures/programs.js";

test("a vector root asks for its gradient, a scalar one does not", () => {
  const asked = question(new Book(indexTrace(vector())), 1e9);
  assert.deepEqual(asked.shape, [3]);
  assert.equal(asked.argument.root, "y");
  assert.deepEqual(
    asked.v.map((x) => Number(x.toPrecision(4))),
    [0.1, 1, 1e-4],
  );
  assert.equal(question(new Book(indexTrace(scalars())), 1e9), null);
});
