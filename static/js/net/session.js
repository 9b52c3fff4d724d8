/** Runs programs one at a time: a newer one cancels the older, and late answers are dropped. */

import { Problem, run } from "./api.js";

/** @typedef {import("../trace/document").RunDocument} RunDocument */

const EDIT_MS = 500;
/** How often a program is sent again that the service had no time for, and the longest wait it may ask for. */
const RETRIES = 4;
const LONGEST_WAIT_S = 30;

/**
 * @param {object} options
 * @param {(doc: RunDocument, code: string) => unknown} options.onDocument  awaited; code: what was sent
 * @param {(problem: Error, again: number | null) => void} options.onProblem again: seconds after which the program is
 *   sent again
 * @param {(busy: boolean) => void} options.onBusy
 * @param {typeof run} [options.ask]
 * @param {number} [options.delay] ms of quiet before an edit runs
 */
export function createSession({ onDocument, onProblem, onBusy, ask = run, delay = EDIT_MS }) {
  /** @type {AbortController | null} */
  let flight = null;
  /** What flies, and when it has landed. @type {{code: string, landed: Promise<void>} | null} */
  let latest = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let following = false;
  /** @type {string | null} */
  let next = null;

  function cancel() {
    clearTimeout(timer);
    next = null;
    if (!flight) return;
    flight.abort();
    flight = null;
    onBusy(false);
  }

  /** @param {string} code */
  async function start(code) {
    clearTimeout(timer);
    flight?.abort();
    const mine = (flight = new AbortController());
    onBusy(true);
    try {
      const doc = await patiently(code, mine);
      if (flight === mine) await onDocument(doc, code);
    } catch (error) {
      if (flight === mine && /** @type {Error} */ (error).name !== "AbortError") {
        onProblem(/** @type {Error} */ (error), null);
      }
    } finally {
      if (flight === mine) {
        flight = null;
        onBusy(false);
      }
    }
  }

  /**
   * Ask, and ask again when the service says when it will have time.
   * @param {string} code
   * @param {AbortController} mine
   */
  async function patiently(code, mine) {
    for (let tries = 0; ; tries++) {
      try {
        return await ask(code, mine.signal);
      } catch (error) {
        const wait = error instanceof Problem ? error.retryAfter : null;
        if (!wait || wait > LONGEST_WAIT_S || tries === RETRIES || flight !== mine) throw error;
        onProblem(/** @type {Problem} */ (error), wait);
        await pause(wait * 1000, mine.signal);
      }
    }
  }

  /** @param {string} code @returns {Promise<void>} */
  function launch(code) {
    latest = { code, landed: start(code) };
    return latest.landed;
  }

  return {
    /** Run now, or wait for what runs where that is the same program. @param {string} code @returns {Promise<void>} */
    run(code) {
      clearTimeout(timer);
      return flight && latest?.code === code ? latest.landed : launch(code);
    },

    /**
     * Follow a number that is being dragged: nothing is cancelled, and the latest program runs when the one before is
     * done.
     * @param {string} code
     */
    async follow(code) {
      clearTimeout(timer);
      next = code;
      if (following) return;
      following = true;
      while (next !== null) {
        const now = next;
        next = null;
        await launch(now);
      }
      following = false;
    },

    /** Run once the reader has paused. @param {string} code @param {number} [after] */
    edit(code, after = delay) {
      clearTimeout(timer);
      timer = setTimeout(() => void launch(code), after);
    },

    cancel,
  };
}

/** @param {number} ms @param {AbortSignal} signal @returns {Promise<void>} rejects when aborted */
const pause = (ms, signal) =>
  new Promise((done, stop) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        stop(signal.reason);
      },
      { once: true },
    );
  });
