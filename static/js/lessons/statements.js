/**
 * What a lesson says of a run, and at which steps: each caption belongs to one stretch of it (a pass, or what lies
 * between passes), and speaks in the run's own numbers. Pure.
 * @module
 */

import { stretches } from "../timeline/places.js";
import { momentOf, tensorsCalled } from "./locate.js";
import { filled } from "./values.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("./lessons.js").Caption} Caption */

/**
 * @typedef {object} Statement
 * @property {string} say  "" where nothing true can be said of this run
 * @property {number | null} moment  null where it is silent
 * @property {number} stop  the step it begins at; Infinity where it is silent
 * @property {number} last  the step it ends at
 * @property {string[]} look  ids of tensors
 */

const NUMBER = /(?<![\w.])-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?!\w)/gi;

/** Are two programs the same but for their numbers? @param {string} a @param {string} b */
export const alikeButForNumbers = (a, b) => a.replace(NUMBER, "#") === b.replace(NUMBER, "#");

/**
 * @param {Book} book
 * @param {number[]} stops
 * @param {readonly Caption[]} captions
 * @param {string} written  the program that they were written for
 * @returns {Statement[]}
 */
export function statements(book, stops, captions, written) {
  const code = book.doc.source.code ?? "";
  const alike = alikeButForNumbers(code, written);
  const all = captions.map((caption) => statement(book, stops, caption, alike ? code : null));
  return all.map((one) => {
    const next = Math.min(...all.map(({ stop }) => (stop > one.stop ? stop : Infinity)));
    return { ...one, last: Math.min(one.last, next - 1) };
  });
}

/**
 * @param {Book} book @param {number[]} stops @param {Caption} caption
 * @param {string | null} code  null where it is another program
 * @returns {Statement}
 */
function statement(book, stops, { say, at, until, only = [], look }, code) {
  const moment = code !== null && only.every((text) => code.includes(text)) ? momentOf(book, at) : null;
  const stop = moment === null ? -1 : stops.findIndex((time) => time >= moment);
  const text = stop < 0 ? null : filled(say, book, stops[stop] ?? 0);
  if (text === null) return { say: "", moment: null, stop: Infinity, last: -1, look: [] };
  const end = until === undefined ? null : momentOf(book, until);
  const stretch = stretches(book, stops).find(({ first, last }) => stop >= first && stop <= last);
  const last = end === null ? (stretch?.last ?? stop) : stops.findIndex((time) => time >= end);
  return { say: text, moment, stop, last, look: tensorsCalled(book, look) };
}
