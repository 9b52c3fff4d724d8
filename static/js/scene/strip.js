/**
 * What each backward pass left in a leaf, side by side: with plus and equals signs where the numbers are an equation.
 * @module
 */
import { bufferKey, valueSummary } from "../trace.js";
import { drawGradient, planBlock } from "./blocks.js";
import { path, rect, round, text } from "./marks.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../trace.js").Summary} Summary */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./marks.js").Measure} Measure */
/** @typedef {import("./colour.js").Colours} Colours */
/** @typedef {import("./blocks.js").Block} Block */

/**
 * @typedef {object} Pass
 * @property {number} t  when it starts
 * @property {number} landed  when its gradient is in the leaf
 * @property {Summary | null} weights  null for a root of one element
 * @property {string} root  the name of what it starts from
 * @property {Summary} incoming
 * @property {boolean} fresh  `.grad` was empty or zero before
 * @property {Summary} after
 */

/**
 * @typedef {object} Strip
 * @property {string} name  of the leaf
 * @property {Pass[]} passes
 * @property {"sum" | "stack" | "apart"} kind  sum: the last pass is the sum of the others · stack: each adds to
 *   `.grad` · apart: neither
 * @property {string} note  beside the title
 * @property {Spaces} spaces
 * @property {Block | null} weights
 * @property {Block} gradient
 * @property {number} overhang  of the label above it, on either side
 * @property {number} box  width of one pass
 * @property {number} row  height of one row of passes
 * @property {number} perRow
 * @property {number} w
 * @property {number} h
 */

const MOST_PASSES = 4;
const MOST_CELLS = 6;
const SIZE = 13;
/**
 * gap, apart: between two passes, with a sign or without
 * @typedef {{pad: number, number: number, arrow: number, gap: number, apart: number}} Spaces
 */
/** @type {Spaces} */
const ROOMY = { pad: 10, number: 30, arrow: 26, gap: 26, apart: 10 };
/** @type {Spaces} */
const CLOSE = { pad: 6, number: 25, arrow: 20, gap: 18, apart: 6 };
const WIDEST = 760;
const TITLE = 24;
const LABELS = 18;
/** Above cells, in their box. */
const HEAD = 10;

/**
 * Closer together, and with less said of all, where that has room.
 * @param {Trace} trace @param {Measure} measure @param {number} most  width there is
 * @returns {Strip | null}  null where it would say nothing
 */
export function planStrip(trace, measure, most) {
  const found = passesOf(trace);
  if (!found) return null;
  const roomy = spaced(found, measure, most, ROOMY);
  return roomy && roomy.w > most ? spaced(found, measure, most, CLOSE) : roomy;
}

/**
 * @param {{name: string, passes: Pass[]}} found @param {Measure} measure @param {number} most @param {Spaces} spaces
 * @returns {Strip | null}
 */
function spaced({ passes, name }, measure, most, spaces) {
  const { pad, number, arrow, gap, apart } = spaces;
  const gradient = planBlock(
    passes.flatMap(({ incoming, after }) => [incoming, after]),
    measure,
    [],
  );
  const given = passes.map(({ weights }) => weights);
  const weights = given.every((each) => each !== null) ? planBlock(given, measure, []) : null;
  if (!gradient.digits || weights?.digits === false) return null;
  const kind = kindOf(passes);
  const rows =
    kind === "stack" ? [] : passes.map((pass) => measure(labelOf(name, pass), SIZE, 400, false) - gradient.w);
  const overhang = Math.ceil(Math.max(0, ...rows) / 2);
  const box = 2 * pad + number + (weights ? weights.w + arrow : 0) + gradient.w + 2 * overhang;
  const total = kind === "stack" ? gap + 2 * pad + gradient.w : 0;
  const row = LABELS + Math.max(gradient.h, weights?.h ?? 0) + 2 * HEAD - 4;
  const perRow = kind === "apart" ? Math.max(1, Math.floor((WIDEST + apart) / (box + apart))) : passes.length;
  const between = kind === "apart" ? apart : gap;
  const across = Math.min(perRow, passes.length);
  const wide = across * (box + between) - between + total;
  const title = measure(titleOf(name), SIZE, 600, false) + 12;
  const room = (/** @type {string} */ note) => title + measure(note, SIZE, 400, false);
  const notes = notesOf(name, kind, passes);
  const short = notes[notes.length - 1];
  const note = notes.find((each) => room(each) <= wide) ?? (room(short) <= most ? short : "");
  return {
    name,
    passes,
    kind,
    note,
    spaces,
    overhang,
    weights,
    gradient,
    box,
    row,
    perRow,
    w: Math.max(room(note), wide),
    h: TITLE + Math.ceil(passes.length / perRow) * (row + apart) - apart,
  };
}

