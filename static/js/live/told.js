/**
 * What a page is told of a training that is watched, as the strip of `training/` takes it. Pure.
 * @module
 */

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {number | string | null} Number a number of a document, which may be "NaN" */
/**
 * One backward call in one iteration; of each parameter the norms of gradient, weight and step.
 * @typedef {{file: string, line: number, column: number, loss: Number, parameters: Record<string, Number[]>}} Column
 */
/**
 * What was found; `index`: among the findings of the recording in which it was first.
 * @typedef {{rule: string, severity: "error" | "warning" | "hint", headline: string, lines: number[], first: number,
 *   last: number, count: number, index: number}} Found
 */
/**
 * @typedef {object} Told
 * @property {number} version
 * @property {number} iteration how many have ended
 * @property {number} every
 * @property {"running" | "pausing" | "paused" | "over"} state
 * @property {string | null} told a sentence
 * @property {number[]} known iterations whose numbers are known
 * @property {number[]} kept those whose recording can be shown
 * @property {[number, Column[]][]} columns
 * @property {Found[]} findings
 */

/** @param {Column} column */
const placeOf = ({ file, line, column }) => `${file}:${line}:${column}`;

/**
 * A book of nothing but the training: an event for each iteration that is known, in which its passes lie if it is kept.
 * @param {Map<number, Column[]>} columns by iteration, in order
 * @param {ReadonlySet<number>} kept
 * @param {number} iteration
 * @returns {Book}
 */
export function bookOf(columns, kept, iteration) {
  const turns = [...columns.keys()];
  /** @type {Map<string, (Column | undefined)[]>} */
  const places = new Map();
  turns.forEach((turn, i) => {
    for (const column of columns.get(turn) ?? []) {
      const key = placeOf(column);
      if (!places.has(key)) places.set(key, []);
      /** @type {(Column | undefined)[]} */ (places.get(key))[i] = column;
    }
  });
  const series = [...places.values()].map((each) => Array.from(turns, (_, i) => each[i]));
  const count = series.length;
  const training = series.map((each, s) => ({
    ...firstOf(each),
    passes: Math.max(iteration, (turns.at(-1) ?? 0) + 1),
    stride: 1,
    calls: turns.map((_, i) => i * count + s),
    turns,
    loss: each.map((column) => column?.loss ?? null),
    peak: null,
    parameters: namesIn(each).map((tensor) => {
      const norms = (/** @type {number} */ k) => each.map((column) => column?.parameters[tensor]?.[k] ?? null);
      return { tensor, grad: norms(0), weight: norms(1), update: norms(2) };
    }),
  }));
  const bands = turns.flatMap((turn, i) =>
    kept.has(turn) ? series.map((_, s) => ({ start: i, end: i + 1, call: i * count + s, outer: false })) : [],
  );
  const calls = new Map(bands.map(({ call }) => [call, training[call % count]]));
  return /** @type {any} */ ({
    doc: { training, events: [] },
    trace: { bands },
    calls,
    nameOf: (/** @type {string} */ name) => name,
  });
}

/** Where a series is. @param {(Column | undefined)[]} each */
function firstOf(each) {
  const { line, column } = /** @type {Column} */ (each.find((one) => one));
  return { line, column };
}

/** Names of parameters, the first ones of the model first. @param {(Column | undefined)[]} each */
function namesIn(each) {
  const names = each.flatMap((column) => Object.keys(column?.parameters ?? {}).reverse());
  return [...new Set(names)];
}

/** What stands above the strip. @param {Told} told */
export function stateOf({ state, iteration, told }) {
  const count = iteration.toLocaleString("en");
  const iterations = `${count} ${iteration === 1 ? "iteration" : "iterations"}`;
  const said = {
    running: `Training: iteration ${count}`,
    pausing: `Pausing after iteration ${count}`,
    paused: `Paused after ${iterations}`,
    over: `Over after ${iterations}`,
  };
  return `${said[state]}${told ? `: ${told}` : ""}`;
}
