/**
 * Where one looks from. Gestures come from d3-zoom; flights between views run in the stage's animation loop.
 * @module
 */
import { select, zoom, zoomIdentity } from "../../vendor/d3.js";
import {
  between,
  centreOn,
  CLOSEST,
  FARTHEST,
  firstView,
  fitClear,
  fitView,
  meets,
  onScreen,
  leastLegible,
  LEGIBLE,
  reveal,
  zoomAt,
} from "../scene/view.js";
import { fits } from "../scene/fit.js";
import { around, gathered, LEAST_MARGIN } from "../scene/story.js";

/** @typedef {import("../scene/view.js").View} View */
/** @typedef {import("../scene/view.js").Box} Box */
/** @typedef {import("../scene/view.js").Size} Size */

const FLIGHT_MS = 320;

/** Slow at both ends. @param {number} t */
export const ease = (t) => (t < 0.5 ? 4 * t * t * t : 1 - (-2 * t + 2) ** 3 / 2);

/**
 * Where in an element something happens, in its own pixels: those of a zoomed one are larger than the page's.
 * @param {Element} element
 * @param {{clientX: number, clientY: number}} event
 */
export function local(element, { clientX, clientY }) {
  const { left, top, width } = element.getBoundingClientRect();
  const zoom = element.clientWidth ? width / element.clientWidth : 1;
  return { x: (clientX - left) / zoom, y: (clientY - top) / zoom };
}

/**
 * At hundredths of a pixel: an address that names a view leads back to it exactly.
 * @param {View} view @returns {View}
 */
const atRest = ({ k, x, y }) => ({ k, x: Math.round(100 * x) / 100, y: Math.round(100 * y) / 100 });

export class Camera {
  /**
   * @param {SVGSVGElement} svg
   * @param {{moved: (view: View) => void, wake: () => void, still: () => boolean, gestured: () => void, free: (event:
   *   any) => boolean, covers: () => Box[]}} host
   * moved: paint this view · wake: call `tick` soon · still: flights arrive at once · gestured: a hand took over ·
   * free: a press here may start a gesture · covers: what lies over the picture
   */
  constructor(svg, host) {
    this.svg = svg;
    this.host = host;
    /** @type {View} */
    this.view = { x: 0, y: 0, k: 1 };
    /** @type {Size} */
    this.size = { width: 720, height: 560 };
    /** @type {Box | null} */
    this.bounds = null;
    /** @type {readonly Box[]} what lies within them */
    this.boxes = [];
    /** @type {Box | undefined} where something happened when it was looked at first */
    this.focus = undefined;
    /** Someone looked around: fitting again would take that away. */
    this.touched = false;
    /** @type {{from: View, to: View, started: number} | null} */
    this.flight = null;
    const pressing = new Set(["mousedown", "touchstart", "pointerdown"]);
    const behaviour = /** @type {import("d3-zoom").ZoomBehavior<SVGSVGElement, unknown>} */ (zoom())
      .scaleExtent([FARTHEST, CLOSEST])
      .filter((event) => !event.button && (!pressing.has(event.type) || host.free(event)))
      .on("zoom", ({ transform, sourceEvent }) => {
        if (!sourceEvent) return;
        this.touched = true;
        host.gestured();
        this.set({ x: transform.x, y: transform.y, k: transform.k });
      });
    select(svg).call(behaviour).on("dblclick.zoom", null);
  }

  /** Come to rest. @param {View} view */
  set(view) {
    this.flight = null;
    this.apply(atRest(view));
  }

  /** @param {View} view */
  apply(view) {
    this.view = view;
    select(this.svg).property("__zoom", zoomIdentity.translate(view.x, view.y).scale(view.k));
    this.host.moved(view);
  }

  /** @param {View} to */
  fly(to) {
    if (this.host.still()) return this.set(to);
    this.flight = { from: this.view, to, started: 0 };
    this.host.wake();
  }

  /** @param {number} now @returns {boolean}  still flying */
  tick(now) {
    const { flight } = this;
    if (!flight) return false;
    flight.started ||= now;
    const part = Math.min(1, (now - flight.started) / FLIGHT_MS);
    if (part >= 1) this.flight = null;
    this.apply(between(flight.from, flight.to, ease(part), this.size));
    return part < 1;
  }

  /** The first look at a graph. @param {Box | undefined} focus  where something happens */
  begin(focus) {
    if (!this.bounds) return;
    this.touched = false;
    this.focus = focus;
    this.set(this.first(this.bounds, focus));
  }

  /** @param {Box} bounds @param {Box | undefined} focus */
  first(bounds, focus) {
    const whole = this.whole(bounds);
    return whole.k >= LEGIBLE ? whole : firstView(bounds, this.size, focus, this.host.covers(), this.boxes);
  }

