/**
 * Ways down to the shelf for leaves with something drawn below their port, as one has that was computed from a tensor
 * above the shelf: their edges go around it, together. Pure.
 * @module
 */

/** @typedef {import("./place.js").Box} Box */
/** @typedef {{x: number, y: number}} Point */
/** One turn aside: to where, and between which heights. @typedef {{x: number, begin: number, end: number}} Turn */

/** Beside what is gone around, better more than less, and beside the edges of another leaf. */
const MARGINS = [9, 4];
/** That much further aside, in pixels, where there is more room. */
const CLOSE = 60;
const APART = 8;
/** Least and largest height of a turn. */
const LOW = 8;
const HIGH = 48;
/** At most so many turns; one is better than more of them if it does not lead further aside than so many pixels. */
const MOST_TURNS = 8;
const NEAR = 160;

/**
 * Turns on the way down from each port, the first one on top; none where nothing is in the way, or no way.
 * @param {readonly Point[]} ports
 * @param {readonly Box[]} boxes  what is drawn
 * @param {number} foot  of the drawing
 * @returns {Turn[][]}
 */
export function turnsDown(ports, boxes, foot) {
  /** @type {Turn[][]} */
  const found = ports.map(() => []);
  /** @type {Box[]} */
  const taken = [];
  const barred = ports.flatMap((port, k) => {
    const [first] = turnsFrom(port, boxes, [], foot) ?? [];
    return first ? [{ k, x: port.x, aside: first.x < port.x ? -1 : 1 }] : [];
  });
  // Those that turn nearest first, so that none crosses another.
  barred.sort((a, b) => a.aside - b.aside || a.aside * (a.x - b.x));
  for (const { k } of barred) {
    const turns = turnsFrom(ports[k], boxes, taken, foot) ?? turnsFrom(ports[k], boxes, [], foot) ?? [];
    turns.forEach(({ x, begin }, i) => taken.push({ x, y: begin, w: 0, h: (turns[i + 1]?.end ?? foot) - begin }));
    found[k] = turns;
  }
  return found;
}

/**
 * A path that begins at a port, led up to it from the foot of the drawing.
 * @param {Float64Array} path @param {readonly Turn[]} turns @param {number} foot
 */
export function ledUp(path, turns, foot) {
  const [px, py] = path;
  let x = turns.at(-1)?.x ?? px;
  let low = foot;
  const pieces = [x, foot];
  for (let i = turns.length - 1; i >= 0; i--) {
    const { begin, end } = turns[i];
    const [above, middle] = [i ? turns[i - 1].x : px, (begin + end) / 2];
    pieces.push(x, low, x, end, x, end, x, middle, above, middle, above, begin);
    [x, low] = [above, begin];
  }
  pieces.push(x, low, px, py, px, py);
  return Float64Array.from([...pieces, ...path.subarray(2)]);
}

/**
 * Is nothing in the way straight down?
 * @param {number} x @param {number} from @param {number} to @param {readonly Box[]} boxes @param {number} margin
 */
const isFree = (x, from, to, boxes, margin) =>
  boxes.every((box) => box.x - margin >= x || box.x + box.w + margin <= x || box.y + box.h <= from || box.y >= to);

/**
 * One turn where the way is free from there on, else around one thing after the other; null: there is no way.
 * @param {Point} port @param {readonly Box[]} boxes @param {readonly Box[]} taken  by other edges
 * @param {number} foot
 * @returns {Turn[] | null}
 */
function turnsFrom(port, boxes, taken, foot) {
  if (isFree(port.x, port.y, foot, boxes, 1)) return [];
  const whole = turnFrom(port, boxes, taken, foot);
  if (whole && Math.abs(whole.x - port.x) <= NEAR) return [whole];
  /** @type {Turn[]} */
  const turns = [];
  for (let at = port; !isFree(at.x, at.y, foot, boxes, 1); ) {
    const first = Math.min(...boxes.filter((box) => !isFree(at.x, at.y, foot, [box], 1)).map(({ y, h }) => y + h));
    const turn = turns.length < MOST_TURNS ? turnFrom(at, boxes, taken, first) : null;
    if (!turn) return whole && [whole];
    turns.push(turn);
    at = { x: turn.x, y: turn.end };
  }
  return turns;
}

/**
 * The nearest way down beside what is below a point, and where it turns there.
 * @param {Point} at @param {readonly Box[]} boxes @param {readonly Box[]} taken @param {number} foot
 * @returns {Turn | null}
 */
function turnFrom(at, boxes, taken, foot) {
  const below = boxes.filter(({ y, h }) => y + h > at.y);
  const sides = [
    ...MARGINS.flatMap((margin) =>
      below.flatMap(({ x, w }) => [
        { x: x - margin, margin },
        { x: x + w + margin, margin },
      ]),
    ),
    ...taken.flatMap(({ x }) => [-APART, APART].map((apart) => ({ x: x + apart, margin: MARGINS[1] }))),
  ].map((side) => ({ ...side, far: Math.abs(side.x - at.x) + (side.margin < MARGINS[0] ? CLOSE : 0) }));
  for (const { x, margin } of sides.sort((a, b) => a.far - b.far)) {
    const [left, right] = [Math.min(x, at.x), Math.max(x, at.x)];
    const passed = below.filter((box) => box.x < right + 1 && box.x + box.w > left - 1);
    const begin = Math.max(at.y, ...passed.flatMap(({ y, h }) => (y <= at.y + 1 ? [y + h] : [])));
    const end = Math.min(begin + HIGH, ...passed.flatMap(({ y }) => (y > at.y + 1 ? [y] : [])));
    if (end - begin < LOW || !isFree(at.x, at.y, begin, below, 1)) continue;
    if (isFree(x, begin, foot, below, margin - 1) && isFree(x, begin, foot, taken, APART - 1)) return { x, begin, end };
  }
  return null;
}
