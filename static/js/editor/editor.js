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
  indentWithTab,
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
 * @param {HTMLElement} host its content is replaced
 * @param {object} options
 * @param {string} options.code
 * @param {string} options.nonce the page's style nonce: CodeMirror makes its own style element
 * @param {(code: string) => void} options.onChange the reader edited
 * @param {() => void} options.onRun
 * @param {(lines: number[]) => void} options.onLines lines the cursor or selection covers
 * @param {(line: number | null) => void} options.onHover
 * @param {(call: number, index: number, weight: number) => void} options.onWeight a weight is dragged
 * @param {(index: number) => void} options.onFinding the number of a finding is clicked
 * @param {() => void} options.onExplain more is wanted of the error
 * @param {() => boolean} options.locked whether the program is only to be read
 */
export function createEditor(host, options) {
  const { code, nonce, onChange, onRun, onLines, onHover, onWeight, onFinding, onExplain, locked } = options;
  let quiet = false;
  host.addEventListener("click", (event) => {
    if (asksWhy(event)) onExplain();
  });
  const runs = () => {
    onRun();
    return true;
  };
  const run = Prec.highest(keymap.of([{ key: "Mod-Enter", run: runs }]));
  const watch = EditorView.updateListener.of((update) => {
    if (update.docChanged && !quiet) onChange(update.state.doc.toString());
    if ((update.selectionSet || update.focusChanged) && !quiet) {
      onLines(update.view.hasFocus ? selectedLines(update.state) : []);
    }
  });
  const pointer = EditorView.domEventHandlers({
    mousemove: (event, view) => {
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false);
      onHover(view.state.doc.lineAt(at).number);
    },
    mouseleave: () => onHover(null),
    mousedown: (event, view) => {
      const sign =
        event.button === 0 && event.target instanceof Element ? event.target.closest("[data-finding]") : null;
      if (sign instanceof HTMLElement) {
        onFinding(Number(sign.dataset.finding));
        return true;
      }
      const weight = event.button === 0 && event.target instanceof Element ? event.target.closest(".cm-weight") : null;
      if (!(weight instanceof HTMLElement)) return false;
      drag(weight.dataset.weight ?? "", event, view);
      return true;
    },
  });

  /**
   * A click that does not move sets the cursor.
   * @param {string} data
   * @param {MouseEvent} start
   * @param {EditorView} view
   */
  function drag(data, start, view) {
    const [call = 0, index = 0, x = 0] = data.split(" ").map(Number);
    let last = x;
    start.preventDefault();
    const move = (/** @type {MouseEvent} */ event) => {
      const next = draggedTo(x, event.clientX - start.clientX);
      if (next === last) return;
      last = next;
      onWeight(call, index, next);
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

  const view = new EditorView({
    state: EditorState.create({
      doc: code,
      extensions: [
        EditorView.cspNonce.of(nonce),
        run,
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
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        watch,
        pointer,
        EditorState.changeFilter.of(() => quiet || !locked()),
        EditorView.contentAttributes.of(() => ({
          "aria-label": "Program",
          "aria-readonly": String(locked()),
          tabindex: "0",
          spellcheck: "false",
          autocorrect: "off",
          autocapitalize: "off",
        })),
      ],
    }),
  });
  host.replaceChildren(view.dom);
  /** @type {number | null} the line the run is at */
  let current = null;
  /** @type {number | null} characters that fit in a row; null when that may have changed */
  let columns = null;
  const sizes = new ResizeObserver(() => (columns = null));
  sizes.observe(view.scrollDOM);
  sizes.observe(view.contentDOM);

  /**
   * Scroll the program alone, once its rows are measured: the page must not move at every step.
   * @param {number} number
   */
  function keepVisible(number) {
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

  return {
    view,
    code: () => view.state.doc.toString(),

    /**
     * Put in another program, changing no more than what differs, so that undo and the cursor survive.
     * @param {string} next
     */
    setCode(next) {
      const now = view.state.doc.toString();
      if (now === next) return;
      let from = 0;
      while (from < Math.min(now.length, next.length) && now[from] === next[from]) from++;
      let end = 0;
      while (
        end < Math.min(now.length, next.length) - from &&
        now[now.length - 1 - end] === next[next.length - 1 - end]
      ) {
        end++;
      }
      const to = now.length - end;
      const insert = next.slice(from, next.length - end);
      quiet = true;
      // Numbers that are dragged are undone together, other text by itself.
      const userEvent = /\n/.test(insert + now.slice(from, to)) ? "replace" : undefined;
      view.dispatch({ changes: { from, to, insert }, userEvent });
      quiet = false;
    },

    /**
     * What stands beside the lines at time t, given how wide they are.
     * @param {import("../ui/book.js").Book} book
     * @param {number} t
     * @param {readonly import("../findings/finding.js").Sign[]} signs  beside their lines, too
     */
    beside(book, t, signs) {
      // Asked for at every step: reading it then would make the browser lay the page out each time.
      columns ??= Math.floor(
        (view.scrollDOM.clientWidth - (view.dom.querySelector(".cm-gutters")?.clientWidth ?? 0)) /
          view.defaultCharacterWidth,
      );
      return besideLines(book, t, columns, signs);
    },

    /** The literals that weigh backward calls. @param {import("../ui/book.js").Book} book */
    weights: weightsIn,

    /** @param {Marks} next */
    mark(next) {
      view.dispatch({ effects: setDecorations.of(next) });
      if (next.now !== current && next.now !== null && !view.hasFocus) keepVisible(next.now);
      current = next.now;
    },

    /** Show a line; with `focus`, put the cursor there. @param {number} number @param {boolean} [focus] */
    goTo(number, focus = false) {
      const line = view.state.doc.line(Math.min(Math.max(1, number), view.state.doc.lines));
      view.dispatch({
        effects: EditorView.scrollIntoView(line.from, { y: "nearest" }),
        ...(focus ? { selection: { anchor: line.from } } : {}),
      });
      if (focus) view.focus();
    },
  };
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
