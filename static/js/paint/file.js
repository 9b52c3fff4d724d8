/**
 * A figure as an SVG file that needs nothing else: no styles, no script, colours as they are on the page.
 * @module
 */
import { attributesOf } from "./attributes.js";

/** @typedef {import("../scene/colour.js").Palette} Palette */
/** @typedef {import("../scene/marks.js").Mark} Mark */
/** @typedef {import("./drawing.js").Layer} Layer */

const escaped = (/** @type {unknown} */ value) =>
  String(value).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** @param {Record<string, string | number>} attributes */
const write = (attributes) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join("");

/** @param {readonly Mark[]} marks @param {Palette} palette */
const writeMarks = (marks, palette) =>
  marks
    .map((mark) => {
      const end = mark.type === "text" ? `>${escaped(mark.text)}</text>` : "/>";
      return `<${mark.type}${write(attributesOf(mark, palette))}${end}`;
    })
    .join("");

/** @param {Layer} layer @param {Palette} palette */
function writeLayer({ x, y, k, opacity, marks }, palette) {
  if (!marks.length) return "";
  const moved = x || y ? `translate(${x.toFixed(1)} ${y.toFixed(1)})` : "";
  const transform = `${moved}${k === 1 ? "" : ` scale(${k.toFixed(3)})`}`.trim();
  const attributes = { ...(transform ? { transform } : {}), ...(opacity < 1 ? { opacity } : {}) };
  return `<g${write(attributes)}>${writeMarks(marks, palette)}</g>`;
}

/** @param {import("./figure.js").Figure} figure @param {Palette} palette @returns {string} */
export function writeSvg({ w, h, title, sentence, layers }, palette) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(sentence)}</desc>`,
    `<rect width="${w}" height="${h}"${write({ fill: palette.paper })}/>`,
    ...layers.map((layer) => writeLayer(layer, palette)).filter(Boolean),
    "</svg>",
  ].join("\n");
}
