/**
 * The tape, folded away: one row per op that autograd recorded, in the order in which they ran; backward() reads it
 * from the bottom up.
 */

import { h } from "../ui/dom.js";
import { folding } from "../ui/folding.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../ui/types").Item} Item */
/** @typedef {import("../trace/document").Op} OpRecord */

/** Rows kept above and below those in sight; a tape of thousands is never in the page as a whole. */
const BEYOND = 40;

/**
 * @param {HTMLElement} element
 * @param {{onSelect: (item: Item) => void, onHover: (item: Item | null) => void}} actions
 */
export function createTape(element, actions) {
  const above = h("div", { class: "tape-gap" });
  const below = h("div", { class: "tape-gap" });
  const list = h("div", { class: "tape-list" });
  const note = h("small", null);
  const title = h("summary", null, "Recorded operations", note);
  const fold = h("details", { class: "tape-fold" }, title, list);
  fold.open = folding("tape").open;
  title.addEventListener("click", () => folding("tape").remember(!fold.open)); // it opens or closes after the click
  element.append(fold);
  /**
   * @type {{book: Book, t: number, active: string | null, selection: Item | null, phase: (node: string) => string} |
   *   null}
   */
  let view = null;
  /** @type {Book | null} */
  let shown = null;
  /** @type {OpRecord[]} */
  let ops = [];
  /** @type {Map<number, HTMLButtonElement>} the rows in the page, by the number of their op */
  let rows = new Map();
  let rowHeight = 0;
  let scrolling = 0;

  const itemOf = (/** @type {Event} */ event) => {
    const row = event.target instanceof Element ? event.target.closest(".tape-row") : null;
    const op = row instanceof HTMLElement ? ops[Number(row.dataset.op)] : undefined;
    return op ? /** @type {Item} */ (op.node ? { kind: "node", id: op.node } : { kind: "op", id: op.id }) : null;
  };
  list.addEventListener("click", (event) => {
    const item = itemOf(event);
    if (item) actions.onSelect(item);
  });
  list.addEventListener("pointerover", (event) => actions.onHover(itemOf(event)));
  list.addEventListener("pointerleave", () => actions.onHover(null));
  const settle = () => {
    place();
    mark();
  };
  list.addEventListener("scroll", settle, { passive: true });
  new ResizeObserver(settle).observe(list); // when the fold opens, too
  fold.addEventListener("toggle", follow);

  /** @param {Book} book */
  function fill(book) {
    ops = book.doc.ops.filter((op) => op.node || book.trace.visible.ops.has(op.id));
    const recorded = ops.filter((op) => op.node).length;
    note.textContent = recorded ? String(recorded) : "none";
    rows = new Map();
    rowHeight = 0;
    list.style.setProperty("--digits", String(Math.max(2, String(ops.length - 1).length)));
    if (ops.length) list.replaceChildren(above, below);
    else list.replaceChildren(h("p", { class: "quiet" }, "No operation was recorded."));
    list.scrollTop = 0;
  }

  /** @param {Book} book @param {number} i */
  function makeRow(book, i) {
    const op = ops[i];
    const output = op.outputs[0];
    const source = book.sourceOf(op);
    const name = output ? book.tensors.get(output)?.name : null;
    const inPlace = output !== undefined && op.inputs.includes(output);
    const text = source
      ? name && source !== name && !inPlace
        ? `${name} = ${source}`
        : source
      : output
        ? book.nameOf(output)
        : op.name;
    return h(
      "button",
      {
        type: "button",
        class: `tape-row${op.node ? "" : " unrecorded"}`,
        title: op.line ? `line ${op.line}` : null,
        dataset: { op: i },
      },
      h("span", { class: "tape-number" }, `#${i}`),
      h("span", { class: "tape-name" }, op.node ? book.nodeName(op.node) : `${op.name} (not recorded)`),
      h("span", { class: "tape-code" }, text),
    );
  }

  /** Have the rows around what is in sight in the page, and room for the others. */
  function place() {
    if (!shown || !ops.length || !fold.open) return;
    if (!rows.size) fillBetween(shown, 0, Math.min(ops.length, BEYOND));
    rowHeight = rows.values().next().value?.getBoundingClientRect().height ?? 0;
    const first = rowHeight ? Math.floor(list.scrollTop / rowHeight) : 0;
    const last = first + (rowHeight ? Math.ceil(list.clientHeight / rowHeight) : 0);
    const covered = rows.has(Math.max(0, first - BEYOND / 2)) && rows.has(Math.min(ops.length - 1, last + BEYOND / 2));
    if (!covered) fillBetween(shown, Math.max(0, first - BEYOND), Math.min(ops.length, last + BEYOND));
    const numbers = [...rows.keys()];
    above.style.height = `${Math.min(...numbers) * rowHeight}px`;
    below.style.height = `${(ops.length - 1 - Math.max(...numbers)) * rowHeight}px`;
  }

  /** @param {Book} book @param {number} from @param {number} to */
  function fillBetween(book, from, to) {
    for (const [i, row] of rows) {
      if (i >= from && i < to) continue;
      row.remove();
      rows.delete(i);
    }
    /** @type {HTMLElement} */
    let next = below;
    for (let i = to - 1; i >= from; i--) {
      const row = rows.get(i) ?? makeRow(book, i);
      if (!rows.has(i)) next.before(row);
      rows.set(i, row);
      next = row;
    }
  }

  /** What has happened to each op at t. */
  function mark() {
    if (!view) return;
    const { book, t, active, selection, phase } = view;
    for (const [i, row] of rows) {
      const { id, node } = ops[i];
      const happened = (book.trace.opTime.get(id) ?? 0) <= t;
      row.classList.toggle("later", !happened);
      row.classList.toggle("active", node !== null && node === active);
      row.classList.toggle("done", node !== null && happened && phase(node) === "done");
      row.classList.toggle("selected", selection !== null && (selection.id === node || selection.id === id));
    }
  }

  /** Scroll the list alone to the active row; scrollIntoView would also move the page. @param {number} i */
  function reveal(i) {
    const top = i * rowHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
    settle();
  }

  /** Keep the row of the node at hand in sight, where rows are. */
  function follow() {
    // In the next frame, once: reading positions right after writing would force a layout for each.
    cancelAnimationFrame(scrolling);
    if (!fold.open || !view || view.active === null) return;
    const { active } = view;
    const current = ops.findIndex((op) => op.node === active);
    if (current >= 0) scrolling = requestAnimationFrame(() => reveal(current));
  }

  return {
    /**
     * @param {{book: Book, t: number, active: string | null, selection: Item | null, phase: (node: string) => string}}
     *   now
     */
    render(now) {
      if (shown !== now.book) {
        shown = now.book;
        fill(now.book);
        place();
      }
      view = now;
      mark();
      follow();
    },
  };
}
