/** Sketches of the gallery are drawn as the page draws. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { symbol, turnsOf } from "../../tools/sketches.mjs";
import { sceneOf } from "./fixtures/picture.js";
import * as programs from "./fixtures/programs.js";

test("leaves stand below the rest of a sketch, and edges lead down to them", () => {
  const sketch = symbol("scalars", sceneOf(programs.scalars()).scene);
  const boxes = (look) =>
    [
      ...(sketch.match(new RegExp(`<path d="([^"]+)" fill="${look}`))?.[1] ?? "").matchAll(/M(\d+) (\d+)h(\d+)v(\d+)/g),
    ].map(([, x, y, w, h]) => ({ x: +x, y: +y, w: +w, h: +h }));
  const [leaves, others] = [boxes("currentColor"), boxes("var")];
  assert.equal(leaves.length, 3);
  assert.ok(others.length && others.every(({ y, h }) => leaves.every((leaf) => leaf.y > y + h)));
  const begun = [...sketch.matchAll(/M(\d+) (\d+)(?=L)/g)].map(([, x, y]) => ({ x: +x, y: +y }));
  for (const { x, y, w } of leaves) {
    assert.ok(
      begun.some((at) => at.x >= x && at.x <= x + w && Math.abs(at.y - y) < 2),
      `an edge comes to the leaf at ${x}`,
    );
  }
});

test("a line keeps its turns, and nothing else", () => {
  const line = [...Array(9).keys()].map((i) => [i, 0]);
  assert.deepEqual(turnsOf(line), [
    [0, 0],
    [8, 0],
  ]);
  assert.deepEqual(turnsOf([...line, [8, 4], [8, 9]]), [
    [0, 0],
    [8, 0],
    [8, 9],
  ]);
});
