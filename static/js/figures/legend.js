/**
 * What says what the colours of axes stand for: the legend above the plot, so that it hides nothing, and the colour
 * bars beside it. Pure.
 * @module
 */
import { mapped } from "./colours.js";
import { dashOf, marker, round, STROKED } from "./paths.js";
import { number, scaleOf } from "./scale.js";
import { plain, shortened, widthOf } from "./texts.js";

/** @typedef {import("../trace/document").Axes} Axes */
/** @typedef {import("./types").Mark} Mark */
/** @typedef {import("./types").Label} Label */
/** @typedef {import("../trace/document").AnySeries} Series */

const LINE = 16;
const SWATCH = 18;
const MOST_LINES = 4;
const BAR = 11;

/**
 * @param {Axes[]} all axes and their twins
 * @param {{x: number, y: number}} corner
 * @param {number} room in pixels
 * @returns {{height: number, labels: Label[], marks: Mark[]} | null}
 */
export function legendOf(all, corner, room) {
  const entries = all.flatMap(({ legend, series }) =>
    (legend?.entries ?? []).flatMap((entry) => {
      const shown = series[entry.series];
      return shown ? [{ text: plain(entry.label), series: shown }] : [];
    }),
  );
  if (!entries.length) return null;
  /** @type {Label[]} */
  const labels = [];
  /** @type {Mark[]} */
  const marks = [];
  let [x, row] = [0, 0];
  const title = all.find(({ legend }) => legend?.title)?.legend?.title;
  const say = (/** @type {string} */ text, /** @type {number} */ from) =>
    labels.push({ text, x: corner.x + from, y: corner.y + row * LINE + 12, anchor: "start", role: "legend" });
  if (title) {
    const text = shortened(plain(title), room);
    say(text, 0);
    x = widthOf(text) + 12;
  }
  for (const [i, { text, series }] of entries.entries()) {
    const shown = shortened(text, room - SWATCH - 5);
    const width = SWATCH + 5 + widthOf(shown) + 12;
    if (x && x + width - 12 > room) [x, row] = [0, row + 1];
    if (row === MOST_LINES) {
      row--;
      const last = labels.at(-1);
      if (last) last.text += ` and ${entries.length - i} more`;
      break;
    }
    marks.push(...swatch(series, corner.x + x, corner.y + row * LINE + 8));
    say(shown, x + SWATCH + 5);
    x += width;
  }
  return { height: (row + 1) * LINE + 2, labels, marks };
}

/** @param {Series} series @param {number} x @param {number} y its middle @returns {Mark[]} */
function swatch(series, x, y) {
  const opacity = series.alpha;
  const across = `M${round(x)} ${round(y)}h${SWATCH}`;
  switch (series.kind) {
    case "line": {
      /** @type {Mark[]} */
      const made = [];
      if (series.style)
        made.push({ d: across, stroke: series.color, width: 2, dash: dashOf(series.style, 2), opacity });
      if (series.marker) made.push(dot(series.marker, x, y, series.color, series.hollow, opacity));
      return made;
    }
    case "points": {
      const colour = series.colormap ? mapped(series.colormap, 0.5) : (series.colors?.[0] ?? series.color);
      return [dot(series.marker ?? "o", x, y, colour, false, opacity)];
    }
    case "rule":
    case "segments":
      return [{ d: across, stroke: series.color, width: 2, dash: dashOf(series.style, 2), opacity }];
    case "bars":
    case "fill":
    case "span": {
      const hollow = (series.kind === "bars" && series.hollow) || (series.kind === "fill" && series.outline);
      const colour = (series.kind === "bars" ? series.colors?.[0] : null) ?? series.color;
      const d = `M${round(x + 2)} ${round(y - 5)}h${SWATCH - 4}v10h${4 - SWATCH}z`;
      return [hollow ? { d, stroke: colour, width: 1.3, opacity } : { d, fill: colour, opacity }];
    }
    default:
      return [];
  }
}

