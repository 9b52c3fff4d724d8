/**
 * The column beside the picture: the rule of the step with its numbers, and folded away what the engine holds then; or
 * the tensor, node or finding the reader chose, or why the program failed.
 * @module
 */

import { h } from "../ui/dom.js";
import { folding } from "../ui/folding.js";
import { morph } from "../ui/morph.js";
import { findingCard } from "../findings/card.js";
import { bindClicks } from "./clicks.js";
import { edgeDetails, nodeDetails, nodeRule, queue, stepRule } from "./details.js";
import { block, linkButton, quiet, sentence } from "./parts.js";
import { toldAt } from "./sentence.js";
import { hasStarted } from "./story.js";
import { syncNumber, tensorCard } from "./tensor.js";
import { placeAt } from "../timeline/places.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../ui/types").Item} Item */
/** @typedef {import("../trace/document").Node} NodeRecord */
/** @typedef {import("../ui/types").Token} Token */
/** @typedef {import("./story.js").StepView} StepView */

/**
 * @typedef {object} Numbers
 * @property {(tensor: string) => string | null} numberFor  the literal in the program that a leaf got its value from
 * @property {(tensor: string, text: string) => void} onNumber  write another one
 * @property {(tensor: string) => boolean} hasField  whether the program can ask what one element of it sees
 * @property {(tensor: string, index: number[]) => void} onField  ask it
 */
/** @typedef {import("./clicks.js").Clicks & Numbers} LedgerActions */

/**
 * @param {HTMLElement} element
 * @param {LedgerActions} actions
 */
export function createLedger(element, actions) {
  return new Ledger(element, actions);
}

/** What is folded away below the step. */
const FOLDS = {
  engine: folding("engine-details"),
  memory: folding("memory-details"),
  seconds: folding("seconds-details"),
};
/** @typedef {keyof typeof FOLDS} Fold */

class Ledger {
  /** @type {Record<Fold, boolean>} */
  #open = { engine: FOLDS.engine.open, memory: FOLDS.memory.open, seconds: FOLDS.seconds.open };
  /** Loaded with the first document that tells of memory. @type {typeof import("../memory/view.js") | null} */
  #memory = null;
  /** Loaded with the first document that was measured. @type {typeof import("../seconds/view.js") | null} */
  #seconds = null;
  /** @type {StepView | null} */
  #view = null;

  /** @param {HTMLElement} element @param {LedgerActions} actions */
  constructor(element, actions) {
    this.element = element;
    this.actions = actions;
    element.classList.add("ledger");
    element.addEventListener("toggle", (event) => this.#toggled(event), true);
    element.addEventListener("click", (event) => this.#clicked(event));
    bindClicks(element, actions);
  }

  /** @param {StepView} view */
  render(view) {
    const { book, selection } = view;
    this.#view = view;
    const [, ...rest] = toldAt(view.book, view.stops, view.t);
    const failed = errorBlock(view);
    const chosen = selection ? this.#selected(view, selection) : null;
    const engine = this.#engine(view, rest, chosen !== null);
    const parts = [
      view.finding === null ? null : findingCard(book, view.finding, view.changeable),
      failed,
      chosen ?? (failed ? null : stepRule(view)),
      engine.some(Boolean)
        ? h("details", { class: "engine", open: this.#open.engine }, h("summary", null, "Engine details"), engine)
        : null,
      this.#held(view),
      this.#took(view),
    ];
    morph(this.element, parts.some(Boolean) ? parts : [quiet("There is no more to this step.")]);
    syncNumber(this.element, this.actions);
  }

  /** What backward holds, where the document tells. @param {StepView} view */
  #held(view) {
    if (!view.book.doc.storages) return null;
    if (!this.#memory) void this.#loadMemory();
    return this.#memory?.memoryFold(view, this.#open.memory) ?? null;
  }

  /** How long it took, where that was measured. @param {StepView} view */
  #took({ book }) {
    if (!book.doc.timing) return null;
    if (!this.#seconds) void this.#loadSeconds();
    return this.#seconds?.secondsFold(book, this.#open.seconds) ?? null;
  }

  async #loadSeconds() {
    const seconds = await import("../seconds/view.js");
    await seconds.dressed;
    if (this.#seconds) return;
    this.#seconds = seconds;
    if (this.#view && this.element.childElementCount) this.render(this.#view);
  }

  async #loadMemory() {
    const memory = await import("../memory/view.js");
    await memory.dressed;
    if (this.#memory) return;
    this.#memory = memory;
    memory.followPointer(
      this.element,
      () => this.#view,
      (t) => this.actions.onCaption(t, -1),
    );
    if (this.#view && this.element.childElementCount) this.render(this.#view);
  }

  /**
   * What the engine holds.
   * @param {StepView} view
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

  /** What the reader selected. @param {StepView} view @param {Item} item */
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

  /** @param {HTMLDetailsElement} details @param {boolean} open */
  #remember({ dataset }, open) {
    const fold = dataset.fold === "memory" || dataset.fold === "seconds" ? dataset.fold : "engine";
    this.#open[fold] = open;
    FOLDS[fold].remember(open);
  }

  /** @param {Event} event */
  #toggled({ target }) {
    if (!(target instanceof HTMLDetailsElement)) return;
    this.#remember(target, target.open);
    if (target.open && target.childElementCount < 2 && this.#view) this.render(this.#view);
  }

  /** @param {MouseEvent} event */
  #clicked({ target }) {
    // The toggle event comes late: a step before it would fold them again, and a page that is left forgets it.
    const details = target instanceof Element ? target.closest("summary")?.parentElement : null;
    if (details instanceof HTMLDetailsElement) this.#remember(details, !details.open);
  }
}

/** Why the program failed, where it does. @param {StepView} view */
function errorBlock({ book, t }) {
  const error = book.doc.error;
  if (!error || t < book.doc.events.length) return null;
  const fix = book.mending?.fix ?? error.fix;
  return h(
    "section",
    { class: "ledger-error" },
    h("h2", null, hasStarted(book) ? "Error" : "Before anything was recorded"),
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
