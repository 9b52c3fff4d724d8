/**
 * What the backward graph holds at each time, by memory block: what an op's node keeps it keeps from the op on until it
 * is released, and a block that several nodes keep counts once. Pure.
 * @module
 */
import { elements } from "../trace.js";
import { columnBefore } from "../training/series.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../trace/document").Storage} StorageRecord */
/** @typedef {{from: number, to: number}} Span  times: from the first, and no longer at the last */
/** @typedef {Span & {node: string}} Keeper */
/** @typedef {StorageRecord & {keepers: Keeper[], spans: Span[]}} Block  nodes that keep it, the first of them first */
/** @typedef {{times: number[], bytes: number[]}} Curve  from each time on so many bytes; ascending, from 0 */
/** @typedef {{t: number, bytes: number}} Peak */
/**
 * @typedef {object} Memory
 * @property {Trace} trace
 * @property {Block[]} blocks
 * @property {Curve} curve of activations
 * @property {Peak} peak of activations; the first moment of it
 * @property {Map<string, Span>} lives nodes that keep something
 * @property {Set<string | null>} kept tensors
 * @property {Map<string, string>} maker the op that made a tensor
 */

/** @type {WeakMap<Trace, Memory | null>} */
const known = new WeakMap();

/** @param {Trace} trace @returns {Memory | null} null where the document does not tell */
export function memoryOf(trace) {
  let memory = known.get(trace);
  if (memory === undefined) known.set(trace, (memory = read(trace)));
  return memory;
}

/** What hangs on the ctx of a custom Function: a pass does not release it. */
const ON_CTX = "ctx.";

/** @param {Trace} trace @returns {Memory | null} */
function read(trace) {
  const { document, events, opTime } = trace;
  if (!document.storages?.length) return null;
  /** @type {Map<string, number>} */
  const released = new Map();
  events.forEach((event, i) => {
    if (event.kind === "release" && !released.has(event.node)) released.set(event.node, i + 1);
  });
  /** @type {Map<string, Block>} */
  const blocks = new Map(document.storages.map((storage) => [storage.id, { ...storage, keepers: [], spans: [] }]));
  /** @type {Map<string, Span>} */
  const lives = new Map();
  let from = 0; // a node whose op is not recorded was made after the one before it
  for (const { id: node, keeps = [], op, freed } of document.nodes) {
    from = opTime.get(op ?? "") ?? from;
    const left = (freed ?? Infinity) + 1;
    const to = released.get(node) ?? left;
    if (keeps.length) lives.set(node, { from, to });
    for (const { name, storage } of keeps) {
      blocks.get(storage)?.keepers.push({ node, from, to: name.startsWith(ON_CTX) ? left : to });
    }
  }
  const all = [...blocks.values()];
  for (const block of all) block.spans = union(block.keepers);
  const curve = curveOf(all.filter(isActivation));
  const kept = new Set([...all, ...document.nodes.flatMap(({ keeps = [] }) => keeps)].map(({ tensor }) => tensor));
  // The first that made it: later ones wrote to it.
  const maker = new Map(
    [...document.ops].reverse().flatMap(({ id, outputs }) => outputs.map((output) => [output, id])),
  );
  return { trace, blocks: all, curve, peak: peakOf(curve), lives, kept, maker };
}

/** @param {Block} block */
const isActivation = ({ kind }) => kind === "activation";

/** @param {number} t @returns {(span: Span) => boolean} */
const at =
  (t) =>
  ({ from, to }) =>
    from <= t && t < to;

/** Spans that overlap or touch as one. @template {Span} S @param {S[]} spans  which it sorts @returns {Span[]} */
function union(spans) {
  /** @type {Span[]} */
  const out = [];
  for (const { from, to } of spans.sort((a, b) => a.from - b.from)) {
    const last = out[out.length - 1];
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else if (from < to) out.push({ from, to });
  }
  return out;
}

/** @param {{bytes: number, spans: Span[]}[]} blocks @returns {Curve} */
function curveOf(blocks) {
  const changes = new Map([[0, 0]]);
  for (const { bytes, spans } of blocks) {
    for (const { from, to } of spans) {
      changes.set(from, (changes.get(from) ?? 0) + bytes);
      changes.set(to, (changes.get(to) ?? 0) - bytes);
    }
  }
  const times = [...changes.keys()].sort((a, b) => a - b);
  let held = 0;
  return { times, bytes: times.map((t) => (held += changes.get(t) ?? 0)) };
}

/** @param {Curve} curve @returns {Peak} */
function peakOf({ times, bytes }) {
  const most = bytes.reduce((best, n, i) => (n > bytes[best] ? i : best), 0);
  return { t: times[most], bytes: bytes[most] };
}

/** The bytes of activations at a time. @param {Memory} memory @param {number} t */
export const heldAt = ({ curve: { times, bytes } }, t) => bytes[columnBefore(times, t)];

