/**
 * Hue is sign: orange below zero, grey at zero, blue above; symmetric, symlog, clamped at the 99th percentile.
 * @module
 */

/** @typedef {(x: number) => {background: string, ink: string}} Scale */

/** @param {string} name @returns {[number, number, number]} */
function token(name) {
  const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return /** @type {[number, number, number]} */ ([1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)));
}

/**
 * The magnitude at which the scale saturates. Pure.
 * @param {number[]} xs
 */
export function clampAt(xs) {
  const sizes = xs.filter(Number.isFinite).map(Math.abs).filter((x) => x > 0).sort((a, b) => a - b);
  return sizes.length ? /** @type {number} */ (sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * 0.99))]) : 1;
}

/**
 * Position on the symmetric log scale, −1 … 1. Pure.
 * @param {number} x
 * @param {number} limit
 */
export function symlog(x, limit) {
  const knee = limit / 100;
  return Math.max(-1, Math.min(1, (Math.sign(x) * Math.log1p(Math.abs(x) / knee)) / Math.log1p(limit / knee)));
}

/** @param {number} limit @returns {Scale} in the current theme's colours */
export function signScale(limit) {
  const zero = token("--zero"), negative = token("--neg"), positive = token("--pos"), broken = token("--nan");
  return (x) => {
    if (!Number.isFinite(x)) return paint(broken);
    const p = symlog(x, limit);
    const end = p < 0 ? negative : positive;
    return paint(/** @type {[number, number, number]} */ (zero.map((from, i) => Math.round(from + (/** @type {number} */ (end[i]) - from) * Math.abs(p)))));
  };
}

/** @param {[number, number, number]} rgb */
function paint([r, g, b]) {
  const light = contrast(luminance(r, g, b), 1) >= contrast(luminance(r, g, b), luminance(20, 22, 28));
  return { background: `rgb(${r} ${g} ${b})`, ink: light ? "#ffffff" : "#14161c" };
}

/** @param {number} a @param {number} b */
const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

/** @param {number} r @param {number} g @param {number} b */
function luminance(r, g, b) {
  const [x, y, z] = [r, g, b].map((c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * /** @type {number} */ (x) + 0.7152 * /** @type {number} */ (y) + 0.0722 * /** @type {number} */ (z);
}
