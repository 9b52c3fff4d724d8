/**
 * A picture is a list of marks. Painters know marks and nothing else, so SVG, Canvas and the exported file agree.
 * Colours are names of the page's tokens ("panel", "pos") or concrete colours.
 * @module
 */

/** @typedef {string} Paint */

/**
 * How near one must be to see a mark: 0 always · 1 shapes that carry meaning · 2 text.
 * @typedef {0 | 1 | 2} Detail
 */

/**
 * @typedef {{type: "rect", x: number, y: number, w: number, h: number, r: number, fill: Paint, stroke: Paint, sw:
 *   number, dash: string, opacity: number, detail: Detail}} RectMark
 */
/**
 * @typedef {{type: "circle", x: number, y: number, r: number, fill: Paint, stroke: Paint, sw: number, dash: string,
 *   opacity: number, detail: Detail}} CircleMark
 */
/**
 * @typedef {{type: "path", d: string, fill: Paint, stroke: Paint, sw: number, dash: string, opacity: number, detail:
 *   Detail}} PathMark
 */
/**
 * @typedef {{type: "text", x: number, y: number, text: string, size: number, weight: number, align: "start" | "middle"
 *   | "end", mono: boolean, fill: Paint, halo: Paint, strike: boolean, opacity: number, detail: Detail}} TextMark
 */
/** @typedef {RectMark | CircleMark | PathMark | TextMark} Mark */

/**
 * @typedef {(text: string, size: number, weight: number, mono: boolean) => number} Measure width of a text in pixels
 */

/**
 * @param {number} x @param {number} y @param {number} w @param {number} h
 * @param {Partial<Omit<RectMark, "type" | "x" | "y" | "w" | "h">>} [look]
 * @returns {RectMark}
 */
export const rect = (x, y, w, h, look = {}) => ({
  type: "rect",
  x,
  y,
  w,
  h,
  r: 0,
  fill: "none",
  stroke: "none",
  sw: 1,
  dash: "",
  opacity: 1,
  detail: 0,
  ...look,
});

/**
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {Partial<Omit<CircleMark, "type" | "x" | "y" | "r">>} [look]
 * @returns {CircleMark}
 */
export const circle = (x, y, r, look = {}) => ({
  type: "circle",
  x,
  y,
  r,
  fill: "none",
  stroke: "none",
  sw: 1,
  dash: "",
  opacity: 1,
  detail: 0,
  ...look,
});

/** @param {string} d @param {Partial<Omit<PathMark, "type" | "d">>} [look] @returns {PathMark} */
export const path = (d, look = {}) => ({
  type: "path",
  d,
  fill: "none",
  stroke: "none",
  sw: 1,
  dash: "",
  opacity: 1,
  detail: 0,
  ...look,
});

/**
 * @param {number} x
 * @param {number} y
 * @param {string} content
 * @param {Partial<Omit<TextMark, "type" | "x" | "y" | "text">>} [look]
 * @returns {TextMark}
 */
export const text = (x, y, content, look = {}) => ({
  type: "text",
  x,
  y,
  text: content,
  size: 12,
  weight: 400,
  align: "start",
  mono: false,
  fill: "ink",
  halo: "none",
  strike: false,
  opacity: 1,
  detail: 2,
  ...look,
});

/**
 * A soft shadow two rectangles can cast; filters cost more than the whole picture.
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 * @param {number} r
 */
export const shadow = (x, y, w, h, r) => [
  rect(x - 1, y + 1.5, w + 2, h + 1.5, { r: r + 1, fill: "shade", opacity: 0.05, detail: 2 }),
  rect(x, y + 1, w, h + 0.8, { r, fill: "shade", opacity: 0.07, detail: 2 }),
];

/** @param {readonly Mark[]} marks @param {number} dx @param {number} dy @returns {Mark[]} */
export function translate(marks, dx, dy) {
  return marks.map((mark) => {
    if (mark.type !== "path") return { ...mark, x: mark.x + dx, y: mark.y + dy };
    return { ...mark, d: shiftPath(mark.d, dx, dy) };
  });
}

/** Absolute path commands only (M L C Q Z). @param {string} d @param {number} dx @param {number} dy */
function shiftPath(d, dx, dy) {
  let odd = false;
  return d.replace(/[MLCQZ]|-?\d+(\.\d+)?(e-?\d+)?/g, (token) => {
    if (/[MLCQZ]/.test(token)) {
      odd = false;
      return token;
    }
    odd = !odd;
    return String(round(Number(token) + (odd ? dx : dy)));
  });
}

/** @param {number} x */
export const round = (x) => Math.round(x * 100) / 100;

/** Widths of text without a DOM: good to a few per cent for the fonts the page uses. @type {Measure} */
export const roughMeasure = (content, size, weight, mono) => {
  if (mono) return content.length * size * 0.602;
  let width = 0;
  for (const letter of content) {
    width += /[iljt.,:;|!'()[\] ]/.test(letter)
      ? 0.32
      : /[mwMW@—]/.test(letter)
        ? 0.86
        : /[A-Z]/.test(letter)
          ? 0.68
          : 0.56;
  }
  return width * size * (weight >= 600 ? 1.05 : 1);
};

/** Shorten to fit, keeping the end when it is a path: …fc1.weight. @param {string} content @param {number} most */
export function shorten(content, most) {
  if (content.length <= most) return content;
  return content.includes(".") ? `…${content.slice(content.length - most + 1)}` : `${content.slice(0, most - 1)}…`;
}
