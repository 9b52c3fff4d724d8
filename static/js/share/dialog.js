/** The dialog with a link to what is on show; the address takes it too. */

import { getRun } from "../net/api.js";
import { byId, h } from "../ui/dom.js";
import { toast } from "../ui/toast.js";
import { keeping } from "./kept.js";
import { decode, encode } from "./link.js";

/**
 * The part of the dialog in which another link is put beside this run.
 * @param {() => Parameters<typeof encode>[0]} shown @param {HTMLDialogElement} dialog
 */
function comparison(shown, dialog) {
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
      const address = `/compare${await encode({ program: shown().program, with: program })}`;
      if (!window.open(address, "_blank")) location.assign(address);
      dialog.close();
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  });
  return h("div", null, h("p", null, "Or see it beside another run, at the same step:"), form);
}

/** The program that a link of this page holds, or that of a stored run. @param {string} text */
async function programOf(text) {
  const address = new URL(text || "#", location.href);
  const shared = await decode(address.hash);
  if (shared) return shared.program;
  const stored = /\/r\/([\w-]+)$/.exec(address.pathname)?.[1];
  if (!stored) throw new Error("This is no link to a run: it has #v1: or /r/ in it.");
  return (await getRun(stored)).source.code ?? "";
}

/**
 * Open the dialog.
 * @param {() => Parameters<typeof encode>[0]} shown  what the link shall hold
 * @param {string | null} run  the id of the run on show
 */
export async function openShare(shown, run) {
  const address = new URL(location.href);
  address.pathname = address.pathname.startsWith("/embed") ? address.pathname : "/";
  address.hash = await encode(shown());
  history.replaceState(null, "", address);
  const dialog = /** @type {HTMLDialogElement} */ (byId("share-dialog"));
  const field = h("input", {
    type: "text",
    readonly: true,
    value: address.href,
    "aria-label": "Link to this program and step",
    onfocus: () => field.select(),
  });
  const copy = h(
    "button",
    {
      type: "button",
      class: "button primary",
      onclick: async () => {
        field.select();
        await navigator.clipboard.writeText(address.href).then(
          () => toast("Link copied"),
          () => toast("Press Ctrl or ⌘ C to copy"),
        );
      },
    },
    "Copy",
  );
  dialog.replaceChildren(
    h(
      "div",
      { class: "dialog-body" },
      h("h2", { id: "share-title" }, "Share this step"),
      h("p", null, "The link holds the whole program and where you are in it. Who opens it runs the program again."),
      h("div", { class: "share-row" }, field, copy),
      comparison(shown, dialog),
      keeping(run),
      h(
        "button",
        { type: "button", class: "button icon dialog-close", "aria-label": "Close", onclick: () => dialog.close() },
        h("span", { "aria-hidden": "true" }, "×"),
      ),
    ),
  );
  dialog.showModal();
  field.select();
}
