/**
 * A drawing with what is said of it, as a paper or a post shows it: title, step and code above, the sentence and the
 * key below. Pure.
 * @module
 */
import { rect, text } from "../scene/marks.js";
import { layer } from "./drawing.js";

/** @typedef {import("../scene/marks.js").Mark} Mark */
/** @typedef {import("../scene/marks.js").Measure} Measure */
/** @typedef {import("../scene/place.js").Box} Box */
/** @typedef {import("../ui/types").Token} Token */
/** @typedef {import("./drawing.js").Drawing} Drawing */
/** @typedef {import("./drawing.js").Layer} Layer */

/**
 * @typedef {object} Caption
 * @property {string} title
 * @property {string} step  `backward #1, step 3 of 7`
 * @property {{number: number, text: string}[]} code  lines of the program, the one that runs first
 * @property {Token[]} sentence
 */
/** @typedef {{marks: Mark[], w: number}} Key  of `drawLegend` and `drawWays` */
/** @typedef {{w: number, h: number, title: string, sentence: string, layers: Layer[]}} Figure */
/** What a figure has room for at least. @typedef {{box: Box, code: number, lines: number}} Room */

const PAD = 28;
const LEAST = 480;
const TITLE = { size: 19, line: 26 };
const STEP = { size: 13, line: 22 };
const CODE = { size: 13.5, line: 23, gutter: 40 };
const SAY = { size: 16, line: 24 };
const KEY = 24;
/** Of a key, from where it begins. */
const INSET = 8;
const GAP = 18;
/** Words are as large as this wide a drawing is to them; they grow with a wider one, so far. */
const READ_AT = 900;
const LARGEST = 4;

/**
 * How the words of a sentence look, by what they name.
 * @type {Partial<Record<Token["kind"], {mono?: true, weight?: number}>>}
 */
const LOOKS = {
  code: { mono: true },
  tensor: { mono: true, weight: 600 },
  node: { mono: true },
  value: { weight: 650 },
  gradient: { weight: 650 },
};

/** @typedef {{text: string, size: number, weight: number, mono: boolean}} Run */

/**
 * Words, of runs that no space parts.
 * @param {readonly Token[]} tokens @param {number} size @param {number} weight
 */
function wordsOf(tokens, size, weight) {
  /** @type {Run[][]} */
  const words = [[]];
  for (const token of tokens) {
    const { mono = false, weight: heavy = weight } = LOOKS[token.kind] ?? {};
    for (const [i, part] of token.text.split(/\s+/).entries()) {
      if (i) words.push([]);
      if (part) words.at(-1)?.push({ text: part, size: mono ? size * 0.94 : size, weight: heavy, mono });
    }
  }
  return words.filter((word) => word.length);
}

/**
 * The lines of a text, as marks from their own left end.
 * @param {readonly Token[]} tokens @param {{size: number, weight?: number, width: number, measure: Measure}} how
 * @returns {Mark[][]}
 */
function wrapped(tokens, { size, weight = 400, width, measure }) {
  /** @type {Mark[][]} */
  const lines = [];
  const space = measure(" ", size, weight, false) || size / 4;
  let x = Infinity;
  for (const word of wordsOf(tokens, size, weight)) {
    const wide = word.reduce((sum, run) => sum + measure(run.text, run.size, run.weight, run.mono), 0);
    if (x + wide > width) {
      lines.push([]);
      x = 0;
    }
    for (const { text: content, ...look } of word) {
      lines.at(-1)?.push(text(x, 0, content, look));
      x += measure(content, look.size, look.weight, look.mono);
    }
    x += space;
  }
  return lines;
}

/** What fits of a line of code. @param {string} code @param {number} width @param {Measure} measure */
function cut(code, width, measure) {
  const most = Math.floor(width / (measure("m", CODE.size, 400, true) || 8));
  return code.length > most ? `${code.slice(0, most - 1)}…` : code;
}

