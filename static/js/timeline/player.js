/** Plays the run: arrives at one beat after another, paced by the stage's own animation. */

import { playPlan } from "../trace.js";

/** @typedef {import("../trace.js").Trace} Trace */

/** What a beat lasts at the stage's own pace; the stage is told to hurry by the ratio. */
const STAGE_MS = 750;
/** Beats shorter than this may be left out when the page cannot keep up: nobody could follow each of them anyway. */
const HURRIED_MS = 250;
/** Waiting is cut into pieces of this, so that another speed holds at once. */
const PIECE_MS = 100;

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
    /**
     * Play on from t to the end.
     * @param {Trace} trace
     * @param {number} t
     * @param {object} [reading]
     * @param {(t: number) => number} [reading.ms] how long it takes to read what stands there at speed 1
     * @param {boolean} [reading.here] read what stands at t first
     */
    async play(trace, t, { ms: toRead = () => 0, here = false } = {}) {
      const mine = ++run;
      const beats = [...(here ? [{ t, ms: 0 }] : []), ...playPlan(trace, t)];
      if (!here) toRead(t); // whoever presses the button has read it
      let late = 0;
      for (const [i, { t: at, ms }] of beats.entries()) {
        const last = i === beats.length - 1;
        if (late > ms / speed() && ms < HURRIED_MS && !last) {
          late -= ms / speed();
          continue;
        }
        const started = now();
        if (ms) await show(at, speed() * (STAGE_MS / ms));
        const stands = last ? 0 : toRead(at);
        const behind = () => now() - started - Math.max(ms, stands) / speed();
        const rest = () => Math.max(ms / speed() - late, stands / speed()) - (now() - started);
        while (run === mine && rest() > 1) await wait(Math.min(rest(), PIECE_MS));
        late = Math.max(0, late + behind());
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
