/** One finding in the column: what is wrong, why, in which numbers, and its fix as a change of the program. */

import { formatNumber } from "../trace.js";
import { h } from "../ui/dom.js";
import { difference, isWrong, mended } from "./finding.js";
import { badge } from "./list.js";

/** @typedef {import("../ui/book.js").Book} Book */

/**
 * @param {Book} book
 * @param {number} index
 * @param {boolean} changeable the program can be changed here
 */
export function findingCard(book, index, changeable) {
  const all = book.doc.findings ?? [];
  const finding = all[index];
  if (!finding) return null;
  const { headline, why, lines, fix, evidence } = finding;
  const code = book.doc.source.code ?? "";
  const next = mended(code, finding);
  const move = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {number} */ to) =>
    h(
      "button",
      { type: "button", class: "button small", "aria-label": label, disabled: !all[to], dataset: { finding: to } },
      h("span", { "aria-hidden": "true" }, sign),
    );
  return h(
    "section",
    {
      class: "finding",
      dataset: { key: `finding ${book.doc.id} ${index} ${document.documentElement.dataset.theme}` },
      "aria-label": `Finding ${index + 1}`,
    },
    h(
      "div",
      { class: "finding-head" },
      badge(index + 1, isWrong(finding)),
      h("h2", null, all.length > 1 ? `Finding ${index + 1} of ${all.length}` : "Finding"),
      all.length > 1 && [move("Finding before", "‹", index - 1), move("Next finding", "›", index + 1)],
      h("button", { type: "button", class: "button small", dataset: { finding: -1 } }, "Close"),
    ),
    h("p", { class: "say" }, headline),
    h("p", null, why),
    picture(book, finding),
    h(
      "p",
      { class: "quiet" },
      "See ",
      lines.flatMap((line, i) => [
        i ? ", " : "",
        h("button", { type: "button", class: "link-button", dataset: { line } }, `line ${line}`),
      ]),
    ),
    Object.keys(evidence.values).length
      ? h(
          "table",
          { class: "facts" },
          h(
            "tbody",
            null,
            Object.entries(evidence.values).map(([name, value]) =>
              h("tr", null, h("th", { scope: "row" }, name), h("td", null, shown(value))),
            ),
          ),
        )
      : null,
    h("p", { class: "fix" }, h("b", null, "Fix: "), fix.text),
    next === null ? null : diff(code, next),
    next !== null && changeable
      ? h("button", { type: "button", class: "button small primary", dataset: { apply: "" } }, "Apply and run")
      : null,
  );
}

/**
 * What the finding looks like, once its code has come.
 * @param {Book} book @param {import("../trace/document").Finding} finding
 */
function picture(book, finding) {
  const place = h("div", { class: "finding-picture" });
  void import("./picture.js").then(({ findingPicture }) => place.replaceChildren(findingPicture(book, finding) ?? ""));
  return place;
}

/** Elements of a list that are shown at either end. */
const ENDS = 4;

/** Shapes as PyTorch writes them, and long lists by their ends. @param {unknown} value @returns {string} */
function shown(value) {
  if (typeof value === "number") return formatNumber(value);
  if (!Array.isArray(value)) return String(value);
  if (value.some(Array.isArray)) return value.map(shown).join(" · ");
  const long = value.length > 2 * ENDS + 1;
  const ends = long ? [...value.slice(0, ENDS).map(shown), "…", ...value.slice(-ENDS).map(shown)] : value.map(shown);
  return `(${ends.join(", ")}${value.length === 1 ? "," : ""})`;
}

/** @param {string} before @param {string} after */
const diff = (before, after) =>
  h(
    "pre",
    { class: "diff", role: "region", "aria-label": "The change", tabindex: 0 },
    difference(before, after).map(({ sign, line, text }) =>
      h("span", { class: sign === "+" ? "put" : "out" }, `${String(line).padStart(3)} ${sign} ${text}\n`),
    ),
  );
