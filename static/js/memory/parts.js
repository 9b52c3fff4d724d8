/**
 * What the parts of a pass hold, as the path of its gradient shows them. Pure.
 * @module
 */
import { chain } from "../map/rows.js";
import { memoryOf, sharesAt } from "./model.js";
import { duration, secondsOf, tookOf, whole } from "../seconds/model.js";
import { offerOf } from "./modules.js";
import { bytes, offerWords, percent } from "./words.js";

/** @typedef {import("../map/tree.js").Part} Part */

export class PartsHeld {
  /** @type {Map<Part, string>} */
  #offers = new Map();

  /** @param {import("../trace.js").Trace} trace @param {import("../map/tree.js").PassTree} tree */
  constructor(trace, tree) {
    this.tree = tree;
    this.trace = trace;
    this.memory = memoryOf(trace);
    this.now = this.first = this.#at(tree.band.start);
  }

  /** @param {number} t */
  move(t) {
    this.now = this.#at(t);
  }

  /** @param {number} t */
  #at(t) {
    /** @type {Map<Part, number>} */
    const held = new Map();
    for (const [node, n] of this.memory ? sharesAt(this.memory, t, (id) => id) : []) {
      for (const part of chain(this.tree.of.get(node) ?? null)) held.set(part, (held.get(part) ?? 0) + n);
    }
    return held;
  }

  /** Bytes now, and when the pass began. @param {{parts: Part[]}} box */
  of({ parts }) {
    const sum = (/** @type {Map<Part, number>} */ held) => parts.reduce((n, part) => n + (held.get(part) ?? 0), 0);
    return { now: sum(this.now), first: sum(this.first) };
  }

  /** How long they took, what they hold, and what checkpointing would change. @param {{parts: Part[]}} box */
  words(box) {
    return [this.#held(box), this.#took(box)].filter(Boolean).join(" ");
  }

  /** @param {{parts: Part[]}} box */
  #took({ parts }) {
    const seconds = secondsOf(this.trace);
    const own = (/** @type {string} */ node) =>
      chain(this.tree.of.get(node) ?? null).some((part) => parts.includes(part));
    const took = seconds && tookOf(this.trace, own);
    if (!took || !whole(took)) return "";
    const share = `${percent(whole(took), whole(seconds))} of what was measured`;
    return `Took ${duration(took.forward)} forward, ${duration(took.backward)} backward: ${share}.`;
  }

  /** What they hold, and what checkpointing the module that they are would change. @param {{parts: Part[]}} box */
  #held(box) {
    const { memory } = this;
    const { now, first } = this.of(box);
    if (!memory || !first) return "";
    let [part] = box.parts;
    while (part.kind !== "module" && part.children.length === 1) [part] = part.children;
    let offer = this.#offers.get(part);
    if (offer === undefined) {
      const module = part.kind === "module" && box.parts.length === 1;
      offer = module ? offerWords(offerOf(memory, part.id), memory.peak.bytes) : "";
      this.#offers.set(part, offer);
    }
    return `Holds ${bytes(now)} for backward, ${bytes(first)} when the pass began. ${offer}`;
  }
}
