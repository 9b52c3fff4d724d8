/**
 * A long program is a ribbon: too long to read when it must fit into a window. Like text it is broken into rows, always
 * between ranks and where few edges cross.
 * @module
 */

/** Drawings that fit at this zoom stay in one row; above the lower one only where a single edge is broken. */
const LEGIBLE = 0.8;
const TOLERABLE = 0.58;
const GUTTER = 46;
const MARGIN = 26;

/**
 * @typedef {object} Columns
 * @property {Float64Array} left  per rank
 * @property {Float64Array} right  per rank
 * @property {Float64Array} top  per rank: extent of what lies in it
 * @property {Float64Array} bottom  per rank
 * @property {Int32Array} crossing  per rank: edges that pass from it to the next
 */

/**
 * @typedef {object} Rows
 * @property {number[]} start  first rank of each row
 * @property {Int32Array} rowOf  per rank
 * @property {number[]} shiftX  per row
 * @property {number[]} shiftY  per row
 * @property {number[]} top  per row, where it lies in the drawing
 * @property {number[]} bottom
 * @property {number[]} width
 */

/**
 * @param {Columns} columns
 * @param {{viewWidth: number, viewHeight: number}} view
 * @returns {Rows}
 */
export function breakRows(columns, view) {
  const ranks = columns.left.length;
  const whole = split(columns, [0]);
  const fit = (/** @type {Rows} */ rows) =>
    Math.min(1, view.viewWidth / Math.max(...rows.width), view.viewHeight / height(rows));
  const wholeFit = fit(whole);
  let best = whole;
  let bestFit = wholeFit;
  const long = columns.right[ranks - 1] - columns.left[0];
  if (bestFit >= LEGIBLE || ranks < 4 || long < 1.2 * view.viewWidth) return whole;
  const most = Math.min(60, Math.ceil(ranks / 3));
  for (let count = 2; count <= most; count++) {
    const starts = chooseBreaks(columns, count, wholeFit < TOLERABLE ? 3 : 1);
    if (!starts) continue;
    const rows = split(columns, starts);
    const now = fit(rows);
    if (now > bestFit * 1.2) {
      best = rows;
      bestFit = now;
    }
    if (now >= 1) break;
  }
  return best;
}

/** @param {Rows} rows */
const height = (rows) => rows.bottom[rows.bottom.length - 1] - rows.top[0];

/**
 * Break near equal widths, preferring places that few edges cross; null when no such places exist.
 * @param {Columns} columns @param {number} count @param {number} most  edges that one break may cross
 */
function chooseBreaks(columns, count, most) {
  const { left, right, crossing } = columns;
  const ranks = left.length;
  const total = right[ranks - 1] - left[0];
  /** @type {number[]} */
  const starts = [0];
  for (let k = 1; k < count; k++) {
    const ideal = left[0] + (total * k) / count;
    const slack = (total / count) * 0.35;
    let best = -1;
    let bestCost = Infinity;
    for (let r = starts[starts.length - 1] + 1; r < ranks; r++) {
      if (left[r] < ideal - slack) continue;
      if (left[r] > ideal + slack) break;
      if (crossing[r - 1] > most) continue;
      const cost = Math.abs(left[r] - ideal) / slack + 3 * crossing[r - 1];
      if (cost < bestCost) {
        bestCost = cost;
        best = r;
      }
    }
    if (best < 0) return null;
    starts.push(best);
  }
  return starts;
}

/** @param {Columns} columns @param {number[]} start @returns {Rows} */
function split(columns, start) {
  const ranks = columns.left.length;
  const rowOf = new Int32Array(ranks);
  /** @type {Rows} */
  const rows = { start, rowOf, shiftX: [], shiftY: [], top: [], bottom: [], width: [] };
  let y = 0;
  start.forEach((first, row) => {
    const end = start[row + 1] ?? ranks;
    let top = Infinity;
    let bottom = -Infinity;
    let passing = 0;
    for (let r = first; r < end; r++) {
      rowOf[r] = row;
      top = Math.min(top, columns.top[r]);
      bottom = Math.max(bottom, columns.bottom[r]);
    }
    if (row > 0) passing = columns.crossing[first - 1];
    if (row > 0) y += GUTTER + 14 * passing;
    rows.shiftX.push(-columns.left[first] + (row > 0 ? MARGIN : 0));
    rows.shiftY.push(y - top);
    rows.top.push(y);
    y += bottom - top;
    rows.bottom.push(y);
    rows.width.push(columns.right[end - 1] - columns.left[first] + MARGIN * (start.length > 1 ? 2 : 0));
  });
  return rows;
}

/**
 * Take an edge from the end of one row to the start of the next: down behind the row, back through the gutter.
 * @param {import("./route.js").Path} path
 * @param {{right: number, left: number, gutter: number, y: number, lane: number}} way
 */
export function carryOver(path, { right, left, gutter, y, lane }) {
  const r = 9;
  const out = right + 8 + lane * 6;
  const back = left - 12 - lane * 6;
  path.line(out, path.y);
  path.turn(out + r, path.y + r, true);
  path.line(out + r, gutter - r);
  path.turn(out, gutter, false);
  path.line(back, gutter);
  path.turn(back - r, gutter + r, true);
  path.line(back - r, y - r);
  path.turn(back, y, false);
  path.line(left, y);
}

export const ROW_GUTTER = GUTTER;
