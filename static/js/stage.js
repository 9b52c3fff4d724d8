/**
 * The graph pane: shows a trace at a time, plays the step that led there, and lets one look around.
 * @module
 */
import { changesBetween, leftBehind, readsAt, stateAt } from "./trace.js";
import { LayoutClient } from "./layout/client.js";
import { largeCalls, SEVERAL_ABOVE } from "./map/large.js";
import { paintLegend, paintMarks, paintSprites, paintWays, SvgPainter } from "./paint/svg.js";
import { readPalette, textMeasure, watchTheme } from "./paint/palette.js";
import { fits, foldedFor, GENEROUS, thriftier } from "./scene/fit.js";
import { onScreen } from "./scene/view.js";
import { dotOf } from "./scene/shelf.js";
import { LONGEST_NAME } from "./scene/cards.js";
import { foldDeepest, openOne, openShallowest } from "./scene/groups.js";
import { highlightMarks } from "./scene/highlight.js";
import { Moment, progressAt, STEP_MS } from "./scene/moment.js";
import { transitionAt, transitionStart } from "./scene/transition.js";
import { overlay, sentBoxes } from "./scene/motion.js";
import { itemsOf, itemsOnLines, linkOf, referenceOf, referenceOfLink, searchItems } from "./scene/navigate.js";
import { outOfSight, passAt, rootsAt } from "./scene/story.js";
import { draftScene, Scene, wholeGraph, withTurns } from "./scene/scene.js";
import { sameTurns, turnsAt } from "./scene/training.js";
import { turnsFor } from "./scene/turns.js";
import { breathe } from "./ui/pace.js";
import { morph } from "./ui/morph.js";
import { Aside, coversOf, edgesOf, everything, writtenOn } from "./stage/aside.js";
import { buildPane } from "./stage/build.js";
import { Camera, ease, local } from "./stage/camera.js";
import { Cursor } from "./stage/cursor.js";
import { nearestPlace, Note, Tip } from "./stage/note.js";
import { Pointer } from "./stage/pointer.js";
import { Shelf } from "./stage/shelf.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./scene/navigate.js").Reference} Reference */
/** @typedef {import("./scene/navigate.js").Direction} Direction */
/** @typedef {import("./scene/view.js").View} View */
/** @typedef {import("./scene/moment.js").Stage} Part */
/** @typedef {import("./stage/pointer.js").Adjustment} Adjustment */

/**
 * @typedef {object} StageHandlers
 * @property {(item: Reference | null) => void} [onSelect]
 * @property {(item: Reference | null) => void} [onHover]
 * @property {(t: number) => void} [onTime] a moment was pointed at
 * @property {(change: Adjustment) => void} [onAdjust] a number of a leaf or a weight is
 *   being dragged
 * @property {() => boolean} [adjustable] whether those of the run on show can be
 * @property {(index: number) => void} [onFinding] a finding was asked for
 * @property {() => void} [onLook] the look may have changed
 */

/** @typedef {{animateFrom?: number | null, reducedMotion?: boolean, speed?: number}} RenderOptions */

/**
 * How the reader looks at a run; what is not said is as it begins.
 * @typedef {object} Look
 * @property {boolean} ops  every op of a large program, in place of its map
 * @property {string[]} opened  scopes, or rows of the map
 * @property {string[]} closed
 * @property {{k: number, x: number, y: number} | null} camera  the zoom and the point of the drawing in the middle; of
 *   a map y is how far it is scrolled
 */

/**
 * before: the drawing to stay close to · anchor: what was clicked stays under the pointer
 * @typedef {{before: Scene | null, keepView: boolean, anchor?: {key: string, x: number, y: number}}} Arrangement
 */

/** About, in pixels. */
const LEGEND_HEIGHT = 40;
/** More items than this are folded by their number, whatever room there is. */
const CROWDED = 200;
/** More items than this have a small map beside them. */
const MINIMAP_ABOVE = 200;
/** Above this many items the picture is painted on a canvas. */
const CANVAS_ABOVE = 1000;
const TRANSITION_MS = 420;
/** The small map may lag behind: it costs as much as everything else. */
const MAP_MS = 250;
const MAP_WHEN_NEAR = 24;
/** Below this zoom large graphs show no text, as on the canvas; and small ones. */
const NEAR = 0.4;
const LEGIBLE = 0.28;
const SHAPES_ONLY = 0.16;
/** Below this zoom what one points at is told beside the pointer: its text can hardly be read. */
const TOO_SMALL = 0.5;

/** px at the top of the stage where the way to what is out of sight is told. */
const ABOVE = 64;
/** Where the root of a pass is. */
const WAYS = { above: "above", left: "on the left", right: "on the right", below: "below" };

/** @param {import("./trace/document").Event | undefined} event */
const lineOf = (event) => (event && "line" in event ? event.line : undefined);

/**
 * @param {HTMLElement} element  a positioned box, with nothing in it but the words beside the drawing
 * @param {StageHandlers} [handlers]
 */
