import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { differences, inWords } from "../../static/js/compare/differences.js";
import { keyOf, sameSteps, stepAt, together } from "../../static/js/compare/steps.js";
import { indexTrace, stops } from "../../static/js/trace.js";
import { align } from "../../static/js/ui/align.js";
import { Book } from "../../static/js/ui/book.js";
import * as programs from "./fixtures/programs.js";

const open = (/** @type {any} */ document) => {
  const trace = indexTrace(document);
  return { book: new Book(trace), stops: stops(trace) };
};

/** A copy in which every text of these is replaced. */
const changed = (/** @type {any} */ document, /** @type {(copy: any) => void} */ change) => {
  const copy = structuredClone(document);
  change(copy);
  return copy;
};

/** Length of the longest common subsequence, by its definition. */
function longest(/** @type {string[]} */ a, /** @type {string[]} */ b) {
  const table = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      table[i][j] = a[i - 1] === b[j - 1] ? table[i - 1][j - 1] + 1 : Math.max(table[i - 1][j], table[i][j - 1]);
    }
  }
  return table[a.length][b.length];
}

test("as many entries as possible of two lists are paired, in order", () => {
  let seed = 7;
  const random = (/** @type {number} */ n) => (seed = (seed * 48271) % 2147483647) % n;
  for (let round = 0; round < 2000; round++) {
    const list = () => Array.from({ length: random(12) }, () => "abc"[random(3)] ?? "");
    const [a, b] = [list(), list()];
    const pairs = align(a, b);
    assert.equal(pairs.length, longest(a, b), `${a} ${b}`);
    pairs.forEach(([i, j], n) => {
      assert.equal(a[i], b[j]);
      assert.ok(!n || (i > pairs[n - 1][0] && j > pairs[n - 1][1]));
    });
  }
});

test("lists that have nothing in common are not searched for long", () => {
  const [a, b] = ["a", "b"].map((name) => Array.from({ length: 5000 }, (_, i) => `${name}${i}`));
  assert.deepEqual(align(["x", ...a, "y"], ["x", ...b, "y"]), [
    [0, 0],
    [5001, 5001],
  ]);
});

test("a run differs in nothing from itself, and stands at the same step", () => {
  const [a, b] = [open(programs.scalars()), open(programs.scalars())];
  const pairs = sameSteps(a, b);
  assert.equal(pairs.length, a.stops.length);
  assert.deepEqual(differences(a, b, pairs), []);
  assert.deepEqual(
    together(a, b, pairs),
    a.stops.map((t) => [t, t]),
  );
  assert.match(inWords([]), /Nothing differs/);
});

test("a step is the same where only a number in the text of an expression is another", () => {
  const text = readFileSync(new URL("./fixtures/engine/factor.json", import.meta.url), "utf8");
  const [a, b, other] = ["r * 0.1", "r * 2e3", "r * r11"].map((written) =>
    open(JSON.parse(text.replaceAll("r.sum()", written))),
  );
  const keys = a.stops.map((_, stop) => keyOf(a, stop));
  assert.ok(
    keys.some((key) => key.endsWith("SumBackward0 (r*…)")),
    keys.join(),
  );
  assert.equal(sameSteps(a, b).length, a.stops.length);
  assert.equal(sameSteps(a, other).length, a.stops.length - 1);
});

test("what differs first is told by kind, with both numbers and both moments", () => {
  const before = programs.scalars();
  const after = changed(before, (copy) => {
    copy.source.code = copy.source.code.replace("tensor(4.0", "tensor(5.0");
    copy.stdout = "other\n";
    const d = copy.tensors.find((/** @type {any} */ { name }) => name === "d");
    copy.values.other = { ...copy.values[d.value], data: 5 };
    d.value = d.final = "other";
    const sent = copy.events.find((/** @type {any} */ { kind }) => kind === "node").sends[0];
    copy.values.sent = { ...copy.values[sent.value], data: 5 };
    sent.value = sent.sum = "sent";
  });
  const [a, b] = [open(before), open(after)];
  const found = differences(a, b, sameSteps(a, b));
  assert.deepEqual(
    found.map(({ kind }) => kind),
    ["Program", "Values", "Gradients", "Output"],
  );
  const [program, values, gradients, output] = found;
  assert.match(program?.to ?? "", /tensor\(5\.0/);
  assert.deepEqual([values?.about.split(",")[0], values?.from, values?.to], ["d", "4", "5"]);
  assert.equal(gradients?.to, "5");
  assert.deepEqual(gradients?.times?.[0], gradients?.times?.[1]);
  assert.equal(output?.to, "other");
});

test("another op in the same line is a difference of structure at the same step", () => {
  const before = programs.scalars();
  const after = changed(before, (copy) => {
    for (const op of copy.ops) if (op.name === "mul") op.name = "sub";
  });
  const [a, b] = [open(before), open(after)];
  const pairs = sameSteps(a, b);
  assert.equal(pairs.length, a.stops.length);
  const [found] = differences(a, b, pairs);
  assert.deepEqual([found?.kind, found?.from, found?.to], ["Structure", "e = mul", "e = sub"]);
  assert.equal(found?.times?.[0], found?.times?.[1]);
});

test("at a step that only one run has the other waits at the one before", () => {
  const [a, b] = [open(programs.scalars()), open(programs.twice())];
  const pairs = sameSteps(a, b);
  const only = a.stops.findIndex((_, stop) => !pairs.some(([i]) => i === stop));
  assert.ok(only > 0);
  const steps = together(a, b, pairs);
  const at = stepAt(steps, 0, a.stops[only]);
  assert.equal(steps[at][0], a.stops[only]);
  assert.equal(steps[at][1], steps[at - 1][1]);
  for (const [which, { stops }] of [a, b].entries()) {
    const times = steps.map((each) => each[which]);
    assert.deepEqual([...new Set(times)], stops, "every step of either, in order");
  }
  for (const [i, j] of pairs)
    assert.ok(
      steps.some(([x, y]) => x === a.stops[i] && y === b.stops[j]),
      `${i}, ${j}`,
    );
  assert.match(inWords(differences(a, b, pairs)), /^The programs differ in line \d.* in A, .* in B\./);
  assert.equal(differences(a, b, pairs).find(({ kind }) => kind === "Structure")?.kind, "Structure");
});
