/**
 * The words for whoever has not been here: they go when somebody begins. And the first example, which plays by itself
 * once, until somebody takes over.
 * @module
 */

import { byId, h, reducedMotion } from "../ui/dom.js";
import { play, stage, stopPlaying } from "./page.js";
import { store } from "./state.js";

const PLAYED = "backlight-played";

/**
 * @param {object} to
 * @param {(id: string) => void} to.onQuestion a question is chosen, by its example
 * @param {() => void} to.onAll
 * @param {(code: string | null) => void} to.onPaste the program to put in place of the one here; null: not to be had
 */
export function arrive({ onQuestion, onAll, onPaste }) {
  const arrival = byId("arrival");
  arrival.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const id = /\/l\/([\w-]+)$/.exec(link.pathname)?.[1];
    if (id) onQuestion(id);
    else onAll();
  });
  byId("paste").addEventListener("click", async () => {
    const text = await navigator.clipboard?.readText().catch(() => "");
    onPaste(text?.trim() ? text : null);
  });

  let alone = false;
  let left = false;
  store.subscribe((now, before) => {
    const other = now.code !== before.code || now.lesson !== before.lesson;
    const moved = now.t !== before.t || now.playing;
    if (!left && (other || now.selection !== before.selection || (moved && !alone))) {
      left = true;
      leave(arrival, other);
    }
  });
  playOnce((on) => (alone = on));
}

/**
 * Give the room to the picture, which grows from where it stands.
 * @param {HTMLElement} arrival
 * @param {boolean} other whether another program comes
 */
function leave(arrival, other) {
  const { dataset } = document.documentElement;
  const before = byId("stage").clientHeight;
  // On a narrow page everything below would jump: there the words are scrolled away, like all else.
  dataset.begun = other ? "" : "here";
  if (!arrival.checkVisibility()) stage.rise(byId("stage").clientHeight - before);
}

/**
 * Play once in a tab, where somebody looks on and lets things move.
 * @param {(on: boolean) => void} alone told when it begins and ends
 */
function playOnce(alone) {
  if (document.hidden) {
    document.addEventListener("visibilitychange", () => playOnce(alone), { once: true });
    return;
  }
  const begun = document.documentElement.hasAttribute("data-begun");
  if (begun || reducedMotion() || navigator.webdriver || remembered()) return;
  const note = h(
    "p",
    { class: "plays-alone", role: "status" },
    "This is playing by itself, once. ",
    matchMedia("(hover: none)").matches ? "Touch anything to take over." : "Press any key or → to take over.",
  );
  byId("graph").append(note);
  const ends = new AbortController();
  const takeOver = (/** @type {Event} */ { target }) => {
    // The button says Pause and does so itself.
    if (!(target instanceof Element && target.closest(".play"))) stopPlaying();
  };
  for (const event of ["pointerdown", "wheel", "touchmove"]) {
    addEventListener(event, takeOver, { capture: true, passive: true, signal: ends.signal });
  }
  // After the key has done what it does: space has paused by then.
  addEventListener("keydown", () => stopPlaying(), { signal: ends.signal });
  document.addEventListener("visibilitychange", () => stopPlaying(), { signal: ends.signal });
  alone(true);
  void play(store.get().t, { here: true });
  store.subscribe((now) => {
    if (now.playing || ends.signal.aborted) return;
    ends.abort();
    note.remove();
    alone(false);
  });
}

/** Whether this tab has seen it; from now on it has. */
function remembered() {
  try {
    const seen = sessionStorage.getItem(PLAYED) !== null;
    sessionStorage.setItem(PLAYED, "");
    return seen;
  } catch {
    return true; // storage may be forbidden: better never than again and again
  }
}
