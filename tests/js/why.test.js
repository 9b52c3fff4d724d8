import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { indexTrace } from "../../static/js/trace.js";
import { Book } from "../../static/js/ui/book.js";
import { whyGradIsNone, whyNoGradient } from "../../static/js/ledger/why.js";
import { detached, scalars } from "./fixtures/programs.js";

const named = (book, name) => [...book.tensors.values()].find((tensor) => tensor.name === name).id;

test("before backward() every .grad is None, and that is not 0", () => {
  const book = new Book(indexTrace(scalars()));
  assert.match(whyGradIsNone(book, named(book, "a"), 3).text, /has not run yet.*not the same as 0/);
});

test("a gradient on its way is said to come", () => {
  const book = new Book(indexTrace(scalars()));
  const start = book.doc.events.findIndex((event) => event.kind === "backward") + 1;
  assert.match(whyGradIsNone(book, named(book, "a"), start).text, /not arrived yet/);
});

test("between passes a gradient that only a later one brings is not said to be on its way", () => {
  const file = new URL("./fixtures/engine/roots.json", import.meta.url);
  const book = new Book(indexTrace(JSON.parse(readFileSync(file, "utf8"))));
  const [first, second] = book.trace.bands;
  const late = book.doc.events.find((event) => event.kind === "accumulate" && event.call === second.call).tensor;
  assert.match(whyGradIsNone(book, late, first.end).text, /^No backward pass has reached it yet/);
});

test("a computed tensor keeps no gradient unless asked to", () => {
  const book = new Book(indexTrace(scalars()));
  const { text, fix } = whyGradIsNone(book, named(book, "c"), book.doc.events.length);
  assert.match(text, /c is not a leaf/);
  assert.equal(fix, "Call c.retain_grad() before backward() to keep it.");
});

test("a detached tensor names the cut and its line", () => {
  const book = new Book(indexTrace(detached()));
  const cut = [...book.tensors.values()].find((tensor) => tensor.why_no_grad?.cut === "detach");
  assert.match(whyNoGradient(book, cut.id).short, /detach\(\) cuts the graph/);
  assert.ok(whyGradIsNone(book, cut.id, book.doc.events.length).line);
});