  /**
   * Where one looks from: the zoom, and the point of the drawing in the middle; null where a first look is from there.
   * @param {Box | undefined} focus  where something happens
   * @param {Box[][]} lists  what is gathered then
   * @returns {{k: number, x: number, y: number} | null}
   */
  place(focus, lists) {
    if (!this.bounds) return null;
    const { width, height } = this.size;
    const told = (/** @type {View} */ view) => {
      const k = Number(view.k.toFixed(6)); // by which the rest is told, too: what comes back from it is the same then
      const x = Number(((width / 2 - view.x) / k).toFixed(4));
      const y = Number(((height / 2 - view.y) / k).toFixed(4));
      return { k, x, y };
    };
    const now = told(this.flight?.to ?? this.view);
    if (this.touched) return now;
    const begun = this.first(this.bounds, focus);
    const first = told(atRest(this.gathering(begun, lists) ?? begun));
    return now.k === first.k && now.x === first.x && now.y === first.y ? null : now;
  }

  /** @param {{k: number, x: number, y: number}} place */
  goTo({ k, x, y }) {
    this.touched = true;
    this.set(centreOn({ k, x: 0, y: 0 }, { x, y }, this.size));
  }

  /** @param {Box} bounds */
  whole(bounds) {
    return fitClear(bounds, this.size, this.boxes, this.host.covers());
  }

  /** Much of the graph is out of sight. */
  get near() {
    return this.bounds !== null && this.view.k > 1.4 * fitView(this.bounds, this.size).k;
  }

  /** @param {boolean} smooth */
  fit(smooth) {
    if (!this.bounds) return;
    this.touched = false;
    const to = this.whole(this.bounds);
    if (smooth) this.fly(to);
    else this.set(to);
  }

  /** @param {number} factor */
  zoomBy(factor) {
    this.touched = true;
    this.fly(zoomAt(this.flight?.to ?? this.view, factor, { x: this.size.width / 2, y: this.size.height / 2 }));
  }

  /** @param {{x: number, y: number}} point  world */
  centre(point) {
    this.touched = true;
    this.set(centreOn(this.view, point, this.size));
  }

  /** Bring a box into sight, if it is not. @param {Box | undefined} box @param {readonly Box[]} [covers] */
  reveal(box, covers = this.host.covers()) {
    const view = this.flight?.to ?? this.view;
    const bounds = box && this.bounds ? around([this.bounds, box]) : undefined;
    const to = box && reveal(view, box, this.size, bounds, covers);
    if (to) this.fly(to);
  }

  /** Bring a box into sight, and of what belongs to it as much as has room. @param {Box} box @param {Box[]} more */
  revealWith(box, more) {
    const view = this.flight?.to ?? this.view;
    const parts = [box];
    const all = more.reduce((all, each) => {
      const both = around([all, each]);
      if (both.w * view.k > this.size.width || both.h * view.k > this.size.height) return all;
      parts.push(each);
      return both;
    }, box);
    const over = this.host.covers().filter((cover) => parts.some((part) => meets(onScreen(view, part), cover)));
    this.reveal(all, over);
    this.reveal(box);
  }

  /** Bring the first of several boxes into sight, and as many more as can be read with it. @param {Box[]} boxes */
  show(boxes) {
    this.reveal(boxes[0]);
    for (let n = boxes.length; n > 1; n--) this.gather(boxes.slice(0, n));
    this.reveal(boxes[0]);
  }

  /** Bring the first of several lists into sight that can be read together. @param {Box[][]} lists */
  gatherFirst(lists) {
    const to = this.gathering(this.flight?.to ?? this.view, lists);
    if (to) this.fly(to);
  }

  /** @param {View} view @param {Box[][]} lists @returns {View | null} */
  gathering(view, lists) {
    const found = lists.find(
      (boxes) => boxes.length && fits(around(boxes), this.size, LEAST_MARGIN, leastLegible(this.size)),
    );
    return found ? gathered(view, found, this.size) : null;
  }

  /** Bring several boxes into sight together, if they can be. @param {Box[]} boxes */
  gather(boxes) {
    const to = gathered(this.flight?.to ?? this.view, boxes, this.size);
    if (to) this.fly(to);
  }

  /**
   * Put a point of the world at a place on screen.
   * @param {{x: number, y: number}} point
   * @param {{x: number, y: number}} place
   */
  hold(point, place) {
    this.set({ ...this.view, x: place.x - point.x * this.view.k, y: place.y - point.y * this.view.k });
  }

  /** @param {{x: number, y: number}} point  world */
  toScreen(point) {
    return { x: point.x * this.view.k + this.view.x, y: point.y * this.view.k + this.view.y };
  }

  /** @param {{clientX: number, clientY: number}} event */
  toWorld({ clientX, clientY }) {
    const { x, y } = local(this.svg, { clientX, clientY });
    return { x: (x - this.view.x) / this.view.k, y: (y - this.view.y) / this.view.k };
  }

  /**
   * @param {Size} size
   * @param {number} rise how much higher the room begins than before: what is seen flies from where it stands
   * @returns {boolean} whether it does
   */
  resize(size, rise) {
    const before = this.size;
    this.size = size;
    if (rise && this.bounds && !this.touched) {
      this.apply({ ...this.view, y: this.view.y + rise });
      this.fly(this.first(this.bounds, this.focus));
      return this.flight !== null;
    }
    if (!this.touched) this.begin(this.focus);
    else {
      this.set({
        ...this.view,
        x: this.view.x + (size.width - before.width) / 2,
        y: this.view.y + (size.height - before.height) / 2,
      });
    }
    return false;
  }
}
