/**
 * What a backward pass differentiates: one number, L. Of a tensor with several elements it is their sum with the
 * weights that the program gives as `gradient=`; it stands above them, and each weight can be dragged.
 * @module
 */
import { bufferKey, elements, formatNumber, valueSummary } from "../trace.js";
import { path, rect, round, text } from "./marks.js";

/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./marks.js").Measure} Measure */
/** @typedef {import("./blocks.js").Block} Block */
/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("./fit.js").Thrift} Thrift */

/**
 * A pass that starts somewhere.
 * @typedef {{t: number, call: number, root: number, gradient: string | null, roots: number}} Start root: which of so
 *   many it is
 */

/**
 * @typedef {object} ObjectivePlan
 * @property {Start[]} starts  of every pass from here, in order
 * @property {string} name  of the root
 * @property {boolean} complex  its weights are complex
 * @property {"whole" | "terms" | "sum"} form  one number · a term above each element · too many for that
 * @property {boolean} beside  left of a root that is used further on, whose edges leave upwards; in one line
 * @property {boolean} handles  its weights can be dragged
 * @property {number} left  width of what stands left of the elements
 * @property {number} right  width of what stands right of them
 * @property {number} w
 * @property {number} h  with the arrows below it
 */

const SIZE = 14;
const NOTE = 13;
const ARROWS = 17;
const PAD = 12;
const MOST_TERMS = 4;
/** Between two terms, for their plus sign. */
const PLUS = 26;
/** Height with the line that says what it is. */
const TALL = 47;
const LOW = 30;

/** @type {WeakMap<Trace, Map<string, Start[]>>} */
const known = new WeakMap();

/**
 * The passes that start at a place.
 * @param {Trace} trace
 * @param {string | null} place  a bufferKey
 * @returns {Start[]}
 */
export function startsAt(trace, place) {
  let starts = known.get(trace);
  if (!starts) {
    known.set(trace, (starts = new Map()));
    for (const [i, event] of trace.events.entries()) {
      if (event.kind !== "backward") continue;
      for (const [k, [node, nr]] of event.roots.entries()) {
        const key = `${node}/${nr}`;
        const gradient = event.gradients[k] ?? null;
        const start = { t: i + 1, call: event.call, root: k, gradient, roots: event.roots.length };
        const list = starts.get(key);
        if (list) list.push(start);
        else starts.set(key, [start]);
      }
    }
  }
  return (place && starts.get(place)) || [];
}

/**
 * @param {Trace} trace
 * @param {string | null} place
 * @param {{name: string, shape: readonly number[], columns: number, rows: number, used: boolean, thrift: Thrift}}
 *   root
 * @param {Measure} measure
 * @returns {ObjectivePlan | null}  null when no pass starts there
 */
export function planObjective(trace, place, root, measure) {
  const starts = startsAt(trace, place);
  if (!starts.length) return null;
  const count = elements(root.shape);
  const complex = starts.some(({ gradient }) => Boolean(valueSummary(trace, gradient)?.complex));
  const handles = !complex && count > 1 && root.rows === 1 && root.columns <= MOST_TERMS;
  const { dense, stacked } = root.thrift;
  const beside = root.used || (dense && !stacked && count === 1);
  const base = { starts, name: root.name || "y", complex, left: 0, right: 0, beside, handles };
  if (count === 1 || (root.used && handles)) {
    const widest = Math.max(...starts.map((start) => measure(wholeText(trace, start), SIZE, 600, false)));
    return { ...base, form: "whole", w: Math.ceil(widest) + (beside ? 1.5 : 2) * PAD, h: beside ? 0 : 28 + ARROWS };
  }
  if (handles && !root.used) {
    const rests = starts.map((start) => restText(trace, start));
    const totals = rests.map((rest) => measure(rest || "≈ −0.0001234", SIZE, 500, true));
    return {
      ...base,
      form: "terms",
      left: measure("L =", SIZE + 1, 700, false) + 2 * PAD,
      right: Math.max(0, ...totals) + PAD + 6,
      w: dense ? 0 : measure(ABOUT, NOTE, 400, false) + 2 * PAD,
      h: (dense ? LOW : TALL) + ARROWS,
    };
  }
  const line = sumText(base);
  const about = beside || dense ? 0 : measure(ABOUT, NOTE, 400, false);
  return {
    ...base,
    form: "sum",
    w: Math.ceil(Math.max(measure(line, SIZE, 600, false), about)) + 2 * PAD,
    h: beside ? 0 : (dense ? LOW : TALL) + ARROWS,
  };
}

