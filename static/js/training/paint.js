/**
 * The plot of a training on a canvas: the loss as a line, below it shades for each parameter.
 * @module
 */
import { MONO, SANS } from "../paint/attributes.js";
import { formatNumber } from "../trace.js";
import { axisTicks, largest, lineScale, outlier, placed, shadeScale } from "./scale.js";

/** @typedef {import("./series.js").Series} Series */
/** @typedef {import("./scale.js").Scale} Scale */
/** @typedef {import("../scene/colour.js").Palette} Palette */
/** @typedef {{columns: {first: number, last: number}[], left: number, width: number}} Geometry  columns of pixels */

export const LOSS = 32;
export const ROW = 12;
export const AXIS = 17;
export const PAD = 5;
/** Between losses that are written as they are no numbers, px. */
const TOLD = 26;

/** What the rows of parameters tell, and how their numbers are written. */
export const ROWS = {
  grad: { title: "‖grad‖", text: (/** @type {number} */ x) => formatNumber(x) },
  ratio: { title: "step ÷ weight", text: (/** @type {number} */ x) => share(x) },
};
/** @typedef {keyof typeof ROWS} Measure */

/** A share in percent. @param {number} x */
export const share = (x) =>
  Number.isFinite(x) ? `${formatNumber(Number((100 * x).toPrecision(2)))} %` : formatNumber(x);

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Series} series
 * @param {Geometry} geometry
 * @param {Measure | null} shown  null for the loss alone
 * @param {Palette} palette
 */
export function paintStrip(context, series, geometry, shown, palette) {
  const { columns, left, width } = geometry;
  const each = width / columns.length;
  paintLoss(context, series, columns, { left, each, width }, palette);
  const bottom = LOSS + (shown ? series.rows.length * ROW : 0);
  for (const { turn, at } of ticksOf(series, columns, width)) {
    const name = turn.toLocaleString("en");
    label(context, name, left + (at + 0.5) * each, bottom + 13, palette.mute, `12px ${SANS}`, turn ? "center" : "left");
  }
  if (shown) paintRows(context, series, shown, geometry, palette);
}

/**
 * Numbers below the columns: where each column is one iteration, those of columns; of shared ones, round ones.
 * @param {Pick<Series, "passes" | "turns">} series @param {Geometry["columns"]} columns @param {number} width px
 * @returns {{turn: number, at: number}[]} at: the column
 */
export function ticksOf({ passes, turns }, columns, width) {
  if (columns.length === turns.length) {
    return axisTicks(columns.length, width, 64).map((at) => ({ turn: turns[at], at }));
  }
  return axisTicks(passes, width, 64).map((turn) => ({
    turn,
    at: columns.findIndex(({ last }) => turns[last] >= turn),
  }));
}

/** The number that stands out most among rows. @param {Series} series @param {Measure} shown */
export function outlierOf({ rows }, shown) {
  const scale = shadeScale(rows.flatMap((row) => row[shown]));
  return outlier(
    rows.map((row) => ({ name: row.name, values: row[shown] })),
    scale,
  );
}

/**
 * One row of shades for each parameter.
 * @param {CanvasRenderingContext2D} context @param {Series} series @param {Measure} key @param {Geometry} geometry
 * @param {Palette} palette
 */
function paintRows(context, series, key, { columns, left, width }, palette) {
  const each = width / columns.length;
  const scale = shadeScale(series.rows.flatMap((row) => row[key]));
  series.rows.forEach((row, i) => {
    const y = LOSS + i * ROW;
    label(context, fitted(context, row.name, left - 8), 0, y + 9.5, palette.soft, `12px ${MONO}`);
    paintShades(context, row[key], columns, scale, { left, each, y }, palette);
  });
  legend(context, scale, ROWS[key].text, left - 10, LOSS + series.rows.length * ROW, palette);
  const most = outlierOf(series, key);
  if (!most) return;
  const k = columns.findIndex(({ last }) => most.column <= last);
  ring(context, left + (k + 0.5) * each, LOSS + most.row * ROW + ROW / 2 - 0.5, palette);
}

/**
 * @param {CanvasRenderingContext2D} context @param {(number | null)[]} values @param {Geometry["columns"]} columns
 * @param {Scale} scale @param {{left: number, each: number, y: number}} place @param {Palette} palette
 */
