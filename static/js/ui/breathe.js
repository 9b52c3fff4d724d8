/** Long runs are taken in one piece at a time, so that the page answers in between. */

/** Runs with more events than this are long. */
const LONG = 3000;

/**
 * Let whatever waits go first; for a short run do not even wait a turn.
 * @param {{events: readonly unknown[]}} run
 * @returns {Promise<void>}
 */
export const breathe = async (run) => {
  if (run.events.length > LONG) await new Promise((/** @type {(value?: unknown) => void} */ go) => setTimeout(go));
};
