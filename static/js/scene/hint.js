/**
 * What flows along a link, in a few words for the pointer: links have no text of their own.
 * @module
 */
import { edgeKey, valueSummary } from "../trace.js";
import { splitPlace } from "./cards.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./moment.js").Moment} Moment */
/** @typedef {{title: string, lines: string[]}} Hint */

/**
 * The tensor on its way forward, its gradient on the way back.
 * @param {Scene} scene @param {number} j @param {Moment} moment
 * @returns {Hint}
 */
export function hintOfLink(scene, j, moment) {
  const { trace } = scene;
  const link = scene.links[j];
  if (link.role === "bundle") return hintOfBundle(scene, j, moment);
  if (link.role === "alias") {
    const from = trace.label(link.tensor ?? "");
    const to = trace.label(scene.items[link.to].tensor ?? "");
    return {
      title: `${from} → ${to}`,
      lines: [`cut here: ${link.cut?.reason}`, "same memory, no history"],
    };
  }
  const op = scene.items[link.role === "output" ? link.from : link.to];
  const name = trace.nodes.get(op.node ?? "")?.name ?? trace.ops.get(op.op ?? "")?.name ?? "an operation";
  const tensor = link.tensor ? trace.label(link.tensor) : "its input";
  const title = link.role === "output" ? `${name} → ${tensor}` : `${tensor} → ${name}`;
  if (link.cut) {
    return {
      title,
      lines: [link.cut.loud ? `cut here: ${link.cut.reason}` : `no gradient: ${link.cut.reason}`],
    };
  }
  return {
    title,
    lines: [...valueLine(scene, link.role === "output" ? link.to : link.from, moment), gradientLine(scene, j, moment)],
  };
}

/**
 * As the card at the tensor's end of the link shows it.
 * @param {Scene} scene
 * @param {number} card
 * @param {Moment} moment
 */
function valueLine(scene, card, moment) {
  const { tensor, until } = scene.items[card];
  const summary = tensor ? valueSummary(scene.trace, moment.at(moment.after, until).tensors.get(tensor).value) : null;
  return summary ? [`forward: ${withShape(summary)}`] : [];
}

/** @param {Scene} scene @param {number} j @param {Moment} moment */
function gradientLine(scene, j, moment) {
  const link = scene.links[j];
  const refs =
    link.role === "output"
      ? passed(scene, j, moment)
      : link.carries.map(({ node, index }) => {
          const state = moment.after.edges.get(edgeKey(node, index));
          return state.phase === "none" ? undefined : state.value;
        });
  const sent = refs.filter((ref) => ref !== undefined);
  if (!sent.length) return "backward: no gradient yet";
  return `backward: ${sent.map((ref) => (ref ? withShape(valueSummary(scene.trace, ref)) : "None")).join(" and ")}`;
}

/**
 * What a node has taken from the card of its result.
 * @param {Scene} scene
 * @param {number} j
 * @param {Moment} moment
 * @returns {(string | null | undefined)[]}
 */
function passed(scene, j, moment) {
  const { place } = scene.items[scene.links[j].to];
  if (!place) return [];
  const [node, nr] = splitPlace(place);
  const state = moment.after.nodes.get(node);
  return state.phase === "running" || state.phase === "done"
    ? [state.grad_outputs?.[nr] ?? state.sums[nr] ?? null]
    : [];
}

/** @param {Scene} scene @param {number} j @param {Moment} moment @returns {Hint} */
function hintOfBundle(scene, j, moment) {
  const { carries } = scene.links[j];
  const sent = carries.filter(
    ({ node, index }) => moment.after.edges.get(edgeKey(node, index)).phase !== "none",
  ).length;
  return {
    title: `${carries.length} ${carries.length === 1 ? "edge" : "edges"} of a folded scope`,
    lines: [sent ? `${sent} of ${carries.length} have carried a gradient` : "no gradient yet"],
  };
}

/** @param {import("../trace.js").Summary | null} summary */
const withShape = (summary) =>
  !summary
    ? "?"
    : summary.form === "scalar" || summary.text.includes(summary.shapeText)
      ? summary.text
      : `${summary.text} ${summary.shapeText}`;
