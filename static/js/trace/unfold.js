/**
 * One pass over the events writes down what every tensor, node and edge holds from when on.
 * @module
 */
import { History } from "./history.js";
import { bufferKey, edgeKey, sendIndices } from "./edges.js";
import { cutShort } from "./names.js";

/** @typedef {import("./document").RunDocument} RunDocument */
/** @typedef {import("./types.js").TensorState} TensorState */
/** @typedef {import("./types.js").NodeState} NodeState */
/** @typedef {import("./types.js").EdgeState} EdgeState */
/** @typedef {import("./document").Node} NodeRecord */
/** @typedef {import("./document").Tensor} TensorRecord */
/** @typedef {import("./types.js").Slot} Slot */
/** @typedef {import("./types.js").Band} Band */
/** @typedef {import("./document").BackwardEvent} BackwardEvent */
/** @typedef {import("./document").NodeEvent} NodeEvent */
/** @typedef {import("./edges.js").Edges} Edges */

/** @type {TensorState} */
const UNBORN = Object.freeze({
  created: false,
  value: null,
  grad: null,
  deposits: 0,
  version: 0,
  inFlight: undefined,
  role: null,
  hooked: null,
  name: null,
});
/** @type {NodeState} */
const IDLE = Object.freeze({
  phase: "idle",
  arrived: 0,
  expected: 0,
  slots: [],
  sum: null,
  sums: [],
  freed: false,
  grad_outputs: null,
  grad_inputs: null,
});
/** @type {EdgeState} */
const QUIET = Object.freeze({ value: null, phase: "none" });

/**
 * Slots fill over time, and a node with many consumers has many: all its states look at the same list, each as far as
 * it has filled.
 * @implements {NodeState}
 */
class Busy {
  /**
   * @param {NodeState["phase"]} phase
   * @param {number} arrived
   * @param {Slot[]} plan  every slot with its final value, in order of arrival
   * @param {Pick<NodeState, "sum" | "sums" | "freed" | "grad_outputs" | "grad_inputs">} rest
   */
  constructor(phase, arrived, plan, rest) {
    this.phase = phase;
    this.arrived = arrived;
    this.expected = plan.length;
    this.plan = plan;
    this.sum = rest.sum;
    this.sums = rest.sums;
    this.freed = rest.freed;
    this.grad_outputs = rest.grad_outputs;
    this.grad_inputs = rest.grad_inputs;
  }

  get slots() {
    return this.plan.map((slot, i) => (i < this.arrived ? slot : { ...slot, value: undefined }));
  }

  /** @param {Partial<NodeState>} change */
  with(change) {
    return new Busy(change.phase ?? this.phase, change.arrived ?? this.arrived, this.plan, { ...this, ...change });
  }
}

/**
 * What one backward call has set in motion, and what an outer call had there: that comes back when the inner one ends.
 * @typedef {object} Level
 * @property {Set<string>} nodes
 * @property {Set<string>} tensors
 * @property {Set<string>} edges
 * @property {{nodes: Map<string, NodeState>, tensors: Map<string, TensorState>, edges: Map<string, EdgeState>, ready:
 *   readonly string[]}} outer
 */

/** @param {readonly string[]} ready @returns {Level} */
const newLevel = (ready) => ({
  nodes: new Set(),
  tensors: new Set(),
  edges: new Set(),
  outer: { nodes: new Map(), tensors: new Map(), edges: new Map(), ready },
});

/** @typedef {{name: string, value: string}} Bound */

/**
 * @typedef {object} Histories
 * @property {History<string, TensorState>} tensors
 * @property {History<string, NodeState>} nodes
 * @property {History<string, EdgeState>} edges
 * @property {History<number, string>} lineValues
 * @property {History<number, readonly Bound[]>} bound
 * @property {History<"ready", readonly string[]>} ready
 * @property {History<"line", number | null>} line
 * @property {{t: number, length: number}[]} printed
 * @property {string} stdout
 * @property {Band[]} bands
 * @property {Map<string, number>} born  tensor → the t at which it exists
 * @property {Map<string, number[]>} written  tensor → the t of every in-place write
 */

/**
 * @param {RunDocument} document
 * @param {Map<string, TensorRecord>} tensors
 * @param {Map<string, NodeRecord>} nodes
 * @param {Map<string, import("./document").Op>} ops
 * @param {Edges} edges
 * @returns {Generator<void, Histories>}  pauses now and then
 */
export function* unfold(document, tensors, nodes, ops, edges) {
  const writer = new Unfolding(document, tensors, nodes, ops, edges);
  for (const [i, event] of document.events.entries()) {
    writer.apply(event, i + 1);
    if (i % PIECE === PIECE - 1) yield;
  }
  writer.finish(document.events.length);
  return writer;
}

