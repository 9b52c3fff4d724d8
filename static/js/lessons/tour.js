/**
 * Where a reader is in the lesson of an example, and which tensors its words are about then. Pure.
 * @module
 */

import { stopIndex } from "../timeline/places.js";
import { nonLeafRead } from "../output/rows.js";
import { tensorsCalled } from "./locate.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("./lessons.js").Tour} Tour */
/** @typedef {import("./statements.js").Statement} Statement */

/** More tensors than this are not lit together. */
const MOST_LIT = 6;

/**
 * The statement that is open at a stop: the one asked for, or the last that belongs to it; −1 where none does.
 * @param {readonly Statement[]} all
 * @param {number} here index of the stop
 * @param {number} asked for: several may be about one stop
 */
export const openAt = (all, here, asked) =>
  all[asked]?.stop === here
    ? asked
    : all.reduce((open, { stop, last }, i) => (stop <= here && here <= last ? i : open), -1);

/**
 * The tensors to light at time t: what the open statement is about, and where the program ends the answer.
 * @param {Book} book
 * @param {number[]} stops
 * @param {number} t
 * @param {Tour | null | undefined} tour
 * @param {number} asked
 * @returns {string[]}
 */
export function litAt(book, stops, t, tour, asked) {
  const here = stopIndex(stops, t);
  const all = tour?.statements(book, stops) ?? [];
  const open = all[openAt(all, here, asked)];
  if (open?.stop === here) return open.look;
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
  const asked = book.doc.warnings.flatMap(({ line }) => tensorsCalled(book, nonLeafRead(book, line)));
  const all = [...new Set([...reached, ...asked])];
  return all.length > MOST_LIT ? [] : all;
}
