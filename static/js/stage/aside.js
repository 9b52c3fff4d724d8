/**
 * The words beside the drawing: in its upper left corner where it can be seen whole and large beside them, else as a
 * band above it; on a narrow page they stand elsewhere.
 * @module
 */

import { firstView, fitClear, LEGIBLE, meets, onScreen } from "../scene/view.js";

/** @typedef {import("../scene/scene.js").Scene} Scene */
/** @typedef {import("../scene/view.js").Box} Box */
/** @typedef {import("../scene/view.js").Size} Size */

/** px of a stage below which there is no beside, and below which there is none in a drawing one looks around in. */
const NARROW = 620;
const WIDE = 900;
/** Items of a drawing above which words stand above it. */
const MANY = 120;
/** px between the words and the drawing. */
const GAP = 12;
/** How much smaller the drawing may be for words in its corner, and from which zoom on that does not matter. */
const SMALLER = 0.9;
const LARGE = 1.1;

export class Aside {
  /** @param {HTMLElement} element  a child of the stage: over its upper left corner, or as `band` above */
  constructor(element) {
    this.element = element;
    this.stage = element.parentElement;
    /** @type {Box[]} what it covers of the drawing */
    this.covers = [];
  }

  get inside() {
    return this.element.parentElement === this.stage;
  }

  /** px that it takes from above. */
  get height() {
    return this.inside && this.element.classList.contains("band") ? this.element.offsetHeight : 0;
  }

  /** Take no room until the next place: how another run is laid out does not depend on the words of the last. */
  leave() {
    this.element.classList.remove("band");
    this.covers = [];
  }

  /**
   * Choose where it stands.
   * @param {Scene | null} scene @param {Size} size  what the drawing has without it
   * @param {readonly Box[]} others  what else covers the drawing
   * @param {Box | undefined} focus  where something happens
   */
  place(scene, size, others, focus) {
    const { element } = this;
    element.classList.remove("band");
    this.covers = [];
    if (this.inside && !element.hidden) {
      const { offsetLeft: x, offsetTop: y, offsetWidth: w, offsetHeight: h } = element;
      const corner = { x: 0, y: 0, w: x + w + GAP, h: y + h + GAP };
      element.classList.add("band");
      const above = { width: size.width, height: size.height - element.offsetHeight };
      if (scene && hasRoom(scene, size, above, corner, others, focus)) {
        element.classList.remove("band");
        this.covers = [corner];
      }
    }
    this.stage?.style.setProperty("--aside", `${this.height}px`);
  }
}

/**
 * @param {Scene} scene @param {Size} size @param {Size} above  what is left below a band
 * @param {Box} corner @param {readonly Box[]} others @param {Box | undefined} focus
 */
function hasRoom(scene, size, above, corner, others, focus) {
  if (size.width < NARROW || scene.items.length > MANY) return false;
  const { bounds } = scene;
  const boxes = everything(scene);
  const covers = [...others, corner];
  const whole = fitClear(bounds, size, boxes, covers);
  const legible = whole.k >= LEGIBLE;
  const first = legible ? whole : firstView(bounds, size, focus, covers, boxes);
  if (boxes.some((box) => meets(onScreen(first, box), corner))) return false;
  const below = fitClear(bounds, above, boxes, others);
  return legible ? whole.k >= Math.min(LARGE, SMALLER * below.k) : size.width >= WIDE && below.k < LEGIBLE;
}

/** Points of an edge that are taken for one box. */
const STRIDE = 4;

/** What must not lie under words: items, open groups, edges and what is written on them. @param {Scene} scene */
export const everything = (scene) => [...scene.boxes, ...scene.hulls, ...edgesOf(scene), ...writtenOn(scene)];

/**
 * What is written on edges.
 * @param {Scene} scene @param {ReadonlySet<number>} [items]  at rest, on those that come down from these
 * @returns {Box[]}
 */
export const writtenOn = (scene, items) =>
  scene.draft.chips.flatMap(({ w, h, tall }, j) => {
    const high = items ? h : Math.max(h, tall);
    return high && (!items || items.has(scene.links[j].to))
      ? [{ x: scene.labelX[j] - w / 2, y: scene.labelY[j] - high / 2, w, h: high }]
      : [];
  });

/** Edges, as boxes around pieces of them. @param {Scene} scene @returns {Box[]} */
export const edgesOf = (scene) =>
  scene.links.flatMap((_, j) => {
    const { xs, ys } = scene.way(j);
    /** @type {Box[]} */
    const pieces = [];
    for (let i = 0; i < xs.length - 1; i += STRIDE) {
      const [px, py] = [xs.slice(i, i + STRIDE + 1), ys.slice(i, i + STRIDE + 1)];
      const [x, y] = [Math.min(...px), Math.min(...py)];
      pieces.push({ x, y, w: Math.max(...px) - x + 1, h: Math.max(...py) - y + 1 });
    }
    return pieces;
  });

/** What is above: the way back to the map; in a frame, the way to the page; on a projector, the way out. */
const CORNER = { w: 92, h: 46 };
const CORNERED = "[data-embed], [data-present]";
const EDGE = 12;

/** As the style sheet sizes it. @param {Size} size */
const mapSize = ({ width }) => (width < 560 ? { w: 120, h: 80 } : { w: 180, h: 120 });

/**
 * What lies over the picture: a button above and the small map below. What happens must not hide there.
 * @param {Size} size  of the stage
 * @param {boolean} map  the small map is shown
 * @param {boolean} back  there is a way back to a map of modules
 * @returns {Box[]}  on screen
 */
export function coversOf(size, map, back) {
  const { width, height } = size;
  const small = mapSize(size);
  return [
    ...(back || document.documentElement.matches(CORNERED) ? [{ x: width - CORNER.w, y: 0, ...CORNER }] : []),
    ...(map ? [{ x: width - small.w - EDGE, y: height - small.h - EDGE, w: small.w + EDGE, h: small.h + EDGE }] : []),
  ];
}
