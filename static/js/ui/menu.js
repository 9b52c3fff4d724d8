/** A button that opens a list of actions. */

import { h } from "./dom.js";

/**
 * Without `act` it cannot be chosen, and `about` says why.
 * @typedef {{title: string, about?: string, act?: () => void}} Entry
 */
/** @typedef {{group: string | null, entries: Entry[]}} Group */

/**
 * @param {HTMLElement} host contains the button
 * @param {() => Group[] | Promise<Group[]>} contents asked each time the menu opens
 */
export function bindMenu(host, contents) {
  const button = /** @type {HTMLButtonElement} */ (host.querySelector("button"));
  /** @type {HTMLElement | null} */
  let list = null;

  const items = () => /** @type {HTMLElement[]} */ ([...(list?.querySelectorAll(".menu-item") ?? [])]);

  function close(focus = false) {
    list?.remove();
    list = null;
    button.setAttribute("aria-expanded", "false");
    if (focus) button.focus();
  }

  /** @param {boolean} byKeyboard then the first item takes the focus */
  async function open(byKeyboard) {
    const groups = await contents();
    if (list) return;
    list = h(
      "div",
      { class: "menu-list", role: "menu", "aria-label": button.textContent?.trim() ?? "" },
      groups.map((group) =>
        h(
          "div",
          { role: "group", "aria-label": group.group },
          group.group ? h("div", { class: "menu-group", role: "presentation" }, group.group) : null,
          group.entries.map((entry) =>
            h(
              "button",
              {
                type: "button",
                class: "menu-item",
                tabindex: -1,
                role: "menuitem",
                "aria-disabled": entry.act ? null : "true",
                onclick: (/** @type {MouseEvent} */ event) => {
                  if (!entry.act) return;
                  close(event.detail === 0);
                  entry.act();
                },
              },
              entry.title,
              entry.about ? h("small", null, entry.about) : null,
            ),
          ),
        ),
      ),
    );
    host.append(list);
    button.setAttribute("aria-expanded", "true");
    if (byKeyboard) items()[0]?.focus();
  }

  button.addEventListener("click", (event) => (list ? close() : void open(event.detail === 0)));
  button.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" && !list) {
      event.preventDefault();
      void open(true);
    }
  });
  host.addEventListener("keydown", (event) => {
    if (!list || event.defaultPrevented) return;
    const all = items();
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    /** @type {Record<string, number>} */
    const moves = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 };
    if (event.key in moves) {
      event.preventDefault();
      all[/** @type {number} */ (moves[event.key] + all.length) % all.length]?.focus();
    } else if (event.key === "Escape") {
      event.preventDefault();
      close(true);
    } else if (event.key === "Tab") close();
  });
  document.addEventListener("pointerdown", (event) => {
    if (list && !host.contains(/** @type {Node} */ (event.target))) close();
  });
}
