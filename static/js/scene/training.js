/**
 * Training loops: each turn runs backward passes of its own, and no graph goes from one to the next. One turn is drawn,
 * the one at hand, as the top sheet of a stack.
 * @module
 */
import { loopId, turnsAround } from "./turns.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("./turns.js").Turns} Turns */

/** @typedef {{total: number, starts: {turn: number, t: number}[]}} TrainingLoop  starts: when each turn begins */

/** @type {WeakMap<Trace, Map<string, TrainingLoop>>} */
const known = new WeakMap();

/** @param {Trace} trace @returns {Map<string, TrainingLoop>} by loop */
export function trainingLoops(trace) {
  let loops = known.get(trace);
  if (!loops) known.set(trace, (loops = findLoops(trace)));
  return loops;
}

/** @param {Trace} trace */
function findLoops(trace) {
  /** @type {Map<string, Set<number>>} turns with a pass */
  const passes = new Map();
  for (const event of trace.events) {
    if (event.kind !== "backward") continue;
    for (const [loop, turn] of turnsOfNode(trace, event.roots[0]?.[0])) {
      const seen = passes.get(loop);
      if (seen) seen.add(turn);
      else passes.set(loop, new Set([turn]));
    }
  }
  /** @type {Map<string, TrainingLoop>} */
  const loops = new Map();
  for (const [loop, turns] of passes) if (turns.size > 1) loops.set(loop, { total: 0, starts: [] });
  if (!loops.size) return loops;
  for (const node of trace.nodes.values()) {
    const own = new Map(turnsOfNode(trace, node.id));
    for (const next of node.next_functions) {
      if (!next || trace.nodes.get(next[0])?.variable) continue;
      for (const [loop, turn] of turnsOfNode(trace, next[0])) {
        if (own.has(loop) && own.get(loop) !== turn) loops.delete(loop);
      }
    }
  }
  for (const op of trace.document.ops) {
    const t = trace.opTime.get(op.id) ?? 0;
    for (const [id, turn] of turnsAround(trace, op.scope)) {
      const loop = loops.get(id);
      if (loop && loop.starts[loop.starts.length - 1]?.turn !== turn) loop.starts.push({ turn, t });
    }
  }
  for (const scope of trace.scopes.values()) {
    const loop = scope.kind === "loop" ? loops.get(loopId(scope)) : undefined;
    if (loop) loop.total = Math.max(loop.total, (scope.iteration ?? 0) + 1);
  }
  return loops;
}

/** @param {Trace} trace @param {string | undefined} node */
function turnsOfNode(trace, node) {
  const record = trace.nodes.get(node ?? "");
  return turnsAround(trace, trace.ops.get(record?.op ?? "")?.scope ?? record?.scope ?? null);
}

/**
 * The turn of each training loop to draw at time t: the last that has begun, or else the first.
 * @param {Trace} trace
 * @param {number} t
 * @returns {Turns}
 */
export function turnsAt(trace, t) {
  /** @type {Map<string, number>} */
  const turns = new Map();
  for (const [loop, { starts }] of trainingLoops(trace)) {
    let at = starts[0];
    for (const start of starts) if (start.t <= t) at = start;
    if (at) turns.set(loop, at.turn);
  }
  return turns;
}

/** @param {Turns} a @param {Turns} b */
export const sameTurns = (a, b) => a.size === b.size && [...a].every(([loop, turn]) => b.get(loop) === turn);

/**
 * Whether a scope lies in a turn that is not drawn.
 * @param {Trace} trace
 * @param {Turns} turns
 * @returns {(scope: string | null) => boolean}
 */
export function outOfTurn(trace, turns) {
  if (!turns.size) return () => false;
  /** @type {Map<string | null, boolean>} */
  const seen = new Map();
  return (scope) => {
    let out = seen.get(scope);
    if (out === undefined) {
      out = turnsAround(trace, scope).some(([loop, turn]) => turns.has(loop) && turns.get(loop) !== turn);
      seen.set(scope, out);
    }
    return out;
  };
}
