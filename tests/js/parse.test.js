/** Long documents are read in parts. */
import assert from "node:assert/strict";
import test from "node:test";
import { parseLong } from "../../static/js/net/parse.js";

const rest = async () => {};

function long(more = {}) {
  const numbers = Array.from({ length: 200_000 }, (_, i) => i / 7);
  return {
    id: "r",
    source: { code: 'd = {","events":[": 1}  # ,"values":{' },
    globals: { values: "t0" },
    nodes: [{ attributes: { events: 1 } }],
    ops: [],
    values: { v0: { data: numbers } },
    events: [{ kind: "print", text: ',"limits":{' }],
    limits: { truncated: null },
    numpy: "2",
    ...more,
  };
}

test("a document read in parts is the document, with a pause between the parts", async () => {
  const document = long();
  let pauses = 0;
  assert.deepEqual(await parseLong(JSON.stringify(document), async () => void pauses++), document);
  assert.ok(pauses >= 5);
});

test("a member of the same name further in does not mislead it", async () => {
  for (const misleading of [
    { nodes: [{ attributes: { values: [1, { a: 2 }], events: [3] } }] },
    { globals: { x: { limits: {}, nodes: [] } } },
  ]) {
    const document = long(misleading);
    assert.deepEqual(await parseLong(JSON.stringify(document), rest), document);
  }
});

test("a short document is read at once, and what is no JSON is refused", async () => {
  assert.deepEqual(await parseLong('{"events":[]}', () => Promise.reject(new Error("paused"))), { events: [] });
  await assert.rejects(parseLong(`{"a":1,"events":[${"1,".repeat(1_500_000)}`, rest), SyntaxError);
});
