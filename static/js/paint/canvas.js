/**
 * Paints a scene on a canvas: for graphs too large to be elements. Far away it draws boxes and straight lines in
 * batches of one colour, near by the same marks as everywhere, and only what is in view.
 * @module
 */
import { titlesAt } from "../scene/titles.js";
import { arrowHead, HALO, MONO, resolve, SANS, signMark } from "./attributes.js";
import { toneOf } from "./minimap.js";

/** @typedef {import("../scene/scene.js").Scene} Scene */
/** @typedef {import("../scene/moment.js").Moment} Moment */
/** @typedef {import("../scene/marks.js").Mark} Mark */
/** @typedef {import("../scene/links.js").LinkLook} LinkLook */
/** @typedef {import("../scene/colour.js").Palette} Palette */
/** @typedef {{x: number, y: number, k: number}} View */

/** Below this zoom text cannot be read, so it is not drawn. */
export const NEAR = 0.4;

/** Things by the colour they are drawn in, each colour with its shape. */
class Batches {
  constructor() {
    /** @type {Map<string, {members: Set<number>, shape: Path2D | null}>} */
    this.batches = new Map();
    /** @type {string[]} */
    this.keys = [];
  }

  /** @param {number} i @param {string} key */
  put(i, key) {
    const old = this.keys[i];
    if (old === key) return;
    this.keys[i] = key;
    const before = old === undefined ? undefined : this.batches.get(old);
    if (before) {
      before.members.delete(i);
      before.shape = null;
      if (!before.members.size) this.batches.delete(old);
    }
    const after = this.batches.get(key);
    if (after) {
      after.members.add(i);
      after.shape = null;
    } else this.batches.set(key, { members: new Set([i]), shape: null });
  }

  clear() {
    this.batches.clear();
    this.keys = [];
  }
}

/** @param {Scene} scene @param {Iterable<number>} members */
function lineShape(scene, members) {
  const shape = new Path2D();
  for (const j of members) {
    const path = scene.paths[j];
    shape.moveTo(path[0], path[1]);
    for (let k = 6; k < path.length; k += 6) shape.lineTo(path[k], path[k + 1]);
  }
  return shape;
}

/** @param {Scene} scene @param {Iterable<number>} members */
function boxShape(scene, members) {
  const shape = new Path2D();
  for (const i of members) {
    const box = scene.boxes[i];
    shape.rect(box.x, box.y, box.w, box.h);
  }
  return shape;
}

/** Shapes of paths by their text: making them takes longer than drawing them. @typedef {Map<string, Path2D>} Shapes */
const MOST_SHAPES = 4000;

/**
 * @param {CanvasRenderingContext2D} context @param {Mark} mark @param {Palette} palette @param {Shapes} shapes
 * @param {number} [opacity] of all that it belongs to
 */
