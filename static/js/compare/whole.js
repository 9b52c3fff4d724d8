/**
 * A file that holds two runs: each is shown in a frame by a copy of the file that holds it alone. Without a network,
 * and without an origin by which the frames could know each other.
 * @module
 */

import { layOut, showPair, sideOf } from "./pair.js";

/** The file before its scripts change anything; null where it holds one run. */
const whole = document.getElementById("other-document")
  ? /** @type {HTMLElement} */ (document.documentElement.cloneNode(true))
  : null;

/** The elements with the runs, A's first. @param {ParentNode} page @returns {[HTMLElement, HTMLElement]} */
const holders = (page) => [
  /** @type {HTMLElement} */ (page.querySelector("#other-document")),
  /** @type {HTMLElement} */ (page.querySelector("#run-document")),
];

/** @param {HTMLElement} file @param {number} which of the runs @param {number | null} t where it stands */
function alone(file, which, t) {
  const page = /** @type {HTMLElement} */ (file.cloneNode(true));
  const both = holders(page);
  const [other, holder] = both;
  holder.textContent = both[which]?.textContent ?? "";
  if (t !== null) holder.dataset.at = String(t);
  other.remove();
  Object.assign(page.dataset, { embed: "", led: "" });
  return `<!doctype html>${page.outerHTML}`;
}

/** Show both runs, if there are two. @returns {boolean} */
export function showBoth() {
  if (!whole) return false;
  document.title = "Backlight — two runs";
  const [a, b] = holders(whole);
  layOut([a.dataset.name ?? "", b.dataset.name ?? ""], "Comparing both runs …");
  // The page around them is that of one run: its keys are not for two.
  window.addEventListener("keydown", (event) => event.stopPropagation(), { capture: true });
  const side = (/** @type {HTMLElement} */ { textContent }) => sideOf(JSON.parse(textContent ?? ""));
  void showPair([side(a), side(b)], {
    origin: "*",
    open: (frame, which, t) => {
      frame.srcdoc = alone(whole, which, t);
    },
  });
  return true;
}
