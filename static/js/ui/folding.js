/**
 * Whether a part of the page that folds was open when it was last seen.
 * @param {string} name
 */
export function folding(name) {
  const key = `backlight-${name}`;
  return {
    get open() {
      try {
        return localStorage.getItem(key) === "open";
      } catch {
        return false; // a page without storage
      }
    },

    /** @param {boolean} open */
    remember(open) {
      try {
        localStorage.setItem(key, open ? "open" : "closed");
      } catch {
        // a page without storage
      }
    },
  };
}
