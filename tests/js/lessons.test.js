import assert from "node:assert/strict";
import test from "node:test";
import { indexTrace, stops as stopsOf } from "../../static/js/trace.js";
import { Book } from "../../static/js/ui/book.js";
import { mend } from "../../static/js/lessons/mending.js";
import { changed, isChangeable, suggest } from "../../static/js/lessons/suggest.js";
import { litAt, openAt } from "../../static/js/lessons/tour.js";
import { LESSONS } from "../../static/js/lessons/lessons.js";
import { alikeButForNumbers, statements } from "../../static/js/lessons/statements.js";
import { filled } from "../../static/js/lessons/values.js";
import { Recorder } from "./fixtures/record.js";
import { scalars, vector } from "./fixtures/programs.js";

function bookOf(document) {
  const book = new Book(indexTrace(document));
  book.mending = mend(book);
  return book;
}
const applied = (book) => {
  const change = suggest(book);
  return changed(book.doc.source.code, change);
};

/** h = x * 3, backward, and what went wrong then. */
function product(code, spoil = () => {}) {
  const r = new Recorder(code);
  const x = r.at(2).leaf("x", 2);
  const h = r.bind(r.at(3, 4, 9).op("mul", x, 3), "h");
  r.at(4).backward(h);
  spoil(r.document);
  return bookOf(r.document);
}
const PRODUCT = "import torch\nx = torch.tensor(2.0, requires_grad=True)\nh = x * 3\nh.backward()\n";

test("where .grad of a computed tensor was read, keeping it is offered", () => {
  const book = product(`${PRODUCT}print(h.grad)\n`, (document) => {
    document.warnings = [
      { category: "UserWarning", message: "The .grad attribute of a Tensor that is not a leaf Tensor is", line: 5 },
    ];
  });
  assert.match(suggest(book).say, /h\.retain_grad\(\)/);
  assert.match(applied(book), /^h\.retain_grad\(\)\nh\.backward\(\)$/m);
});

test("where a second pass found nothing saved, the first is told to keep it, in the program's own words", () => {
  const book = product(`${PRODUCT}h.backward()\n`, (document) => {
    document.error = { type: "RuntimeError", message: "Trying to backward through the graph a second time", line: 5 };
  });
  assert.equal(suggest(book).say, "h.backward(retain_graph=True) on line 4");
  assert.match(applied(book), /^h\.backward\(retain_graph=True\)\nh\.backward\(\)$/m);
});

test("where several elements have no weights, their sum is offered", () => {
  const book = product(PRODUCT, (document) => {
    document.error = {
      type: "RuntimeError",
      message: "grad can be implicitly created only for scalar outputs",
      line: 4,
    };
  });
  assert.match(applied(book), /^h\.sum\(\)\.backward\(\)$/m);
});

test("a leaf that was written in place is written under no_grad instead, where it stands", () => {
  const book = product(`${PRODUCT}x += 1\n`, (document) => {
    const message = "a leaf Variable that requires grad is being used in an in-place operation.";
    document.error = { type: "RuntimeError", message, line: 5 };
  });
  assert.match(applied(book), /^with torch\.no_grad\(\):\n {4}x \+= 1$/m);
  assert.match(book.mending.fix, /^Write x \+= 1 under torch\.no_grad\(\)/);
});

test("a fix has the names of the program, where there is one", () => {
  const book = product(PRODUCT, (document) => {
    document.error = {
      type: "RuntimeError",
      message: "grad can be implicitly created only for scalar outputs",
      line: 4,
    };
  });
  assert.match(book.mending.fix, /h\.sum\(\)\.backward\(\).*h\.backward\(torch\.ones_like\(h\)\)/);
  assert.equal(mend(bookOf(scalars())), null);
});

