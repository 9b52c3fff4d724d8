/**
 * Two runs side by side: what differs first in words and in a table, each run in a frame, and one player for both.
 * @module
 */

import { placeAt } from "../timeline/places.js";
import { indexTrace, stops } from "../trace.js";
import { asOneListing } from "../trace/files.js";
import { Book } from "../ui/book.js";
import { byId, h } from "../ui/dom.js";
import { differences, inWords } from "./differences.js";
import { bindPlayer } from "./player.js";
import { sameSteps, stepAt, together } from "./steps.js";

/** @typedef {import("./steps.js").Side} Side */
/** @typedef {import("./differences.js").Difference} Difference */
/** @typedef {import("../trace/document").RunDocument} RunDocument */

/** @param {RunDocument} document @returns {Side} */
export function sideOf(document) {
  const trace = indexTrace(asOneListing(document));
  return { book: new Book(trace), stops: stops(trace) };
}

/**
 * Put the empty parts into the page.
 * @param {string[]} names of the runs, besides A and B
 * @param {string} said until there is more to say
 */
export function layOut(names, said) {
  const side = (/** @type {"a" | "b"} */ id, /** @type {string | undefined} */ name) =>
    h(
      "section",
      { "aria-labelledby": `title-${id}` },
      h("h2", { id: `title-${id}` }, id.toUpperCase(), name && h("small", null, name)),
      h("iframe", { id, title: `Run ${id.toUpperCase()}` }),
    );
  document.body.classList.add("compare");
  document.body.append(
    h(
      "section",
      { id: "differences", class: "differences-pane", "aria-label": "What differs" },
      h("p", { class: "quiet" }, said),
    ),
    h("main", { class: "two" }, side("a", names[0]), side("b", names[1])),
    h("section", { id: "player", class: "both", "aria-label": "Both runs" }),
  );
}

/** @param {Difference} found @param {(times: [number, number]) => void} go */
function row({ kind, about, from, to, times }, go) {
  return h(
    "tr",
    null,
    h("th", { scope: "row" }, kind, h("small", null, about)),
    h("td", null, h("code", null, from || "—")),
    h("td", null, h("code", null, to || "—")),
    h(
      "td",
      null,
      times &&
        h(
          "button",
          {
            type: "button",
            class: "button small",
            "aria-label": `See ${kind.toLowerCase()}`,
            onclick: () => go(times),
          },
          "See",
        ),
    ),
  );
}

/** @param {Difference[]} found @param {(times: [number, number]) => void} go */
function showDifferences(found, go) {
  const said = h("p", { class: "differences-said" }, inWords(found));
  if (!found.length) return byId("differences").replaceChildren(said);
  const head = h("tr", null, ...["Differs first in", "A", "B"].map((text) => h("th", { scope: "col" }, text)), h("td"));
  const table = h(
    "table",
    { class: "differences" },
    h("caption", { class: "visually-hidden" }, "What differs, and where first"),
    h("thead", null, head),
    h(
      "tbody",
      null,
      found.map((each) => row(each, go)),
    ),
  );
  const count = found.length === 1 ? "The difference" : `All ${found.length} differences`;
  const details = h("details", null, h("summary", null, count), table);
  byId("differences").replaceChildren(said, details);
}

/**
 * Show both where they differ first.
 * @param {[Side, Side]} sides A and B
 * @param {object} how
 * @param {string} how.origin of the pages in the frames; `*` where they have none
 * @param {(frame: HTMLIFrameElement, which: number, t: number | null) => unknown} how.open load the page of a run
 */
export async function showPair([a, b], { origin: page, open }) {
  const frames = ["a", "b"].map((id) => /** @type {HTMLIFrameElement} */ (byId(id)));
  const theme = () => document.documentElement.dataset.theme ?? "light";
  /** What each frame is to do: it hears of it now, and again when it has a run on show. */
  const wanted = frames.map(
    () => /** @type {NonNullable<import("../page/frame.js").Message["backlight"]>} */ ({ led: true, theme: theme() }),
  );
  /** @param {number} which of the frames @param {import("../page/frame.js").Message["backlight"]} more */
  const tell = (which, more) => {
    const backlight = Object.assign(wanted[which] ?? {}, more);
    frames[which]?.contentWindow?.postMessage({ backlight }, page);
  };
  new MutationObserver(() => {
    for (const which of [0, 1]) tell(which, { theme: theme() });
  }).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const pairs = sameSteps(a, b);
  const found = differences(a, b, pairs);
  const [begin] = found.flatMap(({ times }) => (times ? [times] : [])).sort((one, other) => one[1] - other[1]);
  await Promise.all(frames.map((frame, which) => open(frame, which, begin?.[which] ?? null)));
  const steps = together(a, b, pairs);
  const player = bindPlayer(byId("player"), {
    steps: steps.length,
    say: (step) => placeAt(a.book, a.stops, steps[step]?.[0] ?? 0),
    show: (step) => steps[step]?.forEach((t, which) => tell(which, { t })),
  });
  player.put(begin ? steps.findIndex((times) => times[0] >= begin[0] && times[1] >= begin[1]) : 0);
  const changed = found.find(({ kind }) => kind === "Program");
  for (const [id, text] of /** @type {const} */ ([
    ["a", changed?.from],
    ["b", changed?.to],
  ])) {
    const title = byId(`title-${id}`);
    if (text && !title.querySelector("small")) title.append(h("small", null, h("code", null, text)));
  }
  showDifferences(found, (times) => {
    player.put(steps.findIndex((each) => each[0] >= times[0] && each[1] >= times[1]));
    times.forEach((t, which) => tell(which, { t }));
  });
  window.addEventListener("message", ({ source, origin, data }) => {
    const which = frames.findIndex((frame) => frame.contentWindow === source);
    if ((page !== "*" && origin !== page) || which < 0) return;
    const { t, ready } = /** @type {import("../page/frame.js").Message} */ (data)?.backlight ?? {};
    if (ready) tell(which, {});
    if (typeof t !== "number") return;
    const step = stepAt(steps, which, t);
    player.put(step);
    /** @type {{t?: number}} */ (wanted[which]).t = t;
    tell(1 - which, { t: steps[step]?.[1 - which] ?? 0 });
  });
}
