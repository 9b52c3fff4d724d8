/**
 * A page that plays the one document it holds: no service, no network, no editor. `tools/viewer.mjs` makes one file of
 * it.
 * @module
 */

import "./page/controls.js";
import { explainError, follow, markEditor, openFinding, program, show, stage } from "./page/page.js";
import { store, WHERE_IT_WAS } from "./page/state.js";
import { createReader } from "./reader/reader.js";
import { NOTHING } from "./share/address.js";
import { asOneListing } from "./trace/files.js";
import { byId } from "./ui/dom.js";

/** @typedef {import("./trace/document").RunDocument} RunDocument */

async function start() {
  const holder = byId("run-document");
  const text = holder.textContent ?? "";
  if (!text.trim()) throw new Error("There is no run in this page: an export puts one in.");
  const doc = asOneListing(/** @type {RunDocument} */ (JSON.parse(text)));
  const code = doc.source.code ?? "";
  const reader = createReader(byId("editor"), {
    code,
    onLines: (lines) => store.set({ lines }),
    onFinding: openFinding,
    onExplain: explainError,
    onHover: (line) => stage.highlightLines(line === null ? store.get().lines : [line]),
  });
  program.loaded(reader, null);
  const { at } = holder.dataset;
  store.set({ code, arrival: { ...WHERE_IT_WAS, t: at ? Number(at) : null, look: NOTHING.look } });
  store.subscribe((now, before) => {
    const moved = now.book !== before.book || now.t !== before.t;
    const pointed = now.pointed !== before.pointed || now.finding !== before.finding || now.details !== before.details;
    if (moved || pointed || now.selection !== before.selection) {
      follow("editor", () => markEditor(reader));
    }
  });
  byId("theme").addEventListener("click", () => markEditor(reader));
  await show(doc, { stored: false });
  await stage.painted();
  performance.mark("backlight:picture");
}

start().catch((/** @type {Error} */ error) => store.set({ problem: error, again: null }));
