/**
 * The run document as a book one can look things up in: records by id, display names, who sent what to whom.
 * Pure; one Book per document.
 * @module
 */

import { bufferKey, elements, flatten, isComplex, passes, sameAs, sourceAt, spoken, toNumber } from "../trace.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../trace/document").RunDocument} RunDocument */
/** @typedef {import("../trace/document").Op} OpRecord */
/** @typedef {import("../lessons/suggest.js").Change} Change */
/** @typedef {import("../trace/document").Value} Value */
/** @typedef {import("../trace/document").NodeEvent} NodeEvent */
/** @typedef {import("../trace/document").BackwardEvent} BackwardEvent */
/**
 * @typedef {{from: string | null, value: string | null, sum: string | null, input_nr: number, at: number}} Arrival
 *   from: null is the seed
 */

export class Book {
  /**
   * @param {Trace} trace
   * @param {{stored?: boolean}} [how] stored: the service has the run and can be asked about it
   */
  constructor(trace, { stored = true } = {}) {
    this.trace = trace;
    this.stored = stored;
    this.doc = /** @type {RunDocument} */ (trace.document);
    this.tensors = trace.tensors;
    this.nodes = trace.nodes;
    this.ops = trace.ops;
    /** @type {Map<string, OpRecord>} the op that made a tensor, as opposed to those that wrote to it later */
    this.producer = new Map();
    for (const op of this.doc.ops) {
      for (const output of op.outputs) {
        if (!this.producer.has(output) && !op.inputs.includes(output)) this.producer.set(output, op);
      }
    }
    /** @type {string[]} */
    this.lines = (this.doc.source.code ?? "").split("\n");
    /** @type {Map<string, Arrival[]>} */
    this.arrivals = new Map();
    /** @type {Map<number, BackwardEvent>} */
    this.calls = new Map();
    /** @type {Set<number>} lines with an op that was recorded */
    this.recorded = new Set();
    for (const node of this.doc.nodes) {
      if (node.line && !node.variable) this.recorded.add(node.line);
      if (!node.variable) this.#namesakes.set(node.name, (this.#namesakes.get(node.name) ?? 0) + 1);
    }
    this.#readEvents();
  }

  /** What mends the error, where that is certain, in the names of the program. @type {Change | null} */
  mending = null;

  /** What is told where the program has an autograd of its own. @type {import("../ledger/tape.js").Tape | null} */
  tape = null;

  /** How many nodes bear a class name. @type {Map<string, number>} */
  #namesakes = new Map();

  /** What the reader pointed at; of an edge, the node that sends along it. @param {import("./types").Item} item */
  recordOf({ kind, id }) {
    if (kind === "edge") {
      const [node, index] = this.edgeOf(id);
      return node?.next_functions[index] ? node : undefined;
    }
    return { tensor: this.tensors, node: this.nodes, op: this.ops }[kind].get(id);
  }

  /**
   * @param {string} key as edgeKey makes it
   * @returns {[import("../trace/document").Node | undefined, number]} the node and the index in its next_functions
   */
  edgeOf(key) {
    const cut = key.lastIndexOf(":");
    return [this.nodes.get(key.slice(0, cut)), Number(key.slice(cut + 1))];
  }

  /**
   * Did the op's expression go on to run other ops, so that its text describes more than this op?
   * @param {OpRecord} op
   */
  isPartOfExpression(op) {
    return this.trace.inner.has(op.id);
  }

  /** The module call an op ran in, e.g. `0: Linear`. @param {OpRecord} op @returns {string | null} */
  moduleOf(op) {
    for (let scope = this.trace.scopes.get(op.scope ?? ""); scope; scope = this.trace.scopes.get(scope.parent ?? "")) {
      if (scope.kind === "module") return scope.label;
    }
    return null;
  }

  #readEvents() {
    const push = (/** @type {string} */ key, /** @type {Arrival} */ arrival) => {
      const list = this.arrivals.get(key);
      if (list) list.push(arrival);
      else this.arrivals.set(key, [arrival]);
    };
    this.doc.events.forEach((event, at) => {
      if (event.kind === "backward") {
        this.calls.set(event.call, event);
        event.roots.forEach(([node, nr], i) => {
          const value = event.gradients[i] ?? null;
          push(`${event.call}:${node}`, { from: null, value, sum: value, input_nr: nr, at });
        });
      } else if (event.kind === "node") {
        if (!this.#passOf.has(event.node)) this.#passOf.set(event.node, event.call);
        for (const send of event.sends) {
          push(`${event.call}:${send.to}`, {
            from: event.node,
            value: send.value,
            sum: send.sum,
            input_nr: send.input_nr,
            at,
          });
        }
      }
    });
  }

