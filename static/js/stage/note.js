/**
 * A note beside what happens, on the drawing: as near to it as it covers nothing. It moves as the drawing does.
 * @module
 */
import { Room } from "../scene/place.js";

/** @typedef {import("../scene/view.js").Box} Box */
/** @typedef {import("../scene/view.js").View} View */
/** @typedef {{x: number, y: number}} Point */

/** px between places that are tried, and from the note to what stands around it. */
const STEP = 10;
const MARGIN = 6;

/**
 * The place nearest to a box where a note covers nothing. Pure.
 * @param {Box} at @param {{w: number, h: number}} note @param {Box} within
 * @param {readonly Box[]} taken
 * @returns {Point | null} its upper left corner; null where there is none
 */
export function nearestPlace(at, note, within, taken) {
  const room = new Room();
  for (const box of taken) room.take(box);
  const away = (/** @type {Point} */ { x, y }) =>
    Math.hypot(
      Math.max(0, at.x - x - note.w, x - at.x - at.w),
      Math.max(0, at.y - y - note.h, y - at.y - at.h) * 1.5, // beside is nearer than above or below
    );
  const places = [];
  for (let y = within.y + MARGIN; y + note.h + MARGIN <= within.y + within.h; y += STEP) {
    for (let x = within.x + MARGIN; x + note.w + MARGIN <= within.x + within.w; x += STEP) places.push({ x, y });
  }
  const around = (/** @type {Point} */ { x, y }) => ({
    x: x - MARGIN,
    y: y - MARGIN,
    w: note.w + 2 * MARGIN,
    h: note.h + 2 * MARGIN,
  });
  const measured = places.map((place) => ({ place, far: away(place) })).sort((a, b) => a.far - b.far);
  return measured.find(({ place }) => room.overlap(around(place)) === 0)?.place ?? null;
}

export class Note {
  /** @param {HTMLElement} element  in the room of the drawing @param {() => void} resized */
  constructor(element, resized) {
    this.element = element;
    /** @type {Point | null} of the drawing */
    this.at = null;
    new ResizeObserver(resized).observe(element);
  }

  /** Anything to place? */
  get wanted() {
    return this.element.hasChildNodes();
  }

  /** Nowhere. */
  hide() {
    this.at = null;
    this.element.style.visibility = "hidden";
  }

  /**
   * @param {Box} at  on screen, as all of these @param {Box} within
   * @param {readonly Box[]} numbers  what must not be covered @param {readonly Box[]} lines  what had better not be
   * @param {View} view
   */
  place(at, within, numbers, lines, view) {
    const { offsetWidth: w, offsetHeight: h } = this.element;
    const corner =
      nearestPlace(at, { w, h }, within, [...numbers, ...lines]) ?? nearestPlace(at, { w, h }, within, numbers);
    if (!corner) return this.hide();
    this.at = { x: (corner.x - view.x) / view.k, y: (corner.y - view.y) / view.k };
    this.element.style.visibility = "visible";
  }

  /** @param {View} view */
  follow(view) {
    if (!this.at) return;
    const [x, y] = [this.at.x * view.k + view.x, this.at.y * view.k + view.y];
    this.element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }
}

/** px from the pointer. */
const AWAY = 14;

/** A few words beside the pointer. What they say can be reached otherwise: through the ledger, and by keyboard. */
export class Tip {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /**
   * @param {import("../scene/hint.js").Hint} hint
   * @param {{x: number, y: number}} at in the pane
   * @param {{width: number, height: number}} pane
   */
  show({ title, lines }, at, pane) {
    const { element } = this;
    const strong = document.createElement("b");
    strong.textContent = title;
    element.replaceChildren(
      strong,
      ...lines.map((line) => {
        const row = document.createElement("span");
        row.textContent = line;
        return row;
      }),
    );
    element.hidden = false;
    const { offsetWidth: w, offsetHeight: h } = element;
    element.style.left = `${Math.max(4, Math.min(at.x + AWAY, pane.width - w - 4))}px`;
    element.style.top = `${at.y + AWAY + h > pane.height ? at.y - AWAY - h : at.y + AWAY}px`;
  }

  hide() {
    this.element.hidden = true;
  }
}
