/**
 * The parameters of a model as a list to sort by the norm of their gradients; each leads to its tensor.
 * @module
 */
import { cutName } from "../trace/apart.js";
import { formatNumber, formatShape, stateAt, valueSummary } from "../trace.js";
import { h } from "../ui/dom.js";
import { showKeyed } from "../ui/keyed.js";
import { decades, placeOf } from "./scale.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../ui/types").Item} Item */
/**
 * @typedef {{id: string, name: string, shape: number[], norm: number | null, past: boolean, frozen: boolean}} Parameter
 *   norm: null for None, as it is before it arrives; frozen: it doesn't require grad
 */
/** @typedef {"smallest" | "largest" | "program" | "name"} Order */

/** Programs with fewer parameters show them on the canvas alone. */
const LEAST = 6;
/** Rows in the page; of more parameters these are the first in the chosen order. */
const MOST = 200;
const BAR = 44;
/** Characters that fit beside it. */
const NAME = 26;

/** @type {Record<Order, string>} */
const ORDERS = {
  smallest: "smallest ‖grad‖",
  largest: "largest ‖grad‖",
  program: "as in the program",
  name: "by name",
};

/**
 * The parameters of the program's modules with the norm of `.grad` at time t; frozen ones behind all sizes.
 * @param {Book} book @param {number} t @param {Order} order
 * @returns {Parameter[]}
 */
export function parametersAt(book, t, order) {
  const { trace } = book;
  const state = stateAt(trace, t);
  const norm = (/** @type {string | null | undefined} */ ref) => valueSummary(trace, ref)?.norm ?? null;
  /** @type {Map<string, Parameter>} */
  const found = new Map();
  for (const { path, parameters } of trace.document.modules ?? []) {
    for (const [own, id] of Object.entries(parameters)) {
      const tensor = trace.tensors.get(id);
      if (!tensor || found.has(id)) continue;
      const now = state.tensors.get(id).grad;
      const past = now !== null && now !== "none";
      const label = trace.label(id);
      const name = label === "leaf" || label === "constant" ? `${path}.${own}` : label;
      const frozen = !tensor.requires_grad;
      found.set(id, { id, name, shape: tensor.shape, norm: past ? norm(now) : null, past, frozen });
    }
  }
  const list = [...found.values()];
  const [none, never] = order === "smallest" ? [1e300, 2e300] : [-1, -2];
  const size = (/** @type {Parameter} */ each) => (each.frozen ? never : (each.norm ?? none));
  if (order === "smallest") list.sort((a, b) => size(a) - size(b));
  if (order === "largest") list.sort((a, b) => size(b) - size(a));
  if (order === "name") list.sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
  return list;
}

/**
 * @param {HTMLElement} element
 * @param {{onSelect: (item: Item) => void}} actions
 */
export function createParameters(element, { onSelect }) {
  const count = h("small", null);
  const order = h(
    "select",
    { "aria-label": "Order of the parameters", onchange: () => view && show(view) },
    Object.entries(ORDERS).map(([value, label]) => h("option", { value }, label)),
  );
  const list = h("div", { class: "parameters-list" });
  element.append(
    h(
      "div",
      { class: "parameters-head" },
      h("h2", { class: "block-title", id: "parameters-title" }, "Parameters ", count),
      order,
    ),
    list,
  );
  list.addEventListener("click", (event) => {
    const row = event.target instanceof Element ? event.target.closest("[data-parameter]") : null;
    if (row) onSelect({ kind: "tensor", id: row.getAttribute("data-parameter") ?? "" });
  });
  /** @type {{book: Book, t: number, selection: Item | null} | null} */
  let view = null;

  /** @param {{book: Book, t: number, selection: Item | null}} what */
  function show({ book, t, selection }) {
    const all = parametersAt(book, t, /** @type {Order} */ (order.value));
    element.hidden = all.length < LEAST;
    if (element.hidden) return;
    const frozen = all.filter((each) => each.frozen).length;
    count.textContent = `${all.length}${frozen ? `, ${frozen} frozen` : ""}`;
    const norms = all.flatMap(({ norm }) => (norm ? [norm] : []));
    const scale = decades(Math.min(...norms), Math.max(0, ...norms));
    showKeyed(
      list,
      all.slice(0, MOST).map((each) => {
        const chosen = selection?.kind === "tensor" && selection.id === each.id;
        const width = Math.max(2, Math.round(placeOf(scale, each.norm ?? 0) * BAR));
        return {
          key: each.id,
          look: [each.name, each.shape, each.norm, each.past, chosen, width].join(),
          make: () => entry(each, cutName(book.trace, each.name, NAME), chosen, width),
        };
      }),
    );
  }

  return {
    /** @param {{book: Book, t: number, selection: Item | null}} next */
    render(next) {
      view = next;
      show(next);
    },
  };
}

/**
 * @param {Parameter} parameter @param {string} short  its name
 * @param {boolean} chosen @param {number} width  px, of its bar
 */
function entry({ id, name, shape, norm, past, frozen }, short, chosen, width) {
  const fill = h("b", { class: "map-fill" });
  fill.style.width = `${width}px`;
  const phase = past ? "past" : "later";
  const text = norm === null ? (frozen ? "frozen" : "None") : formatNumber(Number(norm.toPrecision(3)));
  return h(
    "button",
    {
      type: "button",
      class: `parameter ${phase}${chosen ? " selected" : ""}`,
      "aria-pressed": String(chosen),
      title: `${name} ${formatShape(shape)}${frozen ? ", doesn't require grad" : ""}`,
      dataset: { parameter: id },
    },
    h("span", { class: "parameter-name" }, h("bdi", { dir: "ltr" }, short)),
    h("i", { class: `map-bar ${phase}`, "aria-hidden": "true" }, norm === null ? null : fill),
    h("span", { class: "parameter-norm" }, text),
  );
}
