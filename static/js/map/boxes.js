/**
 * One level of a pass as boxes in the order in which the gradient comes through them: alike parts in a row share a box
 * where there are more than fit. Pure.
 * @module
 */
import { runsAmong } from "./rows.js";
import { flowAmong, normOf } from "./tree.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("./tree.js").Part} Part */
/** @typedef {import("./tree.js").PassTree} PassTree */
/** @typedef {import("./tree.js").Parameter} Parameter */
/** @typedef {import("./tree.js").Norm} Norm */
/** @typedef {import("./tree.js").Link} Link */

/**
 * @typedef {object} Box
 * @property {string} key  of one part its id
 * @property {Part[]} parts  none for a leaf
 * @property {string | null} leaf  the tensor, of a leaf
 * @property {string} name
 * @property {string} type
 * @property {boolean} opens  something is inside
 * @property {Norm | null} arriving  at its outputs; of a leaf what is in its `.grad`
 * @property {Parameter[]} parameters  that it alone sends to
 * @property {(Norm | null)[]} each  of several parts without parameters: what arrives at each
 * @property {{from: number, to: number, time: number}[]} around  ways around modules inside, as shares of its width
 */

/** @typedef {{boxes: Box[], links: Link[]}} Level  links: to the place after the last box: out of the level */

/** A part that has more of the pass than this is shown as what is inside it. */
const DOMINANT = 0.5;
/** So few boxes say little: the largest is shown as what is inside it. */
const FEW = 3;
/** Leaves that have a box of their own, at most. */
const LEAVES = 3;

/** @type {ReadonlySet<any>} */
const NONE = new Set();

/** What a pass goes through, seen from outside. @param {Part} root @returns {Part[]} */
export function outermost(root) {
  let parts = root.children;
  for (;;) {
    const holders = parts.filter(({ children }) => children.some(({ kind }) => kind !== "op"));
    const large = holders.reduce((most, part) => (part.ops > most.ops ? part : most), holders[0]);
    if (!large || (large.ops <= DOMINANT * root.ops && parts.length > FEW)) return parts;
    parts = parts.flatMap((part) => (part === large ? part.children : [part]));
  }
}

/** What a part is called in a box: a module not by a number alone, an iteration by nothing else. @param {Part} part */
function nameOf({ kind, name, parent }) {
  if (kind === "turn") return name.replace(/^\D+/, "");
  return /^\d+$/.test(name) && parent?.kind === "module" ? `${parent.name}.${name}` : name;
}

/**
 * @param {Trace} trace
 * @param {PassTree} tree
 * @param {Part[]} parts
 * @param {{room: number, whole: boolean}} how  room: boxes that fit · whole: all of the pass, leaves included
 * @returns {Level}
 */
export function levelOf(trace, tree, parts, { room, whole }) {
  const ends = leavesOf(trace, tree);
  const leaves = whole ? ends : [];
  const alone = parts.length + leaves.length <= room;
  const pieces = alone ? parts.map((part) => [part]) : folded(parts, room - leaves.length);
  const { arriving, links } = flowBetween(trace, tree, pieces, { ends, whole });
  const apart = new Set([...ends.map(({ tensor }) => tensor), ...sharedBy(pieces)]);
  const boxes = pieces.map((piece, i) => boxOf(trace, tree, piece, { arriving: arriving[i], apart, ends }));
  for (const { tensor, name, grad } of leaves) {
    boxes.push({ ...NOTHING, key: `leaf:${tensor}`, leaf: tensor, name, type: ".grad", arriving: grad });
  }
  return { boxes, links };
}

/**
 * What the pass carries between pieces of it; after them come the leaves that it ends in, or whatever is outside.
 * @param {Trace} trace @param {PassTree} tree @param {Part[][]} pieces @param {{ends: Parameter[], whole: boolean}} how
 */
