/**
 * Lessons of the examples, each ending in the answer to its question. A caption points at a moment of the run (see
 * locate.js for the notation) and, with `look`, at tensors to light, named and set apart by spaces; `change` is
 * something to try, as text to replace in the program.
 * @module
 */

import { CLASSICS } from "./classics.js";
import { TEXTS } from "./texts.js";

/** @typedef {{say: string, at: string, look?: string}} Caption */
/** @typedef {{captions: Caption[], change: {say: string, from: string, to: string}}} Lesson */

/** @type {Record<string, Lesson>} by the example's id */
export const LESSONS = { ...TEXTS, ...CLASSICS };
