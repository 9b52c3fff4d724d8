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
 * @property {(i: number) => void} reveal
 * @property {(i: number) => void} activate  Enter
 * @property {() => void} leave  Escape
 */

/** @type {Record<string, Direction>} */
const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

export class Cursor {
  /** @param {SVGElement} layer @param {CursorHost} host */
  constructor(layer, host) {
    this.layer = layer;
    this.host = host;
    this.at = -1;
    layer.addEventListener("keydown", (event) => this.pressed(/** @type {KeyboardEvent} */ (event)));
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
    const shown = this.layer.contains(document.activeElement);
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
    if (!now || i < 0 || !now.scene.items[i]) return void this.layer.replaceChildren();
    const { scene, moment } = now;
    const had = this.layer.contains(document.activeElement);
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
    this.layer.append(cursor);
    if (move || had) cursor.focus({ preventScroll: true });
    for (const old of [...this.layer.children]) if (old !== cursor) old.remove();
  }
}
