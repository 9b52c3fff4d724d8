/** The text of the program, and its editor and the literals in it once those have loaded. */

import { elements } from "../trace.js";

/** @typedef {import("../trace/document").Tensor} TensorRecord */
/**
 * What shows the program: CodeMirror, or a listing where it cannot be changed.
 * @typedef {Pick<ReturnType<typeof import("../editor/editor.js").createEditor>,
 *   "setCode" | "beside" | "weights" | "mark" | "goTo">} Editor
 */
/** @typedef {typeof import("../editor/literals.js")} Literals */

/** @param {HTMLElement} text shows the program until there is an editor */
export function createProgram(text) {
  /** @type {{editor: Editor, literals: Literals | null} | null} */
  let loaded = null;

  /**
   * The literals a leaf was made from; null unless the program spells out every element.
   * @param {string} code
   * @param {TensorRecord | undefined} leaf
   */
  function numbersOf(code, leaf) {
    if (!loaded?.literals || !leaf?.is_leaf || !leaf.name || !leaf.line) return null;
    const found = loaded.literals.numbersOf(code, leaf.line, leaf.name);
    return found && found.length === elements(leaf.shape) ? found : null;
  }

  return {
    /** @param {Editor} editor @param {Literals | null} literals null where nothing can be changed */
    loaded(editor, literals) {
      loaded = { editor, literals };
    },

    /** @param {string} code */
    show(code) {
      if (loaded) loaded.editor.setCode(code);
      else text.textContent = code;
    },

    /** Show a line; with `focus`, put the cursor there. @param {number} line @param {boolean} [focus] */
    goTo(line, focus) {
      loaded?.editor.goTo(line, focus);
    },

    numbersOf,

    /**
     * The program with another number in the place of one of these literals; null where there is none.
     * @param {string} code
     * @param {TensorRecord | undefined} leaf
     * @param {number} index
     * @param {string} number
     */
    withNumber(code, leaf, index, number) {
      const literal = numbersOf(code, leaf)?.[index];
      if (!literal || !loaded?.literals) return null;
      return code.slice(0, literal.from) + loaded.literals.asWritten(number, literal.text) + code.slice(literal.to);
    },

    /**
     * The program with a line that asks what an element sees; null where none can be written.
     * @param {string} code
     * @param {Parameters<Literals["withField"]>[1]} about
     */
    withField(code, about) {
      return loaded?.literals?.withField(code, about) ?? null;
    },

    /**
     * The program with other weights for the elements of what a line calls backward on; null where none can be given.
     * @param {string} code
     * @param {number} line
     * @param {number[]} weights
     * @param {number[]} shape
     */
    withWeights(code, line, weights, shape) {
      const argument = loaded?.literals?.gradientArgument(code, line);
      return argument && loaded?.literals ? loaded.literals.withGradient(code, argument, weights, shape) : null;
    },
  };
}
