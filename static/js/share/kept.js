/**
 * What the service keeps of a run, who can read that, and a way to have it deleted.
 * @module
 */

import { deleteRun, limits } from "../net/api.js";
import { ROOT } from "../net/root.js";
import { tokenOf } from "../net/tokens.js";
import { h } from "../ui/dom.js";

/** @typedef {Record<string, {value: number, unit: string}>} Rows */

/**
 * How long a run is kept, by what /v1/limits says of the store.
 * @param {Rows} service
 */
export function untilWhen({ store, store_time: time }) {
  if (time) {
    const hours = Math.round(time.value / 3600);
    return hours % 24 === 0 && hours > 24
      ? `until nobody has asked for them for ${hours / 24} days`
      : `until nobody has asked for them for ${hours} h`;
  }
  return store ? `until ${Math.round(store.value / 2 ** 20)} MB of newer runs push them out` : "for a while";
}

/**
 * The part of the dialog about the run on show.
 * @param {string | null} run
 */
export function keeping(run) {
  const long = h("span", null, "for a while");
  void limits().then(
    ({ service }) => long.replaceChildren(untilWhen(service)),
    () => {},
  );
  return h(
    "section",
    { class: "kept", "aria-labelledby": "kept-title" },
    h("h3", { id: "kept-title" }, "What the server keeps"),
    h(
      "p",
      null,
      "Every run is kept: the program, its output and its document, ",
      long,
      ". Whoever has the run’s id, or a link with it, can read them. The link above is stored nowhere: it holds the " +
        "program itself, which is kept once somebody opens it. ",
      h("a", { href: `${ROOT}docs#kept`, target: "_blank" }, "More about this"),
    ),
    run === null ? null : deletion(run),
  );
}

/** @param {string} run */
function deletion(run) {
  const token = tokenOf(run);
  if (token === null) return h("p", { class: "quiet" }, "Only the tab that has run it can delete it.");
  const said = h(
    "p",
    { role: "status", class: "quiet" },
    "Links to it stop working, for everybody. Other versions of the program are runs of their own.",
  );
  const button = h("button", { type: "button", class: "button" }, "Delete this run from the server");
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await deleteRun(run, token);
      button.remove();
      said.replaceChildren(
        "The run is deleted from the server. It stays on this page until you leave; running it again keeps it again.",
      );
    } catch (error) {
      button.disabled = false;
      said.replaceChildren(`It is not deleted: ${/** @type {Error} */ (error).message}`);
    }
  });
  return h("div", { class: "share-row" }, button, said);
}
