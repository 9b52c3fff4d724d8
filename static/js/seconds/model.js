/**
 * How long forward and backward took, by module and by line: sums of what was measured. Pure.
 * @module
 */
import { pathOf, placeOf } from "../memory/paths.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../memory/paths.js").Path} Path */
/** @typedef {{forward: number, backward: number}} Took  seconds */
/** @typedef {Took & {op: string | null, node: string | null, line: number | null, path: Path}} Measured */
/** @typedef {Took & {all: Measured[]}} Seconds */

/** @type {WeakMap<Trace, Seconds | null>} */
const known = new WeakMap();

/** @param {Trace} trace @returns {Seconds | null} null where nothing was measured */
export function secondsOf(trace) {
  let seconds = known.get(trace);
  if (seconds === undefined) known.set(trace, (seconds = read(trace)));
  return seconds;
}

/** @param {Trace} trace @returns {Seconds | null} */
function read(trace) {
  const { document, events, during } = trace;
  if (!document.timing) return null;
  /** An AccumulateGrad is told where its parameter is used: what sends to it first. @type {Map<string, string>} */
  const near = new Map();
  for (const { id, next_functions } of document.nodes) {
    for (const edge of next_functions) {
      if (edge && trace.nodes.get(edge[0])?.variable && !near.has(edge[0])) near.set(edge[0], id);
    }
  }
  /** @param {string} id */
  const placed = (id) => {
    const node = near.get(id) ?? id;
    const { scope, line } = placeOf(trace, node);
    return { node, path: pathOf(trace, scope), line: trace.nodes.get(id)?.variable ? null : (line ?? 0) };
  };
  /** @type {Measured[]} */
  const all = [];
  for (const { id, seconds, scope, line } of document.ops) {
    if (typeof seconds !== "number") continue;
    const node = during.get(id);
    if (node) all.push({ op: id, forward: 0, backward: seconds, ...placed(node) });
    else all.push({ op: id, node: null, forward: seconds, backward: 0, line: line ?? 0, path: pathOf(trace, scope) });
  }
  for (const event of events) {
    if (event.kind !== "node" || typeof event.seconds !== "number") continue;
    all.push({ op: null, forward: 0, backward: event.seconds, ...placed(event.node) });
  }
  return { ...sum(all), all };
}

/** @param {Iterable<Took>} all @returns {Took} */
export function sum(all) {
  const took = { forward: 0, backward: 0 };
  for (const { forward, backward } of all) {
    took.forward += forward;
    took.backward += backward;
  }
  return took;
}

/** @param {Took} took */
export const whole = ({ forward, backward }) => forward + backward;

/**
 * @template K
 * @param {Measured[]} all @param {(measured: Measured) => K} of
 * @returns {[K, Took, Measured[]][]} the longest first
 */
function grouped(all, of) {
  /** @type {Map<K, Measured[]>} */
  const groups = new Map();
  for (const measured of all) {
    const key = of(measured);
    const group = groups.get(key);
    if (group) group.push(measured);
    else groups.set(key, [measured]);
  }
  return [...groups]
    .map(([key, group]) => /** @type {[K, Took, Measured[]]} */ ([key, sum(group), group]))
    .sort(([, a], [, b]) => whole(b) - whole(a));
}

/**
 * By module: of those that took longest what is inside, as long as there are few enough rows. "" is outside of modules,
 * `net itself` what is in none of its modules.
 * @param {Seconds} seconds @param {number} most
 * @returns {[string, Took][]} the longest first
 */
export function byModule({ all }, most) {
  /** @typedef {{depth: number, all: Measured[]}} Row  whose paths begin alike, with so many names */
  /** @param {Row} row @returns {Row[]} */
  const inside = (row) => {
    const depth = row.depth + 1;
    return grouped(row.all, ({ path }) => path.slice(0, depth).join(".")).map(([, , own]) => ({ depth, all: own }));
  };
  let rows = [{ depth: 0, all }];
  for (let i = 0; i < rows.length; i++) {
    const opened = inside(rows[i]);
    if (!rows[i].all.some(({ path }) => path.length > rows[i].depth) || rows.length - 1 + opened.length > most)
      continue;
    rows = [...rows.slice(0, i), ...rows.slice(i + 1), ...opened].sort((a, b) => whole(sum(b.all)) - whole(sum(a.all)));
    i = -1;
  }
  const names = rows.map((row) => row.all[0].path.slice(0, row.depth).join("."));
  const within = (/** @type {string} */ name) => names.some((other) => other.startsWith(`${name}.`));
  return rows.map((row, i) => [within(names[i]) ? `${names[i]} itself` : names[i], sum(row.all)]);
}

/** @param {Seconds} seconds @returns {[number | null, Took][]} null: adding to `.grad`; 0: no line is known */
export const byLine = ({ all }) => grouped(all, ({ line }) => line).map(([line, took]) => [line, took]);

/** What nodes and their ops took. @param {Trace} trace @param {(node: string) => boolean} is @returns {Took | null} */
export function tookOf(trace, is) {
  const seconds = secondsOf(trace);
  if (!seconds) return null;
  return sum(seconds.all.filter(({ op, node }) => is(node ?? trace.ops.get(op ?? "")?.node ?? "")));
}

const UNITS = ["s", "ms", "µs", "ns"];

/** "2.31 s", "14.2 ms", "850 µs": three digits. @param {number} seconds */
export function duration(seconds) {
  let [x, unit] = [seconds, 0];
  while (x < 0.9995 && x > 0 && unit < UNITS.length - 1) {
    x *= 1000;
    unit++;
  }
  return `${x >= 999.5 ? Math.round(x).toLocaleString("en") : Number(x.toPrecision(3))} ${UNITS[unit]}`;
}
