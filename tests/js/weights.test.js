import assert from "node:assert/strict";
import test from "node:test";
import { indexTrace } from "../../static/js/trace.js";
import { Book } from "../../static/js/ui/book.js";
import { draggedTo } from "../../static/js/ui/drag.js";
import { fillClass, FILLS } from "../../static/js/editor/fills.js";
import { weightsIn } from "../../static/js/editor/weights.js";
import { Colours, LIGHT, makeScale } from "../../static/js/scene/colour.js";
import { scalars, vector } from "./fixtures/programs.js";

test("the weights of a backward call are found where the program spells them out", () => {
  const book = new Book(indexTrace(vector()));
  const { code } = book.doc.source;
  const found = weightsIn(book);
  assert.deepEqual(
    found.map(({ from, to }) => code.slice(from, to)),
    ["0.1", "1.0", "1e-4"],
  );
  assert.deepEqual(
    found.map(({ call, index, x }) => [call, index, Number(x.toPrecision(4))]),
    [
      [0, 0, 0.1],
      [0, 1, 1],
      [0, 2, 1e-4],
    ],
  );
  assert.deepEqual(weightsIn(new Book(indexTrace(scalars()))), []);
});

test("four pixels of a drag change the second digit by one", () => {
  assert.equal(draggedTo(0.1, 60), 0.25);
  assert.equal(draggedTo(1, -40), 0);
  assert.equal(draggedTo(20, 4), 21);
  assert.equal(draggedTo(3, 1), 3);
});

test("a fill in the program is the one of the picture, named by a class that exists", () => {
  const colours = new Colours(LIGHT, makeScale(4, 4));
  for (const x of [4, -4, 0.001, -0.3, 0, Number.NaN, Number.POSITIVE_INFINITY]) {
    const [fill, ink] = fillClass(colours, x).split(" ");
    assert.ok(FILLS[`.${fill}`], fill);
    assert.equal(ink === "cm-light-ink", colours.on(colours.cell(x)) === "#ffffff");
  }
  assert.match(fillClass(colours, 4), /^cm-pos-32 /);
  assert.match(fillClass(colours, -4), /^cm-neg-32 /);
});
