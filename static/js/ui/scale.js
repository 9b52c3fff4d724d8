/** The colour of one number beside the graph: the stage's own scale, for one tensor at a time. */

import { Colours, LIGHT, makeScale } from "../scene/colour.js";

/** @typedef {(x: number) => {background: string, ink: string}} Paint */

/**
 * The magnitude at which colours saturate: the 99th percentile, so that one spike does not make the rest pale. Pure.
 * @param {number[]} xs
 */
export function clampAt(xs) {
  const sizes = xs
    .filter(Number.isFinite)
    .map(Math.abs)
    .filter((x) => x > 0)
    .sort((a, b) => a - b);
  return sizes.length ? /** @type {number} */ (sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * 0.99))]) : 1;
}

/** @param {number} limit @returns {Paint} in the current theme's colours */
export function signScale(limit) {
  const style = getComputedStyle(document.documentElement);
  const palette = Object.fromEntries(
    Object.entries(LIGHT).map(([name, light]) => [name, style.getPropertyValue(`--${name}`).trim() || light]),
  );
  const colours = new Colours(palette, makeScale(limit, limit));
  return (x) => {
    const background = colours.cell(x);
    return { background, ink: colours.on(background) };
  };
}
