/**
 * Tensors that are pictures: shown as such, and a gradient as light over the picture that it belongs to.
 * @module
 */

import { flatten, formatNumber, formatShape, toNumber } from "../trace.js";
import { h } from "../ui/dom.js";
import { picturesOf } from "../ui/pictures.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../trace/document").Value} Value */
/** @typedef {import("../ui/pictures.js").Pictures} Pictures */

/** Pictures that are shown of one tensor. */
const MOST = 8;

/**
 * Where a pixel is in the tensor.
 * @param {readonly number[]} shape @param {number} picture @param {number} y @param {number} x
 * @returns {number[]} an index for each dimension; of a picture in colour the first channel
 */
export function indexOf(shape, picture, y, x) {
  const deep = shape.at(-3) ?? 1;
  const channel = deep === 3 ? 0 : picture % deep;
  const sample = deep === 3 ? picture : Math.floor(picture / deep);
  return shape.length === 4 ? [sample, channel, y, x] : [channel, y, x];
}

/**
 * How strongly each pixel of one picture pulls: of its channels the gradient that is furthest from zero.
 * @param {readonly number[]} gradient @param {Pictures} of @param {number} picture
 */
export function pull(gradient, { channels, height, width }, picture) {
  const size = height * width;
  const start = picture * channels * size;
  return Array.from({ length: size }, (_, i) => {
    let most = 0;
    for (let c = 0; c < channels; c++) {
      const g = gradient[start + c * size + i] ?? 0;
      if (Math.abs(g) > Math.abs(most)) most = g;
    }
    return most;
  });
}

/**
 * @param {object} options
 * @param {Value} options.value  whole
 * @param {Value | null} options.gradient  whole, of the same shape: lies over the picture
 * @param {string} options.label  for screen readers
 * @param {((index: number[]) => void) | null} options.onPixel  a pixel was clicked
 * @returns {HTMLElement | null} null when the value is no picture
 */
export function pictures({ value, gradient, label, onPixel }) {
  const of = picturesOf(value.shape);
  const xs = (flatten(value) ?? []).map(toNumber);
  const gs = gradient ? (flatten(gradient) ?? []).map(toNumber) : null;
  if (!of || !xs.length || (gs && gs.length !== xs.length)) return null;
  const shown = Math.min(of.count, MOST);
  const finite = xs.filter(Number.isFinite);
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const strongest = gs ? Math.max(...gs.map(Math.abs).filter(Number.isFinite), 0) : 0;
  const drawn = Array.from({ length: shown }, (_, n) => {
    const canvas = picture(xs, of, n, low, high);
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${label}${of.count > 1 ? `, picture ${n + 1} of ${of.count}` : ""}`);
    if (gs && strongest) light(canvas, pull(gs, of, n), strongest);
    if (onPixel) listen(canvas, of, (y, x) => onPixel(indexOf(value.shape, n, y, x)));
    return canvas;
  });
  const size = `${formatShape(value.shape)}${of.count > shown ? `, the first ${shown} of ${of.count}` : ""}`;
  const range = gs ? `strongest ${formatNumber(strongest)}` : `${formatNumber(low)} … ${formatNumber(high)}`;
  return h(
    "div",
    { class: onPixel ? "pictures pointed" : "pictures" },
    h("div", { class: "pictures-row", dataset: { count: shown } }, drawn),
    h("div", { class: "heat-caption" }, h("span", null, size), h("span", null, range)),
  );
}

/**
 * @param {readonly number[]} xs @param {Pictures} of @param {number} n @param {number} low @param {number} high
 * @returns {HTMLCanvasElement} a canvas of one pixel for each of the picture's
 */
function picture(xs, { channels, height, width }, n, low, high) {
  const canvas = h("canvas", { width, height });
  const context = canvas.getContext("2d");
  const image = context?.createImageData(width, height);
  if (!context || !image) return canvas;
  const size = height * width;
  for (let i = 0; i < size; i++) {
    for (let c = 0; c < 3; c++) {
      const x = xs[(n * channels + (channels === 3 ? c : 0)) * size + i] ?? 0;
      image.data[4 * i + c] = high > low ? ((x - low) / (high - low)) * 255 : 128;
    }
    image.data[4 * i + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/**
 * The picture dims, and where it pulls the colour of the sign lies over it: the stronger, the denser.
 * @param {HTMLCanvasElement} canvas @param {readonly number[]} pulls @param {number} strongest
 */
function light(canvas, pulls, strongest) {
  const context = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const [paper, minus, plus] = ["--panel", "--neg", "--pos"].map((name) => style.getPropertyValue(name));
  if (!context) return;
  context.globalAlpha = 0.45;
  context.fillStyle = paper ?? "";
  context.fillRect(0, 0, canvas.width, canvas.height);
  pulls.forEach((g, i) => {
    if (!g) return;
    context.globalAlpha = Math.min(1, 0.15 + 0.85 * Math.sqrt(Math.abs(g) / strongest));
    context.fillStyle = (g < 0 ? minus : plus) ?? "";
    context.fillRect(i % canvas.width, Math.floor(i / canvas.width), 1, 1);
  });
}

/**
 * @param {HTMLCanvasElement} canvas @param {Pictures} of @param {(y: number, x: number) => void} act
 */
function listen(canvas, { height, width }, act) {
  let [y, x] = [Math.floor(height / 2), Math.floor(width / 2)];
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "button");
  const say = () => canvas.setAttribute("title", `Row ${y}, column ${x}: what does it see?`);
  say();
  canvas.addEventListener("pointermove", (event) => {
    const { left, top, width: wide, height: tall } = canvas.getBoundingClientRect();
    y = Math.max(0, Math.min(height - 1, Math.floor(((event.clientY - top) / tall) * height)));
    x = Math.max(0, Math.min(width - 1, Math.floor(((event.clientX - left) / wide) * width)));
    say();
  });
  canvas.addEventListener("click", () => act(y, x));
  canvas.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    act(y, x);
  });
}
