/** What the service complained about, or the program before its first line, above the output. */

import { Problem } from "../net/api.js";
import { grouped } from "../trace/numbers.js";
import { h } from "../ui/dom.js";

/** @typedef {import("../trace/document").RunDocument} RunDocument */

/**
 * @param {HTMLElement} element its content is replaced
 * @param {{problem: Problem | Error | null, again: number | null, document: RunDocument | null}} what
 *   problem: no document came; again: seconds until the program is sent again
 */
export function showNotices(element, { problem, again, document }) {
  const notice = (/** @type {string} */ kind, /** @type {(string | null)[]} */ title, /** @type {string} */ text) =>
    h("div", { class: kind }, h("strong", null, title), h("p", null, text));
  const list = [];
  if (problem) {
    const title = problem instanceof Problem ? problem.title : "Something went wrong";
    const next = again === null ? "" : ` Trying again in ${again} s.`;
    list.push(
      h("div", { class: "notice", role: "alert" }, h("strong", null, title), h("p", null, problem.message + next)),
    );
  }
  if (document?.error && !document.error.line) {
    list.push(notice("notice", [document.error.type], document.error.message));
  }
  if (document?.limits?.truncated) list.push(notice("notice", ["Recorded in part"], partOf(document)));
  element.replaceChildren(...list);
}

/** Why the rest is missing, by the name of the limit. @type {Record<string, string>} */
const WHY = {
  ops: "More operations do not fit into one picture.",
  events: "More steps do not fit into one timeline.",
  document_bytes: "More does not fit into one document.",
  total_bytes: "More values cannot be kept.",
};

/**
 * What was recorded of a run that is too long for its document.
 * @param {Pick<RunDocument, "limits" | "events">} document
 */
export function partOf({ limits, events }) {
  const { truncated, recorded, skipped } = limits;
  if (truncated === "output_chars") return "The program printed more than is shown: the output is truncated.";
  const why = WHY[String(truncated)] ?? String(truncated);
  if (!recorded || !skipped) return `${why} Some names and values were left out.`;
  const passes = recorded.passes + skipped.passes;
  const what = skipped.passes
    ? parts(events, "backward", passes, passes === 1 ? "backward pass" : "backward passes")
    : parts(events, "op", recorded.ops + skipped.ops, "operations");
  return `${what} ${why} The program ran on: what it printed, and the values and gradients at the end, are complete.`;
}

/**
 * "Recorded: the first 37 of 500 backward passes and the last one."
 * @param {RunDocument["events"]} events
 * @param {string} kind
 * @param {number} all
 * @param {string} name
 */
function parts(events, kind, all, name) {
  const gap = events.findIndex((event) => event.kind === "gap");
  const counted = (/** @type {RunDocument["events"]} */ some) => some.filter((event) => event.kind === kind).length;
  const first = counted(events.slice(0, gap));
  const last = counted(events.slice(gap));
  const begin = first === 1 ? "the first one" : `the first ${grouped(first)}`;
  const end = last === 1 ? "the last one" : `the last ${grouped(last)}`;
  if (!first && !last) return `Recorded: none of ${grouped(all)} ${name}.`;
  if (!last) return `Recorded: ${begin} of ${grouped(all)} ${name}.`;
  if (!first) return `Recorded: ${end} of ${grouped(all)} ${name}.`;
  return `Recorded: ${begin} of ${grouped(all)} ${name} and ${end}.`;
}
