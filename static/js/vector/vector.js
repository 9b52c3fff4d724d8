/** The `gradient=` of a backward call, editable in place, with the Jacobian rows it weighs. */

import { elements, formatNumber, formatShape } from "../trace.js";
import { gradientArgument, withGradient } from "../editor/literals.js";
import { clampAt, signScale } from "../ui/scale.js";
import { h } from "../ui/dom.js";
import { flatNumbers } from "../ui/book.js";
import { jacobianRows, MOST_ROWS, weightedSum } from "./jacobian.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../editor/literals.js").GradientArgument} GradientArgument */
/** @typedef {import("./jacobian.js").LeafRows} LeafRows */

const MOST_COLUMNS = 8;
const SETTLE_MS = 350;

/** A float32 as its author wrote it: 0.1, not 0.10000000149. @param {number} x */
const tidy = (x) => String(Number(x.toPrecision(6)));

/** The root as a letter: what is no name is called y. @param {GradientArgument | undefined} argument */
const rootName = (argument) => (argument && /^\w+$/.test(argument.root) ? argument.root : "y");

/** @param {number} n */
const sub = (n) => String(n).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)] ?? digit);

/**
 * @param {HTMLElement} element
 * @param {{onCode: (code: string) => void, run: (code: string) => Promise<import("../ui/types").RunDocument>}} actions
 */
