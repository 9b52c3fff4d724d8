/**
 * What matplotlib drew itself, as an image: the browser runs nothing in it and fetches nothing for it. Pure.
 * @module
 */
import { number } from "./scale.js";

/** @typedef {import("../trace/document").Picture} Picture */
/** @typedef {import("./types").Rect} Rect */

/** Pixels of a point of 1/72 inch. */
const POINT = 96 / 72;

/** @param {Picture} picture */
export const addressOf = ({ svg }) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/**
 * Where it lies in the room there is: as large as it fits, and a half larger than it was drawn at most.
 * @param {Picture} picture @param {Rect} room @returns {Rect}
 */
export function lies({ size }, room) {
  const [wide = 1, high = 1] = size.map((side) => Math.max(1, number(side) || 1) * POINT);
  const share = Math.min(1.5, room.width / wide, room.height / high);
  const [width, height] = [wide * share, high * share].map(Math.round);
  return { x: room.x + (room.width - width) / 2, y: room.y + (room.height - height) / 2, width, height };
}