  /** @param {string | null | undefined} id @returns {Value | null} */
  value(id) {
    return id ? (this.doc.values[id] ?? null) : null;
  }

  /**
   * Everything that reaches `node` during backward call `call`, in order.
   * @param {number} call
   * @param {string} node
   * @returns {Arrival[]}
   */
  arrivalsAt(call, node) {
    return this.arrivals.get(`${call}:${node}`) ?? [];
  }

  /**
   * The source text an op came from, when it lies on one line.
   * @param {OpRecord | undefined} op
   * @returns {string | null}
   */
  sourceOf(op) {
    return op ? sourceAt(this.lines, op) : null;
  }

  /**
   * What to call a tensor in a sentence: its variable, the gradient it is, the expression that made it, or "the result
   * of …".
   * @param {string | null | undefined} id
   * @returns {string}
   */
  nameOf(id) {
    const tensor = id ? this.tensors.get(id) : undefined;
    if (!tensor) return "a tensor";
    const { trace } = this;
    const label = trace.label(tensor.id);
    const of = trace.gradientOf.get(tensor.id);
    if (of) return `the gradient of ${this.nameOf(of)}`;
    const op = this.producer.get(tensor.id);
    const same = op ? passes(op, op.outputs.indexOf(tensor.id)) : sameAs(tensor, this.tensors, trace.holder);
    if (same && !tensor.name) return this.nameOf(same);
    if (tensor.name || tensor.path || !op || label !== spoken(op.name)) return label;
    const source = this.isPartOfExpression(op) ? null : this.sourceOf(op);
    const node = this.moduleOf(op) ? undefined : trace.during.get(op.id);
    return source && source.length <= 28 && !node
      ? source
      : `the result of ${spoken(op.name)}${node ? ` in ${this.nodeName(node)}` : ""}`;
  }

  /** What to call it in a formula, where words would be in the way: as its card does. @param {string} id */
  symbolOf(id) {
    const name = this.nameOf(id);
    return /^the (result|gradient) of /.test(name) ? this.trace.label(id) : name;
  }

  /** @param {string | null | undefined} id the class name of a grad_fn, e.g. `MulBackward0` */
  nodeName(id) {
    return (id && this.nodes.get(id)?.name) || "a node";
  }

