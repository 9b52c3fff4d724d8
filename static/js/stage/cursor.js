/**
 * The keyboard in the graph. Whatever paints the items, one focusable element stands for the one that has the focus; a
 * new element each time, so that a screen reader announces it.
 * @module
 */
import { paintMarks } from "../paint/svg.js";
import { rect } from "../scene/marks.js";
import { neighbour } from "../scene/navigate.js";

/** @typedef {import("../scene/scene.js").Scene} Scene */
/** @typedef {import("../scene/moment.js").Moment} Moment */
/** @typedef {import("../scene/navigate.js").Direction} Direction */

/**
 * @typedef {object} CursorHost
 * @property {() => {scene: Scene, moment: Moment} | null} now
 * @property {(i: number) => {layer: SVGElement, scene: Scene}} place  where an item is drawn
 * @property {(i: number) => void} reveal
 * @property {(i: number) => void} activate  Enter
 * @property {() => void} leave  Escape
 */

/** @type {Record<string, Direction>} */
const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

export class Cursor {
  /** @param {readonly SVGElement[]} layers @param {CursorHost} host */
  constructor(layers, host) {
    this.layers = layers;
    this.host = host;
    this.at = -1;
    for (const layer of layers) {
      layer.addEventListener("keydown", (event) => this.pressed(/** @type {KeyboardEvent} */ (event)));
    }
  }

  /** Has it the keyboard focus? */
  get focused() {
    return this.layers.some((layer) => layer.contains(document.activeElement));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (ARROWS[event.key]) this.go(ARROWS[event.key]);
    else if (event.key === "Enter") this.host.activate(this.at >= 0 ? this.at : this.start());
    else if (event.key === "Escape") this.host.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {Direction} direction */
  go(direction) {
    const now = this.host.now();
    if (!now) return;
    const shown = this.focused;
    const from = this.at < 0 ? this.start() : this.at;
    this.at = this.at < 0 && !shown ? from : neighbour(now.scene, from, direction);
    this.paint(true);
    if (this.at >= 0) this.host.reveal(this.at);
  }

  /** @param {number} i */
  put(i) {
    this.at = i;
    this.paint(false);
  }

  /** Where looking starts: at what runs now, else at the first item. */
  start() {
    const now = this.host.now();
    const event = now?.moment.after.event;
    const running = event && "node" in event && event.node ? now?.scene.itemOf(event.node, now.moment.t) : undefined;
    return running ?? (now?.scene.items.length ? 0 : -1);
  }

  /** @param {boolean} move  take the keyboard focus */
  paint(move) {
    const now = this.host.now();
    const i = this.at >= 0 ? this.at : this.start();
    if (!now || i < 0 || !now.scene.items[i]) return this.layers.forEach((layer) => layer.replaceChildren());
    const { moment } = now;
    const { layer, scene } = this.host.place(i);
    const had = this.focused;
    const cursor = document.createElementNS("http://www.w3.org/2000/svg", "g");
    cursor.setAttribute("class", "cursor");
    cursor.setAttribute("tabindex", "0");
    cursor.setAttribute("role", "button");
    cursor.setAttribute("aria-label", scene.describe(i, moment));
    const box = scene.faceOf(i);
    paintMarks(
      cursor,
      [rect(box.x - 5, box.y - 5, box.w + 10, box.h + 10, { r: 14, stroke: "focus", sw: 2.5 })],
      scene.colours.palette,
    );
    layer.append(cursor);
    if (move || had) cursor.focus({ preventScroll: true });
    for (const old of this.layers.flatMap((each) => [...each.children])) if (old !== cursor) old.remove();
  }
}
