/**
 * A tensor's numbers as a block of cells: one cell for a scalar, numbered cells while they are few, a heat map when
 * many. The four looks that must never be confused: not yet (dotted), None (hatched), zero (solid grey), NaN or
 * infinite.
 * @module
 */
import { cellText } from "../trace.js";
import { path, rect, round, text } from "./marks.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../trace.js").Summary} Summary */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./marks.js").Measure} Measure */
/** @typedef {import("./colour.js").Colours} Colours */

/**
 * @typedef {object} Block
 * @property {Summary["form"]} form
 * @property {number} rows
 * @property {number} columns
 * @property {number} cellW
 * @property {number} cellH
 * @property {boolean} digits  numbers are written in the cells
 * @property {number} gap  between cells
 * @property {number} w
 * @property {number} h
 * @property {string} dtype
 * @property {number} widest  of its numbers, in pixels; 0 where none are written
 */

/** What a block shows: a value, or one of the looks of absence. @typedef {Summary | "none" | "not yet"} Shown */

/** Of digits in cells. */
const SIZE = 14;
const CELL_H = 24;
/** Numbers are written up to this many; more are a heat map. */
const MOST_DIGIT_CELLS = 9;
const MOST_CELLS = 36;

/**
 * A block that fits every value it will ever show.
 * @param {readonly (Summary | null)[]} summaries
 * @param {Measure} measure
 * @param {number[]} shape  used when no value is known
 * @returns {Block}
 */
export function planBlock(summaries, measure, shape) {
  const known = summaries.filter((summary) => summary !== null);
  const first = known[0];
  if (!first) return sized(shape.length ? "opaque" : "scalar", 1, 1, 44, CELL_H, false, 3, "float32");
  const { form, rows, columns, dtype } = first;
  if (form === "opaque" || form === "empty") {
    return sized(form, 1, 1, Math.max(50, measure(first.text, SIZE, 400, true) + 14), CELL_H, true, 3, dtype);
  }
  if (form === "thumbnail") {
    const cell = Math.max(4, Math.min(9, Math.floor(96 / Math.max(columns, rows))));
    return sized(form, rows, columns, cell, rows === 1 ? 12 : cell, false, 0, dtype);
  }
  if (rows * columns > MOST_DIGIT_CELLS) return sized(form, rows, columns, 14, 12, false, 1, dtype);
  let widest = 0;
  for (const summary of known) {
    summary.cells.forEach((_, i) => {
      widest = Math.max(widest, measure(cellText(summary, i), SIZE, 500, true));
    });
  }
  const across = Math.max(form === "scalar" ? 44 : 36, widest + 7);
  return { ...sized(form, rows, columns, across, CELL_H, true, 3, dtype), widest };
}

/** @type {WeakMap<Measure, WeakMap<Trace, Map<string, Block>>>} */
const blocks = new WeakMap();

/**
 * A block fits all that a run will ever show in it, whichever turn of a training is drawn: it is planned once.
 * @param {Trace} trace @param {Measure} measure @param {string} what @param {() => Block} plan
 */
export function blockOnce(trace, measure, what, plan) {
  const runs = blocks.get(measure) ?? new WeakMap();
  const known = runs.get(trace) ?? new Map();
  const block = known.get(what) ?? plan();
  blocks.set(measure, runs.set(trace, known.set(what, block)));
  return block;
}

/**
 * @param {Block["form"]} form @param {number} rows @param {number} columns @param {number} cellW @param {number} cellH
 * @param {boolean} digits @param {number} gap @param {string} dtype @returns {Block}
 */
function sized(form, rows, columns, cellW, cellH, digits, gap, dtype) {
  return {
    form,
    rows,
    columns,
    cellW,
    cellH,
    digits,
    gap,
    dtype,
    widest: 0,
    w: columns * (cellW + gap) - gap,
    h: rows * (cellH + gap) - gap,
  };
}

/** Numbers that no coloured cells stand below, closer together. @param {Block} block @returns {Block} */
export function tight(block) {
  const { form, rows, columns, cellH, digits, gap, dtype, widest } = block;
  return digits && widest ? sized(form, rows, columns, widest + 5, cellH, digits, gap, dtype) : block;
}

/** Of a block on one line, which has no numbers to read. */
const LOW = 24;
const WIDE = 96;
const CLOSE = 44;
/** Numbers side by side where there is little room. */
const FEW = 3;

/**
 * A block on one line with others: numbers as they are, cells without numbers as small as that takes.
 * @param {Block} block @param {import("./shelf.js").Room} room @returns {Block}
 */