function drawMark(context, mark, palette, shapes, opacity = 1) {
  context.globalAlpha = mark.opacity * opacity;
  if (mark.type === "text") drawText(context, mark, palette);
  else drawShape(context, mark, palette, shapes);
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context @param {import("../scene/marks.js").TextMark} mark @param {Palette} palette
 */
function drawText(context, mark, palette) {
  context.font = `${mark.weight} ${mark.size}px ${mark.mono ? MONO : SANS}`;
  context.textAlign = mark.align === "middle" ? "center" : mark.align;
  if (mark.halo !== "none") {
    context.strokeStyle = resolve(mark.halo, palette);
    context.lineWidth = HALO;
    context.lineJoin = "round";
    context.strokeText(mark.text, mark.x, mark.y);
  }
  context.fillStyle = resolve(mark.fill, palette);
  context.fillText(mark.text, mark.x, mark.y);
  if (!mark.strike) return;
  const w = context.measureText(mark.text).width;
  const left = mark.align === "middle" ? mark.x - w / 2 : mark.align === "end" ? mark.x - w : mark.x;
  context.fillRect(left, mark.y - mark.size * 0.32, w, 1);
}

/**
 * @param {CanvasRenderingContext2D} context @param {Exclude<Mark, {type: "text"}>} mark @param {Palette} palette
 * @param {Shapes} shapes
 */
function drawShape(context, mark, palette, shapes) {
  /** @type {Path2D | null} */
  let shape = null;
  context.beginPath();
  if (mark.type === "rect") context.roundRect(mark.x, mark.y, Math.max(0, mark.w), Math.max(0, mark.h), mark.r);
  else if (mark.type === "circle") context.arc(mark.x, mark.y, mark.r, 0, 2 * Math.PI);
  else {
    shape = shapes.get(mark.d) ?? new Path2D(mark.d);
    if (shapes.size < MOST_SHAPES) shapes.set(mark.d, shape);
  }
  if (mark.fill !== "none") {
    context.fillStyle = resolve(mark.fill, palette);
    if (shape) context.fill(shape);
    else context.fill();
  }
  if (mark.stroke === "none") return;
  context.strokeStyle = resolve(mark.stroke, palette);
  context.lineWidth = mark.sw;
  if (mark.dash) context.setLineDash(mark.dash.split(" ").map(Number));
  if (shape) context.stroke(shape);
  else context.stroke();
  if (mark.dash) context.setLineDash([]);
}

/**
 * A figure on a canvas of any size: as large as it fits, in the middle.
 * @param {CanvasRenderingContext2D} context @param {import("./figure.js").Figure} figure @param {Palette} palette
 * @param {Shapes} [shapes]
 */
export function paintFigure(context, figure, palette, shapes = new Map()) {
  const { width, height } = context.canvas;
  const k = Math.min(width / figure.w, height / figure.h);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = palette.paper;
  context.fillRect(0, 0, width, height);
  context.lineCap = "round";
  for (const layer of figure.layers) {
    const [x, y] = [(width - figure.w * k) / 2 + layer.x * k, (height - figure.h * k) / 2 + layer.y * k];
    context.setTransform(layer.k * k, 0, 0, layer.k * k, x, y);
    for (const mark of layer.marks) drawMark(context, mark, palette, shapes, layer.opacity);
  }
}

export class CanvasPainter {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    /** @type {View} */
    this.view = { x: 0, y: 0, k: 1 };
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {Moment | null} */
    this.moment = null;
    /** @type {(Mark[] | undefined)[]} */
    this.marks = [];
    /** @type {LinkLook[]} */
    this.looks = [];
    this.fills = new Batches();
    this.lines = new Batches();
    /** @type {Map<string, Path2D>} */
    this.shapes = new Map();
  }

  /** Another scene, drawn once the view of it is set. @param {Scene} scene @param {Moment} moment */
  setScene(scene, moment) {
    this.scene = scene;
    this.shapes.clear();
    this.fills.clear();
    this.lines.clear();
    this.looks = [];
    this.sort(moment, null);
  }

  /** @param {Moment} moment @param {{items: Set<number>, links: Set<number>} | null} changed */
  update(moment, changed) {
    this.sort(moment, changed);
    this.draw();
  }

  /**
   * What looks alike is drawn together.
   * @param {Moment} moment
   * @param {{items: Set<number>, links: Set<number>} | null} changed
   */
  sort(moment, changed) {
    const { scene } = this;
    if (!scene) return;
    this.moment = moment;
    if (!changed) this.marks = [];
    for (const i of changed?.items ?? scene.items.keys()) {
      this.marks[i] = undefined;
      this.fills.put(i, toneOf(scene, i, moment));
    }
    for (const j of changed?.links ?? scene.links.keys()) {
      const look = (this.looks[j] = scene.linkLook(j, moment));
      this.lines.put(j, `${look.stroke}|${Math.round(look.width)}`);
    }
  }

  repaint() {
    if (this.moment) this.update(this.moment, null);
  }

  move() {
    this.draw();
  }

  /** @param {View} view @param {{width: number, height: number}} _size */
  setView(view, _size) {
    this.view = view;
    this.draw();
  }

  draw() {
    const { scene, context, canvas, view } = this;
    if (!scene) return;
    const ratio = globalThis.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(ratio * view.k, 0, 0, ratio * view.k, ratio * view.x, ratio * view.y);
    const margin = 40 / view.k;
    const seen = {
      x0: -view.x / view.k - margin,
      y0: -view.y / view.k - margin,
      x1: (width - view.x) / view.k + margin,
      y1: (height - view.y) / view.k + margin,
    };
    this.drawHulls(scene, seen);
    if (view.k < NEAR) this.drawFar(scene);
    else this.drawNear(scene, seen);
    this.drawTitles(scene);
  }

  /** @param {Scene} scene @param {{x0: number, y0: number, x1: number, y1: number}} seen */
  drawHulls(scene, seen) {
    const { context } = this;
    scene.hulls.forEach((hull, i) => {
      if (hull.x > seen.x1 || hull.x + hull.w < seen.x0 || hull.y > seen.y1 || hull.y + hull.h < seen.y0) return;
      for (const mark of scene.hullMarks()[i]) drawMark(context, mark, scene.colours.palette, this.shapes);
    });
  }

  /** @param {Scene} scene */
  drawTitles(scene) {
    const { context } = this;
    const marks = scene.titleMarks();
    titlesAt(scene.hulls, scene.measure, this.view.k).forEach((at, i) => {
      if (!at) return;
      context.save();
      context.transform(at.scale, 0, 0, at.scale, at.x, at.y);
      for (const mark of marks[i]) drawMark(context, mark, scene.colours.palette, this.shapes);
      context.restore();
    });
  }

  /** Everything at once, one shape per colour, kept until a member changes. @param {Scene} scene */
  drawFar(scene) {
    const { context } = this;
    const { palette } = scene.colours;
    for (const [key, batch] of this.lines.batches) {
      batch.shape ??= lineShape(scene, batch.members);
      const [stroke, width] = key.split("|");
      context.strokeStyle = resolve(stroke, palette);
      context.lineWidth = Number(width);
      context.stroke(batch.shape);
    }
    context.strokeStyle = palette.rest;
    context.lineWidth = 1;
    for (const [tone, batch] of this.fills.batches) {
      batch.shape ??= boxShape(scene, batch.members);
      context.fillStyle = resolve(tone, palette);
      context.fill(batch.shape);
      context.stroke(batch.shape);
    }
  }

  /** @param {Scene} scene @param {{x0: number, y0: number, x1: number, y1: number}} seen */
  drawNear(scene, seen) {
    const { context, looks, moment } = this;
    const { palette } = scene.colours;
    if (!moment) return;
    context.lineCap = "round";
    scene.links.forEach((_, j) => {
      const path = scene.paths[j];
      const n = path.length;
      if (Math.max(path[0], path[n - 2]) < seen.x0 || Math.min(path[0], path[n - 2]) > seen.x1) return;
      if (Math.max(path[1], path[n - 1]) < seen.y0 || Math.min(path[1], path[n - 1]) > seen.y1) return;
      const look = looks[j];
      context.globalAlpha = look.opacity;
      context.strokeStyle = resolve(look.stroke, palette);
      context.lineWidth = look.width;
      context.setLineDash(look.dash ? look.dash.split(" ").map(Number) : []);
      context.beginPath();
      context.moveTo(path[0], path[1]);
      for (let k = 2; k < n; k += 6) {
        context.bezierCurveTo(path[k], path[k + 1], path[k + 2], path[k + 3], path[k + 4], path[k + 5]);
      }
      context.stroke();
      const head = arrowHead(path, look.arrow, look.width);
      if (head) {
        context.fillStyle = context.strokeStyle;
        context.fill(new Path2D(head));
      }
      if (look.glyph) drawMark(context, signMark(scene, j, look, look.glyph), palette, this.shapes);
    });
    context.setLineDash([]);
    context.globalAlpha = 1;
    scene.boxes.forEach((box, i) => {
      if (box.x > seen.x1 || box.x + box.w < seen.x0 || box.y > seen.y1 || box.y + box.h < seen.y0) return;
      const marks = (this.marks[i] ??= scene.marksHere(i, moment));
      context.save();
      context.translate(scene.x[i], scene.y[i]);
      for (const mark of marks) drawMark(context, mark, palette, this.shapes);
      context.restore();
    });
  }

  clear() {
    this.scene = null;
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }
}
