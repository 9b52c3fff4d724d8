/** What nodes are called: no two alike in one pass. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { indexTrace } from "../../static/js/trace.js";
import { passTree } from "../../static/js/map/tree.js";
import { Book } from "../../static/js/ui/book.js";
import { Recorder } from "./fixtures/record.js";

const folder = new URL("./fixtures/engine/", import.meta.url);
const read = (/** @type {string} */ name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));

for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
  test(`${name}: every node of a pass has a title of its own`, () => {
    const book = new Book(indexTrace(read(name)));
    /** @type {Map<string, Set<string>>} */
    const titled = new Map();
    for (const event of book.doc.events) {
      if (event.kind !== "node" || book.nodes.get(event.node)?.variable) continue;
      const key = `${event.call} ${book.nodeTitle(event.node)}`;
      titled.set(key, (titled.get(key) ?? new Set()).add(event.node));
    }
    for (const [key, nodes] of titled) assert.equal(nodes.size, 1, key);
  });
}

test("results of a long expression are called by what their operators join", () => {
  const r = new Recorder();
  const [x, w] = [r.at(1).leaf("x", 2), r.leaf("w", 3)];
  const [sin, tanh] = [r.at(2).op("sin", x), r.op("tanh", w)];
  const product = r.at(3).op("mul", sin, tanh);
  const again = r.at(4).op("mul", product, x);
  const last = r.at(5).op("add", product, again);
  r.backward(r.at(6).op("relu", last));
  const trace = indexTrace(r.document);
  assert.equal(trace.label(product.id), "sin*tanh");
  assert.equal(trace.label(last.id), "add", "sin*tanh+sin*tanh*x is too long");
  const book = new Book(trace);
  assert.equal(book.nodeTitle(product.grad_fn), "MulBackward0 (sin*tanh)");
});

test("nodes whose ops a document had no room for are one row of the map", () => {
  const document = read("loop.json");
  const [first] = document.nodes.filter((/** @type {any} */ { op }) => op);
  Object.assign(first, { op: null, line: null });
  document.events.push({ kind: "gap", ops: 1, passes: 0, events: 1 });
  const trace = indexTrace(document);
  const { root, of } = passTree(trace, trace.bands[0]);
  const row = of.get(first.id);
  assert.equal(row?.parent?.name, "ops not recorded");
  assert.ok(row && row.name !== row.type, "its name does not repeat its class");
  assert.ok(root.children.some((part) => part.name === "ops not recorded"));
});
