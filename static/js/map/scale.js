/**
 * Norms on a logarithmic scale of at least two decades: one for a whole pass. Pure.
 * @module
 */

/** @typedef {{low: number, high: number}} Decades  powers of ten */

/** Decades of a scale, at most. */
const DEEP = 12;

/** @param {number} smallest @param {number} largest @param {number} [deep]  decades, at most @returns {Decades} */
export function decades(smallest, largest, deep = DEEP) {
  if (!(largest > 0)) return { low: -2, high: 0 };
  const high = Math.ceil(Math.log10(largest) - 1e-9) + 0;
  const low = Math.max(Math.floor(Math.log10(smallest) + 1e-9), high - deep);
  return { low: Math.min(low, high - 2), high };
}

/**
 * Where a norm lies, 0 … 1; what is too small to be told from nothing is at 0.
 * @param {Decades} scale
 * @param {number} norm
 */
export function placeOf({ low, high }, norm) {
  if (!(norm > 0)) return 0;
  return Math.max(0, Math.min(1, (Math.log10(norm) - low) / (high - low)));
}

/** The powers of ten to write beside an axis, at most `most` of them. @param {Decades} scale @param {number} most */
export function marksOf({ low, high }, most) {
  const step = Math.max(1, Math.ceil((high - low) / Math.max(1, most - 1)));
  const marks = [];
  for (let power = high; power >= low; power -= step) marks.push(power);
  return marks.reverse();
}
