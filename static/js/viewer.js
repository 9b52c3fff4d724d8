/**
 * A page that plays the one document it holds: no service, no network, no editor. `tools/viewer.mjs` makes one file of
 * it.
 * @module
 */

import { showBoth } from "./compare/whole.js"; // before anything changes the page
import "./page/controls.js";
import { isLed } from "./page/details.js";
import { bindFrame } from "./page/frame.js";
import { explainError, follow, markEditor, openFinding, program, show, stage } from "./page/page.js";
import { store, WHERE_IT_WAS } from "./page/state.js";
import { createReader } from "./reader/reader.js";
import { NOTHING } from "./share/address.js";
import { asOneListing } from "./trace/files.js";
import { byId } from "./ui/dom.js";

/** @typedef {import("./trace/document").RunDocument} RunDocument */

/** @type {ReturnType<typeof createReader> | null} */
let reader = null;

async function start() {
  if (showBoth()) return;
  const training = document.getElementById("training");
  if (training) return (await import("./live/live.js")).live(JSON.parse(training.textContent ?? ""), play);
  const holder = byId("run-document");
  const text = holder.textContent ?? "";
  if (!text.trim()) throw new Error("There is no run in this page: an export puts one in.");
  const { at } = holder.dataset;
  await play(JSON.parse(text), at ? Number(at) : null);
}

/**
 * Show a run: the first one from where it is looked at first, the next ones where the reader stands.
 * @param {RunDocument} run @param {number | null} [at] or from there
 */
async function play(run, at = null) {
  const doc = asOneListing(run);
  const code = doc.source.code ?? "";
  const arrival = { ...WHERE_IT_WAS, t: at, look: NOTHING.look };
  store.set(reader ? { code } : { code, arrival });
  reader ??= read(code);
  await show(doc, { stored: false });
  await stage.painted();
  performance.mark("backlight:picture");
}

/** @param {string} code */
function read(code) {
  const listing = createReader(byId("editor"), {
    code,
    onLines: (lines) => store.set({ lines }),
    onFinding: openFinding,
    onExplain: explainError,
    onHover: (line) => stage.highlightLines(line === null ? store.get().lines : [line]),
  });
  program.loaded(listing, null);
  store.subscribe((now, before) => {
    const moved = now.book !== before.book || now.t !== before.t;
    const pointed = now.pointed !== before.pointed || now.finding !== before.finding || now.details !== before.details;
    if (moved || pointed || now.selection !== before.selection) {
      follow("editor", () => markEditor(listing));
    }
  });
  byId("theme").addEventListener("click", () => markEditor(listing));
  if (isLed()) bindFrame("*");
  return listing;
}

start().catch((/** @type {Error} */ error) => store.set({ problem: error, again: null }));
