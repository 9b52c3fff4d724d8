/** Taking the picture or the document away as a file. */

import { graphText } from "../net/api.js";
import { paintFigure } from "../paint/canvas.js";
import { writeSvg } from "../paint/file.js";
import { figureOf } from "../paint/figure.js";
import { captionOf, runSlug, stepSlug } from "./caption.js";
import { pageOf } from "./page.js";
import { save } from "./save.js";
import { viewer } from "./viewer.js";

/** @typedef {"svg" | "png" | "html" | "dot" | "mmd" | "json"} Format */
/** @typedef {import("./caption.js").Shown & {t: number}} Shown */

/** `asks`: needs the service. @type {{format: Format, title: string, about: string, asks?: true}[]} */
export const FORMATS = [
  { format: "png", title: "PNG picture", about: "this step as a figure: title, code, graph and sentence" },
  { format: "svg", title: "SVG picture", about: "the same, sharp at every size" },
  { format: "html", title: "Web page, plays offline", about: "this run in one file, from this step", asks: true },
  { format: "dot", title: "Graphviz DOT", about: "the backward graph as text", asks: true },
  { format: "mmd", title: "Mermaid", about: "for Markdown and wikis", asks: true },
  { format: "json", title: "JSON document", about: "every tensor, node, gradient and event" },
];

/** The most pixels along one side: browsers paint no larger canvas. */
const LARGEST = 16_000;

/**
 * @param {Format} format
 * @param {Shown} shown
 * @param {() => Promise<import("../paint/drawing.js").Picture | null>} picture
 */
export async function exportAs(format, shown, picture) {
  const { book, t } = shown;
  const name = runSlug(shown);
  const step = `${name}-${stepSlug(shown, t)}`;
  switch (format) {
    case "svg": {
      const { figure, palette } = await figureNow(shown, picture);
      return save(`${step}.svg`, new Blob([writeSvg(figure, palette)], { type: "image/svg+xml" }));
    }
    case "png": {
      const { figure, palette } = await figureNow(shown, picture);
      return save(`${step}.png`, await raster(figure, palette));
    }
    case "json":
      return save(`${name}.json`, new Blob([JSON.stringify(book.doc)], { type: "application/json" }));
    case "html":
      return save(`${name}.html`, new Blob([pageOf(await viewer(), book.doc, t)], { type: "text/html" }));
    default:
      return save(`${name}.${format}`, new Blob([await graphText(book.doc.id, format)], { type: "text/plain" }));
  }
}

/** @param {Shown} shown @param {() => Promise<import("../paint/drawing.js").Picture | null>} picture */
async function figureNow(shown, picture) {
  const seen = await picture();
  if (!seen) throw new Error("there is no picture yet");
  const { drawing, keys, measure, palette } = seen;
  return { figure: figureOf(drawing, captionOf(shown, shown.t), keys, measure), palette };
}

/**
 * Twice the size of the screen, less where that is more than a canvas can be.
 * @param {import("../paint/figure.js").Figure} figure @param {import("../scene/colour.js").Palette} palette
 * @returns {Promise<Blob>}
 */
function raster(figure, palette) {
  const scale = Math.min(2, LARGEST / Math.max(figure.w, figure.h));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(figure.w * scale);
  canvas.height = Math.round(figure.h * scale);
  const context = canvas.getContext("2d");
  if (context) paintFigure(context, figure, palette);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png"),
  );
}
