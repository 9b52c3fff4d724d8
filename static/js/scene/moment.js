/**
 * The state of the picture while one step plays: what sends has already changed, what receives has not yet.
 * @module
 */
import { stateAt } from "../trace.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../trace.js").State} State */

/** Parts of a step at speed 1, in ms: the node lifts, its formula shows, packets travel, what arrives is merged. */
export const STAGES = Object.freeze({ arrive: 180, formula: 150, travel: 300, merge: 120 });
export const STEP_MS = STAGES.arrive + STAGES.formula + STAGES.travel + STAGES.merge;

/** @typedef {"arrive" | "formula" | "travel" | "merge" | "rest"} Stage */

/**
 * @typedef {object} Progress
 * @property {Stage} stage
 * @property {number} part  0 … 1 within the stage
 */

/** @param {number} ms  since the step began, at speed 1 @returns {Progress} */
export function progressAt(ms) {
  let left = ms;
  for (const [stage, length] of Object.entries(STAGES)) {
    if (left < length) return { stage: /** @type {Stage} */ (stage), part: Math.max(0, left / length) };
    left -= length;
  }
  return { stage: "rest", part: 1 };
}

const BEFORE_LANDING = new Set(["arrive", "formula", "travel"]);

/** Read access to the state for painting at time t, seen from the step that began at `from`. */
export class Moment {
  /**
   * @param {Trace} trace
   * @param {number} t
   * @param {number | null} [from]  the time the step began; null at rest
   * @param {Stage} [stage]
   */
  constructor(trace, t, from = null, stage = "rest") {
    this.trace = trace;
    this.t = t;
    this.from = from;
    this.stage = from === null ? "rest" : stage;
    this.after = stateAt(trace, t);
    this.before = from === null ? this.after : stateAt(trace, from);
    this.landing = BEFORE_LANDING.has(this.stage) && from !== null ? landingOf(trace, from, t) : null;
  }

  /** @param {string} id @param {number} [until] */
  tensor(id, until = Infinity) {
    return this.at(this.lands(id) ? this.before : this.after, until).tensors.get(id);
  }

  /** @param {string} id @param {number} [until] */
  node(id, until = Infinity) {
    return this.at(this.landing?.nodes.has(id) ? this.before : this.after, until).nodes.get(id);
  }

  /** Is what changes a tensor still on its way in the running step? @param {string} id */
  lands(id) {
    return this.landing?.tensors.has(id) ?? false;
  }

  /** @param {string} key */
  edge(key) {
    if (!this.landing) return this.after.edges.get(key);
    const before = this.before.edges.get(key);
    return before.phase === "arriving" ? { ...before, phase: /** @type {const} */ ("sent") } : before;
  }

  /** Does a gradient come to a node after this? @param {string} id */
  awaits(id) {
    const { times, values } = this.trace.histories.nodes.tracks.get(id) ?? { times: [], values: [] };
    for (let i = times.length - 1; times[i] > this.t; i--) if (values[i].phase !== "idle") return true;
    return false;
  }

  /**
   * Has a pass begun since `from` that did not come by a node, as none does later?
   * @param {string} id @param {number} from
   */
  passedBy(id, from) {
    const { bands, events } = this.trace;
    return (
      bands.some(({ start }) => from <= start && start < this.t) &&
      !this.awaits(id) &&
      !events.some((event) => event.kind === "gap" && event.passes)
    );
  }

  /** @param {State} state @param {number} until */
  at(state, until) {
    return state.t > until ? stateAt(this.trace, Math.max(0, until)) : state;
  }
}

/**
 * What changes only when the packets of a step land: the receivers, unless they run in the same step themselves.
 * @param {Trace} trace
 * @param {number} from
 * @param {number} to
 */
function landingOf(trace, from, to) {
  /** @type {Set<string>} */
  const nodes = new Set();
  /** @type {Set<string>} */
  const tensors = new Set();
  /** @type {Set<string>} */
  const ran = new Set();
  for (let i = from; i < to; i++) {
    const event = trace.events[i];
    if (event.kind === "node") {
      ran.add(event.node);
      for (const send of event.sends) {
        nodes.add(send.to);
        const tensor = trace.edges.tensorAt.get(`${send.to}/${send.input_nr}`);
        if (tensor !== undefined) tensors.add(tensor);
      }
    } else if (event.kind === "accumulate" || event.kind === "grad") tensors.add(event.tensor);
    else if (event.kind === "op") for (const id of trace.ops.get(event.op)?.outputs ?? []) tensors.add(id);
  }
  for (const id of ran) nodes.delete(id);
  return { nodes, tensors };
}
