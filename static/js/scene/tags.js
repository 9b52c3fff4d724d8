/**
 * What a card says about its tensor besides numbers: leaf or not, which grad_fn stands behind it, its AccumulateGrad,
 * the flags that a line reads, and why it has no gradient.
 * @module
 */
import { readsAt } from "../trace.js";
import { circle, path, rect, round, text } from "./marks.js";

/** @typedef {import("./asked.js").Asked} Asked */
/** @typedef {import("./graph.js").Item} Item */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./marks.js").Measure} Measure */
/** @typedef {import("./moment.js").Moment} Moment */
/** @typedef {import("../trace.js").Trace} Trace */

/** A word and from when on it is there, and its width. @typedef {{text: string, since: number, w: number}} Word */

/**
 * @typedef {object} Tags
 * @property {Word | null} leaf  "leaf" or "not a leaf"
 * @property {Word | null} gradFn  points at the circle
 * @property {Word | null} accumulator  beside its dot
 * @property {number} flags  room for what is read of it, 0 for nothing
 * @property {number} above  room above the card
 * @property {number} least  width of the card
 */

const SIZE = 13;
const PAD = 9;
/** Half the height of a tag on the upper edge. */
export const HALF = 9;
/** From a tag to the circle it points at. */
const POINTER = 30;
const DOT = 6;

const FLAGS = new Set(["requires_grad", "retains_grad"]);

/**
 * @param {Trace} trace @param {Item} item @param {Asked} asked @param {Measure} measure
 * @param {{tank: boolean, named: boolean, tight: boolean}} card  named: by the program, and no repetition · tight: a
 *   leaf is called one only where the program asks
 * @returns {Tags}
 */
export function planTags(trace, item, asked, measure, { tank, named, tight }) {
  const id = item.tensor ?? "";
  const record = trace.tensors.get(id);
  const word = (/** @type {string} */ content, /** @type {number} */ since, weight = 500, mono = false) =>
    since < Infinity ? { text: content, since, w: Math.ceil(measure(content, SIZE, weight, mono)) + 2 * PAD } : null;
  const asks = (/** @type {string} */ attribute) => (named ? asked.of(id, attribute) : Infinity);
  const leaf = tank
    ? word("leaf", tight ? asks("is_leaf") : 0, 700)
    : word(record?.is_leaf ? "leaf" : "not a leaf", asks("is_leaf"), record?.is_leaf ? 700 : 500);
  const gradFn =
    item.circle && item.node && record?.grad_fn
      ? word(record?.name ? `${record.name}.grad_fn` : "grad_fn", asks("grad_fn"), 400, true)
      : null;
  const accumulator = tank && item.node ? word("AccumulateGrad", asked.named(item.node), 500) : null;
  const read = !asked.all && [...FLAGS, "grad_fn"].some((each) => asks(each) < Infinity);
  const flags = read ? Math.ceil(measure("requires_grad=False", SIZE, 500, true)) + 2 * PAD : 0;
  return {
    leaf,
    gradFn,
    accumulator,
    flags,
    above: accumulator ? 2 * HALF + 2 : leaf || flags ? HALF : 0,
    least: Math.max((leaf ? leaf.w + 16 : 0) + flags, tank && leaf ? 2 * (leaf.w + 20 + spread(trace, id)) : 0),
  };
}

/** How far edges reach right of the dot they lead to. @param {Trace} trace @param {string} id */
const spread = (trace, id) => 7 * Math.max(0, Math.min(6, usesOf(trace, id)) - 1);

/** How far what points at a circle reaches to its left. @param {Tags} tags */
export const pointerReach = ({ gradFn }) => (gradFn ? gradFn.w + POINTER : 0);

/**
 * @param {Tags} tags @param {Item} item @param {Moment} moment
 * @param {{x: number, y: number, w: number, dot: number, tank: boolean}} card  its upper left corner, and where its
 *   AccumulateGrad is
 * @param {{x: number, y: number, half: number} | null} ring  the circle
 * @returns {Mark[]}
 */
export function drawTags(tags, item, moment, { x, y, w, dot, tank }, ring) {
  const { t } = moment.after;
  const reads = readsAt(moment.trace, t).filter((read) => read.tensor === item.tensor);
  const reading = new Set(reads.map(({ attribute }) => attribute));
  /** @type {Mark[]} */
  const marks = [];
  if (tags.leaf && t >= tags.leaf.since) {
    const now = reading.has("is_leaf");
    const bold = tags.leaf.text === "leaf" && tank;
    marks.push(
      ...pill(x + w - tags.leaf.w - 8, y, tags.leaf, { now, ink: bold ? "ink" : "mute", sw: bold ? 1.4 : 1.1 }),
    );
  }
  if (tank && item.node) marks.push(...drawDot(tags, item.node, moment, dot, y, item.until));
  if (ring && tags.gradFn && t >= tags.gradFn.since) {
    marks.push(...drawPointer(tags.gradFn, ring, reading.has("grad_fn")));
  }
  const flag = [...reads]
    .reverse()
    .find(({ attribute, value }) => FLAGS.has(attribute) || (attribute === "grad_fn" && !value));
  if (flag && tags.flags) {
    const written = flag.attribute === "grad_fn" ? "None" : flag.value ? "True" : "False";
    marks.push(
      rect(x + 8, y - HALF, tags.flags - 8, 2 * HALF, { r: HALF, fill: "bwd" }),
      text(x + 4 + tags.flags / 2, y + 4.2, `${flag.attribute}=${written}`, {
        size: SIZE,
        weight: 500,
        mono: true,
        align: "middle",
        fill: "on-bwd",
      }),
    );
  }
  return marks;
}

