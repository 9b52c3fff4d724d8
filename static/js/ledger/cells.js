/** A gradient within a sentence: its numbers on the fills that they have in the picture. */

import { formatNumber, toNumber } from "../trace.js";
import { flatNumbers, sizeOf } from "../ui/book.js";
import { h } from "../ui/dom.js";
import { coloursOf } from "../ui/scale.js";

/** Larger gradients are described in words. */
const MOST = 6;

/**
 * @param {import("../ui/book.js").Book} book
 * @param {import("../ui/types").Token} token of kind gradient
 */
export function gradientCells(book, { id, text }) {
  const value = book.value(id);
  const xs = flatNumbers(value);
  if (!value || !xs || sizeOf(value) > MOST || value.shape.slice(0, -1).some((n) => n > 1)) {
    return h("b", { class: "t-value" }, text);
  }
  const colours = coloursOf(book.trace);
  return h(
    "span",
    { class: "cells" },
    xs.flatMap((x, i) => {
      const cell = h("span", { class: "cell" }, formatNumber(toNumber(x), value.dtype));
      cell.style.background = colours.cell(x);
      cell.style.color = colours.on(colours.cell(x));
      return i ? [" ", cell] : cell;
    }),
  );
}
