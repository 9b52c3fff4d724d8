/** The tape: one row per op autograd recorded, in the order in which they ran; backward() reads it from the bottom up. */

import { h } from "../ui/dom.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../ui/types").Item} Item */

const MOST_ROWS = 400;

/**
 * @param {HTMLElement} element
 * @param {{onSelect: (item: Item) => void, onHover: (item: Item | null) => void}} actions
 */
export function createTape(element, actions) {
  const list = h("div", { class: "tape-list" });
  const note = h("small", null);
  element.append(h("h2", { class: "block-title", id: "tape-title" }, "Tape ", note), list);
  /** @type {Book | null} */
  let shown = null;
  /** @type {{row: HTMLButtonElement, op: string, node: string | null}[]} */
  let rows = [];
  let scrolling = 0;

  const itemOf = (/** @type {Event} */ event) => {
    const row = event.target instanceof Element ? event.target.closest(".tape-row") : null;
    const entry = rows.find((candidate) => candidate.row === row);
    return entry ? /** @type {Item} */ (entry.node ? { kind: "node", id: entry.node } : { kind: "op", id: entry.op }) : null;
  };
  list.addEventListener("click", (event) => {
    const item = itemOf(event);
    if (item) actions.onSelect(item);
  });
  list.addEventListener("pointerover", (event) => actions.onHover(itemOf(event)));
  list.addEventListener("pointerleave", () => actions.onHover(null));

  /** @param {Book} book */
  function fill(book) {
    const ops = book.doc.ops.filter((op) => op.node || book.trace.visible.ops.has(op.id));
    const recorded = ops.filter((op) => op.node).length;
    note.textContent = recorded ? `${recorded} recorded` : "nothing recorded";
    rows = ops.slice(0, MOST_ROWS).map((op, i) => {
      const output = op.outputs[0];
      const source = book.sourceOf(op);
      const name = output ? book.tensors.get(output)?.name : null;
      const inPlace = output !== undefined && op.inputs.includes(output);
      const text = source ? (name && source !== name && !inPlace ? `${name} = ${source}` : source) : (output ? book.nameOf(output) : op.name);
      const row = h("button", { type: "button", class: `tape-row${op.node ? "" : " unrecorded"}`, title: op.line ? `line ${op.line}` : null },
        h("span", { class: "tape-number" }, `#${i}`),
        h("span", { class: "tape-name" }, op.node ? book.nodeName(op.node) : `${op.name} (not recorded)`),
        h("span", { class: "tape-code" }, text));
      return { row, op: op.id, node: op.node };
    });
    const rest = ops.length - rows.length;
    list.replaceChildren(...rows.map(({ row }) => row), ...(rest > 0 ? [h("p", { class: "quiet" }, `and ${rest} more`)] : []),
      ...(ops.length ? [] : [h("p", { class: "quiet" }, "No operation was recorded.")]));
  }

  return {
    /** @param {{book: Book, t: number, active: string | null, selection: Item | null, phase: (node: string) => string}} view */
    render({ book, t, active, selection, phase }) {
      if (shown !== book) fill(book);
      shown = book;
      for (const { row, op, node } of rows) {
        const happened = (book.trace.opTime.get(op) ?? 0) <= t;
        row.classList.toggle("later", !happened);
        row.classList.toggle("active", node !== null && node === active);
        row.classList.toggle("done", node !== null && happened && phase(node) === "done");
        row.classList.toggle("selected", selection !== null && (selection.id === node || selection.id === op));
      }
      // In the next frame, once: reading positions right after writing would force a layout for each.
      cancelAnimationFrame(scrolling);
      const current = rows.find(({ row }) => row.classList.contains("active"))?.row;
      if (current) scrolling = requestAnimationFrame(() => keepVisible(current, list));
    },
  };
}

/** Scroll the list alone; scrollIntoView would also move the page. @param {HTMLElement} row @param {HTMLElement} list */
function keepVisible(row, list) {
  const top = row.offsetTop - list.offsetTop;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + row.offsetHeight - list.clientHeight;
}
