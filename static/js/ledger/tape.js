/**
 * What is told of a program that has an autograd of its own, beside what is told of every run.
 * @module
 */

import { overwritten } from "../trace/slips.js";
import { h } from "../ui/dom.js";
import { short } from "../ui/words.js";
import { say, series } from "./tokens.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../ui/types").Token} Token */

export class Tape {
  /** @param {Book} book */
  constructor(book) {
    this.book = book;
    this.gradients = book.doc.tape?.gradients ?? [];
  }

  /** The line where a pass of the program's own stores gradients. @param {number} t @returns {number | null} */
  storing(t) {
    const { events } = this.book.doc;
    let i = t - 1;
    while (i >= 0 && (events[i].kind === "accumulate" || events[i].kind === "grad")) i--;
    const event = events[i];
    return event?.kind === "node" ? (event.line ?? null) : null;
  }

  /**
   * Whether what arrives at a node in a pass is not added up, as the program meant it to be.
   * @param {{call: number, node: string}} at
   */
  overwrites({ call, node }) {
    return overwritten(this.book.doc, this.book.tensorOfNode(node), call);
  }

  /**
   * What PyTorch gives, after the last pass.
   * @param {number} call
   * @param {{gradient: (ref: string | null) => Token[] | Token, tensor: (id: string) => Token[] | Token}} names
   * @returns {Token[]}
   */
  beside(call, names) {
    const { doc, tensors } = this.book;
    const known = this.gradients.filter(({ tensor, torch }) => torch && tensors.get(tensor)?.is_leaf);
    if (!known.length || doc.events.some((event) => event.kind === "backward" && event.call > call)) return [];
    const others = known.filter(({ agrees }) => !agrees);
    const cut = doc.tape?.whole ? "" : " The program goes on; of so long a run only this is told.";
    if (!others.length) return say` PyTorch gives the same.${cut}`;
    const shown = others
      .slice(0, 2)
      .map(({ tensor, torch }) => say`${names.gradient(torch)} for ${names.tensor(tensor)}`);
    return say` PyTorch gives ${series(shown)}.${cut}`;
  }

  /**
   * A gradient of the program's own beside PyTorch's, where it is the last one.
   * @param {string} id @param {string} grad
   */
  block(id, grad) {
    const own = this.gradients.find(({ tensor }) => tensor === id);
    if (!own || grad !== this.book.tensors.get(id)?.grad) return null;
    if (!own.torch) return h("p", { class: "quiet" }, "Not compared with PyTorch: an operation is none of its own.");
    const same = own.agrees ? ", the same" : ", which is not the same";
    return h("p", null, "PyTorch gives ", h("code", null, short(this.book.value(own.torch))), `${same}.`);
  }
}
