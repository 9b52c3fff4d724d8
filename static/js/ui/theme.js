/** The light/dark switch; theme-early.js has already applied the choice before the first paint. */

const KEY = "backlight-theme";

/** @param {HTMLElement} button @param {() => void} [changed] */
export function bindTheme(button, changed) {
  const root = document.documentElement;
  const label = () =>
    button.setAttribute("aria-label", root.dataset.theme === "dark" ? "Switch to light" : "Switch to dark");
  label();
  button.addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, root.dataset.theme);
    } catch {
      // storage may be forbidden; the choice then lasts until the page is closed
    }
    label();
    changed?.();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => {
    if (stored()) return;
    root.dataset.theme = event.matches ? "dark" : "light";
    label();
    changed?.();
  });
}

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
