/**
 * What the page decides and painters need as plain values: colours of the current theme, widths of text.
 * @module
 */
import { LIGHT } from "../scene/colour.js";
import { MONO, SANS } from "./attributes.js";

/** @typedef {import("../scene/colour.js").Palette} Palette */
/** @typedef {import("../scene/marks.js").Measure} Measure */

/** @param {Element} element @returns {Palette}  the page's tokens as they are now, with the light theme behind them */
export function readPalette(element) {
  const style = getComputedStyle(element);
  /** @type {Palette} */
  const palette = { ...LIGHT };
  for (const token of Object.keys(LIGHT)) {
    const value = style.getPropertyValue(`--${token}`).trim();
    if (/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value)) palette[token] = value;
  }
  palette.shade = style.colorScheme.includes("dark") ? "#000000" : palette.ink;
  return palette;
}

/** @returns {Measure} */
export function textMeasure() {
  const context = document.createElement("canvas").getContext("2d");
  /** @type {Map<string, number>} */
  const known = new Map();
  return (content, size, weight, mono) => {
    const key = `${size}|${weight}|${mono ? 1 : 0}|${content}`;
    let width = known.get(key);
    if (width === undefined) {
      if (context) context.font = `${weight} ${size}px ${mono ? MONO : SANS}`;
      width = context ? context.measureText(content).width : content.length * size * 0.6;
      if (known.size > 20000) known.clear();
      known.set(key, width);
    }
    return width;
  };
}

/** Calls back when the theme changes. @param {() => void} changed @returns {() => void}  stop watching */
export function watchTheme(changed) {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "class"] });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    dark.removeEventListener("change", changed);
  };
}
