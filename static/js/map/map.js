/**
 * A large pass as a table: a row per module, function, iteration or op, in the order in which the gradient goes through
 * them, unfolded in place. It follows the step at hand.
 * @module
 */
import { formatNumber } from "../trace.js";
import { h, s } from "../ui/dom.js";
import { showKeyed } from "../ui/keyed.js";
import { morph } from "../ui/morph.js";
import { lines } from "./lines.js";
import { chain, flowOf, openToFit, parametersOf, phaseOf, rowsOf, sizeOf } from "./rows.js";
import { decades, placeOf } from "./scale.js";
import { part as makePart } from "./part.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../scene/navigate.js").Reference} Reference */
/** @typedef {import("./tree.js").PassTree} PassTree */
/** @typedef {import("./tree.js").Part} Part */
/** @typedef {import("./tree.js").Norm} Norm */
/** @typedef {import("./rows.js").Row} Row */

/** px: from one row to the next; by which inner rows are indented, and the innermost at most. */
export const PITCH = 34;
const INDENT = 26;
const DEEPEST = 130;
/** Names that say where the pass is, at most. */
const CRUMBS = 5;
const GRADS = 12;
const AROUND = 12;
/** px: the height of what has not arrived. */
const HOLLOW = 5;

/** In place of the names between the outermost and the innermost. */
const ELIDED = makePart("function", null, "elided", "…", "", 0);

const COLUMNS = ["module", "params", "‖grad‖ of each", "‖g‖ arriving", "‖g‖ leaving"];

const PHASES = { later: "not yet", now: "running now", around: "runs inside", begun: "begun", past: "passed" };

/** @typedef {{onSelect: (item: Reference) => void, onTime: (t: number) => void, onLook: () => void}} TableHandlers */

export class ModuleMap {
  /** @param {HTMLElement} element  an empty box @param {TableHandlers} handlers */
  constructor(element, handlers) {
    this.element = element;
    this.handlers = handlers;
    this.crumbs = h("nav", { class: "map-crumbs", "aria-label": "Where the pass is" });
    this.head = h("div", { class: "map-head map-columns", "aria-hidden": "true" });
    this.head.append(
      ...COLUMNS.map((text) => h("span", null, text)),
      (this.depth = h("span", { class: "map-depth" }, "‖g‖ by depth")),
    );
    this.rows = h("div", { class: "map-rows", role: "tree", "aria-label": "Modules in the order of the pass" });
    this.lines = s("svg", { class: "map-lines", "aria-hidden": "true" });
    this.list = h("div", { class: "map-list" });
    this.key = h(
      "p",
      { class: "map-key" },
      "‖g‖ is the norm of a gradient, √Σg². Bars are logarithmic. ",
      h("i", { class: "map-bar past" }, h("b", { class: "map-fill" })),
      " passed ",
      h("i", { class: "map-bar now" }, h("b", { class: "map-fill" })),
      " now ",
      h("i", { class: "map-bar later" }),
      " not yet",
    );
    this.rows.append(this.lines, this.list);
    element.append(this.crumbs, this.head, this.rows, this.key);
    /** @type {Trace | null} */
    this.trace = null;
    /** @type {PassTree | null} */
    this.tree = null;
    /** @type {Set<string>} opened by the reader, or to begin with */
    this.open = new Set();
    /** @type {Set<string>} opened because the pass is there */
    this.followed = new Set();
    /** @type {Set<string>} closed by the reader */
    this.closed = new Set();
    this.t = 0;
    /** How many trees there have been. */
    this.edition = 0;
    /** @type {Row[]} */
    this.shown = [];
    /** @type {string | null} the row that has the keyboard */
    this.focused = null;
    /** @type {Reference | null} */
    this.selected = null;
    /** @type {Part | null} */
    this.now = null;
    /** px; known without asking, for asking would make the browser lay the page out. */
    this.top = this.height = this.width = 0;
    this.indent = INDENT;
    /** Whether there is room for the curve: where its heading is shown. */
    this.curve = false;
    this.rows.addEventListener("scroll", () => this.scrolled());
    this.list.addEventListener("click", (event) => this.clicked(event));
    this.list.addEventListener("keydown", (event) => this.pressed(event));
    this.lines.addEventListener("click", ({ target }) => {
      const point = target instanceof Element ? target.closest("[data-time]") : null;
      if (point) handlers.onTime(Number(point.getAttribute("data-time")) + 1);
    });
    new ResizeObserver(() => this.resized()).observe(this.rows);
  }

