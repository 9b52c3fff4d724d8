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

export const LOSS = 46;
export const ROW = 13;
export const HEAD = 18;
export const PAD = 5;

/** A share in percent. @param {number} x */
export const share = (x) =>
  Number.isFinite(x) ? `${formatNumber(Number((100 * x).toPrecision(2)))} %` : formatNumber(x);

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Series} series
 * @param {Geometry} geometry
 * @param {boolean} open
 * @param {Palette} palette
 */
export function paintStrip(context, series, geometry, open, palette) {
  const { columns, left, width } = geometry;
  const each = width / columns.length;
  paintLoss(context, series, columns, { left, each, width }, palette);
  const bottom = LOSS + (open ? 2 * (HEAD + series.rows.length * ROW) : 0);
  for (const turn of axisTicks(series.passes, width, 64)) {
    const at = columns.findIndex(({ last }) => series.turns[last] >= turn);
    const name = turn.toLocaleString("en");
    label(context, name, left + (at + 0.5) * each, bottom + 13, palette.mute, `12px ${SANS}`, turn ? "center" : "left");
  }
  if (!open) return;
  paintRows(context, series, "grad", LOSS, geometry, palette);
  paintRows(context, series, "ratio", LOSS + HEAD + series.rows.length * ROW, geometry, palette);
}

/** What rows are called, and how their numbers are written. */
const ROWS = {
  grad: { title: "‖grad‖", text: formatNumber },
  ratio: { title: "step ÷ weight", text: share },
};

/**
 * One row of shades for each parameter.
 * @param {CanvasRenderingContext2D} context @param {Series} series @param {"grad" | "ratio"} key @param {number} top
 * @param {Geometry} geometry @param {Palette} palette
 */
function paintRows(context, series, key, top, { columns, left, width }, palette) {
  const each = width / columns.length;
  const scale = shadeScale(series.rows.flatMap((row) => row[key]));
  const { title, text } = ROWS[key];
  label(context, title, 0, top + 12, palette.ink, `600 12px ${SANS}`);
  const used = legend(context, scale, text, left + width, top, palette);
  const most = outlier(
    series.rows.map((row) => ({ name: row.name, values: row[key] })),
    scale,
  );
  if (most) {
    const where = `○ ${text(most.value)} at iteration ${series.turns[most.column].toLocaleString("en")}: ${most.name}`;
    if (context.measureText(where).width < width - used - 24) {
      label(context, where, left, top + 12, palette.mute, `12px ${SANS}`);
    }
  }
  series.rows.forEach((row, i) => {
    const y = top + HEAD + i * ROW;
    label(context, fitted(context, row.name, left - 8), 0, y + 9.5, palette.soft, `12px ${MONO}`);
    paintShades(context, row[key], columns, scale, { left, each, y }, palette);
  });
  if (most) {
    const k = columns.findIndex(({ last }) => most.column <= last);
    ring(context, left + (k + 0.5) * each, top + HEAD + most.row * ROW + ROW / 2 - 0.5, palette);
  }
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
 * The ends of a scale of shades, and between them the shades.
 * @param {CanvasRenderingContext2D} context @param {Scale} scale @param {(x: number) => string} text
 * @param {number} right @param {number} top @param {Palette} palette
 * @returns {number} px that it takes
 */
function legend(context, scale, text, right, top, palette) {
  label(context, text(scale.high), right, top + 12, palette.mute, `12px ${SANS}`, "right");
  const high = context.measureText(text(scale.high)).width + 6;
  for (let i = 0; i < SWATCHES; i++) {
    context.fillStyle = palette.ink;
    context.globalAlpha = shade(i / (SWATCHES - 1));
    context.fillRect(right - high - (SWATCHES - i) * 11, top + 4, 10, 9);
  }
  context.globalAlpha = 1;
  const low = high + SWATCHES * 11 + 6;
  label(context, text(scale.low), right - low, top + 12, palette.mute, `12px ${SANS}`, "right");
  return low + context.measureText(text(scale.low)).width;
}

const SWATCHES = 6;

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
  columns.forEach((column, k) => {
    const high = largest(peak, column);
    const x = left + (k + 0.5) * each;
    if (high === null || !Number.isFinite(high)) {
      drawing = false;
      if (high !== null) {
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