/** Events between two pauses. */
const PIECE = 5000;

/** @implements {Histories} */
class Unfolding {
  /**
   * @param {RunDocument} document
   * @param {Map<string, TensorRecord>} tensorRecords
   * @param {Map<string, NodeRecord>} nodeRecords
   * @param {Map<string, import("./document").Op>} opRecords
   * @param {Edges} links
   */
  constructor(document, tensorRecords, nodeRecords, opRecords, links) {
    this.document = document;
    this.tensorRecords = tensorRecords;
    this.nodeRecords = nodeRecords;
    this.opRecords = opRecords;
    this.links = links;
    this.tensors = new History(UNBORN);
    this.nodes = new History(IDLE);
    this.edges = new History(QUIET);
    /** @type {History<number, string>} */
    this.lineValues = new History(/** @type {any} */ (undefined));
    /** @type {History<number, readonly Bound[]>} */
    this.bound = new History(/** @type {readonly Bound[]} */ ([]));
    /** @type {History<"ready", readonly string[]>} */
    this.ready = new History(/** @type {readonly string[]} */ ([]));
    /** @type {History<"line", number | null>} */
    this.line = new History(/** @type {number | null} */ (null));
    /** @type {{t: number, length: number}[]} */
    this.printed = [];
    this.stdout = "";
    /** @type {Band[]} */
    this.bands = [];
    /** @type {Band[]} backward calls that have not ended, the innermost last */
    this.underway = [];
    /** @type {Map<string, number>} */
    this.born = new Map();
    /** @type {Map<string, number[]>} */
    this.written = new Map();
    /** @type {string | null} the node whose event was applied last */
    this.running = null;
    /** @type {string[]} */
    this.arriving = [];
    /**
     * @type {Level[]} one per nested call, the outermost first; the last call of a depth stays until the next one there
     */
    this.levels = [newLevel([])];
    this.sends = groupSends(document);
    this.sweeps = sweepingLines(document);
  }

  /** @param {import("./document").Event} event @param {number} t */
  apply(event, t) {
    this.look(event, t);
    switch (event.kind) {
      case "op":
        return this.op(event.op, t);
      case "bind":
        return this.bind(event.tensor, event.name, event.line, t);
      case "write":
        return this.write(event, t);
      case "read":
        if (event.tensor) this.create(event.tensor, t);
        return;
      case "print":
        this.stdout += event.text;
        this.printed.push({ t, length: this.stdout.length });
        return;
      case "backward":
        return this.backward(event, t);
      case "node":
        return this.node(event, t);
      case "hook":
        return this.hook(event, t);
      case "accumulate":
        this.run(event.node, t);
        if (this.ready.latest("ready").includes(event.node)) {
          this.ready.set(
            "ready",
            t,
            this.ready.latest("ready").filter((id) => id !== event.node),
          );
        }
        this.create(event.tensor, t);
        return this.tensor(event.tensor, t, {
          grad: event.after ?? "none",
          deposits: (event.before === null ? 0 : this.tensors.latest(event.tensor).deposits) + 1,
        });
      case "grad":
        this.create(event.tensor, t);
        return this.tensor(event.tensor, t, { grad: event.after ?? "none", deposits: 0 });
      case "release":
        return this.nodeState(event.node, t, { freed: true });
      case "backward_end":
      case "error":
        return this.settle(t);
    }
  }

  /** @param {number} t */
  finish(t) {
    this.close(0, t);
    // Leaves that nothing uses are there once the program has come to their line.
    /** @type {Map<number, number>} */
    const reached = new Map();
    for (const { id, line, is_leaf, requires_grad, name } of this.document.tensors) {
      if (this.born.has(id) || !is_leaf || !requires_grad || !name) continue;
      const from = line ?? 0;
      if (!reached.has(from)) {
        const at = this.document.events.findIndex((event) => "line" in event && (event.line ?? 0) >= from);
        reached.set(from, at < 0 ? t : at + 1);
      }
      this.create(id, reached.get(from) ?? t);
    }
  }

  /** @param {import("./document").Event} event @param {number} t */
  look(event, t) {
    let line = "line" in event ? event.line : undefined;
    if (event.kind === "node" || event.kind === "release" || event.kind === "accumulate") {
      line = this.lineOfNode(event.node) ?? undefined;
    }
    if (event.kind === "hook" && event.registered) line = event.registered;
    if (event.kind === "error") line = this.document.error?.line ?? undefined;
    if (line !== undefined && line !== null && line !== this.line.latest("line")) this.line.set("line", t, line);
  }

