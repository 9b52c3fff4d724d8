/**
 * The graph pane: shows a trace at a time, plays the step that led there, and lets one look around.
 * @module
 */
import { select, zoom, zoomIdentity } from "../vendor/d3.js";
import { changesBetween, flatten, toNumber } from "./trace.js";
import { LayoutClient } from "./layout/client.js";
import { CanvasPainter, NEAR } from "./paint/canvas.js";
import { writeSvg } from "./paint/file.js";
import { Minimap, MINIMAP_ABOVE } from "./paint/minimap.js";
import { paintMarks, SvgPainter } from "./paint/svg.js";
import { readPalette, textMeasure, watchTheme } from "./paint/theme.js";
import { drawLegend, LEGEND } from "./scene/legend.js";
import { Moment, progressAt, STEP_MS } from "./scene/moment.js";
import { morphAt, morphStart } from "./scene/morph.js";
import { overlay } from "./scene/motion.js";
import { headingAt, itemAt, itemsOf, itemsOnLines, neighbour, numberAt, referenceOf, searchItems } from "./scene/navigate.js";
import { openOne } from "./scene/groups.js";
import { draftScene, Scene, wholeGraph } from "./scene/scene.js";
import { between, centreOn, CLOSEST, FARTHEST, fitView, reveal, zoomAt } from "./scene/view.js";
import { rect } from "./scene/marks.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./scene/navigate.js").Reference} Reference */
/** @typedef {import("./scene/navigate.js").Direction} Direction */
/** @typedef {import("./scene/view.js").View} View */
/** @typedef {import("./scene/moment.js").Stage} Stage */

/**
 * @typedef {object} StageHandlers
 * @property {(item: Reference | null) => void} [onSelect]
 * @property {(item: Reference | null) => void} [onHover]
 * @property {(change: {tensor: string, index: number, value: number, done: boolean}) => void} [onAdjust]  a number on a leaf's card is being dragged
 */

/** @typedef {{animateFrom?: number | null, reducedMotion?: boolean, speed?: number}} RenderOptions */

/** Above this many items the picture is painted on a canvas. */
const CANVAS_ABOVE = 1000;
const VIEW_MS = 320, MORPH_MS = 420;
/** The small map may lag behind: it costs as much as everything else. */
const MAP_MS = 250;
const NS = "http://www.w3.org/2000/svg";

/** Slow at both ends. @param {number} t */
const ease = (t) => (t < 0.5 ? 4 * t * t * t : 1 - (-2 * t + 2) ** 3 / 2);

/**
 * @param {HTMLElement} element  an empty, positioned box
 * @param {StageHandlers} [handlers]
 */
export function createStage(element, handlers = {}) {
  const stage = new Stage_(element, handlers);
  return {
    /** Show another run. @param {Trace} trace @param {{keepView?: boolean}} [options] keepView: it is the same program after an edit */
    setTrace: (trace, options) => stage.setTrace(trace, options ?? {}),
    /** Show time t, playing the step from `animateFrom`. Resolves when the step has played or something else took over. @param {number} t @param {RenderOptions} [options] */
    render: (t, options) => stage.render(t, options ?? {}),
    /** @param {Reference | null} item */
    select: (item) => stage.select(item, false),
    /** @param {Iterable<number>} lines  of the program, counted from 1 */
    highlightLines: (lines) => stage.highlightLines(lines),
    fit: () => stage.fit(true),
    /** @param {number} k  above 1 is nearer */
    zoomBy: (k) => stage.zoomBy(k),
    /** @param {string} query */
    search: (query) => (stage.scene ? searchItems(stage.scene, query) : []),
    /** @param {Direction} direction */
    focusNext: (direction) => stage.focusNext(direction),
    /** Fold the scope around what is selected or focused, or the innermost scopes. */
    fold: () => stage.fold(true),
    unfold: () => stage.fold(false),
    exportSVG: () => stage.exportSVG(),
    destroy: () => stage.destroy(),
  };
}

