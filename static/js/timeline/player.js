/** Plays the run: arrives at one beat after another, paced by the stage's own animation. */

import { playPlan } from "../trace.js";

/** @typedef {import("../trace.js").Trace} Trace */

/** What a beat lasts at the stage's own pace; the stage is told to hurry by the ratio. */
const STAGE_MS = 750;
/** Beats shorter than this may be left out when the page cannot keep up: nobody could follow each of them anyway. */
const HURRIED_MS = 250;

/**
 * @param {{show: (t: number, speed: number) => Promise<unknown>, stopped: () => void, speed: () => number, wait?: (ms:
 *   number) => Promise<void>, now?: () => number}} options
 */
export function createPlayer({ show, stopped, speed, wait = pause, now = () => performance.now() }) {
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
      const beats = playPlan(trace, t);
      let late = 0;
      for (const [i, beat] of beats.entries()) {
        const due = beat.ms / speed();
        if (late > due && beat.ms < HURRIED_MS && i < beats.length - 1) {
          late -= due;
          continue;
        }
        const started = now();
        await show(beat.t, speed() * (STAGE_MS / beat.ms));
        const rest = due - (now() - started) - late;
        late = Math.max(0, -rest);
        if (rest > 1) await wait(rest);
        if (held && run === mine) {
          await new Promise((/** @type {(value?: unknown) => void} */ go) => (resume = () => go()));
        }
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
