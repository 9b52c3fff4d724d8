/**
 * Training over time: the loss as a line, gradients and updates of parameters as shades, one column for each turn. Drag
 * to a turn; the picture goes there.
 * @module
 */
import { readPalette, watchTheme } from "../paint/palette.js";
import { formatIteration, formatNumber } from "../trace.js";
import { h } from "../ui/dom.js";
import { folding } from "../ui/folding.js";
import { AXIS, LOSS, outlierOf, PAD, paintStrip, ROW, ROWS } from "./paint.js";
import { bins, lineScale } from "./scale.js";
import { columnBefore, seriesOf, timeOfTurn, turnAt } from "./series.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("./series.js").Series} Series */
/** @typedef {import("./paint.js").Measure} Measure */

const LEAST = 4;
/** Room for names, px; and for the numbers of the turn at hand. */
const NAMES = { wide: 128, narrow: 94 };
const NUMBERS = { wide: 76, narrow: 0 };
const NARROW = 760;

/** @typedef {{onTime: (t: number) => void, onScrub: (busy: boolean) => void}} TrainingActions */

/** @param {TrainingActions} actions */
export function createTraining(actions) {
  return new TrainingStrip(actions);
}

class TrainingStrip {
  /** @type {Book | null} */
  #book = null;
  /** @type {Series[]} */
  #all = [];
  #chosen = 0;
  /** @type {number | null} */
  #turn = null;
  /** A turn of which only the numbers are known stays pointed at while the time is in its gap. */
  #pointed = /** @type {{turn: number, t: number} | null} */ (null);
  /** What the rows of parameters tell; null for none. @type {Measure | null} */
  #shown = null;
  /** Whether the reader asked for rows. */
  #unfolded = false;
  #wide = 0;
  /** @type {import("./paint.js").Geometry & {height: number}} */
  #geometry = { columns: [], left: 0, width: 0, height: 0 };
  /** Where the plot begins, and where the pointer is in it, px; and the frame in which that is followed. */
  #start = 0;
  #at = 0;
  #frame = 0;

