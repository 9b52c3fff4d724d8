/** The findings of a run as a list below the program, and their number in the bar. */

import { h } from "../ui/dom.js";
import { isWrong } from "./finding.js";

/** @typedef {import("../trace/document").Finding} Finding */
/** @typedef {import("./finding.js").Sign} Sign */

/**
 * @param {HTMLElement} element the list
 * @param {HTMLElement} count the button in the bar
 * @param {{onOpen: (index: number) => void}} actions
 */
export function createFindings(element, count, { onOpen }) {
  element.addEventListener("click", ({ target }) => {
    const row = target instanceof Element ? target.closest("[data-finding]") : null;
    if (row instanceof HTMLElement) onOpen(Number(row.dataset.finding));
  });
  count.addEventListener("click", () => onOpen(0));

  return {
    /** @param {{book: import("../ui/book.js").Book, finding: number | null}} view finding: the one that is open */
    render({ book, finding: open }) {
      const findings = book.doc.findings ?? [];
      const number = findings.length;
      element.hidden = count.hidden = number === 0;
      count.replaceChildren(badge(number, findings.some(isWrong)), ` ${number === 1 ? "finding" : "findings"}`);
      element.replaceChildren(...(number ? listed(findings, open) : []));
    },
  };
}

/** @param {readonly Finding[]} findings @param {number | null} open @returns {Node[]} */
const listed = (findings, open) => [
  h("h2", { id: "findings-title", class: "block-title" }, "Findings ", h("small", null, String(findings.length))),
  h(
    "ol",
    { class: "findings-list" },
    findings.map((finding, i) =>
      h(
        "li",
        null,
        h(
          "button",
          {
            type: "button",
            class: "finding-row",
            "aria-current": i === open ? "true" : null,
            dataset: { finding: i },
          },
          badge(i + 1, isWrong(finding)),
          h("span", null, finding.headline, h("small", null, placeOf(finding))),
        ),
      ),
    ),
  ),
];

/** A number in a circle: filled for what is wrong. @param {number} number @param {boolean} wrong */
export const badge = (number, wrong) =>
  h("span", { class: `finding-badge${wrong ? " wrong" : ""}`, "aria-hidden": "true" }, String(number));

/** The number of a finding beside its line; the list has the same for those who do not see it. @param {Sign} sign */
export const signElement = ({ number, headline, wrong, open }) =>
  h(
    "span",
    {
      class: `finding-badge at-line${wrong ? " wrong" : ""}${open ? " open" : ""}`,
      title: headline,
      "aria-hidden": "true",
      dataset: { finding: number - 1 },
    },
    String(number),
  );

/** @param {Finding} finding */
function placeOf({ severity, lines, since }) {
  const parts = [severity === "hint" ? "worth a look" : severity === "error" ? "wrong" : "very likely wrong"];
  if (lines.length) parts.push(`line ${lines[0]}`);
  if (since) parts.push(`since iteration ${since}`);
  return parts.join(" · ");
}
