/** The button that runs the program; when an answer is slow to come it cancels. */

const SLOW_MS = 350;

/**
 * @param {HTMLElement} button
 * @param {{onRun: () => void, onCancel: () => void}} actions
 * @returns {(busy: boolean) => void} to be told of each run that starts or ends
 */
export function bindRun(button, { onRun, onCancel }) {
  const label = /** @type {HTMLElement} */ (button.querySelector(".run-label"));
  const key = /** @type {HTMLElement} */ (button.querySelector("kbd"));
  key.textContent = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘⏎" : "Ctrl ⏎";
  button.addEventListener("click", () => (label.textContent === "Cancel" ? onCancel() : onRun()));
  let slow = 0;
  return (busy) => {
    clearTimeout(slow);
    button.toggleAttribute("data-busy", busy);
    if (busy) slow = window.setTimeout(() => (label.textContent = "Cancel"), SLOW_MS);
    else label.textContent = "Run";
  };
}
