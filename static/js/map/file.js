/**
 * The map as an SVG file that needs nothing else. Pure.
 * @module
 */
import { formatNumber } from "../trace.js";
import { MONO, SANS } from "../paint/attributes.js";
import { flowOf, parametersOf, phaseOf, sizeOf } from "./rows.js";
import { decades, placeOf } from "./scale.js";

/** @typedef {import("./rows.js").Row} Row */
/** @typedef {import("./tree.js").Part} Part */
/** @typedef {import("./tree.js").Norm} Norm */

/** px */
const PITCH = 32;
const ROW = 26;
const INDENT = 26;
const DEEPEST = 130;
const WIDTH = 860;
const PAD = 20;
const HEAD = 30;
const BAR = 44;
const [SIZE, ARRIVING, LEAVING] = [WIDTH - 330, WIDTH - 240, WIDTH - 120];

const escaped = (/** @type {unknown} */ value) =>
  String(value).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/**
 * @param {readonly Row[]} rows
 * @param {{tree: import("./tree.js").PassTree, t: number, now: Part | null, palette: Record<string, string>, title:
 *   string}} view
 * @returns {string}
 */
export function writeMap(rows, { tree, t, now, palette, title }) {
  const scale = decades(tree.smallest, tree.largest);
  const height = rows.length * PITCH + HEAD + 2 * PAD;
  const width = WIDTH + 2 * PAD;
  const sans = ` font-size="13" font-family="${escaped(SANS)}"`;
  const text = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {unknown} */ content,
    /** @type {string} */ fill,
    /** @type {string} */ more = "",
  ) => `<text x="${x}" y="${y}" fill="${fill}"${sans}${more}>${escaped(content)}</text>`;
  const mono = ` font-family="${escaped(MONO)}"`;
  const sized = `width="${width}" height="${height}"`;
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" ${sized} viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${palette.paper}"/>`,
    `<g transform="translate(${PAD} ${PAD})">`,
    text(10, 14, "module", palette.mute),
    text(SIZE, 14, "params", palette.mute, ' text-anchor="end"'),
    text(ARRIVING, 14, "‖g‖ arriving", palette.mute),
    text(LEAVING, 14, "‖g‖ leaving", palette.mute),
  ];
  rows.forEach((row, i) => {
    const phase = phaseOf(row, t, now);
    const y = HEAD + i * PITCH;
    const x = Math.min(row.depth * INDENT, DEEPEST);
    const ink = phase === "later" ? palette.mute : palette.ink;
    const edge = phase === "now" ? palette.bwd : palette.line;
    const fill = row.open ? palette.sunken : palette.panel;
    out.push(`<rect x="${x}" y="${y}" width="${WIDTH - x}" height="${ROW}" rx="6" fill="${fill}" stroke="${edge}"/>`);
    const caret = row.folds ? (row.open ? "▾ " : "▸ ") : "";
    const type = `<tspan font-weight="400" fill="${palette.mute}">${escaped(row.type)}</tspan>`;
    const name = `${escaped(caret + row.name)} ${type}`;
    out.push(
      `<text x="${x + 10}" y="${y + 17.5}" font-size="13" font-weight="600" fill="${ink}"${mono}>${name}</text>`,
    );
    const size = sizeOf(parametersOf(row));
    if (size) out.push(text(SIZE, y + 17.5, size, palette.soft, ' text-anchor="end"'));
    const { arriving, leaving } = flowOf(row);
    const flows = /** @type {[number, Norm | null][]} */ ([
      [ARRIVING, arriving],
      [LEAVING, row.open ? null : leaving],
    ]);
    for (const [left, norm] of flows) {
      if (!norm) continue;
      const past = norm.time < t;
      const wide = Math.max(2, placeOf(scale, norm.norm) * BAR).toFixed(1);
      const look = past
        ? `fill="${phase === "now" ? palette.bwd : palette.soft}"`
        : `fill="none" stroke="${palette.faint}" stroke-dasharray="3 2"`;
      out.push(`<rect x="${left}" y="${y + 9}" width="${wide}" height="8" rx="3" ${look}/>`);
      out.push(
        text(left + BAR + 6, y + 17.5, formatNumber(Number(norm.norm.toPrecision(3))), past ? ink : palette.mute),
      );
    }
  });
  out.push("</g>", "</svg>");
  return out.join("\n");
}
