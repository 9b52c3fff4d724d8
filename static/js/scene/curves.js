/**
 * Paths made of cubic pieces: as SVG text, and as a way to travel along.
 * @module
 */
import { round } from "./marks.js";

/** @param {Float64Array} path @returns {string} */
export function pathText(path) {
  let d = `M${round(path[0])} ${round(path[1])}`;
  for (let i = 2; i < path.length; i += 6) {
    d += `C${round(path[i])} ${round(path[i + 1])} ${round(path[i + 2])} ${round(path[i + 3])}`;
    d += ` ${round(path[i + 4])} ${round(path[i + 5])}`;
  }
  return d;
}

const SAMPLES = 12;

/** A path measured once, so that packets move at even speed. */
export class Way {
  /** @param {Float64Array} path */
  constructor(path) {
    const pieces = (path.length - 2) / 6;
    const count = pieces * SAMPLES;
    this.xs = new Float64Array(count + 1);
    this.ys = new Float64Array(count + 1);
    this.lengths = new Float64Array(count + 1);
    this.xs[0] = path[0];
    this.ys[0] = path[1];
    let at = 0;
    for (let p = 0; p < pieces; p++) {
      const i = p * 6;
      for (let s = 1; s <= SAMPLES; s++) {
        const t = s / SAMPLES;
        const u = 1 - t;
        const a = u * u * u;
        const b = 3 * u * u * t;
        const c = 3 * u * t * t;
        const d = t * t * t;
        at++;
        this.xs[at] = a * path[i] + b * path[i + 2] + c * path[i + 4] + d * path[i + 6];
        this.ys[at] = a * path[i + 1] + b * path[i + 3] + c * path[i + 5] + d * path[i + 7];
        this.lengths[at] =
          this.lengths[at - 1] + Math.hypot(this.xs[at] - this.xs[at - 1], this.ys[at] - this.ys[at - 1]);
      }
    }
  }

  get length() {
    return this.lengths[this.lengths.length - 1];
  }

  /** The stretch from a part of the way to its forward end, as SVG text. @param {number} part */
  tail(part) {
    const { x, y } = this.at(part);
    let d = `M${round(x)} ${round(y)}`;
    const from = part * this.length;
    for (let i = 0; i < this.lengths.length; i++) {
      if (this.lengths[i] > from) d += `L${round(this.xs[i])} ${round(this.ys[i])}`;
    }
    return d;
  }

  /** How far a point is from the way. @param {number} x @param {number} y */
  distance(x, y) {
    const { xs, ys } = this;
    let least = Infinity;
    for (let i = 1; i < xs.length; i++) {
      const dx = xs[i] - xs[i - 1];
      const dy = ys[i] - ys[i - 1];
      const square = dx * dx + dy * dy;
      const t = square ? Math.max(0, Math.min(1, ((x - xs[i - 1]) * dx + (y - ys[i - 1]) * dy) / square)) : 0;
      least = Math.min(least, Math.hypot(x - xs[i - 1] - t * dx, y - ys[i - 1] - t * dy));
    }
    return least;
  }

  /** @param {number} part  0 at the forward start, 1 at the forward end @returns {{x: number, y: number}} */
  at(part) {
    const wanted = part * this.length;
    let low = 0;
    let high = this.lengths.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.lengths[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return { x: this.xs[0], y: this.ys[0] };
    const before = this.lengths[low - 1];
    const span = this.lengths[low] - before || 1;
    const t = (wanted - before) / span;
    return {
      x: this.xs[low - 1] + (this.xs[low] - this.xs[low - 1]) * t,
      y: this.ys[low - 1] + (this.ys[low] - this.ys[low - 1]) * t,
    };
  }
}