class Stage_ {
  /** @param {HTMLElement} element @param {StageHandlers} handlers */
  constructor(element, handlers) {
    this.element = element;
    this.handlers = handlers;
    element.classList.add("stage");
    this.canvas = element.appendChild(document.createElement("canvas"));
    this.canvas.className = "stage-canvas";
    this.canvas.setAttribute("aria-hidden", "true");
    this.svg = this.make("svg", element, "stage-svg");
    this.svg.setAttribute("role", "group");
    this.svg.setAttribute("aria-label", "Graph of the program. Arrow keys follow its edges, Enter selects.");
    this.world = this.make("g", this.svg, "world");
    this.halos = this.make("g", this.world, "halos");
    this.picture = /** @type {SVGGElement} */ (this.make("g", this.world, "picture"));
    this.sprites = this.make("g", this.world, "sprites");
    this.focusLayer = this.make("g", this.world, "focus");
    this.legend = this.make("svg", element, "stage-legend");
    this.legend.setAttribute("role", "img");
    this.legend.setAttribute("aria-label", "Colour is the sign of a gradient: orange negative, grey zero, blue positive. Dotted: not yet. Hatched: None.");
    this.map = element.appendChild(document.createElement("canvas"));
    this.map.className = "stage-minimap";
    this.map.setAttribute("aria-hidden", "true");

    this.palette = readPalette(element);
    this.measure = textMeasure();
    this.layout = new LayoutClient();
    this.svgPainter = new SvgPainter(this.picture);
    this.canvasPainter = new CanvasPainter(this.canvas);
    this.minimap = new Minimap(this.map, (x, y) => this.setView(centreOn(this.view, { x, y }, this.size)));
    /** @type {SvgPainter | CanvasPainter} */
    this.painter = this.svgPainter;

    /** @type {Scene | null} */
    this.scene = null;
    /** @type {import("./scene/scene.js").Whole | null} */
    this.whole = null;
    /** @type {Trace | null} */
    this.trace = null;
    /** @type {Moment | null} what is painted */
    this.moment = null;
    this.t = 0;
    /** @type {View} */
    this.view = { x: 0, y: 0, k: 1 };
    this.touched = false;
    /** @type {Reference | null} */
    this.selected = null;
    this.hovered = -1;
    this.focused = -1;
    /** @type {number[]} */
    this.lines = [];
    /** @type {Set<number>} */
    this.lineNumbers = new Set();
    /** @type {{from: number, speed: number, started: number, resolve: () => void, stage: Stage} | null} */
    this.playing = null;
    /** @type {{from: View, to: View, started: number} | null} */
    this.flight = null;
    /** @type {{start: {x: Float64Array, y: Float64Array}, started: number} | null} */
    this.morph = null;
    this.frame = 0;
    this.mapStale = false;
    this.mapTime = 0;
    this.gone = false;
    this.size = { width: element.clientWidth || 720, height: element.clientHeight || 560 };

    this.watchPointer();
    this.watchKeys();
    this.stopWatching = watchTheme(() => this.repaint());
    this.resizer = new ResizeObserver(() => this.resized());
    this.resizer.observe(element);
    this.paintLegend();
  }

  /** @param {string} name @param {Element} parent @param {string} className */
  make(name, parent, className) {
    const child = document.createElementNS(NS, name);
    child.setAttribute("class", className);
    parent.append(child);
    return /** @type {SVGElement} */ (child);
  }

  // --- traces and scenes

  /** @param {Trace} trace @param {{keepView?: boolean}} options */
  async setTrace(trace, { keepView = false }) {
    this.finish();
    this.trace = trace;
    this.whole = wholeGraph(trace);
    this.t = Math.min(this.t, trace.events.length);
    this.selected = null;
    this.hovered = this.focused = -1;
    const same = keepView && this.scene !== null;
    await this.arrange(this.whole.folded, { before: same ? this.scene : null, keepView: same });
  }

