/**
 * How long forward and backward took, in the column beside the picture.
 * @module
 */
import { block, linkButton, quiet } from "../ledger/parts.js";
import { percent } from "../memory/words.js";
import { breakable, h } from "../ui/dom.js";
import { sheet } from "../ui/sheet.js";
import { byLine, byModule, duration, secondsOf, sum, whole } from "./model.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../ui/dom.js").Child} Child */
/** @typedef {import("./model.js").Took} Took */
/** @typedef {import("./model.js").Seconds} Seconds */

/** So many lines are told, of more the rest is summed; and so many modules. */
const ROWS = 8;
const MODULES = 12;

/** Its style sheet comes with it. */
export const dressed = sheet("seconds.css");

/**
 * The fold.
 * @param {Book} book @param {boolean} open
 */
export function secondsFold(book, open) {
  const seconds = secondsOf(book.trace);
  return (
    seconds &&
    h(
      "details",
      { class: "seconds", open, dataset: { fold: "seconds" } },
      h("summary", null, "Seconds ", h("span", null, `${duration(whole(seconds))} measured`)),
      open ? body(book, seconds) : null,
    )
  );
}

/** @param {Book} book @param {Seconds} seconds @returns {Child[]} */
function body(book, seconds) {
  const { timing, origin, limits } = book.doc;
  if (!whole(seconds)) return [quiet("Nothing that ran on a device with a clock was recorded.")];
  const modules = byModule(seconds, MODULES);
  return [
    h(
      "p",
      null,
      "Forward ",
      h("b", null, duration(seconds.forward)),
      ", backward ",
      h("b", null, duration(seconds.backward)),
      `, in the ops and nodes of this recording, which took ${duration(timing?.wall ?? 0)}, recording included.`,
      limits.truncated ? " What was not recorded is not counted." : "",
    ),
    modules.some(([name]) => name) &&
      table("module", modules, seconds, (name) => (name ? [h("code", null, breakable(name))] : ["outside of modules"])),
    table("line", fewer(byLine(seconds)), seconds, (line) => lineName(book, line)),
    block("How it was measured", quiet([measured(book), `One run on one machine: ${machine(origin)}.`].join(" "))),
  ];
}

/** @param {import("../trace/document").RunDocument["origin"]} origin */
const machine = (origin) =>
  origin ? `PyTorch ${origin.torch}, Python ${origin.python}, ${origin.platform}` : "of which nothing is told";

/** @param {Book} book */
function measured({ doc: { timing } }) {
  const clocks = (timing?.clocks ?? []).map(({ device, by, op, node }) => {
    const threads = timing?.threads === 1 ? "one thread" : `${timing?.threads} threads`;
    const how = by === "events" ? "by events of the stream" : `with ${threads}, by perf_counter`;
    return `On ${device}, ${how}; nothing at all measures ${duration(op)} as an op, ${duration(node)} as a node.`;
  });
  return clocks.join(" ");
}

/**
 * @template K
 * @param {string} by @param {[K, Took][]} all @param {Took} total @param {(key: K) => Child[]} nameOf
 */
function table(by, all, total, nameOf) {
  const columns = ["Forward", "Backward", "Share"];
  /** @param {Child[]} name @param {Took} took */
  const row = (name, took) =>
    h(
      "tbody",
      null,
      h("tr", null, h("th", { scope: "rowgroup", colspan: columns.length }, name)),
      h(
        "tr",
        null,
        h("td", null, took.forward ? duration(took.forward) : "–"),
        h("td", null, took.backward ? duration(took.backward) : "–"),
        h("td", null, percent(whole(took), whole(total))),
      ),
    );
  return block(
    `By ${by}`,
    h(
      "table",
      { "aria-label": `Seconds by ${by}` },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          columns.map((name) => h("th", { scope: "col" }, name)),
        ),
      ),
      all.map(([key, took]) => row(nameOf(key), took)),
    ),
  );
}

/** @param {[number | null, Took][]} lines @returns {[number | null | string, Took][]} a text for what is summed */
const fewer = (lines) =>
  lines.length > ROWS + 1
    ? [...lines.slice(0, ROWS), [`${lines.length - ROWS} more`, sum(lines.slice(ROWS).map(([, took]) => took))]]
    : lines;

/** @param {Book} book @param {number | null | string} line @returns {Child[]} */
function lineName(book, line) {
  if (typeof line === "string") return [line];
  if (line === null) return ["adding to ", h("code", null, ".grad")];
  if (!line) return ["without a line"];
  const text = book.lines[line - 1]?.trim();
  return [linkButton({ line }, `line ${line}`), " ", h("code", { title: text }, text)];
}
