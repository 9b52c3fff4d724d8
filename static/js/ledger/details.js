/**
 * What the engine holds at a time: the rule of a node with its numbers, its edges and saved tensors, what goes along an
 * edge, what has arrived, and the ready queue.
 * @module
 */
import { formatShape, stateAt } from "../trace.js";
import { h } from "../ui/dom.js";
import { brief } from "../ui/words.js";
import { mainEvent, placeAt } from "../timeline/places.js";
import { formula } from "./math.js";
import { block, facts, nodeLink, quiet, tensorLink } from "./parts.js";
import { leafRule, rules, startRule } from "./rule.js";
import { savedTensor } from "./sentence.js";
import { valuePicture } from "./tensor.js";
import { cutBehind } from "./why.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../trace/document").NodeEvent} NodeEvent */
/** @typedef {import("../trace/document").Node} NodeRecord */
/** @typedef {import("./rule.js").Rule} Rule */

/**
 * The event of a node that ran at or before t in the latest call.
 * @param {Book} book
 * @param {string} id
 * @param {number} t
 * @returns {NodeEvent | null}
 */
function runOf(book, id, t) {
  for (let i = t - 1; i >= 0; i--) {
    const event = book.doc.events[i];
    if (event?.kind === "node" && event.node === id) return event;
  }
  return null;
}

/** The event of a node with the gradients it still shows. @param {Book} book @param {string} id @param {number} t */
const freshRun = (book, id, t) => (stateAt(book.trace, t).nodes.get(id)?.grad_outputs ? runOf(book, id, t) : null);

/** @param {Book} book @param {string} id a node @param {number} t */
export function nodeRule(book, id, t) {
  const node = book.nodes.get(id);
  return ruleBlock(node ? rules(book, node, freshRun(book, id, t)) : []);
}

/** @typedef {{book: Book, stops: number[], t: number}} StepView */

/** The rule of the step at hand. @param {StepView} view */
export const stepRule = (view) => ruleBlock(rulesOf(view));

/** Its lines alone. @param {StepView} view */
export const stepLines = (view) => rulesOf(view).map(ruleLine);

/** @param {StepView} view @returns {Rule[]} */
function rulesOf({ book, stops, t }) {
  const place = placeAt(book, stops, t);
  const event = mainEvent(book, stops, place.stop);
  if (event?.kind === "accumulate") return [leafRule(book, event)];
  if (event?.kind === "backward") return [startRule(book, event)].filter((rule) => rule !== null);
  const node = place.node ? book.nodes.get(place.node) : undefined;
  return node ? rules(book, node, freshRun(book, node.id, t)) : [];
}

/** Each with PyTorch's own formula below it, once for inputs that share one. @param {Rule[]} lines */
function ruleBlock(lines) {
  if (!lines.length) return null;
  const shown = lines.flatMap((rule, i) => {
    const own = lines[i + 1]?.own === rule.own ? null : rule.own;
    return [ruleLine(rule), own ? h("div", { class: "rule-own" }, "PyTorch: ", own) : null];
  });
  return block("Rule", h("div", { class: "rule" }, shown));
}

/** @param {Rule} rule */
function ruleLine({ latex, text, numbers, result }) {
  const math = h("div", { class: "rule-math", dataset: { key: latex } });
  void formula(math, latex, text);
  const left = numbers && numbers !== result ? `${numbers} ` : "";
  return h(
    "div",
    { class: "rule-line" },
    math,
    result ? h("div", { class: "rule-numbers" }, `${left}= `, h("b", null, result)) : null,
  );
}

/** The arrivals, edges and saved tensors of a node. @param {Book} book @param {string} id @param {number} t */
export function nodeDetails(book, id, t) {
  const node = book.nodes.get(id);
  if (!node) return [];
  const now = stateAt(book.trace, t).nodes.get(id);
  return [
    now && now.expected > 1 ? block("Incoming gradients", arrivals(book, id, t)) : null,
    node.next_functions.length ? block("Next functions", nextFunctions(book, node, freshRun(book, id, t))) : null,
    block("Saved by this node", saved(book, node, now?.freed ?? false)),
  ];
}

/** @param {Book} book @param {NodeRecord} node @param {NodeEvent | null} run */
const nextFunctions = (book, node, run) =>
  facts(
    node.next_functions.map((edge, i) => {
      const none = () => `None: ${cutBehind(book, node, i)?.short ?? "it doesn't require grad"}`;
      const to = edge ? nodeLink(book, edge[0]) : h("span", { class: "none" }, none());
      const sent = edge && run ? brief(book.value(run.grad_inputs[i])) : "";
      return h("tr", null, h("th", { scope: "row" }, `[${i}] `, to), h("td", null, sent));
    }),
  );

