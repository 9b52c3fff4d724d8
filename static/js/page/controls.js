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
import { toggleDetails, toggleRule } from "./details.js";
import {
  closeOpen,
  goToError,
  nextFinding,
  retell,
  run,
  select,
  stage,
  step,
  stepLeaf,
  stopPlaying,
  togglePlay,
} from "./page.js";
import { store } from "./state.js";

bindMenu(byId("export-menu"), async () => {
  const [{ FORMATS }, { whyNoVideo }] = await Promise.all([import("../share/export.js"), import("../share/video.js")]);
  const stored = store.get().book?.stored ?? false;
  const files = FORMATS.filter(({ asks }) => stored || !asks).map(({ format, title, about }) => ({
    title,
    about,
    act: () => void download(format),
  }));
  const why = whyNoVideo();
  const about = why ? `not here: ${why}` : "this pass from its start, at the pace of reading";
  const film = { title: "Video (WebM)", about, ...(why ? {} : { act: () => void video() }) };
  return [{ group: null, entries: [...files.slice(0, 2), film, ...files.slice(2)] }];
});

async function video() {
  stopPlaying();
  const { book, stops, t, lesson, speed } = store.get();
  if (!book) return;
  const { exportVideo } = await import("../share/video.js");
  const show = (/** @type {number} */ at) => {
    stage.render(at, {});
    return stage.painted();
  };
  try {
    await exportVideo({ book, stops, t, lesson, speed }, { show, picture: stage.picture });
  } catch (error) {
    toast(`Not recorded: ${/** @type {Error} */ (error).message}`);
  }
}

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

store.subscribe(async (now, before) => {
  if (now.present !== before.present) (await import("./present.js")).present(now.present);
});

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
    case "rule":
      toggleRule();
      return true;
    case "details":
      toggleDetails();
      return true;
    case "finding":
      return nextFinding();
    case "present":
      store.set({ present: !store.get().present });
      return true;
    case "escape":
      if (closeOpen() || stage.closeLevel()) return true;
      if (!store.get().present) return false;
      store.set({ present: false });
      return true;
  }
});
