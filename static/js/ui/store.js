/**
 * The page's one piece of state. Everything on screen is a function of it.
 *
 * @template {object} S
 * @param {S} initial
 */
export function createStore(initial) {
  let state = initial;
  /** @type {((next: S, previous: S) => void)[]} */
  const listeners = [];
  return {
    get: () => state,

    /** Replace some fields; listeners run only when one of them really changed. @param {Partial<S>} patch */
    set(patch) {
      const changed = Object.entries(patch).some(([key, value]) => /** @type {any} */ (state)[key] !== value);
      if (!changed) return;
      const previous = state;
      state = { ...state, ...patch };
      const next = state;
      for (const listener of listeners) {
        if (state !== next) return; // a listener moved on: it has already told everybody
        listener(next, previous);
      }
    },

    /** @param {(next: S, previous: S) => void} listener */
    subscribe(listener) {
      listeners.push(listener);
    },
  };
}
