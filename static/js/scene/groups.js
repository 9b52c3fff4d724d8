/**
 * Scopes as nested groups: modules, functions, loops and their iterations. A folded group is drawn as one box.
 * @module
 */
import { formatIteration } from "../trace.js";
import { isLeaf } from "./graph.js";
import { MOST_SHELVED } from "./shelf.js";
import { trainingLoops } from "./training.js";
import { gatherTurns, loopId } from "./turns.js";

/** @typedef {import("./graph.js").Graph} Graph */
/** @typedef {import("./graph.js").Item} Item */
/** @typedef {import("./graph.js").Link} Link */
/** @typedef {import("../trace.js").Trace} Trace */

/**
 * @typedef {object} Group
 * @property {string} id
 * @property {string | null} parent
 * @property {string} kind  module, function, loop, iteration, no_grad
 * @property {string} label
 * @property {number} line
 * @property {number[]} items  indices in the unfolded graph, those of inner groups included
 * @property {number} repeats  iterations of a loop, else 1
 * @property {number} recorded  how many of them are here: fewer where the document had no more room
 * @property {number} depth  1 for outermost
 * @property {number | null} turn  of its loop, for one iteration
 * @property {boolean} gathers  stands for several turns of a loop
 * @property {number} stack  turns of a training loop, of which this is one; else 0
 */

/** Programs with more items than this start folded. */
export const FOLD_ABOVE = 200;

/** Programs with more items than this show one turn of a long loop; the others are gathered. */
const GATHER_ABOVE = 80;

/** Groups with more groups inside stay folded until someone asks. */
const MOST_OPENED = 24;

const DRAWN = new Set(["module", "function", "loop", "no_grad"]);

/**
 * @param {Trace} trace
 * @param {Graph} graph
 * @param {import("./turns.js").Turns} [turns]
 * @param {boolean} [gather]  short loops, too
 * @param {number} [most]  leaves that lie in no group; more are folded with the modules they belong to
 * @returns {Map<string, Group>}  outer groups first; groups that would say nothing are left out
 */
export function findGroups(trace, graph, turns = new Map(), gather = false, most = MOST_SHELVED) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  /** @type {Map<string, string | null>} scope → group */
  const of = new Map();
  const enter = (/** @type {string | null} */ id) => {
    /** @type {string[]} */
    const missing = [];
    for (let scope = id; scope && !of.has(scope); scope = trace.scopes.get(scope)?.parent ?? null) missing.push(scope);
    for (const scope of missing.reverse()) of.set(scope, openGroup(trace, groups, of, scope));
    return id ? (of.get(id) ?? null) : null;
  };
  const leaves = graph.items.filter((item) => isLeaf(trace, item));
  const apart = new Set(leaves.length <= most ? leaves : []);
  graph.items.forEach((item, i) => {
    const scope = apart.has(item) ? null : item.scope;
    for (let id = enter(scope); id; id = groups.get(id)?.parent ?? null) groups.get(id)?.items.push(i);
  });
  const gathered = gatherTurns(groups, turns, gather);
  if (!trace.events.some(({ kind }) => kind === "gap")) {
    for (const group of gathered.values()) group.recorded = group.repeats;
  }
  takeInSources(gathered, graph);
  return prune(gathered, graph);
}

/** @param {Trace} trace @param {Map<string, Group>} groups @param {Map<string, string | null>} of @param {string} id */
function openGroup(trace, groups, of, id) {
  const scope = trace.scopes.get(id);
  if (!scope) return null;
  let parent = scope.parent ? (of.get(scope.parent) ?? null) : null;
  if (!DRAWN.has(scope.kind)) return parent;
  const add = (
    /** @type {string} */ group,
    /** @type {string} */ kind,
    /** @type {string} */ label,
    /** @type {number | null} */ turn = null,
  ) => {
    const depth = (parent ? (groups.get(parent)?.depth ?? 0) : 0) + 1;
    groups.set(group, {
      id: group,
      parent,
      kind,
      label,
      line: scope.line ?? 0,
      items: [],
      repeats: 1,
      recorded: 0,
      depth,
      turn,
      gathers: false,
      stack: 0,
    });
  };
  if (scope.kind !== "loop" || scope.iteration === null || scope.iteration === undefined) {
    add(id, scope.kind, scope.label ?? scope.kind);
    return id;
  }
  const loop = loopId(scope);
  const training = trainingLoops(trace).get(loop);
  if (training) {
    add(id, "loop", `${scope.label ?? "loop"}: ${formatIteration(scope.iteration, training.total)}`);
    /** @type {Group} */ (groups.get(id)).stack = training.total;
    return id;
  }
  if (!groups.has(loop)) add(loop, "loop", scope.label ?? "loop");
  const whole = /** @type {Group} */ (groups.get(loop));
  whole.repeats = Math.max(whole.repeats, scope.iteration + 1);
  whole.recorded++;
  parent = loop;
  add(id, "iteration", `iteration ${scope.iteration}`, scope.iteration);
  return id;
}

