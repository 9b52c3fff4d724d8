/**
 * Where everything of a figure lies, in pixels, for the width there is. Pure.
 * @module
 */
import { barsOf, legendOf, widthOfBars } from "./legend.js";
import { marksOf } from "./marks.js";
import { lies } from "./picture.js";
import { number, scaleOf } from "./scale.js";
import { plain, shortened, widthOf, wrapped } from "./texts.js";

/** @typedef {import("../trace/document").Figure} Figure */
/** @typedef {import("../trace/document").Axes} Axes */
/** @typedef {import("./types").Rect} Rect */
/** @typedef {import("./types").Panel} Panel */
/** @typedef {import("./types").Label} Label */
/** @typedef {import("./types").Mark} Mark */

const LINE = 15;
const TICK = 4;
/** The letters of numbers beside an axis, in pixels. */
const SMALL = 12;
/** From one number of a vertical axis to the next at least, in pixels. */
const ROW = 26;
/** Below this an axes shows what is in it, and no numbers. */
const NARROW = 96;
const FLAT = 72;
/** From here on the vertical axis has its name beside it. */
const NAMED = 130;

/**
 * @param {Figure} figure
 * @param {number} width in pixels
 * @param {number} [tallest] in pixels
 * @returns {import("./types").Sheet}
 */
export function layoutFigure(figure, width, tallest = 720) {
  const bases = figure.axes.filter(({ twin }) => twin === null);
  const head = figure.title ? wrapped(plain(figure.title), width - 8, 2, 14) : [];
  const above = head.length ? head.length * 18 + 4 : 0;
  const rows = Math.max(1, ...bases.map(({ place }) => place?.grid[0] ?? 1));
  const columns = Math.max(1, ...bases.map(({ place }) => place?.grid[1] ?? 1));
  const shape = Math.min(2.5, Math.max(0.35, number(figure.size[1]) / number(figure.size[0]) || 0.75));
  const bare = bases.every(({ frame, picture }) => !frame && !picture) || width / columns < NARROW;
  const least = rows * (bare ? 44 : rows > 1 ? 138 : 190);
  const height = Math.round(Math.min(tallest, above + Math.max(least, width * shape)));
  const area = { x: 0, y: above, width, height: height - above };
  const point = Math.min(1.4, Math.max(0.75, width / columns / number(figure.size[0]) / 72)) || 1;
  return {
    width,
    height,
    labels: head.map((text, i) => ({ text, x: width / 2, y: 15 + 18 * i, anchor: "middle", role: "figure" })),
    panels: bases.flatMap((axes) => {
      const twins = figure.axes.filter(({ twin }) => twin !== null && figure.axes[twin] === axes);
      return panelsOf(axes, twins, outerOf(axes, area), point);
    }),
  };
}

/** What axes have for themselves, their numbers and title. @param {Axes} axes @param {Rect} area @returns {Rect} */
function outerOf({ place, box }, area) {
  const [left = 0, bottom = 0, wide = 1, high = 1] = place
    ? [
        place.column / place.grid[1],
        1 - (place.row + place.rows) / place.grid[0],
        place.columns / place.grid[1],
        place.rows / place.grid[0],
      ]
    : (box ?? []).map(number);
  return {
    x: area.x + left * area.width,
    y: area.y + (1 - bottom - high) * area.height,
    width: wide * area.width,
    height: high * area.height,
  };
}

/**
 * Axes, and those that lie upon them with numbers on the other side.
 * @param {Axes} axes @param {Axes[]} twins @param {Rect} outer @param {number} point
 * @returns {Panel[]}
 */
