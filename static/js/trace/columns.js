/**
 * Columns of documents, which count characters, in strings of JavaScript, which count units of UTF-16.
 * @module
 */

/** Where a column of a line is; past its end for one that it has not. @param {string} line @param {number} column */
export function unitsBefore(line, column) {
  if (!/[\ud800-\udfff]/.test(line)) return column;
  const characters = [...line];
  return column > characters.length ? line.length + 1 : characters.slice(0, column).join("").length;
}

/**
 * The text that something came from, when it lies on one line.
 * @param {string[]} lines
 * @param {{line: number | null, column?: number | null, end_line?: number | null, end_column?: number | null}} place
 * @returns {string | null}
 */
export function sourceAt(lines, { line, column, end_line, end_column }) {
  const text = line ? lines[line - 1] : undefined;
  if (text === undefined || column == null || end_column == null || (end_line ?? line) !== line) return null;
  return text.slice(unitsBefore(text, column), unitsBefore(text, end_column)) || null;
}
