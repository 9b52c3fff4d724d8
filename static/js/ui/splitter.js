/**
 * The borders between panes: drag them, or focus one and use the arrow keys; a double click goes back to the default.
 */

const STEP = 24;

/**
 * @param {HTMLElement} handle with role="separator"
 * @param {object} options
 * @param {string} options.name the custom property on :root that holds the pane's width
 * @param {HTMLElement} options.pane
 * @param {1 | -1} options.grows 1 when dragging to the right makes the pane wider
 */
export function bindSplitter(handle, { name, pane, grows }) {
  const root = document.documentElement;
  const key = `backlight-${name.slice(2)}`;

  /** @param {number | null} width px, null for the default */
  function set(width) {
    if (width === null) root.style.removeProperty(name);
    else root.style.setProperty(name, `${Math.round(Math.max(220, Math.min(innerWidth * 0.6, width)))}px`);
    try {
      if (width === null) localStorage.removeItem(key);
      else localStorage.setItem(key, root.style.getPropertyValue(name));
    } catch {
      // storage may be forbidden; the width then lasts until the page is closed
    }
    tell();
  }

  function tell() {
    handle.setAttribute("aria-valuenow", String(Math.round(pane.getBoundingClientRect().width)));
  }

  try {
    const stored = Number.parseFloat(localStorage.getItem(key) ?? "");
    if (stored > 0) set(stored);
  } catch {
    // no storage, no memory
  }
  tell();

  handle.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    handle.setPointerCapture(event.pointerId);
    const start = event.clientX;
    const width = pane.getBoundingClientRect().width;
    const move = (/** @type {PointerEvent} */ to) => set(width + grows * (to.clientX - start));
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move), {
      once: true,
    });
    event.preventDefault();
  });
  handle.addEventListener("focus", tell); // the pane may have been closed when it was told last
  handle.addEventListener("dblclick", () => set(null));
  handle.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (by === undefined && event.key !== "Home") return;
    set(by === undefined ? null : pane.getBoundingClientRect().width + grows * by);
    event.preventDefault();
    event.stopPropagation();
  });
}
