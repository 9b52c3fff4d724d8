/**
 * Finding room: a grid of boxes that are taken, and the least bad of several places for a new one.
 * @module
 */

/** @typedef {{x: number, y: number, w: number, h: number}} Box */

const CELL = 120;

export class Room {
  constructor() {
    /** @type {Map<number, {box: Box, owner: number}[]>} */
    this.cells = new Map();
  }

  /** @param {Box} box */
  *around(box) {
    for (let cx = Math.floor(box.x / CELL); cx <= Math.floor((box.x + box.w) / CELL); cx++) {
      for (let cy = Math.floor(box.y / CELL); cy <= Math.floor((box.y + box.h) / CELL); cy++) yield cx * 100003 + cy;
    }
  }

  /** @param {Box} box @param {number} [owner]  whom it does not hinder */
  take(box, owner = -1) {
    const taken = { box, owner };
    for (const cell of this.around(box)) {
      const list = this.cells.get(cell);
      if (list) list.push(taken);
      else this.cells.set(cell, [taken]);
    }
  }

  /** Area shared with what others have taken. @param {Box} box @param {number} [owner] */
  overlap(box, owner = -2) {
    let area = 0;
    for (const taken of this.meeting(box)) {
      if (taken.owner === owner) continue;
      const other = taken.box;
      area +=
        (Math.min(box.x + box.w, other.x + other.w) - Math.max(box.x, other.x)) *
        (Math.min(box.y + box.h, other.y + other.h) - Math.max(box.y, other.y));
    }
    return area;
  }

  /** What is taken and shares area with a box. @param {Box} box */
  *meeting(box) {
    const seen = new Set();
    for (const cell of this.around(box)) {
      for (const taken of this.cells.get(cell) ?? []) {
        const other = taken.box;
        if (
          seen.has(taken) ||
          other.x >= box.x + box.w ||
          other.x + other.w <= box.x ||
          other.y >= box.y + box.h ||
          other.y + other.h <= box.y
        ) {
          continue;
        }
        seen.add(taken);
        yield taken;
      }
    }
  }

  /**
   * The first centre with room for a box of this size, else the one that covers least.
   * @param {Iterable<{x: number, y: number}>} centres
   * @param {number} w
   * @param {number} h
   * @param {number} [margin]
   * @param {number} [owner]
   * @returns {{x: number, y: number}}
   */
  best(centres, w, h, margin = 3, owner = -2) {
    let found = null;
    let least = Infinity;
    for (const { x, y } of centres) {
      const covered = this.overlap(
        { x: x - w / 2 - margin, y: y - h / 2 - margin, w: w + 2 * margin, h: h + 2 * margin },
        owner,
      );
      if (covered < least - 0.5) {
        least = covered;
        found = { x, y };
      }
      if (least === 0) break;
    }
    return found ?? { x: 0, y: 0 };
  }
}

/**
 * Places on a way, from one part of it outwards, then just beside it.
 * @param {import("./curves.js").Way} way
 * @param {number} first
 * @param {number} w of what is placed
 */
export function* alongWay(way, first, w) {
  for (const beside of [0, 1, -1]) {
    for (const step of [
      0, 0.04, -0.04, 0.08, -0.08, 0.12, -0.12, 0.16, -0.16, 0.2, -0.2, 0.24, -0.24, 0.29, -0.29, 0.34, -0.34,
    ]) {
      const part = first + step;
      if (part <= 0.06 || part >= 0.94) continue;
      const { x, y } = way.at(part);
      yield { x: x + beside * (w / 2 + 4), y };
    }
  }
}

/** Places around a box, below first. @param {Box} box @param {number} w @param {number} h */
export function* aroundBox(box, w, h) {
  const cx = box.x + box.w / 2;
  const cy = box.y + box.h / 2;
  for (const far of [10, 34, 64, 110, 170, 240]) {
    yield { x: cx, y: box.y + box.h + far + h / 2 };
    yield { x: cx, y: box.y - far - h / 2 };
    yield { x: box.x + w / 2, y: box.y + box.h + far + h / 2 };
    yield { x: box.x + box.w - w / 2, y: box.y + box.h + far + h / 2 };
    yield { x: box.x - far - w / 2, y: cy };
    yield { x: box.x + box.w + far + w / 2, y: cy };
  }
}
