import assert from "node:assert/strict";
import test from "node:test";
import { difference, litBy, mended, momentOf, signsOf } from "../../static/js/findings/finding.js";

const finding = (/** @type {any} */ parts) => ({
  rule: "r",
  severity: "warning",
  headline: "",
  why: "",
  lines: [1],
  fix: { text: "" },
  ...parts,
  evidence: { tensors: [], nodes: [], ops: [], events: [], values: {}, ...parts.evidence },
});
const edit = (/** @type {number[]} */ [line, column, end_line, end_column], /** @type {string} */ text) => ({
  ...{ line, column, end_line, end_column },
  new: text,
});

test("edits count characters and do not disturb each other", () => {
  const code = '"🚀"; loss = "é" * 2\nloss.backward()\nopt.step()\n';
  const edits = [edit([2, 0, 2, 0], "opt.zero_grad()\n"), edit([1, 12, 1, 15], '"e"')];
  assert.equal(
    mended(code, finding({ fix: { text: "", edits } })),
    '"🚀"; loss = "e" * 2\nopt.zero_grad()\nloss.backward()\nopt.step()\n',
  );
});

test("edits of another program are not made", () => {
  assert.equal(mended("x = 1", finding({})), null);
  assert.equal(mended("x = 1", finding({ fix: { text: "", edits: [edit([3, 0, 3, 0], "y")] } })), null);
  for (const code of ["x = 1", 'x="🚀"']) {
    assert.equal(mended(code, finding({ fix: { text: "", edits: [edit([1, 9, 1, 9], "y")] } })), null);
  }
});

test("what differs is told in the lines of the program before and after", () => {
  assert.deepEqual(difference("a\nb\nc\nd", "a\nB\nc\nnew\nd"), [
    { sign: "−", line: 2, text: "b" },
    { sign: "+", line: 2, text: "B" },
    { sign: "+", line: 4, text: "new" },
  ]);
  assert.deepEqual(difference("a\nb", "a\nb"), []);
  assert.deepEqual(difference("a\nb\nc", "c"), [
    { sign: "−", line: 1, text: "a" },
    { sign: "−", line: 2, text: "b" },
  ]);
});

test("a finding has the moment of its first event, else of its op", () => {
  const book = /** @type {any} */ ({
    doc: { events: [{ kind: "op", op: "o1" }, { kind: "op", op: "o2" }, { kind: "backward" }] },
    ops: new Map([["o2", { outputs: ["t2"] }]]),
    leafOf: () => "t0",
  });
  assert.equal(momentOf(book, finding({ evidence: { events: [2], ops: ["o1"] } })), 3);
  assert.equal(momentOf(book, finding({ evidence: { ops: ["o1", "o2"] } })), 2);
  assert.equal(momentOf(book, finding({})), null);
  assert.deepEqual(litBy(book, finding({ evidence: { tensors: ["t2"], ops: ["o2"], nodes: ["n1"] } })), ["t2", "t0"]);
});

test("a finding is about the op that it is seen at, or a tensor, or a node", () => {
  const evidence = [{ ops: ["o1", "o2"], tensors: ["t1"] }, { tensors: ["t1"], nodes: ["n1"] }, { nodes: ["n1"] }, {}];
  const findings = evidence.map((each) => finding({ evidence: each }));
  const book = /** @type {any} */ ({ doc: { findings, events: [] } });
  assert.deepEqual(
    signsOf(book, 1).map(({ number, open, item }) => [number, open, item?.id ?? null]),
    [
      [1, false, "o2"],
      [2, true, "t1"],
      [3, false, "n1"],
      [4, false, null],
    ],
  );
});
