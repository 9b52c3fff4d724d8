/** What the check of a gradient came to, in words and rows. */

import { formatNumber } from "../trace.js";

/** @typedef {import("../trace/document").CheckedElement} Element */
/** @typedef {import("../trace/document").Check} Check */
/** @typedef {{name: string, autograd: string, slope: string, agrees: boolean}} Row */

/** Rows that are shown, those that differ first. */
const ROWS = 8;

/** @param {unknown} x a number of the document, or a pair of them */
function number(x) {
  if (!Array.isArray(x)) return formatNumber(x);
  const imaginary = formatNumber(x[1]);
  return `${formatNumber(x[0])} ${imaginary.startsWith("−") ? "−" : "+"} ${imaginary.replace("−", "")}i`;
}

/** What central differences leave of a slope of 0 beside the others. @param {unknown} x @param {number} largest */
const slope = (x, largest) => (typeof x === "number" && Math.abs(x) < 1e-8 * largest ? "0" : number(x));

/** @param {Element} element @param {number} largest */
function slopeOf({ numeric, left, right }, largest) {
  if (left === undefined || left === null) return slope(numeric, largest);
  return `${slope(left, largest)} left, ${slope(right, largest)} right`;
}

/**
 * @param {string} name the leaf's, as in the program
 * @param {Check} check
 * @returns {{said: string, rows: Row[], more: number, note: string}}
 */
export function checked(name, check) {
  const elements = check.elements ?? [];
  const wrong = elements.filter((element) => !element.agrees);
  const kinks = elements.filter((element) => element.agrees && element.left !== undefined);
  const rest = elements.filter((element) => element.agrees && element.left === undefined);
  const numbers = elements.flatMap((element) => [element.autograd, element.numeric].flat()).filter(Number.isFinite);
  const largest = Math.max(0, ...numbers.map((x) => Math.abs(/** @type {number} */ (x))));
  const shown = [...wrong, ...kinks, ...rest].slice(0, ROWS);
  return {
    said: headline(check, elements.length, wrong.length),
    rows: shown.map((element) => ({
      name: element.index.length ? `${name}[${element.index.join(", ")}]` : name,
      autograd: number(element.autograd),
      slope: slopeOf(element, largest),
      agrees: element.agrees,
    })),
    more: elements.length - shown.length,
    note: check.step
      ? `Numerical: central differences of the loss in float64, this element moved by ±${formatNumber(check.step)}.`
      : "",
  };
}

/** @param {Check} check @param {number} seen @param {number} wrong */
function headline(check, seen, wrong) {
  if (check.status === "unchecked") return "This gradient cannot be checked.";
  const all = check.of ?? seen;
  const counted = all.toLocaleString("en");
  if (wrong === 0) {
    if (all === 1) return "It matches the numerical derivative.";
    return seen === all
      ? `All ${counted} elements match the numerical derivative.`
      : `${seen} of ${counted} elements were checked, and all match the numerical derivative.`;
  }
  if (all === 1) return "It differs from the numerical derivative.";
  const among = seen === all ? `${counted} elements` : `${seen} elements checked (of ${counted})`;
  return `${wrong} of the ${among} ${wrong === 1 ? "differs" : "differ"} from the numerical derivative.`;
}

/**
 * The pass whose gradient of a leaf is shown at time t: the last one until then, or else the first.
 * @param {readonly {kind: string, tensor?: string | null, call?: number}[]} events
 * @param {string} leaf
 * @param {number} t
 * @returns {number | null}
 */
export function passAt(events, leaf, t) {
  let found = null;
  for (const [at, event] of events.entries()) {
    if (event.kind !== "accumulate" || event.tensor !== leaf) continue;
    if (at >= t && found !== null) break;
    found = event.call ?? null;
    if (at >= t) break;
  }
  return found;
}
