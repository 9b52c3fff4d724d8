/**
 * Scopes: an open one is a soft hull behind its members, a folded one is a box that sums up what happens inside.
 * @module
 */
import { grouped } from "../trace/numbers.js";
import { mix } from "./colour.js";
import { path, rect, round, shadow, shorten, text } from "./marks.js";

/** @typedef {import("./groups.js").Group} Group */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./marks.js").Measure} Measure */
/** @typedef {import("./colour.js").Palette} Palette */
/** @typedef {import("./moment.js").Moment} Moment */
/** @typedef {import("./graph.js").Graph} Graph */

/**
 * @typedef {object} BoxPlan
 * @property {"box"} kind
 * @property {number} w
 * @property {number} h
 * @property {number} anchor
 * @property {Group} group
 * @property {string} title
 * @property {string} detail
 * @property {string[]} nodes  the nodes inside
 * @property {(string | null)[]} tensors  the tensors inside
 */

/** @param {Group} group @param {Graph} graph  unfolded @param {Measure} measure @returns {BoxPlan} */
export function planBox(group, graph, measure) {
  const title = shorten(group.label, 26);
  const ops = group.items.filter((i) => graph.items[i].circle).length;
  const detail = [timesOf(group), ops === 1 ? "1 op" : `${ops} ops`].filter(Boolean).join(" · ");
  const nodes = group.items.flatMap((i) => (graph.items[i].circle ? (graph.items[i].node ?? []) : []));
  const w = Math.round(
    Math.max(
      group.kind === "chain" ? 150 : 116,
      measure(title, 14, 600, false) + 46,
      measure(detail, 13, 400, false) + 40,
    ),
  );
  const tensors = group.items.map((i) => graph.items[i].tensor);
  return { kind: "box", w, h: 58, anchor: 0, group, title, detail, nodes, tensors };
}

/** How often a loop ran, and how much of that is here. @param {Group} group */
export function timesOf({ repeats, recorded }) {
  if (repeats < 2) return "";
  return recorded < repeats ? `${grouped(recorded)} of ${grouped(repeats)} iterations recorded` : `×${repeats}`;
}

/** @param {BoxPlan} plan @param {Moment} moment @param {{error: boolean}} context @returns {Mark[]} */
export function drawBox(plan, moment, context) {
  const { w, h } = plan;
  const x = -w / 2;
  const y = -h / 2;
  let done = 0;
  let reached = 0;
  let running = "";
  for (const id of plan.nodes) {
    const state = moment.node(id);
    if (state.phase === "idle") continue;
    reached++;
    if (state.phase === "done") done++;
    if (state.phase === "running") running = moment.trace.nodes.get(id)?.name ?? "";
  }
  const { event } = moment.after;
  const lands = event?.kind === "accumulate" || event?.kind === "write";
  const now = running || (lands && plan.tensors.includes(event.tensor) ? moment.trace.label(event.tensor) : "");
  const border = context.error ? "error" : now ? "bwd" : "rest";
  /** @type {Mark[]} */
  const marks = [
    rect(x + 5, y - 5, w - 10, h, { r: 9, fill: "panel", stroke: "line" }),
    ...shadow(x, y, w, h, 10),
    rect(x, y, w, h, { r: 10, fill: "panel", stroke: border, sw: now || context.error ? 2 : 1.2 }),
    path(`M${x + 13} ${y + 13.5}L${x + 18} ${y + 18}L${x + 13} ${y + 22.5}`, { stroke: "mute", sw: 1.6, detail: 1 }),
    text(x + 25, y + 22, plan.title, { size: 14, weight: 600 }),
    text(x + 25, y + 39, shorten(now, Math.floor((w - 36) / 7)) || plan.detail, {
      size: 13,
      fill: now ? "bwd-ink" : "mute",
    }),
  ];
  if (reached) {
    const share = (done + (running ? 0.5 : 0)) / plan.nodes.length;
    marks.push(
      rect(x + 12, y + h - 11, w - 24, 4, { r: 2, fill: "sunken" }),
      rect(x + 12, y + h - 11, round(Math.max(4, (w - 24) * share)), 4, { r: 2, fill: "bwd" }),
    );
  }
  return marks;
}

