/** How the program stands to the picture, in words; a button only where pressing it does something. */

const SLOW_MS = 350;
const SAID_MS = 4000;
const AT_REST = "runs as you type";

/**
 * @param {HTMLElement} said
 * @param {HTMLElement} button
 * @param {{onRun: () => void, onCancel: () => void}} actions
 */
export function bindRun(said, button, { onRun, onCancel }) {
  const label = /** @type {HTMLElement} */ (button.querySelector(".run-label"));
  const key = /** @type {HTMLElement} */ (button.querySelector("kbd"));
  key.textContent = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘⏎" : "Ctrl ⏎";
  let running = false;
  let timer = 0;
  button.addEventListener("click", () => (running ? onCancel() : onRun()));

  /** @param {string} text @param {"Run" | "Cancel" | null} offer */
  function show(text, offer) {
    said.textContent = text;
    label.textContent = offer ?? label.textContent;
    key.hidden = offer !== "Run";
    button.hidden = offer === null;
  }

  return {
    /** A run has begun; it can be cancelled when its answer is slow to come. */
    busy() {
      clearTimeout(timer);
      running = true;
      timer = window.setTimeout(() => show("running…", "Cancel"), SLOW_MS);
    },

    /** Nothing runs. @param {boolean} owed the program as it stands has not been run, and will not be by itself */
    rest(owed) {
      clearTimeout(timer);
      running = false;
      show(owed ? "not run" : AT_REST, owed ? "Run" : null);
    },

    /** Say something for a while. @param {string} text */
    say(text) {
      show(text, null);
      timer = window.setTimeout(() => show(AT_REST, null), SAID_MS);
    },
  };
}
