/**
 * One backward pass as a tree of modules, functions, loops and ops, in the order in which the pass goes through them,
 * with the norm of the gradient that arrives at each and leaves it. Pure.
 * @module
 */
import { bufferKey, elements, flatten, toNumber, valueSummary } from "../trace.js";
import { symbolFor } from "../scene/ops.js";
import { largeCalls, SEVERAL_ABOVE } from "./large.js";
import { part } from "./part.js";
import { gatherSteps } from "./steps.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../trace.js").Band} Band */
/** @typedef {import("../trace/document").Send} Send */

/** @typedef {{norm: number, time: number, exact: boolean}} Norm  known after event `time`; L2 */
/** @typedef {{tensor: string, name: string, size: number, grad: Norm | null}} Parameter */
/**
 * @typedef {{from: number, to: number, norm: number, time: number}} Skip  places among the children; `to` may be past
 *   the last: out of the part
 */

/**
 * @typedef {object} Part
 * @property {string} id
 * @property {Part | null} parent
 * @property {"pass" | "module" | "function" | "loop" | "turn" | "op"} kind
 * @property {string} name  `layers.3`
 * @property {string} type  `TransformerEncoderLayer`; the node of an op
 * @property {Part[]} children  in the order of the pass
 * @property {string | null} node  of an op
 * @property {number} line
 * @property {number} first  index of the first and the last event of a node in it
 * @property {number} last
 * @property {number} ops
 * @property {Parameter[]} parameters  leaves that its ops send to, each once
 * @property {Norm | null} arriving  at its outputs, from outside
 * @property {Norm | null} leaving  for what it was given; leaves of its own not counted
 * @property {Skip[]} skips  ways around children: residual connections
 */

/** @typedef {{root: Part, of: Map<string, Part>, band: Band, largest: number, smallest: number}} PassTree */

/** @type {WeakMap<Band, PassTree>} */
const known = new WeakMap();

/**
 * @param {Trace} trace
 * @param {Band} band  of the pass
 * @returns {PassTree}
 */
export function passTree(trace, band) {
  let tree = known.get(band);
  if (!tree) known.set(band, (tree = grow(trace, band)));
  return tree;
}

/** @param {Trace} trace @param {Band} band @returns {PassTree} */
function grow(trace, band) {
  const root = part("pass", null, "pass", "backward", "", 0);
  /** @type {Map<string, Part>} node → the op in the tree */
  const of = new Map();
  const builder = new Builder(trace, root);
  for (let i = band.start; i < band.end; i++) {
    const event = trace.events[i];
    if (event.kind !== "node" || event.call !== band.call) continue;
    const node = trace.nodes.get(event.node);
    if (!node || node.variable !== null) continue;
    const op = builder.place(event.node);
    of.set(event.node, op);
    for (let at = /** @type {Part | null} */ (op); at; at = at.parent) {
      at.first = Math.min(at.first, i);
      at.last = Math.max(at.last, i);
      at.ops++;
    }
  }
  gatherSteps(
    trace,
    [...builder.parts.values()].filter(({ kind }) => kind === "module"),
  );
  unwrap(root);
  addParameters(trace, band, of);
  nameOutermost(trace, root);
  const { smallest, largest } = addFlow(trace, band, of);
  return { root, of, band, largest, smallest };
}

class Builder {
  /** @param {Trace} trace @param {Part} root */
  constructor(trace, root) {
    this.trace = trace;
    this.root = root;
    /** @type {Map<string, Part>} scope, or loop, → part */
    this.parts = new Map();
    /** Some ops were not recorded. */
    this.cut = trace.events.some(({ kind }) => kind === "gap");
  }

  /** Put a node where its op ran. @param {string} id */
  place(id) {
    const node = this.trace.nodes.get(id);
    const op = node?.op ? this.trace.ops.get(node.op) : undefined;
    const around = this.around(op?.scope ?? node?.scope ?? null);
    const name = op ? this.trace.label(op.outputs[0] ?? "") : symbolFor(node?.name ?? id);
    const home = op || node?.line || !this.cut ? around : this.unwritten(around);
    const made = part("op", home, `op:${id}`, name, node?.name ?? "", op?.line ?? node?.line ?? 0);
    made.node = id;
    return made;
  }

  /** Where nodes go that tell neither line nor turn, as there was no room for their ops. @param {Part} parent */
  unwritten(parent) {
    const key = `${parent.id}/unwritten`;
    const known = this.parts.get(key);
    if (known) return known;
    const made = part("function", parent, key, "ops not recorded", "", 0);
    this.parts.set(key, made);
    return made;
  }

