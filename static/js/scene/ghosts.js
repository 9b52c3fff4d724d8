/**
 * While a number is dragged: what `.grad` of each leaf is going to be, where it is nothing yet. No cell of it is
 * filled, so that nobody takes it for what has arrived.
 * @module
 */
import { cellText, valueSummary } from "../trace.js";
import { dotted } from "./blocks.js";
import { rect, text } from "./marks.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./moment.js").Moment} Moment */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./blocks.js").Block} Block */

/**
 * What lands next in a leaf that holds nothing; null where it holds something, or nothing comes.
 * @param {Scene} scene @param {number} i a card @param {Moment} moment
 */
function comingTo(scene, i, moment) {
  const { tensor, until } = scene.items[i];
  const { grad } = moment.tensor(tensor ?? "", until);
  if (grad !== null && grad !== "none") return null;
  const { events } = scene.trace;
  const next = events.findIndex(
    (event, at) => at >= moment.t && event.kind === "accumulate" && event.tensor === tensor,
  );
  const event = events[next];
  return event?.kind === "accumulate" && next < until ? valueSummary(scene.trace, event.after) : null;
}

/**
 * @param {Scene} shelf  the leaves as they stand there
 * @param {readonly number[]} cards @param {Moment} moment
 * @returns {Mark[]}
 */
export function ghostMarks(shelf, cards, moment) {
  return cards.flatMap((i) => {
    const plan = shelf.plans[i];
    if (plan.kind !== "card" || !plan.leaf || !plan.gradient?.digits) return [];
    const coming = comingTo(shelf, i, moment);
    if (!coming || coming.cells.length !== plan.gradient.rows * plan.gradient.columns) return [];
    const x = shelf.x[i] + plan.body.x + plan.gradientX;
    const y = shelf.y[i] + plan.body.y + plan.gradientY + plan.hookH + (plan.gradientH - plan.gradient.h) / 2;
    return ghost(plan.gradient, x, y, coming);
  });
}

/** @param {Block} block @param {number} x @param {number} y @param {import("../trace.js").Summary} coming */
function ghost(block, x, y, coming) {
  const { columns, cellW, cellH, gap } = block;
  return [
    rect(x, y, block.w, block.h, { r: 4, fill: "sunken" }),
    ...dotted(block, x, y),
    ...coming.cells.map((_, i) =>
      text(
        x + (i % columns) * (cellW + gap) + cellW / 2,
        y + Math.floor(i / columns) * (cellH + gap) + cellH / 2 + 4.8,
        cellText(coming, i),
        { size: 13, mono: true, align: "middle", fill: "mute" },
      ),
    ),
  ];
}
