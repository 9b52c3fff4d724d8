/** Panes that follow while time runs by. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPace } from "../../static/js/ui/pace.js";

/** A pace whose frames come when they are called for, with panes that take the time they say. */
function paced() {
  let clock = 0;
  /** @type {((began: number) => void)[]} */
  const frames = [];
  /** @type {string[]} */
  const shown = [];
  const pace = createPace({ next: (go) => frames.push(go), now: () => clock });
  return {
    pace,
    shown,
    waiting: () => frames.length,
    /** @param {string} pane @param {string} text @param {number} ms */
    soon: (pane, text, ms) =>
      pace.soon(pane, () => {
        clock += ms;
        shown.push(text);
      }),
    /** @param {number} [painting] ms that the picture took in it */
    frame: (painting = 0) => {
      const began = clock;
      clock += painting;
      frames.shift()?.(began);
    },
  };
}

test("a pane shows only the last of what it waits to show", () => {
  const { soon, frame, shown } = paced();
  soon("ledger", "step 1", 5);
  soon("ledger", "step 2", 5);
  frame();
  assert.deepEqual(shown, ["step 2"]);
});

test("panes that take long have a frame each, quick ones share one", () => {
  const { soon, frame, shown, waiting } = paced();
  soon("ledger", "ledger", 5);
  soon("editor", "editor", 0.1);
  soon("output", "output", 0.1);
  frame();
  assert.deepEqual(shown, ["ledger"]);
  frame();
  assert.deepEqual(shown, ["ledger", "editor", "output"]);
  assert.equal(waiting(), 0, "and then no frame is asked for");
});

test("everybody has a turn, however often one asks", () => {
  const { soon, frame, shown } = paced();
  soon("ledger", "ledger 1", 5);
  soon("editor", "editor", 5);
  frame();
  soon("ledger", "ledger 2", 5);
  frame();
  assert.deepEqual(shown, ["ledger 1", "editor"]);
  frame();
  assert.deepEqual(shown, ["ledger 1", "editor", "ledger 2"]);
});

test("catching up shows all that waits, once", () => {
  const { pace, soon, frame, shown, waiting } = paced();
  soon("ledger", "ledger", 5);
  soon("editor", "editor", 5);
  pace.catchUp();
  assert.deepEqual(shown, ["ledger", "editor"]);
  while (waiting()) frame();
  assert.deepEqual(shown, ["ledger", "editor"]);
});

test("panes wait in frames that the picture fills, but not for ever", () => {
  const { soon, frame, shown, waiting } = paced();
  soon("ledger", "ledger", 5);
  frame(12);
  frame(12);
  assert.deepEqual(shown, []);
  frame(12);
  assert.deepEqual(shown, ["ledger"]);
  soon("editor", "editor", 5);
  frame(12);
  frame(3);
  assert.deepEqual(shown, ["ledger", "editor"]);
  assert.equal(waiting(), 0);
});
