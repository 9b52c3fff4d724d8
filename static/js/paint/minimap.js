/**
 * The whole graph small, with a frame around what is in view; shown when the graph is large.
 * @module
 */
import { resolve } from "./attributes.js";

/** @typedef {import("../scene/scene.js").Scene} Scene */
/** @typedef {import("../scene/moment.js").Moment} Moment */
/** @typedef {{x: number, y: number, k: number}} View */

const WIDTH = 180;
const HEIGHT = 120;

/**
 * Of a canvas this small and copied this often the pixels are kept by the processor.
 * @param {HTMLCanvasElement} canvas
 */
const pixels = (canvas) =>
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));

export class Minimap {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {(x: number, y: number) => void} onGo centre the view on a point of the world
   */
  constructor(canvas, onGo) {
    this.canvas = canvas;
    this.context = pixels(canvas);
    this.picture = document.createElement("canvas");
    this.inside = pixels(this.picture);
    this.scale = 1;
    /** @type {Scene | null} */
    this.scene = null;
    const go = (/** @type {PointerEvent} */ event) => {
      if (!this.scene || !(event.buttons & 1)) return;
      const box = canvas.getBoundingClientRect();
      onGo(
        this.scene.bounds.x + (event.clientX - box.left - this.left) / this.scale,
        this.scene.bounds.y + (event.clientY - box.top - this.top) / this.scale,
      );
      event.preventDefault();
    };
    canvas.addEventListener("pointerdown", go);
    canvas.addEventListener("pointermove", go);
    this.left = 0;
    this.top = 0;
  }

  /** What was drawn of the scene before goes; `update` draws this one. @param {Scene} scene */
  setScene(scene) {
    this.scene = scene;
    const ratio = globalThis.devicePixelRatio || 1;
    for (const canvas of [this.canvas, this.picture]) {
      canvas.width = WIDTH * ratio;
      canvas.height = HEIGHT * ratio;
    }
    const { w, h } = scene.bounds;
    this.scale = Math.min((WIDTH - 12) / w, (HEIGHT - 12) / h);
    this.left = (WIDTH - w * this.scale) / 2;
    this.top = (HEIGHT - h * this.scale) / 2;
  }

  /** @param {Moment} moment */
  update(moment) {
    const { scene, inside: context } = this;
    if (!scene) return;
    const ratio = globalThis.devicePixelRatio || 1;
    const { palette } = scene.colours;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette.panel;
    context.fillRect(0, 0, WIDTH, HEIGHT);
    context.setTransform(
      ratio * this.scale,
      0,
      0,
      ratio * this.scale,
      ratio * (this.left - scene.bounds.x * this.scale),
      ratio * (this.top - scene.bounds.y * this.scale),
    );
    const least = 1.5 / this.scale;
    scene.boxes.forEach((box, i) => {
      const tone = toneOf(scene, i, moment);
      context.fillStyle = resolve(tone === "panel" || tone === "paper" ? "rest" : tone, palette);
      context.fillRect(box.x, box.y, Math.max(least, box.w), Math.max(least, box.h));
    });
  }

  /** @param {View} view @param {number} width @param {number} height  of the stage */
  frame(view, width, height) {
    const { scene, context } = this;
    if (!scene) return;
    const ratio = globalThis.devicePixelRatio || 1;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.picture, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const x = this.left + (-view.x / view.k - scene.bounds.x) * this.scale;
    const y = this.top + (-view.y / view.k - scene.bounds.y) * this.scale;
    context.strokeStyle = scene.colours.palette.bwd;
    context.lineWidth = 1.5;
    context.strokeRect(x, y, (width / view.k) * this.scale, (height / view.k) * this.scale);
  }
}

/**
 * The one colour an item has from far away: its gradient if it has one.
 * @param {Scene} scene @param {number} i @param {Moment} moment
 * @returns {string}
 */
export function toneOf(scene, i, moment) {
  const item = scene.items[i];
  if (moment.t < item.from) return "paper";
  if (item.kind === "box") return "panel";
  const state = item.node ? moment.node(item.node) : null;
  if (state?.phase === "running") return "bwd";
  if (item.kind === "op") {
    return state && state.phase === "done" ? "bwd-mid" : state && state.phase === "ready" ? "bwd-soft" : "panel";
  }
  const tensor = moment.tensor(item.tensor ?? "", item.until);
  const ref =
    tensor.grad && tensor.grad !== "none"
      ? tensor.grad
      : tensor.inFlight && tensor.inFlight !== "none"
        ? tensor.inFlight
        : null;
  const summary = ref ? scene.summary(ref) : null;
  if (summary) return scene.colours.line(summary);
  return item.node && !item.circle ? "rest" : "panel";
}
