/**
 * Two lists side by side: which entries of one are those of the other, as in a diff of texts. Pure.
 * @module
 */

/** With more changes than this the middle of two lists is left unmatched: what is compared is no edit of the other. */
const MOST_CHANGES = 800;

/**
 * The longest common subsequence (E. Myers, "An O(ND) difference algorithm and its variations", 1986).
 * @param {readonly string[]} a
 * @param {readonly string[]} b
 * @returns {[number, number][]} pairs of indices, ascending in both
 */
export function align(a, b) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  const left = Math.min(a.length, b.length) - start;
  while (end < left && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = matched(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [
    ...Array.from({ length: start }, (_, i) => /** @type {[number, number]} */ ([i, i])),
    ...middle.map(([i, j]) => /** @type {[number, number]} */ ([start + i, start + j])),
    ...Array.from(
      { length: end },
      (_, i) => /** @type {[number, number]} */ ([a.length - end + i, b.length - end + i]),
    ),
  ];
}

/** @param {readonly string[]} a @param {readonly string[]} b @returns {[number, number][]} */
function matched(a, b) {
  if (!a.length || !b.length) return [];
  const most = Math.min(a.length + b.length, MOST_CHANGES);
  // How far along `a` each diagonal (index in a − index in b) has come, and that before each further change.
  const reach = new Int32Array(2 * most + 3);
  const at = (/** @type {number} */ diagonal) => diagonal + most + 1;
  /** @type {Int32Array[]} */
  const before = [];
  for (let changes = 0; changes <= most; changes++) {
    before.push(reach.slice());
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const from = entered(reach, at(diagonal), diagonal, changes);
      let i = /** @type {number} */ (reach[from]) + (from < at(diagonal) ? 1 : 0);
      while (i < a.length && i - diagonal < b.length && a[i] === b[i - diagonal]) i++;
      reach[at(diagonal)] = i;
      if (i >= a.length && i - diagonal >= b.length) return walkBack(before, at, a.length, b.length);
    }
  }
  return [];
}

/**
 * The place of the diagonal from which one more change leads to this one.
 * @param {Int32Array} reach @param {number} place @param {number} diagonal @param {number} changes
 */
function entered(reach, place, diagonal, changes) {
  const below = /** @type {number} */ (reach[place - 1]);
  const above = /** @type {number} */ (reach[place + 1]);
  return diagonal === -changes || (diagonal !== changes && below < above) ? place + 1 : place - 1;
}

/**
 * @param {Int32Array[]} before @param {(diagonal: number) => number} at @param {number} i @param {number} j the ends
 * @returns {[number, number][]}
 */
function walkBack(before, at, i, j) {
  /** @type {[number, number][]} */
  const pairs = [];
  for (let changes = before.length - 1; changes > 0; changes--) {
    const reach = /** @type {Int32Array} */ (before[changes]);
    const diagonal = i - j;
    const from = entered(reach, at(diagonal), diagonal, changes);
    const x = /** @type {number} */ (reach[from]);
    const y = x - (diagonal + from - at(diagonal));
    while (i > x && j > y) pairs.push([--i, --j]);
    i = x;
    j = y;
  }
  while (i > 0 && j > 0) pairs.push([--i, --j]);
  return pairs.reverse();
}
