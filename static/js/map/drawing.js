/**
 * The map as marks, as it leaves the page: every row, wherever one has scrolled. Pure.
 * @module
 */
import { formatNumber } from "../trace.js";
import { layer } from "../paint/drawing.js";
import { rect, text } from "../scene/marks.js";
import { flowOf, parametersOf, phaseOf, sizeOf } from "./rows.js";
import { decades, placeOf } from "./scale.js";

/** @typedef {import("./rows.js").Row} Row */
/** @typedef {import("./tree.js").Part} Part */
/** @typedef {import("./tree.js").Norm} Norm */
/** @typedef {import("../scene/marks.js").Mark} Mark */
/** @typedef {import("../scene/marks.js").Measure} Measure */

/** px */
const PITCH = 32;
const ROW = 26;
const INDENT = 26;
const DEEPEST = 130;
const WIDTH = 860;
const HEAD = 30;
const BAR = 44;
const SIZE = 13;
const [COUNT, ARRIVING, LEAVING] = [WIDTH - 330, WIDTH - 240, WIDTH - 120];

/**
 * @param {readonly Row[]} rows
 * @param {{tree: import("./tree.js").PassTree, t: number, now: Part | null, measure: Measure}} view
 * @returns {import("../paint/drawing.js").Drawing}
 */
export function drawMap(rows, { tree, t, now, measure }) {
  const scale = decades(tree.smallest, tree.largest);
  const mute = { size: SIZE, fill: "mute" };
  /** @type {Mark[]} */
  const marks = [
    text(10, 14, "module", mute),
    text(COUNT, 14, "params", { ...mute, align: "end" }),
    text(ARRIVING, 14, "‖g‖ arriving", mute),
    text(LEAVING, 14, "‖g‖ leaving", mute),
  ];
  rows.forEach((row, i) => {
    const phase = phaseOf(row, t, now);
    const y = HEAD + i * PITCH;
    const base = y + 17.5;
    const x = Math.min(row.depth * INDENT, DEEPEST);
    const ink = phase === "later" ? "mute" : "ink";
    const look = { r: 6, fill: row.open ? "sunken" : "panel", stroke: phase === "now" ? "bwd" : "line" };
    const name = `${row.folds ? (row.open ? "▾ " : "▸ ") : ""}${row.name}`;
    const beside = x + 18 + measure(name, SIZE, 600, true);
    marks.push(
      rect(x, y, WIDTH - x, ROW, look),
      text(x + 10, base, name, { size: SIZE, weight: 600, mono: true, fill: ink }),
      text(beside, base, row.type, { ...mute, mono: true }),
    );
    const size = sizeOf(parametersOf(row));
    if (size) marks.push(text(COUNT, base, String(size), { size: SIZE, fill: "soft", align: "end" }));
    const { arriving, leaving } = flowOf(row);
    const flows = /** @type {[number, Norm | null][]} */ ([
      [ARRIVING, arriving],
      [LEAVING, row.open ? null : leaving],
    ]);
    for (const [left, norm] of flows) {
      if (!norm) continue;
      const past = norm.time < t;
      const wide = past ? Math.max(2, placeOf(scale, norm.norm) * BAR) : BAR;
      const bar = past ? { fill: phase === "now" ? "bwd" : "soft" } : { stroke: "faint", dash: "3 2" };
      marks.push(
        rect(left, y + 9, wide, 8, { r: 3, ...bar }),
        text(left + BAR + 6, base, past ? formatNumber(Number(norm.norm.toPrecision(3))) : "—", {
          size: SIZE,
          fill: past ? ink : "mute",
        }),
      );
    }
  });
  return { box: { x: 0, y: 0, w: WIDTH, h: rows.length * PITCH + HEAD }, layers: [layer(marks)] };
}
