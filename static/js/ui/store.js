/**
 * The page's one piece of state. Everything on screen is a function of it.
 *
 * @template {object} S
 * @param {S} initial
 */
export function createStore(initial) {
  let state = initial;
  /** @type {{tell: (next: S, previous: S) => void, told: S}[]} */
  const listeners = [];
  return {
    get: () => state,

    /** Replace some fields; listeners run only when one of them really changed. @param {Partial<S>} patch */
    set(patch) {
      const changed = Object.entries(patch).some(([key, value]) => /** @type {any} */ (state)[key] !== value);
      if (!changed) return;
      state = { ...state, ...patch };
      for (const listener of listeners) {
        const { told } = listener;
        if (told === state) continue; // a listener before this one moved on, and that has been told already
        listener.told = state;
        listener.tell(state, told);
      }
    },

    /** @param {(next: S, previous: S) => void} tell previous: what it was told before */
    subscribe(tell) {
      listeners.push({ tell, told: state });
    },
  };
}
