/**
 * The shelf below the graph, and the edges that come down to it. It moves with neither pan nor zoom.
 * @module
 */
import { paintMarks } from "../paint/svg.js";
import { rect } from "../scene/marks.js";
import {
  aimsOf,
  arrowsInto,
  besideTurns,
  divide,
  onShelf,
  outletOf,
  placeSlots,
  RIM,
  SHARE,
  shelfEdges,
  shownIn,
  wayDown,
  wayToShelf,
} from "../scene/shelf.js";
import { drawStrip } from "../scene/strip.js";
import { local } from "./camera.js";

/** @typedef {import("../scene/scene.js").Scene} Scene */
/** @typedef {import("../scene/moment.js").Moment} Moment */
/** @typedef {import("../scene/marks.js").Mark} Mark */
/** @typedef {import("../scene/view.js").View} View */
/** @typedef {import("../scene/view.js").Size} Size */
/** @typedef {ReturnType<typeof import("./build.js").buildPane>["shelf"]} Parts */

const GAP = 10;

/**
 * Where everything on it stands, in how much room.
 * @param {Scene} scene @param {Size} stage  with the room for the shelf
 */
function measured(scene, { width, height }) {
  const { slots } = scene;
  const room = divide(slots, scene.strip, { width, height }, scene.whole.thrift.low);
  const strip = room.strip === "none" ? null : scene.strip;
  const { scale } = room;
  const places = placeSlots(slots, aimsOf(scene), room.width);
  const { w, h, first } = places;
  const stripAt =
    room.strip === "below"
      ? { x: Math.max(GAP, (w - (strip?.w ?? 0)) / 2), y: h }
      : { x: w, y: Math.max(GAP, (h - (strip?.h ?? 0)) / 2) };
  const [right, bottom] = strip ? [stripAt.x + strip.w + GAP, stripAt.y + strip.h + GAP] : [0, 0];
  return {
    scale,
    places,
    strip,
    stripAt,
    wide: Math.max(width, Math.floor(right * scale)),
    high: Math.ceil(Math.max(h, bottom) * scale),
    most: Math.ceil(Math.max(height * SHARE, Math.min(height, first * scale + 1))),
  };
}

export class Shelf {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.scale = 1;
    /** @type {Scene | null} the graph above */
    this.scene = null;
    /** @type {Scene | null} the leaves as they stand here */
    this.standing = null;
    /** @type {import("../scene/shelf.js").Places} */
    this.places = { x: [], y: [], w: 0, h: 0, rows: [], first: 0 };
    /** @type {import("../scene/strip.js").Strip | null} */
    this.strip = null;
    this.stripAt = { x: 0, y: 0 };
    /**
     * What is going to land is shown before; loaded when that is first so.
     * @type {typeof import("../scene/ghosts.js").ghostMarks | null}
     */
    this.ghosts = null;
    /** Leaves have less room than they were given. */
    this.scrolls = false;
  }

  /**
   * Another run, or the same in other room.
   * @param {Scene | null} scene @param {Size} stage  with the room for the shelf
   */
  setScene(scene, { width, height }) {
    const { box, svg } = this.parts;
    this.scene = scene;
    this.standing = null;
    box.hidden = !scene?.slots.length;
    if (!scene?.slots.length) return;
    const { scale, places, strip, stripAt, wide, high, most } = measured(scene, { width, height });
    Object.assign(this, { scale, places, strip, stripAt });
    svg.style.width = `${wide}px`;
    svg.style.height = `${high}px`;
    box.style.height = `${Math.min(high + 1, most)}px`;
    this.scrolls = places.h * scale > most;
    if (high + 1 > most || wide > width)
      box.tabIndex = 0; // keys scroll it, too
    else box.removeAttribute("tabindex");
  }

  /** What it takes of a stage, with its rim. @param {Scene} scene @param {Size} stage */
  heightOf(scene, stage) {
    if (!scene.slots.length) return 0;
    const { high, most } = measured(scene, stage);
    return Math.min(high + 1, most) + RIM;
  }

  /** Put each leaf below where its edges come out. @param {View} view  of the graph @param {number} t */
  aim(view, t) {
    const { scene } = this;
    if (!scene?.slots.length) return;
    const aims = aimsOf(scene).map((x) => (x * view.k + view.x) / this.scale);
    this.places = placeSlots(scene.slots, aims, this.places.w);
    this.standing = onShelf(scene, this.places, t);
  }

  /** @param {Moment} moment */
  paint(moment) {
    const { scene, parts } = this;
    if (!scene?.slots.length) return;
    const { palette } = scene.colours;
    this.standing = onShelf(scene, this.places, moment.t);
    const { standing, scale } = this;
    parts.world.setAttribute("transform", `scale(${scale.toFixed(4)})`);
    const cards = scene.slots.map((slot) => shownIn(scene, slot, moment.t));
    while (parts.items.children.length > cards.length) parts.items.lastElementChild?.remove();
    cards.forEach((i, k) => {
      const group =
        parts.items.children[k] ?? parts.items.appendChild(document.createElementNS(parts.items.namespaceURI, "g"));
      group.setAttribute("class", "item card");
      group.setAttribute("transform", `translate(${standing.x[i].toFixed(1)} ${standing.y[i].toFixed(1)})`);
      paintMarks(group, scene.itemMarks(i, moment), palette);
    });
    paintMarks(parts.ghosts, this.ghosts?.(standing, cards, moment) ?? [], palette);
    const edges = shelfEdges(scene, moment, (_, i) => {
      const way = wayDown(standing, i);
      return [{ x: way[0].x, y: -1 }, ...way];
    });
    paintMarks(parts.edges, [...edges, ...arrowsInto(scene, moment, standing)], palette);
    const { strip } = this;
    parts.strip.setAttribute("transform", `translate(${this.stripAt.x.toFixed(1)} ${this.stripAt.y.toFixed(1)})`);
    paintMarks(parts.strip, strip ? drawStrip(strip, moment.t, scene.colours) : [], palette);
  }

  /** What comes down from the graph as it is seen. @param {Moment} moment @param {View} view @param {Size} room */
  paintDrops(moment, view, { width, height }) {
    const { scene, standing, scale } = this;
    if (!scene || !standing) return this.parts.drops.replaceChildren();
    const beside = besideTurns(scene, view, height);
    const marks = shelfEdges(scene, moment, (j, i) => {
      const x = wayDown(standing, i)[0].x * scale;
      return wayToShelf(outletOf(scene, j, view, width, height, x), { x, y: height + RIM }, beside);
    });
    paintMarks(this.parts.drops, [rect(0, height, width, RIM, { fill: "paper" }), ...marks], scene.colours.palette);
  }

  /** What it takes of the room above it. */
  get rim() {
    return this.parts.box.hidden ? 0 : RIM;
  }

  /** Scroll to a leaf. @param {number} i */
  reveal(i) {
    const { standing, parts, scale } = this;
    if (!standing?.shows(i)) return;
    const { y, h } = standing.boxes[i];
    const { scrollTop, clientHeight } = parts.box;
    if (y * scale < scrollTop) parts.box.scrollTop = y * scale - GAP;
    else if ((y + h) * scale > scrollTop + clientHeight) parts.box.scrollTop = (y + h) * scale - clientHeight + GAP;
  }

  /** @param {{clientX: number, clientY: number}} event  as a point on the shelf */
  toWorld(event) {
    const { x, y } = local(this.parts.svg, event);
    return { x: x / this.scale, y: y / this.scale };
  }
}