export function createStage(element, handlers = {}) {
  const stage = new GraphPane(element, handlers);
  /** @type {Promise<unknown>} */
  let painted = Promise.resolve();
  return {
    /**
     * Show another run.
     * @param {Trace} trace
     * @param {number} t
     * @param {object} options
     * @param {boolean} options.keepView it is the same program after an edit
     * @param {() => Reference | null} options.selection asked when the drawing is there
     * @param {Look | null} [options.look] how to look at it
     */
    setTrace(trace, t, { keepView, selection, look = null }) {
      painted = stage.setTrace(trace, { keepView, look }).then(() => {
        if (stage.trace !== trace) return;
        stage.select(selection(), false);
        if (look?.camera) stage.lookFrom(look.camera);
      });
      void stage.render(t, {});
    },
    /** @returns {Look} */
    look: () => stage.lookNow(),
    /** Show time t, playing the step from `animateFrom`. @param {number} t @param {RenderOptions} options */
    render(t, options) {
      const shown = stage.render(t, options);
      if (stage.mapped || stage.scene?.trace === stage.trace) painted = shown; // else the drawing is still to come
    },
    /** Whether a large pass is shown in place of its graph. */
    isMap: () => stage.mapped,
    /** Close what is open innermost of a large pass. @returns {boolean} whether something was */
    closeLevel: () => stage.mapped && (stage.modules?.closeLevel() ?? false),
    /** Whether something of what is drawn cannot be read with the rest, with everything folded. */
    isCramped: () => stage.isCramped(),
    /** Resolves when what was asked for last is on show, or something else took over. */
    painted: () => painted.then(() => stage.arranging),
    /** @param {Reference | null} item */
    select: (item) => stage.select(item, false),
    /** @param {Iterable<number>} lines  of the program, counted from 1 */
    highlightLines: (lines) => stage.highlightLines(lines),
    /** @param {readonly string[]} tensors  what the words beside the picture are about */
    light: (tensors) => stage.light(tensors),
    /** @param {readonly import("./findings/finding.js").Sign[]} signs  numbers of findings */
    sign: (signs) => stage.sign(signs),
    /** Words beside what happens. @param {readonly Node[]} parts */
    note: (parts) => stage.tell(parts),
    fit: () => stage.camera.fit(true),
    /** The pane is about to begin so many pixels higher: the picture grows from where it stands on the page. */
    rise: (/** @type {number} */ px) => (stage.rise = px),
    /** Name leaves, grad_fn, next_functions and AccumulateGrad. @param {boolean} on */
    showNames: (on) => stage.showNames(on),
    /** @param {number} k  above 1 is nearer */
    zoomBy: (k) => stage.camera.zoomBy(k),
    /** @param {string} query */
    search: (query) => stage.search(query),
    /** @param {Direction} direction */
    focusNext: (direction) => stage.cursor.go(direction),
    /** Fold the scope around what is selected or focused, or the innermost scopes. */
    fold: () => stage.fold(true),
    unfold: () => stage.fold(false),
    /**
     * The picture as it leaves the page; null before there is one.
     * @param {import("./paint/drawing.js").Step} [step] that plays; none: at rest
     */
    picture: (step) => stage.picture(step),
    destroy: () => stage.destroy(),
  };
}

class GraphPane {
  /** @param {HTMLElement} element @param {StageHandlers} handlers */
  constructor(element, handlers) {
    this.element = element;
    this.handlers = handlers;
    const parts = buildPane(element);
    this.aside = new Aside(parts.aside);
    this.room = parts.room;
    this.svg = parts.svg;
    this.world = parts.world;
    this.halos = parts.halos;
    this.signsLayer = parts.signs;
    this.sprites = parts.sprites;
    this.legend = parts.legend;
    this.ways = parts.ways;
    this.shelf = new Shelf(parts.shelf);
    this.key = parts.key;
    this.map = parts.map;
    this.tip = new Tip(parts.tip);
    this.note = new Note(parts.note, () => this.placeNote());
    this.palette = readPalette(element);
    this.measure = textMeasure();
    this.layout = new LayoutClient();
    this.svgPainter = new SvgPainter(/** @type {SVGGElement} */ (parts.picture));
    this.canvas = parts.canvas;
    /** @type {import("./paint/canvas.js").CanvasPainter | null} */
    this.canvasPainter = null;
    /** @type {SvgPainter | import("./paint/canvas.js").CanvasPainter} */
    this.painter = this.svgPainter;

    this.more = parts.more;
    // A gesture may begin on it, for it lies on the drawing.
    for (const kind of ["touchstart", "touchmove", "touchend", "touchcancel"]) {
      this.more.addEventListener(kind, (event) =>
        this.svg.dispatchEvent(new TouchEvent(kind, /** @type {any} */ (event))),
      );
    }
    this.more.addEventListener("click", () => {
      const root = this.scene && rootsAt(this.scene, this.t)[0];
      if (root !== null && root !== undefined) this.camera.reveal(this.placeOf(root));
    });
    this.modulesBox = parts.modules;
    /** Loaded where there is one. @type {ReturnType<typeof import("./map/pane.js").createMap> | null} */
    this.modules = null;
    parts.back.addEventListener("click", () => this.showModules(true));
    /** The program is large: it has a map. */
    this.mappable = false;
    /** The reader wants the map where there is one. */
    this.mapWanted = true;
    /** Scopes that the reader has folded (true) or opened. @type {Map<string, boolean>} */
    this.chosen = new Map();
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {import("./scene/scene.js").Whole | null} */
    this.whole = null;
    /** @type {Trace | null} */
    this.trace = null;
    /** How names are cut that are too long. @type {((name: string, most: number) => string) | undefined} */
    this.cut = undefined;
    /** @type {Moment | null} what is painted */
    this.moment = null;
    this.t = 0;
    /** @type {Reference | null} */
    this.selected = null;
    this.hovered = this.hoveredLink = -1;
    /** @type {number[]} */
    this.lines = [];
    /** @type {Set<number>} */
    this.lineNumbers = new Set();
    /** @type {readonly string[]} */
    this.lit = [];
    /** @type {readonly import("./findings/finding.js").Sign[]} */
    this.signs = [];
    /** Loaded where there are some. @type {typeof import("./scene/signs.js").signMarks} */
    this.signMarks = () => [];
    /** @type {{from: number, speed: number, started: number, resolve: () => void, stage: Part} | null} */
    this.playing = null;
    /** @type {{start: {x: Float64Array, y: Float64Array}, started: number} | null} */
    this.transition = null;
    this.frame = 0;
    this.names = false;
    this.foresees = false;
    this.mapShown = false;
    this.mapStale = false;
    this.mapTime = 0;
    /** @type {Promise<void> | undefined} another arrangement for other room */
    this.arranging = undefined;
    /** How much higher the pane begins when it is resized next, in pixels. */
    this.rise = 0;
    /** The picture grows, its leaves below it. */
    this.growing = false;
    this.gone = false;

    const svg = /** @type {SVGSVGElement} */ (this.svg);
    this.camera = new Camera(svg, {
      moved: (view) => this.moved(view),
      wake: () => this.wake(),
      still: () => this.still(),
      gestured: () => this.finish(),
      free: (event) => !this.pointer?.numberUnder(event),
      covers: () => [...coversOf(this.camera.size, this.mapShown, this.mappable), ...this.aside.covers],
    });
    this.camera.size = this.roomSize();
    this.arrangedFor = this.camera.size;
    const pointing = {
      time: () => this.t,
      hover: (/** @type {number} */ i, /** @type {number} */ j, /** @type {MouseEvent | null} */ event) =>
        this.hover(i, j, event),
      click: (
        /** @type {number} */ i,
        /** @type {number} */ j,
        /** @type {string | null} */ heading,
        /** @type {MouseEvent} */ event,
      ) => this.clicked(i, j, heading, event),
      adjust: handlers.onAdjust && ((/** @type {Adjustment} */ change) => this.adjust(change)),
      adjustable: handlers.adjustable ?? (() => handlers.onAdjust !== undefined),
    };
    /** @type {Pointer} */
    this.pointer = new Pointer(svg, {
      ...pointing,
      scene: () => this.scene,
      toWorld: (event) => this.camera.toWorld(event),
      zoom: () => this.camera.view.k,
    });
    new Pointer(parts.shelf.svg, {
      ...pointing,
      scene: () => this.shelf.standing,
      toWorld: (event) => this.shelf.toWorld(event),
      zoom: () => this.shelf.scale,
    });
    this.cursor = new Cursor([parts.focus, parts.shelf.focus], {
      now: () => (this.scene && this.moment ? { scene: this.scene, moment: this.moment } : null),
      place: (i) => {
        const { standing } = this.shelf;
        return standing?.shows(i)
          ? { layer: parts.shelf.focus, scene: standing }
          : { layer: parts.focus, scene: /** @type {Scene} */ (this.scene) };
      },
      reveal: (i) => this.reveal(i),
      activate: (i) => this.activate(i),
      leave: () => this.select(null, true),
    });
    /** Loaded when it is first shown. @type {import("./paint/minimap.js").Minimap | null} */
    this.minimap = null;
    this.stopWatching = watchTheme(() => this.repaint());
    this.resizer = new ResizeObserver((changes) => {
      const isOther = (/** @type {Element} */ part) => changes.some(({ target }) => target === part);
      if (isOther(this.room)) this.resized();
      if (isOther(parts.aside)) this.settle();
    });
    for (const part of [this.room, parts.aside]) this.resizer.observe(part);
  }

