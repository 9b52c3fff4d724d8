/**
 * What is drawn: one item per tensor (a card), per op (a circle) and per folded scope (a box), and the links between
 * them. An op and its only result are one item: a card with its circle. A tensor written in place by a differentiable
 * op has one card per state; a leaf used far away has one card per place.
 * @module
 */
import { bufferKey } from "../trace/edges.js";
import { sameAs } from "../trace/names.js";

/** @typedef {import("../trace.js").Trace} Trace */

/**
 * @typedef {object} Item
 * @property {string} key  the same for the same thing after an edit and a new run
 * @property {"card" | "op" | "box"} kind
 * @property {string | null} tensor
 * @property {string | null} op  of a card, too, whose circle is that op
 * @property {string | null} node  the node of its circle; the AccumulateGrad of a leaf, even if an op made it
 * @property {boolean} circle  an op, or a card with its op
 * @property {string | null} place  bufferKey where the card's gradient is summed
 * @property {string | null} scope  innermost scope it is drawn in
 * @property {number} from  the t from which it exists
 * @property {number} since  writes after this t are shown on it: its first use, or the write that made it
 * @property {number} until  the last t whose state it shows
 * @property {number | null} original  index of the card this one repeats
 * @property {boolean} phase  it repeats the tensor as it was at another version, not only at another place
 * @property {string | null} group  the folded group a box stands for
 */

/**
 * @typedef {object} Link
 * @property {number} from  item, forward direction
 * @property {number} to
 * @property {"input" | "output" | "alias" | "bundle"} role  alias: from a tensor to what was detached from it
 * @property {{node: string, index: number}[]} carries  the backward edges that run along it
 * @property {string | null} tensor
 * @property {string | null} argument  which input of the op it is: self, other …
 * @property {{reason: string, loud: boolean} | null} cut  no gradient passes, and why
 */

/** @typedef {{items: Item[], links: Link[]}} Graph */

/** Only points at the card of a leaf elsewhere. @param {Item} item */
export const isGhost = (item) => item.original !== null && !item.phase;

/**
 * Is it the card of a leaf, with its `.grad`? A leaf that nothing was computed from has one too, and it stays None.
 * @param {Trace} trace @param {Item} item
 */
export function isLeaf(trace, item) {
  const record = trace.tensors.get(item.tensor ?? "");
  const computed = item.node === null || item.circle;
  return item.kind === "card" && !isGhost(item) && (!computed || Boolean(record?.is_leaf && record.requires_grad));
}

/** Elide unnamed intermediate results above this many ops. */
export const COMPACT_ABOVE = 60;

/**
 * @param {Trace} trace
 * @param {(scope: string | null) => boolean} [left]  what lies in such a scope is left out
 * @param {boolean} [dense]  without cards for results that nobody named
 * @returns {Graph}
 */
export function buildGraph(trace, left = () => false, dense = false) {
  const builder = new GraphBuilder(trace, left);
  builder.addOps();
  builder.addNodesWithoutOp();
  builder.addLooseLeaves();
  builder.moveLeavesToTheirUse();
  const compact = dense || builder.ops > COMPACT_ABOVE;
  return joinResults(compact ? elide(trace, builder) : builder);
}

/**
 * An op with one result, and nothing else that made it, is drawn as a circle on the card of that result.
 * @param {Graph} graph
 * @returns {Graph}
 */
function joinResults(graph) {
  const made = graph.items.map(() => 0);
  /** @type {(Link | null | undefined)[]} per op: the link to its only result; null when there are several */
  const result = graph.items.map(() => undefined);
  for (const link of graph.links) {
    if (link.role !== "output") continue;
    made[link.to]++;
    result[link.from] = result[link.from] === undefined ? link : null;
  }
  const index = new Int32Array(graph.items.length);
  const items = graph.items.map((item) => ({ ...item }));
  let count = 0;
  items.forEach((item, i) => {
    const card = result[i] && made[result[i].to] === 1 ? items[result[i].to] : null;
    if (item.kind !== "op" || !card) index[i] = count++;
    else {
      Object.assign(card, { op: item.op, node: item.node ?? card.node, circle: true });
      index[i] = -1;
    }
  });
  const joined = (/** @type {number} */ i) => (index[i] < 0 ? index[/** @type {Link} */ (result[i]).to] : index[i]);
  return {
    items: items.filter((_, i) => index[i] >= 0),
    links: graph.links
      .filter((link) => link.role !== "output" || index[link.from] >= 0)
      .map((link) => ({ ...link, from: joined(link.from), to: joined(link.to) })),
  };
}

