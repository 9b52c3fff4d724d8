/** The error of a program, as it stands below its line. */

import { h } from "../ui/dom.js";

/** @typedef {import("../trace/document").Error} RunError */

/**
 * An error below its line, and the way to all that is said of it.
 * @param {RunError} error @param {string} message as much of it as there is room for
 * @param {boolean} told whether the ledger tells of it: where one sees the ledger, no way is needed
 */
export const problemElement = ({ type, message: title }, message, told) =>
  h(
    "div",
    { class: told ? "cm-problem told" : "cm-problem", role: "note", title },
    h("div", { class: "cm-problem-message" }, h("b", null, type), ": ", message),
    h("button", { type: "button", class: "link-button", dataset: { explain: "" } }, "Why, and what helps"),
  );

/** Whether it asks for more of what is said of an error. @param {Event} event */
export const asksWhy = ({ target }) => target instanceof Element && target.closest("[data-explain]") !== null;