function panelsOf(axes, twins, outer, point) {
  if (axes.picture) return [drawn(axes.picture, outer)];
  const small = outer.width < NARROW || outer.height < FLAT;
  const told = axes.frame && !small;
  /** @type {Label[]} */
  const labels = [];
  const named = outer.width >= NAMED;
  const first = [axes, ...twins].find((each) => each.title)?.title ?? "";
  const title = wrapped(plain(first), outer.width - 6, small ? 1 : 2);
  const legend = small
    ? null
    : legendOf([axes, ...twins], { x: outer.x + 6, y: outer.y + 4 + title.length * LINE }, outer.width - 12);
  const top = 4 + title.length * LINE + (legend?.height ?? 0) + 3;
  const below = told ? SMALL + TICK + 6 + (axes.x.label ? LINE : 0) : 4;
  const high = Math.max(8, outer.height - top - below);
  const beside = (/** @type {import("../trace/document").Axis} */ axis) => {
    const words = scaleOf(axis, high, 0)
      .ticks(howMany(high, ROW))
      .map(({ label }) => widthOf(label, SMALL));
    return Math.min(outer.width / 2, Math.max(8, ...words)) + TICK + 4 + (axis.label && named ? LINE : 0);
  };
  const left = told ? 2 + beside(axes.y) : 4;
  const right = (twins[0] && told ? beside(twins[0].y) : 6) + (small ? 0 : widthOfBars(axes));
  const plot = fitted(axes, {
    x: outer.x + left,
    y: outer.y + top,
    width: Math.max(8, outer.width - left - right),
    height: high,
  });
  // Above or below the middle of the plot, as far as that keeps it off its neighbours.
  const centred = (/** @type {string} */ text) => {
    const half = widthOf(text) / 2;
    const middle = plot.x + plot.width / 2;
    return Math.max(outer.x + 2 + half, Math.min(outer.x + outer.width - 2 - half, middle));
  };
  title.forEach((text, i) => {
    labels.push({ text, x: centred(text), y: outer.y + 14 + LINE * i, anchor: "middle", role: "title" });
  });
  const base = panelOf(axes, plot, point, labels, told ? outer : null);
  if (told) {
    side(axes, plot, base, { right: false, named });
    if (axes.x.label) {
      const text = shortened(plain(axes.x.label), outer.width - 8);
      base.labels.push({
        text,
        x: centred(text),
        y: plot.y + plot.height + TICK + SMALL + 3 + LINE,
        anchor: "middle",
        role: "label",
      });
    }
  }
  if (legend) {
    base.labels.push(...legend.labels);
    base.beside.push(...legend.marks);
  }
  if (!small) barsOf(axes, plot, base);
  const others = twins.map((twin) => {
    const panel = panelOf(twin, plot, point, [], null);
    panel.frame = false;
    if (told) side(twin, plot, panel, { right: true, named });
    return panel;
  });
  return [base, ...others];
}

/**
 * Axes that matplotlib drew.
 * @param {import("../trace/document").Picture} picture @param {Rect} outer @returns {Panel}
 */
const drawn = (picture, outer) => ({
  plot: lies(picture, outer),
  frame: false,
  ticks: [],
  grid: [],
  labels: [],
  marks: [],
  texts: [],
  beside: [],
  picture,
});

/** How many numbers fit along a side. @param {number} length @param {number} each in pixels */
const howMany = (length, each) => Math.max(1, Math.min(9, length / each));

/**
 * The plot, made smaller where a unit has to be as long both ways.
 * @param {Axes} axes @param {Rect} room @returns {Rect}
 */
function fitted({ equal, x, y }, room) {
  if (!equal || x.scale !== "linear" || y.scale !== "linear") return room;
  const lengthOf = (/** @type {import("../trace/document").Axis} */ { limits }) =>
    Math.abs(number(limits[1]) - number(limits[0]));
  const unit = Math.min(room.width / lengthOf(x), room.height / lengthOf(y));
  if (!Number.isFinite(unit) || unit <= 0) return room;
  const [width, height] = [unit * lengthOf(x), unit * lengthOf(y)];
  return { x: room.x + (room.width - width) / 2, y: room.y + (room.height - height) / 2, width, height };
}

/**
 * @param {Axes} axes @param {Rect} plot @param {number} point @param {Label[]} labels
 * @param {Rect | null} outer within which its numbers stand, if it has any
 * @returns {Panel}
 */