/** @implements {Graph} */
class GraphBuilder {
  /** @param {Trace} trace @param {(scope: string | null) => boolean} left */
  constructor(trace, left) {
    this.trace = trace;
    this.left = left;
    this.ops = 0;
    /** @type {Item[]} */
    this.items = [];
    /** @type {Link[]} */
    this.links = [];
    /** @type {Map<string, number>} tensor → its card now */
    this.card = new Map();
    /** @type {Map<string, number>} bufferKey → the card or op whose gradient is summed there */
    this.places = new Map();
    /** @type {Map<string, number>} */
    this.nodeItem = new Map();
    /** @type {Map<string, number>} how often a stem of a key was used */
    this.stems = new Map();
  }

  /** @param {string} stem */
  key(stem) {
    const count = this.stems.get(stem) ?? 0;
    this.stems.set(stem, count + 1);
    return count ? `${stem}~${count}` : stem;
  }

  /** @param {Partial<Item> & {kind: Item["kind"]}} fields @param {string} stem */
  add(fields, stem) {
    this.items.push({
      tensor: null,
      op: null,
      node: null,
      circle: fields.kind === "op",
      place: null,
      scope: null,
      from: 0,
      since: Infinity,
      until: Infinity,
      original: null,
      phase: false,
      group: null,
      ...fields,
      key: this.key(stem),
    });
    return this.items.length - 1;
  }

  /** @param {string} id @param {{place?: string | null, from?: number, scope?: string | null, stem?: string}} [made] */
  addCard(id, made = {}) {
    const { trace } = this;
    const record = trace.tensors.get(id);
    const node = trace.edges.accumulator.get(id) ?? null;
    const place = made.place ?? (node ? bufferKey(node, 0) : null);
    const index = this.add(
      {
        kind: "card",
        tensor: id,
        node: record?.is_leaf ? node : null,
        place,
        scope: made.scope ?? record?.scope ?? null,
        from: made.from ?? trace.histories.born.get(id) ?? 0,
      },
      made.stem ?? `t:${record?.name ?? record?.path ?? "constant"}`,
    );
    this.card.set(id, index);
    if (place && !this.places.has(place)) this.places.set(place, index);
    this.linkSource(id, index);
    return index;
  }

  /**
   * A detached tensor stands behind what it was detached from; one that begins a graph of its own does not.
   * @param {string} id
   * @param {number} index its card
   */
  linkSource(id, index) {
    const { tensors } = this.trace;
    const record = tensors.get(id);
    const source = record?.detached_from;
    const from = source ? this.card.get(source) : undefined;
    if (!record || !source || from === undefined || from === index || record.requires_grad) return;
    this.links.push({
      from,
      to: index,
      role: "alias",
      tensor: source,
      carries: [],
      argument: null,
      cut: { reason: record.why_no_grad?.cut === "data" ? ".data" : "detach", loud: true },
    });
  }

  addOps() {
    const { trace } = this;
    for (const op of trace.document.ops) {
      if (!trace.visible.ops.has(op.id) || this.left(op.scope)) continue;
      this.ops++;
      const node = op.node ? trace.nodes.get(op.node) : undefined;
      const from = trace.opTime.get(op.id) ?? 0;
      const item = this.add({ kind: "op", op: op.id, node: node?.id ?? null, scope: op.scope, from }, `o:${op.name}`);
      if (node) this.nodeItem.set(node.id, item);
      const carried = trace.edges.carried.get(op.id) ?? [];
      const arguments_ = Object.keys(node?.formula ?? {});
      op.inputs.forEach((taken, i) => {
        const id = this.original(taken);
        const index = carried[i] ?? null;
        this.followBase(id, node, index, op.scope, from);
        const source = this.card.get(id) ?? this.addCard(id, this.isConstant(id) ? { scope: op.scope } : {});
        this.items[source].since = Math.min(this.items[source].since, from);
        this.links.push({
          from: source,
          to: item,
          role: "input",
          tensor: id,
          carries: index === null || !node ? [] : [{ node: node.id, index }],
          argument: index === null ? null : (arguments_[index] ?? null),
          cut: (index === null && !this.isUnwritten(id, node)) || !node ? this.cutOf(id, op) : null,
        });
      });
      op.outputs.forEach((id, nr) => trace.visible.tensors.has(id) && this.addOutput(op, id, nr, item, from));
    }
  }

  /**
   * @param {import("../trace.js").OpRecord} op
   * @param {string} id
   * @param {number} nr
   * @param {number} item
   * @param {number} from
   */
  addOutput(op, id, nr, item, from) {
    const { trace } = this;
    const before = this.card.get(id);
    const record = trace.tensors.get(id);
    if (before !== undefined) {
      if (!op.node) return;
      this.items[before].until = from - 1;
    }
    const card = this.addCard(id, {
      place: op.node ? bufferKey(op.node, nr) : null,
      from,
      scope: op.scope,
      stem: record?.name ? `t:${record.name}` : `r:${op.name}`,
    });
    if (before !== undefined) this.items[card].since = from - 1;
    this.links.push({ from: item, to: card, role: "output", tensor: id, carries: [], argument: null, cut: null });
  }

