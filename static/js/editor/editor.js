/** The program: CodeMirror with the values each line produced, the current line, and errors where they happened. */

import {
  bracketMatching,
  defaultKeymap,
  drawSelection,
  EditorState,
  EditorView,
  highlightSpecialChars,
  HighlightStyle,
  history,
  historyKeymap,
  indentOnInput,
  indentUnit,
  keymap,
  LanguageSupport,
  lineNumbers,
  Prec,
  pythonLanguage,
  syntaxHighlighting,
  tags,
} from "../../vendor/codemirror.js";
import { besideLines } from "./beside.js";
import { hanging, HANGING } from "./hanging.js";
import { draggedTo } from "../ui/drag.js";
import { marks, setDecorations } from "./decorations.js";
import { FILLS } from "./fills.js";
import { asksWhy } from "./problem.js";
import { weightsIn } from "./weights.js";

/** @typedef {import("./decorations.js").Marks} Marks */

/** By weight and grey: hue belongs to gradients. */
const colours = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword],
    color: "var(--soft)",
    fontWeight: "700",
  },
  { tag: [tags.bool, tags.null], color: "var(--soft)", fontWeight: "700" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--soft)" },
  { tag: tags.comment, color: "var(--mute)" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], fontWeight: "600" },
  { tag: [tags.meta], color: "var(--soft)", fontWeight: "700" },
]);

const theme = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--ink)", fontSize: ".893rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.72" },
  ".cm-content": { padding: ".75rem 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 .6rem 0 .35rem" },
  ...HANGING,
  ...FILLS,
  ".cm-gutters": { backgroundColor: "transparent", border: "0", color: "var(--mute)" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "1.9rem", padding: "0 .25rem 0 .4rem" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--mute) 30%, transparent)",
  },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "color-mix(in srgb, var(--mute) 24%, transparent)",
    outline: "none",
  },
});

/**
 * @typedef {object} EditorOptions
 * @property {string} code
 * @property {string} nonce the page's style nonce: CodeMirror makes its own style element
 * @property {(code: string, how: {typed: boolean, pasted: boolean}) => void} onChange the reader edited; typed: key by
 *   key
 * @property {() => void} onRun
 * @property {(lines: number[]) => void} onLines lines the cursor or selection covers
 * @property {(line: number | null) => void} onHover
 * @property {(call: number, index: number, weight: number) => void} onWeight a weight is dragged
 * @property {(index: number) => void} onFinding the number of a finding is clicked
 * @property {() => void} onExplain more is wanted of the error
 * @property {() => boolean} locked whether the program is only to be read
 */

/**
 * @param {HTMLElement} host its content is replaced
 * @param {EditorOptions} options
 */
export function createEditor(host, options) {
  return new Editor(host, options);
}

class Editor {
  /** Whether a change is the page's own. */
  #quiet = false;
  /** @type {number | null} the line the run is at */
  #current = null;
  /** @type {number | null} characters that fit in a row; null when that may have changed */
  #columns = null;

