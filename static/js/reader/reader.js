/**
 * The program as a listing to read: what a page has in place of the editor where nothing can be run.
 * @module
 */

import { besideLines } from "../editor/beside.js";
import { asksWhy, problemElement } from "../editor/problem.js";
import { signElement } from "../findings/list.js";
import { formatNumber } from "../trace.js";
import { h } from "../ui/dom.js";
import { wordsOf } from "./words.js";

/** @typedef {import("../editor/decorations.js").Marks} Marks */

/** Columns: how far in a wrapped part of a line stands, beyond where the line begins, and where that ends. */
const FURTHER = 4;
const DEEPEST = 24;
/** Lines of a part of the listing, which is plain text until it comes near: a long program is read in places only. */
const PART = 50;
const NEAR = "600px 0px";
/** After a line was scrolled to, parts that come near may turn out to be higher. */
const SETTLING = 3;

/**
 * @param {HTMLElement} host its content is replaced
 * @param {object} options
 * @param {string} options.code
 * @param {(lines: number[]) => void} options.onLines the line that was clicked
 * @param {(line: number | null) => void} options.onHover
 * @param {(index: number) => void} options.onFinding the number of a finding was clicked
 * @param {() => void} options.onExplain more is wanted of the error
 */
export function createReader(host, { code, onLines, onHover, onFinding, onExplain }) {
  const list = h("div", { class: "reader", role: "group", "aria-label": "Program", tabindex: 0 });
  /** @type {import("./words.js").Word[][]} */
  let lines = [];
  /** @type {({row: HTMLElement, text: HTMLElement, shown: string} | undefined)[]} */
  let rows = [];
  /** @type {HTMLElement[]} */
  let parts = [];
  const nearby = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) fill(parts.indexOf(/** @type {HTMLElement} */ (target)));
      }
    },
    { root: host, rootMargin: NEAR },
  );
  let current = /** @type {number | null} */ (null);
  /** Lines with something beside their text. @type {Set<number>} */
  let marked = new Set();
  let letter = 0;

  /** @param {Event} event */
  const lineOf = ({ target }) => {
    const row = target instanceof Element ? target.closest("li") : null;
    return row ? Number(row.value) : null;
  };
  list.addEventListener("mousemove", (event) => onHover(lineOf(event)));
  list.addEventListener("mouseleave", () => onHover(null));
  list.addEventListener("click", (event) => {
    const sign = event.target instanceof Element ? event.target.closest("[data-finding]") : null;
    if (sign instanceof HTMLElement) {
      onFinding(Number(sign.dataset.finding));
      return;
    }
    if (asksWhy(event)) {
      onExplain();
      return;
    }
    const line = lineOf(event);
    onLines(line === null ? [] : [line]);
  });

  /** @param {string} text */
  function setCode(text) {
    nearby.disconnect();
    lines = wordsOf(text);
    rows = [];
    parts = [];
    for (let first = 0; first < lines.length; first += PART) {
      const plain = lines.slice(first, first + PART).map((words) => words.map((word) => word.text).join(""));
      parts.push(h("ol", { start: first + 1 }, h("li", { class: "reader-plain" }, plain.join("\n"))));
    }
    list.replaceChildren(...parts);
    for (const part of parts) nearby.observe(part);
    marked = new Set();
    current = null;
  }

  /** Have the lines of a part as they are marked. @param {number} index */
  function fill(index) {
    const part = parts[index];
    const first = index * PART;
    if (!part || rows[first]) return;
    nearby.unobserve(part);
    lines.slice(first, first + PART).forEach((words, i) => {
      const code = h(
        "code",
        null,
        words.map(({ text, kind }) => (kind ? h("span", { class: `word-${kind}` }, text) : text)),
      );
      const row = h("li", { class: "cm-line", value: first + i + 1 }, code);
      const indented = /^ */.exec(words[0]?.text ?? "")?.[0].length ?? 0;
      row.style.setProperty("--hang", String(Math.min(indented, DEEPEST) + FURTHER));
      rows[first + i] = { row, text: code, shown: "" };
    });
    part.replaceChildren(...rows.slice(first, first + PART).flatMap((line) => line?.row ?? []));
  }

  /** @param {number} n */
  function rowOf(n) {
    fill(Math.floor((n - 1) / PART));
    return rows[n - 1];
  }

  /** @param {Marks} marks @param {number} n */
  function markLine(marks, n) {
    const line = rowOf(n);
    if (!line) return;
    const error = marks.error?.line === n ? marks.error : null;
    const value = marks.values.get(n);
    const names = [
      "cm-line",
      n === marks.now && "cm-now",
      marks.linked.includes(n) && "cm-linked",
      marks.recorded.has(n) && "recorded",
      (value || marks.signs.some((sign) => sign.line === n)) && "cm-valued",
      error && "cm-error-line",
      !error && marks.error?.related_lines?.includes(n) && "cm-related-line",
    ].filter(Boolean);
    line.row.className = names.join(" ");
    const signs = marks.signs.filter((sign) => sign.line === n);
    const numbers = signs.map(({ number, open }) => `${number}${open}`);
    const shown = `${value?.below} ${value?.text} ${error?.message} ${error && marks.told} ${numbers}`;
    if (line.shown === shown) return;
    line.shown = shown;
    line.row.replaceChildren(line.text, ...[...signs].reverse().map(signElement));
    if (value) line.row.append(beside(value, marks));
    if (error) line.row.append(problemElement(error, error.message, marks.told));
  }

  setCode(code);
  host.replaceChildren(list);

  return {
    setCode,

    /**
     * What stands beside the lines at time t, given how wide they are.
     * @param {import("../ui/book.js").Book} book
     * @param {number} t
     * @param {readonly import("../findings/finding.js").Sign[]} signs  beside their lines, too
     */
    beside(book, t, signs) {
      letter ||= letterWidth(list);
      return besideLines(book, t, Math.floor((list.clientWidth - 56) / letter), signs);
    },

    /** No number in a listing can be dragged. */
    weights: () => [],

    /** @param {Marks} marks */
    mark(marks) {
      const next = new Set([...marks.values.keys(), ...marks.linked, ...marks.recorded]);
      for (const { line } of marks.signs) if (line !== null) next.add(line);
      for (const n of [marks.now, marks.error?.line, ...(marks.error?.related_lines ?? [])]) if (n) next.add(n);
      for (const n of new Set([...marked, ...next])) markLine(marks, n);
      marked = next;
      if (marks.now !== current && marks.now !== null) keepVisible(host, rowOf(marks.now)?.row);
      current = marks.now;
    },

    /** Show a line. @param {number} number */
    goTo(number) {
      keepVisible(host, rowOf(number)?.row);
      onLines([number]);
    },
  };
}

