/**
 * The examples as a gallery: grouped by question, each with a little picture of its graph, to be searched. The pictures
 * are one file, asked for when the gallery is opened first.
 */

import { h, s } from "./dom.js";

/** @typedef {import("./types").Example} Example */
/** @typedef {import("./examples.js").Group} Group */

const SKETCHES = new URL("../../icons/sketches.svg", import.meta.url).href;

/**
 * @param {HTMLDialogElement} dialog
 * @param {object} options
 * @param {() => Promise<Group[]>} options.groups
 * @param {(example: Example) => void} options.onOpen
 * @param {() => void} options.onFile asks for a file instead
 * @returns {() => Promise<void>} opens it, or rejects where the examples could not be had
 */
export function createGallery(dialog, { groups, onOpen, onFile }) {
  /** @type {HTMLInputElement | null} */
  let input = null;

  async function open() {
    input ??= fill(await groups());
    dialog.showModal();
    input.focus();
    input.select();
  }

  /** @param {Group[]} known @returns {HTMLInputElement} */
  function fill(known) {
    const count = h("output", { class: "search-count", for: "gallery-search" });
    const search = h("input", {
      type: "search",
      id: "gallery-search",
      placeholder: "leaf, retain_graph, hook…",
      "aria-label": "Search the examples",
      autocomplete: "off",
      spellcheck: "false",
    });
    const sections = known.map(({ title, source, examples }, i) => ({
      section: h(
        "section",
        { "aria-labelledby": `gallery-group-${i}` },
        h("h3", { id: `gallery-group-${i}` }, title),
        h("p", { class: "gallery-source" }, source),
        h("ul", null),
      ),
      cards: examples.map((example) => ({ example, card: card(example), text: wordsOf(example, title) })),
    }));
    for (const { section, cards } of sections) {
      section.querySelector("ul")?.append(...cards.map(({ card: each }) => each));
    }
    const filter = () => {
      const asked = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let found = 0;
      for (const { section, cards } of sections) {
        for (const { card: each, text } of cards) {
          each.hidden = !asked.every((word) => text.includes(word));
          if (!each.hidden) found++;
        }
        section.hidden = cards.every(({ card: each }) => each.hidden);
      }
      count.textContent = asked.length ? (found ? String(found) : "none") : "";
    };
    search.addEventListener("input", filter);
    dialog.replaceChildren(
      h(
        "div",
        { class: "gallery-head" },
        h("h2", { id: "gallery-title" }, "Examples"),
        h("div", { class: "search" }, search, count),
        h("button", { type: "button", class: "button", onclick: askForFile }, "Open a file…"),
        h(
          "button",
          { type: "button", class: "button icon", "aria-label": "Close", onclick: () => dialog.close() },
          h("span", { "aria-hidden": "true" }, "×"),
        ),
      ),
      h(
        "div",
        { class: "gallery-body" },
        sections.map(({ section }) => section),
      ),
    );
    return search;
  }

  function askForFile() {
    dialog.close();
    onFile();
  }

  /** @param {Example} example */
  const card = (example) =>
    h(
      "li",
      null,
      h(
        "button",
        {
          type: "button",
          class: "gallery-card",
          dataset: { example: example.id },
          onclick: () => {
            dialog.close();
            onOpen(example);
          },
        },
        s("svg", { class: "gallery-sketch", "aria-hidden": "true" }, s("use", { href: `${SKETCHES}#${example.id}` })),
        h("span", { class: "gallery-question" }, example.question),
        h("span", { class: "gallery-name" }, example.title),
        h("span", { class: "gallery-look" }, example.look),
      ),
    );

  dialog.addEventListener("keydown", (event) => {
    const cards = [...dialog.querySelectorAll(".gallery-card")].filter((each) => each.checkVisibility());
    const at = cards.indexOf(/** @type {Element} */ (document.activeElement));
    const next = { ArrowDown: rowFrom(cards, at, 1), ArrowUp: rowFrom(cards, at, -1) }[event.key];
    const along = at < 0 ? undefined : { ArrowRight: at + 1, ArrowLeft: at - 1 }[event.key];
    const to = cards[next ?? along ?? -1];
    if (event.key === "Enter" && document.activeElement === input && cards[0] instanceof HTMLElement) cards[0].click();
    else if (to instanceof HTMLElement) to.focus();
    else if (event.key === "ArrowUp" && at >= 0) input?.focus();
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return open;
}

/** What an example is found by. @param {Example} example @param {string} group */
const wordsOf = ({ title, description, look, question, code, id }, group) =>
  [title, description, look, question, code, id, group].join("\n").toLowerCase();

/**
 * The card above or below another one; from the search field the first.
 * @param {Element[]} cards @param {number} at @param {1 | -1} by
 * @returns {number | undefined}
 */
function rowFrom(cards, at, by) {
  if (at < 0) return by > 0 ? 0 : undefined;
  const here = /** @type {Element} */ (cards[at]).getBoundingClientRect();
  let best;
  for (let i = at + by; i >= 0 && i < cards.length; i += by) {
    const box = /** @type {Element} */ (cards[i]).getBoundingClientRect();
    if (Math.abs(box.top - here.top) < 2) continue;
    const first = best === undefined ? null : /** @type {Element} */ (cards[best]).getBoundingClientRect();
    if (first && Math.abs(first.top - box.top) > 2) break;
    if (!first || Math.abs(box.left - here.left) < Math.abs(first.left - here.left)) best = i;
  }
  return best;
}
