import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { getRun, Problem, run } from "../../static/js/net/api.js";

const file = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const RUN = {
  ...JSON.parse(file("tests/js/fixtures/engine/loop.json")),
  ...{ version: 1, engine: "0", numpy: "2", status: "ok", stdout: "", warnings: [], error: null },
  limits: { fuel_used: 1, ops: 1, truncated: null },
};

/** Answers of a service for one test. @param {any} t @param {string} text of every document */
function answering(t, text) {
  t.mock.method(globalThis, "fetch", async () => new Response(text));
}

for (const [name, get] of Object.entries({ run: () => run("x"), getRun: () => getRun("x") })) {
  test(`${name} gives what is a run document`, async (t) => {
    answering(t, JSON.stringify(RUN));
    assert.equal((await get()).events.length, RUN.events.length);
  });

  test(`${name} gives nothing that is none, and says what is wrong`, async (t) => {
    answering(t, JSON.stringify({ ...RUN, tensors: [...RUN.tensors, RUN.tensors[0]] }));
    await assert.rejects(get, (error) => error instanceof Problem && error.detail.includes("there are two"));
    answering(t, JSON.stringify(RUN).slice(0, -9));
    await assert.rejects(get, (error) => error instanceof Problem && error.title === "The answer is not a run");
  });
}
