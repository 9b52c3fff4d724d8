/**
 * What lies over the picture: the key of directions and a switch above; the legend, the buttons and the small map
 * below. What happens must not hide there.
 * @module
 */
import { isNarrow, LEGEND, WAYS } from "../scene/legend.js";

/** @typedef {import("../scene/view.js").Box} Box */
/** @typedef {import("../scene/view.js").Size} Size */

const BUTTONS = { w: 160, h: 50 };
/** The switch above. */
const NAMES = { w: 92, h: 46 };
const EDGE = 12;

/** As the style sheet sizes it. @param {Size} size */
const mapSize = ({ width }) => (width < 560 ? { w: 120, h: 80 } : { w: 180, h: 120 });

/**
 * @param {Size} size  of the stage
 * @param {boolean} map  the small map is shown
 * @returns {Box[]}  on screen, first the upper left corner
 */
export function coversOf(size, map) {
  const { width, height } = size;
  const small = mapSize(size);
  return [
    { x: 0, y: 0, w: (isNarrow(width) ? WAYS.narrow : WAYS.w) + EDGE, h: WAYS.h + EDGE },
    { x: width - NAMES.w, y: 0, ...NAMES },
    { x: width - BUTTONS.w, y: height - BUTTONS.h, ...BUTTONS },
    { x: 0, y: height - LEGEND.h - EDGE, w: (isNarrow(width) ? LEGEND.narrow : LEGEND.w) + EDGE, h: LEGEND.h + EDGE },
    ...(map ? [{ x: width - small.w - EDGE, y: height - small.h - BUTTONS.h, w: small.w + EDGE, h: small.h }] : []),
  ];
}
