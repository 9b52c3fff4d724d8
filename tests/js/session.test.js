import assert from "node:assert/strict";
import test from "node:test";
import { Problem } from "../../static/js/net/api.js";
import { createSession } from "../../static/js/net/session.js";
import { createExamples } from "../../static/js/ui/examples.js";
import { createStore } from "../../static/js/ui/store.js";

const later = (ms) => new Promise((done) => setTimeout(done, ms));

/** Wait until the session is idle again. @param {string[]} log */
async function idle(log) {
  while (log.at(-1) !== "idle") await later(1);
}

function session(answers) {
  const log = [];
  const made = createSession({
    delay: 10,
    onDocument: (doc) => log.push(doc),
    onProblem: (error) => log.push(error.message),
    onBusy: (busy) => log.push(busy ? "busy" : "idle"),
    ask: (code, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(Object.assign(new Error("aborted"), { name: "AbortError" })));
        setTimeout(
          () => (answers[code] instanceof Error ? reject(answers[code]) : resolve(answers[code])),
          code === "slow" ? 40 : 5,
        );
      }),
  });
  return { ...made, log };
}

test("a newer run cancels the older one", async () => {
  const { run, log } = session({ slow: "old", fast: "new" });
  run("slow");
  await run("fast");
  await later(60);
  assert.deepEqual(log, ["busy", "busy", "new", "idle"]);
});

test("to run what runs already is to wait for it", async () => {
  const { edit, run, log } = session({ a: "A" });
  edit("a", 0);
  await later(2);
  await run("a");
  assert.deepEqual(log, ["busy", "A", "idle"]);
  await run("a");
  assert.deepEqual(log, ["busy", "A", "idle", "busy", "A", "idle"]);
});

test("edits wait for a pause and only the last one runs", async () => {
  const { edit, log } = session({ a: "A", ab: "AB" });
  edit("a");
  edit("ab");
  await idle(log);
  assert.deepEqual(log, ["busy", "AB", "idle"]);
});

test("while a number is dragged every answer is shown and the last program is the last to run", async () => {
  const { follow, log } = session({ a: "A", b: "B", c: "C" });
  follow("a");
  follow("b");
  follow("c");
  while (!log.includes("C")) await later(1);
  await idle(log);
  assert.deepEqual(
    log.filter((entry) => !["busy", "idle"].includes(entry)),
    ["A", "C"],
  );
});

test("problems are reported, cancelling is not", async () => {
  const { run, cancel, log } = session({ bad: new Error("too long"), slow: "x" });
  await run("bad");
  run("slow");
  cancel();
  await later(60);
  assert.deepEqual(log, ["busy", "too long", "idle", "busy", "idle"]);
});

test("a program the service had no time for is sent again when it says", async () => {
  const log = [];
  const refusal = new Problem({ status: 429, title: "Too much at once", retryAfter: 0.01 });
  const answers = [refusal, refusal, "document"];
  const { run } = createSession({
    onDocument: (doc) => log.push(doc),
    onBusy: () => {},
    onProblem: (error, again) => log.push(`${error.title}, ${again}`),
    ask: async () => {
      const next = answers.shift();
      if (next instanceof Error) throw next;
      return next;
    },
  });
  await run("x");
  assert.deepEqual(log, ["Too much at once, 0.01", "Too much at once, 0.01", "document"]);
});

test("a refused program waits no more once it is cancelled, and other problems do not wait", async () => {
  let asked = 0;
  const log = [];
  const problems = [
    new Problem({ status: 503, title: "busy", retryAfter: 0.01 }),
    new Problem({ status: 422, title: "too large" }),
  ];
  const { run, cancel } = createSession({
    onDocument: () => {},
    onBusy: () => {},
    onProblem: (error, again) => log.push([error.title, again]),
    ask: async () => {
      throw problems[asked++];
    },
  });
  const first = run("x");
  await later(2);
  cancel();
  await first;
  await later(20);
  assert.equal(asked, 1);
  await run("y");
  assert.deepEqual(log, [
    ["busy", 0.01],
    ["too large", null],
  ]);
});

test("the store tells every listener of a change, and none of no change", () => {
  const store = createStore({ t: 0, playing: false });
  const seen = [];
  store.subscribe((now, before) => seen.push([before.t, now.t]));
  store.set({ t: 0 });
  store.set({ t: 4 });
  assert.deepEqual(seen, [[0, 4]]);
});

test("a listener that moves on ends the older news", () => {
  const store = createStore({ t: 0 });
  const seen = [];
  store.subscribe(({ t }) => t === 1 && store.set({ t: 2 }));
  store.subscribe(({ t }) => seen.push(t));
  store.set({ t: 1 });
  assert.deepEqual(seen, [2]);
});

test("a listener is told of all that changed since it was told last", () => {
  const store = createStore({ t: 0, lines: 0 });
  const seen = [];
  store.subscribe(({ t, lines }) => t === 1 && lines === 0 && store.set({ lines: 5 }));
  store.subscribe((now, before) => seen.push([before, now]));
  store.set({ t: 1 });
  assert.deepEqual(seen, [
    [
      { t: 0, lines: 0 },
      { t: 1, lines: 5 },
    ],
  ]);
});

test("the examples are fetched once, and again after a failure", async () => {
  const answers = [
    new Error("away"),
    { groups: [{ id: "g", title: "G", source: "s" }], examples: [{ id: "e", group: "g" }] },
  ];
  const examples = createExamples(async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  });
  await assert.rejects(examples(), /away/);
  const groups = await examples();
  assert.deepEqual(
    groups.map((group) => [group.title, group.examples.length]),
    [["G", 1]],
  );
  assert.equal(await examples(), groups);
});
