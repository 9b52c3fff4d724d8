/**
 * The page `/compare`: two programs of the address, run and shown side by side. Each is a page in a frame; they stand
 * at the same step, and what differs first is a table above them.
 * @module
 */

import { run } from "../net/api.js";
import { ROOT } from "../net/root.js";
import { NOTHING, write } from "../share/address.js";
import { pack, unpack } from "../share/link.js";
import { indexTrace, stops } from "../trace.js";
import { placeAt } from "../timeline/places.js";
import { asOneListing } from "../trace/files.js";
import { Book } from "../ui/book.js";
import { byId, h } from "../ui/dom.js";
import { bindTheme } from "../ui/theme.js";
import { differences, inWords } from "./differences.js";
import { bindPlayer } from "./player.js";
import { sameSteps, stepAt, together } from "./steps.js";

/** @typedef {import("./steps.js").Side} Side */
/** @typedef {import("./differences.js").Difference} Difference */

const frames = ["a", "b"].map((id) => /** @type {HTMLIFrameElement} */ (byId(id)));

/** What each frame is to do: it hears of it now, and again when it has a run on show. */
const wanted = frames.map(
  () => /** @type {NonNullable<import("../page/frame.js").Message["backlight"]>} */ ({ led: true }),
);

/** @param {number} which of the frames @param {import("../page/frame.js").Message["backlight"]} more */
function tell(which, more) {
  const backlight = Object.assign(wanted[which] ?? {}, more);
  frames[which]?.contentWindow?.postMessage({ backlight }, location.origin);
}

bindTheme(byId("theme"), () => {
  for (const which of [0, 1]) tell(which, { theme: document.documentElement.dataset.theme ?? "light" });
});

/** @param {string} code @returns {Promise<Side>} */
async function sideOf(code) {
  const trace = indexTrace(asOneListing(await run(code)));
  return { book: new Book(trace), stops: stops(trace) };
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

/** @param {string} text @param {string} [more] */
function say(text, more = "") {
  byId("differences").replaceChildren(
    h("p", { role: "alert" }, text, " ", more, " ", h("a", { href: ROOT }, "To the page")),
  );
}

async function start() {
  const shared = await unpack(location.hash.slice(1));
  if (!shared || shared.with === undefined) {
    say("There is nothing to compare in this address.", "Change a program, run it, and choose Compare.");
    return;
  }
  const codes = [shared.with, shared.program];
  const [a, b] = /** @type {[Side, Side]} */ (await Promise.all(codes.map(sideOf)));
  const pairs = sameSteps(a, b);
  const found = differences(a, b, pairs);
  const begin = found.find(({ times }) => times)?.times;
  await Promise.all(
    frames.map(async (frame, which) => {
      const program = await pack({ program: codes[which] ?? "" });
      frame.src = write({ ...NOTHING, embed: true, program, t: begin?.[which] ?? null }, ROOT);
    }),
  );
  const steps = together(a, b, pairs);
  const player = bindPlayer(byId("player"), {
    steps: steps.length,
    say: (step) => placeAt(a.book, a.stops, steps[step]?.[0] ?? 0),
    show: (step) => steps[step]?.forEach((t, which) => tell(which, { t })),
  });
  player.put(begin ? steps.findIndex((times) => times[0] >= begin[0] && times[1] >= begin[1]) : 0);
  showDifferences(found, (times) => {
    player.put(steps.findIndex((each) => each[0] >= times[0] && each[1] >= times[1]));
    times.forEach((t, which) => tell(which, { t }));
  });
  window.addEventListener("message", ({ source, origin, data }) => {
    const which = frames.findIndex((frame) => frame.contentWindow === source);
    if (origin !== location.origin || which < 0) return;
    const { t, ready } = /** @type {import("../page/frame.js").Message} */ (data)?.backlight ?? {};
    if (ready) tell(which, {});
    if (typeof t !== "number") return;
    const step = stepAt(steps, which, t);
    player.put(step);
    /** @type {{t?: number}} */ (wanted[which]).t = t;
    tell(1 - which, { t: steps[step]?.[1 - which] ?? 0 });
  });
}

start().catch((/** @type {Error} */ error) => say("The programs could not be run:", error.message));