  /** @param {HTMLElement} host @param {EditorOptions} options */
  constructor(host, options) {
    this.host = host;
    this.options = options;
    host.addEventListener("click", (event) => {
      if (asksWhy(event)) options.onExplain();
    });
    this.view = new EditorView({ state: EditorState.create({ doc: options.code, extensions: this.#extensions() }) });
    host.replaceChildren(this.view.dom);
    const sizes = new ResizeObserver(() => (this.#columns = null));
    sizes.observe(this.view.scrollDOM);
    sizes.observe(this.view.contentDOM);
  }

  #extensions() {
    const { nonce, locked } = this.options;
    return [
      EditorView.cspNonce.of(nonce),
      Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => this.#run() }])),
      lineNumbers(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      indentUnit.of("    "),
      indentOnInput(),
      bracketMatching(),
      EditorView.lineWrapping,
      hanging,
      new LanguageSupport(pythonLanguage),
      syntaxHighlighting(colours),
      theme,
      marks(),
      // Tab leaves, as CodeMirror advises: who has no pointer must get out. Mod-] and Mod-[ of the default keys indent.
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorView.updateListener.of((update) => this.#updated(update)),
      this.#pointer(),
      EditorState.changeFilter.of(() => this.#quiet || !locked()),
      EditorView.contentAttributes.of(() => ({
        "aria-label": "Program",
        "aria-description": "Runs as you type. Tab leaves the editor; Ctrl or ⌘ with ] or [ indents more or less.",
        "aria-readonly": String(locked()),
        tabindex: "0",
        spellcheck: "false",
        autocorrect: "off",
        autocapitalize: "off",
      })),
    ];
  }

  #run() {
    this.options.onRun();
    return true;
  }

  /** @param {import("@codemirror/view").ViewUpdate} update */
  #updated({ docChanged, selectionSet, focusChanged, state, view, transactions }) {
    if (this.#quiet) return;
    const by = (/** @type {string[]} */ ...how) =>
      transactions.some((each) => how.some((one) => each.isUserEvent(one)));
    const how = { typed: by("input.type", "delete"), pasted: by("input.paste", "input.drop") };
    if (docChanged) this.options.onChange(state.doc.toString(), how);
    if (selectionSet || focusChanged) this.options.onLines(view.hasFocus ? selectedLines(state) : []);
  }

  #pointer() {
    const { onHover } = this.options;
    return EditorView.domEventHandlers({
      mousemove: (event, view) => {
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false);
        onHover(view.state.doc.lineAt(at).number);
      },
      mouseleave: () => onHover(null),
      mousedown: (event, view) => this.#pressed(event, view),
    });
  }

  /** @param {MouseEvent} event @param {EditorView} view @returns {boolean} whether that was all */
  #pressed(event, view) {
    const target = event.button === 0 && event.target instanceof Element ? event.target : null;
    const sign = target?.closest("[data-finding]");
    if (sign instanceof HTMLElement) {
      this.options.onFinding(Number(sign.dataset.finding));
      return true;
    }
    const weight = target?.closest(".cm-weight");
    if (!(weight instanceof HTMLElement)) return false;
    this.#drag(weight.dataset.weight ?? "", event, view);
    return true;
  }

  /**
   * A click that does not move sets the cursor.
   * @param {string} data
   * @param {MouseEvent} start
   * @param {EditorView} view
   */
  #drag(data, start, view) {
    const [call = 0, index = 0, x = 0] = data.split(" ").map(Number);
    let last = x;
    start.preventDefault();
    const move = (/** @type {MouseEvent} */ event) => {
      const next = draggedTo(x, event.clientX - start.clientX);
      if (next === last) return;
      last = next;
      this.options.onWeight(call, index, next);
    };
    const end = () => {
      removeEventListener("mousemove", move);
      const at = view.posAtCoords({ x: start.clientX, y: start.clientY });
      if (last !== x || at === null) return;
      view.focus();
      view.dispatch({ selection: { anchor: at } });
    };
    addEventListener("mousemove", move);
    addEventListener("mouseup", end, { once: true });
  }

  /**
   * Scroll the program alone, once its rows are measured: the page must not move at every step.
   * @param {number} number
   */
  #keepVisible(number) {
    const { host, view } = this;
    view.requestMeasure({
      key: host,
      read: () => (number > view.state.doc.lines ? null : view.lineBlockAt(view.state.doc.line(number).from)),
      write: (line) => {
        const above = view.documentPadding.top;
        if (!line) return;
        if (line.top < host.scrollTop) host.scrollTop = line.top;
        else if (line.bottom + above > host.scrollTop + host.clientHeight) {
          host.scrollTop = line.bottom + 2 * above - host.clientHeight;
        }
      },
    });
  }

  code() {
    return this.view.state.doc.toString();
  }

  /**
   * Put in another program, changing no more than what differs, so that undo and the cursor survive.
   * @param {string} next
   */
  setCode(next) {
    const now = this.code();
    if (now === next) return;
    const shorter = Math.min(now.length, next.length);
    let from = 0;
    while (from < shorter && now[from] === next[from]) from++;
    let end = 0;
    while (end < shorter - from && now[now.length - 1 - end] === next[next.length - 1 - end]) end++;
    const to = now.length - end;
    const insert = next.slice(from, next.length - end);
    this.#quiet = true;
    // Numbers that are dragged are undone together, other text by itself.
    const userEvent = /\n/.test(insert + now.slice(from, to)) ? "replace" : undefined;
    this.view.dispatch({ changes: { from, to, insert }, userEvent });
    this.#quiet = false;
  }

  /**
   * What stands beside the lines at time t, given how wide they are.
   * @param {import("../ui/book.js").Book} book
   * @param {number} t
   * @param {readonly import("../findings/finding.js").Sign[]} signs  beside their lines, too
   */
  beside(book, t, signs) {
    const { view } = this;
    // Asked for at every step: reading it then would make the browser lay the page out each time.
    this.#columns ??= Math.floor(
      (view.scrollDOM.clientWidth - (view.dom.querySelector(".cm-gutters")?.clientWidth ?? 0)) /
        view.defaultCharacterWidth,
    );
    return besideLines(book, t, this.#columns, signs);
  }

  /** The literals that weigh backward calls. */
  weights = weightsIn;

  /** @param {Marks} next */
  mark(next) {
    const { view } = this;
    view.dispatch({ effects: setDecorations.of(next) });
    if (next.now !== this.#current && next.now !== null && !view.hasFocus) this.#keepVisible(next.now);
    this.#current = next.now;
  }

  /** Select the whole program, so that what comes next replaces it. */
  selectAll() {
    this.view.focus();
    this.view.dispatch({ selection: { anchor: 0, head: this.view.state.doc.length } });
  }

  /** Show a line; with `focus`, put the cursor there. @param {number} number @param {boolean} [focus] */
  goTo(number, focus = false) {
    const { view } = this;
    const line = view.state.doc.line(Math.min(Math.max(1, number), view.state.doc.lines));
    view.dispatch({
      effects: EditorView.scrollIntoView(line.from, { y: "nearest" }),
      ...(focus ? { selection: { anchor: line.from } } : {}),
    });
    if (focus) view.focus();
  }
}

/** @param {EditorState} state */
function selectedLines(state) {
  /** @type {number[]} */
  const lines = [];
  for (const range of state.selection.ranges) {
    for (let n = state.doc.lineAt(range.from).number; n <= state.doc.lineAt(range.to).number; n++) lines.push(n);
  }
  return lines;
}
