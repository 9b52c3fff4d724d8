/**
 * The `gradient=` of a backward call in one row: exact numbers and the choices that come up most, ones and one-hot. The
 * picture has the handles to drag and what the numbers do.
 */

import { elements, formatShape } from "../trace.js";
import { gradientArgument, withGradient } from "../editor/literals.js";
import { h } from "../ui/dom.js";
import { flatNumbers } from "../ui/book.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../editor/literals.js").GradientArgument} GradientArgument */
/**
 * @typedef {{argument: GradientArgument, shape: number[], v: number[], missing: boolean}} Question  missing: the call
 *   gave none
 */

/** Numbers of more elements than this are edited in the program. */
const MOST_INPUTS = 6;

/** A float32 as its author wrote it: 0.1, not 0.10000000149. @param {number} x */
const tidy = (x) => String(Number(x.toPrecision(6)));

/** The root as a letter: what is no name is called y. @param {GradientArgument} argument */
const rootName = (argument) => (/^\w+$/.test(argument.root) ? argument.root : "y");

/** @param {number} n */
const sub = (n) => String(n).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)] ?? digit);

/**
 * @param {HTMLElement} element
 * @param {{onCode: (code: string) => void}} actions
 */
export function createVector(element, actions) {
  /** @type {(Question & {book: Book}) | null} */
  let view = null;
  let signature = "";
  element.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !view) return;
    const next = Number(target.value);
    const index = Number(target.dataset.index);
    if (target.value === "" || !Number.isFinite(next)) target.value = tidy(view.v[index] ?? 0);
    else write(view.v.map((old, k) => (k === index ? next : old)));
  });

  /** @param {number[]} v */
  function write(v) {
    if (!view) return;
    const { book, argument, shape } = view;
    view.v = v;
    syncInputs();
    actions.onCode(withGradient(book.doc.source.code ?? "", argument, v, shape));
  }

  /** @param {Question} question */
  function build({ argument, shape, v, missing }) {
    const name = rootName(argument);
    /** @param {string} label @param {string} spoken @param {number[]} next @param {string} about */
    const preset = (label, spoken, next, about) =>
      h(
        "button",
        { type: "button", class: "button small", title: about, "aria-label": spoken, onclick: () => write(next) },
        label,
      );
    const few = v.length <= MOST_INPUTS;
    element.replaceChildren(
      h(
        "div",
        { class: "vector-row" },
        h("span", { class: "vector-name" }, "gradient="),
        few
          ? v.map((x, i) =>
              h("input", {
                type: "number",
                step: "any",
                value: missing ? "" : tidy(x),
                dataset: { index: i },
                "aria-label": `Weight of ${name}${sub(i)}`,
              }),
            )
          : h("span", { class: "quiet" }, `shape ${formatShape(shape)}`),
        preset(
          "ones",
          "ones",
          v.map(() => 1),
          `every element counts once: the gradient of ${name}.sum()`,
        ),
        few ? h("span", { class: "quiet", "aria-hidden": "true" }, "only") : null,
        few
          ? v.map((_, i) =>
              preset(
                `${name}${sub(i)}`,
                `only ${name}${sub(i)}`,
                v.map((__, k) => (k === i ? 1 : 0)),
                `the gradient of ${name}${sub(i)} alone: row ${i} of the Jacobian`,
              ),
            )
          : null,
      ),
    );
  }

  function syncInputs() {
    if (view?.missing) return;
    for (const input of element.querySelectorAll("input")) {
      const x = view?.v[Number(input.dataset.index)];
      if (x !== undefined && input !== document.activeElement && Number(input.value) !== x) input.value = tidy(x);
    }
  }

  return {
    /** @param {{book: Book, t: number}} next */
    render({ book, t }) {
      const found = question(book, t);
      element.hidden = found === null;
      view = found && { book, ...found };
      const same = found ? JSON.stringify([found.shape, found.argument.root, found.missing]) : "";
      if (found && same !== signature) build(found);
      else if (found) syncInputs();
      signature = same;
    },
  };
}

/**
 * The vector question a program asks at time t, if any: the latest backward call from something with several elements,
 * or the call that failed because it gave no gradient.
 * @param {Book} book
 * @param {number} t
 * @returns {Question | null}
 */
export function question(book, t) {
  const code = book.doc.source.code;
  if (!code) return null;
  const events = [...book.calls.values()].filter((event) => event.line && !event.inputs);
  const before = events.filter((event) => book.doc.events.indexOf(event) < t).at(-1);
  const event = before ?? events[0];
  if (event) {
    const value = book.value(event.gradients[0]);
    if (value && event.roots.length === 1 && elements(value.shape) > 1) {
      const argument = gradientArgument(code, /** @type {number} */ (event.line));
      const v = flatNumbers(value);
      if (argument && v) return { argument, shape: value.shape, v, missing: false };
    }
    if (event === before) return null;
  }
  const { error } = book.doc;
  if (!error?.line || !/implicitly created only for scalar/.test(error.message)) return null;
  const argument = gradientArgument(code, error.line);
  const root = error.tensors?.[0]
    ? book.tensors.get(error.tensors[0])
    : book.doc.tensors.find((tensor) => tensor.name === argument?.root);
  if (!argument || !root) return null;
  const size = elements(root.shape);
  return { argument, shape: root.shape, v: new Array(size).fill(1), missing: true };
}
