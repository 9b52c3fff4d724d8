/** The help dialog: what one sees, and the keys. */

import { h } from "./dom.js";
import { KEYS } from "../keys/keys.js";

/** @param {HTMLDialogElement} dialog */
export function fillHelp(dialog) {
  dialog.replaceChildren(
    h(
      "div",
      { class: "dialog-body" },
      h("h2", { id: "help-title" }, "How to read this page"),
      h(
        "p",
        null,
        "The graph is what autograd recorded while your program ran: results stand above what they were computed " +
          "from. backward() comes down the same edges: each ",
        "circle waits until all its gradients have arrived, adds them, applies its rule, and sends the results on. " +
          "Leaves keep theirs in ",
        h("code", null, ".grad"),
        ".",
      ),
      h(
        "p",
        null,
        "Blue is positive, orange negative, grey zero. Violet is what moves now. " +
          "A dotted box has not been reached yet, ",
        h("em", null, "None"),
        " is hatched, and 0 is a number like any other. What a circle saved for its rule is freed once it has run, " +
          "unless retain_graph=True: a second pass would stop there.",
      ),
      h("h2", null, "Keys"),
      h(
        "div",
        { class: "key-table" },
        KEYS.map(({ keys, about }) => h("div", { class: "key-row" }, h("span", null, about), h("kbd", null, keys))),
      ),
      h(
        "p",
        null,
        "In the editor, Tab goes on to what comes next; Ctrl or ⌘ with ] or [ indents more or less. " +
          "In the graph, arrows follow edges.",
      ),
      h(
        "button",
        { type: "button", class: "button icon dialog-close", "aria-label": "Close", onclick: () => dialog.close() },
        h("span", { "aria-hidden": "true" }, "×"),
      ),
    ),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}