  /**
   * A tensor written through one of its views belongs to another node from then on (CopySlices): it gets another card
   * behind it.
   * @param {string} id
   * @param {import("../trace.js").NodeRecord | undefined} node
   * @param {number | null} index
   * @param {string | null} scope
   * @param {number} from
   */
  followBase(id, node, index, scope, from) {
    const next = index === null ? null : node?.next_functions[index];
    const before = this.card.get(id);
    if (!next || before === undefined) return;
    const old = this.items[before];
    if (!old.place || old.place === bufferKey(next[0], next[1])) return;
    const chain = this.writesSince(old.place, next[0]);
    const times = (this.trace.histories.written.get(id) ?? []).filter((t) => t > old.from && t < from);
    chain.forEach((made, k) => {
      const t = times.at(k - chain.length) ?? from;
      const last = /** @type {number} */ (this.card.get(id));
      let item = this.nodeItem.get(made.id);
      if (item === undefined) {
        item = this.add({ kind: "op", node: made.id, scope, from: t }, `n:${made.name}`);
        this.nodeItem.set(made.id, item);
      }
      this.items[last].until = t - 1;
      const card = this.addCard(id, {
        place: bufferKey(made.id, k === chain.length - 1 ? next[1] : 0),
        from: t,
        scope,
        stem: this.items[last].key,
      });
      this.items[card].since = t - 1;
      this.links.push({ from: item, to: card, role: "output", tensor: id, carries: [], argument: null, cut: null });
    });
  }

  /**
   * The nodes no op made between a place and a node behind it, one for each write through a view.
   * @param {string} place
   * @param {string} node
   * @returns {import("../trace.js").NodeRecord[]} oldest first
   */
  writesSince(place, node) {
    /** @type {import("../trace.js").NodeRecord[]} */
    const chain = [];
    /** @type {[string, number] | null} */
    let at = [node, 0];
    while (at && bufferKey(at[0], at[1]) !== place) {
      const made = this.trace.nodes.get(at[0]);
      if (!made || made.variable || made.op !== null) break;
      chain.unshift(made);
      at = made.next_functions[0];
    }
    return chain;
  }

  /** What a node hands out of what it saved is the tensor it saved. @param {string} id */
  original(id) {
    const { tensors, holder } = this.trace;
    const record = tensors.get(id);
    const saved = record ? tensors.get(sameAs(record, tensors, holder) ?? "") : undefined;
    return record && saved && saved.grad_fn === record.grad_fn && saved.output_nr === record.output_nr ? saved.id : id;
  }

  /** Unnamed tensors that need no gradient are drawn where they are used. @param {string} id */
  isConstant(id) {
    const record = this.trace.tensors.get(id);
    return !record?.name && !record?.requires_grad;
  }

  /**
   * Does an edge lead back to a tensor that a document with no more room does not name?
   * @param {string} id @param {import("../trace.js").NodeRecord | undefined} node
   */
  isUnwritten(id, node) {
    return Boolean(node?.cut && this.trace.tensors.get(id)?.requires_grad);
  }

  /** @param {string} id @param {import("../trace.js").OpRecord} op @returns {Link["cut"]} */
  cutOf(id, op) {
    const record = this.trace.tensors.get(id);
    if (!op.node && record?.requires_grad) {
      const why = op.outputs.map((out) => this.trace.tensors.get(out)?.why_no_grad).find((reason) => reason);
      const yesNo = why?.cut === "integer" && op.outputs.every((out) => this.trace.tensors.get(out)?.dtype === "bool");
      const cut = yesNo ? "bool" : (why?.cut ?? op.name);
      return { reason: cut === "no_grad" ? cut : cut.replaceAll("_", " "), loud: true };
    }
    return {
      reason: (record?.why_no_grad?.cut ?? (record?.requires_grad ? "not used" : "requires_grad=False")).replaceAll(
        "_",
        " ",
      ),
      loud: false,
    };
  }

