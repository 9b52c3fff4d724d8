/** Documents of runs that were recorded in part. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { indexTrace, stateAt, stops } from "../../static/js/trace.js";
import { partOf } from "../../static/js/output/notices.js";
import { asText, narrate } from "../../static/js/ledger/sentence.js";
import { drawTitle } from "../../static/js/scene/titles.js";
import { Book } from "../../static/js/ui/book.js";
import { sceneOf } from "./fixtures/picture.js";

const textsOfHull = (/** @type {any} */ hull) =>
  drawTitle(hull, "paper").flatMap(({ type, text }) => (type === "text" ? text : []));

/** A loop of three turns whose second was not recorded, by what the engine would write instead. */
function outgrown() {
  const doc = JSON.parse(readFileSync(new URL("./fixtures/engine/loop.json", import.meta.url), "utf8"));
  const end = (/** @type {number} */ nth) =>
    doc.events.flatMap((event, i) => (event.kind === "backward_end" ? [i + 1] : []))[nth];
  const missing = doc.events.slice(end(0), end(1));
  const grads = new Map(missing.filter((event) => event.kind === "accumulate").map((event) => [event.tensor, event]));
  const left = [...grads.values()].map(({ tensor, before, after }) => ({
    kind: "grad",
    tensor,
    before,
    after,
    line: null,
    by: "unrecorded",
  }));
  const gap = {
    kind: "gap",
    ops: missing.filter((event) => event.kind === "op").length,
    passes: 1,
    events: missing.length,
  };
  doc.events.splice(end(0), missing.length, gap, ...left, { kind: "print", text: "meanwhile\n", line: null });
  doc.limits = {
    ...doc.limits,
    truncated: "document_bytes",
    recorded: { ops: 4, passes: 2, events: 20 },
    skipped: { ops: gap.ops, passes: 1, events: gap.events },
  };
  return { doc, at: end(0), left };
}

test("a gap is one step, with what it left behind", () => {
  const { doc, at, left } = outgrown();
  const trace = indexTrace(doc);
  const times = stops(trace);
  const step = times.findIndex((t) => t > at);
  assert.equal(times[step], at + 1 + left.length + 1);
  const state = stateAt(trace, times[step]);
  assert.ok(state.stdout.endsWith("meanwhile\n"));
  for (const { tensor, after } of left) assert.equal(state.tensors.get(tensor).grad, after);
  const said = narrate(new Book(trace), times[step - 1], times[step]).map(asText);
  assert.equal(said[0], "1 backward pass of the run was not recorded here. Tensors show what they hold afterwards.");
});

test("a loop says how many of its turns are here", () => {
  const read = () => JSON.parse(readFileSync(new URL("./fixtures/engine/recurrent.json", import.meta.url), "utf8"));
  const titles = (/** @type {any} */ doc) => sceneOf(doc).scene.hulls.map((hull) => textsOfHull(hull).join());
  assert.ok(titles(read()).includes("for t  ×5"), titles(read()).join());
  const later = read();
  for (const scope of later.scopes) if (scope.iteration >= 2) scope.iteration += 3995;
  later.events.push({ kind: "gap", ops: 11985, passes: 0, events: 11985 });
  const [loop] = sceneOf(later, { folded: new Set() }).scene.hulls;
  assert.deepEqual(textsOfHull(loop), ["for t  5 of 4,000 iterations recorded"]);
});

test("the page says in words how much was recorded", () => {
  const { doc } = outgrown();
  assert.match(
    partOf(doc),
    /^Recorded: the first one of 3 backward passes and the last one\. More does not fit into one document\. The/,
  );
  const straight = {
    events: [{ kind: "op" }, { kind: "op" }, { kind: "gap" }],
    limits: {
      truncated: "ops",
      recorded: { ops: 2, passes: 0, events: 2 },
      skipped: { ops: 1000, passes: 0, events: 1000 },
    },
  };
  assert.match(partOf(straight), /^Recorded: the first 2 of 1,002 operations\. More operations/);
  assert.match(partOf({ events: [], limits: { truncated: "output_chars" } }), /output is truncated/);
});
