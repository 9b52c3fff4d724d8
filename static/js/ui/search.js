/** The search field over the graph: type to find, Enter for the next hit, Escape to leave. */

import { byId } from "./dom.js";

/** @typedef {import("./types").Item} Item */

/**
 * @param {object} options
 * @param {(query: string) => Item[]} options.find
 * @param {(item: Item) => void} options.show  a hit is to be looked at
 * @returns {() => void} opens the field
 */
export function bindSearch({ find, show }) {
  const form = byId("search");
  const opener = byId("search-open");
  const count = byId("search-count");
  const input = /** @type {HTMLInputElement} */ (byId("search-input"));
  /** @type {Item[]} */
  let hits = [];
  let hit = -1;

  function open() {
    form.hidden = false;
    opener.hidden = true;
    input.focus();
    input.select();
  }

  function close() {
    form.hidden = true;
    opener.hidden = false;
    hits = [];
    count.textContent = "";
    opener.focus();
  }

  /** @param {number} by */
  function step(by) {
    if (hits.length === 0) return;
    hit = (hit + by + hits.length) % hits.length;
    const { kind, id } = /** @type {Item} */ (hits[hit]);
    show({ kind, id });
    count.textContent = `${hit + 1} of ${hits.length}`;
  }

  opener.addEventListener("click", open);
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", () => {
    const query = input.value.trim();
    hits = find(query);
    hit = -1;
    count.textContent = query ? (hits.length ? String(hits.length) : "none") : "";
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    } else if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
  });
  return open;
}
