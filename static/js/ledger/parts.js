/**
 * What the ledger's blocks are made of: sentences, links to tensors and nodes, tables of facts.
 * @module
 */
import { breakable, h, LONG } from "../ui/dom.js";
import { gradientCells } from "./cells.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../ui/dom.js").Child} Child */
/** @typedef {import("../ui/types").Token} Token */

/** @param {string} title @param {...Child} body */
export const block = (title, ...body) => h("section", null, h("h3", null, title), ...body);

/** @param {Child | Child[]} rows */
export const facts = (rows) => h("table", { class: "facts" }, h("tbody", null, rows));

/** @param {string} text */
export const quiet = (text) => h("p", { class: "quiet" }, text);

/** @param {Book} book @param {Token[]} tokens */
export const sentence = (book, tokens) =>
  h(
    "p",
    { class: "say" },
    tokens.map((token) => word(book, token)),
  );

/** @param {Book} book @param {Token} token @returns {Child} */
function word(book, token) {
  if (token.kind === "gradient") return gradientCells(book, token);
  if (token.kind === "text") return token.text;
  if (token.kind === "code") {
    return h("code", { class: token.text.length > LONG ? null : "whole" }, breakable(token.text));
  }
  const { id, kind } = token;
  if (!id || (kind !== "node" && kind !== "tensor")) return h("b", { class: `t-${kind}` }, token.text);
  // The names in a sentence are buttons that wrap as its words do, which a button element does not.
  return h(
    "span",
    { role: "button", tabindex: 0, class: `t-${kind}`, dataset: { select: `${kind} ${id}` } },
    breakable(token.text),
  );
}

/** @param {Record<string, unknown>} dataset @param {...(Child | Child[])} children */
export const linkButton = (dataset, ...children) =>
  h("button", { type: "button", class: "link-button", dataset }, ...children);

/** @param {Book} book @param {string} id */
export const tensorLink = (book, id) => linkButton({ select: `tensor ${id}` }, h("b", null, book.nameOf(id)));

/** @param {Book} book @param {string} id a node: its name, and for AccumulateGrad the leaf it feeds */
export function nodeLink(book, id) {
  const leaf = book.leafOf(id);
  const button = linkButton({ select: `node ${id}` }, breakable(book.nodeTitle(id)));
  return leaf ? h("span", null, button, " → ", tensorLink(book, leaf)) : button;
}