  // --- traces and scenes

  /** @param {Trace} trace @param {{keepView?: boolean, look?: Look | null}} options */
  async setTrace(trace, { keepView = false, look = null }) {
    this.finish();
    this.trace = trace;
    this.whole = null;
    if (look) this.mapWanted = !look.ops;
    await breathe(trace);
    const long = [...trace.tensors.keys()].some((id) => trace.label(id).length > LONGEST_NAME);
    const cutName = long ? (await import("./trace/apart.js")).cutName : null;
    if (this.trace !== trace || this.gone) return;
    this.cut = cutName
      ? (/** @type {string} */ name, /** @type {number} */ most) => cutName(trace, name, most)
      : undefined;
    const mapped = this.mapped;
    const wanted = largeCalls(trace, SEVERAL_ABOVE).size > 0 && (await import("./map/tree.js")).wantsMap(trace);
    if (this.trace !== trace || this.gone) return;
    this.mappable = wanted;
    this.element.classList.toggle("mappable", this.mappable);
    this.element.classList.toggle("mapped", this.mapped);
    if (this.mapped) {
      this.scene = null;
      this.shelve();
      const { createMap, dressed } = await import("./map/pane.js");
      await dressed;
      if (this.trace !== trace || this.gone) return;
      this.modules ??= createMap(this.modulesBox, {
        onSelect: (item) => this.select(item, true),
        onGraph: (part) => this.showOps(part),
        onTime: (t) => this.handlers.onTime?.(t),
        onFinding: (index) => this.handlers.onFinding?.(index),
        onLook: this.handlers.onLook,
      });
      this.modules.setTrace(trace, this.t, keepView && mapped, look);
      this.modules.sign(this.signs);
      return;
    }
    await this.setGraph(trace, keepView && !mapped, look);
  }

  /** Is the map on show, and not the graph? */
  get mapped() {
    return this.mappable && this.mapWanted;
  }

  /** Show the map or the graph of a large program. @param {boolean} wanted */
  showModules(wanted) {
    this.mapWanted = wanted;
    const { trace, selected } = this;
    if (trace) void this.setTrace(trace, { keepView: true }).then(() => this.select(selected, false));
    this.handlers.onLook?.();
  }

  /** Show every op, with a part of the map open among them. @param {import("./map/tree.js").Part | null} part */
  showOps(part) {
    if (!part) return this.showModules(false);
    /** @type {string[]} */
    const opened = [];
    for (let at = part; at.parent; at = at.parent) opened.push(at.id);
    const look = { ops: true, opened, closed: [], camera: null };
    const within = part.children.find(({ node }) => node) ?? null;
    if (this.trace) {
      void this.setTrace(this.trace, { look }).then(() => {
        if (within?.node) this.select({ kind: "node", id: within.node }, false);
      });
    }
    this.handlers.onLook?.();
  }

  /** @returns {Look} */
  lookNow() {
    const { camera, scene } = this;
    const ops = this.mappable && !this.mapWanted;
    if (this.mapped) return { ops, ...(this.modules?.look() ?? { opened: [], closed: [], camera: null }) };
    const chosen = [...this.chosen];
    return {
      ops,
      opened: chosen.flatMap(([group, folded]) => (folded ? [] : [group])),
      closed: chosen.flatMap(([group, folded]) => (folded ? [group] : [])),
      camera: scene && camera.place(scene.boxes[Math.max(0, this.happening())], this.storyBoxes()),
    };
  }

