/** The program in a page of prose that was copied whole. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { programIn } from "../../static/js/lessons/pasted.js";

const QUESTION = "I do not see where these three numbers come from, and the manual (see below) does not say so.";
const around = (/** @type {string} */ code) => `How are gradients weighed?\nAsked 3 years ago\n${QUESTION}\n\n${code}\n
The call weighs every element of y, as in sum(w * y), before it goes back.\n7\nShare\nFollow\n`;

const PROGRAM = `import torch

class Twice(torch.nn.Module):
    """Two of it, that is all it does."""

    def forward(self, x, by=2.0):
        return x * by  # (so)

x = torch.tensor(
    [1.0, 2.0],
    requires_grad=True,
)
out, (h, c) = Twice()(x), (1, 2)
for i in range(2):
    # each turn adds
    if i != 1:
        out.sum().backward(retain_graph=True)
    else:
        (out * 2).sum().backward()
print(f"{x.grad} is what it is", x.grad[0])
`;

test("a program among the prose of a page is found whole", () => {
  assert.deepEqual(programIn(around(PROGRAM)), { code: PROGRAM, how: "without the text around it" });
  const set = PROGRAM.split("\n").map((line) => (line ? `    ${line}` : line));
  assert.equal(programIn(around(set.join("\n")))?.code, PROGRAM);
});

test("blocks that stand apart are joined; those with names that nothing before them defines are left out", () => {
  const page = around(
    `y.backward(torch.ones(3))\n\nThat line stands in the question and lacks all before it.\n
import torch\nx = torch.ones(3, requires_grad=True)\n\nNow we go on from there with a sum.\n
y = x.sum()\ny.backward()\nx.grad\n\nWhat comes out of this is shown here:\n
tensor([1., 1., 1.])\n\nand with a model of your own it would be\n\nloss = model(data).mean()\nloss.backward()`,
  );
  assert.equal(
    programIn(page)?.code,
    "import torch\nx = torch.ones(3, requires_grad=True)\n\ny = x.sum()\ny.backward()\nx.grad\n",
  );
});

test("lines between backticks are code, and statements that were run together come apart", () => {
  const page = around("`a = torch.tensor(2.0, requires_grad=True)`\n\nb = a * 3\n\nb.backward()print(a.grad)");
  assert.equal(
    programIn(page)?.code,
    "a = torch.tensor(2.0, requires_grad=True)\n\nb = a * 3\n\nb.backward()\nprint(a.grad)\n",
  );
});

test("a page whose code has lost its form is left as it is", () => {
  for (const code of [
    "x = torch.ones(2, requires_grad=True)\nwhile x.sum() < 9:\nx = x * 2\nx.sum().backward()",
    "import torch\nx = torch.ones(2\ny = x * 2\ny.backward()",
    "The value of `y.backward()` is never what one would look at.",
    "These “numbers” are what I do not see at all.",
    "dL/dx = 2x\ny = x^2\nloss = f(x1, x2, ... xn)",
  ]) {
    assert.equal(programIn(around(code)), null, code);
  }
});

test("a program with an error of its own is no page of prose", () => {
  for (const code of [
    "import torch\n# here comes all that we need for this\nx = torch.ones(2\nprint(x)",
    "import torch\nprint('the loss of this step is now)\nx = torch.ones(2)",
    'import torch\n"""\nWhat this program does is not much.\nx = torch.ones(2)\nprint(x)',
    "import torch\nfor name, layer, grad in parts\n    print(name)",
    "import torch\nprint(hello my dear old friend)\nx = torch.ones(2)",
  ]) {
    assert.equal(programIn(code), null, code);
  }
});

test("a long text that is no program is read quickly", () => {
  for (const text of ["f(\n".repeat(9000), "x = f(' \n".repeat(5000), `${"for a in b in ".repeat(4000)}\n`]) {
    const start = performance.now();
    assert.equal(programIn(`${text}the cat sat down on the mat (or did it)\n`), null);
    assert.ok(performance.now() - start < 5000);
  }
});
