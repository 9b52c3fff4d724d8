/**
 * The run document, indexed, and the state of everything at any time t. No DOM here: the page is a function of (trace,
 * t).
 * @module
 */
import { blameOf } from "./trace/blame.js";
import { linkEdges } from "./trace/edges.js";
import { gradientsHeld, innerOps, nameTensors, nodesRunning } from "./trace/names.js";
import { Expressions } from "./trace/expressions.js";
import { treesOf } from "./formula/tree.js";
import { unfold } from "./trace/unfold.js";
import { findVisible } from "./trace/visible.js";
import { summarize } from "./trace/numbers.js";
import { Lookup } from "./trace/history.js";

export { sourceAt, unitsBefore } from "./trace/columns.js";
export { edgeKey, bufferKey } from "./trace/edges.js";
export {
  cellText,
  formatIteration,
  formatNumber,
  formatShape,
  flatten,
  isComplex,
  nested,
  toNumber,
  elements,
} from "./trace/numbers.js";
export { passes, sameAs, spoken } from "./trace/names.js";
export { stops, leadOf, leftBehind, playPlan, accumulationOf, readsAt } from "./trace/stops.js";

/** @typedef {import("./trace/document").RunDocument} RunDocument */
/** @typedef {import("./trace/types.js").State} State */
/** @typedef {import("./trace/document").Scope} ScopeRecord */
/** @typedef {import("./trace/document").Tensor} TensorRecord */
/** @typedef {import("./trace/document").Node} NodeRecord */
/** @typedef {import("./trace/document").Op} OpRecord */
/** @typedef {import("./trace/document").Value} Value */
/** @typedef {import("./trace/types.js").Band} Band */
/** @typedef {import("./trace/numbers.js").Summary} Summary */

/**
 * @typedef {object} Trace
 * @property {RunDocument} document
 * @property {import("./trace/document").Event[]} events
 * @property {Map<string, TensorRecord>} tensors
 * @property {Map<string, NodeRecord>} nodes
 * @property {Map<string, OpRecord>} ops
 * @property {Map<string, ScopeRecord>} scopes
 * @property {(ref: string | null | undefined) => Value | undefined} value
 * @property {Band[]} bands  the backward calls, in order
 * @property {import("./trace/edges.js").Edges} edges
 * @property {import("./trace/visible.js").Visible} visible
 * @property {import("./trace/blame.js").Blame} blame  what the error is about
 * @property {import("./trace/unfold.js").Histories} histories
 * @property {Map<string, number>} opTime  op → the t at which it has run
 * @property {Set<string>} inner  ops whose expression ran others after them
 * @property {Map<string, string>} holder  value → the first tensor that held it
 * @property {Map<string, string>} gradientOf tensor made by a recorded backward pass → the tensor whose gradient it
 *   holds
 * @property {Map<string, string>} during  op → the node that ran it
 * @property {(tensor: string) => string} label  what to call a tensor
 * @property {Map<string, import("./formula/tree.js").Tree>} formulas  by their text
 * @property {Expressions} expressions  what tensors are called that have no name, as trees
 * @property {Map<string, Summary>} summaries
 * @property {Map<number, State>} states  the states asked for last
 */

/**
 * @template {{id: string}} T
 * @param {T[] | undefined} list
 * @returns {Map<string, T>}
 */
const byId = (list) => new Map((list ?? []).map((item) => [item.id, item]));

/**
 * Index a run document once; everything else reads the index.
 * @param {RunDocument} document
 * @returns {Trace}
 */
export function indexTrace(document) {
  const pieces = indexing(document);
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

/**
 * The same in pieces that take a fraction of a second each.
 * @param {RunDocument} document
 * @param {() => Promise<unknown>} pause  between two of them
 * @returns {Promise<Trace>}
 */
export async function indexInPieces(document, pause) {
  const pieces = indexing(document);
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
    await pause();
  }
}

