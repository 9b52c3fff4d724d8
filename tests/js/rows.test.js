/** The slopes that are written on an edge: one for each element, or a row of a Jacobian for each that arrives. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { knownOf, simplify } from "../../static/js/formula/tree.js";
import { jacobianOf, slopesOf } from "../../static/js/scene/rows.js";
import { Moment } from "../../static/js/scene/moment.js";
import { edgeKey } from "../../static/js/trace.js";
import { sceneOf, textsOfSprites } from "./fixtures/picture.js";
import { formulaOf } from "./fixtures/trees.js";

const tensor = (shape, ...data) => ({ shape, data });
const of = (names) => (name) => names[name];
const read = (text, attributes = {}) =>
  simplify(formulaOf(text), knownOf({ attributes, saved: { self: "", mat2: "", other: "" } }));

test("a node that multiplies element by element has a slope for each element, or one for all", () => {
  const names = of({ self: tensor([3], 1, 2, 4), result: tensor([3], 0.5, 0, 2), other: 3 });
  assert.deepEqual(slopesOf(read("g * self"), names), [1, 2, 4]);
  assert.deepEqual(slopesOf(read("g * other"), names), [3]);
  assert.deepEqual(slopesOf(read("expand(g, self.shape)"), names), [1]);
  assert.deepEqual(slopesOf(read("expand(g, self.shape) / count(self.shape)", { "self.shape": [3] }), names), [1 / 3]);
  assert.deepEqual(slopesOf(read("threshold_backward(g, result, 0)"), names), [1, 0, 1]);
  assert.equal(slopesOf(read("qr_backward(g, Q, R, mode)"), names), null);
});

test("a product of matrices has a row of slopes for each element of its result", () => {
  // [[a, b]] @ [[1, 2], [3, 4]] = [[a + 3b, 2a + 4b]]
  const first = of({ mat2: tensor([2, 2], 1, 2, 3, 4) });
  const g = tensor([1, 2], 10, 100);
  assert.deepEqual(jacobianOf(read("mm_grad_first(g, mat2, self.shape, self.strides)"), first, g, [210, 430]), [
    [1, 3],
    [2, 4],
  ]);
  // [[5, 6]] @ [[w, x], [y, z]] = [[5w + 6y, 5x + 6z]]
  const second = of({ self: tensor([1, 2], 5, 6), alpha: 2 });
  const formula = read("mm_grad_second(g, self, mat2.shape, mat2.strides)");
  assert.deepEqual(jacobianOf(formula, second, g, [50, 500, 60, 600]), [
    [5, 0, 6, 0],
    [0, 5, 0, 6],
  ]);
  const scaled = read("scaled(mm_grad_second(g, self, mat2.shape, mat2.strides), alpha)", { alpha: 2 });
  assert.deepEqual(jacobianOf(scaled, second, g, [100, 1000, 120, 1200])?.[1], [0, 10, 0, 12]);
});

test("a Jacobian that is large, unknown or does not give what was sent is not shown", () => {
  const names = of({ mat2: tensor([2, 2], 1, 2, 3, 4) });
  const formula = read("mm_grad_first(g, mat2, self.shape, self.strides)");
  assert.equal(jacobianOf(formula, names, tensor([1, 2], 10, 100), [210, 431]), null);
  assert.equal(jacobianOf(formula, of({}), tensor([1, 2], 10, 100), [210, 430]), null);
  assert.equal(jacobianOf(read("qr_backward(g, Q, R, mode)"), names, tensor([1, 2], 10, 100), [210, 430]), null);
  const tall = tensor([5, 2], 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
  assert.equal(jacobianOf(formula, names, tall, Array(10).fill(3)), null);
});

test("while a gradient goes through a product, its edge shows what arrived × rows = what is sent", () => {
  const { scene, trace } = sceneOf(
    JSON.parse(readFileSync(new URL("./fixtures/engine/modulehook.json", import.meta.url), "utf8")),
  );
  const t = trace.events.findIndex(
    ({ kind, node }) => kind === "node" && trace.nodes.get(node).name === "AddmmBackward0",
  );
  const { node, grad_inputs } = trace.events[t];
  const chips = textsOfSprites(scene, new Moment(trace, t + 1), "chip");
  for (const index of [1, 2]) {
    const sent = trace.value(grad_inputs[index]).data.flat();
    const lines = chips
      .get(edgeKey(node, index))
      .join(" ")
      .split(/ [+=] /);
    const [sum, ...rows] = lines.map((line) => line.replaceAll("−", "-")).reverse();
    const total = sent.map(() => 0);
    for (const row of rows) {
      const [arriving, slopes] = row.split(" × ");
      slopes.split(" ").forEach((slope, j) => (total[j] += Number(arriving) * Number(slope)));
    }
    const close = (numbers) => numbers.every((x, j) => Math.abs(x - sent[j]) < 1e-3 * Math.max(...sent.map(Math.abs)));
    assert.equal(rows.length, 2);
    assert.ok(close(sum.split(" ").map(Number)) && close(total), `${lines} is not ${sent}`);
  }
});
