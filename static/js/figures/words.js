/**
 * A figure in words: for those who do not see it, and what is not to be seen in it. Pure.
 * @module
 */
import { count } from "../ui/words.js";
import { number, short } from "./scale.js";
import { plain } from "./texts.js";

/** @typedef {import("../trace/document").Figure} Figure */
/** @typedef {import("../trace/document").Axes} Axes */
/** @typedef {import("../trace/document").Axis} Axis */
/** @typedef {import("../trace/document").AnySeries} Series */
/** @typedef {import("../trace/document").Real} Real */

/** Axes and series that are told one by one. */
const MOST = 12;

/** What to call a figure. @param {Figure} figure */
export function titleOf({ title, name, number: which, axes, picture }) {
  const own =
    title ||
    name ||
    picture?.texts[0] ||
    (axes.filter(({ twin }) => twin === null).length === 1 ? axes.find((each) => each.title)?.title : "");
  return own ? plain(own).replace(/\s+/g, " ") : which === null ? "a figure" : `figure ${which}`;
}

/**
 * What is drawn, a sentence for each axes and each series.
 * @param {Figure} figure
 * @returns {string[]}
 */
export function describe(figure) {
  if (figure.picture) return [wordsOn(figure.picture)];
  const several = figure.axes.length > 1;
  const told = figure.axes.slice(0, MOST).flatMap((axes, i) => {
    if (axes.picture) return [wordsOn(axes.picture)];
    const name = axes.title ? plain(axes.title) : several ? `Axes ${i + 1}` : "";
    const sides = axes.frame ? `${axisWords("x", axes.x)}; ${axisWords("y", axes.y)}.` : "";
    const series = axes.series.slice(0, MOST).map(seriesWords);
    const more = axes.series.length + axes.left - series.length;
    return [
      `${name}${name && sides ? ": " : ""}${sides}`,
      ...series,
      more > 0 ? `And ${count(more, "more series", "more series")}.` : "",
    ].filter(Boolean);
  });
  const more = figure.axes.length - MOST;
  return more > 0 ? [...told, `And ${count(more, "more axes", "more axes")}.`] : told;
}

/** A picture by what is written in it. @param {import("../trace/document").Picture} picture */
export function wordsOn({ texts }) {
  const said = texts.slice(0, MOST).map(plain).join(", ");
  const more = texts.length > MOST ? " …" : "";
  return said ? `A picture that matplotlib drew, with the words ${said}${more}.` : "A picture that matplotlib drew.";
}

/** @param {"x" | "y"} which @param {Axis} axis */
function axisWords(which, { label, limits, scale, labels }) {
  const name = label ? `${which} is ${plain(label)}` : which;
  if (labels?.length)
    return `${name}: ${labels.slice(0, MOST).map(plain).join(", ")}${labels.length > MOST ? " …" : ""}`;
  const kind = scale === "log" ? ", logarithmic" : "";
  return `${name}, from ${short(number(limits[0]))} to ${short(number(limits[1]))}${kind}`;
}

/** @type {Record<Series["kind"], string>} */
const KINDS = {
  line: "Line",
  points: "Points",
  bars: "Bars",
  fill: "Area",
  segments: "Segments",
  rule: "Straight line",
  span: "Band",
  text: "Text",
  image: "Image",
  contour: "Contours",
};

/** @param {Series} series */
function seriesWords(series) {
  const name = `${KINDS[series.kind]}${series.label ? ` “${plain(series.label)}”` : ""}`;
  switch (series.kind) {
    case "line":
    case "points":
      return `${name}: ${count(series.of, "point")}, x ${rangeOf(series.x)}, y ${rangeOf(series.y)}.`;
    case "bars":
      return series.upright
        ? `${name}: ${count(series.of, "bar")}, heights ${rangeOf(series.height)}.`
        : `${name}: ${count(series.of, "bar")}, lengths ${rangeOf(series.width)}.`;
    case "fill":
      return `${name}: ${rangeOf([...series.low, ...series.high])}.`;
    case "segments":
      return `${name}: ${series.of}.`;
    case "rule":
      return `${name} at ${series.axis} = ${short(number(series.at))}.`;
    case "span":
      return `${name}: ${series.axis} ${rangeOf(series.span)}.`;
    case "text":
      return `${name}: ${plain(series.text)}`;
    case "image": {
      const colours = series.range ? `, colours ${rangeOf(series.range)}` : "";
      return `${name}: ${count(series.of[0], "row")}, ${count(series.of[1], "column")}${colours}.`;
    }
    case "contour":
      return `${name}: ${count(series.levels.length, "level")}, ${rangeOf(series.levels)}.`;
  }
}

/** @param {readonly Real[]} values */
function rangeOf(values) {
  const finite = values.map(number).filter(Number.isFinite);
  if (!finite.length) return "without a number";
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  return low === high ? `${short(low)}` : `from ${short(low)} to ${short(high)}`;
}

/**
 * What a reader of the picture has to know: what is thinned out, left out, or not drawn.
 * @param {Figure} figure
 * @returns {string[]}
 */
export function notesOn(figure) {
  const thinned = figure.axes.flatMap(({ series }) => series.flatMap(thinning));
  const [first] = thinned;
  const rest = thinned.length - 1;
  const omitted = [...new Set(figure.axes.flatMap((axes) => axes.omitted))];
  const left = figure.axes.reduce((sum, axes) => sum + axes.left, 0);
  return [
    first ? `${first}${rest > 0 ? `, and ${count(rest, "other series", "other series")} in part` : ""}.` : "",
    left ? `${count(left, "more series is", "more series are")} not in the picture.` : "",
    figure.left ? `${count(figure.left, "more axes is", "more axes are")} not in the picture.` : "",
    omitted.length ? `Not drawn here: ${omitted.map((name) => `${name}()`).join(", ")}.` : "",
  ].filter(Boolean);
}

/** @param {Series} series @returns {string[]} */
function thinning(series) {
  const said = (/** @type {number} */ n) => n.toLocaleString("en");
  switch (series.kind) {
    case "line":
    case "points":
    case "bars":
    case "fill":
      return series.of > series.x.length
        ? [`Drawn: ${said(series.x.length)} of ${said(series.of)} ${series.kind === "bars" ? "bars" : "points"}`]
        : [];
    case "segments":
      return series.of > (series.from[0]?.length ?? 0)
        ? [`Drawn: ${said(series.from[0]?.length ?? 0)} of ${said(series.of)} segments`]
        : [];
    case "image":
      return series.of[0] > series.rows || series.of[1] > series.columns
        ? [`Drawn: ${series.rows}×${series.columns} of ${series.of[0]}×${series.of[1]} cells`]
        : [];
    case "contour":
      return series.of[0] > series.y.length || series.of[1] > series.x.length
        ? [`Contours of ${series.y.length}×${series.x.length} of ${series.of[0]}×${series.of[1]} numbers`]
        : [];
    default:
      return [];
  }
}
