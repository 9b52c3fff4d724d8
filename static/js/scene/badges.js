/**
 * Small signs on cards and circles: a hook, a version, an error.
 * @module
 */
import { path, rect, text } from "./marks.js";

/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./moment.js").Moment} Moment */

/** @param {Moment} moment */
export const atError = (moment) => moment.after.t >= moment.trace.events.length;

/** @param {Moment} moment @param {string} id */
export function atHook(moment, id) {
  const { event } = moment.after;
  return event?.kind === "hook" && event.target === id;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} version
 * @param {boolean} now
 * @returns {Mark[]}
 */
export function versionChip(x, y, version, now) {
  const content = now ? `v${version - 1} → v${version}` : `v${version}`;
  const w = content.length * 7.4 + 12;
  return [
    rect(x, y - 9, w, 18, { r: 9, fill: now ? "bwd" : "panel", stroke: now ? "bwd" : "rest" }),
    text(x + w / 2, y + 4.2, content, { size: 13, mono: true, align: "middle", fill: now ? "on-bwd" : "mute" }),
  ];
}

/** A card that shows how a leaf was before it was written to. @param {number} x @param {number} y @returns {Mark[]} */
export function earlierChip(x, y) {
  const w = 58;
  return [
    rect(x, y - 9, w, 18, { r: 9, fill: "panel", stroke: "rest", dash: "3 3" }),
    text(x + w / 2, y + 4.2, "earlier", { size: 13, align: "middle", fill: "mute" }),
  ];
}

/** @param {number} x @param {number} y @param {boolean} now @returns {Mark[]} */
export function hookBadge(x, y, now) {
  return [
    rect(x - 8, y - 9, 52, 18, { r: 9, fill: now ? "bwd" : "panel", stroke: now ? "bwd" : "mute" }),
    path(`M${x} ${y - 4.5}L${x} ${y}Q${x} ${y + 3} ${x + 3} ${y + 3}Q${x + 6} ${y + 3} ${x + 6} ${y}`, {
      stroke: now ? "on-bwd" : "mute",
      sw: 1.4,
    }),
    text(x + 11, y + 4.2, "hook", { size: 13, fill: now ? "on-bwd" : "soft" }),
  ];
}

/** @param {number} x @param {number} y @returns {Mark[]} */
export function errorBadge(x, y) {
  return [
    path(`M${x} ${y - 11}L${x + 12} ${y + 10}L${x - 12} ${y + 10}Z`, { fill: "error", stroke: "panel", sw: 2 }),
    text(x, y + 7.5, "!", { size: 13, weight: 700, align: "middle", fill: "panel", detail: 1 }),
  ];
}