  /**
   * Lay the graph out and show it.
   * @param {Set<string>} folded @param {{before: Scene | null, keepView: boolean, anchor?: {key: string, x: number, y: number}}} how
   */
  async arrange(folded, { before, keepView, anchor }) {
    const { whole } = this;
    if (!whole) return;
    const view = { width: this.size.width - 40, height: this.size.height - 90 };
    const draft = draftScene(whole, { folded, measure: this.measure, palette: this.palette, view, before });
    const output = await this.layout.request(draft.input);
    if (!output || this.gone || this.whole !== whole) return;
    this.finish();
    const old = this.scene;
    const scene = new Scene(draft, output, this.palette);
    this.scene = scene;
    this.arrangedFor = { ...this.size };
    this.usePainter(scene.items.length > CANVAS_ABOVE);
    this.moment = new Moment(scene.trace, this.t);
    this.painter.setScene(scene, this.moment);
    this.map.classList.toggle("shown", scene.items.length > MINIMAP_ABOVE);
    if (scene.items.length > MINIMAP_ABOVE) this.minimap.setScene(scene, this.moment);
    this.paintLegend();
    this.lines = itemsOnLines(scene, this.lineNumbers);
    if (anchor) {
      this.keepAnchor(anchor);
      if (!this.touched) this.fit(true);
    }
    else if (!keepView || !this.touched) this.fit(false);
    else this.setView(this.view);
    const start = (keepView || anchor) && !this.still() ? morphStart(old, scene) : null;
    this.morph = start && { start, started: 0 };
    this.hovered = -1;
    this.focused = this.selected ? itemsOf(scene, this.selected)[0] ?? -1 : -1;
    this.paintFocus(false);
    this.paintOver();
    this.paintHalos();
    this.wake();
  }

  /** @param {boolean} large */
  usePainter(large) {
    const wanted = large ? this.canvasPainter : this.svgPainter;
    if (wanted !== this.painter) this.painter.clear();
    this.painter = wanted;
    this.element.classList.toggle("on-canvas", large);
    this.canvasPainter.view = this.view;
  }

  /** What was clicked stays under the pointer. @param {{key: string, x: number, y: number}} anchor */
  keepAnchor({ key, x, y }) {
    const scene = this.scene;
    if (!scene) return;
    let i = scene.items.findIndex((item) => item.key === key);
    if (i < 0) {
      const hull = scene.hulls.find(({ group }) => key.endsWith(`:${group.id}`));
      if (hull) return this.setView({ ...this.view, x: x - (hull.x + 20) * this.view.k, y: y - (hull.y + 12) * this.view.k });
      i = 0;
    }
    if (scene.items.length) this.setView({ ...this.view, x: x - scene.x[i] * this.view.k, y: y - scene.y[i] * this.view.k });
  }

  // --- time