function flowBetween(trace, tree, pieces, { ends, whole }) {
  const place = new Map(pieces.flatMap((piece, i) => piece.map((part) => /** @type {const} */ ([part, i]))));
  const end = pieces.length;
  /** @type {Map<string, number>} */
  const places = new Map();
  for (const [node, op] of tree.of) {
    let at = /** @type {Part | null} */ (op);
    while (at && !place.has(at)) at = at.parent;
    places.set(node, (at && place.get(at)) ?? end);
  }
  for (const [i, { tensor }] of ends.entries()) {
    const node = nodeOf(trace, tensor);
    if (node) places.set(node, whole ? end + i : end);
  }
  const { arriving, links } = flowAmong(trace, tree.band, (node) => places.get(node) ?? -1, end);
  return { arriving, links: links.filter(({ from }) => from < end) };
}

/** Leaves that several pieces send to: what is in their `.grad` tells of none of these. @param {Part[][]} pieces */
function sharedBy(pieces) {
  const seen = new Set();
  const leavesOfPiece = (/** @type {Part[]} */ piece) =>
    new Set(piece.flatMap(({ parameters }) => parameters.map(({ tensor }) => tensor)));
  return pieces.flatMap((piece) =>
    [...leavesOfPiece(piece)].filter((tensor) => {
      const shared = seen.has(tensor);
      seen.add(tensor);
      return shared;
    }),
  );
}

/** The AccumulateGrad of a leaf. @param {Trace} trace @param {string} leaf */
function nodeOf(trace, leaf) {
  for (const { id, variable } of trace.nodes.values()) if (variable === leaf) return id;
  return null;
}

/** @type {Box} */
const NOTHING = {
  key: "",
  parts: [],
  leaf: null,
  name: "",
  type: "",
  opens: false,
  arriving: null,
  parameters: [],
  each: [],
  around: [],
};

/**
 * @param {Trace} trace @param {PassTree} tree @param {Part[]} parts
 * @param {{arriving: Norm | null, apart: Set<string>, ends: Parameter[]}} how  apart: leaves that are not its own
 * @returns {Box}
 */
function boxOf(trace, tree, parts, { arriving, apart, ends }) {
  const [part] = parts;
  const known = new Map(parts.flatMap((each) => each.parameters).map((each) => [each.tensor, each]));
  const parameters = [...known.values()].filter(({ tensor }) => !apart.has(tensor));
  const one = parts.length === 1;
  return {
    ...NOTHING,
    ...(one ? { name: nameOf(part), type: typeOf(part) } : titleOf(parts)),
    key: one ? part.id : `run:${part.id}:${parts.length}`,
    parts,
    opens: !one || part.children.length > 0,
    arriving,
    parameters,
    each: one || parameters.length ? [] : parts.map((each) => each.arriving),
    around: one ? waysAround(trace, tree, part, ends) : [],
  };
}

/**
 * The residual connections of a part: what goes on both through modules inside and around them.
 * @param {Trace} trace @param {PassTree} tree @param {Part} part @param {Parameter[]} ends
 * @returns {Box["around"]}
 */
function waysAround(trace, tree, { children }, ends) {
  if (children.every(({ kind }) => kind === "op")) return [];
  const pieces = children.map((child) => [child]);
  const { links } = flowBetween(trace, tree, pieces, { ends, whole: false });
  return skipsAmong(links)
    .filter(({ from, to }) => children.slice(from + 1, to).some(({ kind }) => kind !== "op"))
    .map(({ from, to, flow }) => {
      const right = to === children.length ? 1 : (to + 0.5) / children.length;
      return { from: (from + 0.5) / children.length, to: right, time: flow.time };
    });
}

/**
 * Links past other places to where these lead, too, from one that reaches them: residual connections.
 * @param {readonly Link[]} links
 */
export const skipsAmong = (links) =>
  links.filter((link) => {
    const reached = new Set([link.from]);
    const between = links.filter((each) => each !== link && each.from >= link.from && each.to <= link.to);
    for (const { from, to } of [...between].sort((a, b) => a.from - b.from)) if (reached.has(from)) reached.add(to);
    return link.to > link.from + 1 && reached.has(link.to);
  });