export function lowered(block, room) {
  const { form, rows, columns, cellW, cellH, digits, gap, dtype } = block;
  if (form === "scalar" || form === "opaque" || form === "empty" || rows * columns === 1) return block;
  if (digits && (room === "wide" || (room === "narrow" && rows === 1 && columns <= FEW))) return block;
  const across = Math.min(cellW, (room === "close" ? CLOSE : WIDE) / columns);
  const between = Math.min(across, LOW / rows) < 6 ? 0 : gap;
  return sized(form, rows, columns, across - between, Math.min(cellH, LOW / rows) - between, false, between, dtype);
}

/**
 * Two blocks with their columns below each other, where both are numbers.
 * @param {Block} a @param {Block} b
 * @param {number} [least]  width of a column
 * @returns {[Block, Block]}
 */
export function widened(a, b, least = 0) {
  if (!a.digits || !b.digits || a.columns !== b.columns || a.form === "opaque" || b.form === "opaque") return [a, b];
  const across = Math.max(a.cellW, b.cellW, least);
  const wide = (/** @type {Block} */ { form, rows, columns, cellH, digits, gap, dtype, widest }) => ({
    ...sized(form, rows, columns, across, cellH, digits, gap, dtype),
    widest,
  });
  return [wide(a), wide(b)];
}

/**
 * The same block with smaller cells and no numbers: for chips and packets.
 * @param {Block} block @param {number} [most]  width
 * @returns {Block}
 */
export function miniature(block, most = 60) {
  const across = Math.max(3, Math.min(13, Math.floor(most / block.columns) - 1));
  const gap = block.form === "thumbnail" ? 0 : 1;
  return sized(block.form, block.rows, block.columns, across, Math.min(12, across + 1), false, gap, block.dtype);
}

/**
 * Numbers without colour: a tensor's value.
 * @param {Block} block @param {number} x @param {number} y @param {Summary | null} summary @param {Colours} colours
 * @returns {Mark[]}
 */
export function drawValue(block, x, y, summary, colours) {
  if (!summary) return dotted(block, x, y);
  if (summary.form === "opaque" || summary.form === "empty") {
    return [
      text(x + block.w / 2, y + block.h / 2 + 4.7, summary.text, {
        size: SIZE,
        mono: true,
        align: "middle",
        fill: "soft",
      }),
    ];
  }
  if (block.form === "thumbnail" || !block.digits) return heat(block, x, y, summary, colours.shadesOf(summary.cells));
  return summary.cells.map((number, i) => {
    const column = i % block.columns;
    const row = Math.floor(i / block.columns);
    return text(
      x + column * (block.cellW + block.gap) + block.cellW / 2,
      y + row * (block.cellH + block.gap) + block.cellH / 2 + 4.9,
      cellText(summary, i),
      {
        size: 14,
        mono: true,
        align: "middle",
        fill: Number.isFinite(number) ? "ink" : "nan",
      },
    );
  });
}

/**
 * Coloured cells: a gradient.
 * @param {Block} block @param {number} x @param {number} y @param {Shown} shown @param {Colours} colours
 * @param {{quiet?: boolean}} [how]  quiet: without signs
 * @returns {Mark[]}
 */
export function drawGradient(block, x, y, shown, colours, how = {}) {
  if (shown === "not yet") return dotted(block, x, y);
  if (shown === "none") return hatched(block, x, y);
  return shown.form === "opaque" || shown.form === "empty"
    ? [
        rect(x, y, block.w, block.h, { r: 4, fill: "zero" }),
        text(x + block.w / 2, y + block.h / 2 + 4.4, shown.text, { size: 13, mono: true, align: "middle" }),
      ]
    : block.form === "thumbnail" || shown.cells.length !== block.rows * block.columns
      ? heat(block, x, y, shown, (number) => fillOf(number, shown, colours))
      : cells(block, x, y, shown, colours, how.quiet ?? false);
}

/**
 * @param {Block} block
 * @param {number} x
 * @param {number} y
 * @param {Summary} summary
 * @param {Colours} colours
 * @param {boolean} quiet
 * @returns {Mark[]}
 */