  /** @param {string | null} id  of a scope @returns {Part} */
  around(id) {
    const scope = id ? this.trace.scopes.get(id) : undefined;
    if (!scope || !id) return this.root;
    const known = this.parts.get(id);
    if (known) return known;
    const parent = this.around(scope.parent);
    const made = this.open(scope, parent, id);
    this.parts.set(id, made);
    return made;
  }

  /** @param {import("../trace.js").ScopeRecord} scope @param {Part} parent @param {string} id @returns {Part} */
  open(scope, parent, id) {
    const label = scope.label ?? scope.kind;
    const line = scope.line ?? 0;
    if (scope.kind === "module") {
      const cut = label.lastIndexOf(": ");
      return part(
        "module",
        parent,
        id,
        cut < 0 ? label : label.slice(0, cut),
        cut < 0 ? "" : label.slice(cut + 2),
        line,
      );
    }
    if (scope.kind === "function") {
      return label === "forward" && parent.kind === "module"
        ? parent
        : part("function", parent, id, `${label}()`, "", line);
    }
    if (scope.kind !== "loop") return parent;
    const key = `${parent.id}/${label}:${line}`;
    let loop = this.parts.get(key);
    if (!loop) this.parts.set(key, (loop = part("loop", parent, key, label, "", line)));
    return part("turn", loop, id, `iteration ${scope.iteration ?? 0}`, "", line);
  }
}

/** Does an iteration only call a module, which says more than its number? @param {Part} turn */
function isOneModule({ children }) {
  const [first, ...more] = children.filter(({ ops }) => ops);
  return !more.length && first?.kind === "module";
}

/** A loop of which one turn belongs to the pass says nothing, nor does what is empty. @param {Part} root */
function unwrap(root) {
  const todo = [root];
  for (let at = todo.pop(); at; at = todo.pop()) {
    for (let changed = true; changed; ) {
      changed = false;
      at.children = at.children.flatMap((child) => {
        if (!child.ops) return [];
        const alone = child.kind === "loop" && child.children.length === 1;
        if (!alone && !(child.kind === "turn" && (at?.kind !== "loop" || isOneModule(child)))) return [child];
        changed = true;
        return child.children;
      });
    }
    for (const child of at.children) child.parent = at;
    at.children.sort((a, b) => a.first - b.first);
    todo.push(...at.children);
  }
}

/** @param {Trace} trace @param {Band} band @param {Map<string, Part>} of */
function addParameters(trace, band, of) {
  /** @type {Map<string, Norm>} leaf → what the pass left in its `.grad` */
  const grads = new Map();
  for (let i = band.start; i < band.end; i++) {
    const event = trace.events[i];
    if (event.kind === "accumulate" && event.call === band.call) {
      grads.set(event.tensor, { norm: normOf(trace, event.after), time: i, exact: true });
    }
  }
  for (const [id, op] of of) {
    for (const next of trace.nodes.get(id)?.next_functions ?? []) {
      const leaf = next && trace.nodes.get(next[0])?.variable;
      const tensor = leaf ? trace.tensors.get(leaf) : undefined;
      if (!leaf || !tensor) continue;
      for (let at = /** @type {Part | null} */ (op); at; at = at.parent) {
        if (at.parameters.some((known) => known.tensor === leaf)) break;
        const name = trace.label(leaf);
        at.parameters.push({ tensor: leaf, name, size: elements(tensor.shape), grad: grads.get(leaf) ?? null });
      }
    }
  }
}

/** A module that no other holds is called as the variable it is in. @param {Trace} trace @param {Part} root */
function nameOutermost(trace, root) {
  const todo = [...root.children];
  for (let at = todo.pop(); at; at = todo.pop()) {
    todo.push(...at.children);
    if (at.kind !== "module" || at.type) continue;
    const { name, parameters } = at;
    at.type = name;
    const holds = (/** @type {string} */ path) => parameters.every((each) => each.name.startsWith(`${path}.`));
    const known = (trace.document.modules ?? []).find(({ path, type }) => type === name && holds(path));
    if (known && parameters.length) at.name = known.path;
  }
}

/** @typedef {{refs: (string | null)[], sum: string | null, time: number}} Arrivals  at one input of a node */