/** Pixels. @param {HTMLElement} list */
function letterWidth(list) {
  const probe = h("code", { class: "reader-probe", "aria-hidden": "true" }, "m".repeat(50));
  list.append(probe);
  const width = probe.getBoundingClientRect().width / 50;
  probe.remove();
  return width || 8;
}

/** @param {import("../editor/beside.js").Beside} value @param {Marks} marks */
function beside({ text, below, gradient }, { colours }) {
  const element = h("span", { class: below ? "cm-value below" : "cm-value", "aria-hidden": "true", title: text });
  if (!gradient?.length) element.textContent = text;
  else {
    for (const x of gradient) {
      const cell = h("span", { class: "cell" }, formatNumber(x));
      cell.style.backgroundColor = colours.cell(x);
      cell.style.color = colours.on(colours.cell(x));
      element.append(cell);
    }
  }
  return element;
}

/**
 * Scroll the program alone: the page must not move at every step.
 * @param {HTMLElement} host @param {HTMLElement | undefined} row
 */
function keepVisible(host, row, settling = SETTLING) {
  if (!row?.isConnected) return;
  const seen = host.getBoundingClientRect();
  const line = row.getBoundingClientRect();
  const above = seen.top + host.clientTop - line.top;
  const below = line.bottom - (seen.top + host.clientTop + host.clientHeight);
  if (above > 0) host.scrollTop -= above;
  else if (below > 0) host.scrollTop += below + 8;
  else return;
  if (settling) requestAnimationFrame(() => keepVisible(host, row, settling - 1));
}
