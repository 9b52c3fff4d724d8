/** What screen readers are told. */

const PAUSE_MS = 250;

/**
 * @param {HTMLElement} element a live region
 * @returns {(text: string) => void} says the last of several texts, after a pause
 */
export function createSpeaker(element) {
  let waiting = 0;
  return (text) => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => (element.textContent = text), PAUSE_MS);
  };
}
