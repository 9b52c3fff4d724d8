/**
 * What a page knows: the program, the run on show, where in it the reader stands, and what is pointed at.
 * @module
 */

import { byId } from "../ui/dom.js";
import { createStore } from "../ui/store.js";

/** @typedef {import("../trace/document").RunDocument} RunDocument */
/** @typedef {import("../ui/types").Item} Item */
/** @typedef {import("../ui/types").Example} Example */
/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../stage.js").Look} Look */

/**
 * @typedef {object} State
 * @property {string} code the text of the program
 * @property {Book | null} book the run on show
 * @property {RunDocument | null} latest the last answer
 * @property {Book | null} failed the last answer when its program could not start: it is told of, beside the picture of
 *   the run before
 * @property {RunDocument | null} arriving the answer that came last: one that is overtaken while it is read is dropped
 * @property {Arrival} arrival where to stand in the next answer
 * @property {import("../net/api.js").Problem | Error | null} problem why there was no answer
 * @property {number | null} again seconds after which the refused program is sent again
 * @property {number[]} stops
 * @property {number} t
 * @property {Item | null} selection
 * @property {Item | null} pointed what the pointer rests on
 * @property {number[]} lines lines the cursor covers in the editor
 * @property {boolean} playing
 * @property {number} speed
 * @property {number} pace while playing: how fast the stage should move, relative to its own pace
 * @property {boolean} scrubbing the knob of the timeline is being dragged
 * @property {Lesson | null} lesson the example that is open
 * @property {number | null} finding which of the findings is open
 * @property {number} caption the statement of the lesson that was asked for: several may be about one step
 * @property {boolean} names autograd's names are on the picture
 * @property {boolean} details the column beside the picture is open
 * @property {boolean} rule the rule of the step stands beside what happens
 * @property {boolean} present shown to a room
 * @property {Look | null} look how an address has the picture looked at
 */

/**
 * What an address asks for (old: t does not count what the program looks at). Without a look no address does: the
 * reader stays where they were; afresh: it is another program, so begin where its own first pass starts.
 * @typedef {{t: number | null, old: boolean, selection: Item | null, finding: number | null, caption: number | null,
 *   names: boolean, look: Look | null, afresh: boolean}} Arrival
 */

/** @typedef {{example: Example, tour: import("../lessons/lessons.js").Tour | null}} Lesson */

/** @type {Arrival} */
export const WHERE_IT_WAS = Object.freeze({
  t: null,
  old: false,
  selection: null,
  finding: null,
  caption: null,
  names: false,
  look: null,
  afresh: false,
});

/** The one store of the page. */
export const store = createStore(
  /** @type {State} */ ({
    code: byId("program-text").textContent ?? "",
    book: null,
    latest: null,
    failed: null,
    arriving: null,
    arrival: WHERE_IT_WAS,
    problem: null,
    again: null,
    stops: [0],
    t: 0,
    selection: null,
    pointed: null,
    lines: [],
    playing: false,
    speed: 1,
    pace: 1,
    scrubbing: false,
    lesson: null,
    finding: null,
    caption: -1,
    names: false,
    details: false,
    rule: false,
    present: false,
    look: null,
  }),
);