/** Room that it takes left of its card. @param {ObjectivePlan | null} plan */
export const roomBeside = (plan) => (plan?.beside ? plan.w + SIDEWAYS : 0);

const ABOUT = "this is differentiated; you choose the weights";

/** The whole of L, with every root of its pass. @param {Trace} trace @param {Start} start */
function wholeText(trace, { t }) {
  return `L = ${joined(termsOf(trace, t).flat())}`;
}

/** What a pass differentiates besides one root, in order; "" for nothing. @param {Trace} trace @param {Start} start */
function restText(trace, { t, root }) {
  const others = termsOf(trace, t).filter((_, k) => k !== root);
  return others.length ? `+ ${joined(others.flat())}` : "";
}

/** A sum, in which a negative term is a difference. @param {string[]} terms */
const joined = (terms) => terms.join(" + ").replaceAll("+ −", "− ");

/**
 * The terms of L by root of the pass that starts at t: `2·v`, or one for each element.
 * @param {Trace} trace @param {number} t
 * @returns {string[][]}
 */
function termsOf(trace, t) {
  const event = trace.events[t - 1];
  if (event?.kind !== "backward") return [];
  return event.roots.map(([node, nr], k) => {
    const tensor = trace.edges.tensorAt.get(bufferKey(node, nr));
    const name = tensor ? trace.label(tensor) : "y";
    const weights = valueSummary(trace, event.gradients[k]);
    if (weights?.complex) {
      return [weights.cells.length < 2 ? `Re(conj(${weights.complex[0]})·${name})` : `Re Σ conj(weights)·${name}`];
    }
    if (!weights || weights.cells.length < 2) {
      const weight = weights?.cells[0] ?? 1;
      return [weight === 1 ? name : `${formatNumber(weight)}·${name}`];
    }
    return weights.exact && weights.cells.length <= MOST_TERMS && weights.rows === 1
      ? weights.cells.map((x, i) => termText(x, name, i))
      : [`Σ weights·${name}`];
  });
}

/** @param {{name: string, complex: boolean}} of */
const sumText = ({ name, complex }) =>
  complex ? `L = Re(sum of conj(weight) · ${name})` : `L = sum of weight · ${name}, element by element`;

/**
 * Room that a term needs above its element.
 * @param {Trace} trace @param {ObjectivePlan} plan @param {Measure} measure
 */
export function termWidth(trace, plan, measure) {
  if (plan.form !== "terms") return 0;
  const terms = plan.starts.flatMap(({ gradient }) =>
    (valueSummary(trace, gradient)?.cells ?? []).map((x) => measure(termText(x, plan.name, 0), SIZE, 500, true)),
  );
  return Math.max(0, ...terms) + PLUS;
}

/** @param {number} x @param {string} name @param {number} i */
const termText = (x, name, i) =>
  `${formatNumber(x)}·${name}${String(i).replace(/\d/g, (d) => "₀₁₂₃₄₅₆₇₈₉"[Number(d)])}`;

/**
 * @param {ObjectivePlan} plan
 * @param {{x: number, y: number, w: number}} body  of the root's card, which is below
 * @param {{block: Block, x: number, cells: readonly number[]}} value  the root's elements and where they stand
 * @param {{trace: Trace, t: number, now: boolean}} at
 * @returns {Mark[]}
 */
