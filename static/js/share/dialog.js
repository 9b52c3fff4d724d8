/** The dialog with a link to what is on show; the address takes it too. */

import { byId, h } from "../ui/dom.js";
import { toast } from "../ui/toast.js";
import { encode } from "./link.js";

/** @param {() => Parameters<typeof encode>[0]} shown  what the link shall hold */
export function bindShare(shown) {
  byId("share").addEventListener("click", async () => {
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
        h("p", null, "The link holds the whole program and where you are in it. Nothing is stored on a server."),
        h("div", { class: "share-row" }, field, copy),
        h(
          "button",
          { type: "button", class: "button icon dialog-close", "aria-label": "Close", onclick: () => dialog.close() },
          h("span", { "aria-hidden": "true" }, "×"),
        ),
      ),
    );
    dialog.showModal();
    field.select();
  });
}
