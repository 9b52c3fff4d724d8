/** Where to stand in a new run, given where one stood in the old. Pure. */

/** @typedef {import("../ui/book.js").Book} Book */

/**
 * @param {Book} before
 * @param {Book} after
 * @param {number} t in the old run
 * @returns {number | null} null when the runs have too little in common
 */
export function carryOver(before, after, t) {
  const old = before.doc.events;
  const next = after.doc.events;
  if (
    t >= old.length &&
    old.length > 0 &&
    !before.doc.error &&
    !after.doc.error &&
    related(before.lines, after.lines)
  ) {
    return next.length;
  }
  for (let i = 0; i < t; i++) {
    if (old[i]?.kind !== next[i]?.kind || subject(old[i]) !== subject(next[i])) return null;
  }
  return t;
}

/**
 * Is one program an edit of the other? More than half of its lines are in it.
 * @param {string[]} before
 * @param {string[]} after
 */
function related(before, after) {
  const known = new Set(before.map((line) => line.trim()));
  const written = after.map((line) => line.trim()).filter((line) => line && !line.startsWith("import "));
  return written.filter((line) => known.has(line)).length * 2 > written.length;
}

/** @param {import("../trace/document").Event | undefined} event */
function subject(event) {
  switch (event?.kind) {
    case "op":
      return event.op;
    case "node":
    case "accumulate":
    case "release":
      return event.node;
    case "bind":
    case "write":
    case "grad":
      return event.tensor;
    case "read":
      return `${event.tensor ?? event.node} ${event.attribute}`;
    default:
      return "";
  }
}
