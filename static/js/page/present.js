/**
 * For a projector: the picture, its sentence and the line it is about, as large as there is room for; keys step, and
 * where there are none, taps.
 * @module
 */

import { placeAt } from "../timeline/places.js";
import { stateAt } from "../trace.js";
import { byId, h } from "../ui/dom.js";
import { sheet } from "../ui/sheet.js";
import { stage, step } from "./page.js";
import { store } from "./state.js";

/** Of the picture's width, from the left: a tap there steps back. */
const BACK = 0.25;

const words = h("section", { class: "presented", "aria-label": "Its line" });
const leave = h(
  "button",
  { type: "button", class: "button icon leave", "aria-label": "Leave the presentation", title: "Leave (Esc)" },
  h("span", { "aria-hidden": "true" }, "×"),
);
leave.addEventListener("click", () => store.set({ present: false }));
const dressed = sheet("present.css");

byId("graph").append(leave);
document.querySelector("main")?.after(words);
byId("stage").addEventListener("click", tapped, true);
store.subscribe((now, before) => {
  if (now.book !== before.book || now.t !== before.t) tell();
  if (now.book !== before.book && now.present) void enlarge();
});

/** As large as it can be seen from the back of a room; less so where not even folded all of it has room. */
async function enlarge() {
  const { book } = store.get();
  const root = document.documentElement;
  words.style.minHeight = "";
  for (const room of ["", "close", "closest"]) {
    root.setAttribute("data-present", room);
    await twoFrames();
    await stage.painted();
    const { book: shown, present: on } = store.get();
    if (!on || shown !== book || !stage.isCramped()) return;
  }
}

/** What is resized is known as such. */
const twoFrames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

/** @param {boolean} on */
export async function present(on) {
  await dressed;
  if (on !== store.get().present) return;
  if (on && document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (on) void enlarge();
  else document.documentElement.removeAttribute("data-present");
  tell();
}

function tell() {
  const { book, stops, t, lesson, present: on } = store.get();
  if (!book || !on) return;
  const { title, line } = placeAt(book, stops, t);
  const runs = line ?? stateAt(book.trace, t).line;
  const text = runs ? (book.doc.source.code ?? "").split("\n")[runs - 1] : "";
  words.replaceChildren(
    h("h1", { class: "visually-hidden" }, lesson?.example.question ?? "Backlight"),
    h(
      "p",
      { class: "presented-line" },
      text && h("code", null, h("small", null, runs), text.trim()),
      h("span", null, title.toLowerCase()),
    ),
  );
  // A long line takes two: the picture above keeps its room from then on.
  const { height } = words.getBoundingClientRect();
  words.style.minHeight = `${Math.max(Number.parseFloat(words.style.minHeight) || 0, Math.ceil(height))}px`;
}

/** Fingers do not point at things from the back of a room: they step. @param {MouseEvent} event */
function tapped(event) {
  if (!store.get().present || !(event instanceof PointerEvent) || event.pointerType !== "touch") return;
  event.stopPropagation();
  const { left, width } = byId("stage").getBoundingClientRect();
  step(event.clientX - left < BACK * width ? "previous" : "next");
}
