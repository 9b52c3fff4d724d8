/** What the program has printed and drawn by time t, each row beside the number of the line that did it. */

import { h } from "../ui/dom.js";
import { morph } from "../ui/morph.js";
import { outputRows } from "./rows.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("./rows.js").Row} Row */

/** Their code comes with the first of them. @param {HTMLElement} text @param {Book} book */
async function drawFigures(text, book) {
  const { dressed, fill } = await import("../figures/figures.js");
  await dressed;
  fill(text, book.doc);
}

/** @param {HTMLElement} element */
export function createOutput(element) {
  const text = h("div", { class: "output-text", tabindex: 0, role: "region", "aria-label": "Printed output" });
  element.append(h("h2", { class: "block-title", id: "output-title" }, "Output"), text);
  /** Warnings that are unfolded, by their event. @type {Set<number>} */
  const open = new Set();
  // The toggle event comes late: a step before it would fold the warning again.
  text.addEventListener("click", ({ target }) => {
    const details = target instanceof Element ? target.closest("summary")?.parentElement : null;
    if (!(details instanceof HTMLDetailsElement)) return;
    const at = Number(details.dataset.at);
    if (details.open) open.delete(at);
    else open.add(at);
  });
  /** @type {Book | null} */
  let shown = null;

  /** @param {Row} row */
  function draw({ kind, line, text: words, more, fresh, at }) {
    const content =
      kind === "figure"
        ? h("figure", { class: "figure", dataset: { key: `${at}:${words}`, figure: words, file: more ?? "" } })
        : kind === "warning"
          ? h(
              "details",
              { class: "output-warning", dataset: { at }, open: open.has(at) },
              h("summary", null, words),
              h("p", null, more),
            )
          : h("span", { class: "output-words" }, words.replace(/\n$/, ""));
    const blank = kind === "printed" && !words.trim();
    return h(
      "div",
      { class: `output-row ${kind}${fresh ? " fresh" : ""}${blank ? " blank" : ""}` },
      h("span", { class: "output-line" }, line && kind !== "warning" && !blank ? String(line) : ""),
      content,
    );
  }

  return {
    /** @param {{book: Book, t: number, before: number}} view before: the time of the step before */
    render({ book, t, before }) {
      if (shown !== book) open.clear();
      shown = book;
      const { rows, left } = outputRows(book, t, before);
      const said = rows.filter(({ kind }) => kind !== "later");
      morph(text, [
        left ? h("p", { class: "quiet" }, `${left} earlier messages are not shown.`) : null,
        ...rows.map(draw),
        rows.length ? null : h("p", { class: "quiet" }, "prints nothing"),
      ]);
      const last = text.children[text.children.length - 1 - (rows.length - said.length)];
      const scroll = () => {
        if (last instanceof HTMLElement) text.scrollTop = last.offsetTop + last.offsetHeight - text.clientHeight;
      };
      requestAnimationFrame(scroll);
      if (text.querySelector("[data-figure]:empty")) void drawFigures(text, book).then(scroll);
    },
  };
}
