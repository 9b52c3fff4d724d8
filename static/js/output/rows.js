/**
 * What the program has said by time t, as rows: what it printed, beside the line that printed it, the figures it
 * showed, the warnings it caused, and the lines that will print or draw later. Pure.
 * @module
 */

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../trace/document").Event} TraceEvent */

/**
 * @typedef {object} Row
 * @property {"printed" | "figure" | "warning" | "later"} kind
 * @property {number | null} line of the program
 * @property {string} text of a figure, its id
 * @property {string} [more] the whole of a warning; the file a figure was saved in
 * @property {boolean} fresh said in the step at hand
 * @property {number} at index of its event
 */

/** Rows of what was printed before are left out above this many: the page shows the end of a long output. */
const MOST_PRINTS = 300;
/** Lines that are announced. */
const MOST_LATER = 3;
/** Characters of a warning that its row shows. */
const SHORT = 54;

/** @type {WeakMap<Book, {event: Extract<TraceEvent, {kind: "print" | "warning" | "figure"}>, at: number}[]>} */
const known = new WeakMap();

/** @param {Book} book */
function saidIn(book) {
  const found =
    known.get(book) ??
    book.doc.events.flatMap((event, at) =>
      event.kind === "print" || event.kind === "warning" || event.kind === "figure" ? [{ event, at }] : [],
    );
  known.set(book, found);
  return found;
}

/**
 * @param {Book} book
 * @param {number} t
 * @param {number} before the time of the step before
 * @returns {{rows: Row[], left: number}} left: how many earlier prints are not among them
 */
export function outputRows(book, t, before) {
  const all = saidIn(book);
  const until = all.findIndex(({ at }) => at >= t);
  const past = until < 0 ? all : all.slice(0, until);
  const left = Math.max(0, past.length - MOST_PRINTS);
  /** @type {Row[]} */
  const rows = [];
  /** @type {Row[]} warnings stand below what their line prints */
  let held = [];
  /** Does the next text go on in the row of the last? */
  let open = false;
  for (const { event, at } of past.slice(left)) {
    const line = event.line ?? null;
    const fresh = at >= before;
    if (event.kind === "warning") {
      const text = `${event.category}: ${shortWarning(event.message, book, line)}`;
      held.push({ kind: "warning", line, text, more: event.message, fresh, at });
      continue;
    }
    if (held.length && held[0]?.line !== line) {
      rows.push(...held);
      held = [];
      open = false;
    }
    if (event.kind === "figure") {
      rows.push(...held, { kind: "figure", line, text: event.figure, more: event.file ?? "", fresh, at });
      held = [];
      open = false;
      continue;
    }
    const last = rows.at(-1);
    if (open && last) {
      last.text += event.text;
      last.fresh ||= fresh;
    } else rows.push({ kind: "printed", line, text: event.text, fresh, at });
    open = !event.text.endsWith("\n");
    rows.push(...held);
    if (held.length) open = false;
    held = [];
  }
  return { rows: [...rows, ...held, ...later(book, t, all.slice(past.length))], left };
}

/**
 * The lines that print or draw after t, each once.
 * @param {Book} book @param {number} t @param {{event: TraceEvent, at: number}[]} rest
 * @returns {Row[]}
 */
function later(book, t, rest) {
  /** @type {Map<number | null, number>} each line, null where it is not recorded, and its first event */
  const first = new Map();
  for (const { event, at } of rest) {
    const says = event.kind === "figure" || (event.kind === "print" && event.text.trim());
    if (says && !first.has(event.line)) first.set(event.line, at);
    if (first.size === MOST_LATER) break;
  }
  return [...first].map(([line, at]) => ({ kind: "later", line, text: when(book, t, at), fresh: false, at }));
}

/** @param {Book} book @param {number} t @param {number} at @returns {string} */
function when(book, t, at) {
  const ends = book.doc.events.slice(t, at).filter((event) => event.kind === "backward_end");
  const call = ends[0]?.call;
  const fills = book.doc.events.some((event) => event.kind === "accumulate" && event.call === call);
  const does = book.doc.events[at]?.kind === "figure" ? "draws" : "prints";
  return ends.length === 1 ? `${does} after ${fills ? "backward()" : "autograd.grad()"}` : `${does} later`;
}

/**
 * A warning in a few words.
 * @param {string} message
 * @param {Book} book
 * @param {number | null} line that caused it
 */
export function shortWarning(message, book, line) {
  if (/\.grad attribute of a Tensor that is not a leaf/.test(message)) {
    const name = nonLeafRead(book, line);
    if (name) return `${name} is not a leaf`;
  }
  const [first = message] = message.split(/(?<=\w[.:;]) |\n/);
  if (first.length <= SHORT) return first.replace(/[.:;]$/, "");
  const end = first.lastIndexOf(" ", SHORT);
  return `${first.slice(0, end > 0 ? end : SHORT)} …`;
}

/**
 * The variable whose `.grad` a line reads although it is no leaf and keeps none.
 * @param {Book} book
 * @param {number | null} line
 * @returns {string | null}
 */
export function nonLeafRead(book, line) {
  const source = line ? (book.lines[line - 1] ?? "") : "";
  for (const [, name = ""] of source.matchAll(/\b([A-Za-z_]\w*)\.grad\b(?!_)/g)) {
    const id = book.doc.globals[name] ?? book.doc.tensors.filter((tensor) => tensor.name === name).at(-1)?.id;
    const tensor = id ? book.tensors.get(id) : undefined;
    if (tensor && !tensor.is_leaf && !tensor.retains_grad) return name;
  }
  return null;
}
