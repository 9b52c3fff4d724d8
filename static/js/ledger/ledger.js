/**
 * The right pane: what the step does in a sentence, its rule with numbers, and folded away what the engine holds then;
 * or the tensor or node the reader selected.
 * @module
 */

import { formatShape, stateAt } from "../trace.js";
import { breakable, h, LONG } from "../ui/dom.js";
import { folding } from "../ui/folding.js";
import { morph } from "../ui/morph.js";
import { brief } from "../ui/words.js";
import { asText, narrate, savedTensor } from "./sentence.js";
import { formula } from "./math.js";
import { leafRule, rules, startRule } from "./rule.js";
import { findingCard } from "../findings/card.js";
import { gradientCells } from "./cells.js";
import { lessonBlock, tryBlock } from "./lesson.js";
import { cutBehind } from "./why.js";
import { syncNumber, tensorCard, valuePicture } from "./tensor.js";
import { mainEvent, placeAt } from "../timeline/places.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../ui/types").Item} Item */
/** @typedef {import("../ui/types").Token} Token */
/** @typedef {import("../ui/types").NodeEvent} NodeEvent */
/** @typedef {import("../ui/types").Example} Example */

/**
 * @typedef {object} LedgerView
 * @property {Book} book
 * @property {number[]} stops
 * @property {number} t
 * @property {Item | null} selection
 * @property {{example: Example, tour: import("../lessons/lessons.js").Lesson | null} | null} lesson
 * @property {number} caption the statement of the lesson that was asked for
 * @property {number | null} finding which of the findings is open
 * @property {boolean} changeable the program on show can be changed and run
 */

/**
 * @typedef {object} LedgerActions
 * @property {(item: Item | null) => void} onSelect
 * @property {(line: number) => void} onLine
 * @property {(t: number, caption: number) => void} onCaption go to the moment of a statement of the lesson
 * @property {() => void} onChange make the change a lesson suggests
 * @property {(index: number) => void} onFinding open a finding; −1 closes it
 * @property {() => void} onApply make the edits of the finding that is open
 * @property {(tensor: string) => string | null} numberFor  the literal in the program that a leaf got its value from
 * @property {(tensor: string, text: string) => void} onNumber  write another one
 * @property {(tensor: string) => boolean} hasField  whether the program can ask what one element of it sees
 * @property {(tensor: string, index: number[]) => void} onField  ask it
 */

/**
 * @param {HTMLElement} element
 * @param {LedgerActions} actions
 */