/** @param {RunDocument} document @returns {Generator<void, Trace>} */
function* indexing(document) {
  const tensors = byId(document.tensors);
  const nodes = byId(document.nodes);
  const ops = byId(document.ops);
  const edges = linkEdges(document, nodes);
  yield;
  const histories = yield* unfold(document, tensors, nodes, ops, edges);
  yield;
  /** @type {Map<string, number>} */
  const opTime = new Map();
  document.events.forEach((event, i) => event.kind === "op" && opTime.set(event.op, i + 1));
  /** @type {Map<string, string>} */
  const holder = new Map();
  for (const tensor of document.tensors) {
    if (tensor.value && !holder.has(tensor.value)) holder.set(tensor.value, tensor.id);
  }
  for (const event of document.events) {
    if (event.kind === "write" && !holder.has(event.value)) holder.set(event.value, event.tensor);
  }
  const inner = innerOps(document);
  const blame = blameOf(document);
  const gradientOf = gradientsHeld(document, edges);
  const expressions = new Expressions(document.expressions);
  const labels = nameTensors(document, tensors, { inner, gradientOf, holder }, expressions);
  return {
    document,
    events: document.events,
    tensors,
    nodes,
    ops,
    scopes: byId(document.scopes),
    edges,
    histories,
    opTime,
    inner,
    holder,
    gradientOf,
    during: nodesRunning(document),
    value: (ref) => (ref ? document.values[ref] : undefined),
    bands: histories.bands,
    visible: findVisible(document, tensors, blame.tensors),
    blame,
    label: (id) => labels.get(id) ?? id,
    formulas: treesOf(document.formulas),
    expressions,
    summaries: new Map(),
    states: new Map(),
  };
}

const REMEMBERED = 64;

/**
 * Everything as it stands after `t` events. The maps are read-only and cheap: they look values up, they hold no copies.
 * @param {Trace} trace
 * @param {number} t  0 … events.length
 * @returns {State}
 */
export function stateAt(trace, t) {
  t = Math.max(0, Math.min(trace.events.length, Math.round(t)));
  const known = trace.states.get(t);
  if (known) return known;
  const { histories } = trace;
  const band = bandAt(trace, t);
  const state = Object.freeze({
    t,
    event: lastAct(trace.events, t),
    line: histories.line.at("line", t),
    stdout: histories.stdout.slice(0, lengthAt(histories.printed, t)),
    tensors: new Lookup(histories.tensors, t),
    nodes: new Lookup(histories.nodes, t),
    edges: new Lookup(histories.edges, t),
    ready: histories.ready.at("ready", t),
    backward: band ? { call: band.call, band } : null,
    lineValues: new Lookup(histories.lineValues, t),
    bound: new Lookup(histories.bound, t),
  });
  if (trace.states.size >= REMEMBERED) trace.states.delete(trace.states.keys().next().value ?? 0);
  trace.states.set(t, state);
  return state;
}

/**
 * The backward call that is running at t, its seed included, its end not; the inner one when a hook or a Function runs
 * another.
 * @param {Trace} trace
 * @param {number} t
 * @returns {Band | null}
 */
export function bandAt(trace, t) {
  let low = 0;
  let high = trace.bands.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (trace.bands[middle].start < t) low = middle + 1;
    else high = middle;
  }
  /** @type {Band | undefined} */
  let band = trace.bands[low - 1];
  while (band && t >= band.end) band = band.outer;
  return band ?? null;
}

/**
 * Which entities may look different at two times.
 * @param {Trace} trace
 * @param {number} a
 * @param {number} b
 */
export function changesBetween(trace, a, b) {
  const { tensors, nodes, edges } = trace.histories;
  return { tensors: tensors.between(a, b), nodes: nodes.between(a, b), edges: edges.between(a, b) };
}

/**
 * How to draw and name a value; null for a reference the document does not hold.
 * @param {Trace} trace
 * @param {string | null | undefined} ref
 * @returns {Summary | null}
 */
export function valueSummary(trace, ref) {
  if (!ref) return null;
  const known = trace.summaries.get(ref);
  if (known) return known;
  const value = trace.value(ref);
  if (!value) return null;
  const summary = summarize(value);
  trace.summaries.set(ref, summary);
  return summary;
}

/**
 * The last thing that happened: what is printed or warned of then is said about it.
 * @param {readonly import("./trace/document").Event[]} events
 * @param {number} t
 */
function lastAct(events, t) {
  let i = t - 1;
  while (i > 0 && (events[i].kind === "print" || events[i].kind === "warning")) i--;
  return events[i] ?? null;
}

/** @param {{t: number, length: number}[]} printed @param {number} t */
function lengthAt(printed, t) {
  let length = 0;
  for (let i = printed.length - 1; i >= 0; i--) {
    if (printed[i].t <= t) {
      length = printed[i].length;
      break;
    }
  }
  return length;
}
