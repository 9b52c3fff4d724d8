/** What the run writes into the editor: values, the current line, linked lines, the error. */

import {
  Decoration,
  EditorView,
  gutter,
  GutterMarker,
  RangeSet,
  StateEffect,
  StateField,
  WidgetType,
} from "../../vendor/codemirror.js";
import { formatNumber, unitsBefore } from "../trace.js";
import { signElement } from "../findings/list.js";
import { h } from "../ui/dom.js";
import { fillClass } from "./fills.js";
import { problemElement } from "./problem.js";

/** @typedef {import("../trace/document").Error} RunError */
/** @typedef {import("@codemirror/state").EditorState} EditorState */

/**
 * @typedef {object} Marks
 * @property {number | null} now the line to look at
 * @property {ReadonlyMap<number, import("./beside.js").Beside>} values what lines have produced
 * @property {readonly import("./weights.js").Weight[]} weights literals of the program that are gradients
 * @property {import("../scene/colour.js").Colours} colours of the run
 * @property {readonly number[]} linked lines of what the reader points at
 * @property {ReadonlySet<number>} recorded lines with a node in the graph
 * @property {readonly import("../findings/finding.js").Sign[]} signs numbers of findings
 * @property {RunError | null} error
 * @property {boolean} told whether the ledger tells of it
 */

/** @type {import("@codemirror/state").StateEffectType<Marks>} */
export const setDecorations = StateEffect.define();

/** @param {{text: string, fill: string}[]} a @param {{text: string, fill: string}[]} b */
const sameCells = (a, b) => a.length === b.length && a.every(({ fill }, i) => fill === b[i]?.fill);

class ValueWidget extends WidgetType {
  /** @param {import("./beside.js").Beside} value @param {import("../scene/colour.js").Colours} colours */
  constructor({ text, below, gradient }, colours) {
    super();
    this.text = text;
    this.below = below;
    this.cells = (gradient ?? []).map((x) => ({ text: formatNumber(x), fill: `cell ${fillClass(colours, x)}` }));
  }

  /** @param {ValueWidget} other */
  eq(other) {
    return other.text === this.text && other.below === this.below && sameCells(other.cells, this.cells);
  }

  /** Without this the numbers of the lines below would jump for a frame. */
  get lineBreaks() {
    return this.below ? 1 : 0;
  }

  toDOM() {
    return h(
      "span",
      { class: this.below ? "cm-value below" : "cm-value", "aria-hidden": "true", title: this.text },
      this.cells.length ? this.cells.map(({ text, fill }) => h("span", { class: fill }, text)) : this.text,
    );
  }

  ignoreEvent() {
    return false;
  }
}

class SignWidget extends WidgetType {
  /** @param {import("../findings/finding.js").Sign} sign */
  constructor(sign) {
    super();
    this.sign = sign;
  }

  /** @param {SignWidget} other */
  eq({ sign }) {
    return sign.number === this.sign.number && sign.open === this.sign.open && sign.headline === this.sign.headline;
  }

  toDOM() {
    return signElement(this.sign);
  }

  ignoreEvent() {
    return false;
  }
}

/** Of a message on its line; the right pane has all of it, with what to do. */
const SHORT = 110;

class ErrorWidget extends WidgetType {
  /** @param {RunError} error @param {boolean} told */
  constructor(error, told) {
    super();
    this.error = error;
    this.told = told;
  }

  /** @param {ErrorWidget} other */
  eq(other) {
    return other.told === this.told && JSON.stringify(other.error) === JSON.stringify(this.error);
  }

  toDOM() {
    const { message } = this.error;
    const end = message.lastIndexOf(" ", SHORT);
    const short = message.length > SHORT ? `${message.slice(0, end > 0 ? end : SHORT)} …` : message;
    return problemElement(this.error, short, this.told);
  }

  ignoreEvent() {
    return true;
  }
}

class Dot extends GutterMarker {
  /** @param {string} kind */
  constructor(kind) {
    super();
    this.elementClass = `cm-dot ${kind}`;
  }

