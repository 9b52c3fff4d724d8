/** Playing waits until the words of a step can have been read. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { indexTrace, playPlan, stops } from "../../static/js/trace.js";
import { asText, narrate } from "../../static/js/ledger/sentence.js";
import { createPlayer } from "../../static/js/timeline/player.js";
import { statements } from "../../static/js/lessons/statements.js";
import { createReading, WORDS_A_MINUTE, wordsIn } from "../../static/js/timeline/reading.js";
import { Book } from "../../static/js/ui/book.js";
import * as programs from "./fixtures/programs.js";

const open = (document) => {
  const trace = indexTrace(document);
  return { trace, book: new Book(trace), times: stops(trace) };
};

/** What is on show, and for how long, when it is played by a clock that only waiting moves. */
async function played({ trace, book, times }, { speed = 1, tour = null, from = 0, here = false } = {}) {
  let clock = 0;
  const shown = here ? [{ t: from, at: 0 }] : [];
  const player = createPlayer({
    show: async (t) => void shown.push({ t, at: clock }),
    stopped: () => shown.push({ t: -1, at: clock }),
    speed: () => (typeof speed === "function" ? speed(clock) : speed),
    wait: async (ms) => void (clock += ms),
    now: () => clock,
  });
  await player.play(trace, from, { ms: createReading(book, times, tour).ms, here });
  return shown.slice(0, -1).map(({ t, at }, i) => {
    const before = times[times.indexOf(t) - 1] ?? 0;
    return { t, ms: shown[i + 1].at - at, words: wordsIn(asText(narrate(book, before, t)[0] ?? [])) };
  });
}

/** Words that stand in no earlier sentence together: at least these are new, however alike sentences are told apart. */
const newWords = (words, earlier) =>
  Math.min(
    words.length,
    ...earlier.map((other) => words.filter((word) => /\p{L}/u.test(word) && !other.includes(word)).length),
  );

const folder = new URL("./fixtures/engine/", import.meta.url);
const documents = readdirSync(folder).filter((name) => name.endsWith(".json"));

for (const [speed, most] of [
  [1, WORDS_A_MINUTE],
  [4, 4 * WORDS_A_MINUTE],
]) {
  test(`at ${speed}× no step asks for more than ${most} words a minute, and all is told`, async () => {
    for (const name of documents) {
      const run = open(JSON.parse(readFileSync(new URL(name, folder), "utf8")));
      const steps = await played(run, { speed });
      const plan = playPlan(run.trace);
      assert.deepEqual([steps.length, steps.at(-1)?.t], [plan.length, plan.at(-1)?.t], name);
      steps.slice(0, -1).forEach(({ t, ms, words }, i) => {
        const count = newWords(
          words,
          steps.slice(0, i).map((step) => step.words),
        );
        assert.ok(count <= ((ms + 2) / 60_000) * most, `${name} at ${t}: ${count} new words in ${ms} ms`);
        assert.ok(ms >= plan[i].ms / speed - 2, `${name} at ${t}: it moved for ${plan[i].ms} ms`);
      });
    }
  });
}

test("a sentence that is new is read whole; of one like it, the words in which it differs", () => {
  const { book, times } = open(programs.chain(40));
  const { words } = createReading(book, times, null);
  const counts = times.map(words);
  assert.equal(counts[1], wordsIn(asText(narrate(book, 0, times[1])[0])).length);
  const told = times.slice(1).map((t, i) => asText(narrate(book, times[i], t)[0]));
  const alike = told.findIndex((text, i) => i > 3 && counts[i + 1] > 0 && counts[i + 1] < wordsIn(text).length / 2);
  assert.ok(alike > 0, "a chain repeats itself");
});

test("a statement of the lesson is read when it is new", () => {
  const { book, times } = open(programs.scalars());
  const captions = [
    { say: "one two three", at: "backward 1" },
    { say: "four five", at: "end" },
  ];
  const said = statements(book, times, captions, book.doc.source.code);
  const tour = { captions, change: { say: "", from: "", to: "" }, statements: () => said };
  const [bare, told] = [createReading(book, times, null), createReading(book, times, tour)];
  const more = times.map((t) => told.words(t) - bare.words(t));
  assert.equal(more[said[0].stop], 3);
  assert.equal(more.at(-1), 2);
  assert.equal(
    more.reduce((sum, n) => sum + n, 0),
    5,
  );
});

test("what stands there is read first when the page plays by itself", async () => {
  const run = open(programs.scalars());
  const from = run.times[3];
  const [first] = await played(run, { from, here: true });
  assert.equal(first.t, from);
  assert.ok(first.ms >= (first.words.length * 60_000) / WORDS_A_MINUTE - 2);
});

test("another speed holds at once, in the middle of a sentence, too", async () => {
  const run = open(programs.scalars());
  const slow = await played(run);
  const hurried = await played(run, { speed: (clock) => (clock < 500 ? 1 : 4) });
  assert.ok(slow[0].ms > 2000);
  assert.ok(hurried[0].ms < slow[0].ms / 2, `${hurried[0].ms} of ${slow[0].ms} ms`);
});