/** @param {Trace} trace @param {Band} band @param {Map<string, Part>} of */
function addFlow(trace, band, of) {
  /** @type {Map<Part, Map<string, Arrivals>>[]} */
  const [arriving, leaving] = [new Map(), new Map()];
  /** @type {Map<string, number>} */
  const total = new Map();
  /** @type {Map<Part, Way[]>} */
  const between = new Map();
  const way = (/** @type {Part} */ at, /** @type {Way} */ each) => {
    const list = between.get(at);
    if (list) list.push(each);
    else between.set(at, [each]);
  };
  const begin = trace.events[band.start];
  if (begin?.kind === "backward") {
    begin.roots.forEach(([node, nr], k) => {
      const send = { to: node, input_nr: nr, value: begin.gradients[k] ?? null, sum: null };
      for (const at of chainOf(of.get(node))) note(arriving, at, send, band.start);
      total.set(bufferKey(node, nr), 1);
    });
  }
  for (let i = band.start; i < band.end; i++) {
    const event = trace.events[i];
    if (event.kind !== "node" || event.call !== band.call) continue;
    const above = chainOf(of.get(event.node));
    for (const send of event.sends) {
      const target = of.get(send.to);
      const key = bufferKey(send.to, send.input_nr);
      total.set(key, (total.get(key) ?? 0) + 1);
      if (!target || !above.length) continue;
      const below = chainOf(target);
      let same = 0;
      while (above[same] === below[same]) same++;
      for (const at of below.slice(same)) note(arriving, at, send, i);
      for (const at of above.slice(same)) note(leaving, at, send, i);
      way(above[same - 1], { from: above[same], to: below[same], ref: send.value, time: i });
      for (let k = same; k < above.length - 1; k++)
        way(above[k], { from: above[k + 1], to: null, ref: send.value, time: i });
    }
  }
  let smallest = Infinity;
  let largest = 0;
  const measured = (/** @type {Norm | null} */ norm) => {
    if (norm && norm.norm > 0 && Number.isFinite(norm.norm)) {
      smallest = Math.min(smallest, norm.norm);
      largest = Math.max(largest, norm.norm);
    }
    return norm;
  };
  for (const [at, buffers] of arriving) at.arriving = measured(normOfAll(trace, buffers, total));
  for (const [at, buffers] of leaving) at.leaving = measured(normOfAll(trace, buffers, total));
  for (const [at, list] of between) at.skips = skipsAmong(trace, at, list);
  return { smallest, largest };
}

/**
 * @typedef {{arriving: (Norm | null)[], links: Link[]}} Flow  arriving: at each place, from any other
 * @typedef {{from: number, to: number, flow: Norm}} Link  between two places, in the order of the first
 */

/**
 * What the pass carries between places that its nodes lie in.
 * @param {Trace} trace
 * @param {Band} band
 * @param {(node: string) => number} placeOf  −1 for a node that lies elsewhere
 * @param {number} count  of places
 * @returns {Flow}
 */
export function flowAmong(trace, band, placeOf, count) {
  /** @type {Map<number, Map<string, Arrivals>>} */
  const arriving = new Map();
  /** @type {Map<string, Map<string, Arrivals>>} */
  const links = new Map();
  /** @type {Map<string, number>} */
  const total = new Map();
  const begin = trace.events[band.start];
  for (const [k, [to, input_nr]] of (begin?.kind === "backward" ? begin.roots : []).entries()) {
    total.set(bufferKey(to, input_nr), 1);
    const value = (begin.kind === "backward" ? begin.gradients[k] : null) ?? null;
    if (placeOf(to) >= 0) note(arriving, placeOf(to), { to, input_nr, value, sum: null }, band.start);
  }
  for (let i = band.start; i < band.end; i++) {
    const event = trace.events[i];
    if (event.kind !== "node" || event.call !== band.call) continue;
    const from = placeOf(event.node);
    for (const send of event.sends) {
      const key = bufferKey(send.to, send.input_nr);
      total.set(key, (total.get(key) ?? 0) + 1);
      const to = placeOf(send.to);
      if (to < 0 || to === from) continue;
      note(arriving, to, send, i);
      if (from >= 0) note(links, `${from}:${to}`, send, i);
    }
  }
  const norm = (/** @type {Map<string, Arrivals> | undefined} */ buffers) =>
    buffers ? normOfAll(trace, buffers, total) : null;
  return {
    arriving: Array.from({ length: count }, (_, i) => norm(arriving.get(i))),
    links: [...links].flatMap(([key, buffers]) => {
      const [from, to] = key.split(":").map(Number);
      const flow = norm(buffers);
      return flow ? [{ from, to, flow }] : [];
    }),
  };
}

