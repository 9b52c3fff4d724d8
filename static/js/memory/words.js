/**
 * Memory in words. Pure.
 * @module
 */

const UNITS = ["KB", "MB", "GB", "TB"];

/** "1 byte", "12 bytes", "1.5 KB", "4.2 MB", of 1024 each. @param {number} n */
export function bytes(n) {
  let unit = -1;
  while (n >= (unit < 0 ? 1024 : 1023.5) && unit < UNITS.length - 1) {
    n /= 1024;
    unit++;
  }
  if (unit < 0) return n === 1 ? "1 byte" : `${n} bytes`;
  return `${Number(n.toFixed(n < 99.95 ? 1 : 0))} ${UNITS[unit]}`;
}

/** A share in percent; what is there is not 0 %. @param {number} part @param {number} whole */
export function percent(part, whole) {
  const x = whole ? (100 * part) / whole : 0;
  return x > 0 && x < 1 ? "< 1 %" : `${Math.round(x)} %`;
}

/**
 * What checkpointing a module would give.
 * @param {import("./modules.js").Offer} offer @param {number} before the peak as it is
 */
export function offerWords({ name, frees, ops }, before) {
  const free = frees > 0 ? `${bytes(frees)} of the ${bytes(before)}` : "nothing";
  const again = ops === 1 ? "1 op" : `${ops.toLocaleString("en")} ops`;
  return `Checkpointing ${name} would free ${free} at the peak, and compute ${again} again.`;
}

/**
 * What the graph keeps besides, which is there anyway; "" where there is none.
 * @param {Map<import("./model.js").Block["kind"], number>} kinds bytes
 */
export const besides = (kinds) =>
  [...kinds].flatMap(([kind, n]) => (kind === "activation" ? [] : [`${bytes(n)} of ${kind}s`])).join(", ");
