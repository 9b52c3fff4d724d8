/**
 * Training over time: the loss as a line, gradients and updates of parameters as shades, one column for each turn. Drag
 * to a turn; the picture goes there.
 * @module
 */
import { readPalette, watchTheme } from "../paint/palette.js";
import { MONO, SANS } from "../paint/attributes.js";
import { formatNumber } from "../trace.js";
import { h } from "../ui/dom.js";
import { folding } from "../ui/folding.js";
import { axisTicks, bins, largest, lineScale, outlier, placed, shadeScale } from "./scale.js";
import { columnBefore, seriesOf, timeOfTurn, turnAt } from "./series.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("./series.js").Series} Series */
/** @typedef {import("./scale.js").Scale} Scale */

const LOSS = 46;
const ROW = 13;
const HEAD = 18;
const AXIS = 17;
const LEAST = 4;
const PAD = 5;
/** Room for names, px; and for the numbers of the turn at hand. */
const NAMES = { wide: 128, narrow: 94 };
const NUMBERS = { wide: 76, narrow: 0 };
const NARROW = 760;

/**
 * @param {{onTime: (t: number) => void, onScrub: (busy: boolean) => void}} actions
 * @returns {{element: HTMLElement, render: (view: {book: Book, t: number}) => void}}
 */
export function createTraining(actions) {
  const title = h("b", null, "loss");
  const said = h("span", { class: "training-said" });
  const lines = h("select", { class: "training-line", "aria-label": "Which loss" });
  const fold = h("button", { type: "button", class: "link-button" });
  const canvas = h("canvas", { "aria-hidden": true });
  const cursor = h("div", { class: "training-cursor", "aria-hidden": true });
  const numbers = h("div", { class: "training-numbers", "aria-hidden": true });
  const plot = h(
    "div",
    { class: "training-plot", role: "slider", tabindex: 0, "aria-label": "Turn of the training", "aria-valuemin": 0 },
    canvas,
    cursor,
    numbers,
  );
  const element = h(
    "section",
    { class: "training", "aria-label": "Training over time", hidden: true },
    h("div", { class: "training-head" }, title, lines, said, fold),
    plot,
  );

  /** @type {Book | null} */
  let book = null;
  /** @type {Series[]} */
  let all = [];
  let chosen = 0;
  let turn = /** @type {number | null} */ (null);
  /** A turn of which only the numbers are known stays pointed at while the time is in its gap. */
  let pointed = /** @type {{turn: number, t: number} | null} */ (null);
  let open = false;
  let unfolded = false;
  let wide = 0;
  /** @type {{columns: {first: number, last: number}[], left: number, width: number, height: number}} */
  let geometry = { columns: [], left: 0, width: 0, height: 0 };

  const series = () => all[chosen];
  fold.addEventListener("click", () => {
    open = unfolded = !open;
    rowsFold.remember(!open);
    draw();
  });
  lines.addEventListener("change", () => {
    chosen = lines.selectedIndex;
    draw();
  });
  new ResizeObserver(() => {
    if (plot.clientWidth !== wide && !element.hidden) draw();
  }).observe(plot);
  watchTheme(() => !element.hidden && draw());

  function draw() {
    const of = series();
    if (!of) return;
    wide = plot.clientWidth;
    const narrow = wide < NARROW;
    const left = narrow ? NAMES.narrow : NAMES.wide;
    const width = Math.max(40, wide - left - (narrow ? NUMBERS.narrow : NUMBERS.wide) - PAD);
    const height = LOSS + (open ? 2 * (HEAD + of.rows.length * ROW) : 0) + AXIS;
    geometry = { columns: bins(of.calls.length, width, LEAST), left, width, height };
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(wide * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = `${height}px`;
    plot.style.height = `${height}px`;
    const context = canvas.getContext("2d");
    if (context) {
      context.scale(ratio, ratio);
      paintStrip(context, of, geometry, open, readPalette(element));
    }
    fold.textContent = open ? "loss only" : "gradients and updates";
    fold.setAttribute("aria-expanded", String(open));
    lines.hidden = all.length < 2;
    title.textContent = all.length < 2 ? `loss${lineScale(of.loss).log ? " (log)" : ""}` : "loss of";
    point();
  }

  /** Show which turn is at hand. */
  function point() {
    const of = series();
    if (!of || !book) return;
    const column = turn === null ? -1 : columnBefore(of.turns, turn);
    cursor.hidden = column < 0;
    plot.setAttribute("aria-valuemax", String(of.passes - 1));
    plot.setAttribute("aria-valuenow", String(Math.max(0, turn ?? 0)));
    if (turn === null || column < 0) {
      said.textContent = `${of.passes.toLocaleString("en")} turns`;
      numbers.replaceChildren();
      plot.setAttribute("aria-valuetext", "before the first turn");
      return;
    }
    const bin = geometry.columns.findIndex(({ last }) => column <= last);
    const each = geometry.width / geometry.columns.length;
    cursor.style.transform = `translateX(${geometry.left + bin * each - 1}px)`;
    cursor.style.width = `${Math.max(each, 3) + 2}px`;
    const exact = of.turns[column] === turn;
    const loss = exact ? of.loss[column] : null;
    const before = exact && of.stride === 1 ? of.loss[column - 1] : null;
    const parts = [
      `turn ${turn.toLocaleString("en")} of 0 … ${(of.passes - 1).toLocaleString("en")}`,
      loss === null ? "" : `loss ${formatNumber(loss)}`,
      before === null || before === undefined ? "" : `was ${formatNumber(before)}`,
      pointed && !recordedAt(pointed) ? "its graph is not recorded" : "",
    ];
    said.textContent = parts.filter(Boolean).join(" · ");
    plot.setAttribute("aria-valuetext", said.textContent);
    const row = (/** @type {number | null} */ x, /** @type {number} */ top, percent = false) => {
      const text = x === null ? "" : percent ? share(x) : formatNumber(x);
      const cell = h("span", null, text);
      cell.style.top = `${top}px`;
      return cell;
    };
    const shown = [row(loss, 14)];
    if (open) {
      const second = LOSS + HEAD + of.rows.length * ROW;
      of.rows.forEach(({ grad, ratio }, i) => {
        shown.push(row(grad[column], LOSS + HEAD + i * ROW), row(ratio[column], second + HEAD + i * ROW, true));
      });
    }
    numbers.replaceChildren(...(geometry.left === NAMES.narrow ? [] : shown));
  }

  /** @param {{turn: number}} at */
  const recordedAt = ({ turn: at }) => Boolean(book && timeOfTurn(series(), book, at).recorded);

  /** @param {number} to */
  function go(to) {
    const of = series();
    if (!of || !book) return;
    const next = Math.min(Math.max(to, 0), of.passes - 1);
    const { t } = timeOfTurn(of, book, next);
    turn = next;
    pointed = { turn: next, t };
    point();
    actions.onTime(t);
  }

  let left = 0;
  let at = 0;
  let frame = 0;
  function scrub() {
    cancelAnimationFrame(frame);
    frame = 0;
    const { columns, left: start, width } = geometry;
    const bin =
      columns[Math.floor(((at - start) / width) * columns.length)] ?? columns[at < start ? 0 : columns.length - 1];
    const of = series();
    if (bin && of) go(of.turns[bin.first]);
  }
  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    plot.setPointerCapture(event.pointerId);
    actions.onScrub(true);
    left = plot.getBoundingClientRect().left;
    at = event.clientX - left;
    scrub();
  });
  plot.addEventListener("pointermove", (event) => {
    if (!plot.hasPointerCapture(event.pointerId)) return;
    at = event.clientX - left;
    frame ||= requestAnimationFrame(scrub);
  });
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
    plot.addEventListener(end, () => {
      if (frame) scrub();
      actions.onScrub(false);
    });
  }
  plot.addEventListener("keydown", (event) => {
    const of = series();
    if (!of) return;
    const column = turn === null ? -1 : columnBefore(of.turns, turn);
    const last = of.turns.length - 1;
    const next = {
      ArrowLeft: column - 1,
      ArrowRight: column + 1,
      Home: 0,
      End: last,
      PageUp: column + 10,
      PageDown: column - 10,
    }[event.key];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    go(of.turns[Math.min(last, Math.max(0, next))]);
  });

  return {
    element,
    render(view) {
      const sameRun = book === view.book;
      if (!sameRun) {
        book = view.book;
        all = seriesOf(book);
        chosen = Math.max(0, Math.min(chosen, all.length - 1));
        pointed = null;
        lines.replaceChildren(...all.map(({ line }) => h("option", null, `line ${line}`)));
        element.hidden = all.length === 0;
        open = unfolded || roomFor(Math.max(0, ...all.map(({ passes }) => passes)));
      }
      const of = series();
      if (!of) return;
      if (pointed && pointed.t !== view.t) pointed = null;
      turn = pointed ? pointed.turn : turnAt(of, view.book, view.t);
      if (sameRun) point();
      else draw();
    },
  };
}

