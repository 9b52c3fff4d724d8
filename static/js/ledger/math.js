/** Formulas. KaTeX is fetched when the first one is shown, after the picture; until then the plain text stands. */

import { isWhole } from "../ui/dom.js";

/** @type {Promise<(tex: string, element: HTMLElement, options?: object) => void> | null} */
let loading = null;

/** What is too wide is set smaller, down to this; then it scrolls. */
const SMALLEST = 0.72;

/** Two frames later the picture stands. */
const afterPicture = () =>
  new Promise((/** @type {(value?: unknown) => void} */ go) =>
    requestAnimationFrame(() => requestAnimationFrame(() => go())),
  );

function load() {
  if (loading) return loading;
  if (!isWhole()) {
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = new URL("../../vendor/katex.css", import.meta.url).href;
    document.head.append(sheet);
  }
  loading = afterPicture()
    .then(() => import("../../vendor/katex.js"))
    .then((katex) => katex.render);
  loading.catch(() => (loading = null));
  return loading;
}

/**
 * Show a formula in `element`, or its text while KaTeX is not there or does not understand it.
 * @param {HTMLElement} element
 * @param {string} latex
 * @param {string} text
 */
export async function formula(element, latex, text) {
  const fallback = document.createElement("span");
  fallback.className = "plain";
  fallback.textContent = text;
  element.replaceChildren(fallback);
  await null;
  if (!element.isConnected) return; // the ledger kept the same formula from the step before
  try {
    const render = await load();
    // render() and never renderToString(): it styles through the CSSOM, which the content security policy allows.
    const rendered = document.createElement("span");
    render(latex, rendered, { throwOnError: true, output: "htmlAndMathml", displayMode: false });
    if (fallback.parentNode !== element) return;
    element.replaceChildren(rendered);
    const { clientWidth: room, scrollWidth: wide } = element;
    if (wide > room && room) element.style.fontSize = `${Math.max(SMALLEST, room / wide)}em`;
  } catch {
    // the plain text is already there
  }
}
