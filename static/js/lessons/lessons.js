/**
 * Lessons of the examples, each ending in the answer to its question. A caption belongs to a moment of the run (see
 * locate.js for the notation), and is read from there to the end of its stretch, the next caption, or `until`. What it
 * says in braces comes from the run (values.js). It is silent where the program no longer has the texts in `only`, and
 * where more than numbers of it were changed. With `look` it lights tensors, named and set apart by spaces. `change` is
 * something to try, as text to replace in the program.
 * @module
 */

import { CLASSICS } from "./classics.js";
import { statements } from "./statements.js";
import { TEXTS } from "./texts.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../ui/types").Example} Example */
/** @typedef {{say: string, at: string, until?: string, only?: string[], look?: string}} Caption */
/** @typedef {{captions: Caption[], change: {say: string, from: string, to: string}}} Lesson */
/**
 * @typedef {Lesson & {statements: (book: Book, stops: number[]) => import("./statements.js").Statement[]}} Tour
 */

/** @type {Record<string, Lesson>} by the example's id */
export const LESSONS = { ...TEXTS, ...CLASSICS };

/** @param {Example} example @returns {{example: Example, tour: Tour | null}} */
export function lessonOf(example) {
  const lesson = LESSONS[example.id];
  if (!lesson) return { example, tour: null };
  /** @type {WeakMap<readonly number[], import("./statements.js").Statement[]>} */
  const known = new WeakMap();
  return {
    example,
    tour: {
      ...lesson,
      statements(book, stops) {
        const said = known.get(stops) ?? statements(book, stops, lesson.captions, example.code);
        known.set(stops, said);
        return said;
      },
    },
  };
}
