/**
 * Where the camera stands: fitting, centring, keeping a point under the pointer, and moving between two views.
 * @module
 */

/** @typedef {{x: number, y: number, k: number}} View  screen = world × k + (x, y) */
/** @typedef {{x: number, y: number, w: number, h: number}} Box */
/** @typedef {{width: number, height: number}} Size */

export const CLOSEST = 4,
  FARTHEST = 0.01;
/** A small graph does not fill a screen, but on a large one it is larger. @param {Size} size */
const largestFit = ({ width }) => Math.max(1.4, width / 1000);

/**
 * @param {Box} bounds
 * @param {Size} size
 * @returns {View}
 */
export function fitView(bounds, size) {
  const pad = Math.min(8, size.width * 0.03);
  const above = Math.min(8, size.height * 0.03);
  const room = { w: Math.max(60, size.width - 2 * pad), h: Math.max(60, size.height - 2 * above) };
  const k = Math.max(FARTHEST, Math.min(largestFit(size), room.w / bounds.w, room.h / bounds.h));
  return {
    k,
    x: pad + (room.w - bounds.w * k) / 2 - bounds.x * k,
    y: above + (room.h - bounds.h * k) / 2 - bounds.y * k,
  };
}

/** Below this zoom the smallest text of a graph is under 12 pixels: what does not fit then is scrolled to. */
export const LEGIBLE = 0.925;

/** On a phone text may be ten pixels small where that shows everything from side to side, or the whole of a box. */
const SMALL = 0.76;
/** px below which a stage is that of a phone. */
const PHONE = 430;

/** The least zoom at which a stage of this width can be read. @param {Size} size */
export const leastLegible = ({ width }) => (width < PHONE ? SMALL : LEGIBLE);

/**
 * The first view: everything, when that can be read; else near enough to read, around `focus`, of which the beginning
 * is in sight, and not under a cover; where it has room from side to side, with no box under one.
 * @param {Box} bounds @param {Size} size @param {Box | undefined} focus @param {readonly Box[]} [covers]  on screen
 * @param {readonly Box[]} [boxes]  of the drawing
 * @returns {View}
 */
export function firstView(bounds, size, focus, covers = [], boxes = []) {
  const all = fitView(bounds, size);
  if (all.k >= LEGIBLE) return all;
  const at = focus ?? { x: bounds.x + bounds.w / 2, y: bounds.y, w: 0, h: 0 };
  const across = (/** @type {number} */ w) => (size.width - 2 * RIM) / w;
  const least = leastLegible(size);
  const k = [across(bounds.w), across(at.w)].find((fits) => fits >= least) ?? LEGIBLE;
  const view = lookAt({ k: Math.min(LEGIBLE, k), x: 0, y: 0 }, at, size, bounds);
  const begun = at.w * view.k > size.width - 2 * RIM ? { ...view, x: RIM - at.x * view.k } : view;
  const aimed = covers.reduce((from, cover) => aside(from, onScreen(from, at), cover, size), begun);
  const spare = size.width - 2 * RIM - bounds.w * aimed.k;
  if (spare < 0 || !covered(aimed, boxes, covers)) return aimed;
  const beside = PARTS.map((across) => ({ ...aimed, x: RIM + spare * across - bounds.x * aimed.k }));
  return beside.find((view) => !covered(view, boxes, covers)) ?? aimed;
}

/**
 * How many boxes covers hide something of.
 * @param {View} view @param {readonly Box[]} boxes @param {readonly Box[]} covers
 */
const covered = (view, boxes, covers) =>
  boxes.reduce((n, box) => n + Number(covers.some((cover) => meets(onScreen(view, box), cover))), 0);

/** px at its ends in which a drawing has nothing. */
const BLANK = 14;

/**
 * Centre a box, but do not look past the ends of the drawing; centre that where it is no wider or higher than the room.
 * @param {View} view
 * @param {Box} box
 * @param {Size} size
 * @param {Box} bounds
 * @returns {View}
 */
function lookAt(view, box, size, bounds) {
  const { k } = view;
  const half = { w: size.width / 2 / k, h: size.height / 2 / k };
  const margin = 20 / k;
  const within = (/** @type {number} */ x, /** @type {number} */ low, /** @type {number} */ high) =>
    high - low <= 2 * margin + BLANK / k ? (low + high) / 2 : Math.max(low, Math.min(high, x));
  return centreOn(
    view,
    {
      x: within(box.x + box.w / 2, bounds.x + half.w - margin, bounds.x + bounds.w - half.w + margin),
      y: within(box.y + box.h / 2, bounds.y + half.h - margin, bounds.y + bounds.h - half.h + 60 / k),
    },
    size,
  );
}

/** @param {View} view @param {{x: number, y: number}} point  world @param {Size} size @returns {View} */
export const centreOn = (view, point, size) => ({
  k: view.k,
  x: size.width / 2 - point.x * view.k,
  y: size.height / 2 - point.y * view.k,
});

