/**
 * A line that is being typed is wrong until it is finished: what is wrong with it is told when whoever types pauses, or
 * leaves the line.
 * @module
 */

const PAUSE_MS = 1200;

/**
 * @param {{wait?: (go: () => void, ms: number) => () => void, now?: () => number}} [clock]  wait returns what cancels
 */
export function createPatience({ wait = after, now = () => performance.now() } = {}) {
  let typedAt = -Infinity;
  /** @type {string | null} the lines that are typed in; null until the cursor says */
  let lines = null;
  /** @type {((shown: boolean) => void) | null} */
  let answer = null;

  /** @param {boolean} shown */
  function release(shown) {
    typedAt = -Infinity;
    answer?.(shown);
    answer = null;
  }

  return {
    /** A key changed the program: what waits to be told is about an earlier one. */
    typed() {
      release(false);
      typedAt = now();
      lines = null;
    },

    /** The cursor is on these lines. @param {readonly number[]} at */
    moved(at) {
      const here = at.join();
      if (lines === null) lines = here;
      else if (here !== lines) release(true);
    },

    /** Wait no longer. */
    hurry: () => release(true),

    /** Wait until an error may be told. @returns {Promise<boolean>} whether it may be: not when typing went on */
    async wait() {
      const left = typedAt + PAUSE_MS - now();
      if (left <= 0) return true;
      answer?.(false);
      /** @type {Promise<boolean>} */
      const asked = new Promise((done) => (answer = done));
      const cancel = wait(() => release(true), left);
      return asked.finally(cancel);
    },
  };
}

/** @param {() => void} go @param {number} ms */
function after(go, ms) {
  const timer = setTimeout(go, ms);
  return () => clearTimeout(timer);
}