function cells(block, x, y, summary, colours, quiet) {
  /** @type {Mark[]} */
  const marks = [];
  summary.cells.forEach((number, i) => {
    const left = x + (i % block.columns) * (block.cellW + block.gap);
    const top = y + Math.floor(i / block.columns) * (block.cellH + block.gap);
    const fill = fillOf(number, summary, colours);
    marks.push(rect(left, top, block.cellW, block.cellH, { r: Math.min(4, block.cellH / 4), fill, detail: 1 }));
    const writing = block.digits
      ? cellText(summary, i)
      : quiet || summary.complex || block.cellW < 12 || block.cellH < 11
        ? ""
        : number > 0
          ? "+"
          : number < 0
            ? "−"
            : "";
    if (writing) {
      marks.push(
        text(left + block.cellW / 2, top + block.cellH / 2 + (block.digits ? 4.8 : 4.2), writing, {
          size: block.digits ? SIZE : 13,
          weight: 600,
          mono: true,
          align: "middle",
          fill: colours.on(fill),
        }),
      );
    }
  });
  return marks;
}

/** Complex numbers have a size and no sign. @param {number} x @param {Summary} of @param {Colours} colours */
const fillOf = (x, { complex }, colours) => (complex ? colours.size(x) : colours.cell(x));

/**
 * One path per colour: a heat map of 256 cells costs a dozen shapes.
 * @param {Block} block
 * @param {number} x
 * @param {number} y
 * @param {Summary} summary
 * @param {(x: number) => string} fillOf
 * @returns {Mark[]}
 */
function heat(block, x, y, summary, fillOf) {
  const columns = Math.max(1, summary.columns);
  const rows = Math.max(1, summary.rows);
  const w = block.w / columns;
  const h = block.h / rows;
  /** @type {Map<string, string[]>} */
  const byColour = new Map();
  summary.cells.forEach((number, i) => {
    const left = round(x + (i % columns) * w);
    const top = round(y + Math.floor(i / columns) * h);
    const right = round(left + w);
    const bottom = round(top + h);
    const fill = fillOf(number);
    const piece = `M${left} ${top}L${right} ${top}L${right} ${bottom}L${left} ${bottom}Z`;
    const list = byColour.get(fill);
    if (list) list.push(piece);
    else byColour.set(fill, [piece]);
  });
  /** @type {Mark[]} */
  const marks = [...byColour].map(([fill, pieces]) => path(pieces.join(""), { fill, detail: 1 }));
  marks.push(rect(x - 0.5, y - 0.5, block.w + 1, block.h + 1, { r: 2, stroke: "line", detail: 1 }));
  return marks;
}

/**
 * Not yet: an outline waiting to be filled.
 * @param {Block} block
 * @param {number} x
 * @param {number} y
 * @returns {Mark[]}
 */
export function dotted(block, x, y) {
  const look = { r: 4, stroke: "rest", dash: "2 2.5", detail: /** @type {const} */ (1) };
  if (block.form === "thumbnail" || block.rows * block.columns > MOST_CELLS) {
    return [rect(x, y, block.w, block.h, look)];
  }
  /** @type {Mark[]} */
  const marks = [];
  for (let row = 0; row < block.rows; row++) {
    for (let column = 0; column < block.columns; column++) {
      marks.push(
        rect(
          x + column * (block.cellW + block.gap) + 0.5,
          y + row * (block.cellH + block.gap) + 0.5,
          block.cellW - 1,
          block.cellH - 1,
          look,
        ),
      );
    }
  }
  return marks;
}

/**
 * None: crossed out and named.
 * @param {{w: number, h: number}} block @param {number} x @param {number} y
 * @returns {Mark[]}
 */
const hatched = ({ w, h }, x, y) => hatchedNone(x, y, w, h);

/** @param {number} x @param {number} y @param {number} w @param {number} h @returns {Mark[]} */
export function hatchedNone(x, y, w, h) {
  const strokes = [];
  for (let d = 4; d < w + h; d += 6) {
    const x0 = Math.max(0, d - h);
    const x1 = Math.min(w, d);
    strokes.push(`M${round(x + x0)} ${round(y + Math.min(d, h))}L${round(x + x1)} ${round(y + d - x1)}`);
  }
  /** @type {Mark[]} */
  const marks = [
    path(strokes.join(""), { stroke: "line", sw: 1, detail: 1 }),
    rect(x + 0.5, y + 0.5, w - 1, h - 1, { r: 4, stroke: "line", detail: 1 }),
  ];
  if (w >= 36 && h >= 16) {
    const label = text(x + w / 2, y + h / 2 + 4.4, "None", { size: 13, mono: true, align: "middle", fill: "mute" });
    const half = 18;
    marks.push(rect(x + w / 2 - half, y + h / 2 - 7, 2 * half, 14, { r: 3, fill: "panel", opacity: 0.8 }), label);
  }
  return marks;
}