/**
 * @param {string} kind @param {number} x @param {number} y @param {string | null} colour @param {boolean} hollow
 * @param {number} opacity
 * @returns {Mark}
 */
function dot(kind, x, y, colour, hollow, opacity) {
  const d = marker(kind, x + SWATCH / 2, y, 7);
  return hollow || STROKED.has(kind) ? { d, stroke: colour, width: 1.4, opacity } : { d, fill: colour, opacity };
}

/** @typedef {{low: number, high: number, colours: (share: number) => string | null, label: string}} Bar */

/** @param {Axes} axes @returns {Bar[]} */
function scales({ colorbars, series }) {
  return colorbars.flatMap(({ series: which, label }) => {
    const of = series[which];
    if (of && "colormap" in of && of.colormap && of.range) {
      const map = of.colormap;
      const [low, high] = of.range.map(number);
      return [
        {
          low: low ?? 0,
          high: high ?? 1,
          colours: (/** @type {number} */ share) => mapped(map, share),
          label: plain(label),
        },
      ];
    }
    if (of?.kind !== "contour" || of.levels.length < 2) return [];
    const levels = of.levels.map(number);
    const [low = 0, high = 1] = [levels[0], levels.at(-1)];
    const first = of.extend === "min" || of.extend === "both" ? 1 : 0;
    const colours = (/** @type {number} */ share) => {
      const value = low + share * (high - low);
      const band = levels.filter((level) => level <= value).length - 1;
      return of.colors[Math.min(of.colors.length - 1, Math.max(0, band) + (of.filled ? first : 0))] ?? null;
    };
    return [{ low, high, colours, label: plain(label) }];
  });
}

/** @param {number} low @param {number} high */
const axisOf = (low, high) =>
  /** @type {import("../trace/document").Axis} */ ({
    scale: "linear",
    limits: [low, high],
    label: "",
    ticks: null,
    labels: null,
  });

/** @param {number} low @param {number} high @param {number} height */
const ticksOf = (low, high, height) =>
  scaleOf(axisOf(low, high), height, 0).ticks(Math.max(1, Math.min(6, Math.floor(height / 34))));

/** What colour bars take beside the plot, in pixels. @param {Axes} axes */
export const widthOfBars = (axes) =>
  scales(axes).reduce((sum, bar) => sum + 8 + BAR + 7 + numbersOf(bar, 150) + (bar.label ? LINE : 0), 0);

/** @param {{low: number, high: number}} bar @param {number} height */
const numbersOf = ({ low, high }, height) =>
  Math.max(8, ...ticksOf(low, high, height).map(({ label }) => widthOf(label)));

/** Draw them. @param {Axes} axes @param {import("./types").Rect} plot @param {import("./types").Panel} panel */
export function barsOf(axes, plot, panel) {
  let x = plot.x + plot.width + 8;
  for (const bar of scales(axes)) {
    const steps = 48;
    for (let i = 0; i < steps; i++) {
      const y = plot.y + plot.height * (1 - (i + 1) / steps);
      const d = `M${round(x)} ${round(y)}h${BAR}v${round(plot.height / steps + 0.3)}h${-BAR}z`;
      panel.beside.push({ d, fill: bar.colours((i + 0.5) / steps), exact: true, crisp: true });
    }
    for (const { at, label } of ticksOf(bar.low, bar.high, plot.height)) {
      panel.ticks.push({ d: `M${round(x + BAR)} ${round(plot.y + at)}h4` });
      panel.labels.push({ text: label, x: x + BAR + 6, y: plot.y + at + 4, anchor: "start", role: "tick" });
    }
    x += BAR + 7 + numbersOf(bar, 150);
    if (bar.label) {
      const text = shortened(bar.label, plot.height + 16);
      panel.labels.push({
        text,
        x: x + 11,
        y: plot.y + plot.height / 2,
        anchor: "middle",
        role: "label",
        turned: true,
      });
      x += LINE;
    }
    x += 8;
  }
}
