/** A drag of this many pixels changes the second digit by one. */
const PIXELS = 4;

/**
 * The number that dragging makes of another one.
 * @param {number} value
 * @param {number} pixels to the right
 * @returns {number}
 */
export function draggedTo(value, pixels) {
  const step = 10 ** Math.floor(Math.log10(Math.max(Math.abs(value), 0.1)) - 1 + 1e-9);
  return Number((value + Math.round(pixels / PIXELS) * step).toPrecision(6));
}
