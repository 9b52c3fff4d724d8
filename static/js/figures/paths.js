/**
 * Shapes as the paths of SVG, in pixels. Pure.
 * @module
 */
import { number } from "./scale.js";

/** @typedef {import("../trace/document").Real} Real */

/** Lengths of the parts of a broken line, in widths of the line. */
const DASHES = /** @type {Record<string, number[]>} */ ({ "--": [4, 2], "-.": [5, 2, 1, 2], ":": [1, 2] });

/** @param {string} style @param {number} width */
export const dashOf = (style, width) => DASHES[style]?.map((part) => round(part * Math.max(width, 1.2))).join(" ");

/** @param {number} value */
export const round = (value) => Math.round(value * 10) / 10;

/** @param {readonly Real[] | null | undefined} list */
export const numbers = (list) => (list ?? []).map(number);

/** @param {number[]} xs @param {number[]} ys joined where both are numbers */
export function polyline(xs, ys) {
  let d = "";
  let drawing = false;
  xs.forEach((x, i) => {
    const y = ys[i] ?? Number.NaN;
    if (Number.isFinite(x) && Number.isFinite(y)) d += `${drawing ? "L" : "M"}${round(x)} ${round(y)}`;
    drawing = Number.isFinite(x) && Number.isFinite(y);
  });
  return d;
}

/** @param {number} x @param {number} y @param {number} width @param {number} height each may be negative */
export const box = (x, y, width, height) =>
  `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`;

/** Markers that are lines; all others are filled. */
export const STROKED = new Set(["x", "+", "|", "_", "1", "2", "3", "4"]);

/** @param {number[][]} points @param {number} x @param {number} y @param {number} r */
const shape = (points, x, y, r) =>
  `M${points.map(([a = 0, b = 0]) => `${round(x + a * r)} ${round(y + b * r)}`).join("L")}z`;

/** @param {number} corners @param {number} turn in radians @param {number} [inner] of a star */
const regular = (corners, turn, inner = 1) =>
  Array.from({ length: corners }, (_, i) => {
    const angle = turn + (i * 2 * Math.PI) / corners;
    const r = i % 2 ? inner : 1;
    return [Math.sin(angle) * r, -Math.cos(angle) * r];
  });

/** @type {Record<string, number[][]>} */
const SHAPES = {
  s: [
    [-0.9, -0.9],
    [0.9, -0.9],
    [0.9, 0.9],
    [-0.9, 0.9],
  ],
  "^": regular(3, 0),
  v: regular(3, Math.PI),
  "<": regular(3, -Math.PI / 2),
  ">": regular(3, Math.PI / 2),
  D: regular(4, 0),
  d: [
    [0, -1],
    [0.6, 0],
    [0, 1],
    [-0.6, 0],
  ],
  p: regular(5, 0),
  h: regular(6, 0),
  H: regular(6, Math.PI / 6),
  "8": regular(8, Math.PI / 8),
  "*": regular(10, 0, 0.4),
  P: [
    [-0.35, -1],
    [0.35, -1],
    [0.35, -0.35],
    [1, -0.35],
    [1, 0.35],
    [0.35, 0.35],
    [0.35, 1],
    [-0.35, 1],
    [-0.35, 0.35],
    [-1, 0.35],
    [-1, -0.35],
    [-0.35, -0.35],
  ],
};

/** One marker. @param {string} kind @param {number} x @param {number} y @param {number} size its diameter */
export function marker(kind, x, y, size) {
  if (!Number.isFinite(x) || !Number.isFinite(y)) return "";
  const r = size / 2;
  const known = SHAPES[kind];
  if (known) return shape(known, x, y, r);
  if (kind === "x") return `M${round(x - r)} ${round(y - r)}l${size} ${size}m0 ${-size}l${-size} ${size}`;
  if (kind === "|") return `M${round(x)} ${round(y - r)}v${size}`;
  if (kind === "_") return `M${round(x - r)} ${round(y)}h${size}`;
  if (STROKED.has(kind)) return `M${round(x)} ${round(y - r)}v${size}M${round(x - r)} ${round(y)}h${size}`;
  const held = kind === "." ? r / 2 : kind === "," ? 0.5 : r;
  return `M${round(x - held)} ${round(y)}a${held} ${held} 0 1 0 ${2 * held} 0a${held} ${held} 0 1 0 ${-2 * held} 0z`;
}

/** @param {{d: string, colour: string | null}[]} parts @returns {Map<string | null, string>} */
export function byColour(parts) {
  const found = new Map();
  for (const { d, colour } of parts) if (d) found.set(colour, (found.get(colour) ?? "") + d);
  return found;
}