  /**
   * @param {Trace} trace
   * @param {boolean} keep what is open
   * @param {{opened: string[], closed: string[]} | null} [look] what the reader had opened and closed
   */
  setTrace(trace, keep, look = null) {
    this.trace = trace;
    this.tree = null;
    this.selected = null;
    if (!keep || look) {
      this.open = new Set(look?.opened);
      this.closed = new Set(look?.closed);
      this.rows.scrollTop = this.top = 0;
    }
    this.measure();
  }

  /** @param {import("./flow.js").Moment} moment */
  render({ tree, t, now }) {
    this.t = t;
    if (tree !== this.tree) {
      this.tree = tree;
      this.edition++;
      for (const id of openToFit(tree.root, this.room() * 0.8)) if (!this.closed.has(id)) this.open.add(id);
    }
    this.now = now;
    this.followed = new Set(
      chain(now)
        .slice(1)
        .map((part) => part.id)
        .filter((id) => !this.closed.has(id)),
    );
    this.arrange();
    if (now) this.reveal(now);
    this.paint();
  }

  /** Rows that fit. */
  room() {
    return Math.max(6, Math.floor((this.height || 600) / PITCH) - 1);
  }

  measure() {
    this.height = this.rows.clientHeight;
    this.width = this.rows.clientWidth;
    this.curve = this.depth.clientWidth > 0;
  }

  resized() {
    this.measure();
    if (this.trace) this.update();
  }

  scrolled() {
    const { scrollTop } = this.rows;
    if (scrollTop === this.top) return;
    this.top = scrollTop;
    this.paint();
    this.handlers.onLook();
  }

  /** What is open beyond what begins so, and how far it is scrolled. */
  look() {
    const { tree, top } = this;
    const begun = tree ? openToFit(tree.root, this.room() * 0.8) : new Set();
    return {
      opened: [...this.open].filter((id) => !begun.has(id)),
      closed: [...this.closed],
      camera: top > 0 ? { k: 1, x: 0, y: top } : null,
    };
  }

  /** @param {number} top */
  scrollTo(top) {
    this.rows.scrollTop = top;
    this.top = this.rows.scrollTop;
    this.paint();
  }

  update() {
    this.arrange();
    this.paint();
    this.handlers.onLook();
  }

  /** Which rows there are. */
  arrange() {
    const { tree } = this;
    if (!tree) return;
    const open = new Set([...this.open, ...this.followed]);
    this.shown = rowsOf(tree.root, { open, now: this.now, room: this.room() });
    const deepest = this.shown.reduce((most, { depth }) => Math.max(most, depth), 1);
    this.indent = Math.min(INDENT, (this.width > 560 ? DEEPEST : DEEPEST / 3) / deepest);
    const path = chain(this.now).reverse().slice(1);
    const left = path.length > CRUMBS ? path.splice(1, path.length - CRUMBS + 1, ELIDED) : [];
    this.crumbs.title = left.map(({ name }) => name).join(" › ");
    morph(
      this.crumbs,
      (path.length ? path : [tree.root]).map((part, i, all) =>
        h(
          "span",
          { class: i === all.length - 1 && this.now ? "now" : null },
          part.kind === "op" ? part.type : part.kind === "pass" ? `backward #${tree.band.call + 1}` : part.name,
        ),
      ),
    );
  }

  /** The rows in sight, and the lines beside them. */
  paint() {
    const { tree, shown, top } = this;
    if (!tree) return;
    const scale = decades(tree.smallest, tree.largest);
    const from = Math.max(0, Math.floor(top / PITCH) - AROUND);
    const to = Math.min(shown.length, Math.ceil((top + this.height) / PITCH) + AROUND);
    if (!shown.some((row) => row.key === this.focused)) this.focused = shown[0]?.key ?? null;
    const hadFocus = this.list.contains(document.activeElement);
    this.list.style.height = `${shown.length * PITCH}px`;
    showKeyed(
      this.list,
      shown.slice(from, to).map((row, k) => ({
        key: row.key,
        look: this.looksOf(row, from + k),
        make: () => this.row(row, from + k, scale),
      })),
    );
    const { width, curve, indent } = this;
    lines(this.lines, { shown, scale, t: this.t, now: this.now, width, curve, indent });
    if (hadFocus) this.focusRow();
  }

  /** All that the element of a row depends on. @param {Row} row @param {number} i */
  looksOf(row, i) {
    const { t, now, edition, selected, focused } = this;
    const { arriving, leaving } = flowOf(row);
    const phase = phaseOf(row, t, now);
    const norms = [arriving, leaving, ...parametersOf(row).map(({ grad }) => grad)];
    const past = norms.map((norm) => (norm && norm.time < t ? "1" : "0")).join("");
    const chosen = selected?.kind === "node" && selected.id === row.parts[0].node;
    return [
      edition,
      i,
      row.depth * this.indent,
      row.open,
      chosen,
      row.key === focused,
      phase === "now" ? t : phase,
      past,
    ].join();
  }

