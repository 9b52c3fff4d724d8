/**
 * What an error is about: what the document names, else the tensors of the expression whose shapes or types do not fit.
 * @module
 */

/** @typedef {import("./types.js").RunDocument} RunDocument */

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
  const named = expressionOf(document).match(/(?<![\w.])[A-Za-z_]\w*(?![\w(])/g) ?? [];
  return { tensors: [...new Set(named.flatMap((name) => held.get(name) ?? []))], nodes };
}

/**
 * @typedef {object} Span
 * @property {number | null} [line]
 * @property {number | null} [column]
 * @property {number | null} [end_line]
 * @property {number | null} [end_column]
 */

/** The expression that failed, when it lies on one line. @param {RunDocument} document @returns {string} */
function expressionOf({ error, source }) {
  const { line, column, end_line, end_column } = /** @type {Span} */ (error ?? {});
  if (!line || column == null || end_column == null || (end_line ?? line) !== line) return "";
  return (source.code ?? "").split("\n")[line - 1]?.slice(column, end_column) ?? "";
}
