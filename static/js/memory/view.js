/**
 * What backward holds, in the column beside the picture: over the run, now by module and by line, and what
 * checkpointing would change.
 * @module
 */
import { block, linkButton, quiet } from "../ledger/parts.js";
import { placeAt, stopIndex } from "../timeline/places.js";
import { breakable, h, s } from "../ui/dom.js";
import { sheet } from "../ui/sheet.js";
import { lineOf, outline, stepAt } from "./line.js";
import { heldAt, kindsAt, memoryOf } from "./model.js";
import { linesAt, modulesAt, offersOf, ROWS } from "./modules.js";
import { besides, bytes, offerWords, percent } from "./words.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../ui/dom.js").Child} Child */
/** @typedef {import("./model.js").Memory} Memory */
/** @typedef {{book: Book, stops: number[], t: number}} View */

/** So many are told. */
const OFFERS = 4;

/** Its style sheet comes with it. */
export const dressed = sheet("memory.css");

/** @type {WeakMap<Memory, {line: import("./line.js").Line, offers: import("./modules.js").Offer[]}>} */
const known = new WeakMap();

/** @param {View} view @param {Memory} memory */
function knownOf({ book, stops }, memory) {
  let of = known.get(memory);
  if (!of) known.set(memory, (of = { line: lineOf(book, stops, memory), offers: offersOf(memory) }));
  return of;
}

/**
 * The fold.
 * @param {View} view @param {boolean} open
 */
export function memoryFold(view, open) {
  const memory = memoryOf(view.book.trace);
  return (
    memory &&
    h(
      "details",
      { class: "memory", open, dataset: { fold: "memory" } },
      h("summary", null, "Memory ", h("span", null, `${bytes(heldAt(memory, view.t))} held`)),
      open ? body(view, memory) : null,
    )
  );
}

/** @param {View} view @param {Memory} memory @returns {Child[]} */
function body(view, memory) {
  const { t } = view;
  const { peak } = memory;
  const held = heldAt(memory, t);
  const anyway = besides(kindsAt(memory, held ? t : peak.t));
  const { offers } = knownOf(view, memory);
  const rest = anyway && quiet(`The graph keeps ${anyway} as well: these are there anyway.`);
  if (!peak.bytes) return [quiet("Nothing that was computed is kept for backward."), rest];
  return [
    h(
      "p",
      null,
      h("b", null, bytes(held)),
      " held for backward now; peak ",
      linkButton({ time: peak.t, caption: -1 }, bytes(peak.bytes)),
      ` in ${stepName(view, peak.t)}.`,
    ),
    plot(view, memory),
    h("p", { class: "memory-said quiet" }, "Point at the line to read a step, click to go there."),
    ...shares(view, memory),
    rest,
    offers.length > 0 &&
      block("Checkpointing", ...offers.slice(0, OFFERS).map((offer) => h("p", null, offerWords(offer, peak.bytes)))),
  ];
}

/** `backward #1, step 3 of 8` @param {View} view @param {number} t */
const stepName = ({ book, stops }, t) =>
  placeAt(book, stops, stops.find((stop) => stop >= t) ?? t)
    .title.split(" · ")
    .reverse()
    .join(", ")
    .toLowerCase();

/** @param {View} view @param {Memory} memory */
function plot(view, memory) {
  const { steps, columns, passes } = knownOf(view, memory).line;
  const now = stopIndex(view.stops, view.t);
  const wide = columns.length;
  return h(
    "div",
    {
      class: "memory-plot",
      role: "slider",
      tabindex: 0,
      "aria-label": "Step of the run, on the line of memory held for backward",
      "aria-valuemin": 0,
      "aria-valuemax": steps - 1,
      "aria-valuenow": now,
      "aria-valuetext": reading(view, memory, view.t),
    },
    s(
      "svg",
      { viewBox: `0 0 ${wide} 1`, preserveAspectRatio: "none", "aria-hidden": "true" },
      passes.map(({ from, to }) => s("rect", { x: from * wide, width: (to - from) * wide, height: 1 })),
      s("path", { d: outline(columns) }),
      s("path", { class: "past", d: outline(columns.slice(0, ((now + 1) * wide) / steps)) }),
    ),
    mark("memory-peak", (columns.indexOf(1) + 0.5) / wide),
    mark("memory-cursor", (now + 0.5) / steps),
  );
}

