/**
 * Ops that follow each other, each of which only the next one uses and nobody named the result of: where there is no
 * room for them they are one box. Pure.
 * @module
 */
import { isTold } from "./fit.js";
import { innermostGroups } from "./groups.js";
import { symbolOfOp } from "./ops.js";

/** @typedef {import("./groups.js").Group} Group */

/** Fewer are not lower as a box. */
const LEAST = 3;

/**
 * @param {import("../trace.js").Trace} trace @param {import("./graph.js").Graph} graph
 * @param {Map<string, Group>} groups
 * @returns {Map<string, Group>}  these, and after them the chains
 */
export function withChains(trace, { items, links }, groups) {
  const inside = innermostGroups({ items, links }, groups);
  const users = items.map(() => new Set());
  for (const { from, to } of links) users[from].add(to);
  const unnamed = (/** @type {number} */ i) =>
    items[i].kind === "op" && trace.ops.get(items[i].op ?? "")?.node && !isTold(trace, items[i]);
  /** @type {Map<number, number>} what follows, by what comes before it */
  const next = new Map();
  const before = new Map();
  for (const [i, [user, ...others]] of users.map((each) => [...each]).entries()) {
    if (user === undefined || others.length || inside[i] !== inside[user] || !unnamed(i) || !unnamed(user)) continue;
    next.set(i, user);
    before.set(user, [...(before.get(user) ?? []), i]);
  }
  const follows = (/** @type {number | undefined} */ i) => i !== undefined && before.get(i)?.length === 1;
  const found = new Map(groups);
  for (const first of items.keys()) {
    if (follows(first)) continue;
    const chain = [first];
    for (let at = next.get(first); at !== undefined && follows(at); at = next.get(at)) chain.push(at);
    const ops = chain.flatMap((i) => trace.ops.get(items[i].op ?? "") ?? []);
    if (chain.length < LEAST) continue;
    const around = groups.get(inside[first] ?? "");
    const id = `chain:${ops[0].id}`;
    found.set(id, {
      ...{ id, kind: "chain", parent: inside[first], depth: (around?.depth ?? 0) + 1, items: chain },
      ...{ label: ops.map((op) => symbolOfOp(trace, op)).join(" "), line: ops[0].line ?? 0 },
      ...{ repeats: 1, recorded: 1, turn: null, gathers: false, stack: 0 },
    });
  }
  return found;
}
