import assert from "node:assert/strict";
import test from "node:test";
import { asWritten, gradientArgument, nested, numbersOf, withGradient } from "../../static/js/editor/literals.js";

const numberOf = (code, line, name) => numbersOf(code, line, name)?.[0] ?? null;

test("the number of a leaf is found by its variable and line", () => {
  const code =
    "import torch\na, k = 1, 2\na = torch.tensor(2.0, requires_grad=True); b = torch.tensor(-3.5)\n" +
    "c = torch.tensor(data=4)\n";
  assert.equal(numberOf(code, 3, "a").text, "2.0");
  const b = numberOf(code, 3, "b");
  assert.equal(code.slice(b.from, b.to), "-3.5");
  assert.equal(numberOf(code, 4, "c").text, "4");
  assert.equal(numberOf(code, 2, "a"), null);
  assert.deepEqual(
    numbersOf("x = torch.tensor([[1., -2], [3e-1, .5]])\n", 1, "x").map(({ text }) => text),
    ["1.", "-2", "3e-1", ".5"],
  );
  assert.equal(numbersOf("x = torch.tensor([1.0, k])\n", 1, "x"), null);
  assert.equal(numberOf("x = f(2.0)\n", 1, "x"), null);
});

test("a float that is dragged to a whole number stays a float", () => {
  assert.equal(asWritten("3", "2.0"), "3.0");
  assert.equal(asWritten("3", "2"), "3");
  assert.equal(asWritten("0.25", "2.0"), "0.25");
});

test("a literal gradient is rewritten in place, whatever surrounds it", () => {
  const code = "y.backward(torch.tensor([0.1, 1.0, 1e-4]), retain_graph=True)  # [9]\n";
  const argument = gradientArgument(code, 1);
  assert.deepEqual(argument.numbers, [0.1, 1, 1e-4]);
  assert.equal(argument.root, "y");
  assert.equal(
    withGradient(code, argument, [1, 0, -2], [3]),
    "y.backward(torch.tensor([1.0, 0.0, -2.0]), retain_graph=True)  # [9]\n",
  );
});

test("keyword, nested and legacy spellings", () => {
  for (const code of [
    "y.backward(gradient=torch.tensor([[1., 0.]]))",
    "y.backward(torch.FloatTensor([[1, 0]]), retain_graph=True)",
    "torch.autograd.backward(y, torch.tensor([[1, 0]]))",
    "torch.autograd.backward(y, grad_tensors=torch.tensor([[1, 0]]))",
  ]) {
    const argument = gradientArgument(code, 1);
    assert.deepEqual(argument.numbers, [1, 0], code);
    assert.equal(argument.root, "y", code);
    assert.match(withGradient(code, argument, [0, 1], [1, 2]), /\[\[0\.0, 1\.0\]\]/, code);
  }
});

test("a variable is followed to the list it was assigned", () => {
  const code =
    "gradients = torch.tensor([5.0])\ngradients = torch.tensor([0.1, 1.0], dtype=torch.float)\n" +
    "y.backward(gradients)\ngradients = 3\n";
  const argument = gradientArgument(code, 3);
  assert.deepEqual(argument.numbers, [0.1, 1]);
  assert.equal(
    withGradient(code, argument, [1, 1], [2]).split("\n")[1],
    "gradients = torch.tensor([1.0, 1.0], dtype=torch.float)",
  );
});

test("an expression is replaced by a literal, and a missing argument is put in", () => {
  const ones = gradientArgument("y.backward(torch.ones_like(y))", 1);
  assert.equal(ones.numbers, null);
  assert.equal(
    withGradient("y.backward(torch.ones_like(y))", ones, [1, 0], [2]),
    "y.backward(torch.tensor([1.0, 0.0]))",
  );
  for (const [code, expected] of [
    ["y.backward()", "y.backward(torch.tensor([1.0, 0.0]))"],
    ["y.backward(retain_graph=True)", "y.backward(torch.tensor([1.0, 0.0]), retain_graph=True)"],
    ["y.backward(None)", "y.backward(torch.tensor([1.0, 0.0]))"],
    ["(x * 2).backward()", "(x * 2).backward(torch.tensor([1.0, 0.0]))"],
  ]) {
    assert.equal(withGradient(code, gradientArgument(code, 1), [1, 0], [2]), expected);
  }
});

test("no call, no argument", () => {
  assert.equal(gradientArgument("y = x\n# y.backward()\n", 2), null);
  assert.equal(gradientArgument("backward(y)\n", 1), null);
});

test("numbers are nested by shape", () => {
  assert.equal(nested([1, 2, 3, 4], [2, 2]), "[[1.0, 2.0], [3.0, 4.0]]");
  assert.equal(nested([0.1], []), "0.1");
  assert.equal(nested([1e-10], [1]), "[1e-10]");
});