/** @param {string} name @param {number} share 0 … 1 */
function mark(name, share) {
  const element = h("i", { class: name });
  element.style.left = `${100 * share}%`;
  return element;
}

/**
 * `backward #1, step 3 of 8: 4.1 MB held for backward · conv1 62 % · line 14 30 %`
 * @param {View} view @param {Memory} memory @param {number} t
 */
function reading(view, memory, t) {
  const held = heldAt(memory, t);
  const [module] = modulesAt(memory, t).filter(([name]) => name);
  const [line] = linesAt(memory, t);
  return [
    `${stepName(view, t)}: ${bytes(held)} held for backward`,
    ...(module ? [`${module[0]} ${percent(module[1], held)}`] : []),
    ...(line ? [`line ${line[0]} ${percent(line[1], held)}`] : []),
  ].join(" · ");
}

/** What is held by whom: now, or at the peak where that is nothing. @param {View} view @param {Memory} memory */
function shares({ book, t }, memory) {
  const now = heldAt(memory, t);
  const time = now ? t : memory.peak.t;
  const when = now ? "Held now" : "Held at the peak";
  const modules = modulesAt(memory, time);
  const lines = linesAt(memory, time);
  /** @param {Child[]} name @param {number} n */
  const row = (name, n) => {
    const bar = h("i");
    const part = percent(n, now || memory.peak.bytes);
    bar.style.width = part.replace(/[< ]/g, "");
    return h(
      "li",
      null,
      h("span", { class: "memory-name" }, name),
      h("span", { class: "memory-bar", "aria-hidden": "true" }, bar),
      h("span", null, bytes(n)),
      h("span", null, part),
    );
  };
  /**
   * @template K
   * @param {string} by @param {[K, number][]} all @param {(key: K) => Child[]} nameOf
   */
  const list = (by, all, nameOf) => {
    const rest = all.slice(ROWS).reduce((sum, [, n]) => sum + n, 0);
    const rows = all.slice(0, ROWS).map(([key, n]) => row(nameOf(key), n));
    return block(`${when}, by ${by}`, h("ul", null, rows, rest > 0 && row([`${all.length - ROWS} more`], rest)));
  };
  return [
    modules.some(([name]) => name) &&
      list("module", modules, (name) => [name ? h("code", null, breakable(name)) : "outside of modules"]),
    list("line", lines, (line) => lineName(book, line)),
  ];
}

/** @param {Book} book @param {number | null} line @returns {Child[]} */
function lineName(book, line) {
  const text = book.lines[(line ?? 0) - 1]?.trim();
  return line ? [linkButton({ line }, `line ${line}`), " ", h("code", { title: text }, text)] : ["without a line"];
}

/**
 * Follow the pointer over the line: parts of the column are morphed, so it listens for them.
 * @param {HTMLElement} element the column
 * @param {() => View | null} viewNow
 * @param {(t: number) => void} go
 */
export function followPointer(element, viewNow, go) {
  for (const kind of /** @type {const} */ (["pointermove", "click"])) {
    element.addEventListener(kind, ({ target, clientX }) => {
      const plotted = target instanceof Element ? target.closest(".memory-plot") : null;
      const view = viewNow();
      const memory = plotted && view && memoryOf(view.book.trace);
      if (!memory) return;
      const { left, width } = plotted.getBoundingClientRect();
      const t = view.stops[stepAt((clientX - left) / width, view.stops.length)] ?? 0;
      const words = element.querySelector(".memory-said");
      if (kind === "click") go(t);
      else if (words) words.textContent = reading(view, memory, t);
    });
  }
}
