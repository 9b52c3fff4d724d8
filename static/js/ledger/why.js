/** "Why is w.grad None?": every answer, from the tensor's record and from what has happened so far. */

import { CUTS } from "../trace/cuts.js";
import { bandAt } from "../trace.js";

/** @typedef {import("../ui/book.js").Book} Book */

/**
 * Why nothing was recorded for a tensor.
 * @param {Book} book
 * @param {string} id
 * @returns {{short: string, long: string, line: number | null} | null} null when it does take part in autograd
 */
export function whyNoGradient(book, id) {
  const tensor = book.tensors.get(id);
  if (!tensor || tensor.requires_grad || tensor.grad_fn) return null;
  const cut = tensor.why_no_grad?.cut;
  const known = CUTS[cut ?? "inputs_without_requires_grad"] ?? {
    short: String(cut),
    long: `Gradients stop here: ${cut}.`,
  };
  return { ...known, line: tensor.why_no_grad?.line ?? null };
}

/** Cuts somebody made, as opposed to plain constants. */
const MADE = new Set(["detach", "data", "no_grad", "integer", "not_differentiable"]);

/**
 * Why `next_functions[index]` is None although something upstream wants a gradient: the nearest cut on the way.
 * @param {Book} book
 * @param {import("../trace/document").Node} node
 * @param {number} index
 * @returns {{input: string, short: string, line: number | null} | null} null for plain constants
 */
export function cutBehind(book, node, index) {
  const op = node.op ? book.ops.get(node.op) : undefined;
  const input = op?.inputs.length === node.next_functions.length ? op.inputs[index] : undefined;
  if (!input) return null;
  const queue = [input];
  const seen = new Set(queue);
  for (const id of queue) {
    const cut = book.tensors.get(id)?.why_no_grad?.cut;
    const why = cut && MADE.has(cut) ? whyNoGradient(book, id) : null;
    const source = book.producer.get(id)?.inputs ?? [];
    if (
      why &&
      (source.length === 0 ||
        cut === "detach" ||
        cut === "data" ||
        source.some((from) => book.tensors.get(from)?.requires_grad))
    ) {
      return { input, short: why.short, line: why.line };
    }
    for (const from of source) {
      if (seen.has(from) || seen.size >= 200) continue;
      queue.push(from);
      seen.add(from);
    }
  }
  return null;
}

/**
 * Why `.grad` of a tensor is None after the first `t` events.
 * @param {Book} book
 * @param {string} id
 * @param {number} t
 * @returns {{text: string, line: number | null, fix: string | null}}
 */
export function whyGradIsNone(book, id, t) {
  const tensor = book.tensors.get(id);
  const name = book.nameOf(id);
  if (!tensor) return { text: "There is no such tensor.", line: null, fix: null };
  const none = whyNoGradient(book, id);
  if (none) {
    const fix =
      tensor.why_no_grad?.cut === "leaf_without_requires_grad"
        ? `Make it with requires_grad=True, or call ${plainName(name)}.requires_grad_().`
        : null;
    return { text: none.long, line: none.line ?? tensor.line, fix };
  }
  if (!tensor.is_leaf && !tensor.retains_grad) {
    return {
      text: `${name} is not a leaf: it was computed. Its gradient passes through during backward() and is not kept.`,
      line: tensor.line,
      fix: `Call ${plainName(name)}.retain_grad() before backward() to keep it.`,
    };
  }
  const events = book.doc.events;
  const past = events.slice(0, t);
  const reset = lastIndex(past, (e) => e.kind === "grad" && e.tensor === id && !e.after);
  const landed = lastIndex(
    past,
    (e) => (e.kind === "accumulate" || e.kind === "grad") && e.tensor === id && e.after !== null,
  );
  if (reset > landed && reset >= 0 && landed >= 0) {
    const event = events[reset];
    const line = event?.kind === "grad" ? (event.line ?? null) : null;
    return { text: `It had a gradient, but it was cleared.`, line, fix: null };
  }
  const later = events.slice(t).some((e) => e.kind === "accumulate" && e.tensor === id);
  const accumulator = book.doc.nodes.find((node) => node.variable === id);
  const calls = [...book.calls.values()];
  if (later) {
    return {
      text: bandAt(book.trace, t)
        ? `Its gradient has not arrived yet. Step forward.`
        : past.some((e) => e.kind === "backward")
          ? `No backward pass has reached it yet; a later one will.`
          : `backward() has not run yet. Until then every .grad is None, which is not the same as 0.`,
      line: null,
      fix: null,
    };
  }
  if (calls.length === 0) {
    return {
      text: "The program never calls backward().",
      line: null,
      fix: "Reduce the result to a single number and call backward() on it.",
    };
  }
  const reached = calls.some((call) => accumulator && call.reachable.includes(accumulator.id));
  if (book.doc.error && reached) {
    return {
      text: "The backward pass stopped with an error before it got here.",
      line: book.doc.error.line,
      fix: book.doc.error.fix ?? null,
    };
  }
  if (calls.every((call) => call.inputs)) {
    return {
      text: "Only autograd.grad ran: it returns gradients and leaves every .grad alone.",
      line: calls[0]?.line ?? null,
      fix: null,
    };
  }
  if (!accumulator || !reached) {
    return {
      text: `No path leads from what backward() was called on to ${name}: ` + "it was not used, or the path is cut.",
      line: tensor.line,
      fix: null,
    };
  }
  return {
    text: `The gradient that reached ${name} was None: an operation along the path doesn't pass one on.`,
    line: null,
    fix: null,
  };
}

/** @param {string} name */
const plainName = (name) => (/^[\w.[\]']+$/.test(name) ? name : "it");

/** @template T @param {T[]} items @param {(item: T) => boolean} test */
function lastIndex(items, test) {
  for (let i = items.length - 1; i >= 0; i--) if (test(/** @type {T} */ (items[i]))) return i;
  return -1;
}