/**
 * @param {number} x @param {number} y  of its middle @param {Word} word
 * @param {{now: boolean, ink: string, sw: number}} look
 * @returns {Mark[]}
 */
function pill(x, y, word, { now, ink, sw }) {
  const weight = ink === "ink" ? 700 : 500;
  return [
    rect(x, y - HALF, word.w, 2 * HALF, { r: HALF, fill: now ? "bwd" : "panel", stroke: now ? "bwd" : ink, sw }),
    text(x + word.w / 2, y + 4.2, word.text, {
      size: SIZE,
      weight,
      align: "middle",
      fill: now ? "on-bwd" : ink,
    }),
  ];
}

/**
 * Where gradients arrive at a leaf: its AccumulateGrad, filled once it has run.
 * @param {Tags} tags @param {string} node @param {Moment} moment @param {number} x @param {number} y
 * @param {number} until  the last time it shows
 * @returns {Mark[]}
 */
function drawDot({ accumulator }, node, moment, x, y, until) {
  const { phase } = moment.node(node, until);
  const running = phase === "running";
  const read = readsAt(moment.trace, moment.after.t).some((each) => each.node === node);
  const now = running || read;
  /** @type {Mark[]} */
  const marks = [
    circle(x, y, DOT, {
      fill: running ? "bwd" : phase === "done" ? "ink" : "panel",
      stroke: now ? "bwd" : "ink",
      sw: now ? 2.4 : 1.7,
    }),
  ];
  if (accumulator && moment.after.t >= accumulator.since) {
    marks.push(
      text(x - DOT - 4, y - 6, accumulator.text, {
        size: SIZE,
        weight: now ? 600 : 500,
        align: "end",
        fill: now ? "bwd-ink" : "mute",
      }),
    );
  }
  return marks;
}

/** @param {Word} word @param {{x: number, y: number, half: number}} ring @param {boolean} now @returns {Mark[]} */
function drawPointer(word, { x, y, half }, now) {
  const right = x - half - POINTER + 4;
  const tip = x - half - 2;
  const stroke = now ? "bwd" : "mute";
  return [
    rect(right - word.w, y - 11, word.w, 22, { r: 5, fill: now ? "bwd-soft" : "sunken", stroke: now ? "bwd" : "line" }),
    text(right - word.w / 2, y + 4.6, word.text, {
      size: SIZE,
      mono: true,
      align: "middle",
      fill: now ? "bwd-ink" : "ink",
    }),
    path(`M${round(right)} ${round(y)}L${round(tip)} ${round(y)}`, { stroke, sw: 1.4 }),
    path(`M${round(tip)} ${round(y)}L${round(tip - 7)} ${round(y - 4)}L${round(tip - 7)} ${round(y + 4)}Z`, {
      fill: stroke,
    }),
  ];
}

/**
 * What stands below the name: why it has no gradient, or why it is a leaf although it was computed.
 * @param {Trace} trace @param {Item} item @param {Asked} asked @param {{quiet: boolean, tank: boolean}} card
 * @returns {string[]}  lines
 */
export function notesOf(trace, item, asked, { quiet, tank }) {
  const record = trace.tensors.get(item.tensor ?? "");
  if (!record) return [];
  if (quiet) return wrapped(whyQuiet(trace, record));
  if (!tank) return [];
  const unreached = whyUnreached(trace, record.id, item.node);
  if (unreached) return wrapped(unreached);
  const computed = asked.of(record.id, "is_leaf") < Infinity && computedOf(trace).has(record.id);
  return computed ? ["no recorded op made it"] : [];
}

/** @type {WeakMap<Trace, Map<string, number>>} */
const uses = new WeakMap();

/** How many drawn ops take a tensor. @param {Trace} trace @param {string} id */
export function usesOf(trace, id) {
  let counts = uses.get(trace);
  if (!counts) {
    uses.set(trace, (counts = new Map()));
    for (const op of trace.document.ops) {
      if (!trace.visible.ops.has(op.id)) continue;
      for (const input of op.inputs) counts.set(input, (counts.get(input) ?? 0) + 1);
    }
  }
  return counts.get(id) ?? 0;
}

