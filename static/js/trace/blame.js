/**
 * What an error is about: what the document names, else the tensors of the expression whose shapes or types do not fit.
 * @module
 */

import { sourceAt } from "./columns.js";

/** @typedef {import("./document").RunDocument} RunDocument */

/** @typedef {{tensors: readonly string[], nodes: readonly string[]}} Blame */

const MISFIT = /shape|size|dimension|broadcast|dtype|same type|out of (?:range|bounds)/i;

/** @param {RunDocument} document @returns {Blame} */
export function blameOf(document) {
  const { error } = document;
  if (!error) return { tensors: [], nodes: [] };
  const tensors = error.tensors ?? [];
  const nodes = error.nodes ?? [];
  if (tensors.length || nodes.length || !MISFIT.test(error.message)) return { tensors, nodes };
  /** @type {Map<string, string>} what each name held last */
  const held = new Map();
  for (const event of document.events) if (event.kind === "bind") held.set(event.name, event.tensor);
  const failed = sourceAt((document.source.code ?? "").split("\n"), error) ?? "";
  const named = failed.match(/(?<![\w.])[A-Za-z_]\w*(?![\w(])/g) ?? [];
  return { tensors: [...new Set(named.flatMap((name) => held.get(name) ?? []))], nodes };
}
