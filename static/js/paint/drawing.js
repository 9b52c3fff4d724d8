/**
 * A graph with its leaves as marks, as it leaves the page: whatever the camera shows of it. Pure.
 * @module
 */
import { drawLegend, drawWays, looksOf } from "../scene/legend.js";
import { path } from "../scene/marks.js";
import { Moment, progressAt, STEP_MS } from "../scene/moment.js";
import { overlay } from "../scene/motion.js";
import { across, aimsOf, arrowsInto, onShelf, placeSlots, shelfEdges, shownIn, wayDown } from "../scene/shelf.js";
import { around } from "../scene/story.js";
import { drawStrip } from "../scene/strip.js";
import { arrowHead, signMark } from "./attributes.js";

/** @typedef {import("../scene/scene.js").Scene} Scene */
/** @typedef {import("../scene/marks.js").Mark} Mark */
/** @typedef {import("../scene/motion.js").Sprite} Sprite */
/** @typedef {import("../scene/place.js").Box} Box */
/** @typedef {import("../scene/marks.js").Measure} Measure */
/** @typedef {import("../scene/colour.js").Palette} Palette */

/**
 * Marks of which (x, y) is the origin, k times as large.
 * @typedef {{x: number, y: number, k: number, opacity: number, marks: Mark[]}} Layer
 */
/** @typedef {{box: Box, layers: Layer[]}} Drawing  box: what it covers */
/**
 * A drawing, what it has to say of its looks, and what painters need.
 * @typedef {{drawing: Drawing, keys: {marks: Mark[], w: number}[], palette: Palette, measure: Measure}} Picture
 */
/** A step that plays: the time it began at, and for how long it has. @typedef {{from: number, ms: number}} Step */

/** @param {readonly Mark[]} marks @param {Partial<Layer>} [place] @returns {Layer} */
export const layer = (marks, place = {}) => ({ x: 0, y: 0, k: 1, opacity: 1, marks: [...marks], ...place });

/** What is written over the graph. @param {readonly Sprite[]} sprites @returns {Box[]} */
const written = (sprites) =>
  sprites.flatMap(({ x, y, marks }) =>
    marks.flatMap((mark) => (mark.type === "rect" ? [{ x: x + mark.x, y: y + mark.y, w: mark.w, h: mark.h }] : [])),
  );

/** From the graph to the leaves below it. */
const DOWN = 34;

/**
 * Where the leaves stand below the graph: the upper left corner of the shelf, its places, and its cards.
 * @param {Scene} scene @param {number} t @param {Box} above
 */
export function standBelow(scene, t, above) {
  const w = Math.max(above.w, across(scene.slots), scene.strip?.w ?? 0);
  const [x, y] = [above.x - (w - above.w) / 2, above.y + above.h + DOWN];
  const places = placeSlots(
    scene.slots,
    aimsOf(scene).map((aim) => aim - x),
    w,
  );
  return { x, y, w, places, standing: onShelf(scene, places, t) };
}

/**
 * The leaves below the graph, and what each pass left in one.
 * @param {Scene} scene @param {Moment} moment @param {Box} above
 * @returns {Drawing}
 */
function drawShelf(scene, moment, above) {
  const { strip, slots } = scene;
  if (!slots.length) return { box: above, layers: [] };
  const { x, y, w, places, standing } = standBelow(scene, moment.t, above);
  const edges = shelfEdges(scene, moment, (j, i) => {
    const [begin, below] = scene.paths[j];
    return [{ x: begin, y: below }, ...wayDown(standing, i).map((at) => ({ x: x + at.x, y: y + at.y }))];
  });
  const cards = slots.map((slot) => {
    const i = shownIn(scene, slot, moment.t);
    return layer(scene.itemMarks(i, moment), { x: x + standing.x[i], y: y + standing.y[i] });
  });
  const left = x + (w - (strip?.w ?? 0)) / 2;
  const high = places.h + (strip?.h ?? 0);
  const below = strip ? [layer(drawStrip(strip, moment.t, scene.colours), { x: left, y: y + places.h })] : [];
  return {
    box: around([
      ...slots.map((slot, k) => ({ x: x + places.x[k] - slot.w / 2, y, w: slot.w, h: high })),
      ...(strip ? [{ x: left, y, w: strip.w, h: high }] : []),
    ]),
    layers: [layer(edges), layer(arrowsInto(scene, moment, standing), { x, y }), ...cards, ...below],
  };
}

/** An edge of the graph, with its head and its sign. @param {Scene} scene @param {Moment} moment @param {number} j */
function drawLink(scene, moment, j) {
  const look = scene.linkLook(j, moment);
  const { stroke, width, dash, opacity } = look;
  const head = arrowHead(scene.paths[j], look.arrow, width);
  return [
    path(scene.texts[j], { stroke, sw: Math.round(width * 10) / 10, dash, opacity }),
    ...(head ? [path(head, { fill: stroke })] : []),
    ...(scene.brief && look.glyph ? [signMark(scene, j, look, look.glyph)] : []),
  ];
}

/**
 * @param {Scene} scene @param {Moment} moment @param {readonly Sprite[]} sprites  what is written over it
 * @returns {Drawing}
 */
export function drawGraph(scene, moment, sprites) {
  const shelf = drawShelf(scene, moment, scene.bounds);
  const shown = scene.boxes.filter((_, i) => scene.shows(i));
  return {
    box: around([...shown, ...scene.hulls, ...scene.linkBoxes(), shelf.box, ...written(sprites)]),
    layers: [
      ...scene.hullMarks().map((marks) => layer(marks)),
      layer(scene.links.flatMap((_, j) => drawLink(scene, moment, j))),
      ...scene.items.map((_, i) => layer(scene.marksHere(i, moment), { x: scene.x[i], y: scene.y[i] })),
      ...shelf.layers,
      ...scene.titleMarks().map((marks) => layer(marks)),
      ...sprites.map(({ x, y, opacity, marks }) => layer(marks, { x, y, opacity })),
    ],
  };
}

/**
 * A graph at time t.
 * @param {Scene} scene @param {number} t @param {Palette} palette @param {Measure} measure
 * @param {Step} [step]  none: at rest
 * @returns {Picture}
 */
export function pictureOf(scene, t, palette, measure, step) {
  const progress = progressAt(step?.ms ?? STEP_MS);
  const moment = step ? new Moment(scene.trace, t, step.from, progress.stage) : new Moment(scene.trace, t);
  const sprites = overlay(scene, moment, progress, { from: step?.from ?? t, still: !step });
  const keys = [drawWays(measure), drawLegend(scene.colours, measure, looksOf(scene.trace))];
  return { drawing: drawGraph(scene, moment, sprites), keys, palette, measure };
}
