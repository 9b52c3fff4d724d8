import assert from "node:assert/strict";
import test from "node:test";
import { indexTrace } from "../../static/js/trace.js";
import { Book } from "../../static/js/ui/book.js";
import { nonLeafRead, outputRows, shortWarning } from "../../static/js/output/rows.js";
import { Recorder } from "./fixtures/record.js";

const NOT_A_LEAF = "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute …";

/** x = 2 · h = x * 3 · backward, with what the program said in between. */
function program() {
  const r = new Recorder(
    "import torch\nx = torch.tensor(2.0, requires_grad=True)\nprint('begin')\nh = x * 3\nh.backward()\n" +
      "print(x.grad)\nprint(h.grad)\n",
  );
  const x = r.at(2).leaf("x", 2);
  r.document.events.push({ kind: "print", text: "begin", line: 3 }, { kind: "print", text: "\n", line: 3 });
  const h = r.bind(r.at(4, 4, 9).op("mul", x, 3), "h");
  r.at(5).backward(h);
  r.document.events.push(
    { kind: "print", text: "tensor(3.)\n", line: 6 },
    { kind: "warning", category: "UserWarning", message: NOT_A_LEAF, line: 7 },
    { kind: "print", text: "None\n", line: 7 },
  );
  r.document.warnings = [{ category: "UserWarning", message: NOT_A_LEAF, line: 7 }];
  return new Book(indexTrace(r.document));
}

const brief = ({ rows }) => rows.map(({ kind, line, text }) => `${kind} ${line}: ${text.trim()}`);

test("what was printed stands beside its line, pieces of a line together, a warning below what its line prints", () => {
  const book = program();
  assert.deepEqual(brief(outputRows(book, book.doc.events.length, 0)), [
    "printed 3: begin",
    "printed 6: tensor(3.)",
    "printed 7: None",
    "warning 7: UserWarning: h is not a leaf",
  ]);
});

test("what comes later is announced, and said when the pass it waits for is over", () => {
  const book = program();
  const start = book.doc.events.findIndex(({ kind }) => kind === "backward") + 1;
  assert.deepEqual(brief(outputRows(book, start, start - 1)), [
    "printed 3: begin",
    "later 6: prints after backward()",
    "later 7: prints after backward()",
  ]);
  const end = book.doc.events.findIndex(({ kind }) => kind === "backward_end") + 1;
  assert.deepEqual(brief(outputRows(book, end, start)).slice(1), ["later 6: prints later", "later 7: prints later"]);
});

test("what is printed where nothing is recorded is announced, too", () => {
  const { doc } = program();
  for (const event of doc.events) if (event.kind === "print") event.line = null;
  const { rows } = outputRows(new Book(indexTrace(doc)), 1, 0);
  assert.deepEqual(
    rows.map(({ kind, line }) => [kind, line]),
    [["later", null]],
  );
});

test("what the step at hand printed is fresh", () => {
  const book = program();
  const end = book.doc.events.length;
  const { rows } = outputRows(book, end, end - 2);
  assert.deepEqual(
    rows.map(({ fresh }) => fresh),
    [false, false, true, true],
  );
});

test("of a very long output the end is shown, and how much is missing", () => {
  const r = new Recorder("for i in range(1000): print(i)\n");
  for (let i = 0; i < 1000; i++) r.document.events.push({ kind: "print", text: `${i}\n`, line: 1 });
  const { rows, left } = outputRows(new Book(indexTrace(r.document)), 1000, 999);
  assert.equal(rows.length + left, 1000);
  assert.ok(rows.length <= 300 && left > 0);
  assert.equal(rows.at(-1).text, "999\n");
});

test("a long warning is shortened between words, and a name is given where the program has one", () => {
  const book = program();
  assert.equal(
    shortWarning("Casting complex values to real discards the imaginary part", book, null).length <= 56,
    true,
  );
  assert.match(shortWarning("Casting complex values to real discards the imaginary part", book, null), /\w …$/);
  assert.equal(shortWarning("nearly there", book, 3), "nearly there");
  assert.equal(
    shortWarning("Full backward hook is firing. More of it follows here.", book, 3),
    "Full backward hook is firing",
  );
  assert.equal(nonLeafRead(book, 7), "h");
  assert.equal(nonLeafRead(book, 6), null, "x is a leaf");
});
