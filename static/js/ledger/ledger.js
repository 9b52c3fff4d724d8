/**
 * The right pane: what the step does in a sentence, its rule with numbers, and folded away what the engine holds then;
 * or the tensor or node the reader selected.
 * @module
 */

import { h } from "../ui/dom.js";
import { folding } from "../ui/folding.js";
import { morph } from "../ui/morph.js";
import { asText, narrate } from "./sentence.js";
import { findingCard } from "../findings/card.js";
import { edgeDetails, nodeDetails, nodeRule, queue, stepRule } from "./details.js";
import { lessonBlock, tryBlock } from "./lesson.js";
import { block, linkButton, sentence } from "./parts.js";
import { syncNumber, tensorCard } from "./tensor.js";
import { placeAt } from "../timeline/places.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../ui/types").Item} Item */
/** @typedef {import("../trace/document").Node} NodeRecord */
/** @typedef {import("../ui/types").Token} Token */
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
  return new Ledger(element, actions);
}

const engineFold = folding("engine-details");

/** What can be clicked: elements listen by delegation, as they are morphed. */
const CLICKABLE = "[data-select], [data-line], [data-time], [data-change], [data-finding], [data-apply]";

class Ledger {
  /** The step in words. */
  #spoken = "";
  #engineOpen = engineFold.open;

  /** @param {HTMLElement} element @param {LedgerActions} actions */
  constructor(element, actions) {
    this.element = element;
    this.actions = actions;
    element.classList.add("ledger");
    element.addEventListener("toggle", (event) => this.#toggled(event), true);
    element.addEventListener("click", (event) => this.#clicked(event));
    element.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** The step in words, for screen readers. */
  spoken() {
    return this.#spoken;
  }

  /** @param {LedgerView} view */
  render(view) {
    const { book, t, selection, stops } = view;
    const [statement = [], ...rest] = told(view);
    this.#spoken = [statement, ...rest].map(asText).join(" ");
    const failed = errorBlock(view, statement);
    const chosen = selection ? this.#selected(view, selection) : null;
    const { node } = placeAt(book, stops, t);
    const engine = this.#engine(view, rest, chosen !== null);
    morph(this.element, [
      view.finding === null ? null : findingCard(book, view.finding, view.changeable),
      lessonBlock(view),
      failed ?? step(view, statement),
      chosen ?? (failed ? null : stepRule(view, node)),
      tryBlock(view),
      engine.some(Boolean)
        ? h("details", { class: "engine", open: this.#engineOpen }, h("summary", null, "Engine details"), engine)
        : null,
    ]);
    syncNumber(this.element, this.actions);
  }

  /**
   * What is folded away below the step.
   * @param {LedgerView} view
   * @param {Token[][]} rest of the sentences
   * @param {boolean} chosen whether something else than the step is shown
   */
  #engine({ book, t, stops }, rest, chosen) {
    const { node, tensor } = placeAt(book, stops, t);
    const shown = node ? book.leafOf(node) : tensor;
    return [
      rest.length ? block("More about this step", ...rest.map((tokens) => sentence(book, tokens))) : null,
      ...(node && !chosen ? nodeDetails(book, node, t) : []),
      shown && !chosen ? tensorCard({ book, id: shown, t, actions: this.actions, compact: true }) : null,
      queue(book, t),
    ];
  }

  /** What the reader selected. @param {LedgerView} view @param {Item} item */
  #selected({ book, t }, item) {
    const { actions } = this;
    const close = h("button", { type: "button", class: "button small close", dataset: { select: "nothing" } }, "Close");
    if (item.kind === "edge") return edgeDetails(book, item.id, t, close);
    if (item.kind === "tensor" && book.tensors.has(item.id)) {
      return tensorCard({ book, id: item.id, t, actions, close });
    }
    const op = book.ops.get(item.id);
    const node = book.nodes.get((item.kind === "op" ? op?.node : item.id) ?? "");
    if (node) return nodeCard(book, node, t, close);
    const output = op?.outputs[0];
    return output ? tensorCard({ book, id: output, t, actions, close }) : null;
  }

  /** @param {boolean} open */
  #remember(open) {
    this.#engineOpen = open;
    engineFold.remember(open);
  }

  /** @param {Event} event */
  #toggled({ target }) {
    if (target instanceof HTMLDetailsElement) this.#remember(target.open);
  }

  /** @param {MouseEvent} event */
  #clicked({ target }) {
    const { actions } = this;
    // The toggle event comes late: a step before it would fold them again, and a page that is left forgets it.
    const summary = target instanceof Element ? target.closest("summary") : null;
    if (summary?.parentElement instanceof HTMLDetailsElement) this.#remember(!summary.parentElement.open);
    const button = target instanceof Element ? target.closest(CLICKABLE) : null;
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
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const named = event.target instanceof HTMLElement && event.target.matches("span[role=button]");
    if ((event.key !== "Enter" && event.key !== " ") || !named) return;
    event.preventDefault();
    /** @type {HTMLElement} */ (event.target).click();
  }
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

/** The error, in place of the step's sentence. @param {LedgerView} view @param {Token[]} statement */
function errorBlock({ book, t, stops }, statement) {
  const error = book.doc.error;
  if (!error || t < book.doc.events.length) return null;
  const fix = book.mending?.fix ?? error.fix;
  const started = book.doc.events.some((event) => event.kind !== "error");
  return h(
    "section",
    { class: "ledger-error" },
    h("h2", { id: "ledger-step" }, started ? placeAt(book, stops, t).title : "Before anything was recorded"),
    sentence(book, statement),
    h("p", { class: "error-message" }, error.message),
    error.explanation ? h("p", null, error.explanation) : null,
    fix ? h("p", { class: "fix" }, h("b", null, "Fix: "), fix) : null,
    error.related_lines?.length ? relatedLines(error.related_lines) : null,
    reason(book),
  );
}

/** @param {number[]} lines */
const relatedLines = (lines) =>
  h(
    "p",
    null,
    "See ",
    lines.flatMap((line, i) => [i ? ", " : "", linkButton({ line }, `line ${line}`)]),
    ".",
  );

/** The finding that explains the error. @param {Book} book */
function reason(book) {
  const findings = book.doc.findings ?? [];
  const index = findings.findIndex((finding) => finding.explains_error);
  if (index < 0) return null;
  return h("p", null, linkButton({ finding: index }, `Finding ${index + 1}`), ": ", findings[index]?.headline, ".");
}

/** @param {Book} book @param {NodeRecord} node @param {number} t @param {HTMLElement} close */
const nodeCard = (book, node, t, close) =>
  h(
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
    nodeRule(book, node.id, t),
    nodeDetails(book, node.id, t),
  );
