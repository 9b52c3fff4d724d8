import assert from "node:assert/strict";
import test from "node:test";
import { isTree, simplify, treesOf } from "../../static/js/formula/tree.js";
import { latex, plain, texName } from "../../static/js/formula/write.js";
import { formulaOf, TREES } from "./fixtures/trees.js";

const read = (text, known = {}) => simplify(formulaOf(text), (name) => known[name]);
const tex = (text, known = {}, names = {}) => latex(read(text, known), (name) => names[name] ?? null);
const words = (text, known = {}, values = {}) => plain(read(text, known), (name) => values[name] ?? null);

test("products, powers and fractions keep their parentheses", () => {
  assert.equal(tex("g * cos(x)"), "g \\cdot \\cos\\left(x\\right)");
  assert.equal(tex("g * (a + b)"), "g \\cdot \\left(a + b\\right)");
  assert.equal(tex("a - (b - c)"), "a - \\left(b - c\\right)");
  assert.equal(tex("-x ** 2"), "-x^{2}");
  assert.equal(tex("(-x) ** 2"), "\\left(-x\\right)^{2}");
  assert.equal(tex("g / (1 + x)"), "\\frac{g}{1 + x}");
  assert.equal(tex("g * -x"), "g \\cdot \\left(-x\\right)");
});

test("what is known about the node is put in and worked out", () => {
  assert.equal(tex("g if alpha == 1 else g * alpha", { alpha: 1 }), "g");
  assert.equal(tex("g if alpha == 1 else g * alpha", { alpha: 3 }), "g \\cdot 3");
  assert.equal(tex("g * exponent * x ** (exponent - 1)", { exponent: 2 }), "g \\cdot 2 \\cdot x");
  assert.equal(tex("g * exponent * x ** (exponent - 1)", { exponent: 3 }), "g \\cdot 3 \\cdot x^{2}");
  assert.equal(tex("g if weight is None else g * weight", { weight: null }), "g");
  assert.equal(tex("g if flag else 0"), "\\begin{cases} g & \\mathrm{flag} \\\\ 0 & \\text{otherwise} \\end{cases}");
});

test("the engine's helpers are spelled out", () => {
  assert.equal(
    tex("scaled(mm_grad_first(g, mat2, mat1.shape, mat1.strides), alpha)", { alpha: 1 }, { mat2: "W" }),
    "g\\,W^{\\mathsf T}",
  );
  assert.equal(tex("mm_grad_second(g, self, mat2.shape)", {}, { self: "x" }), "x^{\\mathsf T}\\,g");
  assert.equal(tex("sigmoid_backward(g, result)", {}, { result: "s" }), "g \\cdot s \\cdot \\left(1 - s\\right)");
  assert.equal(tex("threshold_backward(g, result, 0)", {}, { result: "h" }), "g \\cdot [h > 0]");
  assert.equal(
    tex("expand(g, self.shape) / count(self.shape)", { "self.shape": [2, 3] }),
    "\\frac{g \\cdot \\mathbf{1}}{6}",
  );
  assert.equal(words("g / count(self.shape, dim)", { "self.shape": [2, 3], dim: [-1] }), "g / 3");
  assert.equal(tex("expand(g, self.shape)"), "g \\cdot \\mathbf{1}");
  assert.equal(tex("g * result * 0.6931471805599453", {}, { result: "y" }), "g \\cdot y \\cdot \\ln 2");
});

test("losses are spelled out when they are plain", () => {
  assert.equal(
    tex("mse_loss_backward(g, self, target, reduction)", { reduction: 1 }, { self: "p", target: "t" }),
    "\\frac{2 \\cdot g \\cdot \\left(p - t\\right)}{n}",
  );
  const none = { weight: null, pos_weight: null };
  assert.equal(
    tex(
      "bce_logits_backward(g, self, target, weight, pos_weight, reduction)",
      { ...none, reduction: 2 },
      { self: "z", target: "y" },
    ),
    "g \\cdot \\left(\\sigma\\left(z\\right) - y\\right)",
  );
  assert.equal(tex("bce_logits_backward(g, self, target, weight, pos_weight, reduction)", { reduction: 1 }), null);
});

test("a function nobody knows gives no LaTeX, so that the document's own is used", () => {
  assert.equal(tex("prod_backward(g, self, result)"), null);
});

test("conditions on what was saved, and on words, are decided", () => {
  const known = { weight: Symbol("saved"), approximate: "none" };
  assert.equal(tex("g if weight is None else g * weight", known), "g \\cdot \\mathrm{weight}");
  assert.equal(words("g if approximate == 'none' else 2 * g", known), "g");
});

test("what a file calls a tree is held against what trees are", () => {
  for (const tree of [...Object.values(TREES.formulas), ...Object.values(TREES.expressions)]) assert.ok(isTree(tree));
  const wrong = [
    {},
    [],
    [1],
    ["*", "g"],
    ["if", "g", "g"],
    ["said", "ones"],
    ["said", 1, 2],
    [".", "x", ["a"]],
    ["+", "g", {}],
  ];
  for (const tree of wrong) assert.ok(!isTree(tree), JSON.stringify(tree));
  assert.deepEqual([...treesOf({ a: ["*", "g", 2], b: ["*", "g"] }).keys()], ["a"]);
  assert.equal(treesOf(undefined).size, 0);
});

test("numbers go into the text, negative ones in parentheses", () => {
  assert.equal(words("g * other", {}, { g: "2.0", other: "−3.0" }), "2.0 × (−3.0)");
  assert.equal(words("g * cos(self)", {}, { g: "1.0", self: "−0.5" }), "1.0 × cos(−0.5)");
  assert.equal(
    words("g * exponent * self ** (exponent - 1)", { exponent: 3 }, { g: "1.0", self: "2.0" }),
    "1.0 × 3 × 2.0²",
  );
  assert.equal(words("-g", {}, { g: "1.0" }), "−1.0");
  assert.equal(words("mm_grad_first(g, mat2)", {}, { g: "g(8, 2)", mat2: "W(30, 2)" }), "g(8, 2) @ W(30, 2)ᵀ");
});

test("names become LaTeX that KaTeX can read", () => {
  assert.equal(texName("x"), "x");
  assert.equal(texName("w1"), "w_{1}");
  assert.equal(texName("θ_1"), "θ_{1}");
  assert.equal(texName("the result of δ"), "\\text{the result of $δ$}");
  assert.equal(texName("fc1.weight"), "\\mathrm{fc1.weight}");
  assert.equal(texName("my_var"), "\\mathrm{my\\_var}");
  assert.equal(texName("x * w", TREES.expressions["x * w"]), "x \\cdot w");
  assert.equal(texName("torch.sin(x)", TREES.expressions["torch.sin(x)"]), "\\sin\\left(x\\right)");
  assert.equal(texName("x * w"), "\\text{x * w}");
  assert.equal(texName("ws[2]"), "\\mathrm{ws}_{2}");
  assert.equal(texName("layers[0][1].my_w"), "\\mathrm{layers}_{0,1}.\\mathrm{my\\_w}");
  assert.equal(texName("params['enc']"), "\\text{params['enc']}");
  assert.equal(texName("the result of mul"), "\\text{the result of mul}");
});