/** @param {Part} part */
const typeOf = ({ kind, type, parent }) => (kind === "turn" ? (parent?.name ?? "") : kind === "loop" ? "loop" : type);

/** What several parts are called: from the first that the gradient reaches to the last. @param {Part[]} parts */
function titleOf(parts) {
  const [first, last] = [parts[0], parts[parts.length - 1]];
  const [from, to] = [nameOf(first), nameOf(last)];
  const [a, b] = [from, to].map((name) => /^(.*?)(\d+)$/.exec(name));
  const name = a && b && a[1] === b[1] ? `${a[1]}${a[2]}…${b[2]}` : from === to ? from : `${from}…${to}`;
  const types = new Set(parts.map(typeOf));
  const what = types.size === 1 ? typeOf(first) : "";
  return { name, type: `${what} ×${parts.length}`.trim() };
}

/**
 * So many boxes for more parts: those alike in a row share theirs evenly, and where that is not enough all do.
 * @param {Part[]} parts @param {number} room
 */
function folded(parts, room) {
  const runs = runsAmong(parts, NONE, NONE, 0);
  const alone = runs.filter(({ length }) => length === 1).length;
  const gathered = runs.filter(({ length }) => length > 1);
  if (!gathered.length || alone + gathered.length > room) return shared(parts, 1, room);
  const counts = gathered.map((run) => run.length / periodOf(run));
  const all = counts.reduce((sum, count) => sum + count, 0);
  return runs.flatMap((run) => {
    if (run.length === 1) return [run];
    const period = periodOf(run);
    return shared(run, period, Math.max(1, Math.floor(((room - alone) * run.length) / period / all)));
  });
}

/** After how many parts of a run the same ones come again. @param {Part[]} run */
function periodOf(run) {
  let period = 1;
  while (run.some((part, i) => i >= period && looks(part) !== looks(run[i - period]))) period++;
  return period;
}

/** @param {Part} part */
const looks = ({ kind, type, name }) => `${kind} ${type || (kind === "turn" ? "" : name)}`;

/** So many pieces of about the same size. @param {Part[]} parts @param {number} period @param {number} count */
function shared(parts, period, count) {
  const many = parts.length / period;
  const pieces = Math.min(many, count);
  const at = (/** @type {number} */ i) => Math.floor((i * many) / pieces) * period;
  return Array.from({ length: pieces }, (_, i) => parts.slice(at(i), at(i + 1)));
}

/**
 * The leaves that a pass ends in, which no module holds: those that only its last part sends to, and what a run
 * recorded in part got where nothing was recorded.
 * @param {Trace} trace @param {PassTree} tree
 * @returns {Parameter[]} none where they are many
 */
function leavesOf(trace, { root, of, band }) {
  const parts = outermost(root);
  const last = parts[parts.length - 1];
  /** @type {Set<string>} */
  const elsewhere = new Set();
  for (const [id, op] of of) {
    if (isWithin(op, last)) continue;
    for (const next of trace.nodes.get(id)?.next_functions ?? []) {
      const leaf = next && trace.nodes.get(next[0])?.variable;
      if (leaf) elsewhere.add(leaf);
    }
  }
  const free = (/** @type {Parameter} */ { tensor }) => !trace.tensors.get(tensor)?.path;
  const reached = new Set(root.parameters.map(({ tensor }) => tensor));
  const unseen = trace.events.flatMap((event, i) => {
    if (event.kind !== "grad" || event.by !== "unrecorded" || reached.has(event.tensor) || !event.after) return [];
    const grad = { norm: normOf(trace, event.after), time: Math.max(i, band.end - 1), exact: true };
    return [{ tensor: event.tensor, name: trace.label(event.tensor), size: 0, grad }];
  });
  const found = [...root.parameters.filter(({ tensor }) => !elsewhere.has(tensor)), ...unseen].filter(free);
  return found.length > LEAVES ? [] : found;
}

/** @param {Part} part @param {Part} outer */
function isWithin(part, outer) {
  for (let at = /** @type {Part | null} */ (part); at; at = at.parent) if (at === outer) return true;
  return false;
}
