/** "Is this gradient right?": a leaf's gradient beside the slope of the loss, asked of the service when wanted. */

import { gradientCheck } from "../net/api.js";
import { h } from "../ui/dom.js";
import { checked, passAt } from "./checked.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("./checked.js").Check} Check */

/** Checks that were asked for, by run, leaf and pass. @type {Map<string, Promise<Check>>} */
const asked = new Map();

/**
 * The button that asks, or what came of it; null for what no pass has added to, or runs the service does not have.
 * @param {Book} book
 * @param {string} id
 * @param {number} t
 * @returns {HTMLElement | null}
 */
export function checkBlock(book, id, t) {
  const call = book.stored ? passAt(book.doc.events, id, t) : null;
  if (call === null) return null;
  const key = `${book.doc.id} ${id}@${call}`;
  const element = h("div", { class: "check", dataset: { key: `check ${key}` }, "aria-live": "polite" });
  const name = book.nameOf(id);

  const button = h(
    "button",
    { type: "button", class: "link-button" },
    "Is it right? Compare it with finite differences.",
  );
  button.addEventListener("click", () => ask());

  const ask = () => {
    const focused = element.contains(document.activeElement);
    element.replaceChildren(h("p", { class: "quiet" }, "Computing finite differences…"));
    const check = asked.get(key) ?? gradientCheck(book.doc.id, `${id}@${call}`);
    asked.set(key, check);
    check.then(
      (found) => {
        element.replaceChildren(...result(name, found));
        if (focused) {
          element.tabIndex = -1;
          element.focus();
        }
      },
      (/** @type {Error} */ error) => {
        asked.delete(key);
        element.replaceChildren(h("p", null, `${error.message} `), button);
      },
    );
  };
  if (asked.has(key)) ask();
  else element.append(button);
  return element;
}

/** @param {string} name @param {Check} check */
function result(name, check) {
  const { said, rows, more, note } = checked(name, check);
  const line = check.reason?.line;
  return [
    h("p", null, h("b", null, said), check.reason ? ` ${check.reason.text}` : null),
    line
      ? h("p", null, h("button", { type: "button", class: "link-button", dataset: { line } }, `See line ${line}.`))
      : null,
    rows.length
      ? h(
          "table",
          { class: "facts" },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              h("td", null),
              ["autograd", "numerical"].map((title) => h("th", { scope: "col" }, title)),
            ),
          ),
          h(
            "tbody",
            null,
            rows.map((row) =>
              h(
                "tr",
                { class: row.agrees ? null : "differs" },
                h("th", { scope: "row" }, h("code", null, row.name)),
                h("td", null, row.autograd),
                h("td", null, row.agrees ? row.slope : [h("span", { "aria-hidden": true }, "≠ "), row.slope]),
              ),
            ),
          ),
        )
      : null,
    more ? h("p", { class: "quiet" }, `and ${more} more`) : null,
    note ? h("p", { class: "quiet" }, note) : null,
  ].filter((part) => part !== null);
}
