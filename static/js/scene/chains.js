/**
 * Ops that follow each other, each of which only the next one uses and nobody named the result of: where there is no
 * room for them they are one box. Where that is not enough, so are all ops that lead to one of them only. Pure.
 * @module
 */
import { isTold } from "./fit.js";
import { innermostGroups } from "./groups.js";
import { symbolOfOp } from "./ops.js";

/** @typedef {import("./graph.js").Graph} Graph */
/** @typedef {import("./groups.js").Group} Group */

/** Fewer are not lower as a box. */
const LEAST = 3;

/**
 * @param {import("../trace.js").Trace} trace @param {import("./graph.js").Graph} graph
 * @param {Map<string, Group>} groups @param {boolean} [cones]  with what else leads to an op only
 * @returns {Map<string, Group>}  these, and after them the chains
 */
export function withChains(trace, graph, groups, cones = false) {
  const { items, links } = graph;
  const inside = innermostGroups(graph, groups);
  /** @type {Set<number>[]} */
  const users = items.map(() => new Set());
  for (const { from, to } of links) users[from].add(to);
  const unnamed = (/** @type {number} */ i) =>
    items[i].kind === "op" && Boolean(trace.ops.get(items[i].op ?? "")?.node) && !isTold(trace, items[i]);
  const found = new Map(groups);
  const runs = cones ? conesOf(graph, users, inside, unnamed) : rowsOf(graph, users, inside, unnamed);
  for (const run of runs) {
    const ops = run.flatMap((i) => trace.ops.get(items[i].op ?? "") ?? []);
    if (ops.length < (cones ? 2 : LEAST)) continue;
    const around = groups.get(inside[run[0]] ?? "");
    const [first, last] = [ops[0], ops[ops.length - 1]];
    const symbols = ops.map((op) => symbolOfOp(trace, op)).join(" ");
    found.set(`chain:${first.id}`, {
      ...{
        id: `chain:${first.id}`,
        kind: "chain",
        parent: inside[run[0]],
        depth: (around?.depth ?? 0) + 1,
        items: run,
      },
      ...{ label: branches(run, users) ? trace.label(last.outputs[0]) : symbols, line: first.line ?? 0 },
      ...{ repeats: 1, recorded: 1, turn: null, gathers: false, stack: 0 },
    });
  }
  return found;
}

/**
 * Does an op of several get more than one of the others' results?
 * @param {number[]} run @param {Set<number>[]} users
 */
function branches(run, users) {
  const fed = run.flatMap((i) => [...users[i]].filter((user) => run.includes(user)));
  return new Set(fed).size < fed.length;
}

/**
 * Ops in rows: each is all that the next one gets of them, and used by nothing else.
 * @param {Graph} graph @param {Set<number>[]} users @param {(string | null)[]} inside
 * @param {(i: number) => boolean} unnamed
 */
function rowsOf({ items }, users, inside, unnamed) {
  /** @type {Map<number, number>} what follows, by what comes before it */
  const next = new Map();
  /** @type {Map<number, number[]>} */
  const before = new Map();
  for (const [i, [user, ...others]] of users.map((each) => [...each]).entries()) {
    if (user === undefined || others.length || inside[i] !== inside[user] || !unnamed(i) || !unnamed(user)) continue;
    next.set(i, user);
    before.set(user, [...(before.get(user) ?? []), i]);
  }
  const follows = (/** @type {number | undefined} */ i) => i !== undefined && before.get(i)?.length === 1;
  /** @type {number[][]} */
  const rows = [];
  for (const first of items.keys()) {
    if (follows(first)) continue;
    const row = [first];
    for (let at = next.get(first); at !== undefined && follows(at); at = next.get(at)) row.push(at);
    rows.push(row);
  }
  return rows;
}

/**
 * Ops whose results lead to one of them only, in the order in which they ran.
 * @param {Graph} graph @param {Set<number>[]} users @param {(string | null)[]} inside
 * @param {(i: number) => boolean} unnamed
 */
function conesOf({ items, links }, users, inside, unnamed) {
  /** @type {number[][]} */
  const inputs = items.map(() => []);
  for (const { from, to } of links) inputs[to].push(from);
  const taken = new Set();
  /** @type {number[][]} */
  const cones = [];
  for (let tip = items.length - 1; tip >= 0; tip--) {
    if (taken.has(tip) || !unnamed(tip)) continue;
    const cone = new Set([tip]);
    for (let grown = true; grown; ) {
      const size = cone.size;
      for (const i of [...cone].flatMap((each) => inputs[each])) {
        if (inside[i] === inside[tip] && unnamed(i) && [...users[i]].every((user) => cone.has(user))) cone.add(i);
      }
      grown = cone.size > size;
    }
    for (const i of cone) taken.add(i);
    cones.push([...cone].sort((a, b) => a - b));
  }
  return cones;
}
