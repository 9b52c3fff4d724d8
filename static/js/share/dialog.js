/** The dialog with a link to what is on show. */

import { examples, getRun } from "../net/api.js";
import { ROOT } from "../net/root.js";
import { byId, h } from "../ui/dom.js";
import { toast } from "../ui/toast.js";
import { keeping } from "./kept.js";
import { read, write } from "./address.js";
import { frameOf } from "./frame.js";
import { pack, unpack } from "./link.js";

/** @typedef {import("./address.js").Address} Address */

/**
 * The part of the dialog in which another link is put beside this run.
 * @param {string} code @param {HTMLDialogElement} dialog
 */
function comparison(code, dialog) {
  const other = h("input", {
    type: "text",
    "aria-label": "Link to another run",
    placeholder: "Paste a link to another run",
  });
  const form = h("form", { class: "share-row" }, other, h("button", { type: "submit", class: "button" }, "Compare"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const program = await programOf(other.value.trim());
      const address = `${ROOT}compare#${await pack({ program: code, with: program })}`;
      if (!window.open(address, "_blank")) location.assign(address);
      dialog.close();
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  });
  return h("div", null, h("p", null, "Or see it beside another run, at the same step:"), form);
}

/** The program that a link of this page holds, or that of a lesson or a stored run. @param {string} text */
async function programOf(text) {
  const { program, lesson, run } = read(new URL(text || "#", location.href), ROOT).address;
  const shared = program === null ? null : await unpack(program);
  if (shared) return shared.program;
  if (run !== null) return (await getRun(run)).source.code ?? "";
  const found =
    lesson !== null && (await examples()).examples.find((/** @type {{id: string}} */ { id }) => id === lesson);
  if (!found) throw new Error("This is no link to a run: it has #v1:, /l/ or /r/ in it.");
  return found.code;
}

/** What a link is made of. @param {Address} address */
function about({ program, run, lesson }) {
  if (program !== null) {
    return "The link holds the whole program and where you are in it. Who opens it runs the program again.";
  }
  if (run !== null) return "The link leads to the run that the server keeps, and to this step of it.";
  const what = lesson === null ? "the program that the page opens with" : "the lesson, with its question and captions";
  return `The link leads to this step of ${what}.`;
}

/**
 * A text that a click takes along.
 * @param {string} text @param {string} name @param {"link" | "HTML"} what
 */
function copied(text, name, what) {
  const field = h("input", {
    type: "text",
    readonly: true,
    value: text,
    "aria-label": name,
    onfocus: () => field.select(),
  });
  const look = what === "link" ? "button primary" : "button";
  const copy = h("button", { type: "button", class: look }, `Copy ${what}`);
  copy.addEventListener("click", async () => {
    field.select();
    await navigator.clipboard.writeText(text).then(
      () => toast(what === "link" ? "Link copied" : "HTML copied"),
      () => toast("Press Ctrl or ⌘ C to copy"),
    );
  });
  return { field, row: h("div", { class: "share-row" }, field, copy) };
}

/**
 * Open the dialog.
 * @param {{address: Address, code: string, run: string | null}} shown what is on show: its address, its program and the
 *   id of its run
 */
export async function openShare({ address, code, run }) {
  const { href } = new URL(write(address, ROOT), location.href);
  const dialog = /** @type {HTMLDialogElement} */ (byId("share-dialog"));
  const link = copied(href, "Link to this program and step", "link");
  const html = frameOf(address, document.title, location.origin, ROOT);
  const frame = copied(html, "HTML of a frame with this step", "HTML");
  dialog.replaceChildren(
    h(
      "div",
      { class: "dialog-body" },
      h("h2", { id: "share-title" }, "Share this step"),
      h("p", null, about(address)),
      link.row,
      h("p", null, "Or show it in a page of another site: the picture, its sentence and the player."),
      frame.row,
      comparison(code, dialog),
      keeping(run),
      h(
        "button",
        { type: "button", class: "button icon dialog-close", "aria-label": "Close", onclick: () => dialog.close() },
        h("span", { "aria-hidden": "true" }, "×"),
      ),
    ),
  );
  dialog.showModal();
  link.field.select();
}