/** @type {WeakMap<Trace, Set<string>>} */
const computed = new WeakMap();

/** What ops made of something. @param {Trace} trace */
function computedOf(trace) {
  let made = computed.get(trace);
  if (!made) {
    const ops = trace.document.ops.filter(({ inputs }) => inputs.length);
    made = new Set(ops.flatMap(({ inputs, outputs }) => outputs.filter((id) => !inputs.includes(id))));
    computed.set(trace, made);
  }
  return made;
}

/** In two lines if it is long: after its colon, else where it is halved. @param {string} note @returns {string[]} */
function wrapped(note) {
  if (note.length < 24) return [note];
  const colon = note.indexOf(": ");
  if (colon > 0) return [note.slice(0, colon + 1), note.slice(colon + 2)];
  const spaces = [...note.matchAll(/ /g)].map(({ index }) => index);
  const cut = spaces.reduce(
    (best, at) => (Math.abs(at - note.length / 2) < Math.abs(best - note.length / 2) ? at : best),
    0,
  );
  return [note.slice(0, cut), note.slice(cut + 1)];
}

/** Why a tensor takes no part, by the document's word for the cut. @type {Record<string, string>} */
const REASONS = {
  no_grad: "computed under no_grad",
  integer: "an integer tensor",
  not_differentiable: "made by an op with no derivative",
  leaf_without_requires_grad: "requires_grad=False",
  inputs_without_requires_grad: "no input requires grad",
};

/**
 * Why a tensor has no gradient, as it stands in its card.
 * @param {Trace} trace @param {import("../trace.js").TensorRecord} record
 */
export function whyQuiet(trace, record) {
  const cut = record.why_no_grad?.cut ?? "leaf_without_requires_grad";
  if (cut === "detach" || cut === "data") {
    const from = record.detached_from ? trace.label(record.detached_from) : "";
    const how = cut === "data" ? ".data" : "detached";
    return from
      ? `${cut === "data" ? ".data of" : "detached from"} ${from}: the path ends here`
      : `${how}: the path ends here`;
  }
  if (cut === "integer" && record.dtype === "bool") return "a bool tensor";
  return REASONS[cut] ?? cut.replaceAll("_", " ");
}

/** What makes a cut, where the document has another word for it. @type {Record<string, string>} */
const MAKERS = { data: ".data", integer: "an integer tensor", not_differentiable: "an op with no derivative" };

/** Cuts somebody made, as opposed to plain constants. */
const MADE = new Set(["detach", "data", "no_grad", "integer", "not_differentiable"]);

/** @type {WeakMap<Trace, Set<string>>} */
const ways = new WeakMap();

/** What the tensors were made from that passes began at, cuts or none. @param {Trace} trace */
function behindRoots(trace) {
  let behind = ways.get(trace);
  if (behind) return behind;
  behind = new Set();
  ways.set(trace, behind);
  const { ops, tensors } = trace.document;
  const sources = new Map(tensors.flatMap(({ id, detached_from: from }) => (from ? [[id, from]] : [])));
  const add = (/** @type {string | undefined} */ id) => {
    for (let at = id; at && !behind.has(at); at = sources.get(at)) behind.add(at);
  };
  for (const event of trace.events) {
    if (event.kind === "backward") for (const [node, nr] of event.roots) add(trace.edges.tensorAt.get(`${node}/${nr}`));
  }
  for (const { inputs, outputs } of [...ops].reverse()) {
    if (outputs.some((out) => behind.has(out))) inputs.forEach(add);
  }
  return behind;
}

/**
 * Why no pass reaches a leaf that wants a gradient.
 * @param {Trace} trace @param {string} id @param {string | null} accumulator
 * @returns {string} "" when one does, or when there is none
 */
export function whyUnreached(trace, id, accumulator) {
  const calls = trace.events.filter((event) => event.kind === "backward");
  if (!calls.length || trace.document.error) return "";
  if (calls.some((call) => call.inputs || (accumulator && call.reachable.includes(accumulator)))) return "";
  const reached = new Set([id]);
  const cutBy = (/** @type {string} */ why) => `its path is cut by ${MAKERS[why] ?? why}`;
  for (const op of trace.document.ops) {
    if (!op.inputs.some((input) => reached.has(input))) continue;
    for (const out of op.outputs) {
      const why = trace.tensors.get(out)?.why_no_grad?.cut;
      if (why && MADE.has(why) && behindRoots(trace).has(out)) return cutBy(why);
      reached.add(out);
    }
  }
  for (const { id: taken, detached_from, why_no_grad } of trace.document.tensors) {
    if (detached_from && reached.has(detached_from) && behindRoots(trace).has(taken)) {
      return cutBy(why_no_grad?.cut ?? "detach");
    }
  }
  return reached.size > 1 ? "no backward() reaches it" : "";
}
