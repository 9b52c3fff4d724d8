/**
 * What a turn of a training changed in a leaf: the row below its `.grad`.
 * @module
 */
import { formatNumber, toNumber, valueSummary } from "../trace.js";
import { blockOnce, drawValue, planBlock, tight } from "./blocks.js";
import { path, rect, round, text } from "./marks.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../trace.js").Summary} Summary */
/** @typedef {import("./blocks.js").Block} Block */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./marks.js").Measure} Measure */

/**
 * @typedef {{block: Block | null, w: number, h: number, twofold: boolean, brief: boolean}} StepPlan  block: null where
 *   only its size is known · twofold: there is a line for what moves against its gradient · brief: no number but its
 *   share of the value
 */
/** @typedef {{count: number, of: number, up: boolean}} Against  elements, and the direction of the first of them */
/**
 * @typedef {{summary: Summary | null, share: number | null, against: Against | null}} Step  share: of the norm of the
 *   value · against: what moves the way in which the loss grows; null where the elements are not known
 */
/** @typedef {{since: number, share: number | null}} Turn  since: when its gradient had landed */

const SIZE = 13;
const LABEL = "step";
/** The widest share that is written, for its room. */
const WIDEST = "0.000 %";
const BETWEEN = 10;
const LEAST = 28;
/** The line of what moves against its gradient. */
const SMALL = 13;
const SECOND = 16;

/** @type {WeakMap<Trace, Map<string, Turn[]>>} */
const known = new WeakMap();

/** The turns of all trainings by the leaves that they change. @param {Trace} trace */
function turnsOf(trace) {
  const found = known.get(trace);
  if (found) return found;
  /** @type {Map<string, Turn[]>} */
  const turns = new Map();
  /** @type {Map<string, Map<number, number | null>>} shares by leaf and pass */
  const shares = new Map();
  for (const { calls, parameters } of trace.document.training ?? []) {
    for (const { tensor, update, weight } of parameters) {
      if (!update.some((x) => x !== null && toNumber(x) !== 0)) continue;
      const own = shares.get(tensor) ?? new Map();
      shares.set(tensor, own);
      calls.forEach((call, i) => {
        const [step, size] = [update[i] ?? null, weight[i] ?? null];
        own.set(call, step === null || size === null || !toNumber(size) ? null : toNumber(step) / toNumber(size));
      });
    }
  }
  trace.events.forEach((event, i) => {
    const own = event.kind === "accumulate" ? shares.get(event.tensor) : undefined;
    if (event.kind !== "accumulate" || !own) return;
    const list = turns.get(event.tensor) ?? [];
    turns.set(event.tensor, list);
    list.push({ since: i + 1, share: own.get(event.call) ?? null });
  });
  known.set(trace, turns);
  return turns;
}

/**
 * What has changed since the gradient of the turn at hand landed.
 * @param {Trace} trace @param {string} tensor @param {number} t
 * @returns {Step | null} null for nothing yet
 */
export function stepAt(trace, tensor, t) {
  const turn = (turnsOf(trace).get(tensor) ?? []).filter(({ since }) => since <= t).at(-1);
  const states = trace.histories.tensors;
  const [before, after] = turn ? [states.at(tensor, turn.since).value, states.at(tensor, t).value] : [null, null];
  if (!turn || before === after) return null;
  const summary = difference(valueSummary(trace, before), valueSummary(trace, after));
  const { grad } = states.at(tensor, turn.since);
  return {
    summary,
    share: turn.share,
    against: againstOf(summary, valueSummary(trace, grad === "none" ? null : grad)),
  };
}

/**
 * What moves up although its gradient is positive, or down although it is negative.
 * @param {Summary | null} step @param {Summary | null} grad @returns {Against | null}
 */
function againstOf(step, grad) {
  if (!step?.exact || !grad?.exact || grad.complex || grad.cells.length !== step.cells.length) return null;
  const count = step.cells.filter((x, i) => x * grad.cells[i] > 0).length;
  return { count, of: step.cells.length, up: (step.cells.find((x, i) => x * grad.cells[i] > 0) ?? 0) > 0 };
}

