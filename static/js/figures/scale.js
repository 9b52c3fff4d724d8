/**
 * From the numbers of an axis to pixels, and the numbers that stand beside it. Pure.
 * @module
 */

/** @typedef {import("../trace/document").Axis} Axis */
/** @typedef {import("../trace/document").Real} Real */
/** @typedef {{at: number, label: string}} Tick  at: in pixels */
/** @typedef {{place: (value: number) => number, ticks: (most: number) => Tick[], ends: [number, number]}} Scale */

/** Where matplotlib's symlog goes over from straight to logarithmic, and what its straight part is stretched by. */
const KNEE = 2;
const STRETCH = 1 / 0.9;

/** @param {Real | undefined} value */
export const number = (value) => (typeof value === "number" ? value : Number(value ?? Number.NaN));

/** @type {Record<Axis["scale"], (value: number) => number>} */
const FORTH = {
  linear: (value) => value,
  log: (value) => (value > 0 ? Math.log10(value) : Number.NaN),
  symlog: (value) =>
    Math.abs(value) <= KNEE
      ? value * STRETCH
      : Math.sign(value) * KNEE * (STRETCH + Math.log10(Math.abs(value) / KNEE)),
};

/**
 * @param {Axis} axis
 * @param {number} from pixel of its first limit
 * @param {number} to pixel of its second
 * @returns {Scale}
 */
export function scaleOf(axis, from, to) {
  const forth = FORTH[axis.scale] ?? FORTH.linear;
  const ends = /** @type {[number, number]} */ (axis.limits.map(number));
  const low = forth(ends[0]);
  const length = forth(ends[1]) - low;
  const place = (/** @type {number} */ value) =>
    length && Number.isFinite(length) ? from + ((forth(value) - low) / length) * (to - from) : (from + to) / 2;
  const inside = ({ at = 0 }) => at >= Math.min(from, to) - 0.5 && at <= Math.max(from, to) + 0.5;
  return {
    place,
    ends,
    ticks: (most) => {
      const found = axis.ticks ? given(axis, most) : chosen(axis.scale, ends, most);
      return found.map(({ value, label }) => ({ at: place(value), label })).filter(inside);
    },
  };
}

/** @typedef {{value: number, label: string}} Mark */

/** Those the program asked for, at most so many. @param {Axis} axis @param {number} most @returns {Mark[]} */
function given({ ticks, labels }, most) {
  const values = (ticks ?? []).map(number);
  const written = alike(values);
  const all = values.map((value, i) => ({ value, label: labels ? (labels[i] ?? "") : (written[i] ?? "") }));
  const every = Math.max(1, Math.ceil(all.length / Math.max(1, Math.floor(most))));
  return all.filter((_, i) => i % every === 0);
}

/** @param {Axis["scale"]} kind @param {[number, number]} ends @param {number} most @returns {Mark[]} */
function chosen(kind, ends, most) {
  const [low, high] = ends[0] <= ends[1] ? ends : [ends[1], ends[0]];
  if (!Number.isFinite(low) || !Number.isFinite(high) || low === high) return [];
  if (kind === "log" && low > 0) return decades(low, high, most);
  if (kind === "symlog") return symmetric(low, high, most);
  return even(low, high, most);
}

/** Multiples of 1, 2 or 5 times a power of ten. @param {number} low @param {number} high @param {number} most */
function even(low, high, most) {
  const raw = (high - low) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 2.5, 5].find((factor) => factor * power >= raw * 0.999) ?? 10) * power;
  const values = [];
  for (let i = Math.ceil(low / step - 1e-6); i * step <= high + step * 1e-6 && values.length < 50; i++) {
    values.push(Math.abs(i) < 1e-9 ? 0 : Number((i * step).toPrecision(12)));
  }
  const written = alike(values);
  return values.map((value, i) => ({ value, label: written[i] ?? "" }));
}

/** @param {number} low @param {number} high @param {number} most @returns {Mark[]} */
function decades(low, high, most) {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  if (last - first < 1) {
    const within = [1, 2, 3, 5, 7].flatMap((factor) => {
      const found = [];
      for (let power = first - 1; power <= last; power++) found.push(factor * 10 ** power);
      return found;
    });
    const values = within.filter((value) => value >= low && value <= high).sort((a, b) => a - b);
    if (values.length < 2) return even(low, high, most).filter(({ value }) => value > 0);
    const every = Math.max(1, Math.ceil(values.length / most));
    return values.filter((_, i) => i % every === 0).map((value) => ({ value, label: short(value) }));
  }
  const every = Math.max(1, Math.ceil((last - first + 1) / most));
  const found = [];
  for (let power = first; power <= last; power += every) found.push({ value: 10 ** power, label: powerOfTen(power) });
  return found;
}

/** @param {number} low @param {number} high @param {number} most @returns {Mark[]} */
function symmetric(low, high, most) {
  const top = Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high), 10)));
  const powers = Array.from({ length: top + 1 }, (_, i) => i);
  const sides = [...powers.map((p) => -(10 ** p)).reverse(), 0, ...powers.map((p) => 10 ** p)];
  const within = sides.filter((value) => value >= low && value <= high);
  const every = Math.max(1, Math.ceil(within.length / most));
  return within
    .filter((_, i) => i % every === 0)
    .map((value) => ({
      value,
      label: value === 0 ? "0" : (value < 0 ? "−" : "") + powerOfTen(Math.log10(Math.abs(value))),
    }));
}

/** @param {number} power */
function powerOfTen(power) {
  const whole = Math.round(power);
  if (Math.abs(whole) <= 3) return short(10 ** whole);
  return `10${String(whole).replace(/./g, (sign) => (sign === "-" ? "⁻" : ("⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)] ?? "")))}`;
}

/** Numbers beside an axis, all with as many decimals. @param {number[]} values @returns {string[]} */
function alike(values) {
  const most = Math.max(...values.map(Math.abs));
  if (most >= 1e5 || (most > 0 && most < 1e-3)) return values.map(short);
  const digits = Math.max(
    0,
    ...values.map((value) => (String(Number(value.toPrecision(6))).split(".")[1] ?? "").length),
  );
  return values.map((value) => minus(value.toFixed(Math.min(digits, 6))));
}

/** @param {string} text */
const minus = (text) => text.replace(/^-/, "−");

/** A number in four digits. @param {number} value */
export function short(value) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : minus(`${value < 0 ? "-" : ""}∞`);
  const rounded = Number(value.toPrecision(4));
  const size = Math.abs(rounded);
  if (rounded !== 0 && (size >= 1e5 || size < 1e-3)) {
    return minus(rounded.toExponential().replace("e+", "e").replace(/e-/, "e−"));
  }
  return minus(String(rounded));
}
