import assert from "node:assert/strict";
import test from "node:test";
import { indexTrace, stops as stopsOf } from "../../static/js/trace.js";
import { Book } from "../../static/js/ui/book.js";
import { mend } from "../../static/js/lessons/mending.js";
import { changed, isChangeable, suggest } from "../../static/js/lessons/suggest.js";
import { litAt, openAt, statements } from "../../static/js/lessons/tour.js";
import { LESSONS } from "../../static/js/lessons/lessons.js";
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

test("the open statement is the last whose moment has come, or the one asked for at the same stop", () => {
  const book = bookOf(scalars());
  const stops = stopsOf(book.trace);
  const tour = {
    captions: [
      { say: "one", at: "op e", look: "e" },
      { say: "two", at: "end", look: "a b" },
      { say: "three", at: "end" },
    ],
    change: { say: "", from: "", to: "" },
  };
  const all = statements(book, stops, tour);
  const last = stops.length - 1;
  assert.equal(openAt(all, 0, -1), 0);
  assert.equal(openAt(all, last - 1, -1), 0);
  assert.equal(openAt(all, last, -1), 2);
  assert.equal(openAt(all, last, 1), 1);
  const names = (ids) => ids.map((id) => book.nameOf(id));
  assert.deepEqual(names(litAt(book, stops, stops[all[0].stop], tour, -1)), ["e"]);
  assert.deepEqual(names(litAt(book, stops, stops[last], tour, 1)), ["a", "b"]);
});

test("a program without a lesson ends with its leaves lit, and lights nothing before", () => {
  const book = bookOf(scalars());
  const stops = stopsOf(book.trace);
  const names = litAt(book, stops, stops.at(-1), null, -1).map((id) => book.nameOf(id));
  assert.deepEqual(names.sort(), ["a", "b", "d"]);
  assert.deepEqual(litAt(book, stops, stops.at(-2), null, -1), []);
});

test("the Jacobian is said to be the table of slopes where a lesson first uses the word", () => {
  for (const [id, { captions }] of Object.entries(LESSONS)) {
    const first = captions.find(({ say }) => /Jacobian/.test(say));
    if (first) assert.match(first.say, /table of all slopes/, id);
  }
});
