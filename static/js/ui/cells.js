/** Programs that were opened from notebooks: which cell a line belongs to. */

const MARK = /^# %% In \[(\d+)\][ \t]*$/;

/**
 * @param {readonly string[]} lines of the program
 * @param {number} line from 1
 * @returns {{cell: number, line: number} | null} the line within its cell; null outside of notebooks
 */
export function placeInCell(lines, line) {
  for (let at = line - 1; at >= 1; at--) {
    const mark = MARK.exec(lines[at - 1] ?? "");
    if (mark) return { cell: Number(mark[1]), line: line - at };
  }
  return null;
}

/** "Line 41 (cell 3, line 2)". @param {readonly string[]} lines @param {number} line */
export function lineName(lines, line) {
  const place = placeInCell(lines, line);
  return `Line ${line}${place ? ` (cell ${place.cell}, line ${place.line})` : ""}`;
}
