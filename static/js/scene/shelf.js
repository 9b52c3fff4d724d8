/**
 * The shelf: leaves at the foot of the picture, one place for each, whatever one sees of the graph above. In the graph
 * a leaf is a port on the lowest level, where its edges come out to go down to the shelf. Pure.
 * @module
 */
import { linkLook } from "./links.js";
import { path, rect, round, text } from "./marks.js";
import { LEGIBLE } from "./view.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Plan} Plan */
/** @typedef {import("./graph.js").Item} Item */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./moment.js").Moment} Moment */
/** @typedef {import("./cards.js").CardPlan} CardPlan */

/**
 * The place of one leaf. A leaf that is written in place between two uses has a card for each state; one is shown.
 * @typedef {object} Slot
 * @property {string} tensor
 * @property {number[]} items  its cards
 * @property {number} w
 * @property {number} h
 * @property {number} above  what stands above the bodies of its cards
 */
/** @typedef {{x: number, y: number}} Point */
/**
 * Centres of slots, and the size of all; rows: which slots; first: the height of the first row.
 * @typedef {{x: number[], y: number[], w: number, h: number, rows: number[][], first: number}} Places
 */

/**
 * How much room leaves have. wide: numbers as they are · narrow: those of a few columns, and no shapes · close: cells
 * without numbers.
 * @typedef {"wide" | "narrow" | "close"} Room
 */

/** The size of a port, where leaves are wider than the graph. */
const PORT = Object.freeze({ w: 24, h: 2 });

/** Between two slots, and around all of them. */
const GAP = 10;
const PAD = 8;
/** A shelf with room is drawn so much larger, on a stage of this height. */
const LARGEST = 1.15;
const HIGH = 560;
/** More leaves than these are folded with the modules they belong to. */
export const MOST_SHELVED = 12;
/** Of the stage: what leaves may take with all their numbers, also where the graph lacks room. */
const MODEST = 0.32;
const LOW = 0.22;
/** Of its height without cells that have none, where those are worth their numbers. */
const WORTH = 0.85;
/** And at most: the rest is scrolled to. */
export const SHARE = 0.56;
/** Above the shelf, where edges come together that go to one leaf, whatever is seen of the graph. */
export const RIM = 20;
/** From where on they do. */
const BEND = 40;
/** Least room above a card, and the radius of the dot there, into which an arrow leads. */
const HEAD = 4;
const DOT = 6;
/** How much further aside an edge goes down between cards where another does already. */
const CROWD = 30;

/** @param {Plan} plan */
export const isShelved = (plan) => plan.kind === "card" && plan.leaf;

/**
 * The port of a leaf that was computed, from what requires no grad: with its name, for an edge ends there.
 * @param {CardPlan} plan @param {import("./marks.js").Measure} measure @param {boolean} ghost  not there yet
 * @returns {Mark[]}
 */
export function portMarks({ anchor, name }, measure, ghost) {
  const w = measure(name, 13, 600, false) + 14;
  const [stroke, dash, fill] = ghost ? ["line", "3 4", "mute"] : ["ink", "", "ink"];
  return [
    rect(anchor - w / 2, -10, w, 20, { r: 10, fill: "panel", stroke, dash, sw: 1.2 }),
    text(anchor, 4.6, name, { size: 13, weight: 600, align: "middle", fill }),
  ];
}

/** @param {readonly Item[]} items @param {readonly Plan[]} plans @returns {Slot[]} */
export function slotsOf(items, plans) {
  /** @type {Map<string, Slot>} */
  const slots = new Map();
  items.forEach((item, i) => {
    if (!isShelved(plans[i])) return;
    const { w, h, body } = /** @type {CardPlan} */ (plans[i]);
    const above = Math.max(HEAD, body.y + h / 2);
    const slot = slots.get(item.tensor ?? "") ?? { tensor: item.tensor ?? "", items: [], w: 0, h: 0, above: 0 };
    slots.set(slot.tensor, {
      ...slot,
      items: [...slot.items, i],
      w: Math.max(slot.w, w),
      h: Math.max(slot.h, above + h / 2 - body.y),
      above: Math.max(slot.above, above),
    });
  });
  return [...slots.values()];
}

/** Width of slots side by side. @param {readonly Slot[]} slots */
export const across = (slots) => slots.reduce((sum, { w }) => sum + w + GAP, 2 * PAD - GAP);

/** Are all in one row, and can be read? @param {readonly Slot[]} slots @param {number} width */
const inOneRow = (slots, width) => across(slots) * LEGIBLE <= width;

