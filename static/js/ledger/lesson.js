/**
 * The lesson of an example, beside the drawing: its question, and of its statements the one about the step at hand, if
 * any; and what to try, with a lesson always and else where the program ends.
 * @module
 */

import { h } from "../ui/dom.js";
import { morph } from "../ui/morph.js";
import { isChangeable, suggest } from "../lessons/suggest.js";
import { openAt } from "../lessons/tour.js";
import { stopIndex } from "../timeline/places.js";
import { bindClicks } from "./clicks.js";

/** @typedef {import("./story.js").StepView} StepView */

/**
 * @param {HTMLElement} element its content is replaced
 * @param {import("./clicks.js").Clicks} actions
 */
export function createLesson(element, actions) {
  bindClicks(element, actions);
  return {
    /** @param {StepView} view */
    render(view) {
      element.hidden = view.lesson === null;
      morph(element, view.lesson ? parts(view, view.lesson) : []);
    },
  };
}

/** @param {StepView} view @param {NonNullable<StepView["lesson"]>} lesson */
function parts({ book, t, stops, caption }, { example, tour }) {
  const all = tour?.statements(book, stops) ?? [];
  const here = stopIndex(stops, t);
  const current = openAt(all, here, caption);
  const steps = all.map(({ say, moment, last }, i) =>
    h(
      "li",
      null,
      moment !== null &&
        h(
          "button",
          {
            type: "button",
            class: `caption${last < here ? " done" : ""}`,
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
  const texts = tour ? all.map(({ say }) => say) : [example.look];
  return [
    h("h2", null, example.question),
    steps.length ? h("ol", null, steps) : null,
    // All of them lie on one place, so that the lesson is as high at every step.
    h(
      "div",
      { class: "captions" },
      texts.map((say, i) => h("p", { class: !tour || i === current ? "open" : null }, say)),
    ),
    change ? tryButton(change.say) : null,
  ];
}

/** Something to try where a program without a lesson of its own ends. @param {StepView} view */
export function tryBlock({ book, t, stops, lesson }) {
  if (!book.stored || t < (stops[stops.length - 1] ?? 0)) return null;
  if (lesson?.tour?.change && isChangeable(book.doc.source.code ?? "", lesson.tour.change)) return null;
  const change = suggest(book);
  return change ? h("div", { class: "try" }, tryButton(change.say)) : null;
}

/** @param {string} say */
const tryButton = (say) =>
  h("button", { type: "button", class: "button small", dataset: { change: "" } }, `Try: ${say}`);