/** Leaves that hang on gathered turns alone stay outside while there are no more than these. */
const MOST_HANGING = 3;

/**
 * What only gathered turns use is gathered with them: constants always, leaves when they are many. One turn's worth of
 * inputs is drawn beside the turn that stands out; those of all others would be a tower beside a box.
 * @param {Map<string, Group>} groups @param {Graph} graph
 */
function takeInSources(groups, graph) {
  const gatherers = [...groups.values()].filter((group) => group.gathers);
  if (!gatherers.length) return;
  const innermost = innermostGroups(graph, groups);
  const above = (/** @type {string | null} */ id) => {
    const chain = [];
    for (let at = id; at; at = groups.get(at)?.parent ?? null) chain.push(at);
    return chain;
  };
  const fed = new Set(graph.links.map((link) => link.to));
  for (const gatherer of gatherers) {
    const inside = new Set(gatherer.items);
    const around = above(gatherer.parent);
    const near = new Set([null, ...around]);
    /** @type {Set<number>} */
    const sources = new Set();
    const elsewhere = new Set();
    for (const { from, to } of graph.links) (inside.has(to) ? sources : elsewhere).add(from);
    const hanging = [...sources].filter(
      (i) => !inside.has(i) && !elsewhere.has(i) && !fed.has(i) && near.has(innermost[i]),
    );
    const leaves = hanging.filter((i) => graph.items[i].place !== null);
    for (const i of hanging) {
      if (graph.items[i].place !== null && leaves.length <= MOST_HANGING) continue;
      gatherer.items.push(i);
      for (const id of around) if (!groups.get(id)?.items.includes(i)) groups.get(id)?.items.push(i);
    }
  }
}

/**
 * A scope around a single op says nothing, and one that holds what the scope around it holds only adds its name.
 * @param {Map<string, Group>} groups
 * @param {Graph} graph
 */
function prune(groups, graph) {
  /** @type {Map<string, Group>} */
  const kept = new Map();
  /** @type {Map<string, string | null>} a group left out → where its inner groups go */
  const skipped = new Map();
  const up = (/** @type {string | null} */ id) => {
    while (id && skipped.has(id)) id = skipped.get(id) ?? null;
    return id;
  };
  for (const group of groups.values()) {
    const parent = up(group.parent);
    const around = parent ? kept.get(parent) : undefined;
    const ops = group.items.reduce((count, i) => count + Number(graph.items[i].circle), 0);
    const same = around !== undefined && around.items.length === group.items.length;
    if (same && group.kind !== "iteration") around.label += ` · ${group.label}`;
    if (ops < 2 || same) skipped.set(group.id, parent);
    else kept.set(group.id, { ...group, parent, depth: (around?.depth ?? 0) + 1 });
  }
  return kept;
}

/**
 * Which groups to fold so that about `budget` items remain: outer groups open first, small ones before large ones. Of a
 * long loop only one turn is open, unless the whole program is short.
 * @param {Map<string, Group>} groups
 * @param {number} items
 * @param {boolean} [gather]  short programs, too
 * @param {number} [budget]
 * @returns {Set<string>}
 */
export function foldToFit(groups, items, gather = false, budget = FOLD_ABOVE) {
  /** @type {Set<string>} */
  const folded = new Set();
  if (items <= GATHER_ABOVE && !gather) return folded;
  if (items <= budget) {
    for (const group of groups.values()) if (group.gathers) folded.add(group.id);
    return folded;
  }
  /** @type {Map<string | null, Group[]>} */
  const children = new Map();
  for (const group of groups.values()) {
    const list = children.get(group.parent);
    if (list) list.push(group);
    else children.set(group.parent, [group]);
  }
  const cover = (/** @type {string | null} */ id) =>
    (children.get(id) ?? []).reduce((sum, child) => sum + child.items.length - 1, 0);
  let shown = items - cover(null);
  let open = children.get(null) ?? [];
  while (open.length) {
    const group = open.reduce((least, each) => (cost(each) < cost(least) ? each : least));
    if (shown + cost(group) > budget) break;
    shown += cost(group);
    open = open.filter((each) => each !== group).concat(children.get(group.id) ?? []);
  }
  for (const group of open) folded.add(group.id);
  return folded;

  /** @param {Group} group */
  function cost(group) {
    return group.gathers || (children.get(group.id)?.length ?? 0) > MOST_OPENED
      ? Infinity
      : group.items.length - 1 - cover(group.id);
  }
}

/**
 * Open one group; what is inside stays folded where it would be too much at once.
 * @param {Map<string, Group>} groups @param {Set<string>} folded @param {string} id
 * @returns {Set<string>}
 */
export function openOne(groups, folded, id) {
  const open = new Set(folded);
  open.delete(id);
  if ((groups.get(id)?.items.length ?? 0) <= FOLD_ABOVE / 2) return open;
  for (const group of groups.values()) if (group.parent === id && group.items.length > 2) open.add(group.id);
  return open;
}

/**
 * Fold the innermost of the open groups.
 * @param {readonly Group[]} open
 * @param {ReadonlySet<string>} folded
 * @returns {Set<string>}
 */