/** @param {string} name */
const titleOf = (name) => `${name}.grad after each backward()`;

/**
 * What to say of all of them, the longest first.
 * @param {string} name @param {Strip["kind"]} kind @param {readonly Pass[]} passes
 */
function notesOf(name, kind, passes) {
  const adds = "each pass adds to what is there";
  if (kind === "stack") return [adds];
  if (!passes.every(({ fresh }) => fresh)) return [`${adds}, unless .grad was cleared in between`, adds];
  const rows = passes.flatMap((pass) => (rowOf(pass) < 0 ? [] : [labelOf(name, pass)]));
  const cleared = ".grad cleared in between";
  const separate =
    rows.length > 1 ? [`${rows.join(", ")}: rows of the Jacobian`] : [`separate passes, ${cleared}`, cleared];
  return kind === "sum" ? [`${separate[0]}; the weights add up, so the gradients do`, ...separate] : separate;
}

/** Which row of the Jacobian a pass gives: that of the only weight, 1. @param {Pass} pass */
function rowOf({ weights, fresh }) {
  const cells = weights?.cells ?? [];
  const at = cells.indexOf(1);
  return fresh && weights?.exact && cells.every((x, i) => x === (i === at ? 1 : 0)) ? at : -1;
}

/** What a pass leaves: `x.grad`, and which derivative that is. @param {string} name @param {Pass} pass */
function labelOf(name, pass) {
  const row = rowOf(pass);
  return row < 0
    ? `${name}.grad`
    : `∂${pass.root}${String(row).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)])}/∂${name}`;
}

/**
 * The passes that all reach one leaf with few elements.
 * @param {Trace} trace
 * @returns {{name: string, passes: Pass[]} | null}
 */
function passesOf(trace) {
  /** @type {Map<number, {t: number, gradient: string | null, inputs: boolean, root: string}>} */
  const calls = new Map();
  /** @type {Map<string, Pass[]>} */
  const leaves = new Map();
  for (const [i, event] of trace.events.entries()) {
    if (event.kind === "gap") return null;
    if (event.kind === "backward") {
      const start = event.roots[0];
      const tensor = start ? trace.edges.tensorAt.get(bufferKey(start[0], start[1])) : undefined;
      const root = tensor ? trace.label(tensor) : "y";
      calls.set(event.call, { t: i + 1, gradient: event.gradients[0] ?? null, inputs: event.inputs !== null, root });
      if (calls.size > MOST_PASSES) return null;
    } else if (event.kind === "accumulate") {
      const call = calls.get(event.call);
      const [before, incoming, after] = [event.before, event.incoming, event.after].map((ref) =>
        valueSummary(trace, ref),
      );
      if (!call || call.inputs || !incoming || !after) continue;
      const weights = valueSummary(trace, call.gradient);
      const list = leaves.get(event.tensor) ?? [];
      leaves.set(event.tensor, list);
      list.push({
        t: call.t,
        landed: i + 1,
        root: call.root,
        weights: weights && weights.cells.length > 1 ? weights : null,
        incoming,
        fresh: !before || before.zero,
        after,
      });
    }
  }
  if (calls.size < 2) return null;
  for (const [id, passes] of leaves) {
    const record = trace.tensors.get(id);
    const small = passes.every(
      ({ incoming, weights }) =>
        incoming.exact && incoming.rows <= 1 && incoming.cells.length <= MOST_CELLS && (weights?.rows ?? 1) <= 1,
    );
    if (passes.length === calls.size && small && record?.name && !record.path) return { name: record.name, passes };
  }
  return null;
}

