/**
 * What can be clicked in the words about a step. They are morphed and not rebuilt, so their elements listen by
 * delegation, through data attributes.
 * @module
 */

/** @typedef {import("../ui/types").Item} Item */

/**
 * @typedef {object} Clicks
 * @property {(item: Item | null) => void} onSelect
 * @property {(line: number) => void} onLine
 * @property {(t: number, caption: number) => void} onCaption go to the moment of a statement of the lesson
 * @property {() => void} onChange make the change that is suggested
 * @property {(index: number) => void} onFinding open a finding; −1 closes it
 * @property {() => void} onApply make the edits of the finding that is open
 */

const CLICKABLE = "[data-select], [data-line], [data-time], [data-change], [data-finding], [data-apply]";

/** @param {HTMLElement} element @param {Clicks} actions */
export function bindClicks(element, actions) {
  element.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest(CLICKABLE) : null;
    if (button instanceof HTMLElement) clicked(button.dataset, actions);
  });
  element.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const named = target instanceof HTMLElement && target.matches("span[role=button]");
    if ((key !== "Enter" && key !== " ") || !named) return;
    event.preventDefault();
    target.click();
  });
}

/** @param {DOMStringMap} dataset @param {Clicks} actions */
function clicked({ select, line, time, change, caption, finding, apply }, actions) {
  if (finding !== undefined) actions.onFinding(Number(finding));
  if (apply !== undefined) actions.onApply();
  if (line) actions.onLine(Number(line));
  if (time) actions.onCaption(Number(time), Number(caption));
  if (change !== undefined) actions.onChange();
  if (select) {
    const [kind, id] = select.split(" ");
    actions.onSelect(id ? { kind: /** @type {Item["kind"]} */ (kind), id } : null);
  }
}
