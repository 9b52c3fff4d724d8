/**
 * What is said of a step where only its picture is seen. Pure.
 * @module
 */

import { toldAt } from "../ledger/sentence.js";
import { bandName, placeAt } from "../timeline/places.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../paint/figure.js").Caption} Caption */

/** What is on show. @typedef {{book: Book, stops: number[], lesson: import("../page/state.js").Lesson | null}} Shown */

/** Comments that are no title: for the shell, for editors, between cells. */
const NO_TITLE = /^#(!|\s*%%|\s*-\*-)|^#*\s*$/;

/** The comment that a program begins with, in a line. @param {string} code */
function firstComment(code) {
  for (const line of code.split("\n")) {
    const text = line.trim();
    if (NO_TITLE.test(text)) continue;
    return text.startsWith("#") ? text.replace(/^#+\s*/, "") : null;
  }
  return null;
}

/**
 * The question of the lesson, the file or the first comment of the program, or what its first pass goes back from.
 * @param {Shown} shown
 */
export function titleOf({ book, lesson }) {
  const { source, files } = book.doc;
  if (lesson && lesson.example.code === source.code) return lesson.example.question;
  if (files?.[0]) return `Backlight — ${files[0].name}`;
  const comment = firstComment(source.code ?? "");
  if (comment) return `Backlight — ${comment}`;
  const root = book.rootsOf(book.trace.bands[0]?.call ?? -1)[0];
  return root ? `Backlight — the backward pass of ${book.nameOf(root)}` : "Backlight";
}

/** The step as the page counts it. @param {Shown} shown @param {number} t */
export function stepName({ book, stops }, t) {
  const { stretch, stop, title } = placeAt(book, stops, t);
  if (!stretch) return title;
  return `${bandName(stretch)}, step ${stop - stretch.first + 1} of ${stretch.last - stretch.first + 1}`;
}

/** The same in the name of a file. @param {Shown} shown @param {number} t */
export const stepSlug = (shown, t) =>
  stepName(shown, t)
    .toLowerCase()
    .replace(/ of \d+$/, "")
    .replace(/[^a-z0-9]+/g, "-");

/** @param {Shown} shown */
export const runSlug = ({ book, lesson }) =>
  `backlight-${lesson && lesson.example.code === book.doc.source.code ? lesson.example.id : book.doc.id.slice(0, 8)}`;

/** @param {Shown} shown @param {number} t @returns {Caption} */
export function captionOf(shown, t) {
  const { book, stops } = shown;
  const { stretch, line } = placeAt(book, stops, t);
  const call = stretch?.kind === "backward" ? book.calls.get(stretch.call)?.line : null;
  const code = (book.doc.source.code ?? "").split("\n");
  const lines = [...new Set([call, line])].filter((number) => typeof number === "number");
  const [sentence = []] = toldAt(book, stops, t);
  return {
    title: titleOf(shown),
    step: stepName(shown, t),
    code: lines.map((number) => ({ number, text: (code[number - 1] ?? "").trim() })),
    sentence,
  };
}
