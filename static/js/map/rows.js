/**
 * Which rows of the map there is room for: parts unfolded in place, alike ones in a run as one. Pure.
 * @module
 */

/** @typedef {import("./tree.js").Part} Part */
/** @typedef {import("./tree.js").Parameter} Parameter */
/** @typedef {import("./tree.js").Norm} Norm */

/**
 * @typedef {object} Row
 * @property {string} key
 * @property {Part[]} parts  one, or the parts of a run in the order of the pass
 * @property {number} depth  0 for the outermost
 * @property {boolean} open
 * @property {boolean} folds  something is inside
 * @property {string} name
 * @property {string} type
 */

/** Parts alike in a row that make a run. */
const RUN = 3;
/** A pattern of so many parts may repeat: Linear, Tanh, Linear, Tanh … */
const LONGEST_PATTERN = 8;
/** So few rows say little: what is inside is shown even if it has to be scrolled. */
const FEW = 3;

/** @type {ReadonlySet<any>} */
const NONE = new Set();

/**
 * @param {Part} root
 * @param {object} how
 * @param {ReadonlySet<string>} how.open  ids of parts, keys of runs
 * @param {Part | null} how.now  the op that runs; what holds it is in no run
 * @param {number} how.room  rows
 * @returns {Row[]}
 */
export function rowsOf(root, { open, now, room }) {
  const busy = new Set(chain(now));
  const all = list(root, { open, busy, near: Infinity });
  if (all.length <= room) return all;
  const folded = list(root, { open, busy, near: 0 });
  for (let near = room - folded.length; near > 1; near = Math.floor(near * 0.8)) {
    const rows = list(root, { open, busy, near });
    if (rows.length <= room) return rows;
  }
  return folded;
}

/** @param {Part | null} part @returns {Part[]} innermost first */
export function chain(part) {
  const parts = [];
  for (let at = part; at; at = at.parent) parts.push(at);
  return parts;
}

/**
 * @param {Part} root
 * @param {{open: ReadonlySet<string>, busy: Set<Part>, near: number}} how  near: that many parts from what runs now,
 *   or from where the pass comes first, are in no run
 * @returns {Row[]}
 */
function list(root, { open, busy, near }) {
  /** @type {Row[]} */
  const rows = [];
  const visit = (/** @type {Part[]} */ parts, /** @type {number} */ depth) => {
    const pieces = near === Infinity ? parts.map((part) => [part]) : runsAmong(parts, open, busy, near);
    for (const piece of pieces) {
      const [part] = piece;
      const key = piece.length > 1 ? `run:${part.id}:${piece.length}` : part.id;
      if (piece.length > 1 && open.has(key)) {
        for (const each of piece) visitOne(each, depth);
      } else if (piece.length > 1) {
        rows.push({ key, parts: piece, depth, open: false, folds: true, ...titleOfRun(piece) });
      } else visitOne(part, depth);
    }
  };
  const visitOne = (/** @type {Part} */ part, /** @type {number} */ depth) => {
    const folds = part.children.length > 0;
    const unfolded = folds && open.has(part.id);
    rows.push({ key: part.id, parts: [part], depth, open: unfolded, folds, name: part.name, type: part.type });
    if (unfolded) visit(part.children, depth + 1);
  };
  visit(root.children, 0);
  return rows;
}

/**
 * @param {Part[]} parts
 * @param {ReadonlySet<string>} open
 * @param {ReadonlySet<Part>} busy
 * @param {number} near
 * @returns {Part[][]}
 */
export function runsAmong(parts, open, busy, near) {
  const at = Math.max(
    0,
    parts.findIndex((part) => busy.has(part)),
  );
  const looks = parts.map((part, i) =>
    open.has(part.id) || Math.abs(i - at) < near
      ? `${i}`
      : `${part.kind} ${part.type || (part.kind === "turn" ? "" : part.name)} ${sizeOf(part.parameters)}`,
  );
  /** @type {Part[][]} */
  const pieces = [];
  for (let i = 0; i < parts.length; ) {
    let best = 1;
    for (let period = 1; period <= LONGEST_PATTERN; period++) {
      let end = i + period;
      while (end < parts.length && looks[end] === looks[end - period]) end++;
      const covered = end - i - ((end - i) % period);
      if (covered >= RUN * period && covered > best) best = covered;
    }
    pieces.push(parts.slice(i, i + best));
    i += best;
  }
  return pieces;
}

/** @param {Part[]} parts */
function titleOfRun(parts) {
  const names = [parts[parts.length - 1].name, parts[0].name];
  const stem = /^(.*?)(\d+)$/;
  const [a, b] = names.map((name) => stem.exec(name));
  const types = [...new Set(parts.map((part) => part.type || (part.kind === "turn" ? "" : part.kind)))];
  const name =
    a && b && a[1] === b[1] ? `${a[1]}${a[2]}…${b[2]}` : names[0] === names[1] ? names[0] : names.join(" … ");
  const turns = parts.length / types.length;
  const type = types.length > 1 ? `(${types.join(", ")})` : types[0];
  return { name, type: `${type} ×${Math.round(turns)}`.trim() };
}

/** @param {Parameter[]} parameters */
export const sizeOf = (parameters) => parameters.reduce((sum, { size }) => sum + size, 0);

/** The parameters of a row, each once. @param {Row} row @returns {Parameter[]} */
export function parametersOf({ parts }) {
  if (parts.length === 1) return parts[0].parameters;
  return [...new Map(parts.flatMap((part) => part.parameters).map((each) => [each.tensor, each])).values()];
}

/** What arrives at a row, and what leaves it. @param {Row} row */
export const flowOf = ({ parts }) => ({ arriving: parts[0].arriving, leaving: parts[parts.length - 1].leaving });

/**
 * Where the pass is at time t: "later", "now", "around" what runs now, "begun" or "past".
 * @param {Row} row @param {number} t @param {Part | null} now
 */
export function phaseOf({ parts, open }, t, now) {
  if (now && chain(now).some((part) => parts.includes(part))) return open ? "around" : "now";
  const [first] = parts;
  const last = parts[parts.length - 1];
  return first.first >= t ? "later" : last.last < t ? "past" : "begun";
}

/**
 * What to unfold first: outer parts with few parts inside, until the room is taken. A model that is all there is opens
 * anyway.
 * @param {Part} root @param {number} room  rows
 * @returns {Set<string>}
 */
export function openToFit(root, room) {
  /** @type {Set<string>} */
  const open = new Set();
  let rows = root.children.length;
  let level = root.children;
  while (level.length) {
    const next = [];
    for (const part of [...level].sort((a, b) => a.children.length - b.children.length)) {
      const inner = part.children.some((child) => child.kind !== "op");
      const rowsOfPart = inner ? runsAmong(part.children, NONE, NONE, 0).length : 0;
      if (!inner || (rows + rowsOfPart > room && (rows > FEW || rowsOfPart > 4 * room))) continue;
      open.add(part.id);
      rows += rowsOfPart;
      if (rowsOfPart === part.children.length) next.push(...part.children);
    }
    level = next;
  }
  return open;
}
