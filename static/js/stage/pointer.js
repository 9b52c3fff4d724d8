/**
 * Pointing at the graph: hovering, clicking, and dragging a number on a leaf's card.
 * @module
 */
import { flatten, toNumber } from "../trace.js";
import { draggedTo } from "../ui/drag.js";
import { headingAt, itemAt, linkAt, numberAt, weightAt } from "../scene/navigate.js";

/** @typedef {import("../scene/scene.js").Scene} Scene */
/**
 * In a leaf, or among weights.
 * @typedef {{tensor: string, index: number} | {call: number, root: number, index: number}} Place
 */
/** @typedef {{place: Place, value: number, done: boolean}} Adjustment */

/**
 * @typedef {object} PointerHost
 * @property {() => Scene | null} scene
 * @property {(event: {clientX: number, clientY: number}) => {x: number, y: number}} toWorld
 * @property {() => number} zoom
 * @property {() => number} time
 * @property {(i: number, j: number, event: MouseEvent | null) => void} hover  an item or else a link, −1 for none
 * @property {(i: number, j: number, heading: string | null, event: MouseEvent) => void} click an item, a link, or the
 *   heading of a group
 * @property {((change: Adjustment) => void) | undefined} adjust
 * @property {() => boolean} adjustable whether numbers of the run on show can be dragged
 */

/** A link is pointed at from this many pixels. */
const NEAR = 7;

export class Pointer {
  /** @param {SVGSVGElement} svg @param {PointerHost} host */
  constructor(svg, host) {
    this.svg = svg;
    this.host = host;
    /** @type {{place: Place, value: number, start: number, moved: boolean} | null} */
    this.drag = null;
    this.dragEnded = false;
    svg.addEventListener("pointermove", (event) => this.moved(event));
    svg.addEventListener("pointerleave", () => host.hover(-1, -1, null));
    svg.addEventListener("click", (event) => this.clicked(event));
    svg.addEventListener("pointerdown", (event) => this.pressed(event));
    svg.addEventListener("pointerup", (event) => this.released(event));
    svg.addEventListener("pointercancel", (event) => this.released(event));
  }

  /** @param {PointerEvent} event */
  moved(event) {
    const scene = this.host.scene();
    if (!scene) return;
    if (this.drag) return this.dragged(event, false);
    const { i, j, heading } = this.under(scene, event);
    this.host.hover(i, j, event);
    this.svg.classList.toggle("adjustable", this.numberUnder(event) !== null);
    this.svg.classList.toggle("pointing", i >= 0 || j >= 0 || heading !== null);
  }

  /** An item, else the heading of a scope, else a link. @param {Scene} scene @param {MouseEvent} event */
  under(scene, event) {
    const { x, y } = this.host.toWorld(event);
    const i = itemAt(scene, x, y);
    const heading = i < 0 ? headingAt(scene, x, y, this.host.zoom()) : null;
    return { i, heading, j: i < 0 && heading === null ? linkAt(scene, x, y, NEAR / this.host.zoom()) : -1 };
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const scene = this.host.scene();
    const dragged = this.dragEnded;
    this.dragEnded = false;
    if (!scene || event.defaultPrevented || dragged) return;
    const { i, j, heading } = this.under(scene, event);
    this.host.click(i, j, heading, event);
  }

  /**
   * A number that could be dragged, and the value it is part of.
   * @param {MouseEvent | TouchEvent} event
   * @returns {{place: Place, ref: string | null | undefined} | null}
   */
  numberUnder(event) {
    const scene = this.host.scene();
    const at = "touches" in event ? event.touches[0] : event;
    if (!this.host.adjustable() || !scene || !at) return null;
    const { x, y } = this.host.toWorld(at);
    const weight = weightAt(scene, x, y, this.host.time());
    if (weight) return { place: { call: weight.call, root: weight.root, index: weight.index }, ref: weight.gradient };
    const number = numberAt(scene, x, y);
    return number && { place: number, ref: scene.trace.tensors.get(number.tensor)?.value };
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    this.dragEnded = false;
    const found = event.button ? null : this.numberUnder(event);
    const trace = this.host.scene()?.trace;
    if (!found || !trace) return;
    const element = flatten(trace.value(found.ref))?.[found.place.index];
    const value = Array.isArray(element) ? NaN : toNumber(element);
    if (!Number.isFinite(value)) return;
    this.drag = { place: found.place, value, start: event.clientX, moved: false };
    this.svg.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event @param {boolean} done */
  dragged(event, done) {
    const { drag } = this;
    if (!drag) return;
    const value = draggedTo(drag.value, event.clientX - drag.start);
    if (value === draggedTo(drag.value, 0) && !drag.moved) return;
    drag.moved = true;
    this.host.adjust?.({ place: drag.place, value, done });
  }

  /** @param {PointerEvent} event */
  released(event) {
    if (this.drag?.moved) this.dragged(event, true);
    this.dragEnded = this.drag?.moved ?? false; // the click that follows is not meant
    this.drag = null;
  }
}