  /** @param {NonNullable<Look["camera"]>} camera */
  lookFrom(camera) {
    if (this.mapped) this.modules?.scrollTo(camera.y);
    else this.camera.goTo(camera);
  }

  /** What the reader folds and opens, beside what begins so. @param {Set<string>} before @param {Set<string>} after */
  choose(before, after) {
    for (const id of after) if (!before.has(id)) this.chosen.set(id, true);
    for (const id of before) if (!after.has(id)) this.chosen.set(id, false);
    this.handlers.onLook?.();
  }

  /** @param {Trace} trace @param {boolean} keepView @param {Look | null} look */
  async setGraph(trace, keepView, look) {
    this.whole = wholeGraph(trace, turnsAt(trace, this.t));
    await breathe(trace);
    if (this.trace !== trace || this.gone) return;
    this.t = Math.min(this.t, trace.events.length);
    this.selected = null;
    this.hovered = this.hoveredLink = this.cursor.at = -1;
    this.tip.hide();
    const same = keepView && this.scene !== null;
    this.chosen.clear();
    for (const id of look?.closed ?? []) this.chosen.set(id, true);
    for (const id of look?.opened ?? []) this.chosen.set(id, false);
    this.handlers.onLook?.();
    if (!same) this.aside.leave();
    await this.arrangeToFit({ before: same ? this.scene : null, keepView: same });
  }

  /**
   * Lay the graph out with as much as can be read at once.
   * @param {Arrangement} how
   */
  async arrangeToFit(how) {
    const { trace } = this;
    if (!trace || !this.whole) return;
    const training = turnsAt(trace, this.t);
    for (;;) {
      /** @type {import("./scene/scene.js").Whole} */
      const whole = this.whole;
      const scene = await this.compose(this.foldedNow(), how.before);
      if (!scene || this.whole !== whole) return;
      const thrift = scene.items.length > CROWDED ? null : thriftier(scene, this.roomFor(scene));
      if (!thrift) return this.present(scene, how);
      if (thrift.chains === true) thrift.chains = (await import("./scene/chains.js")).withChains;
      if (this.whole !== whole) return;
      const next = wholeGraph(trace, training, thrift);
      this.whole = whole.turns.size ? withTurns(next, next.folded, whole.turns) : next;
    }
  }

  /** What is folded for want of room, and what the reader has folded and opened since. */
  foldedNow() {
    const { whole, chosen } = this;
    if (!whole) return new Set();
    const folded = foldedFor(whole);
    for (const [id, closed] of chosen) {
      if (!closed) folded.delete(id);
      else if (whole.groups.has(id)) folded.add(id);
    }
    return folded;
  }

  isCramped() {
    const { scene } = this;
    return scene !== null && !this.mapped && scene.parts.some(({ box }) => !fits(box, this.roomFor(scene)));
  }

  /** Lay the graph out and show it. @param {Set<string>} folded @param {Arrangement} how */
  async arrange(folded, how) {
    const scene = await this.compose(folded, how.before);
    if (scene) await this.present(scene, how);
  }

  /** @param {Set<string>} folded @param {Scene | null} before */
  async compose(folded, before) {
    const { whole, camera } = this;
    if (!whole) return null;
    // How high the legend is, is not known before there is a picture, and every picture of a run is laid out alike.
    const view = { width: camera.size.width, height: this.element.clientHeight - this.aside.height - LEGEND_HEIGHT };
    const draft = draftScene(whole, {
      folded,
      measure: this.measure,
      palette: this.palette,
      view,
      before,
      names: this.names,
      cut: this.cut,
    });
    const output = await this.layout.request(draft.input);
    if (!output || this.gone || this.whole !== whole) return null;
    const scene = new Scene(draft, output, this.palette);
    if (scene.isBarred()) scene.leadDown(await import("./scene/lanes.js"));
    return this.whole === whole ? scene : null;
  }

  /** @param {Scene} scene @param {Arrangement} how */
  async present(scene, { keepView, anchor }) {
    const { camera } = this;
    const large = scene.items.length > CANVAS_ABOVE;
    if (large) this.canvasPainter ??= new (await import("./paint/canvas.js")).CanvasPainter(this.canvas);
    if (this.gone || this.whole !== scene.whole) return;
    this.finish();
    const old = this.scene;
    this.scene = scene;
    this.moment = new Moment(scene.trace, this.t);
    camera.size = this.shelve();
    this.arrangedFor = scene.sight = { ...camera.size };
    camera.bounds = scene.bounds;
    this.usePainter(large);
    this.painter.setScene(scene, this.moment);
    this.minimap?.setScene(scene);
    this.drawMapSoon();
    this.lines = itemsOnLines(scene, this.lineNumbers);
    this.look(keepView, anchor);
    this.aimShelf();
    const start = (keepView || anchor) && !this.still() ? transitionStart(old, scene) : null;
    this.transition = start && { start, started: 0 };
    this.hovered = this.hoveredLink = -1;
    this.tip.hide();
    this.cursor.put(this.selected ? (itemsOf(scene, this.selected)[0] ?? -1) : -1);
    this.paintOver();
    this.paintHalos();
    this.placeNote();
    this.wake();
    await this.showTurn();
  }

  /**
   * Of a long loop the turn that runs is the one that is open.
   * @returns {Promise<void> | null} null when it is in sight
   */
  showTurn() {
    const { scene, whole, trace, t } = this;
    if (scene && whole && trace && scene.trace === trace && scene.whole === whole) {
      const training = turnsAt(trace, t);
      if (!sameTurns(training, whole.training)) {
        this.whole = wholeGraph(trace, training, whole.thrift);
        return this.arrangeToFit({ before: scene, keepView: true }).then(() => this.follow());
      }
    }
    const turns =
      scene && whole && trace && scene.trace === trace && scene.whole === whole
        ? turnsFor(scene, stateAt(trace, t).event, t)
        : null;
    if (!turns || !scene || !whole) return null;
    this.whole = withTurns(whole, scene.folded, turns);
    return this.arrangeToFit({ before: scene, keepView: true }).then(() => this.follow());
  }

