/**
 * What lies over the picture: a switch above and the small map below. What happens must not hide there.
 * @module
 */

/** @typedef {import("../scene/view.js").Box} Box */
/** @typedef {import("../scene/view.js").Size} Size */

/** The switch above. */
const NAMES = { w: 92, h: 46 };
const EDGE = 12;

/** As the style sheet sizes it. @param {Size} size */
const mapSize = ({ width }) => (width < 560 ? { w: 120, h: 80 } : { w: 180, h: 120 });

/**
 * @param {Size} size  of the stage
 * @param {boolean} map  the small map is shown
 * @returns {Box[]}  on screen
 */
export function coversOf(size, map) {
  const { width, height } = size;
  const small = mapSize(size);
  return [
    { x: width - NAMES.w, y: 0, ...NAMES },
    ...(map ? [{ x: width - small.w - EDGE, y: height - small.h - EDGE, w: small.w + EDGE, h: small.h + EDGE }] : []),
  ];
}
