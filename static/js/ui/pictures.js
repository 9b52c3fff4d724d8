/** Which tensors are pictures. Pure. */

/** @typedef {{count: number, channels: number, height: number, width: number}} Pictures channels: 3, or 1 */

const NARROWEST = 4;
/** A picture is no strip. */
const LONGEST = 4;

/**
 * The pictures of a tensor of shape (…, channels, height, width): of three channels in colour, else one for each.
 * @param {readonly number[]} shape
 * @returns {Pictures | null} null for what is none
 */
export function picturesOf(shape) {
  if (shape.length < 3 || shape.length > 4) return null;
  const [height = 0, width = 0] = shape.slice(-2);
  const deep = shape.at(-3) ?? 1;
  const least = Math.min(height, width);
  if (least < NARROWEST || Math.max(height, width) > LONGEST * least) return null;
  const channels = deep === 3 ? 3 : 1;
  return { count: ((shape.length === 4 ? shape[0] : 1) ?? 1) * (deep / channels), channels, height, width };
}
