/**
 * The numbers of findings on the picture, at what they are about.
 * @module
 */
import { rect, text } from "./marks.js";
import { itemsOf } from "./navigate.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("../findings/finding.js").Sign} Sign */

/** More numbers than these at one place are "…". */
const MOST = 3;
const SIZE = 20;
const LETTER = 7.6;

/** @param {Scene} scene @param {readonly Sign[]} signs @returns {Mark[]} */
export function signMarks(scene, signs) {
  /** @type {Map<number, Sign[]>} by item */
  const places = new Map();
  for (const sign of signs) {
    const i = sign.item ? itemsOf(scene, sign.item).find((each) => scene.boxes[each] && scene.shows(each)) : undefined;
    if (i !== undefined) places.set(i, [...(places.get(i) ?? []), sign]);
  }
  return [...places].flatMap(([i, here]) => {
    const shown = here.slice(0, MOST).map(({ number }) => String(number));
    const label = [...shown, ...(here.length > MOST ? ["…"] : [])].join(" ");
    const w = Math.max(SIZE, label.length * LETTER + 10);
    const box = scene.faceOf(i);
    // The corner where nothing else stands: a version is right of it, an error at the other end.
    const right = box.x + 6;
    const open = here.some((sign) => sign.open);
    const wrong = here.some((sign) => sign.wrong);
    const [fill, ink] = open ? ["bwd", "on-bwd"] : wrong ? ["ink", "panel"] : ["panel", "ink"];
    return [
      rect(right - w, box.y - SIZE / 2 - 3, w, SIZE, { r: SIZE / 2, fill, stroke: open ? "panel" : "ink", sw: 1.6 }),
      text(right - w / 2, box.y + 1.4, label, { size: 13, weight: 700, align: "middle", fill: ink }),
    ];
  });
}
