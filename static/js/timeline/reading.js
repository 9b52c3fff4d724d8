/**
 * How long a step has to stand so that its words can be read. Pure.
 * @module
 */

import { asText, toldAt } from "../ledger/sentence.js";
import { openAt } from "../lessons/tour.js";
import { stopIndex } from "./places.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../ui/types").Token} Token */
/** @typedef {import("../lessons/lessons.js").Tour} Tour */

/** What people read without haste when there is a picture to look at, too. */
export const WORDS_A_MINUTE = 250;

/**
 * Times to read the steps of one play, asked for in its order. A sentence of a form that was read before takes only the
 * words that are new in it, without numbers: those are in the picture.
 * @param {Book} book
 * @param {number[]} stops
 * @param {Tour | null | undefined} tour
 */
export function createReading(book, stops, tour) {
  /** @type {Map<string, string[]>} */
  const read = new Map();
  const captions = tour?.statements(book, stops) ?? [];
  let caption = -1;

  /** @param {number} t @returns {number} words to read at time t */
  function words(t) {
    const here = stopIndex(stops, t);
    const [sentence = []] = toldAt(book, stops, t);
    const all = wordsIn(asText(sentence));
    const form = formOf(sentence);
    const last = read.get(form);
    read.set(form, all);
    const fresh = last ? all.filter((word) => !last.includes(word) && !isNumber(word)) : all;
    const open = openAt(captions, here, -1);
    const said = open === caption ? [] : wordsIn(captions[open]?.say ?? "");
    caption = open;
    return fresh.length + said.length;
  }

  return {
    words,
    /** @param {number} t @returns {number} ms */
    ms: (t) => (words(t) * 60_000) / WORDS_A_MINUTE,
  };
}

/** @param {string} text */
export const wordsIn = (text) => text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word));

/** @param {string} word */
const isNumber = (word) => !/\p{L}/u.test(word);

/** A sentence without its names and numbers. @param {Token[]} sentence */
const formOf = (sentence) =>
  sentence.map(({ kind, text }) => (kind === "text" ? text.replace(/[-−]?\d[\d.e+-]*/g, "0") : "·")).join("");
