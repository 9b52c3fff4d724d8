/**
 * On a narrow page everything stands in one column: program, picture, story, and below them what is looked up now and
 * then; with a lesson, the picture stands first, then its words, and the program below them. What a program failed at
 * before there was anything to draw is told before the picture of the program before it.
 */

import { byId, isEmbedded } from "./dom.js";

/** Below the program, in this order; all but the findings are moved on a narrow page. */
const BELOW = ["vector", "findings", "output", "parameters", "tape"];

/**
 * Moved in the document and not by style alone, so that reading and the Tab key go in the order one sees.
 * @returns {() => void} to call when a lesson has opened or closed, or the picture has become that of an earlier
 *   program, or is no longer
 */
export function followWidth() {
  const narrow = matchMedia("(max-width: 560px), (max-width: 760px) and (orientation: portrait)");
  const arrange = (taught = !byId("lesson").hidden) => {
    placeLesson(narrow.matches && taught);
    const home = narrow.matches ? byId("ledger").parentElement : byId("program-scroll");
    const moved = BELOW.filter((id) => !narrow.matches || id !== "findings").map(byId);
    if (moved.some((block, i) => block.parentElement !== home || (moved[i + 1] ?? null) !== block.nextElementSibling)) {
      home?.append(...moved);
    }
    placePicture(narrow.matches);
  };
  narrow.addEventListener("change", () => arrange());
  if (narrow.matches) arrange("example" in byId("program").dataset); // its lesson is about to open
  const small = matchMedia("(max-width: 560px)");
  small.addEventListener("change", () => placeButtons(small.matches));
  if (small.matches) placeButtons(true);
  return arrange;
}

/** Below the picture, and the program below it; else on the picture. @param {boolean} below */
function placeLesson(below) {
  const [lesson, stage] = [byId("lesson"), byId("stage")];
  if (below === (lesson.parentElement !== stage) || isEmbedded()) return;
  if (below) {
    byId("story").before(lesson);
    byId("ledger").after(byId("program"));
  } else {
    stage.prepend(lesson);
    byId("split-program").before(byId("program"));
  }
}

/** The picture moves, and not the story, where the focus may be. @param {boolean} narrow */
function placePicture(narrow) {
  const [graph, ledger] = [byId("graph"), byId("ledger")];
  const last = narrow && document.body.hasAttribute("data-outdated");
  const follows = Boolean(ledger.compareDocumentPosition(graph) & Node.DOCUMENT_POSITION_FOLLOWING);
  if (last === follows) return;
  if (last) ledger.after(graph);
  else byId("story").before(graph);
}

/** Not all buttons fit into one line: one stands beside the name. @param {boolean} small */
function placeButtons(small) {
  if (small) document.querySelector(".bar-actions")?.before(byId("theme"));
  else byId("help").before(byId("theme"));
}