/**
 * How a shelf is divided: its slots, and beside or below them what each pass left in a leaf, where there is room.
 * @param {readonly Slot[]} slots @param {{w: number, h: number} | null} strip
 * @param {{width: number, height: number}} stage @param {boolean} [low]  the graph lacks room: no larger than need be
 * @returns {{scale: number, width: number, strip: "none" | "beside" | "below"}}  width: of the slots, as they are drawn
 */
export function divide(slots, strip, { width, height }, low = false) {
  const least = across(slots);
  const more = strip ? strip.w + PAD : 0;
  const beside = strip !== null && (least + more) * LEGIBLE <= width;
  const high = Math.max(0, ...slots.map(({ h }) => h)) + 2 * PAD;
  const room = beside || (high + (strip?.h ?? 0) + GAP) * LEGIBLE <= SHARE * height;
  if (strip && !room) return divide(slots, null, { width, height }, low);
  const largest = low ? LEGIBLE : height < HIGH || (strip && !beside) ? 1 : LARGEST;
  const most = Math.min(largest, (SHARE * height) / high);
  const scale = Math.max(
    LEGIBLE,
    Math.min(most, width / (beside ? least + more : Math.max(least, (strip?.w ?? 0) + 2 * GAP))),
  );
  return { scale, width: width / scale - (beside ? more : 0), strip: !strip ? "none" : beside ? "beside" : "below" };
}

/**
 * Leaves as they are best read in this width.
 * @template {Plan} P
 * @param {readonly Item[]} items @param {(room: Room) => P[]} plan  all items
 * @param {{width: number, height: number}} stage  with the shelf
 * @param {boolean} [low]  the graph lacks room
 * @returns {{plans: P[], ports: ({w: number, h: number, anchor: number} | null)[]}}  ports: null for what is no leaf
 */
export function planLeaves(items, plan, { width, height }, low = false) {
  /** @type {{plans: P[], slots: Slot[], high: number} | undefined} */
  let best;
  for (const room of /** @type {const} */ (["wide", "narrow", "close"])) {
    const plans = plan(room);
    const slots = slotsOf(items, plans);
    const high = placeSlots(slots, [...slots.keys()], width / LEGIBLE).h;
    if (!best || room !== "close" || high < WORTH * best.high) best = { plans, slots, high };
    if (high * LEGIBLE <= height * (low ? LOW : MODEST)) break;
  }
  const { plans, slots } = /** @type {NonNullable<typeof best>} */ (best);
  const fits = inOneRow(slots, width);
  const ports = plans.map((each) => {
    if (!isShelved(each)) return null;
    return fits ? { w: each.w, h: PORT.h, anchor: each.anchor } : { ...PORT, anchor: 0 };
  });
  return { plans, ports };
}

/**
 * In rows, each slot as near to below its port as the others let it.
 * @param {readonly Slot[]} slots @param {readonly number[]} aims  where the ports are, across @param {number} width
 * @returns {Places}
 */
export function placeSlots(slots, aims, width) {
  /** @type {number[][]} */
  const rows = [[]];
  const order = [...slots.keys()].sort((a, b) => aims[a] - aims[b]);
  for (const i of order) {
    const row = /** @type {number[]} */ (rows.at(-1));
    if (row.length && across([...row, i].map((each) => slots[each])) > width + 0.5) rows.push([i]);
    else row.push(i);
  }
  /** @type {Places} */
  const places = { x: [], y: [], w: width, h: PAD, rows, first: 0 };
  for (const row of rows) {
    const above = Math.max(0, ...row.map((i) => slots[i].above));
    const centres = spread(
      row.map((i) => slots[i].w),
      row.map((i) => aims[i]),
      width,
    );
    row.forEach((i, k) => {
      places.x[i] = centres[k];
      places.y[i] = places.h + above - slots[i].above + slots[i].h / 2;
    });
    places.h += Math.max(0, ...row.map((i) => above - slots[i].above + slots[i].h)) + PAD;
    places.first ||= places.h;
  }
  return places;
}

/**
 * Centres as near to where they are wanted as there is room, in this order.
 * @param {number[]} widths @param {number[]} aims @param {number} width
 */
function spread(widths, aims, width) {
  let at = 0;
  const offsets = widths.map((w, i) => {
    at += i ? (widths[i - 1] + w) / 2 + GAP : 0;
    return at;
  });
  /** @type {{sum: number, count: number}[]} */
  const pools = [];
  aims.forEach((aim, i) => {
    let pool = { sum: aim - offsets[i], count: 1 };
    for (let last = pools.at(-1); last && last.sum / last.count > pool.sum / pool.count; last = pools.at(-1)) {
      pool = { sum: pool.sum + last.sum, count: pool.count + last.count };
      pools.pop();
    }
    pools.push(pool);
  });
  const least = PAD + (widths[0] ?? 0) / 2;
  const most = Math.max(least, width - PAD - (widths.at(-1) ?? 0) / 2 - at);
  return pools
    .flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count))
    .map((start, i) => Math.max(least, Math.min(most, start)) + offsets[i]);
}

