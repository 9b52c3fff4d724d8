/** What stands beside the lines of the program. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { indexTrace } from "../../static/js/trace.js";
import { besideLines } from "../../static/js/editor/beside.js";
import { Book } from "../../static/js/ui/book.js";
import * as programs from "./fixtures/programs.js";

const written = (name) => JSON.parse(readFileSync(new URL(`./fixtures/engine/${name}.json`, import.meta.url), "utf8"));
const bookOf = (document) => new Book(indexTrace(document));
const end = (book) => book.doc.events.length;

test("a line shows what it gave, unless it spells it out itself", () => {
  const book = bookOf(programs.scalars());
  assert.deepEqual(
    [...besideLines(book, end(book), 60)],
    [
      [4, { text: "5", below: false }],
      [6, { text: "20", below: false }],
    ],
  );
  const complex = bookOf(written("complex"));
  assert.deepEqual([...besideLines(complex, end(complex), 60).keys()], [5, 7], "line 4 has both parts of its numbers");
});

test("before a line has run nothing stands beside it", () => {
  const book = bookOf(programs.scalars());
  assert.equal(besideLines(book, 0, 60).size, 0);
});

test("a value that does not fit shows its shape, and a full row has at most a number, below it", () => {
  const book = bookOf(written("slices"));
  const line = "y[1] = 20.0".length;
  assert.equal(besideLines(book, end(book), 60).get(5).text, "[10, 20, 6]");
  assert.equal(besideLines(book, end(book), line + 10).get(5).text, "(3,)");
  assert.equal(besideLines(book, end(book), line + 8).get(5), undefined);
  const scalar = bookOf(programs.scalars());
  assert.deepEqual(besideLines(scalar, end(scalar), 14).get(6), { text: "20", below: true });
});

test("a line that binds several names shows each, or nothing that would be taken for another's", () => {
  const document = programs.scalars();
  const at = document.events.findIndex((event) => event.kind === "bind" && event.name === "c");
  const [line, a] = [document.events[at].line, document.events.find((event) => event.name === "a")];
  document.events.splice(at + 1, 0, { ...a, name: "first", line });
  const book = bookOf(document);
  const beside = (columns) => besideLines(book, end(book), columns).get(line);
  assert.deepEqual(beside(60), { text: "c 5, first 2", below: false });
  assert.equal(beside(24), undefined, "neither number alone is the line's");
  const twice = programs.scalars();
  const c = twice.events.findIndex((event) => event.kind === "bind" && event.name === "c");
  twice.events.splice(c + 1, 0, { ...twice.events[c], name: "same" });
  assert.equal(besideLines(bookOf(twice), twice.events.length, 60).get(line).text, "5", "one tensor of two names");
});

test("a line that wraps has a row with room for the shape", () => {
  const book = bookOf(written("slices"));
  assert.deepEqual(besideLines(book, end(book), 6).get(5), { text: "(3,)", below: false });
});

test("a line that ends in a number keeps its row while it computes tensors on the way", () => {
  const book = bookOf(written("training"));
  const columns = Math.max(...book.lines.map((text) => text.length)) + 4;
  for (const line of book.trace.histories.lineValues.tracks.keys()) {
    const seen = new Set();
    for (let t = 1; t <= end(book); t++) {
      const beside = besideLines(book, t, columns).get(line);
      if (beside) seen.add(beside.below);
    }
    assert.ok(seen.size <= 1, `line ${line} is sometimes a row taller`);
  }
});

test("nothing stands beside a line that changes several tensors at once", () => {
  const book = bookOf(written("training"));
  assert.equal(besideLines(book, end(book), 80).get(12), undefined, "optimizer.step() has no value of its own");
  assert.ok(besideLines(book, end(book), 80).has(9));
});

test("beside a line that writes into a view stands what was written, in every turn", () => {
  const book = bookOf(written("rows"));
  assert.equal(besideLines(book, end(book), 80).get(6)?.text, "[0, 1]");
});