  /**
   * @param {boolean} keepView
   * @param {{key: string, x: number, y: number}} [anchor] what was clicked stays under the pointer
   */
  look(keepView, anchor) {
    const { scene, camera } = this;
    if (!scene) return;
    if (anchor) {
      const i = Math.max(
        0,
        scene.items.findIndex((item) => item.key === anchor.key),
      );
      const hull = scene.hulls.find(({ group }) => anchor.key.endsWith(`:${group.id}`));
      if (scene.items.length) {
        camera.hold(hull ? { x: hull.titleX + 8, y: hull.y + 12 } : { x: scene.x[i], y: scene.y[i] }, anchor);
      }
      if (!camera.touched) camera.fit(true);
    } else if (!keepView || !camera.touched) {
      camera.begin(this.placeOf(Math.max(0, this.happening())));
      this.gatherPass();
    } else camera.set(camera.view);
  }

  /** @param {boolean} large */
  usePainter(large) {
    const wanted = (large && this.canvasPainter) || this.svgPainter;
    if (wanted !== this.painter) this.painter.clear();
    this.painter = wanted;
    this.element.classList.toggle("on-canvas", large);
    if (this.canvasPainter) this.canvasPainter.view = this.camera.view;
  }

  /** Give the shelf its room. @returns {import("./scene/view.js").Size}  what is left for the graph */
  shelve() {
    this.paintLegend();
    const { scene, aside, shelf, element } = this;
    const { clientWidth: width, clientHeight } = element;
    const height = clientHeight - this.key.offsetHeight;
    const divide = () => {
      shelf.setScene(scene, { width, height: height - aside.height });
      return this.roomSize();
    };
    const left = divide();
    const without = { width: left.width, height: left.height + aside.height };
    // Where the words stand is the same at every step, and so after a reload at any.
    const [first] = scene?.trace.bands ?? [];
    const focus = this.placeOf((scene && first && rootsAt(scene, first.start + 1)[0]) ?? 0);
    aside.place(scene, without, coversOf(without, false, this.mappable), focus);
    if (scene) this.camera.boxes = aside.covers.length ? everything(scene) : scene.boxes;
    return divide();
  }

  /** The words beside the drawing are others, or elsewhere. */
  settle() {
    const { camera, aside } = this;
    const before = JSON.stringify([aside.covers, camera.size]);
    const size = this.shelve();
    if (JSON.stringify([aside.covers, size]) !== before) camera.resize(size, 0);
    this.aimShelf();
  }

  /** What the graph would have for itself. @param {Scene} scene */
  roomFor(scene) {
    const { clientWidth: width, clientHeight } = this.element;
    const stage = { width, height: clientHeight - this.aside.height - LEGEND_HEIGHT };
    const shelf = this.shelf.heightOf(scene, stage);
    return { width, height: stage.height - shelf, shelf };
  }

  /** What the graph has for itself. */
  roomSize() {
    const { clientWidth: width, clientHeight: height } = this.room;
    return { width: width || 720, height: (height || 560) - this.shelf.rim };
  }

  /** Leaves stand below where their edges come out of the whole graph, wherever one has looked since. */
  aimShelf(view = this.scene && this.camera.whole(this.scene.bounds)) {
    if (view) this.shelf.aim(view, this.t);
    this.paintShelf();
    this.paintHalos();
  }

  paintShelf() {
    const { moment, camera } = this;
    if (!moment) return;
    this.shelf.paint(moment);
    this.shelf.paintDrops(moment, camera.view, camera.size);
  }

  /** Bring an item into sight. @param {number} i */
  reveal(i) {
    this.camera.reveal(this.placeOf(i));
    this.shelf.reveal(i);
  }

  /** Where an item lies in the graph; a leaf is in sight on the shelf. @param {number | undefined} i */
  placeOf(i) {
    return i !== undefined && this.scene?.shows(i) ? this.scene.boxes[i] : undefined;
  }

  // --- time

  /** @param {number} t @param {RenderOptions} options @returns {Promise<void>} */
  render(t, { animateFrom = null, reducedMotion = false, speed = 1 }) {
    this.finish();
    this.t = t;
    if (this.mapped) {
      if (this.modules?.trace === this.trace) this.modules?.render(t);
      return Promise.resolve();
    }
    const { scene, trace } = this;
    if (!scene || !trace || scene.trace !== trace) return Promise.resolve();
    const turned = this.showTurn();
    if (turned) return turned;
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
    const { scene, moment: last } = this;
    if (!scene) return;
    this.moment = moment;
    const from = Math.min(since, last?.from ?? last?.t ?? 0, last?.t ?? 0);
    const to = Math.max(moment.t, last?.t ?? 0);
    const changed = to - from > 4000 ? null : scene.affected(changesBetween(scene.trace, from, to), from, to);
    this.painter.update(moment, changed && changed.items.size < scene.items.length ? changed : null);
    this.paintShelf();
    this.tellMore();
    this.mapStale = this.mapShown;
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
    const changing = this.tickTransition(now);
    const flying = this.camera.tick(now);
    if (this.growing && !flying) {
      this.growing = false;
      this.aimShelf();
    }
    const playing = this.tickStep(now);
    if (this.mapStale && this.moment && now - this.mapTime > MAP_MS) {
      this.mapStale = false;
      this.mapTime = now;
      this.minimap?.update(this.moment);
      this.frameMinimap();
    }
    if (changing || flying || playing || this.mapStale) this.wake();
  }

  /** @param {number} now */
  tickTransition(now) {
    const { transition, scene } = this;
    if (!transition || !scene) return false;
    transition.started ||= now;
    const part = Math.min(1, (now - transition.started) / TRANSITION_MS);
    if (part >= 1) this.transition = null;
    this.painter.move(part < 1 ? transitionAt(scene, transition.start, ease(part)) : null);
    this.sprites.setAttribute("visibility", this.transition ? "hidden" : "visible");
    return part < 1;
  }

