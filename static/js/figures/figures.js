/** Figures in the output: each as large as its column, and larger in a dialog. */

import { h } from "../ui/dom.js";
import { sheet } from "../ui/sheet.js";
import { drawFigure } from "./draw.js";
import { describe, notesOn, titleOf } from "./words.js";

/** @typedef {import("../trace/document").RunDocument} RunDocument */
/** @typedef {import("../trace/document").Figure} Figure */

/** Their style sheet comes with them. */
export const dressed = sheet("figures.css");
/** @type {WeakMap<Element, Figure>} what a place shows */
const shown = new WeakMap();
/** @type {ResizeObserver | null} */
let resized = null;

/**
 * Draw the figures whose places are still empty.
 * @param {Element} container with `[data-figure]`, the id of a figure
 * @param {RunDocument} document
 */
export function fill(container, document) {
  for (const place of container.querySelectorAll("[data-figure]:empty")) {
    const figure = document.figures?.find(({ id }) => id === /** @type {HTMLElement} */ (place).dataset.figure);
    if (figure) show(place, figure);
  }
}

/** @param {Element} place @param {Figure} figure */
function show(place, figure) {
  const title = titleOf(figure);
  const picture = h("span", { class: "figure-host" });
  // Upon the picture and not around it: the texts of the picture are no name of the button.
  const button = h("button", {
    type: "button",
    class: "figure-enlarge",
    title: "Enlarge",
    "aria-label": `Enlarge the figure: ${title}`,
  });
  const file = /** @type {HTMLElement} */ (place).dataset.file;
  const notes = [...(file ? [`${file} is not written: this is what it would show.`] : []), ...notesOn(figure)];
  place.append(
    h("div", { class: "figure-open" }, picture, button),
    h("figcaption", null, words(figure), ...notes.map((note) => h("p", { class: "figure-note" }, note))),
  );
  button.addEventListener("click", () => enlarge(figure, title));
  shown.set(place, figure);
  fit(place);
  resized ??= new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.isConnected) fit(target);
      else resized?.unobserve(target);
    }
  });
  resized.observe(place);
}

/** The figure for those who do not see it. @param {Figure} figure */
const words = (figure) => h("div", { class: "visually-hidden" }, ...describe(figure).map((text) => h("p", null, text)));

/** Draw it as wide as its place is now. @param {Element} place */
function fit(place) {
  const picture = place.querySelector(".figure-host");
  const figure = shown.get(place);
  const width = Math.floor(place.clientWidth);
  if (!picture || !figure || !width) return;
  if (Number(picture.firstElementChild?.getAttribute("width")) === Math.max(160, width)) return;
  drawFigure(picture, figure, width);
}

/** @param {Figure} figure @param {string} title */
function enlarge(figure, title) {
  const picture = h("div", { class: "figure-host" });
  const dialog = h(
    "dialog",
    { class: "dialog figure-dialog", "aria-label": `Figure: ${title}` },
    h(
      "div",
      { class: "figure-large" },
      picture,
      h(
        "details",
        { class: "figure-words" },
        h("summary", null, "In words"),
        ...[...describe(figure), ...notesOn(figure)].map((text) => h("p", null, text)),
      ),
      h(
        "button",
        { type: "button", class: "button icon dialog-close", "aria-label": "Close", onclick: () => dialog.close() },
        h("span", { "aria-hidden": "true" }, "×"),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  const draw = () => {
    const room = innerHeight - 140;
    const shape = Number(figure.size[1]) / Number(figure.size[0]) || 0.75;
    drawFigure(picture, figure, Math.min(innerWidth - 64, 1100, Math.max(300, room / shape)), Math.max(240, room));
  };
  draw();
  window.addEventListener("resize", draw);
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    window.removeEventListener("resize", draw);
    dialog.remove();
  });
}