  /** @param {string} id @returns {number | null} */
  lineOfNode(id) {
    const node = this.nodeRecords.get(id);
    if (node?.variable) return this.tensorRecords.get(node.variable)?.line ?? null;
    return node?.line ?? null;
  }

  /** @param {string} id @param {number} t @param {Partial<TensorState>} change */
  tensor(id, t, change) {
    this.tensors.set(id, t, { ...this.tensors.latest(id), ...change });
  }

  /** @param {string} id @param {number} t @param {Partial<NodeState>} change */
  nodeState(id, t, change) {
    const before = this.nodes.latest(id);
    this.nodes.set(id, t, before instanceof Busy ? before.with(change) : { ...before, ...change });
  }

  /** @param {string} id @param {number} t */
  create(id, t) {
    if (this.born.has(id)) return;
    this.born.set(id, t);
    const record = this.tensorRecords.get(id);
    this.tensor(id, t, { created: true, value: record?.value ?? null, grad: "none", name: record?.path ?? null });
  }

  /** @param {string} id @param {number} t */
  op(id, t) {
    const op = this.opRecords.get(id);
    if (!op) return;
    for (const tensor of op.inputs) this.create(tensor, t);
    for (const tensor of op.outputs) this.create(tensor, t);
    const value = op.outputs.length ? this.tensors.latest(op.outputs[0]).value : null;
    const within = this.underway.at(-1); // what a backward pass computes is not what the line that called it gives
    const result = op.line !== within?.line && !cutShort(op, this.document.error);
    if (value && op.line && result && !this.setsUp(op.outputs[0], op.line)) {
      this.lineValues.set(op.line, t, value);
    }
  }

  /** @param {string} id @param {string} name @param {number | null} line @param {number} t */
  bind(id, name, line, t) {
    this.create(id, t);
    const { value, name: known } = this.tensors.latest(id);
    const first = this.tensorRecords.get(id)?.name;
    if (known === null || (first === name && known !== name)) this.tensor(id, t, { name });
    if (!line || !value) return;
    const before = this.document.events[t - 2]; // a line's bindings come one after the other
    const others = before?.kind === "bind" && before.line === line ? this.bound.latest(line) : [];
    this.bound.set(line, t, [...others, { name, value }]);
    this.lineValues.set(line, t, value);
  }

  /** @param {import("./document").WriteEvent} event @param {number} t */
  write(event, t) {
    this.create(event.tensor, t);
    this.tensor(event.tensor, t, { value: event.value, version: event.version });
    const times = this.written.get(event.tensor);
    if (times) times.push(t);
    else this.written.set(event.tensor, [t]);
    if (event.line && event.value && !this.setsUp(event.tensor, event.line) && !this.sweeps.has(event.line)) {
      this.lineValues.set(event.line, t, event.value);
    }
  }

  /**
   * Is a tensor filled by the line that made it, as a module fills its parameters?
   * @param {string} id
   * @param {number} line
   */
  setsUp(id, line) {
    const record = this.tensorRecords.get(id);
    return Boolean(record?.is_leaf && record.path && record.line === line);
  }

  /** @param {BackwardEvent} event @param {number} t */
  backward(event, t) {
    this.settle(t);
    const outer = this.underway.at(-1);
    this.forget(this.underway.length, t);
    this.levels.push(newLevel(this.ready.latest("ready")));
    /** @type {Band} */
    const band = {
      ...(outer ? { outer } : {}),
      call: event.call,
      start: t - 1,
      end: -1,
      retain_graph: event.retain_graph,
      create_graph: event.create_graph,
      line: event.line ?? null,
    };
    this.bands.push(band);
    this.underway.push(band);
    const plans = this.plan(event);
    for (const [id, plan] of plans) {
      const before = this.nodes.latest(id);
      this.touch("nodes", id);
      this.nodes.set(
        id,
        t,
        new Busy("waiting", 0, plan, {
          sum: null,
          sums: [],
          freed: before.freed,
          grad_outputs: null,
          grad_inputs: null,
        }),
      );
    }
    event.roots.forEach(([node, nr], i) => this.arrive(node, nr, event.gradients[i] ?? null, "seed", t));
    this.ready.set(
      "ready",
      t,
      [...new Set(event.roots.map(([node]) => node))].filter((id) => this.nodes.latest(id).phase === "ready"),
    );
  }