export function drawObjective(plan, body, value, { trace, t, now }) {
  const start = plan.starts.filter((each) => each.t <= t).at(-1) ?? plan.starts[0];
  const begun = start.t <= t;
  const weights = valueSummary(trace, start.gradient)?.cells ?? [];
  if (plan.beside) return drawBeside(plan, body, plan.form === "sum" ? sumText(plan) : wholeText(trace, start), now);
  const h = plan.h - ARROWS;
  const top = body.y - plan.h;
  const ink = begun ? "ink" : "mute";
  const frame = (/** @type {number} */ x, /** @type {number} */ w) => [
    rect(x, top, w, h, { r: 8, fill: "paper", stroke: now ? "bwd" : "rest", sw: now ? 2 : 1.2 }),
  ];
  const arrow = (/** @type {number} */ x, /** @type {number} */ width) => [
    path(`M${round(x)} ${top + h}L${round(x)} ${body.y - 8}`, { stroke: now ? "bwd" : "rest", sw: width }),
    path(`M${round(x)} ${body.y - 1}L${round(x - 5.5)} ${body.y - 10}L${round(x + 5.5)} ${body.y - 10}Z`, {
      fill: now ? "bwd" : "rest",
    }),
  ];
  const middle = body.x + body.w / 2;
  if (plan.form !== "terms") {
    const x = middle - plan.w / 2;
    const whole = plan.form === "whole";
    return [
      ...frame(x, plan.w),
      text(middle, top + (h < TALL ? 19 : 23), whole ? wholeText(trace, start) : sumText(plan), {
        size: SIZE,
        weight: 600,
        align: "middle",
        fill: ink,
      }),
      ...(h < TALL ? [] : [text(middle, top + 38, ABOUT, { size: NOTE, align: "middle", fill: "mute" })]),
      ...arrow(middle, now ? 3 : 1.8),
    ];
  }
  const { block, cells } = value;
  const pitch = block.cellW + block.gap;
  const at = (/** @type {number} */ i) => value.x + i * pitch + block.cellW / 2;
  const x = value.x - plan.left;
  const w = Math.max(plan.w, plan.left + block.w + plan.right);
  const total = weights.reduce((sum, weight, i) => sum + weight * (cells[i] ?? NaN), 0);
  const largest = Math.max(...weights.map(Math.abs), 1e-30);
  return [
    ...frame(x, w),
    text(x + PAD, top + 21, "L =", { size: SIZE + 1, weight: 700, fill: ink }),
    ...weights.flatMap((weight, i) => [
      ...(i ? [text(at(i) - pitch / 2, top + 21, "+", { size: SIZE, align: "middle", fill: "mute" })] : []),
      text(at(i), top + 21, termText(weight, plan.name, i), {
        size: SIZE,
        weight: 500,
        mono: true,
        align: "middle",
        fill: ink,
      }),
      ...arrow(at(i), (now ? 1.6 : 1.2) + 3 * Math.sqrt(Math.abs(weight) / largest)),
    ]),
    text(value.x + block.w + 8, top + 21, restText(trace, start) || totalText(total), {
      size: SIZE,
      mono: true,
      fill: ink,
    }),
    ...(h < TALL ? [] : [text(x + w / 2, top + 38, ABOUT, { size: NOTE, align: "middle", fill: "mute" })]),
  ];
}

/** From the objective to the card on its right. */
const SIDEWAYS = 18;

/**
 * @param {ObjectivePlan} plan @param {{x: number, y: number}} body  of the card @param {string} content
 * @param {boolean} now
 * @returns {Mark[]}
 */
function drawBeside({ w }, { x, y }, content, now) {
  const stroke = now ? "bwd" : "rest";
  const middle = y + 16;
  return [
    rect(x - SIDEWAYS - w, y + 2, w, 28, { r: 8, fill: "paper", stroke, sw: now ? 2 : 1.2 }),
    text(x - SIDEWAYS - w / 2, middle + 5, content, { size: SIZE, weight: 600, align: "middle" }),
    path(`M${round(x - SIDEWAYS)} ${middle}L${round(x - 8)} ${middle}`, { stroke, sw: now ? 3 : 1.8 }),
    path(`M${round(x - 1)} ${middle}L${round(x - 10)} ${middle - 5.5}L${round(x - 10)} ${middle + 5.5}Z`, {
      fill: stroke,
    }),
  ];
}

/** @param {number} total */
function totalText(total) {
  const written = formatNumber(total);
  return `${Math.abs(Number(written.replace("−", "-")) - total) < 1e-9 * Math.abs(total) ? "=" : "≈"} ${written}`;
}
