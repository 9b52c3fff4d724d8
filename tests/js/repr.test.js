import assert from "node:assert/strict";
import test from "node:test";
import { tensorRepr } from "../../static/js/ledger/repr.js";

const shapeOf = (data) => (Array.isArray(data) ? [data.length, ...(data.length ? shapeOf(data[0]) : [])] : []);
const repr = (data, options = {}, dtype = "float32") =>
  tensorRepr({ shape: options.shape ?? shapeOf(data), dtype, data }, options);

// Every expectation was printed by torch 2.13.
test("scalars", () => {
  assert.equal(repr(20), "tensor(20.)");
  assert.equal(repr(0.5), "tensor(0.5000)");
  assert.equal(repr(4, { requires_grad: true }), "tensor(4., requires_grad=True)");
  assert.equal(repr(20, { grad_fn: "MulBackward0", requires_grad: true }), "tensor(20., grad_fn=<MulBackward0>)");
  assert.equal(repr("NaN"), "tensor(nan)");
  assert.equal(repr("-Infinity"), "tensor(-inf)");
  assert.equal(repr(0), "tensor(0.)");
});

test("vectors share one width, and large spreads are scientific", () => {
  assert.equal(repr([1, 2, 3]), "tensor([1., 2., 3.])");
  assert.equal(repr([1, -2.5]), "tensor([ 1.0000, -2.5000])");
  assert.equal(repr([0.10403023, 0.0838532, -0.0000489992]), "tensor([ 1.0403e-01,  8.3853e-02, -4.8999e-05])");
  assert.equal(repr([51.2, 512, 0.0512]), "tensor([5.1200e+01, 5.1200e+02, 5.1200e-02])");
  assert.equal(repr([0, 0, 0]), "tensor([0., 0., 0.])");
  assert.equal(repr([1, "Infinity"]), "tensor([1., inf])");
});

test("complex numbers align their two parts", () => {
  const rows = [
    [
      [1, 2],
      [-0, -0.5],
    ],
    [
      [100.25, 0],
      [3, -1],
    ],
  ];
  assert.equal(
    repr(rows, { shape: [2, 2], requires_grad: true }, "complex64"),
    "tensor([[  1.0000+2.0000j,  -0.0000-0.5000j],\n" +
      "        [100.2500+0.0000j,   3.0000-1.0000j]], requires_grad=True)",
  );
  assert.equal(repr([2, 0], { shape: [] }, "complex128"), "tensor(2.+0.j, dtype=torch.complex128)");
});

test("matrices break after rows, and deeper tensors leave blank lines", () => {
  assert.equal(
    repr([
      [1, 2],
      [3, 4],
    ]),
    "tensor([[1., 2.],\n        [3., 4.]])",
  );
  assert.equal(repr([[[1, 2]], [[3, 4]]]), "tensor([[[1., 2.]],\n\n        [[3., 4.]]])");
});

test("other dtypes are named unless they are the default of their kind", () => {
  assert.equal(repr([1, 2], {}, "int64"), "tensor([1, 2])");
  assert.equal(repr([1, 2], {}, "int32"), "tensor([1, 2], dtype=torch.int32)");
  assert.equal(repr([1, 2], {}, "float64"), "tensor([1., 2.], dtype=torch.float64)");
  assert.equal(repr([true, false], {}, "bool"), "tensor([ True, False])");
  assert.equal(repr([], { shape: [0] }), "tensor([])");
  assert.equal(repr([], { shape: [0, 3] }), "tensor([], size=(0, 3))");
});

test("long vectors wrap at 80 columns and very long ones are summarised", () => {
  const long = Array.from({ length: 30 }, (_, i) => i);
  assert.equal(
    repr(long),
    "tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.,\n" +
      "        14., 15., 16., 17., 18., 19., 20., 21., 22., 23., 24., 25., 26., 27.,\n        28., 29.])",
  );
  const longer = Array.from({ length: 2000 }, (_, i) => i);
  assert.equal(
    repr(longer),
    "tensor([0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 1.9970e+03, 1.9980e+03,\n        1.9990e+03])",
  );
});

test("ties round to even, as Python's format does", () => {
  assert.equal(repr(0.03125), "tensor(0.0312)");
  assert.equal(repr(0.09375), "tensor(0.0938)");
});