  /**
   * A node where several share a class name: with the tensor it stands behind, or the module that it ran in, e.g.
   * `MulBackward0 (3*a)`; where that does not tell them apart, with the turn of a loop, or as one of so many.
   * @param {string} id
   */
  nodeTitle(id) {
    const name = this.nodeName(id);
    if ((this.#namesakes.get(name) ?? 0) < 2) return name;
    const label = this.#nodeLabel(id);
    const twins = this.#twinsOf(name, label, id);
    const which = twins.length < 2 ? "" : (this.#tellApart(twins).get(id) ?? "");
    const known = [label, which].filter(Boolean).join(", ");
    return known ? `${name} (${known})` : name;
  }

  /** What tells nodes apart, found once for all of them. @type {Map<readonly string[], Map<string, string>>} */
  #apart = new Map();

  /** @param {readonly string[]} twins @returns {Map<string, string>} */
  #tellApart(twins) {
    let found = this.#apart.get(twins);
    if (!found) {
      const turns = twins.map((twin) => this.#turnOf(twin));
      const turned = new Set(turns).size === twins.length;
      const which = (/** @type {number} */ i) =>
        turned && turns[i] !== null ? `iteration ${turns[i]}` : `${i + 1} of ${twins.length}`;
      found = new Map(twins.map((twin, i) => [twin, which(i)]));
      this.#apart.set(twins, found);
    }
    return found;
  }

  /** @param {string} id  of a node @returns {string} */
  #nodeLabel(id) {
    const tensor = this.tensorOfNode(id);
    const label = tensor ? this.nameOf(tensor) : "";
    if (label && label.length <= 20 && !/^the (result|gradient) of/.test(label)) return label;
    const op = this.ops.get(this.nodes.get(id)?.op ?? "");
    const module = (op && this.moduleOf(op)) || "";
    return module.length > 20 ? module.split(": ")[0] : module;
  }

  /** The innermost turn of a loop that a node was made in. @param {string} id @returns {number | null} */
  #turnOf(id) {
    const node = this.nodes.get(id);
    const { scopes } = this.trace;
    for (let at = scopes.get(this.ops.get(node?.op ?? "")?.scope ?? ""); at; at = scopes.get(at.parent ?? "")) {
      if (at.kind === "loop") return at.iteration ?? null;
    }
    return null;
  }

  /** Nodes of a class that would be called alike in one pass, by what they are called. @type {Map<string, string[]>} */
  #twins = new Map();

  /** @type {Set<string>} classes whose nodes are among the twins */
  #paired = new Set();

  /** @param {string} name @param {string} label @param {string} id @returns {readonly string[]} oldest first */
  #twinsOf(name, label, id) {
    const key = (/** @type {string} */ of, /** @type {string} */ node) =>
      `${name} ${of} ${this.#passOf.get(node) ?? ""}`;
    if (!this.#paired.has(name)) {
      this.#paired.add(name);
      for (const node of this.doc.nodes) {
        if (node.name !== name || node.variable) continue;
        const each = key(this.#nodeLabel(node.id), node.id);
        const list = this.#twins.get(each);
        if (list) list.push(node.id);
        else this.#twins.set(each, [node.id]);
      }
    }
    return this.#twins.get(key(label, id)) ?? [id];
  }

  /** The first pass that a node ran in. @type {Map<string, number>} */
  #passOf = new Map();

  /** The leaf an AccumulateGrad node belongs to. @param {string | null | undefined} id @returns {string | null} */
  leafOf(id) {
    return (id && this.nodes.get(id)?.variable) || null;
  }

  /**
   * The tensor a node's gradient is about: the op's output, or the leaf.
   * @param {string} id
   * @returns {string | null}
   */
  tensorOfNode(id, output = 0) {
    const node = this.nodes.get(id);
    if (!node) return null;
    if (node.variable) return node.variable;
    const op = node.op ? this.ops.get(node.op) : undefined;
    return op?.outputs[output] ?? op?.outputs[0] ?? this.trace.edges.tensorAt.get(bufferKey(id, output)) ?? null;
  }

  /**
   * The tensor whose gradient leaves through `next_functions[index]`.
   * @param {string} id
   * @param {number} index
   * @returns {string | null}
   */
  targetOf(id, index) {
    const next = this.nodes.get(id)?.next_functions[index];
    return next ? this.tensorOfNode(next[0], next[1]) : null;
  }

  /**
   * Where in the backward graph a tensor's gradient arrives: its node and which output.
   * @param {string} id
   * @returns {[string, number] | null}
   */
  placeOf(id) {
    const tensor = this.tensors.get(id);
    if (tensor?.grad_fn) return [tensor.grad_fn, tensor.output_nr ?? 0];
    const leaf = this.doc.nodes.find((node) => node.variable === id);
    return leaf ? [leaf.id, 0] : null;
  }

  /** The tensor whose gradient `autograd.grad` gave as this tensor. @param {string} id @returns {string | null} */
  askedFor(id) {
    const tensor = this.tensors.get(id);
    if (!tensor?.line || this.producer.has(id)) return null;
    const told = (/** @type {string | null | undefined} */ ref) => {
      const value = this.value(ref);
      return value && JSON.stringify([value.shape, value.data, value.stats]);
    };
    const wanted = told(tensor.value);
    for (const { call, inputs, line } of this.calls.values()) {
      for (const input of line === tensor.line ? (inputs ?? []) : []) {
        const [node, nr] = this.placeOf(input) ?? ["", 0];
        const reached = this.arrivalsAt(call, node).filter(({ input_nr }) => input_nr === nr);
        if (wanted && told(reached.at(-1)?.sum) === wanted) return input;
      }
    }
    return null;
  }

  /** The leaves that require grad and that a tensor is computed from, nearest first. @param {string} id */
  leavesBehind(id) {
    const seen = new Set([id]);
    for (const each of seen) {
      const op = this.producer.get(each);
      for (const input of op?.inputs ?? []) seen.add(input);
    }
    return [...seen].filter((each) => {
      const tensor = this.tensors.get(each);
      return each !== id && tensor?.is_leaf && tensor.requires_grad;
    });
  }

  /** What a backward call started from. @param {number} call @returns {string[]} tensors */
  rootsOf(call) {
    return (this.calls.get(call)?.roots ?? []).flatMap(([node, nr]) => this.tensorOfNode(node, nr) ?? []);
  }
}

/** How many elements a value has. @param {Value | null | undefined} value */
export const sizeOf = (value) => (value ? elements(value.shape) : 0);

/**
 * The numbers of an inline value in row order; null when they are not in the document, or complex.
 * @param {Value | null | undefined} value
 */
export const flatNumbers = (value) => (value && !isComplex(value) ? (flatten(value)?.map(toNumber) ?? null) : null);