/** Momentum and running means can move an element against its gradient. @param {Step | null} step */
export function tellAgainst(step) {
  if (!step?.against?.count) return "";
  const { count, of, up } = step.against;
  return of === 1 ? `moves ${up ? "↑" : "↓"}, .grad says ${up ? "↓" : "↑"}` : `${count} of ${of} against .grad`;
}

/** @param {Summary | null} before @param {Summary | null} after @returns {Summary | null} */
function difference(before, after) {
  if (!before || !after || after.complex || before.cells.length !== after.cells.length || !after.cells.length)
    return null;
  const cells = after.cells.map((x, i) => x - before.cells[i]);
  return { ...after, cells, zero: cells.every((x) => x === 0), broken: !cells.every(Number.isFinite) };
}

/**
 * @param {Trace} trace @param {string} tensor @param {Block} value  of the leaf @param {Measure} measure
 * @param {import("./shelf.js").Room} room  narrow: for the size of the step · close: for its share of the value
 * @returns {StepPlan | null} null for what no training changes
 */
export function planStep(trace, tensor, value, measure, room) {
  const turns = turnsOf(trace).get(tensor);
  if (!turns) return null;
  const label = measure(`${LABEL} ${WIDEST}`, SIZE, 500, false) + BETWEEN;
  const ends = [...turns.slice(1).map(({ since }) => since - 1), trace.events.length];
  const all = ends.map((t) => stepAt(trace, tensor, t));
  const words = all.map((step) => measure(tellAgainst(step), SMALL, 500, false));
  const twofold = words.some((width) => width > 0);
  const w = Math.max(label, ...words);
  const more = twofold ? SECOND : 0;
  if (room !== "wide" || value.form === "opaque" || value.form === "empty") {
    const brief = room === "close" && all.every((step) => step?.share !== null);
    const most = Math.max(w, ...all.map((step) => measure(wordsOf(step, brief), SIZE, 500, false)));
    return { block: null, w: most, h: LEAST + more, twofold, brief };
  }
  const steps = () => all.map((step) => step?.summary ?? null);
  const block = value.digits
    ? blockOnce(trace, measure, `step ${tensor}`, () => tight(planBlock(steps(), measure, [])))
    : value;
  return { block, w: Math.max(label + block.w, w), h: Math.max(LEAST, block.h + 8) + more, twofold, brief: false };
}

/**
 * @param {StepPlan} plan @param {Step | null} step @param {import("./colour.js").Colours} colours
 * @param {{x: number, y: number, w: number, pad: number, now: boolean}} place  y: of the line above it
 * @returns {Mark[]}
 */
export function drawStep(plan, step, colours, { x, y, w, pad, now }) {
  const { block, twofold, brief } = plan;
  const h = plan.h - (twofold ? SECOND : 0);
  const against = tellAgainst(step);
  const words = wordsOf(step, block !== null || brief);
  const left = x + w - pad - (block?.w ?? 0);
  const top = y + (h - (block?.h ?? 0)) / 2;
  return [
    path(`M${round(x)} ${round(y)}L${round(x + w)} ${round(y)}`, { stroke: now ? "bwd" : "line" }),
    text(x + pad, y + h / 2 + 4.4, words, { size: SIZE, weight: 500, fill: now ? "bwd-ink" : "mute" }),
    ...(against
      ? [text(x + pad, y + h + 8, against, { size: SMALL, weight: 500, fill: now ? "bwd-ink" : "soft" })]
      : []),
    ...(block ? drawValue(block, left, top, step?.summary ?? null, colours) : []),
    ...(block && now ? [rect(left - 2.5, top - 2.5, block.w + 5, block.h + 5, { r: 4, stroke: "bwd", sw: 1.6 })] : []),
  ];
}

/** In words; a single number that is not drawn is among them. @param {Step | null} step @param {boolean} drawn */
function wordsOf(step, drawn) {
  const { summary, share } = step ?? {};
  const number = !drawn && summary?.exact && summary.cells.length === 1 ? formatNumber(summary.cells[0]) : "";
  return [LABEL, number, share == null ? "" : spelled(share)].filter(Boolean).join(" ");
}

/** A share in percent. @param {number} share */
export const spelled = (share) => `${formatNumber(Number((100 * share).toPrecision(2)))} %`;
