/** What the service or the program complained about, above the output. */

import { Problem } from "../net/api.js";
import { h } from "../ui/dom.js";

/**
 * @param {HTMLElement} element its content is replaced
 * @param {{problem: Problem | Error | null, again: number | null, document: import("../ui/types").RunDocument | null}} what
 *   problem: no document came; again: seconds until the program is sent again
 */
export function showNotices(element, { problem, again, document }) {
  const notice = (/** @type {string} */ kind, /** @type {(string | null)[]} */ title, /** @type {string} */ text) =>
    h("div", { class: kind }, h("strong", null, title), h("p", null, text));
  const list = [];
  if (problem) {
    const title = problem instanceof Problem ? problem.title : "Something went wrong";
    const next = again === null ? "" : ` Trying again in ${again} s.`;
    list.push(h("div", { class: "notice", role: "alert" }, h("strong", null, title), h("p", null, problem.message + next)));
  }
  if (document?.error && !document.error.line) list.push(notice("notice", [document.error.type], document.error.message));
  for (const { category, line, message } of document?.warnings ?? []) list.push(notice("notice warning", [category, line ? ` on line ${line}` : ""], message));
  if (document?.limits?.truncated) list.push(notice("notice warning", ["Cut short"], String(document.limits.truncated)));
  element.replaceChildren(...list);
}
