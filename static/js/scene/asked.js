/**
 * What the program looks at, and all of it when the reader asks: names that are drawn besides, from when on.
 * @module
 */

/** @typedef {import("../trace.js").Trace} Trace */

/** @type {WeakMap<Trace, Asked>} */
const known = new WeakMap();
/** @type {WeakMap<Trace, Asked>} */
const everything = new WeakMap();

/** @param {Trace} trace @param {boolean} all @returns {Asked} */
export function askedOf(trace, all) {
  const cache = all ? everything : known;
  let asked = cache.get(trace);
  if (!asked) cache.set(trace, (asked = new Asked(trace, all)));
  return asked;
}

/** Times are numbers of events; Infinity is never. */
export class Asked {
  /** @param {Trace} trace @param {boolean} all */
  constructor(trace, all) {
    this.trace = trace;
    this.all = all;
    /** @type {Map<string, number>} */
    this.times = new Map();
    if (!all) for (const [i, event] of trace.events.entries()) if (event.kind === "read") this.note(event, i + 1);
  }

  /** @param {import("../trace/document").ReadEvent} read @param {number} t */
  note({ tensor, node, attribute, index }, t) {
    this.first(`${tensor ?? node} ${attribute}`, t);
    if (!node) return;
    const { next_functions = [], variable } = this.trace.nodes.get(node) ?? {};
    if (variable) this.first(`${node} named`, t);
    if (attribute !== "next_functions") return;
    next_functions.forEach((next, i) => {
      if (index.length && index[0] !== i) return;
      this.first(`${node} ${i}`, t);
      if (next) this.first(`${next[0]} named`, t);
    });
  }

  /** @param {string} key @param {number} t */
  first(key, t) {
    if (!this.times.has(key)) this.times.set(key, t);
  }

  /** @param {string} key */
  at(key) {
    return this.all ? 0 : (this.times.get(key) ?? Infinity);
  }

  /** When an attribute of a tensor is looked at. @param {string} tensor @param {string} attribute */
  of(tensor, attribute) {
    return this.at(`${tensor} ${attribute}`);
  }

  /** When `next_functions[index]` of a node is. @param {string} node @param {number} index */
  edge(node, index) {
    return this.at(`${node} ${index}`);
  }

  /** When an AccumulateGrad is looked at, or what leads to it. @param {string} node */
  named(node) {
    return this.at(`${node} named`);
  }
}