/**
 * @typedef {object} Hull
 * @property {Group} group
 * @property {number} x
 * @property {number} y
 * @property {number} w
 * @property {number} h
 * @property {number} right  where its upper edge ends
 * @property {string} d  the outline
 * @property {number} titleX  where its title begins (titles.js)
 */

/** @type {Record<string, {fill: string, opacity: number, stroke: string}>} */
const TINTS = {
  module: { fill: "ink", opacity: 0.03, stroke: "rest" },
  function: { fill: "ink", opacity: 0.025, stroke: "line" },
  loop: { fill: "ink", opacity: 0.025, stroke: "line" },
  iteration: { fill: "ink", opacity: 0.025, stroke: "line" },
  no_grad: { fill: "ink", opacity: 0.04, stroke: "rest" },
};

/** @param {Group} group */
const tintOf = (group) => TINTS[group.kind] ?? TINTS.function;

/** @param {Hull} hull @returns {Mark[]} */
export function drawHull(hull) {
  const { group, d } = hull;
  const tint = tintOf(group);
  return [
    ...sheets(hull),
    path(d, { fill: tint.fill, opacity: tint.opacity }),
    path(d, { stroke: tint.stroke, dash: group.kind === "no_grad" ? "5 4" : "" }),
  ];
}

/**
 * What lies behind a title: the tints of its hull and of those around it.
 * @param {readonly Group[]} around @param {Palette} palette
 */
export const groundOf = (around, { paper, ink }) =>
  mix(paper, ink, 1 - around.reduce((left, group) => left * (1 - tintOf(group).opacity), 1));

/** px by which a sheet looks out below the one on it. */
const SHEET = 6;

/** The other turns of a training loop, as sheets below. @param {Hull} hull @returns {Mark[]} */
function sheets({ group, d }) {
  const below = Math.min(2, group.stack - 1);
  if (below < 1) return [];
  const others = Array.from({ length: below }, (_, i) =>
    path(moved(d, SHEET * (below - i)), { fill: "paper", stroke: "rest" }),
  );
  return [...others, path(d, { fill: "paper" })];
}

/** An outline, to the right and down. @param {string} d  of absolute points @param {number} by */
const moved = (d, by) => d.replace(/-?\d+(\.\d+)?/g, (number) => String(Math.round(10 * (Number(number) + by)) / 10));

/** Room for a title, per level of nesting. */
const HEAD = 18;

/**
 * A rectangle when nothing foreign lies in it, else an outline that follows the members level by level.
 * @param {Group} group
 * @param {{x: number, y: number, w: number, h: number}[]} members
 * @param {(box: {x: number, y: number, w: number, h: number}) => {x: number, y: number, w: number, h: number}[]}
 *   foreignIn boxes that must stay outside, of those that reach into a rectangle
 * @param {number} pad
 * @param {number} inner  levels of groups inside
 * @returns {Hull}
 */
export function outline(group, members, foreignIn, pad, inner) {
  const head = pad + HEAD * (1 + inner);
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const box of members) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.w);
    bottom = Math.max(bottom, box.y + box.h);
  }
  const box = { x: left - pad, y: top - head, w: right - left + 2 * pad, h: bottom - top + pad + head };
  const foreign = foreignIn(box);
  const titleX = box.x;
  if (!foreign.length || members.length < 2) {
    return { group, ...box, right: box.x + box.w, d: roundedRect(box, 14), titleX };
  }
  const near = follow(members, foreign, pad, head, -1);
  const far = follow(members, foreign, pad, head, 1);
  return {
    group,
    x: near[0].x,
    y: near[0].y0,
    w: box.w,
    h: box.h,
    right: far[0].x,
    titleX: near[0].x,
    d: soften([...corners(far, false), ...corners(near, true)], 14),
  };
}

