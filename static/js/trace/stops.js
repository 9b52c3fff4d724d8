/**
 * Where stepping stops, and how playing groups those stops so that a whole pass stays watchable.
 * @module
 */
/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("./document").Event} TraceEvent */

/** Events that belong to the step before them: nobody wants to press a key for them. */
const TRAILING = new Set(["bind", "release", "print", "warning"]);
/** What a line says right after its step is heard together with it. */
const SAID = new Set(["print", "warning"]);

/**
 * The times stepping stops at, first 0 and last the number of events. A leaf's node and its accumulation are one step,
 * and so are an op, the write it makes, the names its result is bound to and what is printed then, all that a line
 * looks at, and the figures it shows.
 * @param {Trace} trace
 * @returns {number[]}
 */
export function stops(trace) {
  const { events } = trace;
  /** @type {number[]} */
  const times = [0];
  for (let i = 0; i < events.length; i++) {
    if (!isStep(trace, events, i)) continue;
    let t = i + 1;
    while (
      t < events.length &&
      (SAID.has(events[t].kind) ||
        (events[t].kind === "bind" && !isStep(trace, events, t)) ||
        belongsTo(events[i], events[t]))
    ) {
      t++;
    }
    if (t > times[times.length - 1]) times.push(t);
  }
  const last = times[times.length - 1];
  const rest = events.slice(last);
  if (rest.length && (times.length === 1 || rest.some((event) => !TRAILING.has(event.kind)))) times.push(events.length);
  else if (rest.length) times[times.length - 1] = events.length;
  return times;
}

/**
 * The event a step is about.
 * @param {Trace} trace
 * @param {number} from
 * @param {number} to
 * @returns {number} its index in [from, to); −1 when the step only tidies up
 */
export function leadOf(trace, from, to) {
  for (let i = to - 1; i >= from; i--) if (isStep(trace, trace.events, i)) return i;
  return -1;
}

/** @param {Trace} trace @param {TraceEvent[]} events @param {number} i */
function isStep(trace, events, i) {
  const event = events[i];
  switch (event.kind) {
    case "op":
      return trace.visible.ops.has(event.op);
    case "bind":
      return trace.histories.born.get(event.tensor) === i + 1 && trace.visible.tensors.has(event.tensor);
    case "node":
      return !accumulates(events, i);
    case "write":
      return (
        event.by !== "unrecorded" &&
        i >= (firstUse(trace).get(event.tensor) ?? Infinity) &&
        !writesGradient(events[i + 1])
      );
    case "backward_end":
      return cameThrough(trace, event.call);
    case "grad":
      return event.by !== "unrecorded";
    case "gap":
    case "hook":
    case "backward":
    case "accumulate":
    case "read":
    case "figure":
    case "error":
      return true;
    default:
      return false;
  }
}

/** @type {WeakMap<Trace, Set<number>>} */
const completed = new WeakMap();

/** Did a backward call run to its end, or did an error stop it? @param {Trace} trace @param {number} call */
function cameThrough(trace, call) {
  let calls = completed.get(trace);
  if (calls) return calls.has(call);
  completed.set(trace, (calls = new Set()));
  /** @type {Map<number, number>} nodes of a call that have yet to run */
  const left = new Map();
  trace.events.forEach((event, i) => {
    if (event.kind === "backward") left.set(event.call, event.inputs ? 0 : event.reachable.length);
    else if (event.kind === "node") left.set(event.call, (left.get(event.call) ?? 0) - 1);
    else if (
      event.kind === "backward_end" &&
      (left.get(event.call) ?? 0) <= 0 &&
      trace.events[i + 1]?.kind !== "error"
    ) {
      calls.add(event.call);
    }
  });
  return calls.has(call);
}

/** `x.grad.zero_()` is told by its grad event alone. @param {TraceEvent | undefined} next */
const writesGradient = (next) => next?.kind === "grad" && next.by === "in_place";

/** @type {WeakMap<Trace, Map<string, number>>} */
const uses = new WeakMap();

/** When a drawn op first takes or makes a tensor; what is written before only sets it up. @param {Trace} trace */
function firstUse(trace) {
  let first = uses.get(trace);
  if (first) return first;
  uses.set(trace, (first = new Map()));
  for (const op of trace.document.ops) {
    const t = trace.opTime.get(op.id);
    if (t === undefined || !trace.visible.ops.has(op.id)) continue;
    for (const id of [...op.inputs, ...op.outputs]) if (!first.has(id)) first.set(id, t);
  }
  return first;
}

/** The node event of a leaf whose accumulation is a step of its own. @param {TraceEvent[]} events @param {number} i */
const accumulates = (events, i) => accumulationOf(events, i) !== null;

/**
 * The accumulation that belongs to the event at index i: the event itself, or the one next to a leaf's node event.
 * @param {TraceEvent[]} events @param {number} i
 * @returns {import("./document").AccumulateEvent | null}
 */
