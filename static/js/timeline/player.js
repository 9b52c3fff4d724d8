/** Plays the run: arrives at one beat after another, paced by the stage's own animation. */

import { playPlan } from "../trace.js";

/** @typedef {import("../trace.js").Trace} Trace */

/** What a beat lasts at the stage's own pace; the stage is told to hurry by the ratio. */
const STAGE_MS = 750;

/**
 * @param {{show: (t: number, speed: number) => Promise<unknown>, stopped: () => void, speed: () => number, wait?: (ms: number) => Promise<void>}} options
 */
export function createPlayer({ show, stopped, speed, wait = pause }) {
  let run = 0;
  let held = false;
  /** @type {(() => void) | null} */
  let resume = null;

  const release = () => {
    resume?.();
    resume = null;
  };

  return {
    /** Play on from t to the end. @param {Trace} trace @param {number} t */
    async play(trace, t) {
      const mine = ++run;
      for (const beat of playPlan(trace, t)) {
        const started = performance.now();
        const pace = speed() * (STAGE_MS / beat.ms);
        await show(beat.t, pace);
        const rest = beat.ms / speed() - (performance.now() - started);
        if (rest > 1) await wait(rest);
        if (held && run === mine) await new Promise((/** @type {(value?: unknown) => void} */ go) => (resume = () => go()));
        if (run !== mine) return;
      }
      stopped();
    },

    /** Stop where we are. */
    stop() {
      run += 1;
      held = false;
      release();
    },

    /** Wait before the next beat while the pointer rests on the graph. @param {boolean} on */
    hold(on) {
      held = on;
      if (!on) release();
    },
  };
}

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