  /** @param {TrainingActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.title = h("b", null, "loss");
    this.said = h("span", { class: "training-said" });
    this.lines = h("select", { class: "training-line", "aria-label": "Which loss" });
    this.note = h("span", { class: "training-note" });
    /** @type {{button: HTMLButtonElement, shown: Measure | null}[]} */
    this.choices = [null, /** @type {const} */ ("grad"), /** @type {const} */ ("ratio")].map((shown) => ({
      button: h("button", { type: "button", onclick: () => this.#choose(shown) }, shown ? ROWS[shown].title : "loss"),
      shown,
    }));
    this.canvas = h("canvas", { "aria-hidden": true });
    this.cursor = h("div", { class: "training-cursor", "aria-hidden": true });
    this.numbers = h("div", { class: "training-numbers", "aria-hidden": true });
    this.plot = h(
      "div",
      {
        class: "training-plot",
        role: "slider",
        tabindex: 0,
        "aria-label": "Iteration of the training",
        "aria-valuemin": 0,
      },
      this.canvas,
      this.cursor,
      this.numbers,
    );
    this.element = h(
      "section",
      { class: "training", "aria-label": "Training over time", hidden: true },
      h(
        "div",
        { class: "training-head" },
        this.title,
        this.lines,
        this.said,
        this.note,
        h(
          "div",
          { class: "training-rows", role: "group", "aria-label": "What is shown of each iteration" },
          this.choices.map(({ button }) => button),
        ),
      ),
      this.plot,
    );
    this.#listen();
  }

  #listen() {
    const { element, plot } = this;
    this.lines.addEventListener("change", () => {
      this.#chosen = this.lines.selectedIndex;
      this.#draw();
    });
    new ResizeObserver(() => {
      if (plot.clientWidth !== this.#wide && !element.hidden) this.#draw();
    }).observe(plot);
    watchTheme(() => !element.hidden && this.#draw());
    plot.addEventListener("pointerdown", (event) => this.#grabbed(event));
    plot.addEventListener("pointermove", (event) => this.#dragged(event));
    plot.addEventListener("pointerup", () => this.#released());
    plot.addEventListener("pointercancel", () => this.#released());
    plot.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** @param {{book: Book, t: number}} view */
  render({ book, t }) {
    const sameRun = this.#book === book;
    if (!sameRun) this.#show(book);
    const of = this.#series;
    if (!of) return;
    if (this.#pointed && this.#pointed.t !== t) this.#pointed = null;
    this.#turn = this.#pointed ? this.#pointed.turn : turnAt(of, book, t);
    if (sameRun) this.#point();
    else this.#draw();
  }

  /** Another run. @param {Book} book */
  #show(book) {
    const all = seriesOf(book);
    this.#book = book;
    this.#all = all;
    this.#chosen = Math.max(0, Math.min(this.#chosen, all.length - 1));
    this.#pointed = null;
    this.lines.replaceChildren(...all.map(({ line }) => h("option", null, `line ${line}`)));
    this.element.hidden = all.length === 0;
    const room = this.#unfolded || roomFor(Math.max(0, ...all.map(({ passes }) => passes)));
    this.#shown = room ? (this.#shown ?? "grad") : null;
  }

  /** @returns {Series | undefined} */
  get #series() {
    return this.#all[this.#chosen];
  }

  #draw() {
    const of = this.#series;
    if (!of) return;
    const { canvas, plot } = this;
    const several = this.#all.length > 1;
    this.#measure(of);
    const { height } = this.#geometry;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(this.#wide * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = plot.style.height = `${height}px`;
    const context = canvas.getContext("2d");
    if (context) {
      context.scale(ratio, ratio);
      paintStrip(context, of, this.#geometry, this.#shown, readPalette(this.element));
    }
    for (const { button, shown } of this.choices) button.setAttribute("aria-pressed", String(shown === this.#shown));
    this.note.textContent = this.#noted(of);
    this.lines.hidden = !several;
    this.title.textContent = several ? "loss of" : `loss${lineScale(of.loss).log ? " (log)" : ""}`;
    this.#point();
  }

  /** @param {Series} of */
  #measure(of) {
    this.#wide = this.plot.clientWidth;
    const narrow = this.#wide < NARROW;
    const left = narrow ? NAMES.narrow : NAMES.wide;
    const width = Math.max(40, this.#wide - left - (narrow ? NUMBERS.narrow : NUMBERS.wide) - PAD);
    const height = LOSS + (this.#shown ? of.rows.length * ROW : 0) + AXIS;
    this.#geometry = { columns: bins(of.calls.length, width, LEAST), left, width, height };
  }

  /** Show which turn is at hand. */
  #point() {
    const of = this.#series;
    if (!of || !this.#book) return;
    const turn = this.#turn;
    const column = turn === null ? -1 : columnBefore(of.turns, turn);
    this.cursor.hidden = column < 0;
    this.plot.setAttribute("aria-valuemax", String(of.passes - 1));
    this.plot.setAttribute("aria-valuenow", String(Math.max(0, turn ?? 0)));
    if (turn === null || column < 0) {
      this.said.textContent = `${of.passes.toLocaleString("en")} iterations`;
      this.numbers.replaceChildren();
      this.plot.setAttribute("aria-valuetext", "before the first iteration");
      return;
    }
    this.#moveCursor(column);
    const exact = of.turns[column] === turn;
    const loss = exact ? of.loss[column] : null;
    const before = exact && of.stride === 1 ? of.loss[column - 1] : null;
    const words = this.#words(of, turn, loss, before ?? null);
    this.said.textContent = words;
    this.plot.setAttribute("aria-valuetext", words);
    this.numbers.replaceChildren(...(this.#geometry.left === NAMES.narrow ? [] : this.#cells(of, column, loss)));
  }

  /** @param {number} column of the series */
  #moveCursor(column) {
    const { columns, left, width } = this.#geometry;
    const bin = columns.findIndex(({ last }) => column <= last);
    const each = width / columns.length;
    this.cursor.style.transform = `translateX(${left + bin * each - 1}px)`;
    this.cursor.style.width = `${Math.max(each, 3) + 2}px`;
  }

  /** @param {Series} of @param {number} turn @param {number | null} loss @param {number | null} before */
  #words(of, turn, loss, before) {
    const unrecorded = this.#pointed && this.#book && !timeOfTurn(of, this.#book, this.#pointed.turn).recorded;
    const parts = [
      formatIteration(turn, of.passes),
      loss === null ? "" : `loss ${formatNumber(loss)}`,
      before === null ? "" : `was ${formatNumber(before)}`,
      unrecorded ? "its graph is not recorded" : "",
    ];
    return parts.filter(Boolean).join(" · ");
  }

  /** The numbers of a turn, beside their rows. @param {Series} of @param {number} column @param {number | null} loss */
  #cells(of, column, loss) {
    const cell = (/** @type {number | null} */ x, /** @type {number} */ top, text = ROWS.grad.text) => {
      const element = h("span", null, x === null ? "" : text(x));
      element.style.top = `${top}px`;
      return element;
    };
    const shown = this.#shown;
    const rows = shown ? of.rows.map((row, i) => cell(row[shown][column], LOSS + i * ROW, ROWS[shown].text)) : [];
    return [cell(loss, 10), ...rows];
  }

  /** What stands out. @param {Series} of */
  #noted(of) {
    const shown = this.#shown;
    const most = shown && outlierOf(of, shown);
    if (!most) return "";
    const iteration = of.turns[most.column].toLocaleString("en");
    return `○ ${ROWS[shown].text(most.value)} at iteration ${iteration}: ${most.name}`;
  }

  /**
   * The same place in the iteration after the one at hand, or before it.
   * @param {1 | -1} direction @param {readonly number[]} stops @param {number} t
   * @returns {number | null} null where there is no training
   */
  neighbour(direction, stops, t) {
    const of = this.#series;
    const book = this.#book;
    if (!of || !book) return null;
    const now = turnAt(of, book, t);
    const next = now === null ? 0 : now + direction;
    if (next < 0 || next >= of.passes) return t;
    const to = timeOfTurn(of, book, next);
    const at = now === null ? to : timeOfTurn(of, book, now);
    if (!to.recorded || !at.recorded) return to.t;
    const place = (/** @type {number} */ time) => stops.findIndex((stop) => stop >= time);
    return stops[Math.min(stops.length - 1, Math.max(0, place(to.t) + place(t) - place(at.t)))] ?? t;
  }

  /** @param {number} to a turn */
  #go(to) {
    const of = this.#series;
    if (!of || !this.#book) return;
    const turn = Math.min(Math.max(to, 0), of.passes - 1);
    const { t } = timeOfTurn(of, this.#book, turn);
    this.#turn = turn;
    this.#pointed = { turn, t };
    this.#point();
    this.actions.onTime(t);
  }

  /** @param {Measure | null} shown */
  #choose(shown) {
    this.#shown = shown;
    this.#unfolded = shown !== null;
    rowsFold.remember(shown === null);
    this.#draw();
  }

  /** @param {PointerEvent} event */
  #grabbed(event) {
    if (event.button !== 0) return;
    this.plot.setPointerCapture(event.pointerId);
    this.actions.onScrub(true);
    this.#start = this.plot.getBoundingClientRect().left;
    this.#at = event.clientX - this.#start;
    this.#scrub();
  }

  /** @param {PointerEvent} event */
  #dragged(event) {
    if (!this.plot.hasPointerCapture(event.pointerId)) return;
    this.#at = event.clientX - this.#start;
    this.#frame ||= requestAnimationFrame(() => this.#scrub());
  }

  #released() {
    if (this.#frame) this.#scrub();
    this.actions.onScrub(false);
  }

  /** Go to the turn under the pointer. */
  #scrub() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const { columns, left, width } = this.#geometry;
    const at = Math.floor(((this.#at - left) / width) * columns.length);
    const bin = columns[at] ?? columns[this.#at < left ? 0 : columns.length - 1];
    const of = this.#series;
    if (bin && of) this.#go(of.turns[bin.first]);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const of = this.#series;
    if (!of) return;
    const column = this.#turn === null ? -1 : columnBefore(of.turns, this.#turn);
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
    this.#go(of.turns[Math.min(last, Math.max(0, next))]);
  }
}

/** Fewer turns than this are told by their loss alone, until the reader asks. */
const MANY = 10;

/** Whether rows of parameters are shown without being asked for. @param {number} passes */
const roomFor = (passes) => !rowsFold.open && passes >= MANY && window.innerWidth > NARROW && window.innerHeight > LOW;

/** A window of this height, px, has room for the picture alone. */
const LOW = 720;

/** Whether the rows were folded away. */
const rowsFold = folding("training-folded");