/** @param {Book} book @param {NodeRecord} node @param {boolean} freed */
function saved(book, node, freed) {
  const slots = Object.entries(node.saved ?? {});
  if (slots.length === 0) {
    return quiet(node.variable ? "nothing: it only adds to .grad" : "nothing: its derivative needs no values");
  }
  return facts(
    slots.map(([slot, value]) => {
      const tensor = savedTensor(book, node, slot);
      const line = tensor ? book.tensors.get(tensor)?.line : null;
      return h(
        "tr",
        null,
        h(
          "th",
          { scope: "row" },
          h("span", { class: freed ? "freed" : "" }, slot),
          tensor ? [" = ", tensorLink(book, tensor)] : null,
          line ? h("span", { class: "quiet" }, ` (line ${line})`) : null,
        ),
        h("td", null, freed ? h("span", { class: "none" }, "freed") : brief(book.value(/** @type {string} */ (value)))),
      );
    }),
  );
}

/**
 * What goes along an edge of the backward graph.
 * @param {Book} book
 * @param {string} key
 * @param {number} t
 * @param {HTMLElement} close
 */
export function edgeDetails(book, key, t, close) {
  const [node, index] = book.edgeOf(key);
  const next = node?.next_functions[index];
  if (!node || !next) return null;
  const state = stateAt(book.trace, t).edges.get(key);
  const ref = state.phase === "none" ? undefined : state.value;
  const tensor = book.targetOf(node.id, index);
  const to = book.leafOf(next[0]) && tensor ? tensorLink(book, tensor) : nodeLink(book, next[0]);
  return h(
    "section",
    null,
    h("div", { class: "card-title" }, h("b", null, nodeLink(book, node.id), " → ", to), close),
    h(
      "p",
      { class: "quiet" },
      "Forward, ",
      tensor ? tensorLink(book, tensor) : "a tensor",
      " goes in; backward, its gradient comes out.",
    ),
    block("Gradient on this edge", gradientSent(book, ref)),
    ruleBlock(rules(book, node, ref === undefined ? null : runOf(book, node.id, t), index)),
  );
}

/** @param {Book} book @param {string | null | undefined} ref  undefined: nothing yet */
function gradientSent(book, ref) {
  if (ref === undefined) return quiet("Not yet: the node has not run.");
  const value = book.value(ref);
  if (value === null) return quiet("None: nothing was sent.");
  return h(
    "div",
    null,
    h(
      "p",
      null,
      h("code", null, brief(value)),
      " ",
      h("span", { class: "shape" }, `${formatShape(value.shape)} ${value.dtype}`),
    ),
    valuePicture(book, ref, "the gradient on this edge", { compact: false, kind: "gradient" }),
  );
}

/** A fan-in as a sum one can watch. @param {Book} book @param {string} id @param {number} t */
function arrivals(book, id, t) {
  const now = stateAt(book.trace, t).nodes.get(id);
  const slots = now?.slots ?? [];
  const outputs = [...new Set(slots.map((slot) => slot.input_nr))].sort((a, b) => a - b);
  return h(
    "dl",
    { class: "sum" },
    outputs.flatMap((nr) => {
      const mine = slots.filter((slot) => slot.input_nr === nr);
      const tensor = outputs.length > 1 ? book.tensorOfNode(id, nr) : null;
      const rows = mine.flatMap((slot) => arrival(book, slot, tensor));
      if (mine.length < 2) return rows;
      const arrived = mine.filter((slot) => slot.value !== undefined).length;
      const sum = now?.sums[nr];
      return [
        ...rows,
        h("dt", { class: "total" }, arrived === mine.length ? "sum" : `sum so far (${arrived} of ${mine.length})`),
        h("dd", { class: "total" }, sum ? brief(book.value(sum)) : "–"),
      ];
    }),
  );
}

/**
 * @param {Book} book
 * @param {import("../trace/types.js").Slot} slot
 * @param {string | null} tensor to be named, where a node has several outputs
 */
function arrival(book, { from, value }, tensor) {
  const sender = from === "seed" || !from ? "the start" : book.nodeTitle(from);
  return [
    h("dt", null, tensor ? [book.nameOf(tensor), ", from ", sender] : ["from ", sender]),
    value === undefined ? h("dd", { class: "wait" }, "waiting…") : h("dd", null, brief(book.value(value))),
  ];
}

/** Nodes of the ready queue that are listed. */
const QUEUED = 8;

/** @param {Book} book @param {number} t */
export function queue(book, t) {
  const { backward, ready } = stateAt(book.trace, t);
  if (!backward) return null;
  const rows = ready
    .slice(0, QUEUED)
    .map((id, i) =>
      h(
        "tr",
        null,
        h("th", { scope: "row" }, nodeLink(book, id)),
        h("td", null, i === 0 ? h("span", { class: "queue-next" }, "next") : "then"),
      ),
    );
  if (ready.length > QUEUED) rows.push(h("tr", null, h("th", { colspan: 2 }, `and ${ready.length - QUEUED} more`)));
  return block("Ready queue", rows.length ? facts(rows) : quiet("empty: nothing is left to run"));
}
