/**
 * The page `/compare`: two programs of the address, run and shown side by side, and taken along as one file.
 * @module
 */

import { run } from "../net/api.js";
import { ROOT } from "../net/root.js";
import { NOTHING, write } from "../share/address.js";
import { pack, unpack } from "../share/link.js";
import { byId, h } from "../ui/dom.js";
import { bindTheme } from "../ui/theme.js";
import { toast } from "../ui/toast.js";
import { layOut, showPair, sideOf } from "./pair.js";

/** @typedef {import("../trace/document").RunDocument} RunDocument */

/** @param {string} text @param {string} [more] */
function say(text, more = "") {
  byId("differences").replaceChildren(
    h("p", { role: "alert" }, text, " ", more, " ", h("a", { href: ROOT }, "To the page")),
  );
}

/** Offer both runs as one file. @param {RunDocument} before @param {RunDocument} after */
function offer(before, after) {
  const button = /** @type {HTMLButtonElement} */ (byId("export"));
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      const [{ viewer }, { pairOf }, { save }] = await Promise.all([
        import("../share/viewer.js"),
        import("../share/page.js"),
        import("../share/save.js"),
      ]);
      const page = pairOf(await viewer(), before, after);
      save(`backlight-${before.id.slice(0, 8)}-${after.id.slice(0, 8)}.html`, new Blob([page], { type: "text/html" }));
    } catch (error) {
      toast(`Not exported: ${/** @type {Error} */ (error).message}`);
    }
  });
}

bindTheme(byId("theme"));

async function start() {
  layOut([], "Running both programs …");
  const shared = await unpack(location.hash.slice(1));
  if (!shared || shared.with === undefined) {
    say("There is nothing to compare in this address.", "Change a program, run it, and choose Compare.");
    return;
  }
  const codes = [shared.with, shared.program];
  const [before, after] = /** @type {[RunDocument, RunDocument]} */ (await Promise.all(codes.map((code) => run(code))));
  await showPair([sideOf(before), sideOf(after)], {
    origin: location.origin,
    open: async (frame, which, t) => {
      frame.src = write({ ...NOTHING, embed: true, program: await pack({ program: codes[which] ?? "" }), t }, ROOT);
    },
  });
  offer(before, after);
}

start().catch((/** @type {Error} */ error) => say("The programs could not be run:", error.message));
