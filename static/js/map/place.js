/**
 * Where the boxes of a level stand: from left to right in as few rows as hold them, or from the top down where there is
 * room for one only. Pure.
 * @module
 */

/** @typedef {import("./boxes.js").Level} Level */
/** @typedef {import("./tree.js").Link} Link */
/** @typedef {{x: number, y: number, w: number, h: number, row: number}} Place */
/** @typedef {{link: Link, lane: number}} Arc  lane: how far from the boxes, from 0 */
/** @typedef {{boxes: Place[], arcs: Arc[], rows: number, width: number, height: number, upright: boolean}} Placed */

/** px: below this width boxes stand one below the other. */
const NARROW = 560;
const GAP = { least: 22, most: 48 };
const WIDTH = { least: 76, most: 128 };
const LETTER = 7.85;
const PAD = 20;
/** Between two lanes of arcs, and between the boxes and the first. */
const LANE = 13;
const FIRST = 22;
const BETWEEN = 26;
/** From the top down: the height of a box, and what is between two. */
const UPRIGHT = { h: 46, gap: 16, lane: 11 };

/** @param {number} width px */
export const isUpright = (width) => width < NARROW;

/** How many boxes fit in two rows. @param {number} width px */
export const roomIn = (width) =>
  isUpright(width) ? 12 : 2 * Math.max(2, Math.floor((width + GAP.least) / (104 + GAP.least)));

/**
 * @param {Level} level
 * @param {{width: number, height: number}} how  height: of a box
 * @returns {Placed}
 */
export function placeLevel({ boxes, links }, { width, height }) {
  const arcs = lanesOf(
    links.filter(({ from, to }) => to - from > 1 || to < from).filter(({ from }) => from < boxes.length),
  );
  return isUpright(width) ? upright(boxes, arcs, width) : inRows(boxes, arcs, { width, height });
}

/** Arcs over each other have lanes of their own, the widest the farthest. @param {Link[]} links @returns {Arc[]} */
function lanesOf(links) {
  const reach = (/** @type {Link} */ { from, to }) => [Math.min(from, to), Math.max(from, to)];
  const span = (/** @type {Link} */ link) => reach(link)[1] - reach(link)[0];
  /** @type {Arc[]} */
  const arcs = [];
  for (const link of [...links].sort((a, b) => span(a) - span(b))) {
    const [from, to] = reach(link);
    const over = arcs.filter((other) => {
      const [a, b] = reach(other.link);
      return a < to && from < b;
    });
    arcs.push({ link, lane: Math.max(-1, ...over.map(({ lane }) => lane)) + 1 });
  }
  return arcs;
}

/** @param {Level["boxes"]} boxes @param {Arc[]} arcs @param {{width: number, height: number}} how @returns {Placed} */
function inRows(boxes, arcs, { width, height }) {
  const wide = boxes.map(({ name }) =>
    Math.min(WIDTH.most, Math.max(WIDTH.least, Math.ceil(name.length * LETTER) + PAD)),
  );
  const total = wide.reduce((sum, w) => sum + w + GAP.least, -GAP.least);
  const rows = rowsOf(wide, Math.ceil(total / width), width);
  /** @type {Place[]} */
  const places = [];
  let y = 0;
  for (const [row, { from, to }] of rows.entries()) {
    const lanes = arcs.filter(({ link }) => link.from >= from && link.from < to).map(({ lane }) => lane + 1);
    const above = lanes.length
      ? FIRST + Math.max(...lanes) * LANE
      : boxes.slice(from, to).some(({ around }) => around.length)
        ? FIRST
        : 2;
    y += above + (row ? BETWEEN : 0);
    const own = wide.slice(from, to);
    const free = width - own.reduce((sum, w) => sum + w, 0);
    const gap = own.length > 1 ? Math.min(GAP.most, free / (own.length - 1)) : 0;
    const more = Math.max(0, Math.min(WIDTH.most - WIDTH.least, (free - gap * (own.length - 1)) / own.length));
    const used = own.reduce((sum, w) => sum + w + more, gap * (own.length - 1));
    let x = (width - used) / 2;
    for (const w of own) {
      places.push({ x: Math.round(x), y, w: Math.floor(w + more), h: height, row });
      x += w + more + gap;
    }
    y += height;
  }
  return { boxes: places, arcs, rows: rows.length, width, height: y + 2, upright: false };
}

/**
 * Pieces of about the same width, none wider than the room.
 * @param {number[]} wide @param {number} least rows @param {number} width
 */
function rowsOf(wide, least, width) {
  for (let count = Math.max(1, least); ; count++) {
    const each = Math.ceil(wide.length / count);
    const rows = Array.from({ length: Math.ceil(wide.length / each) }, (_, i) => ({
      from: i * each,
      to: Math.min(wide.length, (i + 1) * each),
    }));
    const fits = rows.every(
      ({ from, to }) => wide.slice(from, to).reduce((sum, w) => sum + w + GAP.least, -GAP.least) <= width,
    );
    if (fits || each === 1) return rows;
  }
}

