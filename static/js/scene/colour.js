/**
 * Hue is the sign and nothing else; saturation is the size, on a symmetric logarithmic scale.
 * @module
 */
/** @typedef {import("../trace.js").Trace} Trace */
import { valueSummary } from "../trace.js";

/** @typedef {Record<string, string>} Palette  token → colour */

/** What the page's stylesheet says in the light theme; the stage reads the real ones from the page. @type {Palette} */
export const LIGHT = Object.freeze({
  paper: "#fbfaf7",
  panel: "#ffffff",
  sunken: "#f5f3ee",
  ink: "#1d2330",
  soft: "#3f4757",
  mute: "#646b79",
  faint: "#8b919d",
  line: "#e3e1da",
  rest: "#c9c7bf",
  bwd: "#7c3aed",
  "bwd-ink": "#6d28d9",
  "bwd-soft": "#f3eeff",
  "bwd-mid": "#c4b0f7",
  "on-bwd": "#ffffff",
  neg: "#f59322",
  zero: "#e8eaeb",
  pos: "#0877bd",
  "neg-ink": "#a85505",
  "pos-ink": "#066aa8",
  "zero-solid": "#b9b7af",
  nan: "#1d2330",
  error: "#1d2330",
  "error-soft": "#f0eee8",
  "error-line": "#8b919d",
  focus: "#1d2330",
  shade: "#1d2330",
});

/**
 * @typedef {object} Scale
 * @property {number} limit  gradients of this size or larger have full colour
 * @property {(x: number) => number} strength  −1 … 1
 * @property {(norm: number) => number} width  of an edge, in pixels
 */

/** Enough numbers to know the 99th percentile by, and enough gradients to take them from. */
const MOST_SAMPLES = 40000;
const MOST_GRADIENTS = 1500;

/**
 * One scale for every gradient of the run: symmetric, symlog, clamped at the 99th percentile of magnitudes.
 * @param {Trace} trace
 * @returns {Scale}
 */
export function gradientScale(trace) {
  const scale = scales.get(trace) ?? measured(trace);
  scales.set(trace, scale);
  return scale;
}

/** @type {WeakMap<Trace, Scale>} */
const scales = new WeakMap();

/** @param {Trace} trace @returns {Scale} */
function measured(trace) {
  /** @type {number[]} */
  const sizes = [];
  let largest = 0;
  const sample = gradientsOf(trace);
  for (const ref of sample) {
    const summary = valueSummary(trace, ref);
    if (!summary) continue;
    if (Number.isFinite(summary.norm)) largest = Math.max(largest, summary.norm);
    const step = Math.max(1, Math.ceil((summary.cells.length * sample.length) / MOST_SAMPLES));
    for (let i = 0; i < summary.cells.length; i += step) {
      const x = summary.cells[i];
      if (x !== 0 && Number.isFinite(x)) sizes.push(Math.abs(x));
    }
  }
  sizes.sort((a, b) => a - b);
  const limit = sizes.length ? sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * 0.99))] : 1;
  return makeScale(limit || 1, largest || 1);
}

/**
 * References of the gradients of a run, of very many a sample.
 * @param {Trace} trace
 * @returns {string[]}
 */
export function gradientsOf(trace) {
  /** @type {Set<string>} */
  const refs = new Set();
  for (const event of trace.events) {
    const some =
      event.kind === "node"
        ? event.grad_inputs
        : event.kind === "backward"
          ? event.gradients
          : event.kind === "accumulate"
            ? [event.after]
            : [];
    for (const ref of some) if (ref) refs.add(ref);
  }
  const every = Math.ceil(refs.size / MOST_GRADIENTS);
  return [...refs].filter((_, i) => i % every === 0);
}

/** @param {number} limit @param {number} largest  L2 norm of the largest gradient @returns {Scale} */
export function makeScale(limit, largest) {
  const bend = limit / 40;
  const full = Math.log1p(limit / bend);
  return {
    limit,
    strength: (x) => Math.sign(x) * Math.min(1, Math.log1p(Math.abs(x) / bend) / full),
    width: (norm) => (norm > 0 ? 2 + 3.2 * Math.max(0, Math.min(1, 1 + Math.log10(norm / largest) / 4)) : 1.6),
  };
}

