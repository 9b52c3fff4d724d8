/** Errors of whole programs, and what is offered to mend them. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { indexTrace, stateAt } from "../../static/js/trace.js";
import { Book } from "../../static/js/ui/book.js";
import { mend } from "../../static/js/lessons/mending.js";
import { changed, suggest } from "../../static/js/lessons/suggest.js";

const FOLDER = new URL("./fixtures/mending/", import.meta.url);
const read = (name) => readFileSync(new URL(name, FOLDER), "utf8");

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".json"))) {
  const name = file.slice(0, -".json".length);
  test(`${name.replaceAll("_", " ")}: mended by one change`, () => {
    const book = new Book(indexTrace(JSON.parse(read(file))));
    book.mending = mend(book);
    const change = suggest(book);
    assert.ok(change?.fix);
    assert.equal(changed(read(`${name}.py`), change), read(`${name}.mended`));
    assert.equal(book.mending, change);
  });
}

test("an expression that raised gives its name and its line no value", () => {
  const trace = indexTrace(JSON.parse(read("doubles_from_numpy.json")));
  const op = trace.document.ops.find(({ name }) => name === "t");
  assert.equal(trace.label(op?.outputs[0] ?? ""), "layer.weight.T");
  assert.equal(stateAt(trace, trace.events.length).lineValues.get(6), undefined);
});

test("what an error is about is drawn, though no gradient comes there", () => {
  const trace = indexTrace(JSON.parse(read("doubles_from_numpy.json")));
  const data = trace.document.tensors.find(({ name }) => name === "x")?.id ?? "";
  assert.deepEqual(trace.blame.tensors, [data]);
  assert.ok(trace.visible.tensors.has(data));
});

test("what cannot be mended for certain is left alone", () => {
  const document = JSON.parse(read("numpy.json"));
  document.source.code = document.source.code.replace("print(y.numpy())", "print(y.numpy(), x.numpy())");
  assert.equal(mend(new Book(indexTrace(document))), null);
  const slip = JSON.parse(read("a_misspelt_attribute.json"));
  slip.error.suggestion = null;
  assert.equal(mend(new Book(indexTrace(slip))), null);
  const doubles = JSON.parse(read("doubles_from_numpy.json"));
  doubles.source.code = doubles.source.code.replace("layer(x)", "join(x, y)");
  doubles.error.end_column += 2;
  assert.equal(mend(new Book(indexTrace(doubles))), null);
});

test("a method that is named and not called is called", () => {
  const document = JSON.parse(read("no_leaf_that_requires_grad.json"));
  document.error = null;
  document.findings = [];
  document.source.code = "import torch\nx = torch.ones(2)\ny = x.sum()\ny.backward  # the pass\n";
  document.warnings = [
    { category: "BacklightNotice", message: "Nothing calls y.backward here: write y.backward().", line: 4 },
  ];
  const change = mend(new Book(indexTrace(document)));
  assert.match(changed(document.source.code, change), /^y\.backward\(\) {2}# the pass$/m);
});
