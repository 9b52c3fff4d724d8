/**
 * Finding the moment a caption means. Pure. The notation is a word, a name and which time it happens, counted from 1:
 * `op loss 2` the second op whose result is called loss · `bind a` · `backward 2` the second call · `done 2` its end ·
 * `node MulBackward0` · `lands w` a gradient reaches the leaf w · `grad w` w.grad is set or reset · `write w` ·
 * `read is_leaf` a line looks at this attribute · `hook 1` · `error` · `end`.
 * @module
 */

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../trace/document").Event} TraceEvent */

/**
 * @param {Book} book
 * @param {string} moment
 * @returns {number | null} a time just after the event; null when the run has no such moment
 */
export function momentOf(book, moment) {
  const [word, first = "", second = ""] = moment.split(" ");
  const events = book.doc.events;
  if (word === "end") return events.length;
  const counted = word === "backward" || word === "done" || word === "hook";
  const name = counted ? "" : first;
  let left = Number(counted ? first : second) || 1;
  for (let i = 0; i < events.length; i++) {
    if (matches(book, /** @type {TraceEvent} */ (events[i]), String(word), name) && --left === 0) return i + 1;
  }
  return null;
}

/** @param {Book} book @param {TraceEvent} event @param {string} word @param {string} name */
function matches(book, event, word, name) {
  const called = (/** @type {string | null | undefined} */ tensor) =>
    !!tensor && book.tensors.get(tensor)?.name === name;
  switch (word) {
    case "op":
      return event.kind === "op" && called(book.ops.get(event.op)?.outputs[0]);
    case "bind":
      return event.kind === "bind" && event.name === name;
    case "node":
      return event.kind === "node" && book.nodeName(event.node) === name;
    case "done":
      return event.kind === "backward_end";
    case "read":
      return event.kind === "read" && event.attribute === name;
    case "lands":
      return event.kind === "accumulate" && called(event.tensor);
    case "grad":
    case "write":
      return event.kind === word && called(event.tensor);
    default:
      return event.kind === word;
  }
}

/**
 * The tensors a caption lights: of each name the last one that bore it.
 * @param {Book} book
 * @param {string | null | undefined} names separated by spaces
 * @returns {string[]}
 */
export const tensorsCalled = ({ doc }, names) =>
  (names?.split(" ") ?? []).flatMap(
    (name) => doc.globals[name] ?? doc.tensors.filter((tensor) => tensor.name === name).at(-1)?.id ?? [],
  );
