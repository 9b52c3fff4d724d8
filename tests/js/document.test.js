import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { schemaText } from "../../tools/schema.mjs";
import { NotARun, readRun } from "../../static/js/share/document.js";
import { SCHEMA } from "../../static/js/share/schema.js";
import { documentIn, pageOf } from "../../static/js/share/page.js";
import { asOneListing } from "../../static/js/trace/files.js";
import { indexTrace, stateAt, stops } from "../../static/js/trace.js";
import { Book } from "../../static/js/ui/book.js";

const file = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const RUNS = ["hooks", "loop", "nested", "recurrent", "second", "training"].map((name) => ({
  ...JSON.parse(file(`tests/js/fixtures/engine/${name}.json`)),
  ...{ version: 1, engine: "0", numpy: "2", status: "ok", stdout: "", warnings: [], error: null },
  limits: { fuel_used: 1, ops: 1, truncated: null },
}));
const read = (document) => readRun(JSON.stringify(document), SCHEMA);
const copy = (document) => structuredClone(document);

test("the schema the page has is that of the docs (npm run schema)", () => {
  assert.equal(file("static/js/share/schema.js"), schemaText());
});

test("runs of the engine are runs", () => {
  for (const run of RUNS) assert.equal(read(run).events.length, run.events.length);
});

test("a tensor without elements may be written with or without the lists around none", () => {
  for (const data of [[], [[]]]) {
    const run = copy(RUNS[0]);
    Object.assign(Object.values(run.values)[0], { shape: [0, 0, 3], data });
    assert.ok(read(run));
  }
});

const WRONG = {
  "is not JSON": "{",
  "not a run document": '{"nbformat": 4}',
  "not a run document: it has": "[]",
};
for (const [words, text] of Object.entries(WRONG)) {
  test(`what is none is refused: ${words}`, () => {
    assert.throws(
      () => readRun(text, SCHEMA),
      (error) => error instanceof NotARun && error.message.includes(words),
    );
  });
}

/** Each names what is wrong. @type {[string, (run: any) => void][]} */
const HOSTILE = [
  ["tensors: there are two", (run) => run.tensors.push(run.tensors[0])],
  ['names "t999"', (run) => (run.ops[0].inputs = ["t999"])],
  ['names "__proto__"', (run) => (run.tensors[0].value = "__proto__")],
  ["nodes lead in a circle", (run) => (run.nodes[0].next_functions = [[run.nodes[0].id, 0]])],
  ["has not the shape", (run) => (Object.values(run.values)[0].shape = [1000000])],
  ["is not of type", (run) => (run.tensors[0].shape = [{}])],
  ["is of no known kind", (run) => (run.events[0].kind = "constructor")],
  [
    "nested too deeply",
    (run) => (run.values[Object.keys(run.values)[0]].data = JSON.parse(`${"[".repeat(500)}${"]".repeat(500)}`)),
  ],
  ["has no events", (run) => delete run.events],
  ["in a scope that does not exist", (run) => (run.ops[0].scope = "s999")],
];
for (const [words, spoil] of HOSTILE) {
  test(`a document in which something ${words} is refused`, () => {
    const run = copy(RUNS[4]);
    spoil(run);
    assert.throws(
      () => read(run),
      (error) => error instanceof NotARun && (error.message.includes(words) || words === "has no events"),
    );
  });
}

test("whatever is accepted can be read to its end: 3,000 documents with one thing changed", () => {
  let seed = 7;
  const draw = (/** @type {number} */ n) => (seed = (seed * 48271) % 2147483647) % n;
  let accepted = 0;
  for (let i = 0; i < 3000; i++) {
    const run = copy(RUNS[i % RUNS.length]);
    mutate(run, draw);
    let known;
    try {
      known = read(run);
    } catch (error) {
      assert.ok(error instanceof NotARun, `${error.stack}`);
      continue;
    }
    accepted++;
    const trace = indexTrace(known);
    const book = new Book(trace, { stored: false });
    for (const t of stops(trace)) stateAt(trace, t);
    assert.ok(book.lines);
  }
  assert.ok(accepted > 300, `${accepted}`);
});

const ODD = [null, -1, 1e9, "n0", "t0", "v0", "__proto__", "<img>", [], {}, true, [["n0", 0]], 0.5];

/** @param {any} run @param {(n: number) => number} draw */
function mutate(run, draw) {
  let at = run;
  for (let depth = 0; depth < 8; depth++) {
    const keys = Object.keys(at);
    if (!keys.length) return;
    const key = keys[draw(keys.length)];
    const child = at[key];
    if (typeof child === "object" && child !== null && draw(6)) {
      at = child;
      continue;
    }
    if (Array.isArray(at) && draw(2)) at.splice(Number(key), 1);
    else at[key] = ODD[draw(ODD.length)];
    return;
  }
}

test("a page with a run in it ends nothing and gives the run back", () => {
  const run = { ...RUNS[0], stdout: "</script><!-- <script> \u2028&amp;" };
  const viewer = '<!doctype html><script type="application/json" id="run-document"></script>b';
  const page = pageOf(viewer, run, 7);
  assert.equal(page.match(/<\/script>/g)?.length, 1);
  assert.ok(!page.includes("<!--"));
  assert.deepEqual(JSON.parse(documentIn(page)), run);
  assert.match(page, /id="run-document" data-at="7">\{/);
  assert.equal(documentIn(viewer), "");
  assert.throws(() => documentIn("<html></html>"), NotARun);
});

test("files are one listing, and lines of the others are counted in it", () => {
  const run = {
    source: { kind: "capture", code: "import model\nmodel.run()\n" },
    files: [
      { name: "main.py", code: "import model\nmodel.run()\n", first_line: 1 },
      { name: "model.py", code: "def run():\n    return 1\n", first_line: 1 },
    ],
    ops: [
      { line: 2, end_line: 2, file: 1, column: 4 },
      { line: 2, column: 0 },
    ],
    error: { line: 2, file: 1, related_lines: [1], traceback: [{ line: 2, function: "<module>" }] },
  };
  const { source, ops, error } = asOneListing(run);
  const lines = source.code.split("\n");
  assert.deepEqual(lines.slice(2, 6), ["", "# %% file model.py", "def run():", "    return 1"]);
  assert.deepEqual([ops[0].line, ops[0].end_line, ops[0].column, ops[1].line], [6, 6, 4, 2]);
  assert.deepEqual([error.line, error.related_lines, error.traceback[0].line], [6, [5], 2]);
  assert.equal(asOneListing(RUNS[0]), RUNS[0]);
});
