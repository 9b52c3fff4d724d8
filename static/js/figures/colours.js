/**
 * Colours of figures in the light and the dark theme. What matplotlib gives where a program names no colour becomes one
 * of ten that do not look like a gradient's sign; a colour of the program stays, as far as it can be seen. Pure.
 * @module
 */

/** @typedef {{light: string, dark: string}} Pair */

/** matplotlib's ten → ours. @type {Record<string, Pair>} */
const CYCLE = {
  "#1f77b4": { light: "#0f857a", dark: "#35c2b2" },
  "#ff7f0e": { light: "#bf2a63", dark: "#f47ba6" },
  "#2ca02c": { light: "#64790f", dark: "#b4c84a" },
  "#d62728": { light: "#a2402a", dark: "#e98d77" },
  "#9467bd": { light: "#59607a", dark: "#aab1ca" },
  "#8c564b": { light: "#86592c", dark: "#cfa26c" },
  "#e377c2": { light: "#a8559b", dark: "#e2a1d8" },
  "#7f7f7f": { light: "#6b7280", dark: "#9ca3af" },
  "#bcbd22": { light: "#3f7d3a", dark: "#84c47e" },
  "#17becf": { light: "#28788c", dark: "#74c2d4" },
};

const PAPER = { light: "#ffffff", dark: "#1a1e26" };
const INK = { light: "#1d2330", dark: "#e9ebf1" };
/** How much a colour must stand out from what it is drawn on. */
const LEAST = 2.2;

/** @type {Map<string, Pair>} */
const known = new Map();

/** @param {string} hex @returns {Pair} */
export function pairOf(hex) {
  let pair = known.get(hex);
  if (!pair) known.set(hex, (pair = made(hex)));
  return pair;
}

/** @param {string} hex @returns {Pair} */
function made(hex) {
  const cycled = CYCLE[hex];
  if (cycled) return cycled;
  const [r, g, b] = parts(hex);
  const grey = Math.max(r, g, b) - Math.min(r, g, b) < 12;
  if (grey && r < 40) return INK;
  if (grey && r > 245) return PAPER;
  return { light: seen(hex, PAPER.light, "#000000"), dark: seen(hex, PAPER.dark, "#ffffff") };
}

/** The colour, moved towards another until it stands out. @param {string} hex @param {string} on @param {string} to */
function seen(hex, on, to) {
  for (let part = 0; part < 1; part += 0.1) {
    const found = mixed(hex, to, part);
    if (contrast(found, on) >= LEAST) return found;
  }
  return to;
}

/** @param {string} hex @returns {[number, number, number]} */
function parts(hex) {
  const all = Number.parseInt(hex.slice(1), 16);
  return [all >> 16, (all >> 8) & 255, all & 255];
}

/** @param {string} a @param {string} b @param {number} part of the way from a to b */
export function mixed(a, b, part) {
  const to = parts(b);
  return `#${parts(a)
    .map((value, i) => Math.round(value + ((to[i] ?? 0) - value) * part))
    .map((value) => value.toString(16).padStart(2, "0"))
    .join("")}`;
}

/** @param {string} hex relative luminance, as the WCAG have it */
function luminance(hex) {
  const [r, g, b] = parts(hex).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

/** @param {string} a @param {string} b from 1 to 21 */
export function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

/**
 * The colour of a number in a map.
 * @param {import("../trace/document").Colormap} map
 * @param {number} share from 0, its low end, to 1
 */
export function mapped({ colors, discrete }, share) {
  const held = Math.min(1, Math.max(0, share));
  const place = held * (colors.length - 1);
  if (discrete) return colors[Math.min(colors.length - 1, Math.floor(held * colors.length))] ?? "#000000";
  const first = Math.floor(place);
  const a = colors[first] ?? "#000000";
  return mixed(a, colors[first + 1] ?? a, place - first);
}
