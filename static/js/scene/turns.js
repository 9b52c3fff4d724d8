/**
 * A long loop shows one of its turns, the one at hand; those before and after it are gathered in a folded group each.
 * @module
 */

/** @typedef {import("./groups.js").Group} Group */
/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {ReadonlyMap<string, number>} Turns  the turn that stands out, by loop; 0 where nothing is said */

/** A loop with more turns than this gathers; where there is little room, one with more than the second. */
const MOST_TURNS = 8;
const FEW_TURNS = 2;

/** The group of a loop, whatever its turns. @param {import("../trace.js").ScopeRecord} scope  one turn */
export const loopId = (scope) => `loop:${scope.parent}:${scope.line}:${scope.label}`;

/**
 * @param {Map<string, Group>} groups  outer groups first
 * @param {Turns} turns
 * @param {boolean} [gather]  there is little room
 * @returns {Map<string, Group>}
 */
export function gatherTurns(groups, turns, gather = false) {
  /** @type {Map<string, Group>} */
  const gathered = new Map();
  for (const group of groups.values()) {
    const loop = group.turn !== null && group.parent ? groups.get(group.parent) : undefined;
    const shown = loop ? (turns.get(loop.id) ?? 0) : 0;
    if (!loop || group.turn === null || loop.repeats <= (gather ? FEW_TURNS : MOST_TURNS) || group.turn === shown) {
      gathered.set(group.id, group);
      continue;
    }
    const before = group.turn < shown;
    const id = `${loop.id}:${before ? "before" : "after"}`;
    let rest = gathered.get(id);
    if (!rest) {
      const [first, last] = before ? [0, shown - 1] : [shown + 1, loop.repeats - 1];
      const label = first === last ? `iteration ${first}` : `iterations ${first} … ${last}`;
      rest = {
        ...loop,
        id,
        parent: loop.id,
        label,
        items: [],
        repeats: last - first + 1,
        recorded: 0,
        depth: loop.depth + 1,
        gathers: true,
      };
      gathered.set(id, rest);
    }
    rest.items.push(...group.items);
    rest.recorded++;
    gathered.set(group.id, { ...group, parent: id });
  }
  return gathered;
}

/**
 * The turns around a scope, outermost loop last.
 * @param {Trace} trace
 * @param {string | null} scope
 * @returns {[string, number][]} loop and turn
 */
export function turnsAround(trace, scope) {
  /** @type {[string, number][]} */
  const found = [];
  for (let at = trace.scopes.get(scope ?? ""); at; at = trace.scopes.get(at.parent ?? "")) {
    if (at.kind === "loop" && at.iteration !== null && at.iteration !== undefined) {
      found.push([loopId(at), at.iteration]);
    }
  }
  return found;
}

/**
 * What to fold once other turns stand out: what is gathered, and in the turn that opens what is folded in the one that
 * closes.
 * @param {Map<string, Group>} before @param {ReadonlySet<string>} folded @param {Map<string, Group>} after
 * @returns {Set<string>}
 */
export function foldForTurns(before, folded, after) {
  const own = [...folded].filter((id) => !before.get(id)?.gathers);
  const next = new Set(own.filter((id) => after.has(id)));
  for (const group of after.values()) if (group.gathers) next.add(group.id);
  const alike = new Set(own.map((id) => likeness(before, id)));
  for (const group of after.values()) {
    if (stands(after, group)) next.delete(group.id);
    else if (!group.gathers && alike.has(likeness(after, group.id))) next.add(group.id);
  }
  return next;
}

/** Is a group a turn that stands out of its loop? @param {Map<string, Group>} groups @param {Group} group */
const stands = (groups, { turn, parent }) => turn !== null && !groups.get(parent ?? "")?.gathers;

/**
 * What a group is called from outside in, the same in every turn.
 * @param {Map<string, Group>} groups
 * @param {string} id
 */
function likeness(groups, id) {
  const names = [];
  for (let at = groups.get(id); at; at = groups.get(at.parent ?? "")) {
    if (!at.gathers) names.push(at.turn === null ? `${at.label}:${at.line}` : "turn");
  }
  return names.join("<");
}

/**
 * Which turns should stand out for an event to be seen; null when it is seen, or when a reader has folded what it lies
 * in.
 * @param {import("./scene.js").Scene} scene
 * @param {import("../trace/document").Event | null} event
 * @param {number} t
 * @returns {Turns | null}
 */
export function turnsFor(scene, event, t) {
  const { graph, groups, trace, turns } = scene.whole;
  const i = placeOf(graph.items, trace, event, t);
  const box = i < 0 ? null : scene.items[scene.draft.shown.shownAs[i]];
  if (!box?.group || !groups.get(box.group)?.gathers) return null;
  const next = new Map([...turns, ...turnsAround(trace, graph.items[i].scope)]);
  return [...next].every(([loop, turn]) => (turns.get(loop) ?? 0) === turn) ? null : next;
}

/**
 * The item of the unfolded graph an event happens at: an op, or the card that shows a tensor then.
 * @param {readonly import("./graph.js").Item[]} items
 * @param {Trace} trace
 * @param {import("../trace/document").Event | null} event
 * @param {number} t
 * @returns {number} −1 for none
 */
function placeOf(items, trace, event, t) {
  if (event?.kind === "op") return items.findIndex((item) => item.op === event.op);
  const node = event?.kind === "backward" ? event.roots[0]?.[0] : event && "node" in event ? event.node : null;
  const tensor = node ? (trace.nodes.get(node)?.variable ?? null) : event && "tensor" in event ? event.tensor : null;
  if (tensor) {
    const shows = (/** @type {import("./graph.js").Item} */ item) =>
      item.tensor === tensor && item.from <= t && t <= item.until && (item.original === null || item.phase);
    return items.reduce((last, item, i) => (shows(item) ? i : last), -1);
  }
  return node ? items.findIndex((item) => item.circle && item.node === node) : -1;
}
