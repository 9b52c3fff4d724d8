/** A figure as SVG: what `layout.js` says, in the colours of the theme. */

import { select } from "../../vendor/d3.js";
import { pairOf } from "./colours.js";
import { layoutFigure } from "./layout.js";
import { addressOf, lies } from "./picture.js";
import { wordsOn } from "./words.js";

/** @typedef {import("./types").Mark} Mark */
/** @typedef {import("./types").Label} Label */
/** @typedef {import("./types").Panel} Panel */

/**
 * @param {Element} host its content is replaced
 * @param {import("../trace/document").Figure} figure
 * @param {number} width in pixels
 * @param {number} [tallest] in pixels
 */
export function drawFigure(host, figure, width, tallest) {
  if (figure.picture) {
    pictured(host, figure.picture, Math.max(160, Math.floor(width)), tallest);
    return;
  }
  const sheet = layoutFigure(figure, Math.max(160, Math.floor(width)), tallest);
  host.replaceChildren();
  const svg = select(host)
    .append("svg")
    .attr("class", "figure-picture")
    .attr("width", sheet.width)
    .attr("height", sheet.height)
    .attr("viewBox", `0 0 ${sheet.width} ${sheet.height}`)
    .attr("aria-hidden", "true");
  const panels = svg.selectAll("g.figure-panel").data(sheet.panels).join("g").attr("class", "figure-panel");
  panels.each(function (panel) {
    const self = select(this);
    if (panel.picture) placed(self.append("image"), panel.plot).attr("href", addressOf(panel.picture));
    if (panel.frame) rectangle(self, panel.plot, "figure-ground");
    // An inner svg cuts off at its border.
    const plot = placed(self.append("svg"), panel.plot);
    lines(plot, panel.grid, "figure-grid");
    marks(plot, panel.marks);
    if (panel.frame) rectangle(self, panel.plot, "figure-frame");
    lines(self, panel.ticks, "figure-tick");
    marks(self, panel.beside);
    labels(self, [...panel.labels, ...panel.texts]);
  });
  labels(svg, sheet.labels);
}

/**
 * A figure that matplotlib drew: its own colours in both themes.
 * @param {Element} host @param {import("../trace/document").Picture} picture
 * @param {number} width @param {number} [tallest]
 */
function pictured(host, picture, width, tallest = 720) {
  const { width: wide, height } = lies(picture, { x: 0, y: 0, width, height: tallest });
  const image = document.createElement("img");
  image.className = "figure-picture drawn";
  // The width it was drawn for, by which a place knows that nothing has changed; the style makes it as wide as it is.
  image.setAttribute("width", String(width));
  image.style.width = `${wide}px`;
  image.style.height = `${height}px`;
  image.alt = wordsOn(picture);
  image.src = addressOf(picture);
  host.replaceChildren(image);
}

/** @typedef {import("d3-selection").Selection<any, any, any, any>} Some */

/** @param {Some} element @param {import("./types").Rect} place */
const placed = (element, { x, y, width, height }) =>
  element.attr("x", x).attr("y", y).attr("width", width).attr("height", height);

/** @param {Some} parent @param {import("./types").Rect} place @param {string} name */
const rectangle = (parent, place, name) => placed(parent.append("rect").attr("class", name), place);

/** @param {Some} parent @param {Mark[]} some @param {string} name */
function lines(parent, some, name) {
  if (some.length)
    parent
      .append("path")
      .attr("class", name)
      .attr("d", some.map(({ d }) => d).join(""));
}

/** @param {Some} parent @param {Mark[]} some */
function marks(parent, some) {
  parent
    .append("g")
    .selectAll("path")
    .data(some)
    .join("path")
    .attr(
      "class",
      (/** @type {Mark} */ { crisp, holes }) => `figure-mark${crisp ? " crisp" : ""}${holes ? " holes" : ""}`,
    )
    .attr("d", (/** @type {Mark} */ { d }) => d)
    .attr("stroke-width", (/** @type {Mark} */ { width }) => width ?? null)
    .attr("stroke-dasharray", (/** @type {Mark} */ { dash }) => dash ?? null)
    .attr("opacity", (/** @type {Mark} */ { opacity }) => (opacity === undefined || opacity >= 1 ? null : opacity))
    .each(function (/** @type {Mark} */ { fill, stroke, exact }) {
      paint(/** @type {SVGElement} */ (this), "fill", fill, exact);
      paint(/** @type {SVGElement} */ (this), "stroke", stroke, false);
    });
}

/** @param {Some} parent @param {Label[]} some */
function labels(parent, some) {
  parent
    .append("g")
    .selectAll("text")
    .data(some)
    .join("text")
    .attr("class", (/** @type {Label} */ { role }) => `figure-text ${role}`)
    .attr("text-anchor", (/** @type {Label} */ { anchor }) => anchor)
    .attr("x", (/** @type {Label} */ { x }) => Math.round(x * 10) / 10)
    .attr("y", (/** @type {Label} */ { y }) => Math.round(y * 10) / 10)
    .attr("transform", (/** @type {Label} */ { x, y, turned }) => (turned ? `rotate(-90 ${x} ${y})` : null))
    .text((/** @type {Label} */ { text }) => text)
    .each(function (/** @type {Label} */ { color, exact }) {
      if (color) paint(/** @type {SVGElement} */ (this), "fill", color, exact);
    });
}

/**
 * A colour for both themes; the style sheet takes the right one.
 * @param {SVGElement} element @param {"fill" | "stroke"} which @param {string | null | undefined} colour
 * @param {boolean | undefined} exact
 */
function paint(element, which, colour, exact) {
  if (!colour) {
    element.setAttribute(which, "none");
    return;
  }
  const { light, dark } = exact ? { light: colour, dark: colour } : pairOf(colour);
  element.classList.add(which === "fill" ? "filled" : "stroked");
  element.style.setProperty(`--${which}-light`, light);
  element.style.setProperty(`--${which}-dark`, dark);
}
