/** The small picture of a finding, on its card: what a sentence cannot show. Loaded when a card opens. */

import { formatNumber } from "../trace.js";
import { h, s } from "../ui/dom.js";
import { paintOf } from "../ui/scale.js";
import { lensOf } from "./lens.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("./lens.js").Cells} Cells */
/** @typedef {import("./lens.js").Part} Part */

/** Units of the drawings across: about a pixel each where the column is as wide as it opens. */
const WIDE = 264;
/** A cell is no larger, and no smaller than a pixel. */
const LARGEST = 26;
/** More rows or columns than these run into each other. */
const APART = 24;
/** Of cells in a block: how wide they are at most, how high all of them, and a digit in them. */
const WIDEST = 72;
const HIGHEST = 96;
const CHARACTER = 7.4;

/**
 * @param {Book} book
 * @param {import("../trace/document").Finding} finding
 * @returns {HTMLElement | null}
 */
export function findingPicture(book, finding) {
  const lens = lensOf(book, finding);
  if (!lens) return null;
  const drawn = lens.kind === "pairs" ? pairs(book, lens) : lens.kind === "norms" ? norms(lens) : parts(book, lens);
  return h("figure", { class: "lens" }, ...drawn, h("figcaption", null, lens.words));
}

/**
 * @param {number} height @param {string} name
 * @param {(SVGElement | null)[]} children
 */
const drawing = (height, name, children) =>
  s("svg", { class: `lens-drawing ${name}`, viewBox: `0 0 ${WIDE} ${height}`, "aria-hidden": "true" }, children);

/** @param {Book} book @param {import("./lens.js").Pairs} lens */
function pairs(book, { rows, columns, shape, cells, meant }) {
  const [down, across] = shape;
  const side = Math.min(LARGEST, WIDE / across);
  const gap = across > APART ? 0 : Math.min(1.5, side / 8);
  const paint = cells && paintOf(book.trace, cells.map(Math.abs), "value");
  const at = (/** @type {number} */ i, /** @type {number} */ j, /** @type {Record<string, unknown>} */ look) =>
    s("rect", { x: j * side, y: i * side, width: side - gap, height: side - gap, ...look });
  const squares =
    across * down > 4096
      ? [s("rect", { class: "plain", width: across * side, height: down * side })]
      : Array.from({ length: down * across }, (_, k) =>
          at(
            Math.floor(k / across),
            k % across,
            paint ? { fill: paint(Math.abs(cells[k] ?? 0)).background } : { class: "plain" },
          ),
        );
  const diagonal = Array.from({ length: meant ?? 0 }, (_, i) => at(i, i, { class: "meant" }));
  const swatch = (/** @type {string} */ name) =>
    s(
      "svg",
      { class: "lens-swatch", viewBox: "0 0 12 12", "aria-hidden": "true" },
      s("rect", { class: name, x: 1, y: 1, width: 10, height: 10 }),
    );
  return [
    h("p", { class: "lens-axes" }, h("span", null, `↓ ${rows}`), h("span", null, `→ ${columns}`)),
    drawing(down * side, "pairs", [...squares, ...diagonal]),
    meant === null
      ? null
      : h(
          "p",
          { class: "lens-key" },
          swatch("meant"),
          ` ${meant} meant `,
          swatch("plain"),
          ` ${down * across - meant} not`,
        ),
  ];
}

/** @param {Book} book @param {import("./lens.js").Parts} lens */
function parts(book, lens) {
  const told = lens.parts.every(({ cells }) => !cells || fits(cells));
  return lens.parts.flatMap((part, i) => [
    h("p", { class: "lens-label" }, i ? h("b", null, `${lens.signs[i - 1]} `) : null, part.label),
    part.cells ? block(book, part, part.cells, told) : h("p", { class: "quiet" }, "not in the document"),
  ]);
}

/** How wide a cell is. @param {number} columns */
const widthOf = (columns) => Math.min(WIDEST, WIDE / columns);

/** Is there room for the numbers? @param {Cells} cells */
const fits = ({ xs, columns }) =>
  xs.length <= APART && xs.every((x) => formatNumber(x).length * CHARACTER < widthOf(columns));

/** @param {Book} book @param {Part} part @param {Cells} cells @param {boolean} told  with their numbers */
function block(book, { of, marked }, { xs, columns }, told) {
  const side = widthOf(columns);
  const rows = Math.ceil(xs.length / columns);
  const tall = told ? 22 : Math.min(side, LARGEST / 2, Math.max(2, HIGHEST / rows));
  const gap = columns > APART || tall < 5 ? 0.5 : 1.5;
  const paint = paintOf(book.trace, xs, of);
  return drawing(
    rows * tall,
    "cells",
    xs.flatMap((x, k) => {
      const [left, top] = [(k % columns) * side, Math.floor(k / columns) * tall];
      const { background, ink } = paint(x);
      const size = { x: left, y: top, width: side - gap, height: tall - gap };
      return [
        s("rect", { ...size, fill: background, ...(marked?.has(k) ? { class: "changed" } : {}) }),
        told ? s("text", { x: left + (side - gap) / 2, y: top + 14.5, fill: ink }, formatNumber(x)) : null,
      ];
    }),
  );
}

const TALL = 96;

/** A line over a log scale, with the numbers of its ends. @param {import("./lens.js").Norms} lens */
function norms({ norms: all, from, to }) {
  const logs = all.map((x) => Math.log10(Math.max(x, Number.MIN_VALUE)));
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  const x = (/** @type {number} */ i) => 6 + ((WIDE - 12) * i) / (all.length - 1);
  const y = (/** @type {number} */ log) => 22 + ((TALL - 44) * (high - log)) / (high - low || 1);
  const points = logs.map((log, i) => `${x(i).toFixed(1)} ${y(log).toFixed(1)}`);
  const end = (/** @type {number} */ i, /** @type {string} */ anchor) => {
    const log = logs[i] ?? 0;
    const above = log >= (low + high) / 2;
    return s("text", { x: x(i), y: y(log) + (above ? -9 : 19), "text-anchor": anchor }, formatNumber(all[i]));
  };
  return [
    drawing(TALL, "norms", [
      s("path", { d: `M${points.join("L")}` }),
      ...logs.map((log, i) => s("circle", { cx: x(i), cy: y(log), r: all.length > 20 ? 2 : 3.2 })),
      end(0, "start"),
      end(all.length - 1, "end"),
    ]),
    h("p", { class: "lens-axes" }, h("span", null, from), h("span", null, `→ ${to}`)),
  ];
}
