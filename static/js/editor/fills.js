/**
 * The fills of gradients within the program, as classes: the page's policy forbids style attributes.
 * @module
 */

/** @typedef {import("../scene/colour.js").Colours} Colours */

const STEPS = 32;

/** @param {"pos" | "neg"} end */
const ramp = (end) =>
  Array.from({ length: STEPS + 1 }, (_, i) => [
    `.cm-${end}-${i}`,
    { backgroundColor: `color-mix(in srgb, var(--${end}) ${(i * 100) / STEPS}%, var(--zero))` },
  ]);

/** Styles of the editor's theme. */
export const FILLS = Object.fromEntries([
  ...ramp("pos"),
  ...ramp("neg"),
  [".cm-zero", { backgroundColor: "var(--zero-solid)" }],
  [".cm-nan", { backgroundColor: "var(--nan)" }],
  [".cm-dark-ink, .cm-dark-ink *", { color: "#000000" }],
  [".cm-light-ink, .cm-light-ink *", { color: "#ffffff" }],
]);

/**
 * @param {Colours} colours of the run
 * @param {number} x an element of a gradient
 * @returns {string} classes
 */
export function fillClass(colours, x) {
  const ink = colours.on(colours.cell(x)) === "#ffffff" ? "cm-light-ink" : "cm-dark-ink";
  if (!Number.isFinite(x)) return `cm-nan ${ink}`;
  if (x === 0) return `cm-zero ${ink}`;
  return `cm-${x > 0 ? "pos" : "neg"}-${Math.round(Math.abs(colours.scale.strength(x)) * STEPS)} ${ink}`;
}