function paintShades(context, values, columns, scale, { left, each, y }, palette) {
  columns.forEach((column, k) => {
    const x = largest(values, column);
    if (x === null) return;
    context.fillStyle = palette.ink;
    context.globalAlpha = Number.isNaN(x) ? 1 : x === 0 ? 0.03 : shade(placed(scale, x));
    context.fillRect(left + k * each, y, Math.max(each - (each > 6 ? 1 : 0), 1), ROW - 1);
  });
  context.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {Palette} palette */
function ring(context, x, y, palette) {
  context.strokeStyle = palette.panel;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(x, y, 3.2, 0, 2 * Math.PI);
  context.stroke();
}

/**
 * The ends of a scale of shades, and between them the shades, as far as there is room.
 * @param {CanvasRenderingContext2D} context @param {Scale} scale @param {(x: number) => string} text
 * @param {number} room @param {number} top @param {Palette} palette
 */
function legend(context, scale, text, room, top, palette) {
  label(context, text(scale.low), 0, top + 13, palette.mute, `12px ${SANS}`);
  const low = context.measureText(text(scale.low)).width + 5;
  const high = low + SWATCHES * SWATCH + 5;
  if (high + context.measureText(text(scale.high)).width > room) {
    context.clearRect(0, top + 1, room, AXIS);
    return;
  }
  for (let i = 0; i < SWATCHES; i++) {
    context.fillStyle = palette.ink;
    context.globalAlpha = shade(i / (SWATCHES - 1));
    context.fillRect(low + i * SWATCH, top + 4, SWATCH - 1, 10);
  }
  context.globalAlpha = 1;
  label(context, text(scale.high), high, top + 13, palette.mute, `12px ${SANS}`);
}

const SWATCHES = 5;
const SWATCH = 7;

/** How dark a place on a scale is. @param {number} x from 0 to 1 */
const shade = (x) => 0.08 + 0.8 * x;

/**
 * @param {CanvasRenderingContext2D} context @param {Series} series @param {Geometry["columns"]} columns
 * @param {{left: number, each: number, width: number}} place @param {Palette} palette
 */
function paintLoss(context, { loss, peak }, columns, { left, each, width }, palette) {
  const scale = lineScale([...loss, ...peak]);
  const y = (/** @type {number} */ x) => PAD + (1 - placed(scale, x)) * (LOSS - 2 * PAD);
  for (const [x, at] of /** @type {const} */ ([
    [scale.high, PAD + 4],
    [scale.low, LOSS - PAD + 4],
  ])) {
    label(context, formatNumber(x), left - 8, at, palette.mute, `12px ${SANS}`, "right");
  }
  context.strokeStyle = palette.line;
  context.strokeRect(left, 0.5, width, LOSS - 2);
  context.beginPath();
  let drawing = false;
  let told = 0;
  columns.forEach((column, k) => {
    const high = largest(peak, column);
    const x = left + (k + 0.5) * each;
    if (high === null || !Number.isFinite(high)) {
      drawing = false;
      if (high !== null && x - told >= TOLD) {
        told = x;
        label(
          context,
          Number.isNaN(high) ? "nan" : formatNumber(high),
          x,
          PAD + 10,
          palette.ink,
          `600 12px ${SANS}`,
          "center",
        );
      }
      return;
    }
    if (drawing) context.lineTo(x, y(high));
    else context.moveTo(x, y(high));
    drawing = true;
  });
  context.strokeStyle = palette.soft;
  context.lineWidth = 1.6;
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context @param {string} text @param {number} x @param {number} y
 * @param {string} colour @param {string} font @param {CanvasTextAlign} [align]
 */
function label(context, text, x, y, colour, font, align = "left") {
  context.font = font;
  context.textAlign = align;
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

/**
 * A name cut in front until it fits: its end tells it apart.
 * @param {CanvasRenderingContext2D} context @param {string} name @param {number} width
 */
function fitted(context, name, width) {
  context.font = `12px ${MONO}`;
  let text = name;
  while (text.length > 3 && context.measureText(text).width > width)
    text = `…${text.slice(text.startsWith("…") ? 2 : 1)}`;
  return text;
}
