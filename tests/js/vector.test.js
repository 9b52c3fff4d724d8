import assert from "node:assert/strict";
import test from "node:test";
import { indexTrace } from "../../static/js/trace.js";
import { Book } from "../../static/js/ui/book.js";
import { contributions, jacobianRows, weightedSum } from "../../static/js/vector/jacobian.js";
import { question } from "../../static/js/vector/vector.js";
import { Recorder } from "./fixtures/record.js";
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

test("the rows, weighted and added, are what backward() put into x.grad", async () => {
  const doc = vector();
  const { argument, call, shape, v } = question(new Book(indexTrace(doc)), 1e9);
  const asked = [];
  const rows = await jacobianRows({ code: doc.source.code, argument, call, shape }, async (code) => {
    asked.push(code);
    const gradient = JSON.parse(/backward\(torch\.tensor\((\[[^\]]*\])\)\)/.exec(code)[1]);
    const r = new Recorder(code);
    const x = r.at(2).leaf("x", [1, 2, 3]);
    const w = r.at(4).leaf("w", 0.5);
    r.at(7).backward(r.op("add", r.op("mul", x, w), r.op("sin", x)), { gradient });
    return r.document;
  });
  assert.equal(asked.length, 3);
  const x = rows.find((leaf) => leaf.shape.length === 1);
  const grad = contributions(doc, 0).get(x.tensor).numbers;
  weightedSum(v, x.rows).forEach((sum, j) => assert.ok(Math.abs(sum - grad[j]) < 1e-6));
  assert.equal(x.rows[0][1], 0);
});