/** @param {Pass[]} passes @returns {Strip["kind"]} */
function kindOf(passes) {
  if (passes.slice(1).every(({ fresh }) => !fresh)) return "stack";
  const last = passes[passes.length - 1];
  const before = passes.slice(0, -1);
  const isSum = (/** @type {(pass: Pass) => readonly number[]} */ of) =>
    of(last).every((x, j) => {
      const sum = before.reduce((total, pass) => total + (of(pass)[j] ?? NaN), 0);
      return Math.abs(sum - x) <= 1e-5 * Math.max(1e-6, Math.abs(x), Math.abs(sum));
    });
  const given = passes.every(({ weights }) => weights !== null);
  return before.length > 1 &&
    given &&
    passes.every(({ fresh }) => fresh) &&
    isSum(({ weights }) => weights?.cells ?? []) &&
    isSum(({ incoming }) => incoming.cells)
    ? "sum"
    : "apart";
}

/**
 * @param {Strip} strip @param {number} t @param {Colours} colours
 * @returns {Mark[]}  from its top left corner
 */
export function drawStrip(strip, t, colours) {
  const { passes, kind, weights, gradient, box, row, perRow } = strip;
  const { pad, number, arrow, gap, apart } = strip.spaces;
  const last = passes.length - 1;
  const running = passes.filter((pass) => pass.t <= t).length - 1;
  let top = TITLE;
  let cellsY = top + LABELS + HEAD - 4;
  let middle = cellsY + gradient.h / 2;
  /** @type {Mark[]} */
  const marks = [
    text(0, 14, titleOf(strip.name), { size: SIZE, weight: 600 }),
    text(strip.w, 14, strip.note, { size: SIZE, align: "end", fill: "mute" }),
  ];
  const sign = (/** @type {string} */ content, /** @type {number} */ x) =>
    marks.push(text(x, middle + 6, content, { size: 18, weight: 600, align: "middle" }));
  const label = (/** @type {string} */ content, /** @type {number} */ x) =>
    marks.push(text(x, top + 17, content, { size: SIZE, align: "middle", fill: "mute" }));
  let x = 0;
  passes.forEach((pass, i) => {
    if (i && i % perRow === 0) {
      x = 0;
      top += row + apart;
      cellsY += row + apart;
      middle += row + apart;
    }
    const now = i === running && t <= pass.landed;
    marks.push(
      rect(x, top, box, row, { r: 8, fill: "panel", stroke: now ? "bwd" : "line", sw: now ? 2 : 1.2 }),
      text(x + pad, middle + 5, `#${i + 1}`, { size: 14, weight: 600, fill: i <= running ? "ink" : "mute" }),
    );
    let at = x + pad + number;
    if (weights) {
      label("weights", at + weights.w / 2);
      marks.push(...drawGradient(weights, at, cellsY, (i <= running && pass.weights) || "not yet", colours));
      const [from, to] = [at + weights.w + 5, at + weights.w + arrow - 5];
      marks.push(
        path(
          `M${round(from)} ${middle}L${round(to)} ${middle}M${round(to - 5)} ${middle - 4}L${round(to)} ${middle}` +
            `L${round(to - 5)} ${middle + 4}`,
          { stroke: "mute", sw: 1.4 },
        ),
      );
      at += weights.w + arrow;
    }
    at += strip.overhang;
    const shown = kind === "stack" ? pass.incoming : pass.after;
    label(kind === "stack" ? "added" : labelOf(strip.name, pass), at + gradient.w / 2);
    marks.push(...drawGradient(gradient, at, cellsY, t >= pass.landed ? shown : "not yet", colours));
    x += box;
    if (i === last) return;
    if (kind === "apart") x += apart;
    else {
      sign(kind === "sum" && i === last - 1 ? "=" : "+", x + gap / 2);
      x += gap;
    }
  });
  if (kind !== "stack") return marks;
  sign("=", x + gap / 2);
  x += gap;
  marks.push(rect(x, top, 2 * pad + gradient.w, row, { r: 8, fill: "panel", stroke: "ink", sw: 1.5 }));
  label(`${strip.name}.grad`, x + pad + gradient.w / 2);
  const landed = passes.filter((pass) => t >= pass.landed).at(-1);
  marks.push(...drawGradient(gradient, x + pad, cellsY, landed?.after ?? "not yet", colours));
  return marks;
}