  /** @param {Row} row @param {number} i @param {import("./scale.js").Decades} scale */
  row(row, i, scale) {
    const { t, now } = this;
    const phase = phaseOf(row, t, now);
    const { arriving, leaving } = flowOf(row);
    const parameters = parametersOf(row);
    const size = sizeOf(parameters);
    const [part] = row.parts;
    const selected = this.selected?.kind === "node" && this.selected.id === part.node;
    const looks = [phase, !size && "bare", row.open && "open", selected && "selected"].filter(Boolean);
    const element = h(
      "div",
      {
        class: `map-row map-columns ${looks.join(" ")}`,
        role: "treeitem",
        "aria-level": row.depth + 1,
        "aria-expanded": row.folds ? String(row.open) : null,
        "aria-selected": String(selected),
        tabindex: row.key === this.focused ? 0 : -1,
        dataset: { row: row.key },
      },
      h(
        "span",
        { class: "map-name" },
        h("i", { class: "map-caret" }, row.folds ? (row.open ? "▾" : "▸") : ""),
        h("b", { class: "map-word" }, h("bdi", { dir: "ltr" }, row.name)),
        h("span", { class: "map-type" }, row.type),
        this.note(row),
      ),
      size
        ? h("span", { class: "map-size" }, size.toLocaleString("en").replaceAll(",", " "), unseen(" parameters"))
        : null,
      size ? grads(parameters, scale, t, phase) : null,
      flow(arriving, scale, t, phase === "now", " arriving"),
      row.open ? h("span", null) : flow(leaving, scale, t, phase === "now" && leaving?.time === t - 1, " leaving"),
      unseen(PHASES[phase]),
    );
    element.style.top = `${i * PITCH}px`;
    element.style.marginLeft = `${Math.round(row.depth * this.indent)}px`;
    return element;
  }

  /** What comes around other rows, or goes; to a turn of a loop something always does. @param {Row} row */
  note({ parts }) {
    const [part] = parts;
    const { parent } = part;
    if (!parent || parts.length > 1 || part.kind === "turn" || parent.children.every((child) => child.kind === "op"))
      return null;
    const place = parent.children.indexOf(part);
    const joins = parent.skips.filter(({ to, time }) => to === place && time < this.t);
    const goes = parent.skips.find(({ from, time }) => from === place && time < this.t);
    if (joins.length) return h("span", { class: "map-note" }, `+ ${joins.map(({ norm }) => short(norm)).join(" + ")}`);
    return goes ? h("span", { class: "map-note" }, `${short(goes.norm)} goes around`) : null;
  }

  // --- choosing

  /** @param {Event} event */
  rowOf(event) {
    const element = event.target instanceof Element ? event.target.closest("[data-row]") : null;
    const key = element?.getAttribute("data-row");
    return this.shown.find((row) => row.key === key) ?? null;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const leaf = event.target instanceof Element ? event.target.closest("[data-tensor]") : null;
    const row = this.rowOf(event);
    if (!row) return;
    this.focused = row.key;
    if (leaf) this.handlers.onSelect({ kind: "tensor", id: leaf.getAttribute("data-tensor") ?? "" });
    else this.activate(row);
  }

  /** @param {Row} row */
  activate(row) {
    if (row.folds) this.toggle(row);
    else if (row.parts[0].node) this.handlers.onSelect({ kind: "node", id: row.parts[0].node });
  }

