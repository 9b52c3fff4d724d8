/**
 * How a link looks at a moment: thin grey while only the forward pass knows it; thick, in the hue of its sign, once a
 * gradient has gone back along it; in the accent while it does.
 * @module
 */
import { edgeKey, valueSummary } from "../trace.js";
import { splitPlace } from "./cards.js";

/** @typedef {import("./graph.js").Link} Link */
/** @typedef {import("./graph.js").Item} Item */
/** @typedef {import("./moment.js").Moment} Moment */
/** @typedef {import("./colour.js").Colours} Colours */
/** @typedef {import("../trace.js").Summary} Summary */

/**
 * @typedef {object} LinkLook
 * @property {string} stroke
 * @property {number} width
 * @property {string} dash
 * @property {number} opacity
 * @property {"forward" | "backward" | "none"} arrow
 * @property {boolean} moving
 * @property {"" | "+" | "−"} glyph  the sign that prevails, for those who do not see the hue
 */

/**
 * @param {string} stroke
 * @param {number} width
 * @param {LinkLook["arrow"]} arrow
 * @param {Partial<LinkLook>} [rest]
 * @returns {LinkLook}
 */
const look = (stroke, width, arrow, rest = {}) => ({
  stroke,
  width,
  arrow,
  dash: "",
  opacity: 1,
  moving: false,
  glyph: "",
  ...rest,
});

/**
 * @param {Link} link @param {Item} from @param {Item} to @param {Moment} moment @param {Colours} colours
 * @returns {LinkLook}
 */
export function linkLook(link, from, to, moment, colours) {
  const made = moment.after.t >= Math.max(from.from, to.kind === "card" ? to.from : to.from);
  if (!made) return look("line", 1.2, "none", { dash: "3 4" });
  if (link.cut) {
    return look(link.cut.loud ? "faint" : "rest", 1.3, "forward");
  }
  const gradient = link.role === "output" ? outputGradient(to, moment) : inputGradient(link, moment);
  if (!gradient) return look("rest", 1.8, "none");
  const { summary, moving } = gradient;
  if (moving) {
    return look("bwd", Math.max(2.6, summary ? colours.scale.width(summary.norm) : 2.6), "backward", { moving: true });
  }
  if (!summary) return look("rest", 1.8, "none");
  const glyph =
    summary.zero || summary.broken || link.role === "output" || Math.abs(summary.net) < 0.04
      ? ""
      : summary.net > 0
        ? "+"
        : "−";
  return look(colours.line(summary), summary.zero ? 2 : colours.scale.width(summary.norm), "backward", { glyph });
}

/** @param {Link} link @param {Moment} moment @returns {{summary: Summary | null, moving: boolean} | null} */
function inputGradient(link, moment) {
  let sent = false;
  let moving = false;
  let squares = 0;
  let net = 0;
  let broken = false;
  let count = 0;
  /** @type {Summary | null} */
  let only = null;
  for (const { node, index } of link.carries) {
    const state = moment.edge(edgeKey(node, index));
    if (state.phase === "none") continue;
    sent = true;
    moving ||= state.phase === "arriving";
    const summary = valueSummary(moment.trace, state.value);
    if (!summary) continue;
    only = summary;
    count++;
    squares += summary.norm ** 2;
    net += summary.net;
    broken ||= summary.broken;
  }
  if (!sent) return null;
  if (count < 2 || !only) return { summary: only, moving };
  return { summary: { ...only, norm: Math.sqrt(squares), net: net / count, zero: squares === 0, broken }, moving };
}

/**
 * From the result's card into its node: drawn once the node takes the gradient.
 * @param {Item} to
 * @param {Moment} moment
 */
function outputGradient(to, moment) {
  if (!to.place) return null;
  const [node, nr] = splitPlace(to.place);
  const state = moment.stage === "arrive" ? moment.before.nodes.get(node) : moment.node(node);
  if (state.phase !== "running" && state.phase !== "done") return null;
  return {
    summary: valueSummary(moment.trace, state.grad_outputs?.[nr] ?? state.sums[nr]),
    moving: state.phase === "running",
  };
}