/** The card that a slot shows at time t. @param {Scene} scene @param {Slot} slot @param {number} t */
export function shownIn(scene, { tensor, items }, t) {
  const card = scene.cardAt(tensor, t);
  return card !== undefined && items.includes(card) ? card : items[0];
}

/**
 * The leaves as they stand on the shelf: a scene in which there is nothing else.
 * @param {Scene} scene @param {Places} places @param {number} t
 * @returns {Scene}
 */
export function onShelf(scene, places, t) {
  const nowhere = () => new Float64Array(scene.items.length).fill(NaN);
  const [x, y] = [nowhere(), nowhere()];
  const boxes = scene.items.map(() => ({ x: NaN, y: NaN, w: 0, h: 0 }));
  const shown = new Set();
  const gates = gatesOf(scene.slots, places);
  /** @type {Map<number, Point[]>} */
  const through = new Map();
  scene.slots.forEach((slot, k) => {
    const i = shownIn(scene, slot, t);
    const plan = /** @type {CardPlan} */ (scene.plans[i]);
    x[i] = places.x[k];
    y[i] = places.y[k] - slot.h / 2 + slot.above - plan.body.y;
    boxes[i] = { x: x[i] - plan.w / 2, y: y[i] - plan.h / 2, w: plan.w, h: plan.h };
    shown.add(i);
    through.set(i, gates[k]);
  });
  return Object.assign(Object.create(scene), {
    x,
    y,
    boxes,
    through,
    shelved: new Set(),
    shows: (/** @type {number} */ i) => shown.has(i),
    hulls: [],
    texts: [],
    linkBoxes: () => [],
  });
}

/** Where the edges of a leaf end: its dot. @param {Scene} shelf  from `onShelf` @param {number} i */
export function dotOf(shelf, i) {
  const plan = /** @type {CardPlan} */ (shelf.plans[i]);
  return { x: shelf.x[i] + plan.anchor, y: shelf.y[i] + plan.body.y };
}

/**
 * Between which cards of the rows above the edges of each slot come down to it, from the top.
 * @param {readonly Slot[]} slots @param {Places} places
 * @returns {Point[][]}
 */
function gatesOf(slots, { x, y, rows }) {
  /** @type {Map<number, number>} */
  const used = new Map();
  const gaps = rows.map((row) => {
    const sides = row.map((i) => ({ left: x[i] - slots[i].w / 2, right: x[i] + slots[i].w / 2 }));
    const middles = sides.slice(1).map(({ left }, k) => (sides[k].right + left) / 2);
    return [(sides[0]?.left ?? 0) - GAP / 2, ...middles, (sides.at(-1)?.right ?? 0) + GAP / 2];
  });
  const top = (/** @type {number} */ i) => y[i] - slots[i].h / 2;
  /** @type {Point[][]} */
  const gates = slots.map(() => []);
  rows.forEach((row, r) => {
    for (const i of row) {
      let at = x[i];
      for (let above = r - 1; above >= 0; above--) {
        const cost = (/** @type {number} */ gap) => Math.abs(gap - at) + CROWD * (used.get(gap) ?? 0);
        const gate = gaps[above].reduce((best, gap) => (cost(gap) < cost(best) ? gap : best));
        used.set(gate, (used.get(gate) ?? 0) + 1);
        const bottom = Math.max(...rows[above].map((k) => top(k) + slots[k].h));
        gates[i].unshift({ x: gate, y: Math.min(...rows[above].map(top)) - PAD }, { x: gate, y: bottom });
        at = gate;
      }
    }
  });
  return gates;
}

/** From the top of the shelf to the dot of a leaf. @param {Scene} shelf  from `onShelf` @param {number} i */
export function wayDown(shelf, i) {
  const through = /** @type {{through: Map<number, Point[]>}} */ (/** @type {unknown} */ (shelf)).through.get(i) ?? [];
  return [...through, dotOf(shelf, i)];
}

/**
 * An edge from where it comes out of the graph down to a leaf.
 * @param {readonly Point[]} way  straight down from each point, then over to the next
 * @param {import("./links.js").LinkLook} look
 * @returns {Mark}
 */
export function dropMark(way, look) {
  let d = `M${round(way[0].x)} ${round(way[0].y)}`;
  way.slice(1).forEach((to, k) => {
    const from = way[k];
    const bend = Math.max(from.y, to.y - BEND);
    const middle = round((bend + to.y) / 2);
    const [x0, x1] = [round(from.x), round(to.x)];
    d += `L${x0} ${round(bend)}C${x0} ${middle} ${x1} ${middle} ${x1} ${round(to.y)}`;
  });
  return path(d, {
    stroke: look.stroke,
    sw: Math.round(look.width * 10) / 10,
    dash: look.dash,
    opacity: look.opacity,
  });
}

