/**
 * Where a surface over a grid has a height: closed lines around all that is higher. Pure.
 * @module
 */

/**
 * @typedef {{column: number, row: number, border: boolean}} Point
 *   in units of the grid, between two nodes a fraction; border: the grid ends here, not the high ground
 */

/** Which sides of a cell a line joins, by which of its corners are higher: the high ground lies to its left. */
const JOINS = /** @type {[number, number][][]} */ ([
  [],
  [[3, 0]],
  [[0, 1]],
  [[3, 1]],
  [[1, 2]],
  [
    [3, 0],
    [1, 2],
  ],
  [[0, 2]],
  [[3, 2]],
  [[2, 3]],
  [[2, 0]],
  [
    [0, 1],
    [2, 3],
  ],
  [[2, 1]],
  [[1, 3]],
  [[1, 0]],
  [[0, 3]],
  [],
]);

/**
 * The border of where `z` is at least `level`; what is NaN or outside of the grid is lower than everything.
 * @param {number[][]} z rows of numbers
 * @param {number} level
 * @returns {Point[][]} rings; the last point of each is followed by its first
 */
export function rings(z, level) {
  const rows = z.length;
  const columns = z[0]?.length ?? 0;
  const at = (/** @type {number} */ i, /** @type {number} */ j) => {
    const value = z[i]?.[j];
    return value === undefined || Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
  };
  /** @type {Map<string, {to: string, point: Point}>} */
  const next = new Map();
  for (let i = -1; i < rows; i++) {
    for (let j = -1; j < columns; j++) {
      const corners = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
      const which = corners.reduce((sum, value, k) => sum + (value >= level ? 1 << k : 0), 0);
      for (const [from, to] of JOINS[which] ?? []) {
        next.set(sideOf(i, j, from), { to: sideOf(i, j, to), point: crossing(i, j, from, corners, level) });
      }
    }
  }
  const found = [];
  for (const start of [...next.keys()]) {
    /** @type {Point[]} */
    const ring = [];
    for (let step = next.get(start), key = start; step; key = step.to, step = next.get(key)) {
      next.delete(key);
      ring.push(step.point);
    }
    if (ring.length > 2) found.push(ring);
  }
  return found;
}

/** A name for a side that both its cells know it by. @param {number} i @param {number} j @param {number} side */
function sideOf(i, j, side) {
  if (side === 0) return `h${i}:${j}`;
  if (side === 2) return `h${i + 1}:${j}`;
  return side === 3 ? `v${i}:${j}` : `v${i}:${j + 1}`;
}

/**
 * Where the level lies between the two ends of a side.
 * @param {number} i @param {number} j @param {number} side @param {number[]} corners @param {number} level
 * @returns {Point}
 */
function crossing(i, j, side, corners, level) {
  const [a, b] = [corners[side] ?? 0, corners[(side + 1) % 4] ?? 0];
  const part = !Number.isFinite(a) ? 1 : !Number.isFinite(b) ? 0 : (level - a) / (b - a || 1);
  const border = !Number.isFinite(a) || !Number.isFinite(b);
  if (side === 0) return { column: j + part, row: i, border };
  if (side === 1) return { column: j + 1, row: i + part, border };
  return side === 2 ? { column: j + 1 - part, row: i + 1, border } : { column: j, row: i + 1 - part, border };
}