export function foldDeepest(open, folded) {
  const deepest = Math.max(0, ...open.map((group) => group.depth));
  return new Set([...folded, ...open.flatMap((group) => (group.depth === deepest ? [group.id] : []))]);
}

/**
 * Open the outermost of the folded groups.
 * @param {Map<string, Group>} groups
 * @param {ReadonlySet<string>} folded
 * @returns {Set<string>}
 */
export function openShallowest(groups, folded) {
  const depth = (/** @type {string} */ id) => groups.get(id)?.depth ?? 1;
  const shallowest = Math.min(...[...folded].map(depth));
  return [...folded]
    .filter((id) => depth(id) === shallowest)
    .reduce((open, id) => openOne(groups, open, id), new Set(folded));
}

/**
 * The graph with folded groups replaced by boxes.
 * @param {Graph} graph
 * @param {Map<string, Group>} groups
 * @param {Set<string>} folded
 * @returns {Graph & {shownAs: Int32Array, groupOf: (string | null)[]}} shownAs: unfolded item → item; groupOf: item →
 *   innermost open group
 */
export function foldGraph(graph, groups, folded) {
  const innermost = innermostGroups(graph, groups);
  /** @type {(string | null)[]} per unfolded item: the outermost folded group around it */
  const hidden = innermost.map((id) => {
    let found = null;
    for (let at = id; at; at = groups.get(at)?.parent ?? null) if (folded.has(at)) found = at;
    return found;
  });
  /** @type {Item[]} */
  const items = [];
  /** @type {(string | null)[]} */
  const groupOf = [];
  /** @type {Map<string, number>} */
  const boxes = new Map();
  const shownAs = new Int32Array(graph.items.length);
  graph.items.forEach((item, i) => {
    const id = hidden[i];
    if (id === null) {
      shownAs[i] = items.length;
      items.push(item);
      groupOf.push(innermost[i]);
      return;
    }
    let box = boxes.get(id);
    if (box === undefined) {
      const group = /** @type {Group} */ (groups.get(id));
      box = items.length;
      items.push({
        key: `g:${group.label}:${group.line}:${id}`,
        kind: "box",
        tensor: null,
        op: null,
        node: null,
        circle: false,
        place: null,
        scope: id,
        from: item.from,
        since: Infinity,
        until: Infinity,
        original: null,
        phase: false,
        group: id,
      });
      groupOf.push(group.parent);
      boxes.set(id, box);
    }
    items[box].from = Math.min(items[box].from, item.from);
    shownAs[i] = box;
  });
  standIn(items, shownAs);
  return { items, links: bundle(graph.links, shownAs, hidden), shownAs, groupOf };
}

/**
 * Repeated cards point at the card they repeat as it is drawn now; where a box has swallowed that one, the first
 * repetition stands in for it, with its `.grad`.
 * @param {Item[]} items @param {Int32Array} shownAs
 */
function standIn(items, shownAs) {
  /** @type {Map<number, number>} original in the unfolded graph → the card that stands in */
  const deputies = new Map();
  for (const [i, item] of items.entries()) {
    if (item.original === null) continue;
    const swallowed = items[shownAs[item.original]].kind === "box" && !item.phase;
    const deputy = swallowed ? deputies.get(item.original) : undefined;
    if (swallowed && deputy === undefined) deputies.set(item.original, i);
    items[i] = { ...item, original: swallowed ? (deputy ?? null) : shownAs[item.original] };
  }
}

/** @param {Graph} graph @param {Map<string, Group>} groups @returns {(string | null)[]} */
export function innermostGroups(graph, groups) {
  /** @type {(string | null)[]} */
  const innermost = new Array(graph.items.length).fill(null);
  for (const group of groups.values()) for (const i of group.items) innermost[i] = group.id;
  return innermost;
}

/**
 * Links between the same two items become one where a box is involved.
 * @param {Link[]} links
 * @param {Int32Array} shownAs
 * @param {(string | null)[]} hidden
 */
function bundle(links, shownAs, hidden) {
  /** @type {Link[]} */
  const shown = [];
  /** @type {Map<string, Link>} */
  const bundles = new Map();
  for (const link of links) {
    const from = shownAs[link.from];
    const to = shownAs[link.to];
    if (from === to) continue;
    if (hidden[link.from] === null && hidden[link.to] === null) {
      shown.push({ ...link, from, to });
      continue;
    }
    const key = `${from}>${to}`;
    const known = bundles.get(key);
    if (known) known.carries.push(...link.carries);
    else {
      // Into what follows a chain goes what went there before.
      const kept = link.role === "input" && hidden[link.from]?.startsWith("chain:") && hidden[link.to] === null;
      const fresh = {
        ...link,
        from,
        to,
        role: kept ? link.role : /** @type {const} */ ("bundle"),
        carries: link.carries.slice(),
        argument: kept ? link.argument : null,
      };
      bundles.set(key, fresh);
      shown.push(fresh);
    }
  }
  return shown;
}