export function accumulationOf(events, i) {
  const event = events[i];
  if (!event || event.kind === "accumulate") return event ?? null;
  if (event.kind !== "node") return null;
  for (const step of [1, -1]) {
    for (let j = i + step; j >= 0 && j < events.length; j += step) {
      const near = events[j];
      if (near.kind === "accumulate" && near.node === event.node) return near;
      if (["node", "accumulate", "backward", "backward_end"].includes(near.kind)) break;
    }
  }
  return null;
}

/** @param {TraceEvent} first @param {TraceEvent} next */
function belongsTo(first, next) {
  if (first.kind === "gap") return (next.kind === "write" || next.kind === "grad") && next.by === "unrecorded";
  if (first.kind === "accumulate") return next.kind === "node" && next.node === first.node;
  if (next.kind === "grad" && next.by === "tape") return first.kind === "node" || first.kind === "backward";
  if (first.kind === "read" || first.kind === "figure") return next.kind === first.kind && next.line === first.line;
  return first.kind === "op" && next.kind === "write" && next.line === first.line;
}

/**
 * What the line looked at that was the last to do something at time t.
 * @param {Trace} trace
 * @param {number} t
 * @returns {import("./document").ReadEvent[]}  oldest first
 */
export function readsAt({ events }, t) {
  /** @type {import("./document").ReadEvent[]} */
  const reads = [];
  for (let i = t - 1; i >= 0; i--) {
    const event = events[i];
    if (SAID.has(event.kind)) continue;
    if (event.kind !== "read" || (reads.length && reads[0].line !== event.line)) break;
    reads.unshift(event);
  }
  return reads;
}

/**
 * The tensors that the pass before time t gave gradients, or returned them for, in the order in which it says so.
 * @param {Trace} trace
 * @param {number} t
 * @returns {string[]}  none where no pass has ended
 */
export function leftBehind({ bands, events }, t) {
  const band = bands.filter(({ end }) => end <= t).at(-1);
  if (!band) return [];
  const within = events.slice(band.start, band.end);
  const landed = within.flatMap((event) =>
    event.kind === "accumulate" && event.call === band.call ? [event.tensor] : [],
  );
  const asked = within.flatMap((event) =>
    event.kind === "backward" && event.call === band.call ? (event.inputs ?? []) : [],
  );
  return [...new Set(landed.length ? landed : asked)];
}

/** @typedef {{t: number, ms: number}} Beat  arrive at t, taking ms at speed 1 */

const NODE_MS = 750;
const FORWARD_MS = 260;
const PLAY_MS = 12000;

/**
 * The beats of playing everything after `from`: node by node for small programs, wavefront by wavefront above 16
 * nodes, faster still when that would move for more than 12 s. Stepping never uses this.
 * @param {Trace} trace
 * @param {number} [from]
 * @returns {Beat[]}
 */
export function playPlan(trace, from = 0) {
  const steps = stops(trace).filter((t) => t > from);
  const backward = steps.filter((t) => ["node", "accumulate"].includes(endOf(trace, t).kind)).length;
  const merged = backward > 16 ? mergeWaves(trace, steps) : steps;
  /** @type {Beat[]} */
  const beats = merged.map((t) => ({ t, ms: isForward(endOf(trace, t)) ? FORWARD_MS : NODE_MS }));
  const total = beats.reduce((sum, beat) => sum + beat.ms, 0);
  if (total <= PLAY_MS) return beats;
  const least = 50;
  const scale = PLAY_MS / total;
  if (beats.length * least <= PLAY_MS) return beats.map(({ t, ms }) => ({ t, ms: Math.max(least, ms * scale) }));
  const stride = Math.ceil((beats.length * least) / PLAY_MS);
  return beats.filter((_, i) => i % stride === stride - 1 || i === beats.length - 1).map(({ t }) => ({ t, ms: least }));
}

/** What a step ends with, apart from what is printed. @param {Trace} trace @param {number} t @returns {TraceEvent} */
function endOf(trace, t) {
  let i = t - 1;
  while (i > 0 && SAID.has(trace.events[i].kind)) i--;
  return trace.events[i];
}

/** @param {TraceEvent} event */
const isForward = (event) => ["op", "bind", "write", "read", "figure"].includes(event.kind);

/**
 * Consecutive steps join one wave while none of them receives from another.
 * @param {Trace} trace
 * @param {number[]} steps
 */
function mergeWaves(trace, steps) {
  /** @type {number[]} */
  const merged = [];
  /** @type {Set<string>} */
  let fed = new Set();
  let open = false;
  let before = 0;
  for (const t of steps) {
    const wave = trace.events.slice(before, t).filter((event) => event.kind === "node");
    const quiet = ["node", "accumulate"].includes(endOf(trace, t).kind);
    before = t;
    const starts = !quiet || wave.some((event) => event.kind === "node" && fed.has(event.node));
    if (open && !starts) merged[merged.length - 1] = t;
    else {
      merged.push(t);
      fed = new Set();
    }
    open = quiet;
    for (const event of wave) if (event.kind === "node") for (const send of event.sends) fed.add(send.to);
  }
  return merged;
}
