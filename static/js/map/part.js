/**
 * A part of a pass: a module, function, loop, turn or op.
 * @module
 */

/** @typedef {import("./tree.js").Part} Part */

/**
 * @param {Part["kind"]} kind
 * @param {Part | null} parent
 * @param {string} id
 * @param {string} name
 * @param {string} type
 * @param {number} line
 * @returns {Part}
 */
export function part(kind, parent, id, name, type, line) {
  const made = {
    id,
    parent,
    kind,
    name,
    type,
    line,
    children: [],
    node: null,
    first: Infinity,
    last: -1,
    ops: 0,
    parameters: [],
    arriving: null,
    leaving: null,
    skips: [],
  };
  parent?.children.push(made);
  return made;
}