  /** @param {Dot} other */
  eq(other) {
    return other.elementClass === this.elementClass;
  }
}

const DOTS = { node: new Dot("node"), error: new Dot("error"), related: new Dot("related") };

/**
 * @typedef {{decorations: import("@codemirror/view").DecorationSet, dots:
 *   import("@codemirror/state").RangeSet<GutterMarker>}} Drawn
 */

/** @param {EditorState} state @param {Marks} marks @returns {Drawn} */
function draw(state, marks) {
  const lines = state.doc.lines;
  /** @type {import("@codemirror/state").Range<import("@codemirror/view").Decoration>[]} */
  const found = [];
  /** @type {import("@codemirror/state").Range<GutterMarker>[]} */
  const dots = [];
  const at = (/** @type {number} */ n) => state.doc.line(n);
  const inside = (/** @type {number | null | undefined} */ n) => typeof n === "number" && n >= 1 && n <= lines;
  const line = (/** @type {number} */ n, /** @type {string} */ name) =>
    found.push(Decoration.line({ class: name }).range(at(n).from));
  if (inside(marks.now)) line(/** @type {number} */ (marks.now), "cm-now");
  for (const n of marks.linked) if (inside(n)) line(n, "cm-linked");
  // Before the values: what floats first is outermost. The last comes first, so that they read from the left.
  for (const sign of [...marks.signs].reverse()) {
    if (inside(sign.line)) {
      const n = /** @type {number} */ (sign.line);
      line(n, "cm-valued");
      found.push(Decoration.widget({ widget: new SignWidget(sign), side: 1 }).range(at(n).to));
    }
  }
  for (const [n, value] of marks.values) {
    if (!inside(n)) continue;
    line(n, "cm-valued");
    found.push(Decoration.widget({ widget: new ValueWidget(value, marks.colours), side: 1 }).range(at(n).to));
  }
  for (const { from, to, x, call, index } of marks.weights) {
    if (to > state.doc.length) continue;
    const attributes = { "data-weight": `${call} ${index} ${x}` };
    found.push(Decoration.mark({ class: `cm-weight ${fillClass(marks.colours, x)}`, attributes }).range(from, to));
  }
  for (const n of marks.recorded) if (inside(n) && n !== marks.error?.line) dots.push(DOTS.node.range(at(n).from));
  const { error } = marks;
  if (error && inside(error.line)) {
    const where = at(/** @type {number} */ (error.line));
    line(where.number, "cm-error-line");
    dots.push(DOTS.error.range(where.from));
    found.push(Decoration.widget({ widget: new ErrorWidget(error, marks.told), side: 2, block: true }).range(where.to));
    const { column, end_column: end } = error;
    if (column != null && end != null && (error.end_line ?? error.line) === error.line) {
      const from = where.from + unitsBefore(where.text, column);
      const to = where.from + unitsBefore(where.text, end);
      if (from < to && to <= where.to) found.push(Decoration.mark({ class: "cm-error-span" }).range(from, to));
    }
    for (const n of error.related_lines ?? []) {
      if (!inside(n) || n === error.line) continue;
      line(n, "cm-related-line");
      if (!marks.recorded.has(n)) dots.push(DOTS.related.range(at(n).from));
    }
  }
  return { decorations: Decoration.set(found, true), dots: RangeSet.of(dots, true) };
}

/** @type {import("@codemirror/state").StateField<Drawn>} */
const field = StateField.define({
  create: () => /** @type {Drawn} */ ({ decorations: Decoration.none, dots: RangeSet.empty }),
  update(drawn, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setDecorations)) return draw(transaction.state, effect.value);
    }
    if (!transaction.docChanged) return drawn;
    return { decorations: drawn.decorations.map(transaction.changes), dots: drawn.dots.map(transaction.changes) };
  },
  provide: (self) => EditorView.decorations.from(self, (drawn) => drawn.decorations),
});

/** The extension. */
export const marks = () => [field, gutter({ class: "cm-dots", markers: (view) => view.state.field(field).dots })];
