/** What the program has printed by time t. */

import { h } from "../ui/dom.js";

/** @typedef {import("../ui/book.js").Book} Book */

/** @param {HTMLElement} element */
export function createOutput(element) {
  const text = h("pre", { class: "output-text", tabindex: 0, role: "region", "aria-label": "Printed output" });
  element.append(h("h2", { class: "block-title", id: "output-title" }, "Output"), text);
  return {
    /** @param {{book: Book, stdout: string, before: string}} view `before` is what the previous step had printed */
    render({ book, stdout, before }) {
      const all = book.doc.stdout;
      if (stdout === "") {
        const later = book.doc.events.find((event) => event.kind === "print");
        text.replaceChildren(
          h(
            "span",
            { class: "later" },
            later
              ? `– ${"line" in later && later.line ? `line ${later.line} ` : ""}prints later –`
              : "– prints nothing –",
          ),
        );
        return;
      }
      const old = stdout.startsWith(before) ? before : "";
      const fresh = stdout.slice(old.length);
      const more = all.length > stdout.length && all.startsWith(stdout);
      text.replaceChildren(
        old,
        ...(fresh ? [h("span", { class: "fresh" }, fresh)] : []),
        ...(more ? [h("span", { class: "later" }, "…")] : []),
      );
      requestAnimationFrame(() => (text.scrollTop = text.scrollHeight));
    },
  };
}
