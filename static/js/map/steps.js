/**
 * The time steps of a module that computes them itself, as `nn.RNN` does: ops of one call that repeat. Pure.
 * @module
 */
import { part } from "./part.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../trace/document").Op} OpRecord */
/** @typedef {import("./tree.js").Part} Part */

/** So many steps make a loop. */
const LEAST = 3;
/** Ops that one step may have. */
const LONGEST = 32;

/** @typedef {{part: Part, op: OpRecord}} Placed */

/**
 * Put the ops of every module that repeat into turns of a loop.
 * @param {Trace} trace @param {Iterable<Part>} modules
 */
export function gatherSteps(trace, modules) {
  /** @type {Map<string, number> | undefined} */
  let order;
  for (const module of modules) {
    if (module.children.length < 2 * LEAST) continue;
    order ??= new Map([...trace.ops.keys()].map((id, i) => [id, i]));
    const at = order;
    const placed = module.children.flatMap((child) => {
      const op = child.node ? trace.ops.get(trace.nodes.get(child.node)?.op ?? "") : undefined;
      return op ? [{ part: child, op }] : [];
    });
    if (placed.some(({ op }) => op.line !== placed[0].op.line)) continue; // the module's own program, not one call
    placed.sort((a, b) => (at.get(a.op.id) ?? 0) - (at.get(b.op.id) ?? 0));
    const taken = new Set();
    for (const steps of repeated(placed).filter(follow)) {
      const loop = part("loop", module, `${module.id}/steps:${steps[0][0].op.id}`, "time steps", "", module.line);
      const times = new Map(
        placed.flatMap(({ op }) => (op.outputs.length === steps.length ? op.outputs.map((id, i) => [id, i]) : [])),
      );
      for (const [i, step] of steps.entries()) {
        const given = step.flatMap(({ op }) => op.inputs).find((tensor) => times.has(tensor));
        const time = given === undefined ? i : times.get(given);
        const turn = part("turn", loop, `${loop.id}:${i}`, `step ${time}`, "", module.line);
        for (const { part: child } of step) {
          child.parent = turn;
          turn.children.push(child);
          taken.add(child);
          for (const outer of [turn, loop]) {
            outer.first = Math.min(outer.first, child.first);
            outer.last = Math.max(outer.last, child.last);
            outer.ops++;
          }
        }
      }
    }
    module.children = module.children.filter((child) => !taken.has(child));
  }
}

/** Whether each goes on from the one before: what only looks alike is no step in time. @param {Placed[][]} steps */
function follow(steps) {
  return steps.slice(1).every((step, i) => {
    const made = new Set(steps[i].flatMap(({ op }) => op.outputs));
    return step.some(({ op }) => op.inputs.some((tensor) => made.has(tensor)));
  });
}

/**
 * Runs of steps with the same ops in the same order, each as long as it can be.
 * @param {Placed[]} placed  in the order in which they ran
 * @returns {Placed[][][]}
 */
function repeated(placed) {
  const names = placed.map(({ op }) => op.name);
  const longest = Math.min(LONGEST, Math.floor(names.length / LEAST));
  /** For each period and place: how many ops from there on are what they are a period later. */
  const alike = Array.from({ length: longest + 1 }, (_, period) => {
    const run = new Array(names.length + 1).fill(0);
    for (let i = names.length - period - 1; period > 1 && i >= 0; i--) {
      run[i] = names[i] === names[i + period] ? run[i + 1] + 1 : 0;
    }
    return run;
  });
  const found = [];
  for (let i = 0; i < names.length; ) {
    let [best, period] = [0, 0];
    for (let p = 2; p <= longest; p++) {
      const covered = alike[p][i] < p ? 0 : (Math.floor(alike[p][i] / p) + 1) * p;
      if (covered >= LEAST * p && covered > best) [best, period] = [covered, p];
    }
    if (best) {
      found.push(Array.from({ length: best / period }, (_, k) => placed.slice(i + k * period, i + (k + 1) * period)));
    }
    i += best || 1;
  }
  return found;
}