  /** @param {Row} row */
  toggle(row) {
    if (row.open) {
      this.open.delete(row.key);
      this.closed.add(row.key);
      this.followed.delete(row.key);
    } else {
      this.closed.delete(row.key);
      this.open.add(row.key);
    }
    this.update();
    this.focusRow();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const at = this.shown.findIndex((row) => row.key === this.focused);
    const row = this.shown[at];
    if (!row || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const go = (/** @type {number} */ to) => this.focus(Math.max(0, Math.min(this.shown.length - 1, to)));
    if (event.key === "ArrowDown") go(at + 1);
    else if (event.key === "ArrowUp") go(at - 1);
    else if (event.key === "ArrowRight") row.folds && !row.open ? this.toggle(row) : go(at + 1);
    else if (event.key === "ArrowLeft" && row.open) this.toggle(row);
    else if (event.key === "ArrowLeft") {
      let parent = at;
      while (parent > 0 && this.shown[parent].depth >= row.depth) parent--;
      go(parent);
    } else if (event.key === "Enter") this.activate(row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} i */
  focus(i) {
    this.focused = this.shown[i]?.key ?? null;
    this.bringIntoSight(i, i);
    this.paint();
    this.focusRow();
  }

  focusRow() {
    for (const element of this.list.children) {
      if (element.getAttribute("data-row") === this.focused)
        /** @type {HTMLElement} */ (element).focus({ preventScroll: true });
    }
  }

  // --- what is in sight

  /** Scroll only as far as what happens is out of sight. @param {Part} part */
  reveal(part) {
    const parts = new Set(chain(part));
    let at = -1;
    this.shown.forEach((row, i) => {
      if (row.parts.some((each) => parts.has(each))) at = i;
    });
    if (at >= 0) this.bringIntoSight(at - 1, at + 2);
  }

  /** @param {number} first @param {number} last rows */
  bringIntoSight(first, last) {
    const [top, bottom] = [first * PITCH, (last + 1) * PITCH];
    const highest = Math.max(0, this.shown.length * PITCH - this.height);
    if (top < this.top) this.top = Math.max(0, top);
    else if (bottom > this.top + this.height) this.top = Math.min(highest, bottom - this.height);
    else return;
    this.list.style.height = `${this.shown.length * PITCH}px`;
    this.rows.scrollTop = this.top;
  }

  /** Open all modules down to a depth. @param {number} depth  0: what fits */
  openLevel(depth) {
    const { tree } = this;
    if (!tree) return;
    this.closed.clear();
    this.open = depth ? new Set() : openToFit(tree.root, this.room() * 0.8);
    if (depth) {
      const before = new Set(this.shown.map((row) => row.parts[0]));
      for (const part of before) for (const at of chain(part)) if (at.children.length) this.open.add(at.id);
    }
    this.update();
  }

  /** @param {boolean} close  else open what is shown */
  fold(close) {
    if (!close) return this.openLevel(1);
    const deepest = Math.max(0, ...this.shown.map((row) => row.depth));
    for (const row of this.shown) {
      if (row.open && row.depth === deepest - 1) {
        this.open.delete(row.key);
        this.closed.add(row.key);
      }
    }
    this.update();
  }

  /** @param {Reference | null} item @param {Part | null} part  where it lies */
  select(item, part) {
    this.selected = item;
    if (!this.tree) return;
    for (const at of chain(part).slice(1)) {
      this.open.add(at.id);
      this.closed.delete(at.id);
    }
    this.arrange();
    if (part) this.reveal(part);
    this.paint();
  }
}

/** For screen readers. @param {string} text */
const unseen = (text) => h("span", { class: "visually-hidden" }, text);

/** Three digits are enough beside a bar. @param {number} x */
const short = (x) => formatNumber(Number(x.toPrecision(3)));

/**
 * A bar and a number.
 * @param {Norm | null} norm
 * @param {import("./scale.js").Decades} scale
 * @param {number} t
 * @param {boolean} now
 * @param {string} way  for those who hear it
 */
function flow(norm, scale, t, now, way) {
  if (!norm) return h("span", { class: "map-flow" });
  const phase = norm.time >= t ? "later" : now ? "now" : "past";
  if (phase === "later") {
    return h(
      "span",
      { class: "map-flow later" },
      h("i", { class: "map-bar later" }),
      h("span", null, "—", unseen(way)),
    );
  }
  const fill = h("b", { class: "map-fill" });
  fill.style.width = `${Math.max(6, Math.round(placeOf(scale, norm.norm) * 100))}%`;
  const text = `${norm.exact ? "" : "≈"}${short(norm.norm)}`;
  return h(
    "span",
    { class: `map-flow ${phase}` },
    h("i", { class: `map-bar ${phase}` }, fill),
    h("span", null, text, unseen(way)),
  );
}

/**
 * One little column per parameter.
 * @param {import("./tree.js").Parameter[]} parameters
 * @param {import("./scale.js").Decades} scale
 * @param {number} t
 * @param {string} phase
 */
function grads(parameters, scale, t, phase) {
  const some = parameters.slice(0, GRADS);
  return h(
    "span",
    { class: "map-grads" },
    some.map(({ tensor, name, grad }) => {
      const there = grad !== null && grad.time < t;
      const column = h("i", {
        class: there ? (phase === "now" && grad.time === t - 1 ? "now" : "past") : "later",
        title: `${name}: ${there && grad ? `‖grad‖ ${formatNumber(grad.norm)}` : "not yet"}`,
        dataset: { tensor },
      });
      column.style.height = `${there && grad ? Math.max(2, Math.round(placeOf(scale, grad.norm) * 20)) : HOLLOW}px`;
      return column;
    }),
    parameters.length > GRADS ? h("span", { class: "map-more" }, `+${parameters.length - GRADS}`) : null,
  );
}