/** @param {number} width  of a drawing @param {readonly Key[]} keys */
function measures(width, keys) {
  const least = Math.max(LEAST, ...keys.map(({ w }) => w));
  const k = Math.max(1, Math.min(LARGEST, width / READ_AT));
  return { k, w: Math.max(width, least * k) };
}

/**
 * Lines that sentences need below a drawing of this width, at most.
 * @param {readonly Caption[]} captions @param {number} width @param {readonly Key[]} keys @param {Measure} measure
 */
export function linesFor(captions, width, keys, measure) {
  const { k, w } = measures(width, keys);
  const lines = captions.map(({ sentence }) => wrapped(sentence, { size: SAY.size, width: w / k, measure }).length);
  return Math.max(0, ...lines);
}

/**
 * @param {Drawing} drawing @param {Caption} caption @param {readonly Key[]} keys @param {Measure} measure
 * @param {Room} [room]  none: what this drawing needs
 * @returns {Figure}
 */
export function figureOf(drawing, caption, keys, measure, room = { box: drawing.box, code: 0, lines: 0 }) {
  const { box } = room;
  const { k, w } = measures(box.w, keys);
  const width = w / k;
  /** @type {Mark[]} */
  const above = [];
  /** @type {Mark[]} */
  const below = [];
  const down = (/** @type {Mark[]} */ marks, /** @type {number} */ y) =>
    marks.map((mark) => (mark.type === "text" ? { ...mark, y } : mark));

  let y = 0;
  const title = wrapped([{ kind: "text", text: caption.title }], { ...TITLE, weight: 650, width, measure });
  for (const line of title) {
    above.push(...down(line, y + TITLE.size));
    y += TITLE.line;
  }
  above.push(text(0, y + STEP.size + 2, caption.step, { size: STEP.size, fill: "mute", weight: 500 }));
  y += STEP.line;
  const rows = Math.max(room.code, caption.code.length);
  if (rows) {
    y += 8;
    above.push(rect(0, y, width, rows * CODE.line + 8, { r: 6, fill: "sunken" }));
    caption.code.forEach(({ number, text: code }, i) => {
      const base = y + 4 + i * CODE.line + 16;
      const look = { size: CODE.size, mono: true };
      if (!i) above.push(rect(0, y + 4, 3, CODE.line, { fill: "bwd" }));
      above.push(text(CODE.gutter - 12, base, String(number), { ...look, align: "end", fill: "mute" }));
      const shown = cut(code, width - CODE.gutter - 8, measure);
      above.push(text(CODE.gutter, base, shown, { ...look, fill: i ? "soft" : "ink", weight: i ? 400 : 600 }));
    });
    y += rows * CODE.line + 8;
  }
  const top = PAD + (y + GAP) * k;

  y = 0;
  for (const line of wrapped(caption.sentence, { size: SAY.size, width, measure })) {
    below.push(...down(line, y + SAY.size));
    y += SAY.line;
  }
  y = Math.max(y, room.lines * SAY.line) + 12;
  below.push(rect(0, y, width, 1, { fill: "line" }));
  y += 6;
  const foot = top + box.h + GAP * k;
  const at = (/** @type {number} */ dy, dx = 0) => ({ x: PAD + dx * k, y: foot + dy * k, k });
  const legend = keys.map(({ marks }, i) => layer(marks, at(y + i * KEY, -INSET)));
  const last = y + Math.max(0, keys.length - 1) * KEY;
  const high = foot + (last + KEY) * k;
  below.push(text(width, last + 17.5, "Backlight", { size: 13, weight: 600, align: "end", fill: "mute" }));

  const [right, lower] = [PAD + (w - box.w) / 2 - box.x, top - box.y];
  return {
    w: Math.ceil(w + 2 * PAD),
    h: Math.ceil(high + PAD * 0.6),
    title: caption.title,
    sentence: caption.sentence.map((token) => token.text).join(""),
    layers: [
      layer(above, { x: PAD, y: PAD, k }),
      ...drawing.layers.map((each) => ({ ...each, x: each.x + right, y: each.y + lower })),
      layer(below, at(0)),
      ...legend,
    ],
  };
}