/** @param {View} view @param {number} factor @param {{x: number, y: number}} at  on screen @returns {View} */
export function zoomAt(view, factor, at) {
  const k = Math.max(FARTHEST, Math.min(CLOSEST, view.k * factor));
  const ratio = k / view.k;
  return { k, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
}

/** @param {Box} a @param {Box} b */
export const meets = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/** @param {View} view @param {Box} box @returns {Box}  on screen */
export const onScreen = (view, box) => ({
  x: box.x * view.k + view.x,
  y: box.y * view.k + view.y,
  w: box.w * view.k,
  h: box.h * view.k,
});

/** Where a drawing may stand in the room around it, as parts of that room, the middle first. */
const PARTS = [0.5, 0.3, 0.7, 0.1, 0.9, 0, 1];
/** px that it keeps from the edges, and how much smaller it is tried. */
const RIM = 6;
const SMALLER = 0.96;

/**
 * Everything, where covers hide nothing of it: moved aside, and smaller while its text can be read; where that cannot
 * be, where they hide least.
 * @param {Box} bounds @param {Size} size @param {readonly Box[]} boxes  of the drawing
 * @param {readonly Box[]} covers  on screen
 * @returns {View}
 */
export function fitClear(bounds, size, boxes, covers) {
  const all = fitView(bounds, size);
  const hidden = (/** @type {View} */ view) => covered(view, boxes, covers);
  let best = { view: all, hides: hidden(all) };
  const room = (/** @type {number} */ k) => ({
    w: size.width - 2 * RIM - bounds.w * k,
    h: size.height - 2 * RIM - bounds.h * k,
  });
  const fits = Math.min((size.width - 2 * RIM) / bounds.w, (size.height - 2 * RIM) / bounds.h);
  const least = Math.min(all.k, LEGIBLE);
  for (let k = Math.min(fits, Math.max(all.k, LEGIBLE)); best.hides && k >= least; k *= SMALLER) {
    const { w, h } = room(k);
    for (const across of PARTS) {
      for (const down of PARTS) {
        const view = { k, x: RIM + w * across - bounds.x * k, y: RIM + h * down - bounds.y * k };
        const hides = hidden(view);
        if (hides < best.hides) best = { view, hides };
        if (!hides) return view;
      }
    }
  }
  return best.view;
}

/** Of the pane: what comes into sight stands so far from its middle, for what follows it lies further on. */
const AHEAD = 0.2;

/**
 * A move that brings a box into view and out from under what covers the picture, in no direction in which it is in
 * sight already; null when it is in sight.
 * @param {View} view
 * @param {Box} box
 * @param {Size} size
 * @param {Box} [bounds] of the drawing
 * @param {readonly Box[]} [covers] on screen
 * @returns {View | null}
 */
export function reveal(view, box, size, bounds, covers = []) {
  const seen = onScreen(view, box);
  const across = seen.x >= 0 && seen.x + seen.w <= size.width;
  const down = seen.y >= 0 && seen.y + seen.h <= size.height;
  const covered = covers.some((cover) => meets(seen, cover));
  if (across && down && !covered) return null;
  const beyond = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ room) => {
    const far = Math.max(0, Math.min(AHEAD * room, (room - to + from) / 2 - RIM));
    return to > room ? far : from < 0 ? -far : 0;
  };
  const ahead = {
    ...box,
    x: box.x + beyond(seen.x, seen.x + seen.w, size.width) / view.k,
    y: box.y + beyond(seen.y, seen.y + seen.h, size.height) / view.k,
  };
  const to = bounds
    ? lookAt(view, ahead, size, bounds)
    : centreOn(view, { x: ahead.x + box.w / 2, y: ahead.y + box.h / 2 }, size);
  const calm = covered && across && down ? view : { k: view.k, x: across ? view.x : to.x, y: down ? view.y : to.y };
  return covers.reduce((at, cover) => aside(at, onScreen(at, box), cover, size), calm);
}

/**
 * Move a box out from under a cover in a corner, the shorter way.
 * @param {View} view
 * @param {Box} seen
 * @param {Box} cover
 * @param {Size} size
 * @returns {View}
 */
function aside(view, seen, cover, size) {
  const gap = 8;
  if (!meets(seen, cover)) return view;
  const x = cover.x + cover.w / 2 > size.width / 2 ? cover.x - gap - seen.x - seen.w : cover.x + cover.w + gap - seen.x;
  const y =
    cover.y + cover.h / 2 > size.height / 2 ? cover.y - gap - seen.y - seen.h : cover.y + cover.h + gap - seen.y;
  return Math.abs(x) < Math.abs(y) ? { ...view, x: view.x + x } : { ...view, y: view.y + y };
}

/**
 * @param {View} a
 * @param {View} b
 * @param {number} t 0 … 1
 * @param {Size} size
 * @returns {View} the centre travels straight, the zoom evenly
 */
export function between(a, b, t, size) {
  if (t >= 1) return b;
  const k = a.k * (b.k / a.k) ** t;
  const centre = (/** @type {View} */ view) => ({
    x: (size.width / 2 - view.x) / view.k,
    y: (size.height / 2 - view.y) / view.k,
  });
  const from = centre(a);
  const to = centre(b);
  const share = Math.abs(a.k - b.k) < 1e-6 ? t : ((k - a.k) / (b.k - a.k)) * (b.k / k);
  const x = from.x + (to.x - from.x) * share;
  const y = from.y + (to.y - from.y) * share;
  return { k, x: size.width / 2 - x * k, y: size.height / 2 - y * k };
}
