/**
 * Every entity keeps the list of its own changes, so the state at any time is a lookup and never a replay.
 * Scrubbing costs the same in both directions and at any distance.
 * @module
 */

/**
 * The changes of many keys over time.
 * @template K, V
 */
export class History {
  /** @param {V} initial  what a key holds before its first change */
  constructor(initial) {
    this.initial = initial;
    /** @type {Map<K, {times: number[], values: V[]}>} */
    this.tracks = new Map();
    /** @type {Map<number, Set<K>>} */
    this.changed = new Map();
  }

  /**
   * Record that `key` holds `value` from time `t` on. Times of one key must not decrease.
   * @param {K} key
   * @param {number} t
   * @param {V} value
   */
  set(key, t, value) {
    let track = this.tracks.get(key);
    if (!track) this.tracks.set(key, (track = { times: [], values: [] }));
    const last = track.times.length - 1;
    if (last >= 0 && track.times[last] === t) track.values[last] = value;
    else {
      track.times.push(t);
      track.values.push(value);
    }
    let keys = this.changed.get(t);
    if (!keys) this.changed.set(t, (keys = new Set()));
    keys.add(key);
  }

  /** The value recorded last, whatever its time. @param {K} key @returns {V} */
  latest(key) {
    const track = this.tracks.get(key);
    return track ? track.values[track.values.length - 1] : this.initial;
  }

  /** @param {K} key @param {number} t @returns {V} */
  at(key, t) {
    const track = this.tracks.get(key);
    if (!track) return this.initial;
    const { times, values } = track;
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle + 1;
      else high = middle;
    }
    return low ? values[low - 1] : this.initial;
  }

  /** Every value a key ever holds, in order. @param {K} key @returns {readonly V[]} */
  all(key) {
    return this.tracks.get(key)?.values ?? [];
  }

  /**
   * Keys whose value may differ between two times.
   * @param {number} a
   * @param {number} b
   * @returns {Set<K>}
   */
  between(a, b) {
    const low = Math.min(a, b);
    const high = Math.max(a, b);
    /** @type {Set<K>} */
    const keys = new Set();
    if (high - low > this.changed.size) {
      for (const [t, some] of this.changed) if (t > low && t <= high) for (const key of some) keys.add(key);
    } else for (let t = low + 1; t <= high; t++) for (const key of this.changed.get(t) ?? []) keys.add(key);
    return keys;
  }
}

/**
 * A read-only map: a history seen at one time. It holds the keys that have changed by then.
 * @template K, V
 */
export class Lookup {
  /** @param {History<K, V>} history @param {number} t */
  constructor(history, t) {
    this.history = history;
    this.t = t;
  }

  /** @param {K} key @returns {V} */
  get(key) {
    return this.history.at(key, this.t);
  }

  /** @param {K} key */
  has(key) {
    const track = this.history.tracks.get(key);
    return track !== undefined && track.times[0] <= this.t;
  }

  *keys() {
    for (const [key, track] of this.history.tracks) if (track.times[0] <= this.t) yield key;
  }

  *values() {
    for (const key of this.keys()) yield this.get(key);
  }

  /** @returns {IterableIterator<[K, V]>} */
  *entries() {
    for (const key of this.keys()) yield [key, this.get(key)];
  }

  [Symbol.iterator]() {
    return this.entries();
  }

  /** @param {(value: V, key: K) => void} visit */
  forEach(visit) {
    for (const [key, value] of this.entries()) visit(value, key);
  }

  get size() {
    let count = 0;
    for (const track of this.history.tracks.values()) if (track.times[0] <= this.t) count++;
    return count;
  }
}
