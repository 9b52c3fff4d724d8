/**
 * The path of the gradient as marks, as it leaves the page: its boxes, ribbons and arcs, and below them what is open.
 * @module
 */
import { layer } from "../paint/drawing.js";
import { path, rect, shorten, text } from "../scene/marks.js";

/** @typedef {import("../scene/marks.js").Mark} Mark */
/** @typedef {import("./flow.js").DrawnLevel} DrawnLevel */

/** px: of a letter of a name, and of one of what is smaller; between two levels. */
const LETTER = 7.85;
const SMALL = 6.6;
const BELOW = 44;
const [NAME, TYPE, NORM, LINE] = [19, 35, 54, 28];
const BAR = 7;
const MARGIN = 8;

/** How lines of a class look at rest, and what else is different of those running or to come. */
const LINES = {
  "flow-ribbon": { fill: "sunken", stroke: "soft", sw: 1.2 },
  "flow-unseen": { stroke: "faint", sw: 14, dash: "1.5 4" },
  "flow-arc": { stroke: "soft", sw: 2 },
};
const STATES = {
  now: { stroke: "bwd" },
  later: { fill: "none", stroke: "faint", dash: "2 4", sw: 1.2 },
  return: { sw: 4, stroke: "rest" },
  nan: { fill: "nan" },
};

/** @param {readonly DrawnLevel[]} levels  the outermost, and the innermost that is open */
export function drawPath(levels) {
  let y = 0;
  const layers = levels.map(({ title, placed, boxes, lines }) => {
    if (title) y += BELOW;
    const marks = [...lines.flatMap(drawLine), ...boxes.flatMap((box) => drawBox(box, placed.upright))];
    if (title) marks.push(text(0, -16, title, { size: 14, weight: 600, mono: true }));
    const drawn = layer(marks, { x: 0, y });
    y += placed.height;
    return drawn;
  });
  const w = Math.max(...levels.map(({ placed }) => placed.width));
  return { box: { x: 0, y: -MARGIN, w, h: y + 2 * MARGIN }, layers };
}

/** @param {SVGElement} line @returns {Mark[]} */
function drawLine(line) {
  const [kind, ...states] = (line.getAttribute("class") ?? "").split(" ");
  const at = (/** @type {string} */ name) => Number(line.getAttribute(name));
  if (kind === "flow-around") {
    return [text(at("x"), at("y"), line.textContent ?? "", { size: 12, weight: 600, fill: "soft", align: "middle" })];
  }
  const look = Object.assign(
    {},
    LINES[/** @type {keyof typeof LINES} */ (kind)],
    ...states.map((state) => STATES[/** @type {keyof typeof STATES} */ (state)]),
  );
  if (kind === "flow-ribbon" && states.includes("now")) look.fill = "bwd-soft";
  if (kind === "flow-arc") look.fill = "none";
  const sw = parseFloat(line.style.strokeWidth) || look.sw;
  return [path(line.getAttribute("d") ?? "", { ...look, sw })];
}

/** @param {DrawnLevel["boxes"][number]} box @param {boolean} upright @returns {Mark[]} */
function drawBox({ name, type, norm, phase, leaf, bars, place }, upright) {
  const { x, y, w, h } = place;
  const looks = {
    later: { fill: "paper", stroke: "faint", dash: "4 3", sw: 1.5 },
    now: { fill: "bwd-soft", stroke: "bwd", sw: 2.5 },
    past: { fill: "panel", stroke: "rest", sw: 1.5 },
  };
  const ink = phase === "later" ? "mute" : "ink";
  const middle = x + w / 2;
  /** @type {"start" | "middle"} */
  const align = upright ? "start" : "middle";
  const left = upright ? x + 12 : middle;
  const wide = upright ? w - 110 : w - 10;
  const marks = [
    rect(x, y, w, h, { r: leaf ? 14 : 8, ...looks[phase] }),
    text(left, y + NAME, tail(name, Math.floor(wide / LETTER)), {
      ...{ size: 13, weight: 600, mono: true, align },
      fill: phase === "now" ? "bwd-ink" : ink,
    }),
    text(left, y + TYPE, shorten(type, Math.floor(wide / SMALL)), { size: 12, fill: "mute", align }),
    text(upright ? x + w - 12 : middle, y + (upright ? LINE : NORM), norm, {
      ...{ size: 13.5, weight: 600, mono: true, fill: ink },
      align: upright ? "end" : "middle",
    }),
  ];
  if (upright) return marks;
  bars.forEach(({ there, high }, i) => {
    const at = middle + (i - bars.length / 2) * BAR;
    const look = there ? { fill: "soft" } : { stroke: "faint" };
    marks.push(rect(at, y + h - 8 - high, 5, high, { r: 1, ...look }));
  });
  return marks;
}

/** Names are cut at the front. @param {string} name @param {number} most */
const tail = (name, most) => (name.length > most ? `…${name.slice(name.length - most + 1)}` : name);