  /** @param {number} t @param {RenderOptions} options @returns {Promise<void>} */
  render(t, { animateFrom = null, reducedMotion = false, speed = 1 }) {
    this.finish();
    this.t = t;
    const { scene, trace } = this;
    if (!scene || !trace || scene.trace !== trace) return Promise.resolve();
    if (animateFrom === null || animateFrom >= t || reducedMotion || this.still()) {
      this.show(new Moment(trace, t), Math.min(t, animateFrom ?? t));
      this.follow();
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.playing = { from: animateFrom, speed, started: 0, resolve, stage: "arrive" };
      this.show(new Moment(trace, t, animateFrom, "arrive"), animateFrom);
      this.follow();
      this.wake();
    });
  }

  /** Paint a moment, touching only what differs from the one before. @param {Moment} moment @param {number} since */
  show(moment, since) {
    const scene = this.scene;
    if (!scene) return;
    const last = this.moment;
    this.moment = moment;
    const from = Math.min(since, last?.from ?? last?.t ?? 0, last?.t ?? 0), to = Math.max(moment.t, last?.t ?? 0);
    const changed = to - from > 4000 ? null : scene.affected(changesBetween(scene.trace, from, to), from, to);
    this.painter.update(moment, changed && changed.items.size < scene.items.length ? changed : null);
    this.mapStale = scene.items.length > MINIMAP_ABOVE;
    this.paintOver();
    this.paintHalos();
    if (this.mapStale) this.wake();
  }

  /** Complete the running step at once. */
  finish() {
    const { playing, trace } = this;
    if (!playing) return;
    this.playing = null;
    if (trace && this.scene?.trace === trace) this.show(new Moment(trace, this.t), playing.from);
    playing.resolve();
  }

  /** People who ask for less motion get steps without travel. */
  still() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  wake() {
    if (!this.frame && !this.gone) this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  /** The one animation loop. @param {number} now */
  tick(now) {
    this.frame = 0;
    const { playing, flight, morph, scene, trace } = this;
    if (morph && scene) {
      morph.started ||= now;
      const part = Math.min(1, (now - morph.started) / MORPH_MS);
      if (part < 1) this.painter.move(morphAt(scene, morph.start, ease(part)));
      else {
        this.morph = null;
        this.painter.move();
      }
      this.sprites.setAttribute("visibility", this.morph ? "hidden" : "visible");
    }
    if (flight) {
      flight.started ||= now;
      const part = Math.min(1, (now - flight.started) / VIEW_MS);
      if (part >= 1) this.flight = null;
      this.applyView(between(flight.from, flight.to, ease(part), this.size));
    }
    if (playing && trace) {
      playing.started ||= now;
      const ms = (now - playing.started) * playing.speed;
      if (ms >= STEP_MS) this.finish();
      else {
        const progress = progressAt(ms);
        if (progress.stage !== playing.stage) {
          playing.stage = progress.stage;
          this.show(new Moment(trace, this.t, playing.from, progress.stage), playing.from);
        }
        this.paintOver(ms);
      }
    }
    if (this.mapStale && now - this.mapTime > MAP_MS && this.moment) {
      this.mapStale = false;
      this.mapTime = now;
      this.minimap.update(this.moment);
      this.frameMinimap();
    }
    if (this.playing || this.flight || this.morph || this.mapStale) this.wake();
  }

  // --- painting

  /** Chips, packets, notes. @param {number} [ms]  into the running step */
  paintOver(ms = this.playing ? 0 : STEP_MS) {
    const { scene, moment } = this;
    if (!scene || !moment) return;
    const progress = progressAt(ms);
    const list = overlay(scene, moment, progress, { from: this.playing?.from ?? moment.t, still: !this.playing });
    const { palette } = scene.colours;
    select(this.sprites).selectAll("g.sprite").data(list, (d) => /** @type {{key: string}} */ (d).key).join((enter) => enter.append("g").attr("class", "sprite"))
      .attr("transform", (d) => `translate(${d.x.toFixed(1)} ${d.y.toFixed(1)})`)
      .attr("opacity", (d) => (d.opacity < 1 ? d.opacity.toFixed(2) : null))
      .each(function (d) {
        paintMarks(/** @type {Element} */ (this), d.marks, palette);
      });
  }

  paintHalos() {
    const { scene } = this;
    if (!scene) return;
    /** @type {{i: number, fill: string, stroke: string}[]} */
    const list = this.lines.map((i) => ({ i, fill: "fwd-soft", stroke: "fwd-mid" }));
    if (this.hovered >= 0) for (const i of this.together(this.hovered)) list.push({ i, fill: "none", stroke: "rest" });
    if (this.selected) for (const i of itemsOf(scene, this.selected)) list.push({ i, fill: "bwd-soft", stroke: "focus" });
    const marks = list.filter(({ i }) => scene.boxes[i]).map(({ i, fill, stroke }) => {
      const box = scene.wideBox(i);
      return rect(box.x - 6, box.y - 6, box.w + 12, box.h + 12, { r: 15, fill, stroke, sw: 2 });
    });
    paintMarks(this.halos, marks, scene.colours.palette);
  }

  /** All cards of one tensor. @param {number} i */
  together(i) {
    const reference = this.scene && referenceOf(this.scene, i);
    return this.scene && reference ? itemsOf(this.scene, reference) : [i];
  }

  paintLegend() {
    const narrow = this.size.width < LEGEND.w + 40;
    const width = narrow ? LEGEND.narrow : LEGEND.w;
    this.legend.setAttribute("width", String(width));
    this.legend.setAttribute("height", String(LEGEND.h));
    this.legend.setAttribute("viewBox", `0 0 ${width} ${LEGEND.h}`);
    if (this.scene) paintMarks(this.legend, drawLegend(this.scene.colours, narrow), this.palette);
  }

  repaint() {
    this.palette = readPalette(this.element);
    const { scene, moment } = this;
    if (!scene || !moment) return;
    scene.paint(this.palette);
    this.painter.update(moment, null);
    this.painter.repaint();
    if (scene.items.length > MINIMAP_ABOVE) this.minimap.update(moment);
    this.paintOver();
    this.paintHalos();
    this.paintLegend();
    this.frameMinimap();
  }

  frameMinimap() {
    if (this.scene && this.scene.items.length > MINIMAP_ABOVE) this.minimap.frame(this.view, this.size.width, this.size.height);
  }

  exportSVG() {
    const { scene, trace } = this;
    if (!scene || !trace) return "";
    const moment = new Moment(trace, this.t);
    const sprites = overlay(scene, moment, progressAt(STEP_MS), { from: this.t, still: true });
    return writeSvg(scene, moment, sprites, "Backward pass");
  }

  // --- the view

  /** @param {boolean} smooth */
  fit(smooth) {
    if (!this.scene) return;
    this.touched = false;
    const to = fitView(this.scene.bounds, this.size);
    if (smooth) this.fly(to);
    else this.setView(to);
  }

  /** @param {number} factor */
  zoomBy(factor) {
    this.touched = true;
    this.fly(zoomAt(this.flight?.to ?? this.view, factor, { x: this.size.width / 2, y: this.size.height / 2 }));
  }

  /** @param {View} to */
  fly(to) {
    if (this.still()) return this.setView(to);
    this.flight = { from: this.view, to, started: 0 };
    this.wake();
  }

  /** @param {View} view */
  setView(view) {
    this.flight = null;
    this.applyView(view);
  }

  /** @param {View} view */
  applyView(view) {
    this.view = view;
    select(/** @type {SVGSVGElement} */ (this.svg)).property("__zoom", zoomIdentity.translate(view.x, view.y).scale(view.k));
    this.world.setAttribute("transform", `translate(${view.x.toFixed(2)} ${view.y.toFixed(2)}) scale(${view.k.toFixed(4)})`);
    this.svg.classList.toggle("far", view.k < ((this.scene?.items.length ?? 0) > 200 ? NEAR : 0.28));
    this.svg.classList.toggle("farther", view.k < 0.16);
    this.painter.setView(view, this.size);
    this.frameMinimap();
  }

  /** Keep what happens in sight when the whole is not. */
  follow() {
    const { scene, moment } = this;
    if (!scene || !moment) return;
    const { event } = moment.after;
    if (!event) return;
    const i = event.kind === "node" || event.kind === "accumulate" ? scene.byNode?.get(event.node)
      : event.kind === "op" ? scene.byOp?.get(event.op)
        : "tensor" in event ? scene.byTensor?.get(event.tensor)?.at(-1) : undefined;
    if (i === undefined || !scene.boxes[i]) return;
    const to = reveal(this.view, scene.boxes[i], this.size);
    if (to) this.fly(to);
  }

  resized() {
    const size = { width: this.element.clientWidth, height: this.element.clientHeight };
    if (!size.width || !size.height || (size.width === this.size.width && size.height === this.size.height)) return;
    const before = this.size;
    this.size = size;
    this.paintLegend();
    const was = this.arrangedFor ?? before;
    const shape = (size.width / size.height) / (was.width / was.height);
    if (this.scene && (shape > 1.3 || shape < 0.77 || size.width > 1.4 * was.width || size.width < 0.7 * was.width)) {
      void this.arrange(this.scene.folded, { before: null, keepView: false });
    } else if (!this.touched) this.fit(false);
    else this.setView({ ...this.view, x: this.view.x + (size.width - before.width) / 2, y: this.view.y + (size.height - before.height) / 2 });
  }

  // --- pointing

  watchPointer() {
    const svg = /** @type {SVGSVGElement} */ (this.svg);
    const root = select(svg);
    const behaviour = /** @type {import("d3-zoom").ZoomBehavior<SVGSVGElement, unknown>} */ (zoom())
      .scaleExtent([FARTHEST, CLOSEST])
      .filter((event) => !event.button && !this.adjusting && !(event.type === "pointerdown" || event.type === "mousedown" || event.type === "touchstart" ? this.adjustable(event) : false))
      .on("zoom", ({ transform, sourceEvent }) => {
        if (!sourceEvent) return;
        this.touched = true;
        this.finish();
        this.setView({ x: transform.x, y: transform.y, k: transform.k });
      });
    root.call(behaviour).on("dblclick.zoom", null);
    svg.addEventListener("pointermove", (event) => this.pointed(event));
    svg.addEventListener("pointerleave", () => this.hover(-1));
    svg.addEventListener("click", (event) => !event.defaultPrevented && this.clicked(event));
    svg.addEventListener("pointerdown", (event) => this.startAdjusting(event));
    svg.addEventListener("pointerup", (event) => this.stopAdjusting(event));
    svg.addEventListener("pointercancel", (event) => this.stopAdjusting(event));
    /** @type {{tensor: string, index: number, value: number, start: number, step: number, moved: boolean} | null} */
    this.adjusting = null;
  }

  /** @param {{clientX: number, clientY: number}} event */
  toWorld({ clientX, clientY }) {
    const box = this.svg.getBoundingClientRect();
    return { x: (clientX - box.left - this.view.x) / this.view.k, y: (clientY - box.top - this.view.y) / this.view.k };
  }

  /** @param {PointerEvent} event */
  pointed(event) {
    if (!this.scene) return;
    if (this.adjusting) return this.adjust(event, false);
    const { x, y } = this.toWorld(event);
    this.hover(itemAt(this.scene, x, y));
    this.svg.classList.toggle("adjustable", this.adjustable(event) !== null);
    this.svg.classList.toggle("pointing", this.hovered >= 0 || headingAt(this.scene, x, y) !== null);
  }

  /** @param {number} i */
  hover(i) {
    if (i === this.hovered) return;
    this.hovered = i;
    this.paintHalos();
    this.handlers.onHover?.(i >= 0 && this.scene ? referenceOf(this.scene, i) : null);
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const { scene } = this;
    if (!scene) return;
    const { x, y } = this.toWorld(event);
    const i = itemAt(scene, x, y);
    if (i >= 0 && scene.items[i].group) return this.toggle(/** @type {string} */ (scene.items[i].group), event);
    const heading = i < 0 ? headingAt(scene, x, y) : null;
    if (heading) return this.toggle(heading, event);
    this.select(i >= 0 ? referenceOf(scene, i) : null, true);
    if (i >= 0) {
      this.focused = i;
      this.paintFocus(false);
    }
  }

  /** @param {Reference | null} item @param {boolean} tell */
  select(item, tell) {
    this.selected = item;
    if (item && this.scene && !tell) {
      const i = itemsOf(this.scene, item)[0];
      const to = i === undefined ? null : reveal(this.view, this.scene.boxes[i], this.size);
      if (to) this.fly(to);
    }
    this.paintHalos();
    if (tell) this.handlers.onSelect?.(item);
  }

  /** @param {Iterable<number>} lines */
  highlightLines(lines) {
    this.lineNumbers = new Set(lines);
    this.lines = this.scene ? itemsOnLines(this.scene, this.lineNumbers) : [];
    this.paintHalos();
  }

  // --- changing a number

  /** @param {MouseEvent | TouchEvent} event */
  adjustable(event) {
    if (!this.handlers.onAdjust || !this.scene) return null;
    const at = "touches" in event ? event.touches[0] : event;
    if (!at) return null;
    const { x, y } = this.toWorld(at);
    return numberAt(this.scene, x, y);
  }

  /** @param {PointerEvent} event */
  startAdjusting(event) {
    const found = this.adjustable(event), trace = this.trace;
    if (!found || !trace || event.button) return;
    const value = toNumber(flatten(trace.value(trace.tensors.get(found.tensor)?.value))?.[found.index]);
    if (!Number.isFinite(value)) return;
    const size = Math.max(Math.abs(value), 0.1);
    this.adjusting = { ...found, value, start: event.clientX, step: 10 ** Math.floor(Math.log10(size) - 1 + 1e-9), moved: false };
    this.svg.setPointerCapture(event.pointerId);
  }

  /** Four pixels change the second digit by one. @param {PointerEvent} event @param {boolean} done */
  adjust(event, done) {
    const { adjusting } = this;
    if (!adjusting) return;
    const steps = Math.round((event.clientX - adjusting.start) / 4);
    if (!steps && !adjusting.moved) return;
    adjusting.moved = true;
    const value = Number((adjusting.value + steps * adjusting.step).toPrecision(6));
    this.handlers.onAdjust?.({ tensor: adjusting.tensor, index: adjusting.index, value, done });
  }

  /** @param {PointerEvent} event */
  stopAdjusting(event) {
    if (!this.adjusting) return;
    if (this.adjusting.moved) this.adjust(event, true);
    this.adjusting = null;
  }

  // --- keyboard

  watchKeys() {
    /** @type {Record<string, Direction>} */
    const ways = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
    this.svg.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const way = ways[event.key];
      if (way) this.focusNext(way);
      else if (event.key === "Enter") this.activate();
      else if (event.key === "Escape") this.select(null, true);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** @param {Direction} direction */
  focusNext(direction) {
    const { scene } = this;
    if (!scene) return;
    const from = this.focused >= 0 ? this.focused : this.current();
    this.focused = this.focused < 0 ? from : neighbour(scene, from, direction);
    this.paintFocus(true);
    const to = this.focused >= 0 ? reveal(this.view, scene.boxes[this.focused], this.size) : null;
    if (to) this.fly(to);
  }

  /** Where looking starts: what runs now, else the first item. */
  current() {
    const { scene, moment } = this;
    const event = moment?.after.event;
    const i = event && "node" in event ? scene?.byNode?.get(event.node) : undefined;
    return i ?? (scene?.items.length ? 0 : -1);
  }

  activate() {
    const { scene } = this;
    if (!scene || this.focused < 0) return;
    const { group } = scene.items[this.focused];
    if (group) this.toggle(group, null);
    else this.select(referenceOf(scene, this.focused), true);
  }

  /** One focusable element stands for the item that has the focus. A new one each time, so that it is announced. @param {boolean} move  the keyboard focus too */
  paintFocus(move) {
    const { scene, moment } = this;
    if (!scene || !moment || !scene.items.length) return void this.focusLayer.replaceChildren();
    const i = this.focused >= 0 ? this.focused : this.current();
    const had = this.focusLayer.contains(document.activeElement);
    const cursor = this.make("g", this.focusLayer, "cursor");
    cursor.setAttribute("tabindex", "0");
    cursor.setAttribute("role", "button");
    cursor.setAttribute("aria-label", scene.describe(i, moment));
    const box = scene.wideBox(i);
    paintMarks(cursor, [rect(box.x - 5, box.y - 5, box.w + 10, box.h + 10, { r: 14, fill: "none", stroke: "focus", sw: 2.5 })], scene.colours.palette);
    cursor.addEventListener("focus", () => {
      if (this.focused < 0) this.focused = i;
    });
    if (move || had) cursor.focus({ preventScroll: true });
    for (const old of [...this.focusLayer.children]) if (old !== cursor) old.remove();
  }

  // --- scopes

  /** @param {string} group @param {MouseEvent | null} event */
  toggle(group, event) {
    const { scene } = this;
    if (!scene) return;
    const groups = this.whole?.groups ?? new Map();
    const folded = scene.folded.has(group) ? openOne(groups, scene.folded, group) : new Set(scene.folded).add(group);
    const i = scene.items.findIndex((item) => item.group === group);
    const hull = scene.hulls.find((each) => each.group.id === group);
    const box = this.svg.getBoundingClientRect();
    const at = event ? { x: event.clientX - box.left, y: event.clientY - box.top }
      : i >= 0 ? { x: scene.x[i] * this.view.k + this.view.x, y: scene.y[i] * this.view.k + this.view.y }
        : hull ? { x: hull.x * this.view.k + this.view.x, y: hull.y * this.view.k + this.view.y } : { x: this.size.width / 2, y: this.size.height / 2 };
    const { label = "", line = 0 } = groups.get(group) ?? {};
    void this.arrange(folded, { before: scene, keepView: true, anchor: { key: `g:${label}:${line}:${group}`, ...at } });
  }

  /** @param {boolean} close */
  fold(close) {
    const { scene, whole } = this;
    if (!scene || !whole) return;
    const i = this.selected ? itemsOf(scene, this.selected)[0] ?? -1 : this.focused;
    const around = i >= 0 ? (scene.items[i].group ?? scene.draft.shown.groupOf[i]) : null;
    if (around && close !== scene.folded.has(around)) return this.toggle(around, null);
    let folded = new Set(scene.folded);
    if (close) {
      const deepest = Math.max(0, ...scene.draft.open.map((group) => group.depth));
      for (const group of scene.draft.open) if (group.depth === deepest) folded.add(group.id);
    } else {
      const shallowest = Math.min(...[...folded].map((id) => whole.groups.get(id)?.depth ?? 1));
      for (const id of scene.folded) if ((whole.groups.get(id)?.depth ?? 1) === shallowest) folded = openOne(whole.groups, folded, id);
    }
    void this.arrange(folded, { before: scene, keepView: false });
  }

  destroy() {
    this.gone = true;
    this.playing?.resolve();
    this.playing = null;
    cancelAnimationFrame(this.frame);
    this.layout.stop();
    this.stopWatching();
    this.resizer.disconnect();
    this.element.classList.remove("stage", "on-canvas");
    this.element.replaceChildren();
  }
}
