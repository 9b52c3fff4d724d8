/**
 * Numbers of a strip on a line or as shades, and columns that share a pixel. Pure.
 * @module
 */

/** @typedef {{low: number, high: number, log: boolean}} Scale */

/** A line spans decades where its largest number is so many times its smallest. */
const DECADES = 20;

/** Shades span at most so many decades below the largest number, and one at least: less is no difference. */
const SHADES = 4;

/** @param {readonly (number | null)[]} values @returns {number[]} those that are finite */
const finite = (values) => values.filter((x) => x !== null && Number.isFinite(x)).map(Number);

/** The scale of a line. @param {readonly (number | null)[]} values @returns {Scale} */
export function lineScale(values) {
  const known = finite(values);
  if (!known.length) return { low: 0, high: 1, log: false };
  const low = Math.min(...known);
  const high = Math.max(...known);
  if (low > 0 && high / low >= DECADES) return { low, high, log: true };
  return low === high
    ? { low: low - 1, high: high + 1, log: false }
    : { low: Math.min(low, Math.max(0, low - (high - low))), high, log: false };
}

/** A number so many times as large as nearly all others is no measure for them. */
const OUTLIER = 20;

/**
 * The scale of shades: decades below the largest number, or the largest but a few that stand out.
 * @param {readonly (number | null)[]} values
 * @returns {Scale}
 */
export function shadeScale(values) {
  const known = finite(values)
    .filter((x) => x > 0)
    .sort((a, b) => a - b);
  if (!known.length) return { low: 0.1, high: 1, log: true };
  const most = known[Math.floor((known.length - 1) * 0.98)];
  const last = known[known.length - 1];
  const high = last > OUTLIER * most ? most : last;
  return { low: Math.max(Math.min(known[0], high / 10), high / 10 ** SHADES, Number.MIN_VALUE), high, log: true };
}

/**
 * Where the number lies that stands out most above a scale of shades.
 * @param {readonly {name: string, values: readonly (number | null)[]}[]} rows @param {Scale} scale
 * @returns {{name: string, row: number, column: number, value: number} | null}
 */
export function outlier(rows, { high }) {
  let found = null;
  for (const [row, { name, values }] of rows.entries()) {
    for (const [column, value] of values.entries()) {
      if (value !== null && value > Math.max(high, found?.value ?? 0)) found = { name, row, column, value };
    }
  }
  return found;
}

/**
 * Numbers to name along an axis: round ones, at least `least` px apart.
 * @param {number} count of turns @param {number} width px @param {number} least px
 * @returns {number[]}
 */
export function axisTicks(count, width, least) {
  const step = Math.max(1, (count * least) / Math.max(width, 1));
  const power = 10 ** Math.floor(Math.log10(step));
  const round = [1, 2, 5, 10].map((x) => x * power).find((x) => x >= step) ?? step;
  return Array.from({ length: Math.floor((count - 1) / round) + 1 }, (_, i) => i * round);
}

/** From 0 at the low end to 1 at the high end, and no further. @param {Scale} scale @param {number} x */
export function placed({ low, high, log }, x) {
  if (low === high) return 1;
  const part = log ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low);
  return Math.min(1, Math.max(0, part));
}

/**
 * The larger of two numbers, where what is not a number is larger than any.
 * @param {number | null} a @param {number | null} b
 */
export function larger(a, b) {
  if (a === null || b === null) return a ?? b;
  return Number.isNaN(a) || a >= b ? a : b;
}

/**
 * Columns that are at least `least` px wide: several turns share one, which has the largest of their numbers.
 * @param {number} count @param {number} width px @param {number} least px
 * @returns {{first: number, last: number}[]}
 */
export function bins(count, width, least) {
  const many = Math.max(1, Math.min(count, Math.floor(width / least)));
  return Array.from({ length: many }, (_, i) => ({
    first: Math.floor((i * count) / many),
    last: Math.floor(((i + 1) * count) / many) - 1,
  }));
}

/** @param {readonly (number | null)[]} values @param {{first: number, last: number}} bin */
export function largest(values, { first, last }) {
  let found = values[first] ?? null;
  for (let i = first + 1; i <= last; i++) found = larger(found, values[i]);
  return found;
}