  /** Nodes that only exist in a backward graph (create_graph) and next functions no input carries. */
  addNodesWithoutOp() {
    const { trace } = this;
    for (const node of trace.document.nodes) {
      if (node.variable || this.nodeItem.has(node.id) || !trace.visible.nodes.has(node.id)) continue;
      if (this.left(node.scope)) continue;
      this.nodeItem.set(node.id, this.add({ kind: "op", node: node.id, scope: node.scope }, `n:${node.name}`));
    }
    for (const [id, indices] of trace.edges.loose) {
      const node = trace.nodes.get(id);
      const to = this.nodeItem.get(id);
      if (!node || to === undefined) continue;
      for (const index of indices) {
        const next = node.next_functions[index];
        if (!next) continue;
        const from = this.places.get(bufferKey(next[0], next[1])) ?? this.sourceOf(next[0]);
        if (from === undefined || from === to) continue;
        this.links.push({
          from,
          to,
          role: "input",
          tensor: null,
          carries: [{ node: id, index }],
          argument: Object.keys(node.formula ?? {})[index] ?? null,
          cut: null,
        });
      }
    }
    const produced = new Set(this.links.filter((link) => link.role === "output").map((link) => link.to));
    for (const [id, card] of this.card) {
      const record = trace.tensors.get(id);
      const from = record?.grad_fn ? this.nodeItem.get(record.grad_fn) : undefined;
      if (!record || from === undefined || produced.has(card)) continue;
      this.items[card].place ??= bufferKey(/** @type {string} */ (record.grad_fn), record.output_nr);
      this.links.push({ from, to: card, role: "output", tensor: id, carries: [], argument: null, cut: null });
    }
  }

  /** @param {string} id  a node */
  sourceOf(id) {
    const variable = this.trace.nodes.get(id)?.variable;
    return variable ? (this.card.get(variable) ?? this.addCard(variable)) : this.nodeItem.get(id);
  }

  /**
   * A parameter belongs to the module that uses it, not to the place that made it; so does a leaf made by a function.
   */
  moveLeavesToTheirUse() {
    const { trace } = this;
    const fed = new Set(this.links.map((link) => link.to));
    /** @type {Map<number, (string | null)[]>} */
    const uses = new Map();
    for (const link of this.links) {
      if (fed.has(link.from)) continue;
      const list = uses.get(link.from);
      if (list) list.push(this.items[link.to].scope);
      else uses.set(link.from, [this.items[link.to].scope]);
    }
    for (const [card, scopes] of uses) {
      const item = this.items[card];
      const record = item.tensor ? trace.tensors.get(item.tensor) : undefined;
      const common = scopes.reduce((a, b) => commonScope(trace, a, b));
      if (record?.path || commonScope(trace, item.scope, common) !== item.scope) item.scope = common;
    }
  }

  /** Leaves nothing was computed from still hold a .grad to ask about. */
  addLooseLeaves() {
    const { tensors, visible } = this.trace;
    for (const id of visible.tensors) {
      if (!this.card.has(this.original(id)) && !this.left(tensors.get(id)?.scope ?? null)) this.addCard(id);
    }
  }
}

/** The innermost scope around two. @param {Trace} trace @param {string | null} a @param {string | null} b */
function commonScope(trace, a, b) {
  const above = new Set();
  for (let id = a; id; id = trace.scopes.get(id)?.parent ?? null) above.add(id);
  for (let id = b; id; id = trace.scopes.get(id)?.parent ?? null) if (above.has(id)) return id;
  return null;
}

/**
 * Where there is little room an unnamed result with one use is only a line between two ops.
 * @param {Trace} trace
 * @param {Graph} graph
 * @returns {Graph}
 */
function elide(trace, graph) {
  const pointed = new Set(trace.blame.tensors);
  /** @type {Set<string | null>} */
  const roots = new Set();
  for (const event of trace.events) {
    if (event.kind === "hook" && event.target && event.on !== "node") pointed.add(event.target);
    if (event.kind === "read" && event.tensor) pointed.add(event.tensor);
    if (event.kind === "backward") for (const [node, nr] of event.roots) roots.add(bufferKey(node, nr));
  }
  /** @type {Map<number, Link[]>} */
  const into = new Map();
  /** @type {Map<number, Link[]>} */
  const out = new Map();
  for (const link of graph.links) {
    (into.get(link.to) ?? into.set(link.to, []).get(link.to))?.push(link);
    (out.get(link.from) ?? out.set(link.from, []).get(link.from))?.push(link);
  }
  /** @type {Map<number, Link>} card → the link that replaces it */
  const gone = new Map();
  graph.items.forEach((item, i) => {
    if (item.kind !== "card" || !item.tensor) return;
    const record = trace.tensors.get(item.tensor);
    const before = into.get(i) ?? [];
    const after = out.get(i) ?? [];
    if (!record || record.name || record.path || record.retains_grad || pointed.has(item.tensor)) return;
    if (roots.has(item.place)) return;
    if (before.length === 1 && after.length === 1 && before[0].role === "output") gone.set(i, before[0]);
  });
  const kept = graph.items.map((_, i) => !gone.has(i));
  const index = new Int32Array(graph.items.length);
  let count = 0;
  kept.forEach((keep, i) => (index[i] = keep ? count++ : -1));
  const links = graph.links
    .filter((link) => !gone.has(link.to))
    .map((link) => ({ ...link, from: index[gone.get(link.from)?.from ?? link.from], to: index[link.to] }));
  const items = graph.items.filter((_, i) => kept[i]).map((item) => ({ ...item }));
  return { items, links };
}
