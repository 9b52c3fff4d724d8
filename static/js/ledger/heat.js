/** Heat map and histogram of one value. */

import { elements, flatten, formatNumber, formatShape, isComplex, toNumber } from "../trace.js";
import { h, s } from "../ui/dom.js";
import { paintOf } from "../ui/scale.js";

/** @typedef {import("../trace/document").Value} Value */

const CELLS_WITH_NUMBERS = 48;
const WIDEST_GRID = 8;

/**
 * @param {Value} value
 * @param {string} label for screen readers
 * @param {{trace: import("../trace.js").Trace, kind: "gradient" | "value"}} of
 * @returns {HTMLElement | null} null when there is nothing to map, as for a single number
 */
export function heatMap(value, label, { trace, kind }) {
  const shown =
    value.data !== null && value.data !== undefined ? value : value.thumbnail ? { ...value, ...value.thumbnail } : null;
  if (!shown || shown.shape.length === 0 || elements(shown.shape) < 2) return null;
  const all = flatten(shown) ?? [];
  const xs = all.map(toNumber);
  const columns = shown.shape[shown.shape.length - 1] || 1;
  const rows = xs.length / columns;
  const paint = paintOf(trace, xs, isComplex(value) ? "value" : kind);
  const whole = shown === value;
  const body =
    xs.length <= CELLS_WITH_NUMBERS && columns <= WIDEST_GRID
      ? grid(all, columns, paint, value.dtype)
      : bitmap(xs, rows, columns, paint);
  body.setAttribute("role", "img");
  body.setAttribute("aria-label", `Heat map of ${label}, ${rows} by ${columns}${whole ? "" : ", reduced"}`);
  const caption = h(
    "div",
    { class: "heat-caption" },
    h("span", null, `${formatShape(value.shape)}${whole ? "" : ` shown as ${rows} × ${columns}`}`),
    h("span", null, `${formatNumber(Math.min(...xs))} … ${formatNumber(Math.max(...xs))}`),
  );
  return h("div", { class: "heat" }, body, caption);
}

/** @param {unknown[]} xs @param {number} columns @param {import("../ui/scale.js").Paint} paint @param {string} dtype */
function grid(xs, columns, paint, dtype) {
  const element = h(
    "div",
    { class: "grid" },
    xs.map((x) => {
      const cell = h("span", { class: "cell" }, formatNumber(x, dtype));
      const { background, ink } = paint(toNumber(x));
      cell.style.background = background;
      cell.style.color = ink;
      return cell;
    }),
  );
  element.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
  return element;
}

/** @param {number[]} xs @param {number} rows @param {number} columns @param {import("../ui/scale.js").Paint} paint */
function bitmap(xs, rows, columns, paint) {
  const [down, across] = columns > 16 * rows ? fold(xs.length) : [rows, columns];
  const canvas = h("canvas", { width: across, height: down });
  const context = canvas.getContext("2d");
  xs.forEach((x, i) => {
    if (!context) return;
    context.fillStyle = paint(x).background;
    context.fillRect(i % across, Math.floor(i / across), 1, 1);
  });
  canvas.style.aspectRatio = `${across} / ${Math.min(down, across * 1.5)}`;
  return canvas;
}

/** A long strip is unreadable; lines of equal length are not. @param {number} n @returns {[number, number]} */
function fold(n) {
  const across = Math.ceil(Math.sqrt(n * 4));
  return [Math.ceil(n / across), across];
}

/**
 * @param {Value} value
 * @param {"gradient" | "value"} kind
 * @returns {SVGElement | null}
 */
export function histogram(value, kind) {
  const bins = value.histogram ?? binned((flatten(value) ?? []).map(toNumber));
  if (!bins || bins.counts.length < 2) return null;
  const most = Math.max(...bins.counts, 1);
  const wide = 100 / bins.counts.length;
  const bars = bins.counts.map((count, i) => {
    const [low, high] = [toNumber(bins.edges[i] ?? 0), toNumber(bins.edges[i + 1] ?? 0)];
    const tall = count ? Math.max(1.2, (count / most) * 32) : 0;
    return s(
      "rect",
      {
        x: i * wide + 0.3,
        y: 34 - tall,
        width: Math.max(0.4, wide - 0.6),
        height: tall,
        class: kind === "value" ? "" : high <= 0 ? "negative" : low >= 0 ? "positive" : "",
      },
      s("title", null, `${formatNumber(low)} … ${formatNumber(high)}: ${count}`),
    );
  });
  const first = formatNumber(bins.edges[0]);
  const last = formatNumber(bins.edges[bins.edges.length - 1]);
  return s(
    "svg",
    {
      class: "histogram",
      viewBox: "0 0 100 34",
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": `Histogram from ${first} to ${last}`,
    },
    bars,
  );
}

/** @param {number[]} all @returns {{edges: number[], counts: number[]} | null} */
function binned(all) {
  const xs = all.filter(Number.isFinite);
  if (xs.length < 12) return null;
  const low = Math.min(...xs);
  const high = Math.max(...xs);
  if (low === high) return null;
  const bins = Math.min(24, Math.ceil(Math.sqrt(xs.length)) + 2);
  const counts = new Array(bins).fill(0);
  for (const x of xs) counts[Math.min(bins - 1, Math.floor(((x - low) / (high - low)) * bins))] += 1;
  return { counts, edges: Array.from({ length: bins + 1 }, (_, i) => low + ((high - low) * i) / bins) };
}