function panelOf(axes, plot, point, labels, outer) {
  const x = scaleOf(axes.x, 0, plot.width);
  const y = scaleOf(axes.y, plot.height, 0);
  const frame = { x, y, width: plot.width, height: plot.height, point };
  /** @type {Panel} */
  const panel = { plot, frame: axes.frame, ticks: [], grid: [], labels, marks: [], texts: [], beside: [] };
  const pictured = axes.series.some((each) => each.kind === "image" || (each.kind === "contour" && each.filled));
  for (const series of axes.series) {
    panel.marks.push(...marksOf(series, frame).filter(({ d }) => d));
    if (series.kind === "text") panel.texts.push(...written(series, frame, plot, pictured));
  }
  if (outer) {
    const most = Math.max(...x.ticks(howMany(plot.width, 44)).map(({ label }) => widthOf(plain(label), SMALL)), 8);
    const along = x.ticks(howMany(plot.width, most + 12));
    let end = Number.NEGATIVE_INFINITY;
    for (const { at, label } of along) {
      panel.ticks.push({ d: `M${plot.x + at} ${plot.y + plot.height}v${TICK}` });
      const text = plain(label);
      const half = widthOf(text, SMALL) / 2;
      const x = Math.min(plot.x + at, outer.x + outer.width - half);
      if (x - half < end) continue;
      end = x + half + 6;
      panel.labels.push({ text, x, y: plot.y + plot.height + TICK + SMALL + 1, anchor: "middle", role: "tick" });
    }
    if (axes.grid) {
      for (const { at } of along) panel.grid.push({ d: `M${at} 0V${plot.height}` });
      for (const { at } of y.ticks(howMany(plot.height, ROW))) panel.grid.push({ d: `M0 ${at}H${plot.width}` });
    }
  }
  return panel;
}

/**
 * The numbers and the name of the vertical axis.
 * @param {Axes} axes @param {Rect} plot @param {Panel} panel
 * @param {{right: boolean, named: boolean}} how right: on the right side; named: there is room for its name
 */
function side({ y }, plot, panel, { right, named }) {
  const edge = right ? plot.x + plot.width : plot.x;
  const away = right ? 1 : -1;
  const ticks = scaleOf(y, plot.height, 0).ticks(howMany(plot.height, ROW));
  for (const { at, label } of ticks) {
    panel.ticks.push({ d: `M${edge} ${plot.y + at}h${away * TICK}` });
    const text = shortened(plain(label), plot.x, SMALL);
    panel.labels.push({
      text,
      x: edge + away * (TICK + 3),
      y: plot.y + at + 4,
      anchor: right ? "start" : "end",
      role: "tick",
    });
  }
  if (!y.label || !named) return;
  const widest = Math.max(8, ...ticks.map(({ label }) => widthOf(plain(label), SMALL)));
  const x = edge + away * (TICK + 4 + widest) + (right ? 12 : -3);
  const text = shortened(plain(y.label), plot.height + 20);
  panel.labels.push({ text, x, y: plot.y + plot.height / 2, anchor: "middle", role: "label", turned: true });
}

/**
 * @param {import("../trace/document").TextSeries} series @param {import("./marks.js").Frame} frame @param {Rect} plot
 * @param {boolean} pictured the plot is filled with a picture
 * @returns {Label[]}
 */
function written(series, frame, plot, pictured) {
  const [x, y] = [number(series.x), number(series.y)];
  const axes = series.where === "axes";
  const [dx = 0, dy = 0] = (series.offset ?? []).map(number);
  const px = (axes ? x * plot.width : frame.x.place(x)) + dx * frame.point;
  const py = (axes ? (1 - y) * plot.height : frame.y.place(y)) - dy * frame.point;
  if (!Number.isFinite(px) || !Number.isFinite(py)) return [];
  if (!axes && (px < -4 || py < -4 || px > plot.width + 4 || py > plot.height + 4)) return [];
  const lines = plain(series.text).split("\n").slice(0, 12);
  const first =
    { top: 10, center: 4 - ((lines.length - 1) * LINE) / 2 }[series.upward] ?? -2 - (lines.length - 1) * LINE;
  const anchor = /** @type {Label["anchor"]} */ ({ center: "middle", right: "end" }[series.across] ?? "start");
  return lines.map((text, i) => ({
    text,
    x: plot.x + px,
    y: plot.y + py + first + i * LINE,
    anchor,
    role: "text",
    color: series.color,
    exact: pictured && !axes,
  }));
}
