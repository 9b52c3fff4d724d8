import assert from "node:assert/strict";
import test from "node:test";
import { withField } from "../../static/js/editor/literals.js";
import { indexOf, pull } from "../../static/js/ledger/image.js";
import { picturesOf } from "../../static/js/ui/pictures.js";

test("pictures have a channel or three, and are no strips", () => {
  assert.deepEqual(picturesOf([2, 3, 8, 10]), { count: 2, channels: 3, height: 8, width: 10 });
  assert.deepEqual(picturesOf([2, 5, 8, 10]), { count: 10, channels: 1, height: 8, width: 10 });
  assert.deepEqual(picturesOf([1, 28, 28]), { count: 1, channels: 1, height: 28, width: 28 });
  for (const shape of [[], [5], [28, 28], [8, 1, 3, 3], [1, 1, 4, 40], [1, 1, 1, 28, 28]]) {
    assert.equal(picturesOf(shape), null, String(shape));
  }
});

test("a pixel is an element of the tensor", () => {
  assert.deepEqual(indexOf([2, 3, 8, 10], 1, 4, 5), [1, 0, 4, 5]);
  assert.deepEqual(indexOf([2, 5, 8, 10], 7, 4, 5), [1, 2, 4, 5]);
  assert.deepEqual(indexOf([1, 28, 28], 0, 4, 5), [0, 4, 5]);
});

test("a pixel pulls as its strongest channel does, with its sign", () => {
  const of = { count: 2, channels: 3, height: 1, width: 2 };
  const gradient = [0, 0, 0, 0, 0, 0, 1, -2, -3, 1, 2, 2];
  assert.deepEqual(pull(gradient, of, 1), [-3, -2]);
});

const CODE = "import torch\nx = f()\nif True:\n    out = net(\n        x)\nloss = out.sum()\n";
const ABOUT = { line: 4, name: "out", index: [0, 0, 1, 2], leaf: "x" };

test("what a pixel sees is asked for after the statement that makes its tensor, and once", () => {
  const first = withField(CODE, ABOUT);
  assert.equal(first?.line, 6);
  assert.equal(
    first?.code.split("\n")[5],
    "    field, = torch.autograd.grad(out[0, 0, 1, 2], x, retain_graph=True)  # what out[0, 0, 1, 2] sees",
  );
  const second = withField(first?.code ?? "", { ...ABOUT, index: [0, 0, 3, 3] });
  assert.equal(second?.code, first?.code.replaceAll("1, 2]", "3, 3]"));
  const above = withField(first?.code ?? "", { ...ABOUT, line: 2, name: "x", index: [1] });
  assert.equal(above?.line, 3);
  assert.equal(above?.code.match(/autograd\.grad/g)?.length, 1);
  const below = withField(`${first?.code}late = out * 2\n`, { ...ABOUT, line: 8, name: "late" });
  assert.equal(below?.code.split("\n")[below.line - 2], "late = out * 2");
});

test("names of the program are left alone, and other programs are not changed", () => {
  assert.equal(withField(CODE.replace("x = f()", "field = 1; x = f()"), ABOUT)?.name, "field_");
  assert.equal(withField(CODE.replace("import torch", "import torch as t"), ABOUT), null);
  assert.equal(withField(CODE, { ...ABOUT, line: 3 })?.line ?? null, null);
});