/**
 * Edges of the leaves on show.
 * @param {Scene} scene @param {Moment} moment
 * @param {(j: number, i: number) => Point[]} way  of a link down to its leaf
 * @returns {Mark[]}
 */
export const shelfEdges = (scene, moment, way) =>
  scene.slots.flatMap((slot) => {
    const i = shownIn(scene, slot, moment.t);
    return scene.out[i].map((j) => {
      const link = scene.links[j];
      return dropMark(way(j, i), linkLook(link, scene.items[i], scene.items[link.to], moment, scene.colours));
    });
  });

/**
 * Arrows of gradients that have come down, into the dots of their leaves.
 * @param {Scene} scene @param {Moment} moment @param {Scene} standing
 * @returns {Mark[]}
 */
export const arrowsInto = (scene, moment, standing) =>
  scene.slots.flatMap((slot) => {
    const i = shownIn(scene, slot, moment.t);
    const { x, y } = dotOf(standing, i);
    return scene.out[i].flatMap((j) => {
      const link = scene.links[j];
      const look = linkLook(link, scene.items[i], scene.items[link.to], moment, scene.colours);
      if (look.arrow !== "backward") return [];
      const [tip, top, half] = [y - DOT, y - DOT - 6, 3 + look.width / 2].map(round);
      return [path(`M${round(x)} ${tip}L${round(x - half)} ${top}L${round(x + half)} ${top}Z`, { fill: look.stroke })];
    });
  });

/**
 * Where a link is seen to come out of the graph: its port, or the rim where that lies below; straight above its leaf
 * where neither is in sight.
 * @param {Scene} scene @param {number} j @param {import("./view.js").View} view @param {number} width  of the room
 * @param {number} rim @param {number} x  of the leaf
 */
export function outletOf(scene, j, view, width, rim, x) {
  const { xs, ys } = scene.way(j);
  const at = (/** @type {number} */ k) => ({ x: xs[k] * view.k + view.x, y: ys[k] * view.k + view.y });
  let below = at(0);
  for (let k = 1; below.y > rim && k < xs.length; k++) {
    const above = at(k);
    if (above.y > rim) below = above;
    else below = { x: above.x + ((below.x - above.x) * (rim - above.y)) / (below.y - above.y), y: rim };
  }
  const seen = below.y <= rim && below.x >= 0 && below.x <= width && !(below.y < 0 && isBarred(scene, view, below));
  return seen ? { x: below.x, y: Math.max(below.y, -RIM) } : { x, y: rim };
}

/**
 * What is drawn at the height where edges turn on their way to the shelf, from left to right on screen.
 * @param {Scene} scene @param {import("./view.js").View} view @param {number} rim
 * @returns {{left: number, right: number}[]}
 */
export function besideTurns(scene, view, rim) {
  const [top, bottom] = [rim + RIM - BEND, rim].map((y) => (y - view.y) / view.k);
  return scene.boxes.flatMap(({ x, y, w, h }, i) =>
    scene.shows(i) && y < bottom && y + h > top
      ? [{ left: x * view.k + view.x, right: (x + w) * view.k + view.x }]
      : [],
  );
}

/**
 * From an outlet to the top of the shelf; where something is beside it, it turns no higher than the rim.
 * @param {Point} from @param {Point} to @param {readonly {left: number, right: number}[]} beside
 * @returns {Point[]}
 */
export function wayToShelf(from, to, beside) {
  const rim = to.y - RIM;
  const [low, high] = [Math.min(from.x, to.x), Math.max(from.x, to.x)];
  const turns = from.y < rim && beside.some(({ left, right }) => left < high && right > low);
  return turns ? [from, { x: from.x, y: rim }, to] : [from, to];
}

/**
 * Is something drawn straight below a point that is out of sight?
 * @param {Scene} scene @param {import("./view.js").View} view @param {{x: number, y: number}} from  on screen
 */
function isBarred(scene, view, from) {
  const at = { x: (from.x - view.x) / view.k, y: (from.y - view.y) / view.k };
  return scene.boxes.some(({ x, y, w }, i) => scene.shows(i) && y > at.y && x <= at.x && at.x <= x + w);
}

/** Where the edges of slots come down, across; with none, where the layout put the leaf. @param {Scene} scene */
export const aimsOf = (scene) => scene.slots.map(({ items: [i] }) => scene.x[i] + scene.aside[i]);