test("else one output is left alone, or a number changes its sign", () => {
  assert.match(applied(bookOf(vector())), /\[1\.0, 0\.0, 0\.0\]/);
  const book = bookOf(scalars());
  assert.equal(suggest(book).say, "set a to −2");
  assert.match(applied(book), /a = torch\.tensor\(-2\.0/);
  const code = book.doc.source.code;
  assert.ok(!isChangeable(code.replace("2.0", "-2.0"), suggest(book)), "it is offered once");
});

/** A lesson of these captions, written for a program. */
const tourOf = (captions, written) => ({
  captions,
  change: { say: "", from: "", to: "" },
  statements: (book, stops) => statements(book, stops, captions, written),
});

test("a caption is read from its moment to the end of its stretch, the next caption, or where it says", () => {
  const book = bookOf(scalars());
  const stops = stopsOf(book.trace);
  const tour = tourOf(
    [
      { say: "one", at: "op e", look: "e" },
      { say: "two", at: "backward 1" },
      { say: "three", at: "node AddBackward0" },
      { say: "four", at: "end", look: "a b" },
      { say: "five", at: "end" },
    ],
    book.doc.source.code,
  );
  const all = tour.statements(book, stops);
  const said = (/** @type {number} */ stop, asked = -1) => all[openAt(all, stop, asked)]?.say ?? "";
  const [op, begin, node] = all.map(({ stop }) => stop);
  const last = stops.length - 1;
  assert.equal(said(op - 1), "", "nothing before the first");
  assert.equal(said(op), "one");
  assert.deepEqual([said(begin), said(node - 1), said(node)], ["two", "two", "three"]);
  assert.deepEqual([said(last), said(last, 3)], ["five", "four"], "the one asked for, where two share a step");
  const until = tourOf([{ say: "one", at: "op e", until: "node AddBackward0" }], book.doc.source.code);
  assert.equal(until.statements(book, stops)[0].last, node);
  const names = (ids) => ids.map((id) => book.nameOf(id));
  assert.deepEqual(names(litAt(book, stops, stops[op], tour, -1)), ["e"]);
  assert.deepEqual(names(litAt(book, stops, stops[last], tour, 3)), ["a", "b"]);
});

test("a caption says the run's numbers, and nothing where they are missing or the program is another one", () => {
  const book = bookOf(scalars());
  const stops = stopsOf(book.trace);
  const code = book.doc.source.code;
  const said = (caption, written) => tourOf([caption], written).statements(book, stops)[0];
  const landed = { say: "a.grad is {a.grad}, d is {d}", at: "lands a" };
  assert.equal(said(landed, code).say, "a.grad is 4, d is 4");
  assert.equal(said(landed, code.replace("2.0", "-7.5e1")).say, "a.grad is 4, d is 4", "only a number was changed");
  for (const silent of [
    said(landed, code.replace("c * d", "c / d")),
    said({ ...landed, at: "op e" }, code),
    said({ ...landed, say: "{nobody}" }, code),
    said({ ...landed, only: ["tensor(9.0"] }, code),
    said({ ...landed, at: "lands nobody" }, code),
  ]) {
    assert.deepEqual([silent.say, silent.moment, silent.stop], ["", null, Infinity]);
  }
});

test("programs are alike where they differ in numbers only", () => {
  for (const [a, b, alike] of [
    ["x = torch.tensor([1., 2.])", "x = torch.tensor([1., -2.5e3])", true],
    ["w1 = conv2d(x, 3)", "w1 = conv2d(x, 5)", true],
    ["w1 = conv2d(x, 3)", "w2 = conv2d(x, 3)", false],
    ["y.backward(v)", "y.backward()", false],
  ]) {
    assert.equal(alikeButForNumbers(a, b), alike, `${a} · ${b}`);
  }
});

test("what a caption can say of a run", () => {
  const book = bookOf(vector());
  const stops = stopsOf(book.trace);
  const end = stops[stops.length - 1];
  for (const [say, expected] of [
    ["{weights}", "[0.1, 1, 0.0001]"],
    ["{weights 1}", "1"],
    ["{L}", "0.1·y₀ + 1·y₁ + 0.0001·y₂"],
    ["{count y}", "three"],
    ["{passes}", "one"],
    ["{hook before}", null],
    ["{before x}", null],
    ["{weights 7}", null],
  ]) {
    assert.equal(filled(say, book, end), expected, say);
  }
  assert.equal(filled("{weights}", book, stops[1]), null, "not before the pass");
});

test("a program without a lesson ends with its leaves lit, and lights nothing before", () => {
  const book = bookOf(scalars());
  const stops = stopsOf(book.trace);
  const names = litAt(book, stops, stops.at(-1), null, -1).map((id) => book.nameOf(id));
  assert.deepEqual(names.sort(), ["a", "b", "d"]);
  assert.deepEqual(litAt(book, stops, stops.at(-2), null, -1), []);
});

test("the Jacobian is said to be the table of derivatives where a lesson first uses the word", () => {
  for (const [id, { captions }] of Object.entries(LESSONS)) {
    const first = captions.find(({ say }) => /Jacobian/.test(say));
    if (first) assert.match(first.say, /table of all derivatives/, id);
  }
});
