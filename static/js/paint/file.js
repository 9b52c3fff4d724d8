/**
 * The picture as an SVG file that needs nothing else: no styles, no script, colours as they are on the page.
 * @module
 */
import { arrowHead, attributesOf, resolve, signMark } from "./attributes.js";
import { across, aimsOf, arrowsInto, dotOf, onShelf, placeSlots, shelfEdges, shownIn } from "../scene/shelf.js";
import { drawStrip } from "../scene/strip.js";
import { drawLegend, drawWays, LEGEND, looksOf, WAYS } from "../scene/legend.js";

/** @typedef {import("../scene/scene.js").Scene} Scene */
/** @typedef {import("../scene/moment.js").Moment} Moment */
/** @typedef {import("../scene/marks.js").Mark} Mark */
/** @typedef {import("../scene/motion.js").Sprite} Sprite */

const escaped = (/** @type {unknown} */ value) =>
  String(value).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** @param {Record<string, string | number>} attributes */
const write = (attributes) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join("");

/** @param {readonly Mark[]} marks @param {Record<string, string>} palette */
const writeMarks = (marks, palette) =>
  marks
    .map((mark) => {
      const end = mark.type === "text" ? `>${escaped(mark.text)}</text>` : "/>";
      return `<${mark.type}${write(attributesOf(mark, palette))}${end}`;
    })
    .join("");

/**
 * The drawing with what is written over it.
 * @param {{x: number, y: number, w: number, h: number}} bounds
 * @param {Sprite[]} sprites
 */
function extent(bounds, sprites) {
  let left = bounds.x;
  let top = bounds.y;
  let right = bounds.x + bounds.w;
  let bottom = bounds.y + bounds.h;
  for (const sprite of sprites) {
    for (const mark of sprite.marks) {
      if (mark.type !== "rect") continue;
      left = Math.min(left, sprite.x + mark.x);
      top = Math.min(top, sprite.y + mark.y);
      right = Math.max(right, sprite.x + mark.x + mark.w);
      bottom = Math.max(bottom, sprite.y + mark.y + mark.h);
    }
  }
  return { x: left, y: top, w: right - left, h: bottom - top };
}

/** From the graph to the leaves below it. */
const DOWN = 34;

/**
 * The leaves below the graph, and what each pass left in one.
 * @param {Scene} scene @param {Moment} moment @param {{x: number, y: number, w: number, h: number}} above
 */
function writeShelf(scene, moment, above) {
  const { strip, slots } = scene;
  const { palette } = scene.colours;
  if (!slots.length) return { text: "", bounds: above };
  const w = Math.max(above.w, across(slots), strip?.w ?? 0);
  const [x, y] = [above.x - (w - above.w) / 2, above.y + above.h + DOWN];
  const aims = aimsOf(scene).map((aim) => aim - x);
  const places = placeSlots(slots, aims, w);
  const standing = onShelf(scene, places, moment.t);
  const edges = shelfEdges(scene, moment, (j, i) => {
    const dot = dotOf(standing, i);
    return [
      { x: scene.paths[j][0], y: scene.paths[j][1] },
      { x: x + dot.x, y: y + dot.y },
    ];
  });
  const heads = writeMarks(arrowsInto(scene, moment, standing), palette);
  const arrows = `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)})">${heads}</g>`;
  const cards = slots.map((slot) => {
    const i = shownIn(scene, slot, moment.t);
    const place = `${(x + standing.x[i]).toFixed(1)} ${(y + standing.y[i]).toFixed(1)}`;
    return `<g transform="translate(${place})">${writeMarks(scene.itemMarks(i, moment), palette)}</g>`;
  });
  const marks = strip ? writeMarks(drawStrip(strip, moment.t, scene.colours), palette) : "";
  const left = strip ? x + (w - strip.w) / 2 : x;
  const below = strip ? `<g transform="translate(${left.toFixed(1)} ${(y + places.h).toFixed(1)})">${marks}</g>` : "";
  return {
    text: [writeMarks(edges, palette), arrows, ...cards, below].join("\n"),
    bounds: { x, y: above.y, w, h: above.h + DOWN + places.h + (strip?.h ?? 0) },
  };
}

/**
 * @param {Scene} scene @param {Moment} moment @param {Sprite[]} sprites @param {string} title
 * @returns {string}
 */
export function writeSvg(scene, moment, sprites, title) {
  const { palette } = scene.colours;
  const pad = 24;
  const shelf = writeShelf(scene, moment, scene.bounds);
  const { x, y, w, h } = extent(shelf.bounds, sprites);
  const legend = drawLegend(scene.colours, scene.measure, looksOf(scene.trace));
  const width = Math.ceil(Math.max(w, legend.w, LEGEND.w) + 2 * pad);
  const height = Math.ceil(h + 2 * pad + LEGEND.h + WAYS.h + 8);
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}"${write({ fill: palette.paper })}/>`,
    `<g transform="translate(${(pad - x).toFixed(1)} ${(pad - y).toFixed(1)})">`,
    ...scene.hullMarks().map((marks) => writeMarks(marks, palette)),
  ];
  scene.links.forEach((_, j) => {
    const look = scene.linkLook(j, moment);
    const stroke = resolve(look.stroke, palette);
    const line = {
      d: scene.texts[j],
      fill: "none",
      stroke,
      "stroke-width": look.width.toFixed(1),
      "stroke-linecap": "round",
      ...(look.dash ? { "stroke-dasharray": look.dash } : {}),
      ...(look.opacity < 1 ? { opacity: look.opacity } : {}),
    };
    parts.push(`<path${write(line)}/>`);
    const head = arrowHead(scene.paths[j], look.arrow, look.width);
    if (head) parts.push(`<path${write({ d: head, fill: stroke })}/>`);
    if (scene.brief && look.glyph) parts.push(writeMarks([signMark(scene, j, look, look.glyph)], palette));
  });
  scene.items.forEach((_, i) => {
    const place = `${scene.x[i].toFixed(1)} ${scene.y[i].toFixed(1)}`;
    parts.push(`<g transform="translate(${place})">${writeMarks(scene.marksHere(i, moment), palette)}</g>`);
  });
  parts.push(shelf.text);
  parts.push(...scene.titleMarks().map((marks) => writeMarks(marks, palette)));
  const ways = drawWays(scene.measure).marks;
  for (const sprite of sprites) {
    const place = `${sprite.x.toFixed(1)} ${sprite.y.toFixed(1)}`;
    const faded = sprite.opacity < 1 ? write({ opacity: sprite.opacity }) : "";
    parts.push(`<g transform="translate(${place})"${faded}>${writeMarks(sprite.marks, palette)}</g>`);
  }
  parts.push(
    "</g>",
    `<g transform="translate(${pad} ${height - LEGEND.h - WAYS.h - 10})">${writeMarks(ways, palette)}</g>`,
    `<g transform="translate(${pad} ${height - LEGEND.h - 10})">${writeMarks(legend.marks, palette)}</g>`,
    "</svg>",
  );
  return parts.join("\n");
}