  /**
   * Forget the previous backward call at a depth: its gradients are no longer in flight.
   * @param {number} depth
   * @param {number} t
   */
  forget(depth, t) {
    for (const { nodes, tensors, edges } of this.levels.splice(depth)) {
      for (const id of nodes) this.nodes.set(id, t, this.nodes.latest(id).freed ? { ...IDLE, freed: true } : IDLE);
      for (const id of tensors) this.tensor(id, t, { inFlight: undefined, role: null, hooked: null });
      for (const key of edges) this.edges.set(key, t, QUIET);
    }
  }

  /**
   * Note that the running call changes something, before it does.
   * @param {"nodes" | "tensors" | "edges"} kind
   * @param {string} id
   */
  touch(kind, id) {
    const depth = Math.max(0, this.underway.length - 1);
    for (const inner of this.levels.slice(depth + 1)) inner[kind].delete(id);
    const level = this.levels[depth];
    if (level[kind].has(id)) return;
    if (this.levels.slice(0, depth).some((outer) => outer[kind].has(id))) {
      level.outer[kind].set(id, /** @type {any} */ (this[kind].latest(id)));
    }
    level[kind].add(id);
  }

  /**
   * An inner call has ended: what it shares with the calls around it is as those had it.
   * @param {Level} level
   * @param {number} t
   */
  restore(level, t) {
    for (const [id, state] of level.outer.nodes) {
      const { freed } = this.nodes.latest(id);
      this.nodes.set(id, t, state instanceof Busy ? state.with({ freed }) : { ...state, freed });
    }
    for (const [id, { inFlight, role, hooked }] of level.outer.tensors) this.tensor(id, t, { inFlight, role, hooked });
    for (const [key, state] of level.outer.edges) this.edges.set(key, t, state);
    for (const kind of /** @type {const} */ (["nodes", "tensors", "edges"])) {
      for (const id of level.outer[kind].keys()) level[kind].delete(id);
    }
    this.ready.set("ready", t, level.outer.ready);
  }

  /**
   * The slots of every node of one call: gradients that do arrive in their order, then those that never came.
   * @param {BackwardEvent} event
   * @returns {Map<string, Slot[]>}
   */
  plan(event) {
    /** @type {Map<string, Slot[]>} */
    const plans = new Map(event.reachable.map((id) => [id, []]));
    const add = (/** @type {string} */ to, /** @type {Slot} */ slot) => {
      const plan = plans.get(to);
      if (plan) plan.push(slot);
      else plans.set(to, [slot]);
    };
    event.roots.forEach(([node, nr], i) =>
      add(node, { from: "seed", index: i, input_nr: nr, value: event.gradients[i] ?? null }),
    );
    const sent = new Set();
    for (const node of this.sends.get(event.call) ?? []) {
      const indices = sendIndices(this.nodeRecords.get(node.node), node.sends);
      node.sends.forEach((send, i) => {
        sent.add(edgeKey(node.node, indices[i]));
        add(send.to, { from: node.node, index: indices[i], input_nr: send.input_nr, value: send.value });
      });
      sent.add(node.node);
    }
    const reachable = new Set(event.reachable);
    for (const from of event.reachable) {
      if (sent.has(from)) continue;
      this.nodeRecords.get(from)?.next_functions.forEach((next, index) => {
        if (next && reachable.has(next[0])) add(next[0], { from, index, input_nr: next[1], value: undefined });
      });
    }
    return plans;
  }

  /**
   * @param {string} to
   * @param {number} nr
   * @param {string | null} sum
   * @param {string} from
   * @param {number} t
   */
  arrive(to, nr, sum, from, t) {
    const before = this.nodes.latest(to);
    const arrived = before.arrived + 1;
    const sums = [...before.sums];
    sums[nr] = sum;
    this.touch("nodes", to);
    this.nodeState(to, t, { arrived, sum, sums, phase: arrived >= before.expected ? "ready" : "waiting" });
    const tensor = this.links.tensorAt.get(bufferKey(to, nr));
    if (tensor !== undefined && this.born.has(tensor)) {
      this.touch("tensors", tensor);
      this.tensor(tensor, t, { inFlight: sum ?? "none", role: from === "seed" ? "seed" : "passing", hooked: null });
    }
  }

  /** @param {NodeEvent} event @param {number} t */
  node(event, t) {
    const record = this.nodeRecords.get(event.node);
    this.run(event.node, t);
    this.nodeState(event.node, t, { grad_outputs: event.grad_outputs, grad_inputs: event.grad_inputs });
    const indices = sendIndices(record, event.sends);
    event.sends.forEach((send, i) => {
      this.arrive(send.to, send.input_nr, send.sum, event.node, t);
      if (indices[i] < 0) return;
      const key = edgeKey(event.node, indices[i]);
      this.touch("edges", key);
      this.edges.set(key, t, { value: send.value, phase: "arriving" });
      this.arriving.push(key);
    });
    this.ready.set("ready", t, event.ready);
  }