/**
 * What a block that is held at a time counts for, summed by what `of` makes of the first node that keeps it.
 * @template K
 * @param {Memory} memory @param {number} t @param {(node: string, block: Block) => K} of
 * @returns {Map<K, number>} bytes
 */
function sumAt({ blocks }, t, of) {
  /** @type {Map<K, number>} */
  const sums = new Map();
  for (const block of blocks) {
    const keeper = block.keepers.find(at(t));
    if (!keeper) continue;
    const key = of(keeper.node, block);
    sums.set(key, (sums.get(key) ?? 0) + block.bytes);
  }
  return sums;
}

/**
 * The activations that are held at a time, by what `of` makes of the first node that keeps each.
 * @template K
 * @param {Memory} memory @param {number} t @param {(node: string) => K} of
 * @returns {Map<K, number>} bytes
 */
export const sharesAt = (memory, t, of) => sumAt({ ...memory, blocks: memory.blocks.filter(isActivation) }, t, of);

/** The bytes of each kind of memory. @param {Memory} memory @param {number} t */
export const kindsAt = (memory, t) => sumAt(memory, t, (_, { kind }) => kind);

/**
 * What checkpointing gives: what the peak falls by, and the ops to be computed again in a pass.
 * @typedef {{frees: number, ops: number}} Checkpointing
 */

/**
 * What the peak would be if these calls of modules were checkpointed, as `torch.utils.checkpoint` does it: of a call
 * only what it was given is held until the pass comes to it; then it is computed again, and all it keeps is there until
 * it is released.
 * @param {Memory} memory
 * @param {string[]} calls scopes, none inside of another
 * @returns {Checkpointing}
 */
export function checkpointing({ trace, peak, lives, blocks, kept, maker }, calls) {
  const { ops } = trace.document;
  const callOf = callsOf(trace, calls);
  /** Whether a call made it itself. @param {string} call @param {string} tensor */
  const makes = (call, tensor) => callOf.get(maker.get(tensor) ?? "") === call;
  /** When each call is computed again: where a pass comes to what it keeps. @type {Map<string, number>} */
  const again = new Map();
  trace.events.forEach((event, i) => {
    const call = event.kind === "node" && lives.has(event.node) ? callOf.get(event.node) : undefined;
    if (call && !again.has(call)) again.set(call, i + 1);
  });
  const held = blocks.filter(isActivation).map(({ bytes, tensor, keepers }) => {
    const spans = keepers.map(({ node, from, to }) => {
      const call = callOf.get(node);
      const own = call && (!tensor || makes(call, tensor));
      return { from: own ? Math.max(from, again.get(call) ?? Infinity) : from, to };
    });
    return { bytes, spans: union(spans) };
  });
  // What goes into a call and nobody keeps today: a checkpoint does, until all that the call keeps is released.
  /** @type {Map<string, number>} */
  const ends = new Map();
  for (const [node, { to }] of lives) {
    const call = callOf.get(node);
    if (call) ends.set(call, Math.max(ends.get(call) ?? 0, to));
  }
  /** @type {Map<string, Span[]>} tensor → when */
  const given = new Map();
  for (const { id, inputs } of ops) {
    const call = callOf.get(id) ?? "";
    const to = ends.get(call) ?? 0;
    for (const input of to ? inputs : []) {
      if (kept.has(input) || makes(call, input) || trace.tensors.get(input)?.is_leaf) continue;
      given.set(input, [...(given.get(input) ?? []), { from: trace.opTime.get(id) ?? 0, to }]);
    }
  }
  for (const [id, spans] of given) {
    const { shape = [], dtype = "" } = trace.tensors.get(id) ?? {};
    held.push({ bytes: elements(shape) * sizeOf(dtype), spans: union(spans) });
  }
  const holding = new Set([...lives].map(([node, life]) => at(peak.t)(life) && callOf.get(node)));
  return {
    frees: peak.bytes - peakOf(curveOf(held)).bytes,
    ops: ops.filter(({ id }) => callOf.has(id) && holding.has(callOf.get(id))).length,
  };
}

/** The call that each op and node is in. @param {Trace} trace @param {string[]} calls @returns {Map<string, string>} */
function callsOf({ document, scopes, during }, calls) {
  const wanted = new Set(calls);
  /** @param {string | null | undefined} scope @returns {string | undefined} */
  const around = (scope) => (!scope || wanted.has(scope) ? (scope ?? undefined) : around(scopes.get(scope)?.parent));
  /** @type {Map<string, string>} */
  const callOf = new Map();
  for (const { id, scope } of document.ops) {
    const call = during.has(id) ? undefined : around(scope);
    if (call) callOf.set(id, call);
  }
  for (const { id, op, scope } of document.nodes) {
    const call = op ? callOf.get(op) : around(scope);
    if (call) callOf.set(id, call);
  }
  return callOf;
}

/** Bytes of one element. @param {string} dtype such as "float32", "bfloat16", "complex64", "bool" */
export const sizeOf = (dtype) => Number(/\d+/.exec(dtype)?.[0] ?? 8) / 8;
