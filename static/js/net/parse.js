/**
 * A long document is read in parts, so that the page answers in between.
 * @module
 */

/** Shorter documents are read at once; members of a document that grow with the run. */
const LONG = 2_000_000;
const HEAVY = ["nodes", "ops", "values", "events", "limits"];

/**
 * @param {string} text  JSON; within its strings every quote is escaped, so that a member's name is found by searching
 * @param {() => Promise<unknown>} pause  called between parts
 * @returns {Promise<any>}
 * @throws {SyntaxError} when it is no JSON
 */
export async function parseLong(text, pause) {
  if (text.length < LONG) return JSON.parse(text);
  /** @type {number[]} */
  const cuts = [];
  for (const name of HEAVY) {
    const from = cuts.at(-1) ?? 0;
    const at = text.slice(from).search(new RegExp(`,"${name}":[[{]`));
    if (at >= 0) cuts.push(from + at);
  }
  const whole = {};
  try {
    for (let k = 0; k <= cuts.length; k++) {
      const part = text.slice(k ? cuts[k - 1] + 1 : 1, k < cuts.length ? cuts[k] : -1);
      Object.assign(whole, JSON.parse(`{${part}}`));
      await pause();
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return JSON.parse(text);
  }
  return whole;
}
