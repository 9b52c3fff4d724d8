/**
 * Where a reader is in the lesson of an example, and which tensors its words are about then. Pure.
 * @module
 */

import { stopIndex } from "../timeline/places.js";
import { momentOf, tensorCalled } from "./locate.js";
import { nonLeafRead } from "../output/rows.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("./lessons.js").Lesson} Lesson */
/** @typedef {{say: string, moment: number | null, stop: number, look: string[]}} Statement  look: ids of tensors */

/** More tensors than this are not lit together. */
const MOST_LIT = 6;

/**
 * @param {Book} book
 * @param {readonly number[]} stops
 * @param {Lesson | null | undefined} tour
 * @returns {Statement[]} stop: Infinity where the run has no such moment
 */
export function statements(book, stops, tour) {
  return (tour?.captions ?? []).map(({ say, at, look }) => {
    const moment = momentOf(book, at);
    const stop = moment === null ? Infinity : stops.findIndex((time) => time >= moment);
    return { say, moment, stop, look: named(book, look) };
  });
}

/**
 * The statement that is open at a stop: the one asked for, or the last whose moment has come.
 * @param {readonly Statement[]} all
 * @param {number} here index of the stop
 * @param {number} asked for: several may be about one stop
 */
export const openAt = (all, here, asked) =>
  all[asked]?.stop === here ? asked : all.reduce((last, { stop }, i) => (stop <= here ? i : last), 0);

/**
 * The tensors to light at time t: what the open statement is about, and where the program ends the answer.
 * @param {Book} book
 * @param {number[]} stops
 * @param {number} t
 * @param {Lesson | null | undefined} tour
 * @param {number} asked
 * @returns {string[]}
 */
export function litAt(book, stops, t, tour, asked) {
  const here = stopIndex(stops, t);
  const all = statements(book, stops, tour);
  const open = all[openAt(all, here, asked)];
  if (open && open.stop === here) return open.look;
  return here === stops.length - 1 && here > 0 ? answer(book) : [];
}

/**
 * What a program's end is about: the leaves that its last pass reached, and what it asked in vain for a gradient.
 * @param {Book} book
 * @returns {string[]}
 */
function answer(book) {
  if (book.doc.error) return [];
  const call = Math.max(-1, ...book.calls.keys());
  const reached = book.doc.events.flatMap((event) =>
    event.kind === "accumulate" && event.call === call ? [event.tensor] : [],
  );
  const asked = book.doc.warnings.flatMap(({ line }) => named(book, nonLeafRead(book, line) ?? undefined));
  const all = [...new Set([...reached, ...asked])];
  return all.length > MOST_LIT ? [] : all;
}

/** @param {Book} book @param {string | undefined} names separated by spaces */
const named = (book, names) => (names ? names.split(" ").flatMap((name) => tensorCalled(book, name) ?? []) : []);
