/**
 * Who holds it: modules by their paths, lines; and what checkpointing which of them would give. Pure.
 * @module
 */
import { checkpointing, sharesAt } from "./model.js";
import { around, pathOf, placeOf } from "./paths.js";

/** @typedef {import("./model.js").Memory} Memory */
/** @typedef {import("./model.js").Checkpointing} Checkpointing */

/** Of more modules than this those around them are told, unless that is a single one. */
export const ROWS = 6;

/** @template K @param {Map<K, number>} shares @returns {[K, number][]} the most first */
const most = (shares) => [...shares].sort(([, a], [, b]) => b - a);

/**
 * What modules hold at a time, the most first: those as deep inside as leaves few enough. "" is outside of any,
 * `net itself` what is in none of its modules.
 * @param {Memory} memory @param {number} t
 * @returns {[string, number][]} empty where no module holds anything
 */
export function modulesAt(memory, t) {
  const shares = sharesAt(memory, t, (node) => pathOf(memory.trace, placeOf(memory.trace, node).scope));
  const deepest = Math.max(0, ...[...shares.keys()].map(({ length }) => length));
  /** @type {Map<string, number>} */
  let rows = new Map();
  for (let depth = 1; depth <= deepest; depth++) {
    const finer = new Map();
    for (const [path, bytes] of shares) {
      const name = path.slice(0, depth).join(".");
      finer.set(name, (finer.get(name) ?? 0) + bytes);
    }
    const one = rows.size - (rows.has("") ? 1 : 0) < 2;
    if (finer.size > ROWS && !one) break;
    rows = finer;
  }
  const within = (/** @type {string} */ name) => [...rows.keys()].some((other) => other.startsWith(`${name}.`));
  return most(new Map([...rows].map(([name, bytes]) => [within(name) ? `${name} itself` : name, bytes])));
}

/**
 * What lines hold at a time, the most first.
 * @param {Memory} memory @param {number} t
 * @returns {[number | null, number][]}
 */
export const linesAt = (memory, t) => most(sharesAt(memory, t, (node) => placeOf(memory.trace, node).line));

/** Scopes of modules, by path. @param {Memory} memory */
function callsOf(memory) {
  /** @type {Map<string, string[]>} */
  const byPath = new Map();
  for (const { id, kind } of memory.trace.scopes.values()) {
    const path = pathOf(memory.trace, id).join(".");
    if (kind === "module") byPath.set(path, [...(byPath.get(path) ?? []), id]);
  }
  return byPath;
}

/** @typedef {{name: string} & Checkpointing} Offer  name: `net.blocks.0`, or `net.blocks.0–5` for all of them */

/**
 * What checkpointing the module of a scope would give, at all of its calls.
 * @param {Memory} memory @param {string} scope
 * @returns {Offer}
 */
export function offerOf(memory, scope) {
  const name = pathOf(memory.trace, scope).join(".");
  return { name, ...checkpointing(memory, callsOf(memory).get(name) ?? []) };
}

/** A module in a list: what holds it, and its number. */
const NUMBERED = /^(.*\.)?(\d+)$/;
/** What lowers the peak by less than this of it is no help. */
const LEAST = 0.05;

/**
 * What lowers the peak when it is checkpointed, the most first: modules, and alike ones of one list together. Of those
 * that lower it by as much, what computes least again.
 * @param {Memory} memory
 * @returns {Offer[]}
 */
export function offersOf(memory) {
  const { trace, peak } = memory;
  /** @type {Map<string, number>} scope → bytes */
  const held = new Map();
  for (const [scope, bytes] of sharesAt(memory, peak.t, (node) => placeOf(memory.trace, node).scope ?? "")) {
    for (const id of around(trace, scope)) held.set(id, (held.get(id) ?? 0) + bytes);
  }
  const found = callsOf(memory);
  /** @type {Map<string, string[]>} list and class → paths */
  const lists = new Map();
  for (const [name, scopes] of found) {
    const list = NUMBERED.exec(name);
    const key = `${list?.[1]} ${trace.scopes.get(scopes[0])?.label.split(": ")[1]}`;
    if (list) lists.set(key, [...(lists.get(key) ?? []), name]);
  }
  for (const names of lists.values()) {
    if (names.length < 2) continue;
    const name = `${names[0]}–${NUMBERED.exec(names[names.length - 1])?.[2]}`;
    found.set(
      name,
      names.flatMap((each) => found.get(each) ?? []),
    );
  }
  const enough = (/** @type {number} */ bytes) => bytes > LEAST * peak.bytes;
  return [...found]
    .filter(([, scopes]) => enough(scopes.reduce((sum, id) => sum + (held.get(id) ?? 0), 0)))
    .map(([name, scopes]) => ({ name, ...checkpointing(memory, scopes) }))
    .filter(({ frees }) => enough(frees))
    .sort((a, b) => b.frees - a.frees || a.ops - b.ops)
    .filter(({ frees }, i, all) => frees !== all[i - 1]?.frees);
}