  /** A node's events, its accumulation among them, may come in any order. @param {string} node @param {number} t */
  run(node, t) {
    if (this.running === node) return;
    this.settle(t);
    this.touch("nodes", node);
    this.nodeState(node, t, { phase: "running" });
    this.running = node;
  }

  /** A hook may replace the gradient in flight. @param {import("./document").HookEvent} event @param {number} t */
  hook(event, t) {
    const { target } = event;
    if (target === null) return;
    if (event.on === "tensor" && this.born.has(target) && event.after.length) {
      const state = this.tensors.latest(target);
      const value = event.after[0] ?? null;
      const place = this.placeAbout(target);
      if (state.inFlight !== undefined) {
        this.tensor(target, t, {
          inFlight: value ?? "none",
          hooked:
            place && event.before[0] !== value
              ? { place, before: state.hooked?.before ?? event.before[0] ?? null, value }
              : state.hooked,
        });
      }
    } else if (this.tensorRecords.has(target)) this.create(target, t);
  }

  /**
   * Where a tensor's gradient has been summed and waits for its node to run.
   * @param {string} id
   * @returns {string | null}
   */
  placeAbout(id) {
    const record = this.tensorRecords.get(id);
    const leaf = this.links.accumulator.get(id);
    return record?.grad_fn ? bufferKey(record.grad_fn, record.output_nr) : leaf ? bufferKey(leaf, 0) : null;
  }

  /** The calls from a depth on have ended. @param {number} depth @param {number} t */
  close(depth, t) {
    if (depth >= 0) for (const band of this.underway.splice(depth)) band.end = t;
  }

  /**
   * What `autograd.grad` was asked for has been handed to the program: those nodes wait no longer, and never ran.
   * @param {number} depth @param {number} t
   */
  leaveUnrun(depth, t) {
    for (const id of this.levels[Math.max(0, depth)]?.nodes ?? []) {
      const { phase, freed } = this.nodes.latest(id);
      if (phase === "ready") this.nodeState(id, t, { phase: "handed" });
      else if (phase === "waiting") this.nodes.set(id, t, freed ? { ...IDLE, freed } : IDLE);
    }
  }

  /** What ran is done, what was arriving has been sent. @param {number} t */
  settle(t) {
    if (this.running !== null) {
      this.nodeState(this.running, t, { phase: "done" });
      for (const [nr] of this.nodes.latest(this.running).sums.entries()) {
        const tensor = this.links.tensorAt.get(bufferKey(this.running, nr));
        if (tensor !== undefined && this.tensors.latest(tensor).role === "passing") {
          this.tensor(tensor, t, { role: "passed" });
        }
      }
      this.running = null;
    }
    for (const key of this.arriving) this.edges.set(key, t, { value: this.edges.latest(key).value, phase: "sent" });
    this.arriving = [];
    const event = this.document.events[t - 1];
    if (event.kind === "backward_end" || event.kind === "error") this.ready.set("ready", t, []);
    if (event.kind === "error") this.close(0, t);
    else if (event.kind === "backward_end") {
      const depth = this.underway.findIndex((band) => band.call === event.call);
      this.close(depth, t);
      this.leaveUnrun(depth, t);
      if (depth > 0) this.restore(this.levels[depth], t);
    }
  }
}

/**
 * Lines that write several tensors without an op that says so, as `optimizer.step()` does: none of the values is the
 * line's own.
 * @param {RunDocument} document
 */
function sweepingLines(document) {
  /** @type {Map<number, Set<string>>} */
  const written = new Map();
  let op = 0; // the line of an op whose tensors are written, a view's base among them
  document.events.forEach((event) => {
    if (event.kind !== "write") op = event.kind === "op" ? (event.line ?? 0) : 0;
    if (event.kind !== "write" || !event.line || op === event.line) return;
    written.set(event.line, (written.get(event.line) ?? new Set()).add(event.tensor));
  });
  return new Set([...written].flatMap(([line, tensors]) => (tensors.size > 1 ? [line] : [])));
}

/** @param {RunDocument} document @returns {Map<number, NodeEvent[]>} */
function groupSends(document) {
  /** @type {Map<number, NodeEvent[]>} */
  const calls = new Map();
  for (const event of document.events) {
    if (event.kind !== "node") continue;
    const events = calls.get(event.call);
    if (events) events.push(event);
    else calls.set(event.call, [event]);
  }
  return calls;
}