  /** @param {number} now */
  tickStep(now) {
    const { playing, trace } = this;
    if (!playing || !trace) return false;
    playing.started ||= now;
    const ms = (now - playing.started) * playing.speed;
    if (ms >= STEP_MS) this.finish();
    else {
      const { stage } = progressAt(ms);
      if (stage !== playing.stage) {
        playing.stage = stage;
        this.show(new Moment(trace, this.t, playing.from, stage), playing.from);
      }
      this.paintOver(ms);
    }
    return this.playing !== null;
  }

  /** Keep what happens in sight when the whole is not; where nothing does, what the last pass has left behind. */
  follow() {
    const { scene, camera, moment, t } = this;
    if (!scene || !moment) return;
    const cards = (/** @type {readonly (string | null | undefined)[]} */ tensors) =>
      tensors.flatMap((id) => this.placeOf(scene.cardAt(id ?? "", t)) ?? []);
    const read = cards(readsAt(scene.trace, t).map(({ tensor }) => tensor));
    const i = this.happening();
    if (read.length > 1) camera.show(read);
    else if (i >= 0) {
      if (scene.shows(i)) camera.revealWith(scene.boxes[i], sentBoxes(scene, moment));
      this.shelf.reveal(i);
      this.gatherPass();
    } else {
      const left = leftBehind(scene.trace, t);
      const shown = cards(left);
      this.gatherPass();
      camera.show(shown);
      if (shown.length) camera.gatherFirst(this.storyBoxes().map((boxes) => [...shown, ...boxes]));
      for (const id of [...left].reverse()) this.shelf.reveal(scene.cardAt(id, t) ?? -1); // the first of them last
    }
  }

  /** Bring the pass that runs into sight: all of it, or else its root and what happens. */
  gatherPass() {
    this.camera.gatherFirst(this.storyBoxes());
  }

  /** What should be in sight of the pass that runs, in the order of preference; without one all, or what is there. */
  storyBoxes() {
    const { scene, moment, t } = this;
    // Of another run the time may be known before its drawing.
    if (!scene || !moment || scene.trace !== this.trace) return [];
    const roots = rootsAt(scene, t);
    const part = scene.parts.find(({ items }) => items.has(roots[0]));
    if (!part) {
      const drawn = scene.boxes.filter((_, i) => scene.shows(i));
      const there = scene.boxes.filter((_, i) => scene.shows(i) && scene.items[i].from <= t);
      return [[scene.bounds], [...drawn, ...scene.hulls], drawn, there];
    }
    const i = this.happening();
    const now = i >= 0 && scene.shows(i) ? [scene.boxes[i]] : [];
    const ends = roots.map((root) => scene.boxes[root]);
    const items = passAt(scene, t)?.items ?? new Set(roots);
    const pass = [...items].map((each) => scene.boxes[each]);
    const sent = sentBoxes(scene, moment);
    const withSent = [...pass, ...sent];
    return [
      [part.box],
      [...withSent, ...writtenOn(scene, items)],
      withSent,
      pass,
      [...ends, ...now, ...sent],
      [...ends, ...now],
    ];
  }

  /** The item that what happens is about, −1 for none: an event drawn nowhere leaves it to those before of its line. */
  happening() {
    const { scene, moment } = this;
    if (!scene || !moment) return -1;
    const { events } = scene.trace;
    let at = moment.after.t - 1;
    while (events[at]?.kind === "print") at--;
    const line = lineOf(events[at]);
    do {
      const i = this.itemOf(scene, events[at]);
      if (i >= 0) return i;
      at--;
    } while (line && lineOf(events[at]) === line);
    return -1;
  }

  /** @param {Scene} scene @param {import("./trace/document").Event | undefined} event */
  itemOf(scene, event) {
    if (!event) return -1;
    if (event.kind === "error") {
      const { nodes, tensors } = scene.trace.blame;
      return (nodes.length ? scene.itemOf(nodes[0], this.t) : scene.cardAt(tensors[0] ?? "", this.t)) ?? -1;
    }
    const node = event.kind === "backward" ? event.roots[0]?.[0] : "node" in event ? event.node : undefined;
    const tensor = "tensor" in event ? event.tensor : event.kind === "hook" ? event.target : null;
    const i = node
      ? scene.itemOf(node, this.t)
      : event.kind === "op"
        ? scene.byOp?.get(event.op)
        : tensor
          ? scene.cardAt(tensor, this.t)
          : undefined;
    return i ?? -1;
  }

  // --- painting

  /** Chips, packets, notes. @param {number} [ms]  into the running step */
  paintOver(ms = this.playing ? 0 : STEP_MS) {
    const { scene, moment } = this;
    if (!scene || !moment) return;
    const list = overlay(scene, moment, progressAt(ms), { from: this.playing?.from ?? moment.t, still: !this.playing });
    paintSprites(this.sprites, list, scene.colours.palette);
  }

  paintHalos() {
    const { scene } = this;
    if (!scene || scene.trace !== this.trace) return; // the picture of another run is about to come
    const { palette } = scene.colours;
    paintMarks(this.halos, highlightMarks(scene, this), palette);
    paintMarks(this.signsLayer, this.signMarks(scene, this.signs), palette);
    const { standing, parts } = this.shelf;
    if (!standing) return;
    paintMarks(parts.halos, highlightMarks(standing, this), palette);
    paintMarks(parts.signs, this.signMarks(standing, this.signs), palette);
  }

  paintLegend() {
    paintWays(this.ways, this.camera.size.width, this.palette, this.measure);
    paintLegend(this.legend, this.scene, this.camera.size.width, this.palette, this.measure);
  }

