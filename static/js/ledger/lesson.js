/**
 * The lesson of an example above the step: its question, and of its statements the one about the moment at hand; and
 * what to try, with a lesson always and else where the program ends.
 * @module
 */

import { h } from "../ui/dom.js";
import { isChangeable, suggest } from "../lessons/suggest.js";
import { openAt, statements } from "../lessons/tour.js";
import { stopIndex } from "../timeline/places.js";

/** @typedef {import("./ledger.js").LedgerView} LedgerView */

/** @param {LedgerView} view */
export function lessonBlock({ book, lesson, t, stops, caption }) {
  if (!lesson) return null;
  const { example, tour } = lesson;
  const all = statements(book, stops, tour);
  const current = openAt(all, stopIndex(stops, t), caption);
  const steps = all.map(({ say, moment }, i) =>
    h(
      "li",
      null,
      moment !== null &&
        h(
          "button",
          {
            type: "button",
            class: `caption${i < current ? " done" : ""}`,
            "aria-current": i === current ? "step" : null,
            "aria-label": `${i + 1}: ${say}`,
            title: say,
            dataset: { time: moment, caption: i },
          },
          String(i + 1),
        ),
    ),
  );
  const change = tour?.change && isChangeable(book.doc.source.code ?? "", tour.change) ? tour.change : null;
  return h(
    "div",
    { class: "lesson" },
    h("h2", null, example.question),
    steps.length ? h("ol", null, steps) : null,
    h("p", null, all[current]?.say ?? example.look),
    change ? tryButton(change.say) : null,
  );
}

/** Something to try where a program without a lesson of its own ends. @param {LedgerView} view */
export function tryBlock({ book, t, stops, lesson }) {
  if (!book.stored || t < (stops[stops.length - 1] ?? 0)) return null;
  if (lesson?.tour?.change && isChangeable(book.doc.source.code ?? "", lesson.tour.change)) return null;
  const change = suggest(book);
  return change ? h("div", { class: "try" }, tryButton(change.say)) : null;
}

/** @param {string} say */
const tryButton = (say) =>
  h("button", { type: "button", class: "button small", dataset: { change: "" } }, `Try: ${say}`);