/** @param {string} hex @returns {[number, number, number]} */
function rgb(hex) {
  const n = parseInt(hex.length === 4 ? hex.slice(1).replace(/./g, "$&$&") : hex.slice(1, 7), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

/** @param {string} a @param {string} b @param {number} t */
export function mix(a, b, t) {
  const from = rgb(a);
  const to = rgb(b);
  return `#${from
    .map((x, i) =>
      Math.round(x + (to[i] - x) * t)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

/** Relative luminance. @param {string} hex */
function luminance(hex) {
  const [r, g, b] = rgb(hex).map((x) => (x / 255 <= 0.03928 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast that WCAG asks of text; black or white has it on any colour. */
const LEGIBLE = 4.5;

/**
 * The one of two text colours that is easier to read on a background; black or white where neither is legible.
 * @param {string} background
 * @param {string} [dark]
 * @param {string} [light]
 */
export function readable(background, dark = "#14171d", light = "#ffffff") {
  const l = luminance(background);
  const onDark = (Math.max(l, luminance(dark)) + 0.05) / (Math.min(l, luminance(dark)) + 0.05);
  const onLight = (Math.max(l, luminance(light)) + 0.05) / (Math.min(l, luminance(light)) + 0.05);
  if (Math.max(onDark, onLight) < LEGIBLE) return (l + 0.05) / 0.05 >= 1.05 / (l + 0.05) ? "#000000" : "#ffffff";
  return onDark >= onLight ? dark : light;
}

const STEPS = 32;

/** Colours of one theme, mixed once. */
export class Colours {
  /** @param {Palette} palette @param {Scale} scale */
  constructor(palette, scale) {
    this.palette = palette;
    this.scale = scale;
    const ramp = (/** @type {string} */ end) =>
      Array.from({ length: STEPS + 1 }, (_, i) => mix(palette.zero, end, i / STEPS));
    this.positive = ramp(palette.pos);
    this.negative = ramp(palette.neg);
    this.greys = Array.from({ length: STEPS + 1 }, (_, i) => mix(palette.panel, palette.mute, i / STEPS));
    this.inks = new Map();
  }

  /** The fill of one number. @param {number} x */
  cell(x) {
    if (!Number.isFinite(x)) return this.palette.nan;
    if (x === 0) return this.palette["zero-solid"];
    const strength = this.scale.strength(x);
    return (x > 0 ? this.positive : this.negative)[Math.round(Math.abs(strength) * STEPS)];
  }

  /** The fill of a size, which has no sign. @param {number} x */
  size(x) {
    const grey = Math.abs(this.scale.strength(x)) * 0.6 * STEPS;
    return x && Number.isFinite(x) ? this.greys[Math.round(grey)] : this.cell(x);
  }

  /**
   * Greys for the numbers of a value, from the smallest to the largest: hue belongs to gradients.
   * @param {readonly number[]} cells
   * @returns {(x: number) => string}
   */
  shadesOf(cells) {
    let low = Infinity;
    let high = -Infinity;
    for (const x of cells) {
      if (!Number.isFinite(x)) continue;
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
    const span = high - low || 1;
    return (x) =>
      Number.isFinite(x) ? this.greys[Math.round((0.08 + 0.72 * ((x - low) / span)) * STEPS)] : this.palette.nan;
  }

  /** Text on a fill. @param {string} fill @returns {string} */
  on(fill) {
    let ink = this.inks.get(fill);
    if (!ink) this.inks.set(fill, (ink = readable(fill)));
    return ink;
  }

  /**
   * The line of a gradient in flight: which sign prevails in it.
   * @param {{net: number, zero: boolean, broken: boolean}} summary
   */
  line({ net, zero, broken }) {
    if (broken) return this.palette.nan;
    if (zero) return this.palette["zero-solid"];
    const strength = Math.min(1, 0.45 + Math.abs(net) * 0.75);
    return Math.abs(net) < 0.04
      ? this.palette.faint
      : mix(this.palette["zero-solid"], net > 0 ? this.palette.pos : this.palette.neg, strength);
  }

  /** Coloured text on paper: hue by sign, dark enough to read. @param {number} x */
  ink(x) {
    if (!Number.isFinite(x)) return "nan";
    return x > 0 ? "pos-ink" : x < 0 ? "neg-ink" : "mute";
  }
}