  /** The theme changed. */
  repaint() {
    this.palette = readPalette(this.element);
    const { scene, moment } = this;
    if (!scene || !moment) return;
    scene.paint(this.palette);
    this.painter.update(moment, null);
    this.painter.repaint();
    this.paintShelf();
    this.drawMapSoon();
    this.paintOver();
    this.paintHalos();
    this.paintLegend();
    this.cursor.paint(false);
  }

  /** The small map helps where much is out of sight. */
  showMinimap() {
    const items = this.scene?.items.length ?? 0;
    const shown = items > MINIMAP_ABOVE || (items > MAP_WHEN_NEAR && this.camera.near);
    const appears = shown && !this.mapShown;
    this.mapShown = shown;
    if (appears) void this.loadMinimap();
    this.map.classList.toggle("shown", shown);
  }

  async loadMinimap() {
    const { Minimap } = await import("./paint/minimap.js");
    this.minimap ??= new Minimap(this.map, (x, y) => this.camera.centre({ x, y }));
    if (this.scene) this.minimap.setScene(this.scene);
    this.drawMapSoon();
  }

  /** In a frame of its own: painting the graph is work enough for one. */
  drawMapSoon() {
    this.mapStale = this.mapShown;
    this.mapTime = 0;
    if (this.mapStale) this.wake();
  }

  frameMinimap() {
    const { camera } = this;
    if (this.scene && this.mapShown) this.minimap?.frame(camera.view, camera.size.width, camera.size.height);
  }

  /** @param {string} query @returns {Reference[]} */
  search(query) {
    if (this.mapped) return this.modules?.search(query) ?? [];
    return this.scene ? searchItems(this.scene, query) : [];
  }

  /** @param {import("./paint/drawing.js").Step} [step] */
  async picture(step) {
    const { scene, palette, measure, t } = this;
    if (this.mapped) return this.modules?.picture(palette, measure) ?? null;
    return scene && (await import("./paint/drawing.js")).pictureOf(scene, t, palette, measure, step);
  }

  /** @param {View} view */
  moved(view) {
    this.world.setAttribute(
      "transform",
      `translate(${view.x.toFixed(2)} ${view.y.toFixed(2)}) scale(${view.k.toFixed(4)})`,
    );
    const many = (this.scene?.items.length ?? 0) > MINIMAP_ABOVE;
    this.svg.classList.toggle("far", view.k < (many ? NEAR : LEGIBLE));
    this.svg.classList.toggle("farther", view.k < SHAPES_ONLY);
    this.painter.setView(view, this.camera.size);
    if (this.growing) this.aimShelf(view);
    else if (this.moment) this.shelf.paintDrops(this.moment, view, this.camera.size);
    this.note.follow(view);
    this.showMinimap();
    this.frameMinimap();
    this.tellMore();
    this.handlers.onLook?.();
  }

