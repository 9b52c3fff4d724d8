/**
 * The page in a frame of another site: a picture, its sentence and its player. It runs or fetches what its address
 * names, changes nothing and keeps nothing; beside another run (`/compare`) it can be asked for details, too.
 * @module
 */

import { bindKeys } from "./keys/keys.js";
import { examples, getRun, run } from "./net/api.js";
import { ROOT } from "./net/root.js";
import { askedBy, HOME, shown } from "./page/address.js";
import { isLed, toggleDetails, toggleRule } from "./page/details.js";
import { closeOpen, retell, select, show, stage, step, stepLeaf, togglePlay, watchLook } from "./page/page.js";
import { store } from "./page/state.js";
import { isAnchor, read, write } from "./share/address.js";
import { asOneListing } from "./trace/files.js";
import { byId, h } from "./ui/dom.js";
import { bindSearch } from "./ui/search.js";
import { bindTheme } from "./ui/theme.js";

/** @typedef {import("./ui/types").Example} Example */
/** @typedef {import("./page/state.js").Lesson} Lesson */

const PAUSE_MS = 400;
const root = document.documentElement;

bindTheme(byId("theme"), retell);
byId("fit").addEventListener("click", () => stage.fit());
byId("zoom-in").addEventListener("click", () => stage.zoomBy(1.3));
byId("zoom-out").addEventListener("click", () => stage.zoomBy(1 / 1.3));
byId("names").addEventListener("click", () => store.set({ names: !store.get().names }));
const openSearch = bindSearch({ find: (query) => stage.search(query), show: select });

/** @type {Partial<Record<import("./keys/keys.js").Command, () => void>>} */
const KEYS = {
  play: togglePlay,
  next: () => step("next"),
  previous: () => step("previous"),
  nextLeaf: () => stepLeaf(1),
  previousLeaf: () => stepLeaf(-1),
  first: () => step("first"),
  last: () => step("last"),
  fit: () => stage.fit(),
  fold: () => stage.fold(),
  unfold: () => stage.unfold(),
  escape: () => void closeOpen(),
};
/** @type {typeof KEYS} */
const LED_KEYS = { details: toggleDetails, rule: toggleRule, search: openSearch };

bindKeys((command) => {
  const act = KEYS[command] ?? (isLed() ? LED_KEYS[command] : undefined);
  act?.();
  return act !== undefined;
});

// --- the page around the frame: it scrolls, by wheel or finger over the picture, until somebody clicks in here

const enter = () => root.toggleAttribute("data-entered", document.hasFocus());
for (const event of ["focus", "blur"]) addEventListener(event, enter);
enter();
for (const event of ["wheel", "touchstart"]) {
  const pass = (/** @type {Event} */ over) => {
    if (!root.hasAttribute("data-entered") && !isLed()) over.stopImmediatePropagation();
  };
  addEventListener(event, pass, { capture: true, passive: true });
}

/** Whether the page around the frame is the service's own. */
function isOurs() {
  try {
    return window.parent !== window && window.parent.location.origin === location.origin;
  } catch {
    return false;
  }
}

// --- the link to the page itself, at what is on show

const link = /** @type {HTMLAnchorElement} */ (byId("open-whole"));
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

function lead() {
  const { playing, scrubbing, book } = store.get();
  clearTimeout(timer);
  if (book && !playing && !scrubbing) timer = setTimeout(() => void leadNow(), PAUSE_MS);
}

async function leadNow() {
  const address = await shown();
  // The page has another size: where its camera stands is its own affair.
  link.href = write({ ...address, embed: false, look: { ...address.look, camera: null } }, ROOT);
}

store.subscribe(lead);
watchLook(lead);

// --- what the address names

/** @param {string} id @returns {Promise<Lesson | null>} */
async function lessonCalled(id) {
  const { example: sent } = byId("program").dataset;
  const first = /** @type {Example | null} */ (sent ? JSON.parse(sent) : null);
  /** @type {Example | undefined} */
  const example =
    first?.id === id ? first : (await examples()).examples.find((/** @type {Example} */ e) => e.id === id);
  return example ? (await import("./lessons/lessons.js")).lessonOf(example) : null;
}

async function open() {
  const { address } = read(location, ROOT);
  const { program, arrival } = await askedBy(address);
  if (address.program !== null && program === null) throw new Error("The program in this address is damaged.");
  const lesson = address.lesson === null ? null : await lessonCalled(address.lesson);
  const kept = address.run !== null && program === null ? address.run : null;
  const doc = asOneListing(kept ? await getRun(kept) : await run(program ?? lesson?.example.code ?? HOME ?? ""));
  store.set({ code: doc.source.code ?? "", lesson, arrival, selection: null, caption: -1 });
  await show(doc);
  await stage.painted();
}

/** @type {HTMLElement | null} */
let told = null;

/** Begin, and say so where it cannot be. */
async function start() {
  told?.remove();
  try {
    await open();
    performance.mark("backlight:picture");
  } catch (error) {
    const again = h("button", { type: "button", class: "button", onclick: () => void start() }, "Try again");
    told = h("div", { class: "not-shown", role: "alert" }, h("p", null, /** @type {Error} */ (error).message), again);
    byId("graph").append(told);
  }
}

window.addEventListener("hashchange", () => {
  if (!isAnchor(location.hash)) void start();
});
if (isOurs()) void import("./page/frame.js").then(({ bindFrame }) => bindFrame(location.origin));
void start();
