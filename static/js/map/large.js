/**
 * Which passes are large. Kept apart from how they are shown, which only those need. Pure.
 * @module
 */
/** @typedef {import("../trace.js").Trace} Trace */

/** Passes of more ops than this are shown as a map. */
const MAP_ABOVE = 40;
/** And those of so many that go through several modules. */
export const SEVERAL_ABOVE = 20;

/** The calls of passes that are large. @param {Trace} trace @param {number} [above]  ops @returns {Set<number>} */
export function largeCalls(trace, above = MAP_ABOVE) {
  const ops = new Map();
  for (const event of trace.events) {
    if (event.kind !== "node" || trace.nodes.get(event.node)?.variable !== null) continue;
    ops.set(event.call, (ops.get(event.call) ?? 0) + 1);
  }
  return new Set([...ops].flatMap(([call, count]) => (count > above ? [call] : [])));
}
