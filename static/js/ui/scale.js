/** The colours of numbers beside the graph: the picture's own scale, hue for gradients and greys for values. */

import { Colours, gradientScale, LIGHT } from "../scene/colour.js";

/** @typedef {(x: number) => {background: string, ink: string}} Paint */

/** @type {{trace: import("../trace.js").Trace, theme: string | undefined, colours: Colours} | null} */
let last = null;

/**
 * @param {import("../trace.js").Trace} trace
 * @returns {Colours} of its gradients in the current theme
 */
export function coloursOf(trace) {
  const { theme } = document.documentElement.dataset;
  if (last?.trace === trace && last.theme === theme) return last.colours;
  const style = getComputedStyle(document.documentElement);
  const palette = Object.fromEntries(
    Object.entries(LIGHT).map(([name, light]) => [name, style.getPropertyValue(`--${name}`).trim() || light]),
  );
  last = { trace, theme, colours: new Colours(palette, gradientScale(trace)) };
  return last.colours;
}

/**
 * Fills and inks of the numbers of one tensor.
 * @param {import("../trace.js").Trace} trace
 * @param {readonly number[]} xs
 * @param {"gradient" | "value"} kind
 * @returns {Paint}
 */
export function paintOf(trace, xs, kind) {
  const colours = coloursOf(trace);
  const fill = kind === "gradient" ? (/** @type {number} */ x) => colours.cell(x) : colours.shadesOf(xs);
  return (x) => {
    const background = fill(x);
    return { background, ink: colours.on(background) };
  };
}
