/** Errors wait while a line is being typed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPatience } from "../../static/js/editor/patience.js";

/** Patience whose clock is moved by hand. */
function patient() {
  let clock = 0;
  /** @type {{go: () => void, at: number}[]} */
  let due = [];
  const patience = createPatience({
    now: () => clock,
    wait: (go, ms) => {
      const timer = { go, at: clock + ms };
      due.push(timer);
      return () => (due = due.filter((each) => each !== timer));
    },
  });
  return {
    ...patience,
    pass(/** @type {number} */ ms) {
      clock += ms;
      for (const { go, at } of due) if (at <= clock) go();
    },
    timers: () => due.length,
  };
}

/** What a promise has become by now. */
const now = (promise) => Promise.race([promise, Promise.resolve().then(() => "waits")]);
const settle = async (promise) => {
  await new Promise((done) => setTimeout(done, 0));
  return now(promise);
};

test("whoever has typed nothing is told at once", async () => {
  assert.equal(await patient().wait(), true);
});

test("an error is told 1.2 s after the last key", async () => {
  const { typed, moved, wait, pass, timers } = patient();
  typed();
  moved([3]);
  pass(500);
  const told = wait();
  pass(690);
  assert.equal(await settle(told), "waits");
  pass(20);
  assert.equal(await settle(told), true);
  assert.equal(timers(), 0);
});

test("leaving the line, or the editor, is enough", async () => {
  for (const elsewhere of [[4], []]) {
    const { typed, moved, wait } = patient();
    typed();
    moved([3]);
    const told = wait();
    moved([3]);
    assert.equal(await settle(told), "waits", "moving within the line is not");
    moved(elsewhere);
    assert.equal(await settle(told), true);
  }
});

test("when typing goes on, what waited is dropped", async () => {
  const { typed, moved, wait, timers } = patient();
  typed();
  moved([3]);
  const told = wait();
  typed();
  assert.equal(await settle(told), false);
  assert.equal(timers(), 0);
});

test("asking to run waits for nothing", async () => {
  const { typed, wait, hurry } = patient();
  typed();
  const told = wait();
  hurry();
  assert.equal(await settle(told), true);
  assert.equal(await wait(), true);
});