/** @param {Level["boxes"]} boxes @param {Arc[]} arcs @param {number} width @returns {Placed} */
function upright(boxes, arcs, width) {
  const lanes = Math.max(0, ...arcs.map(({ lane }) => lane + 1));
  const side = boxes.some(({ around }) => around.length) ? FIRST : 0;
  const left = lanes ? FIRST + lanes * UPRIGHT.lane : side;
  return {
    boxes: boxes.map((_, i) => ({ x: left, y: i * (UPRIGHT.h + UPRIGHT.gap), w: width - left, h: UPRIGHT.h, row: 0 })),
    arcs,
    rows: 1,
    width,
    height: boxes.length * (UPRIGHT.h + UPRIGHT.gap) - UPRIGHT.gap + 2,
    upright: true,
  };
}

/**
 * A ribbon from one box to the next, as wide at its ends as the norms there.
 * @param {Place} a @param {Place} b @param {number} from px @param {number} to px @param {boolean} upright
 */
export function ribbon(a, b, from, to, upright) {
  const [p, q] = upright ? [a.y + a.h, b.y] : [a.x + a.w, b.x];
  const middle = upright ? a.x + a.w / 2 : a.y + a.h / 2;
  const bend = (p + q) / 2;
  const at = (/** @type {number} */ along, /** @type {number} */ across) =>
    (upright ? [middle + across, along] : [along, middle + across]).map((x) => x.toFixed(1)).join(" ");
  const [one, other] = [from / 2, to / 2];
  const there = `${at(p, -one)}C${at(bend, -one)} ${at(bend, -other)} ${at(q, -other)}`;
  const back = `${at(q, other)}C${at(bend, other)} ${at(bend, one)} ${at(p, one)}`;
  return `M${there}L${back}Z`;
}

/**
 * An arc over boxes, or beside them; to the place after the last it goes out of the level.
 * @param {Placed} placed @param {Arc} arc
 * @returns {{d: string, top: {x: number, y: number}}} top: where its number stands
 */
export function arcPath({ boxes, upright, width }, { link, lane }) {
  const a = boxes[link.from];
  const b = boxes[link.to] ?? null;
  if (upright) {
    const x = a.x;
    const out = x - FIRST - lane * UPRIGHT.lane + 6;
    const [from, to] = [a.y + a.h / 2, b ? b.y + b.h / 2 : boxes[boxes.length - 1].y + UPRIGHT.h + 6];
    const into = `C${out} ${from} ${out} ${from + 8} ${out} ${from + 16}`;
    const d = `M${x} ${from}${into}V${to - 16}C${out} ${to - 8} ${out} ${to} ${x} ${to}`;
    return { d, top: { x: out, y: (from + to) / 2 } };
  }
  const y = a.y;
  const top = y - FIRST - lane * LANE + 4;
  const from = a.x + a.w / 2;
  const same = b !== null && b.row === a.row;
  const to = same ? b.x + b.w / 2 : width + 4;
  const bend = Math.min(26, Math.abs(to - from) / 2) * Math.sign(to - from);
  const up = `M${from} ${y}C${from} ${top} ${from + bend / 2} ${top} ${from + bend} ${top}`;
  const down = same ? `H${to - bend}C${to - bend / 2} ${top} ${to} ${top} ${to} ${y}` : `H${to}`;
  const rest =
    b && !same ? `M-4 ${b.y - 12}H${b.x + b.w / 2 - 10}Q${b.x + b.w / 2} ${b.y - 12} ${b.x + b.w / 2} ${b.y}` : "";
  return { d: up + down + rest, top: { x: (from + to) / 2, y: top } };
}

/** From the end of a row to the beginning of the next. @param {Placed} placed @param {Place} a @param {Place} b */
export function returnPath({ width }, a, b) {
  const [y, next, between] = [a.y + a.h / 2, b.y + b.h / 2, a.y + a.h + 11];
  const right = Math.min(width + 8, a.x + a.w + 12);
  const left = Math.max(-8, b.x - 12);
  const out = `M${a.x + a.w} ${y}H${right - 6}Q${right} ${y} ${right} ${y + 6}`;
  const down = `V${between - 6}Q${right} ${between} ${right - 6} ${between}H${left + 6}`;
  const on = `Q${left} ${between} ${left} ${between + 6}V${next - 6}Q${left} ${next} ${left + 6} ${next}H${b.x}`;
  return out + down + on;
}

/**
 * A way around modules inside a box, above it.
 * @param {Place} place @param {{from: number, to: number}} way @param {boolean} upright
 */
export function smallArc({ x, y, w, h }, { from, to }, upright) {
  if (upright) {
    const [a, b] = [y + from * h, y + to * h];
    return `M${x} ${a}C${x - 13} ${a} ${x - 13} ${b} ${x} ${b}`;
  }
  const [a, b] = [x + from * w, x + to * w];
  return `M${a} ${y}C${a} ${y - 17} ${b} ${y - 17} ${b} ${y}`;
}
