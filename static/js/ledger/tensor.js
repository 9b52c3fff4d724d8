/** One tensor, seen closely: numbers, gradient, heat map, histogram, and what Python would print. */

import { elements, formatShape, stateAt } from "../trace.js";
import { h } from "../ui/dom.js";
import { fullValue } from "../net/api.js";
import { picturesOf } from "../ui/pictures.js";
import { short } from "../ui/words.js";
import { checkBlock } from "./check.js";
import { heatMap, histogram } from "./heat.js";
import { tensorRepr } from "./repr.js";
import { whyGradIsNone, whyNoGradient } from "./why.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../trace/document").Value} Value */
/** @typedef {import("../trace/document").Tensor} TensorRecord */

/** @typedef {import("./ledger.js").LedgerActions} LedgerActions */

/** Above this many elements a heat map stays reduced. */
const LARGEST_MAP = 65536;

/** Values that were fetched in full, by document and value. @type {Map<string, Promise<Value>>} */
const fetched = new Map();

/**
 * @param {{book: Book, id: string, t: number, compact?: boolean, close?: HTMLElement, actions: LedgerActions}} options
 * @returns {HTMLElement}
 */
export function tensorCard({ book, id, t, compact = false, close, actions }) {
  const tensor = /** @type {TensorRecord} */ (book.tensors.get(id));
  const states = stateAt(book.trace, t).tensors;
  const state = states.get(id);
  const name = book.nameOf(id);
  const valueId = state?.value ?? tensor.value;
  const value = book.value(valueId);
  const gradId = state?.grad && state.grad !== "none" ? state.grad : null;
  const passingId = state?.inFlight && state.inFlight !== "none" && !tensor.is_leaf ? state.inFlight : null;
  const onPixel = !compact && actions.hasField(id) ? (/** @type {number[]} */ at) => actions.onField(id, at) : null;
  const found = compact ? null : book.askedFor(id);
  /** @param {string | null} ref @param {string} label @param {"gradient" | "value"} kind */
  const picture = (ref, label, kind) =>
    (!compact && imagePicture(book, label, kind === "gradient" ? { over: valueId, ref } : { ref, onPixel })) ||
    valuePicture(book, ref, label, { compact, kind });
  const where = tensor.line
    ? h("button", { type: "button", class: "link-button", dataset: { line: tensor.line } }, `line ${tensor.line}`)
    : null;

  return h(
    "section",
    { class: "tensor-card" },
    h(
      "div",
      { class: "card-title" },
      h("b", null, name),
      h("span", { class: "shape" }, `${formatShape(tensor.shape)} ${tensor.dtype}`),
      where,
      close,
    ),
    numberEdit(id, name, actions),
    value && !compact ? python(book, valueId, value, tensor) : null,
    found
      ? [
          h("p", { class: "quiet" }, `The gradient that reached ${book.nameOf(found)}.`),
          (!compact && imagePicture(book, name, { over: states.get(found)?.value ?? null, ref: valueId })) ||
            picture(valueId, name, "gradient"),
        ]
      : [
          picture(valueId, name, "value"),
          onPixel && picturesOf(tensor.shape) ? h("p", { class: "quiet" }, "Click a pixel: what does it see?") : null,
        ],
    h("h3", null, h("span", { class: "verbatim" }, `${name}.grad`)),
    gradId
      ? [
          h("p", null, h("code", null, short(book.value(gradId)))),
          picture(gradId, `${name}.grad`, "gradient"),
          book.tape?.block(id, gradId) ?? null,
          tensor.is_leaf ? checkBlock(book, id, t) : null,
        ]
      : passingId
        ? [
            h("p", { class: "quiet" }, "passing through, not kept: ", h("code", null, short(book.value(passingId)))),
            picture(passingId, `the gradient of ${name}`, "gradient"),
          ]
        : why(book, id, t),
    compact ? null : facts(book, tensor, state?.version ?? tensor.version),
  );
}

/** @param {string} run @param {string} ref @returns {Promise<Value>} */
function whole(run, ref) {
  const key = `${run}/${ref}`;
  const asked = fetched.get(key) ?? fullValue(run, ref);
  fetched.set(key, asked);
  asked.catch(() => fetched.delete(key));
  return asked;
}

/** @param {Value} value */
const inline = (value) => value.data !== null && value.data !== undefined;

/**
 * What `print` would show; a large tensor is fetched first.
 * @param {Book} book
 * @param {string | null} ref
 * @param {Value} value
 * @param {TensorRecord} tensor
 */
function python(book, ref, value, tensor) {
  const element = h("pre", {
    class: "python",
    tabindex: 0,
    role: "region",
    "aria-label": `${book.nameOf(tensor.id)} as Python prints it`,
    dataset: { key: `${book.doc.id} ${tensor.id} ${ref}` },
  });
  const autograd = {
    requires_grad: tensor.requires_grad,
    grad_fn: tensor.grad_fn ? book.nodeName(tensor.grad_fn) : null,
  };
  const write = (/** @type {Value} */ full) => (element.textContent = tensorRepr(full, autograd));
  if (inline(value)) write(value);
  else if (!book.stored) element.textContent = `larger than a document holds: ${short(value)}`;
  else if (ref) {
    element.textContent = "fetching…";
    whole(book.doc.id, ref).then(write, () => (element.textContent = `too large to show here: ${short(value)}`));
  }
  return element;
}

/**
 * @param {Book} book
 * @param {string | null} ref
 * @param {string} label
 * @param {{compact: boolean, kind: "gradient" | "value"}} how compact: without the histogram
 */