export function createLedger(element, actions) {
  element.classList.add("ledger");
  let spoken = "";
  let engineOpen = engineFold.open;
  const remember = (/** @type {boolean} */ open) => {
    engineOpen = open;
    engineFold.remember(open);
  };
  element.addEventListener(
    "toggle",
    ({ target }) => {
      if (target instanceof HTMLDetailsElement) remember(target.open);
    },
    true,
  );
  element.addEventListener("click", (event) => {
    // The toggle event comes late: a step before it would fold them again, and a page that is left forgets it.
    const summary = event.target instanceof Element ? event.target.closest("summary") : null;
    if (summary?.parentElement instanceof HTMLDetailsElement) remember(!summary.parentElement.open);
    const button =
      event.target instanceof Element
        ? event.target.closest("[data-select], [data-line], [data-time], [data-change], [data-finding], [data-apply]")
        : null;
    if (!(button instanceof HTMLElement)) return;
    const { select, line, time, change, caption, finding, apply } = button.dataset;
    if (finding !== undefined) actions.onFinding(Number(finding));
    if (apply !== undefined) actions.onApply();
    if (line) actions.onLine(Number(line));
    if (time) actions.onCaption(Number(time), Number(caption));
    if (change !== undefined) actions.onChange();
    if (select) {
      const [kind, id] = select.split(" ");
      actions.onSelect(id ? { kind: /** @type {Item["kind"]} */ (kind), id } : null);
    }
  });

  element.addEventListener("keydown", (event) => {
    if (
      (event.key !== "Enter" && event.key !== " ") ||
      !(event.target instanceof HTMLElement && event.target.matches("span[role=button]"))
    ) {
      return;
    }
    event.preventDefault();
    event.target.click();
  });

  // The names in a sentence are buttons that wrap as its words do, which a button element does not.
  /** @param {Book} book @param {Token[]} tokens */
  const sentence = (book, tokens) =>
    h(
      "p",
      { class: "say" },
      tokens.map((token) => {
        if (token.kind === "gradient") return gradientCells(book, token);
        if (token.kind === "text") return token.text;
        if (token.kind === "code")
          return h("code", { class: token.text.length > LONG ? null : "whole" }, breakable(token.text));
        const { id, kind } = token;
        if (id && (kind === "node" || kind === "tensor")) {
          return h(
            "span",
            { role: "button", tabindex: 0, class: `t-${kind}`, dataset: { select: `${kind} ${id}` } },
            breakable(token.text),
          );
        }
        return h("b", { class: `t-${kind}` }, token.text);
      }),
    );

  /** @param {string} title @param {...import("../ui/dom.js").Child} body */
  const block = (title, ...body) => h("section", null, h("h3", null, title), ...body);

  /** @param {Book} book @param {string} id @param {string} [text] */
  const tensorLink = (book, id, text) =>
    h(
      "button",
      { type: "button", class: "link-button", dataset: { select: `tensor ${id}` } },
      h("b", null, text ?? book.nameOf(id)),
    );

  /** @param {Book} book @param {string} id a node: its name, and for AccumulateGrad the leaf it feeds */
  function nodeLink(book, id) {
    const leaf = book.leafOf(id);
    const button = h(
      "button",
      { type: "button", class: "link-button", dataset: { select: `node ${id}` } },
      breakable(book.nodeTitle(id)),
    );
    return leaf ? h("span", null, button, " → ", tensorLink(book, leaf)) : button;
  }

  /** What a step says, the statement first. @param {LedgerView} view */
  function told({ book, stops, t }) {
    const place = placeAt(book, stops, t);
    const from = stops[Math.max(0, place.stop - 1)] ?? 0;
    return place.stop === 0 ? narrate(book, 0, 0) : narrate(book, from, t);
  }

  /** @param {LedgerView} view @param {Token[]} statement */
  const step = ({ book, stops, t }, statement) =>
    h(
      "section",
      { class: "ledger-step" },
      h("h2", { id: "ledger-step" }, placeAt(book, stops, t).title),
      sentence(book, statement),
    );

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
  function nodeRule(book, id, t) {
    const node = book.nodes.get(id);
    return ruleBlock(node ? rules(book, node, freshRun(book, id, t)) : []);
  }

  /** The rule of the step at hand. @param {LedgerView} view @param {string | null} node */
  function stepRule({ book, stops, t }, node) {
    const event = mainEvent(book, stops, placeAt(book, stops, t).stop);
    if (event?.kind === "accumulate") return ruleBlock([leafRule(book, event)]);
    if (event?.kind === "backward") return ruleBlock([startRule(book, event)].filter((rule) => rule !== null));
    return node ? nodeRule(book, node, t) : null;
  }

  /** The arrivals, edges and saved tensors of a node. @param {Book} book @param {string} id @param {number} t */
  function nodeDetails(book, id, t) {
    const node = book.nodes.get(id);
    if (!node) return [];
    const now = stateAt(book.trace, t).nodes.get(id);
    const fresh = freshRun(book, id, t);
    const out = [];
    if (now && now.expected > 1) out.push(block("Arriving here", arrivals(book, id, t)));
    if (node.next_functions.length) {
      out.push(
        block(
          "Next functions",
          h(
            "table",
            { class: "facts" },
            h(
              "tbody",
              null,
              node.next_functions.map((edge, i) =>
                h(
                  "tr",
                  null,
                  h(
                    "th",
                    { scope: "row" },
                    `[${i}] `,
                    edge
                      ? nodeLink(book, edge[0])
                      : h(
                          "span",
                          { class: "none" },
                          `None: ${cutBehind(book, node, i)?.short ?? "no gradient wanted"}`,
                        ),
                  ),
                  h("td", null, edge && fresh ? brief(book.value(fresh.grad_inputs[i])) : ""),
                ),
              ),
            ),
          ),
        ),
      );
    }
    const saved = Object.entries(node.saved ?? {});
    out.push(
      block(
        "Saved by this node",
        saved.length === 0
          ? h(
              "p",
              { class: "quiet" },
              node.variable ? "nothing: it only adds to .grad" : "nothing: its slope needs no values",
            )
          : h(
              "table",
              { class: "facts" },
              h(
                "tbody",
                null,
                saved.map(([slot, value]) => {
                  const tensor = savedTensor(book, node, slot);
                  const line = tensor ? book.tensors.get(tensor)?.line : null;
                  return h(
                    "tr",
                    null,
                    h(
                      "th",
                      { scope: "row" },
                      h("span", { class: now?.freed ? "freed" : "" }, slot),
                      tensor ? [" = ", tensorLink(book, tensor)] : null,
                      line ? h("span", { class: "quiet" }, ` (line ${line})`) : null,
                    ),
                    h(
                      "td",
                      null,
                      now?.freed
                        ? h("span", { class: "none" }, "freed")
                        : brief(book.value(/** @type {string} */ (value))),
                    ),
                  );
                }),
              ),
            ),
      ),
    );
    return out;
  }

  /** @param {import("./rule.js").Rule[]} lines */
  const ruleBlock = (lines) => (lines.length ? block("Rule", h("div", { class: "rule" }, lines.map(ruleLine))) : null);

  /** @param {import("./rule.js").Rule} rule */
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

  /**
   * What goes along an edge of the backward graph.
   * @param {Book} book
   * @param {string} key
   * @param {number} t
   * @param {HTMLElement} close
   */
  function edgeDetails(book, key, t, close) {
    const [node, index] = book.edgeOf(key);
    const next = node?.next_functions[index];
    if (!node || !next) return null;
    const state = stateAt(book.trace, t).edges.get(key);
    const ref = state.phase === "none" ? undefined : state.value;
    const value = book.value(ref);
    const tensor = book.targetOf(node.id, index);
    const lines = rules(book, node, ref === undefined ? null : runOf(book, node.id, t), index);
    return h(
      "section",
      null,
      h(
        "div",
        { class: "card-title" },
        h(
          "b",
          null,
          nodeLink(book, node.id),
          " → ",
          book.leafOf(next[0]) && tensor ? tensorLink(book, tensor) : nodeLink(book, next[0]),
        ),
        close,
      ),
      h(
        "p",
        { class: "quiet" },
        "Forward, ",
        tensor ? tensorLink(book, tensor) : "a tensor",
        " goes in; backward, its gradient comes back.",
      ),
      block(
        "Gradient on this edge",
        ref === undefined
          ? h("p", { class: "quiet" }, "Not yet: the node has not run.")
          : value === null
            ? h("p", { class: "quiet" }, "None: nothing was sent.")
            : h(
                "div",
                null,
                h(
                  "p",
                  null,
                  h("code", null, brief(value)),
                  " ",
                  h("span", { class: "shape" }, `${formatShape(value.shape)} ${value.dtype}`),
                ),
                valuePicture(book, ref ?? null, "the gradient on this edge", { compact: false, kind: "gradient" }),
              ),
      ),
      ruleBlock(lines),
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
        const arrived = mine.filter((slot) => slot.value !== undefined).length;
        const tensor = outputs.length > 1 ? book.tensorOfNode(id, nr) : null;
        const rows = mine.flatMap((slot) => {
          const from = slot.from === "seed" || !slot.from ? "the start" : book.nodeTitle(slot.from);
          const row = tensor ? [book.nameOf(tensor), ", from ", from] : ["from ", from];
          return [
            h("dt", null, row),
            slot.value === undefined
              ? h("dd", { class: "wait" }, "waiting…")
              : h("dd", null, brief(book.value(slot.value))),
          ];
        });
        if (mine.length < 2) return rows;
        const sum = now?.sums[nr];
        return [
          ...rows,
          h("dt", { class: "total" }, arrived === mine.length ? "sum" : `sum so far (${arrived} of ${mine.length})`),
          h("dd", { class: "total" }, sum ? brief(book.value(sum)) : "–"),
        ];
      }),
    );
  }

  /** @param {Book} book @param {number} t */
  function queue(book, t) {
    const state = stateAt(book.trace, t);
    if (!state.backward) return null;
    const rows = state.ready
      .slice(0, 8)
      .map((id, i) =>
        h(
          "tr",
          null,
          h("th", { scope: "row" }, nodeLink(book, id)),
          h("td", null, i === 0 ? h("span", { class: "queue-next" }, "next") : "then"),
        ),
      );
    return block(
      "Ready queue",
      rows.length
        ? h(
            "table",
            { class: "facts" },
            h(
              "tbody",
              null,
              rows,
              state.ready.length > 8
                ? h("tr", null, h("th", { colspan: 2 }, `and ${state.ready.length - 8} more`))
                : null,
            ),
          )
        : h("p", { class: "quiet" }, "empty: nothing is left to run"),
    );
  }

  /** The error, in place of the step's sentence. @param {LedgerView} view @param {Token[]} statement */
  function errorBlock({ book, t, stops }, statement) {
    const error = book.doc.error;
    if (!error || t < book.doc.events.length) return null;
    const fix = book.mending?.fix ?? error.fix;
    const started = book.doc.events.some((event) => event.kind !== "error");
    const reason = (book.doc.findings ?? []).findIndex((finding) => finding.explains_error);
    return h(
      "section",
      { class: "ledger-error" },
      h("h2", { id: "ledger-step" }, started ? placeAt(book, stops, t).title : "Before anything was recorded"),
      sentence(book, statement),
      h("p", { class: "error-message" }, error.message),
      error.explanation ? h("p", null, error.explanation) : null,
      fix ? h("p", { class: "fix" }, h("b", null, "Fix: "), fix) : null,
      error.related_lines?.length
        ? h(
            "p",
            null,
            "See ",
            error.related_lines.flatMap((line, i) => [
              i ? ", " : "",
              h("button", { type: "button", class: "link-button", dataset: { line } }, `line ${line}`),
            ]),
            ".",
          )
        : null,
      reason >= 0
        ? h(
            "p",
            null,
            h(
              "button",
              { type: "button", class: "link-button", dataset: { finding: reason } },
              `Finding ${reason + 1}`,
            ),
            ": ",
            book.doc.findings?.[reason]?.headline,
            ".",
          )
        : null,
    );
  }

  /** @param {LedgerView} view */
  function render(view) {
    const { book, t, selection, stops } = view;
    const place = placeAt(book, stops, t);
    const [statement = [], ...rest] = told(view);
    spoken = [statement, ...rest].map(asText).join(" ");
    const failed = errorBlock(view, statement);
    const found = view.finding === null ? null : findingCard(book, view.finding, view.changeable);
    const body = [found, lessonBlock(view), failed ?? step(view, statement)];
    const chosen = selection ? selected(view, selection) : null;
    /** @type {(HTMLElement | null)[]} */
    const engine = [];
    if (rest.length) engine.push(block("More about this step", ...rest.map((tokens) => sentence(book, tokens))));
    if (chosen) body.push(chosen);
    else {
      if (!failed) body.push(stepRule(view, place.node));
      if (place.node) engine.push(...nodeDetails(book, place.node, t));
    }
    const tensor = place.node ? book.leafOf(place.node) : place.tensor;
    if (tensor && !chosen) engine.push(tensorCard({ book, id: tensor, t, actions, compact: true }));
    engine.push(queue(book, t));
    body.push(tryBlock(view));
    if (engine.some(Boolean)) {
      const summary = h("summary", null, "Engine details");
      body.push(h("details", { class: "engine", open: engineOpen }, summary, engine));
    }
    morph(element, body);
    syncNumber(element, actions);
  }

  return {
    render,

    /** The step in words, for screen readers. */
    spoken: () => spoken,
  };

  /** @param {LedgerView} view @param {Item} item */
  function selected({ book, t }, item) {
    const close = h("button", { type: "button", class: "button small close", dataset: { select: "nothing" } }, "Close");
    if (item.kind === "edge") return edgeDetails(book, item.id, t, close);
    if (item.kind === "tensor" && book.tensors.has(item.id)) {
      return tensorCard({ book, id: item.id, t, actions, close });
    }
    const id = item.kind === "op" ? book.ops.get(item.id)?.node : item.id;
    const node = id ? book.nodes.get(id) : undefined;
    if (id && node) {
      return h(
        "section",
        null,
        h(
          "div",
          { class: "card-title" },
          h("b", null, node.name),
          node.line ? h("span", { class: "shape" }, `line ${node.line}`) : null,
          close,
        ),
        node.says ? h("p", { class: "quiet" }, node.says) : null,
        nodeRule(book, id, t),
        nodeDetails(book, id, t),
      );
    }
    const op = book.ops.get(item.id);
    const output = op?.outputs[0];
    return output ? tensorCard({ book, id: output, t, actions, close }) : null;
  }
}

const engineFold = folding("engine-details");
