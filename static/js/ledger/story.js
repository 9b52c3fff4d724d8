/**
 * What happens in the step, in one sentence below the picture.
 * @module
 */

import { placeAt } from "../timeline/places.js";
import { h } from "../ui/dom.js";
import { morph } from "../ui/morph.js";
import { bindClicks } from "./clicks.js";
import { tryBlock } from "./lesson.js";
import { sentence } from "./parts.js";
import { asText, toldAt } from "./sentence.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../ui/types").Token} Token */
/** @typedef {import("../ui/types").Example} Example */

/**
 * @typedef {object} StepView
 * @property {Book} book
 * @property {number[]} stops
 * @property {number} t
 * @property {import("../ui/types").Item | null} selection
 * @property {{example: Example, tour: import("../lessons/lessons.js").Tour | null} | null} lesson
 * @property {number} caption the statement of the lesson that was asked for
 * @property {number | null} finding which of the findings is open
 * @property {boolean} changeable the program on show can be changed and run
 */

/** Characters from which on a sentence is set smaller: there is room for two lines of those below. */
const LONG = 210;

/**
 * @param {HTMLElement} element its content is replaced
 * @param {import("./clicks.js").Clicks} actions
 */
export function createStory(element, actions) {
  bindClicks(element, actions);
  /** The step in words. */
  let spoken = "";
  return {
    /** The step in words, for screen readers. */
    spoken: () => spoken,

    /** @param {StepView} view */
    render(view) {
      const { book, stops, t } = view;
      const [statement = [], ...rest] = toldAt(book, stops, t);
      const words = asText(statement);
      spoken = [words, ...rest.map(asText)].join(" ");
      element.classList.toggle("long", words.length > LONG);
      element.classList.remove("longer");
      morph(element, [
        h("h2", { id: "story-step", class: "visually-hidden" }, titleOf(view)),
        sentence(book, statement),
        tryBlock(view),
      ]);
      if (words.length > LONG) element.classList.toggle("longer", element.scrollHeight > element.clientHeight);
    },
  };
}

/** Whether a run got anywhere before it failed. @param {Book} book */
export const hasStarted = (book) => book.doc.events.some((event) => event.kind !== "error");

/** @param {StepView} view */
const titleOf = ({ book, stops, t }) =>
  book.doc.error && !hasStarted(book) ? "Before anything was recorded" : placeAt(book, stops, t).title;
