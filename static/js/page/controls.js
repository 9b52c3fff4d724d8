/**
 * The controls around the picture: exports, theme, borders between panes, the toolbar, search, keys.
 * @module
 */

import { bindKeys } from "../keys/keys.js";
import { byId } from "../ui/dom.js";
import { bindMenu } from "../ui/menu.js";
import { bindSearch } from "../ui/search.js";
import { bindSplitter } from "../ui/splitter.js";
import { bindTheme } from "../ui/theme.js";
import { toast } from "../ui/toast.js";
import { toggleDetails } from "./details.js";
import { closeOpen, goToError, nextFinding, retell, run, select, stage, step, stepLeaf, togglePlay } from "./page.js";
import { store } from "./state.js";

bindMenu(byId("export-menu"), async () => {
  const { FORMATS } = await import("../share/export.js");
  const stored = store.get().book?.stored ?? false;
  return [
    {
      group: null,
      entries: FORMATS.filter(({ asks }) => stored || !asks).map(({ format, title, about }) => ({
        title,
        about,
        act: () => void download(format),
      })),
    },
  ];
});

/** @param {import("../share/export.js").Format} format */
async function download(format) {
  const { book, stops, t, lesson } = store.get();
  if (!book) return;
  try {
    const { exportAs } = await import("../share/export.js");
    await exportAs(format, { book, stops, t, lesson }, () => stage.picture());
  } catch (error) {
    toast(`Not exported: ${/** @type {Error} */ (error).message}`);
  }
}

bindTheme(byId("theme"), retell);

bindSplitter(byId("split-program"), { name: "--program-width", pane: byId("program"), grows: 1 });
bindSplitter(byId("split-ledger"), { name: "--ledger-width", pane: byId("ledger"), grows: -1 });

const help = /** @type {HTMLDialogElement} */ (byId("help-dialog"));
byId("help").addEventListener("click", () => void showHelp());

async function showHelp() {
  const { fillHelp } = await import("../ui/help.js");
  if (!help.hasChildNodes()) fillHelp(help);
  if (!help.open) help.showModal();
}

byId("fit").addEventListener("click", () => stage.fit());
byId("zoom-in").addEventListener("click", () => stage.zoomBy(1.3));
byId("names").addEventListener("click", () => store.set({ names: !store.get().names }));
byId("zoom-out").addEventListener("click", () => stage.zoomBy(1 / 1.3));

const openSearch = bindSearch({ find: (query) => stage.search(query), show: select });

bindKeys((command) => {
  switch (command) {
    case "play":
      togglePlay();
      return true;
    case "next":
      step("next");
      return true;
    case "previous":
      step("previous");
      return true;
    case "nextLeaf":
      stepLeaf(1);
      return true;
    case "previousLeaf":
      stepLeaf(-1);
      return true;
    case "first":
      step("first");
      return true;
    case "last":
      step("last");
      return true;
    case "search":
      openSearch();
      return true;
    case "fit":
      stage.fit();
      return true;
    case "error":
      return goToError();
    case "fold":
      stage.fold();
      return true;
    case "unfold":
      stage.unfold();
      return true;
    case "help":
      void showHelp();
      return true;
    case "run":
      return run();
    case "details":
      toggleDetails();
      return true;
    case "finding":
      return nextFinding();
    case "escape":
      return closeOpen();
  }
});