/** @param {Part | undefined} op @returns {Part[]} outermost first */
function chainOf(op) {
  const chain = [];
  for (let at = op ?? null; at; at = at.parent) chain.push(at);
  return chain.reverse();
}

/**
 * @template K
 * @param {Map<K, Map<string, Arrivals>>} table @param {K} at
 * @param {Pick<Send, "to" | "input_nr" | "value" | "sum">} send @param {number} time
 */
function note(table, at, send, time) {
  let buffers = table.get(at);
  if (!buffers) table.set(at, (buffers = new Map()));
  const key = bufferKey(send.to, send.input_nr);
  const arrivals = buffers.get(key);
  if (!arrivals) buffers.set(key, { refs: [send.value], sum: send.sum, time });
  else {
    arrivals.refs.push(send.value);
    arrivals.sum = send.sum;
    arrivals.time = time;
  }
}

/**
 * @param {Trace} trace
 * @param {Map<string, Arrivals>} buffers
 * @param {Map<string, number>} total
 * @returns {Norm | null}
 */
function normOfAll(trace, buffers, total) {
  let squares = 0;
  let time = -1;
  let exact = true;
  for (const [key, { refs, sum, time: at }] of buffers) {
    time = Math.max(time, at);
    const one = refs.length === 1 ? normOf(trace, refs[0]) : null;
    const all = one === null && refs.length === total.get(key) ? normOf(trace, sum) : null;
    const added = one === null && all === null ? normOfSum(trace, refs) : null;
    if (one === null && all === null && added === null) exact = false;
    squares += (one ?? all ?? added ?? Math.hypot(...refs.map((ref) => normOf(trace, ref)))) ** 2;
  }
  return time < 0 ? null : { norm: Math.sqrt(squares), time, exact };
}

/** @param {Trace} trace @param {string | null | undefined} ref @returns {number}  NaN or infinite as what is in it */
export function normOf(trace, ref) {
  const summary = valueSummary(trace, ref);
  if (!summary?.broken) return summary?.norm ?? 0;
  const nan = trace.value(ref)?.stats?.nan || summary.cells.some(Number.isNaN);
  return nan ? NaN : Infinity;
}

/**
 * @param {Trace} trace
 * @param {(string | null)[]} refs
 * @returns {number | null} null where the numbers are not there
 */
function normOfSum(trace, refs) {
  const lists = refs.map((ref) => flatten(trace.value(ref)));
  const [first] = lists;
  if (!first || lists.some((list) => list?.length !== first.length)) return null;
  return Math.hypot(...first.map((_, i) => lists.reduce((sum, list) => sum + toNumber(list?.[i]), 0)));
}

/** @typedef {{from: Part, to: Part | null, ref: string | null, time: number}} Way  between children; null: out */

/** @param {Trace} trace @param {Part} at @param {Way[]} list @returns {Skip[]} */
function skipsAmong(trace, at, list) {
  const place = new Map(at.children.map((child, i) => [child, i]));
  const end = at.children.length;
  const ends = list.some(({ from, to }) => to === null && place.get(from) === end - 1);
  /** @type {Map<string, Skip>} */
  const skips = new Map();
  for (const { from, to, ref, time } of list) {
    const a = place.get(from) ?? 0;
    const b = to ? (place.get(to) ?? 0) : ends ? end : a;
    if (b - a < 2 || skips.has(`${a}:${b}`)) continue;
    skips.set(`${a}:${b}`, { from: a, to: b, norm: normOf(trace, ref), time });
  }
  return [...skips.values()];
}

/** So many modules after each other are seen better on their path than folded in a graph. */
const SEVERAL = 5;

/**
 * Whether a pass of the run is large, and has modules, functions or loops in it; or is not small, and goes through
 * several modules.
 * @param {Trace} trace
 */
export function wantsMap(trace) {
  const [large, medium] = [largeCalls(trace), largeCalls(trace, SEVERAL_ABOVE)];
  return trace.bands.some((band) => {
    if (!medium.has(band.call)) return false;
    const { root } = passTree(trace, band);
    return (large.has(band.call) && root.children.some((part) => part.kind !== "op")) || modulesIn(root) >= SEVERAL;
  });
}

/** Modules beside each other, outermost, also in loops. @param {Part} root */
function modulesIn({ children }) {
  for (let parts = children; ; ) {
    const around = parts.filter(({ kind }) => kind !== "op");
    if (around.length === 1 && around[0].children.length) parts = around[0].children;
    else {
      const each = around.flatMap((part) => (part.kind === "loop" ? part.children : [part]));
      return each.filter(({ kind }) => kind === "module").length;
    }
  }
}