/** Fewer turns than this are told by their loss alone, until the reader asks. */
const MANY = 10;

/** Whether rows of parameters are shown without being asked for. @param {number} passes */
const roomFor = (passes) => !rowsFold.open && passes >= MANY && window.innerWidth > NARROW && window.innerHeight > LOW;

/** A window of this height, px, has room for the picture alone. */
const LOW = 720;

/** Whether the rows were folded away. */
const rowsFold = folding("training-folded");

/** A share in percent. @param {number} x */
const share = (x) => (Number.isFinite(x) ? `${formatNumber(Number((100 * x).toPrecision(2)))} %` : formatNumber(x));

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Series} series
 * @param {{columns: {first: number, last: number}[], left: number, width: number}} geometry
 * @param {boolean} open
 * @param {import("../scene/colour.js").Palette} palette
 */
function paintStrip(context, series, { columns, left, width }, open, palette) {
  const each = width / columns.length;
  paintLoss(context, series, columns, { left, each, width }, palette);
  const bottom = LOSS + (open ? 2 * (HEAD + series.rows.length * ROW) : 0);
  for (const turn of axisTicks(series.passes, width, 64)) {
    const at = columns.findIndex(({ last }) => series.turns[last] >= turn);
    const name = turn.toLocaleString("en");
    label(context, name, left + (at + 0.5) * each, bottom + 13, palette.mute, `12px ${SANS}`, turn ? "center" : "left");
  }
  if (!open) return;
  const block = (/** @type {string} */ title, /** @type {"grad" | "ratio"} */ key, /** @type {number} */ top) => {
    const scale = shadeScale(series.rows.flatMap((row) => row[key]));
    label(context, title, 0, top + 12, palette.ink, `600 12px ${SANS}`);
    const text = key === "grad" ? formatNumber : share;
    const used = legend(context, scale, text, left + width, top, palette);
    const most = outlier(
      series.rows.map((row) => ({ name: row.name, values: row[key] })),
      scale,
    );
    if (most) {
      const where = `○ ${text(most.value)} at turn ${series.turns[most.column].toLocaleString("en")}: ${most.name}`;
      if (context.measureText(where).width < width - used - 24) {
        label(context, where, left, top + 12, palette.mute, `12px ${SANS}`);
      }
    }
    series.rows.forEach((row, i) => {
      const y = top + HEAD + i * ROW;
      label(context, fitted(context, row.name, left - 8), 0, y + 9.5, palette.soft, `12px ${MONO}`);
      columns.forEach((column, k) => {
        const x = largest(row[key], column);
        if (x === null) return;
        context.fillStyle = palette.ink;
        context.globalAlpha = Number.isNaN(x) ? 1 : x === 0 ? 0.03 : shade(placed(scale, x));
        context.fillRect(left + k * each, y, Math.max(each - (each > 6 ? 1 : 0), 1), ROW - 1);
      });
      context.globalAlpha = 1;
    });
    if (most) {
      const k = columns.findIndex(({ last }) => most.column <= last);
      context.strokeStyle = palette.panel;
      context.lineWidth = 1.5;
      context.beginPath();
      context.arc(left + (k + 0.5) * each, top + HEAD + most.row * ROW + ROW / 2 - 0.5, 3.2, 0, 2 * Math.PI);
      context.stroke();
    }
  };
  block("‖grad‖", "grad", LOSS);
  block("step ÷ weight", "ratio", LOSS + HEAD + series.rows.length * ROW);
}

/**
 * The ends of a scale of shades, and between them the shades.
 * @param {CanvasRenderingContext2D} context @param {Scale} scale @param {(x: number) => string} text
 * @param {number} right @param {number} top @param {import("../scene/colour.js").Palette} palette
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
 * @param {CanvasRenderingContext2D} context @param {Series} series @param {{first: number, last: number}[]} columns
 * @param {{left: number, each: number, width: number}} place @param {import("../scene/colour.js").Palette} palette
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