/** @param {{x: number, y: number, w: number, h: number}} box @param {number} r */
function roundedRect({ x, y, w, h }, r) {
  return soften(
    [
      [x, y],
      [x + w, y],
      [x + w, y + h],
      [x, y + h],
    ],
    r,
  );
}

/**
 * The left (−1) or right (1) edge of the members, with as few steps as what is foreign allows.
 * @param {{x: number, y: number, w: number, h: number}[]} members
 * @param {{x: number, y: number, w: number, h: number}[]} foreign
 * @param {number} pad
 * @param {number} above
 * @param {-1 | 1} side
 */
function follow(members, foreign, pad, above, side) {
  const reach = members.map((box) => ({
    y0: box.y - above,
    y1: box.y + box.h + pad,
    x: side < 0 ? box.x - pad : box.x + box.w + pad,
  }));
  const stops = [...new Set(reach.flatMap(({ y0, y1 }) => [y0, y1]))].sort((p, q) => p - q);
  const farther = side < 0 ? Math.min : Math.max;
  /** @type {Level[]} */
  const levels = [];
  for (let i = 0; i + 1 < stops.length; i++) {
    const y0 = stops[i];
    const y1 = stops[i + 1];
    const over = reach.filter((each) => each.y0 <= y0 && each.y1 >= y1);
    if (!over.length) continue;
    const x = over.reduce((far, each) => farther(far, each.x), over[0].x);
    const last = levels[levels.length - 1];
    if (last && last.x === x && last.y1 === y0) last.y1 = y1;
    else levels.push({ y0, y1, x });
  }
  for (let i = 1; i < levels.length; i++) {
    const middle = (levels[i - 1].y1 + levels[i].y0) / 2;
    levels[i - 1].y1 = levels[i].y0 = middle;
  }
  const free = (/** @type {Level} */ { y0, y1 }, /** @type {number} */ a, /** @type {number} */ b) => {
    const left = Math.min(a, b);
    const right = Math.max(a, b);
    return !foreign.some(
      (other) => other.y < y1 && other.y + other.h > y0 && other.x < right && other.x + other.w > left,
    );
  };
  for (let merged = true; merged; ) {
    merged = false;
    for (let i = 0; i + 1 < levels.length; i++) {
      const [a, b] = [levels[i], levels[i + 1]];
      const x = farther(a.x, b.x);
      if (!free(a, a.x, x) || !free(b, b.x, x)) continue;
      levels.splice(i, 2, { y0: a.y0, y1: b.y1, x });
      merged = true;
      break;
    }
  }
  return levels;
}

/** @typedef {{y0: number, y1: number, x: number}} Level */

/** @param {Level[]} levels @param {boolean} backwards @returns {[number, number][]} */
function corners(levels, backwards) {
  /** @type {[number, number][]} */
  const points = levels.flatMap(({ y0, y1, x }) => [
    /** @type {[number, number]} */ ([x, y0]),
    /** @type {[number, number]} */ ([x, y1]),
  ]);
  return backwards ? points.reverse() : points;
}

/** A polygon with round corners. @param {[number, number][]} points @param {number} radius */
function soften(points, radius) {
  const n = points.length;
  let d = "";
  for (let i = 0; i < n; i++) {
    const [px, py] = points[(i + n - 1) % n];
    const [x, y] = points[i];
    const [nx, ny] = points[(i + 1) % n];
    const before = Math.hypot(x - px, y - py) || 1;
    const after = Math.hypot(nx - x, ny - y) || 1;
    const r = Math.min(radius, before / 2, after / 2);
    const ax = round(x + ((px - x) * r) / before);
    const ay = round(y + ((py - y) * r) / before);
    const bx = round(x + ((nx - x) * r) / after);
    const by = round(y + ((ny - y) * r) / after);
    d += `${i ? "L" : "M"}${ax} ${ay}Q${round(x)} ${round(y)} ${bx} ${by}`;
  }
  return `${d}Z`;
}
