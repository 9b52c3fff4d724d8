/**
 * What `optimizer.step()` did to a tensor, by the document's numbers. Pure.
 * @module
 */
import { stateAt } from "../trace.js";
import { flatNumbers } from "../ui/book.js";

/** @typedef {import("../ui/book.js").Book} Book */
/**
 * @typedef {object} Stepped
 * @property {import("../trace/document").Optimizer} optimizer
 * @property {number} lr
 * @property {1 | -1 | null} sign the tensor became itself plus or minus lr · gradient; null where it did not
 * @property {string} before what it was
 * @property {string | null} grad its gradient then
 */

/** Of a number in single precision, the largest difference that is rounding. */
const ROUNDING = 1e-5;

/**
 * The step that wrote a tensor.
 * @param {Book} book @param {import("../trace/document").WriteEvent} event @param {number} at its index
 * @returns {Stepped | null}
 */
export function optimized(book, { tensor, value, line, file }, at) {
  const passes = begunBefore(book, at);
  for (const optimizer of book.doc.optimizers ?? []) {
    if (!optimizer.tensors.includes(tensor)) continue;
    const use = optimizer.uses.find(
      (use) => use.what === "step" && use.line === line && use.file === file && use.passes === passes,
    );
    if (typeof use?.lr !== "number") continue;
    const now = stateAt(book.trace, at).tensors.get(tensor);
    const grad = now?.grad && now.grad !== "none" ? now.grad : null;
    if (!now?.value) return null;
    return { optimizer, lr: use.lr, sign: signOf(book, now.value, grad, value, use.lr), before: now.value, grad };
  }
  return null;
}

/** How many backward passes had begun. @param {Book} book @param {number} at */
function begunBefore({ doc }, at) {
  for (let i = at - 1; i >= 0; i--) {
    const event = doc.events[i];
    if (event?.kind === "backward") return event.call + 1;
  }
  return 0;
}

/**
 * @param {Book} book @param {string} before @param {string | null} grad @param {string} after @param {number} lr
 * @returns {1 | -1 | null}
 */
function signOf(book, before, grad, after, lr) {
  const [old, slope, now] = [before, grad, after].map((ref) => flatNumbers(ref === null ? null : book.value(ref)));
  if (!old || !slope || !now || old.length !== slope.length) return null;
  const agrees = (/** @type {1 | -1} */ sign) =>
    now.every((x, i) => {
      const [was, moved] = [old[i] ?? NaN, sign * lr * (slope[i] ?? NaN)];
      return Math.abs(was + moved - x) <= ROUNDING * (Math.abs(was) + Math.abs(moved));
    });
  return agrees(-1) ? -1 : agrees(1) ? 1 : null;
}
