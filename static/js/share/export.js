/** Taking the picture or the document away as a file. */

import { graphText } from "../net/api.js";
import { pageOf } from "./page.js";

/** @typedef {import("../trace/document").RunDocument} RunDocument */
/** @typedef {"svg" | "png" | "html" | "dot" | "mmd" | "json"} Format */

/** `asks`: needs the service. @type {{format: Format, title: string, about: string, asks?: true}[]} */
export const FORMATS = [
  { format: "svg", title: "SVG picture", about: "the graph as it stands at this step" },
  { format: "png", title: "PNG picture", about: "the same, at twice the size of the screen" },
  { format: "html", title: "Web page, plays offline", about: "this run in one file, from this step", asks: true },
  { format: "dot", title: "Graphviz DOT", about: "the backward graph as text", asks: true },
  { format: "mmd", title: "Mermaid", about: "for Markdown and wikis", asks: true },
  { format: "json", title: "JSON document", about: "every tensor, node, gradient and event" },
];

/**
 * @param {Format} format
 * @param {{doc: RunDocument, t: number, svg: () => string | Promise<string>}} source
 */
export async function exportAs(format, { doc, t, svg }) {
  const name = `backlight-${doc.id.slice(0, 8)}`;
  switch (format) {
    case "svg":
      return save(`${name}-step${t}.svg`, new Blob([await svg()], { type: "image/svg+xml" }));
    case "png":
      return save(`${name}-step${t}.png`, await raster(await svg(), 2));
    case "json":
      return save(`${name}.json`, new Blob([JSON.stringify(doc)], { type: "application/json" }));
    case "html":
      return save(`${name}.html`, new Blob([pageOf(await viewer(), doc, t)], { type: "text/html" }));
    default:
      return save(`${name}.${format}`, new Blob([await graphText(doc.id, format)], { type: "text/plain" }));
  }
}

/** The page that plays a run, without one. */
async function viewer() {
  const answer = await fetch(new URL("../../viewer.html", import.meta.url));
  if (!answer.ok) throw new Error("the page could not be fetched");
  return answer.text();
}

/** @param {string} name @param {Blob} blob */
function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {string} svg @param {number} scale @returns {Promise<Blob>} */
async function raster(svg, scale) {
  const image = new Image();
  // A data address: the content security policy allows it for images and it does not taint the canvas.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png"),
  );
}