  /** Say which way the root of the pass is, where it is out of sight. */
  tellMore() {
    const { scene, moment, camera, more } = this;
    const found = scene && moment ? outOfSight(scene, moment.t, camera.view, camera.size) : null;
    more.hidden = !found;
    if (!found || !scene || !moment) return;
    const plan = scene.plans[found.root];
    const name = plan.kind === "card" ? plan.name : plan.kind === "op" ? plan.label : plan.title;
    more.dataset.way = found.way;
    const number = found.seen ? "" : `${found.count} `;
    const words = `${number}more ${WAYS[found.way]}${found.seen ? "" : `: ${name}`}`;
    more.setAttribute("aria-label", words);
    const view = camera.flight?.to ?? camera.view;
    const { width, height } = camera.size;
    const top = { x: width / 2, y: 0, w: 0, h: 0 };
    const cards = [...scene.boxes.filter((_, i) => scene.shows(i)), ...writtenOn(scene), ...sentBoxes(scene, moment)];
    const taken = [...camera.host.covers(), ...cards.map((box) => onScreen(view, box))];
    /** @type {import("./stage/note.js").Point | null} */
    let place = null;
    // On top, if only as an arrow; else wherever there is room.
    for (const [text, h] of /** @type {const} */ ([
      [words, ABOVE],
      [`${number}more`, ABOVE],
      ["", ABOVE],
      [`${number}more`, height],
    ])) {
      more.textContent = text;
      place = nearestPlace(top, { w: more.offsetWidth, h: more.offsetHeight }, { x: 0, y: 0, w: width, h }, taken);
      if (place) break;
    }
    const { x, y } = place ?? { x: (width - more.offsetWidth) / 2, y: 8 };
    more.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  resized() {
    if (!this.room.clientWidth || !this.room.clientHeight) return;
    const { camera, arrangedFor: was } = this;
    const now = this.roomSize();
    if (now.width === camera.size.width && now.height === camera.size.height) return;
    const size = this.shelve();
    const { rise } = this;
    this.rise = 0;
    this.growing = camera.resize(size, rise);
    if (this.growing) return;
    this.aimShelf();
    const shape = size.width / size.height / (was.width / was.height);
    const other = shape > 1.3 || shape < 0.77 || size.width > 1.4 * was.width || size.width < 0.7 * was.width;
    if (!this.scene || !this.trace) return;
    const { thrift } = this.scene.whole;
    const crowded = thriftier(this.scene, this.roomFor(this.scene)) !== null;
    if (!crowded && !other && !this.shelf.scrolls && thrift === GENEROUS) return;
    this.whole = wholeGraph(this.trace, turnsAt(this.trace, this.t));
    this.arranging = this.arrangeToFit({ before: null, keepView: false });
  }

  // --- pointing and choosing

  /** A number is dragged: what comes of it is shown before it arrives. @param {Adjustment} change */
  adjust(change) {
    this.foresees = !change.done;
    void this.foresee();
    this.handlers.onAdjust?.(change);
  }

  async foresee() {
    const { ghostMarks } = await import("./scene/ghosts.js");
    this.shelf.ghosts = this.foresees ? ghostMarks : null;
    this.paintShelf();
  }

  /** @param {number} i  an item @param {number} j  else a link @param {MouseEvent | null} event */
  hover(i, j, event) {
    const { scene, moment } = this;
    if (i === this.hovered && j === this.hoveredLink) return;
    this.hovered = i;
    this.hoveredLink = j;
    this.paintHalos();
    const small = i >= 0 && this.camera.view.k < TOO_SMALL;
    if (scene && moment && event && (j >= 0 || small)) {
      const at = local(this.svg, event);
      if (small) this.tip.show({ title: scene.describe(i, moment), lines: [] }, at, this.camera.size);
      else void this.hint(scene, moment, j, at);
    } else this.tip.hide();
    this.handlers.onHover?.(this.referenceUnder(i, j));
  }

  /**
   * Say what a link is, if it is still pointed at.
   * @param {Scene} scene @param {Moment} moment @param {number} j @param {{x: number, y: number}} at
   */
  async hint(scene, moment, j, at) {
    const { hintOfLink } = await import("./scene/hint.js");
    if (this.scene === scene && this.hoveredLink === j)
      this.tip.show(hintOfLink(scene, j, moment), at, this.camera.size);
  }

  /** @param {number} i @param {number} j @returns {Reference | null} */
  referenceUnder(i, j) {
    if (!this.scene) return null;
    return i >= 0 ? referenceOf(this.scene, i) : j >= 0 ? referenceOfLink(this.scene, j) : null;
  }

  /** @param {number} i @param {number} j @param {string | null} heading @param {MouseEvent} event */
  clicked(i, j, heading, event) {
    const group = heading ?? (i >= 0 ? this.scene?.items[i].group : null);
    if (group) return this.toggle(group, event);
    this.select(this.referenceUnder(i, j), true);
    if (i >= 0) this.cursor.put(i);
  }

  /** @param {number} i */
  activate(i) {
    const { scene } = this;
    if (!scene || i < 0) return;
    const { group } = scene.items[i];
    if (group) this.toggle(group, null);
    else this.select(referenceOf(scene, i), true);
  }

  /** @param {Reference | null} item @param {boolean} tell */
  select(item, tell) {
    this.selected = item;
    if (this.mapped) this.modules?.select(item);
    if (item && this.scene && !tell) {
      this.reveal(itemsOf(this.scene, item)[0] ?? this.scene.links[linkOf(this.scene, item)]?.from);
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

  /** @param {readonly Node[]} parts */
  tell(parts) {
    morph(this.note.element, parts);
    this.placeNote();
  }

  placeNote() {
    const { note, scene, moment, camera, shelf } = this;
    const i = this.happening();
    if (!note.wanted || !scene || !moment || i < 0 || this.mapped) return note.hide();
    const view = camera.flight?.to ?? camera.view;
    const { width, height } = camera.size;
    const seen = (/** @type {import("./scene/view.js").Box} */ box) => onScreen(view, box);
    const numbers = [
      ...scene.boxes.filter((_, each) => scene.shows(each)),
      ...writtenOn(scene),
      ...sentBoxes(scene, moment),
    ];
    const { standing } = shelf;
    const at =
      standing?.shows(i) && !scene.shows(i)
        ? { x: dotOf(standing, i).x * shelf.scale, y: height, w: 0, h: 0 }
        : seen(scene.ringOf(i) ?? scene.boxes[i]);
    const covers = camera.host.covers();
    note.place(
      at,
      { x: 0, y: 0, w: width, h: height },
      [...covers, ...numbers.map(seen)],
      edgesOf(scene).map(seen),
      view,
    );
    note.follow(camera.view);
  }

  /** @param {readonly string[]} tensors */
  light(tensors) {
    this.lit = tensors;
    const { scene } = this;
    if (scene) {
      const items = tensors.flatMap((id) => itemsOf(scene, { kind: "tensor", id }).slice(0, 1));
      if (items.length > 1) this.camera.gather(items.flatMap((i) => this.placeOf(i) ?? []));
    }
    this.paintHalos();
  }

  /** @param {readonly import("./findings/finding.js").Sign[]} signs */
  sign(signs) {
    this.signs = signs;
    this.modules?.sign(signs);
    if (!signs.length) return this.paintHalos();
    void import("./scene/signs.js").then(({ signMarks }) => {
      this.signMarks = signMarks;
      this.paintHalos();
    });
  }

  // --- scopes

  /** @param {string} group @param {MouseEvent | null} event */
  toggle(group, event) {
    const { scene, whole, camera } = this;
    if (!scene || !whole) return;
    const folded = scene.folded.has(group)
      ? openOne(whole.groups, scene.folded, group)
      : new Set(scene.folded).add(group);
    const i = scene.items.findIndex((item) => item.group === group);
    const hull = scene.hulls.find((each) => each.group.id === group);
    const at = event
      ? local(this.svg, event)
      : camera.toScreen(
          hull ? { x: hull.titleX + 8, y: hull.y + 12 } : { x: scene.x[Math.max(0, i)], y: scene.y[Math.max(0, i)] },
        );
    const { label = "", line = 0 } = whole.groups.get(group) ?? {};
    this.choose(scene.folded, folded);
    void this.arrange(folded, { before: scene, keepView: true, anchor: { key: `g:${label}:${line}:${group}`, ...at } });
  }

  /** @param {boolean} on */
  showNames(on) {
    this.names = on;
    if (this.scene) void this.arrange(this.scene.folded, { before: this.scene, keepView: false });
  }

  /** @param {boolean} close */
  fold(close) {
    if (this.mapped) return this.modules?.fold(close);
    const { scene, whole } = this;
    if (!scene || !whole) return;
    const i = this.selected ? (itemsOf(scene, this.selected)[0] ?? -1) : this.cursor.at;
    const around = i >= 0 ? (scene.items[i].group ?? scene.draft.shown.groupOf[i]) : null;
    if (around && close !== scene.folded.has(around)) return this.toggle(around, null);
    const folded = close ? foldDeepest(scene.draft.open, scene.folded) : openShallowest(whole.groups, scene.folded);
    this.choose(scene.folded, folded);
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