export function createVector(element, actions) {
  /** @type {{book: Book, call: number, argument: GradientArgument, shape: number[], v: number[]} | null} */
  let view = null;
  let signature = "";
  /** The rows belong to the program without its gradient argument. @type {Map<string, LeafRows[]>} */
  const known = new Map();
  let asked = "";
  let timer = 0;
  const controls = h("div");
  const table = h("div", { class: "jacobian" });
  const title = h("h2", { class: "block-title" });
  const note = h("p", { class: "vector-note" });
  element.append(title, controls, note, table);

  /** @param {number[]} v */
  function write(v) {
    if (!view) return;
    const { book, argument, shape } = view;
    view.v = v;
    syncControls();
    drawTable();
    actions.onCode(withGradient(book.doc.source.code ?? "", argument, v, shape));
  }

  function buildControls() {
    if (!view) return;
    const { v, shape } = view;
    const reach = Math.max(1, ...v.map((x) => (Number.isFinite(x) ? Math.abs(x) : 1)));
    const rows =
      v.length <= MOST_ROWS
        ? v.map((x, i) => {
            const name = `v${sub(i)}`;
            const typed = h("input", {
              type: "number",
              step: "any",
              value: tidy(x),
              "aria-label": `${name}, the weight of element ${i}`,
            });
            const slider = h("input", {
              type: "range",
              min: -reach,
              max: reach,
              step: reach / 100,
              value: x,
              "aria-label": `Drag ${name}`,
            });
            const change = (/** @type {string} */ text) => {
              const next = Number(text);
              if (view && text !== "" && Number.isFinite(next)) write(view.v.map((old, k) => (k === i ? next : old)));
            };
            slider.addEventListener("input", () => change(slider.value));
            typed.addEventListener("change", () => change(typed.value));
            return h("div", { class: "vector-row" }, h("label", null, name), slider, typed);
          })
        : [
            h(
              "p",
              { class: "quiet" },
              `${v.length} elements of shape ${formatShape(shape)}: edit them in the program.`,
            ),
          ];
    const preset = (/** @type {string} */ label, /** @type {number[]} */ next, about = "") =>
      h("button", { type: "button", class: "button small", title: about, onclick: () => write(next) }, label);
    const hot =
      v.length <= MOST_ROWS
        ? v.map((_, i) =>
            preset(
              `only ${rootName(view?.argument)}${sub(i)}`,
              v.map((__, k) => (k === i ? 1 : 0)),
              `one-hot: row ${i} of the Jacobian`,
            ),
          )
        : [];
    controls.replaceChildren(
      ...rows,
      h(
        "div",
        { class: "vector-buttons" },
        preset(
          "ones",
          v.map(() => 1),
          "every element counts once: the gradient of the sum",
        ),
        hot,
      ),
    );
  }

  function syncControls() {
    if (!view) return;
    const rows = controls.querySelectorAll(".vector-row");
    view.v.forEach((x, i) => {
      for (const input of rows[i]?.querySelectorAll("input") ?? []) {
        if (input !== document.activeElement && Number(input.value) !== x) input.value = tidy(x);
      }
    });
  }

  function drawTable() {
    const leaves = view ? known.get(asked) : undefined;
    const small = leaves?.filter(({ shape }) => elements(shape) <= MOST_COLUMNS) ?? [];
    // What the program itself made is asked about more often than the parameters of a module.
    const leaf = small.find(({ tensor }) => view && !view.book.tensors.get(tensor)?.path) ?? small[0];
    if (!view || !leaf) {
      table.replaceChildren();
      return;
    }
    const { book, v, argument } = view;
    const name = book.nameOf(leaf.tensor);
    const total = weightedSum(v, leaf.rows);
    const scale = signScale(clampAt([...leaf.rows.flat(), ...total]));
    const cell = (/** @type {number} */ x) => {
      const td = h("td", null, formatNumber(x));
      const { background, ink } = scale(x);
      td.style.background = background;
      td.style.color = ink;
      return td;
    };
    const root = rootName(argument);
    table.replaceChildren(
      h(
        "table",
        null,
        h("caption", null, `Each row of the Jacobian, times its v, added up`),
        h(
          "tbody",
          null,
          leaf.rows.map((row, i) =>
            h(
              "tr",
              null,
              h("th", { scope: "row" }, `${formatNumber(v[i] ?? 0)} ×`),
              row.map(cell),
              h("th", { class: "row-name", scope: "row" }, `∂${root}${sub(i)}/∂${name}`),
            ),
          ),
          h("tr", { class: "rule", "aria-hidden": "true" }, h("td", { colspan: total.length + 2 })),
          h(
            "tr",
            { class: "total" },
            h("th", { scope: "row" }, "="),
            total.map(cell),
            h("th", { class: "row-name", scope: "row" }, `→ ${name}.grad`),
          ),
        ),
      ),
    );
  }

  function askRows() {
    clearTimeout(timer);
    if (!view || view.v.length > MOST_ROWS) return;
    const { book, argument, call, shape } = view;
    const code = book.doc.source.code ?? "";
    const key = JSON.stringify([
      withGradient(
        code,
        argument,
        view.v.map(() => 0),
        shape,
      ),
      call,
    ]);
    asked = key;
    if (known.has(key)) return;
    timer = window.setTimeout(async () => {
      try {
        const rows = await jacobianRows({ code, argument, call, shape }, actions.run);
        known.set(key, rows);
        if (asked === key) drawTable();
      } catch {
        // without rows the sliders still work
      }
    }, SETTLE_MS);
  }

  return {
    /** @param {{book: Book, t: number}} next */
    render({ book, t }) {
      const found = question(book, t);
      element.hidden = found === null;
      if (!found) {
        view = null;
        signature = "";
        return;
      }
      const busy = element.contains(document.activeElement) && view !== null && view.v.length === found.v.length;
      const same = JSON.stringify([found.call, found.shape, found.argument.root]);
      const changed = view?.book !== book || same !== signature;
      view = { book, ...found };
      title.replaceChildren(
        "gradient=",
        h(
          "small",
          null,
          found.missing
            ? `${found.argument.root} has ${found.v.length} elements: how much does each one count?`
            : `how much each element of ${found.argument.root} counts`,
        ),
      );
      note.textContent = found.missing
        ? "backward() takes 1 for a single number by itself. For several you have to say."
        : "";
      note.hidden = !found.missing;
      if (same !== signature || !busy) {
        if (same !== signature) buildControls();
        else syncControls();
      }
      signature = same;
      if (changed) {
        askRows();
        drawTable();
      }
    },
  };
}

/**
 * The vector question a program asks at time t, if any: the latest backward call from something with several elements,
 * or the call that failed because it gave no gradient.
 * @param {Book} book
 * @param {number} t
 * @returns {{call: number, argument: GradientArgument, shape: number[], v: number[], missing: boolean} | null}
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
      if (argument && v) return { call: event.call, argument, shape: value.shape, v, missing: false };
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
  return { call: book.calls.size, argument, shape: root.shape, v: new Array(size).fill(1), missing: true };
}
