/**
 * What lies over the picture: the legend, the buttons and the small map below. What happens must not hide there.
 * @module
 */
import { isNarrow, LEGEND } from "../scene/legend.js";

/** @typedef {import("../scene/view.js").Box} Box */
/** @typedef {import("../scene/view.js").Size} Size */

const BUTTONS = { w: 236, h: 50 };
const EDGE = 12;

/** As the style sheet sizes it. @param {Size} size */
const mapSize = ({ width }) => (width < 560 ? { w: 120, h: 80 } : { w: 180, h: 120 });

/** @param {Size} size  of the stage @param {boolean} map  the small map is shown @returns {Box[]}  on screen */
export function coversOf(size, map) {
  const { width, height } = size;
  const small = mapSize(size);
  return [
    { x: width - BUTTONS.w, y: height - BUTTONS.h, ...BUTTONS },
    { x: 0, y: height - LEGEND.h - EDGE, w: (isNarrow(width) ? LEGEND.narrow : LEGEND.w) + EDGE, h: LEGEND.h + EDGE },
    ...(map ? [{ x: width - small.w - EDGE, y: height - small.h - BUTTONS.h, w: small.w + EDGE, h: small.h }] : []),
  ];
}
