/**
 * A few words beside the pointer. What they say can be reached otherwise: through the ledger, and by keyboard.
 * @module
 */

/** @typedef {import("../scene/hint.js").Hint} Hint */

const AWAY = 14;

export class Tip {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /**
   * @param {Hint} hint
   * @param {{x: number, y: number}} at in the pane
   * @param {{width: number, height: number}} pane
   */
  show({ title, lines }, at, pane) {
    const { element } = this;
    const strong = document.createElement("b");
    strong.textContent = title;
    element.replaceChildren(
      strong,
      ...lines.map((line) => {
        const row = document.createElement("span");
        row.textContent = line;
        return row;
      }),
    );
    element.hidden = false;
    const { offsetWidth: w, offsetHeight: h } = element;
    element.style.left = `${Math.max(4, Math.min(at.x + AWAY, pane.width - w - 4))}px`;
    element.style.top = `${at.y + AWAY + h > pane.height ? at.y - AWAY - h : at.y + AWAY}px`;
  }

  hide() {
    this.element.hidden = true;
  }
}