export function valuePicture(book, ref, label, { compact, kind }) {
  const value = book.value(ref);
  if (!value || !ref || elements(value.shape) < 2) return null;
  const theme = document.documentElement.dataset.theme ?? "";
  const element = h("div", { dataset: { key: `${book.doc.id} ${ref} ${label} ${theme} ${compact} ${kind}` } });
  const show = (/** @type {Value} */ shown) => {
    const parts = [heatMap(shown, label, { trace: book.trace, kind }), compact ? null : histogram(value, kind)];
    element.replaceChildren(...parts.filter((part) => part !== null));
  };
  show(value);
  if (book.stored && !inline(value) && !compact && elements(value.shape) <= LARGEST_MAP)
    whole(book.doc.id, ref).then(show, () => {});
  return element;
}

/**
 * A value that is a picture, or a gradient over the picture it belongs to; large ones are fetched first.
 * @param {Book} book
 * @param {string} label
 * @param {{ref: string | null, over?: string | null, onPixel?: ((index: number[]) => void) | null}} of over: the
 *   picture under the gradient `ref`
 * @returns {HTMLElement | null} null where there is none
 */
function imagePicture(book, label, { ref, over = null, onPixel = null }) {
  const refs = over ? [over, ref] : [ref];
  const known = refs.map((id) => book.value(id));
  const shape = known[0]?.shape ?? [];
  if (!picturesOf(shape) || known.some((value) => !value || String(value.shape) !== String(shape))) return null;
  if (elements(shape) > LARGEST_MAP || (!book.stored && !known.every((value) => value && inline(value)))) return null;
  const theme = document.documentElement.dataset.theme ?? "";
  const element = h("div", { dataset: { key: `${book.doc.id} ${refs} ${label} ${theme} picture` } });
  const values = known.map((value, i) => (value && inline(value) ? value : whole(book.doc.id, refs[i] ?? "")));
  void Promise.all([import("./image.js"), ...values]).then(
    ([{ pictures }, value, gradient = null]) => {
      const shown = value && pictures({ value, gradient, label, onPixel });
      if (shown) element.replaceChildren(shown);
    },
    () => (element.textContent = "The whole picture could not be fetched."),
  );
  return element;
}

/**
 * `.is_leaf`, `.requires_grad` and the rest, as Python would answer.
 * @param {Book} book
 * @param {TensorRecord} tensor
 * @param {number} version
 */
function facts(book, tensor, version) {
  const python = (/** @type {boolean} */ x) => (x ? "True" : "False");
  const row = (/** @type {string} */ key, /** @type {import("../ui/dom.js").Child} */ text) =>
    h("tr", null, h("th", { scope: "row" }, h("code", null, key)), h("td", null, text));
  const view = tensor.view_of ? book.nameOf(tensor.view_of) : null;
  const source = tensor.detached_from
    ? h(
        "button",
        { type: "button", class: "link-button", dataset: { select: `tensor ${tensor.detached_from}` } },
        book.nameOf(tensor.detached_from),
      )
    : null;
  return h(
    "table",
    { class: "facts" },
    h(
      "tbody",
      null,
      row(".is_leaf", python(tensor.is_leaf)),
      row(".requires_grad", python(tensor.requires_grad)),
      row(".grad_fn", tensor.grad_fn ? `<${book.nodeName(tensor.grad_fn)}>` : "None"),
      tensor.grad_fn && tensor.output_nr ? row(".output_nr", String(tensor.output_nr)) : null,
      row("._version", String(version)),
      tensor.retains_grad ? row(".retains_grad", "True") : null,
      view ? row("view of", view) : null,
      source ? row("detached from", source) : null,
    ),
  );
}

/** @param {Book} book @param {string} id @param {number} t */
function why(book, id, t) {
  const { text, line, fix } = whyGradIsNone(book, id, t);
  const none = whyNoGradient(book, id);
  return h(
    "div",
    { class: "why" },
    h("b", null, none ? "None, and it will stay None. " : "None. "),
    text,
    line ? [" ", h("button", { type: "button", class: "link-button", dataset: { line } }, `See line ${line}.`)] : null,
    fix ? h("p", null, fix) : null,
  );
}

/**
 * A number of the program that can be dragged: the literal changes, the run repeats.
 * @param {string} id @param {string} name @param {LedgerActions} actions
 */
function numberEdit(id, name, actions) {
  const text = actions.numberFor(id);
  if (text === null) return null;
  const x = Number(text);
  const reach = 10 ** Math.ceil(Math.log10(Math.max(Math.abs(x) * 1.5, 1)));
  const typed = h("input", {
    type: "number",
    value: text,
    step: "any",
    "aria-label": `Value of ${name} in the program`,
  });
  const slider = h("input", {
    type: "range",
    min: -reach,
    max: reach,
    step: reach / 200,
    value: x,
    "aria-label": `Drag to change ${name}`,
  });
  slider.addEventListener("input", () => {
    typed.value = String(Number(Number(slider.value).toPrecision(6)));
    actions.onNumber(id, typed.value);
  });
  typed.addEventListener(
    "change",
    () => typed.value !== "" && Number.isFinite(Number(typed.value)) && actions.onNumber(id, typed.value),
  );
  return h("div", { class: "number-edit", dataset: { key: `number ${id}`, tensor: id } }, slider, typed);
}

/**
 * Follow a number that was changed in the program itself.
 * @param {HTMLElement} ledger @param {LedgerActions} actions
 */
export function syncNumber(ledger, actions) {
  for (const edit of ledger.querySelectorAll(".number-edit")) {
    if (!(edit instanceof HTMLElement) || edit.contains(document.activeElement)) continue;
    const text = actions.numberFor(edit.dataset.tensor ?? "");
    if (text === null) continue;
    for (const input of edit.querySelectorAll("input")) if (Number(input.value) !== Number(text)) input.value = text;
  }
}
