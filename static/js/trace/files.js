/**
 * Runs of several files as one listing: a captured run names lines of the user's modules, too. Pure.
 * @module
 */

/** @typedef {{name: string, code: string, first_line: number}} SourceFile */

/** Stands above a file in the listing. @param {string} name */
export const mark = (name) => `# %% file ${name}`;

/**
 * The document with its files one after another as the program, and every line counted there. Other documents are
 * given back as they are.
 * @template {{source: {code?: string | null}, files?: SourceFile[]}} T
 * @param {T} document
 * @returns {T}
 */
export function asOneListing(document) {
  const [, ...others] = document.files ?? [];
  if (!others.length) return document;
  let code = (document.source.code ?? "").trimEnd();
  const offsets = [0];
  for (const { name, code: text, first_line: first } of others) {
    code += `\n\n${mark(name)}\n`;
    offsets.push(code.split("\n").length - first);
    code += text.trimEnd();
  }
  return /** @type {T} */ (moved({ ...document, source: { ...document.source, code } }, offsets));
}

const LINES = ["line", "end_line", "registered"];
const LISTS = ["lines", "related_lines"];

/**
 * A copy in which lines of other files are counted in the listing.
 * @param {unknown} value
 * @param {number[]} offsets
 * @returns {unknown}
 */
function moved(value, offsets) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return value.length && typeof value[0] !== "object" ? value : value.map((each) => moved(each, offsets));
  }
  const record = /** @type {Record<string, unknown>} */ (value);
  const offset = typeof record.file === "number" ? (offsets[record.file] ?? 0) : 0;
  /** @type {Record<string, unknown>} */
  const copy = {};
  for (const [key, entry] of Object.entries(record)) {
    if (key === "values" || key === "files") copy[key] = entry;
    else if (offset && LINES.includes(key) && typeof entry === "number") copy[key] = entry + offset;
    else if (offset && LISTS.includes(key) && Array.isArray(entry)) copy[key] = entry.map((n) => n + offset);
    else copy[key] = moved(entry, offsets);
  }
  return copy;
}
