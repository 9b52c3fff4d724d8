/**
 * A page in a frame of another one of this service: it tells where it stands, and goes where it is told.
 * @module
 */

import { byId } from "../ui/dom.js";
import { goTo } from "./page.js";
import { store } from "./state.js";

/**
 * What pages tell each other: `t` is a time of the run on show; `ready`: there is a run on show now; `led`: the other
 * page has the player.
 * @typedef {{backlight?: {t?: number, theme?: string, ready?: boolean, led?: boolean}}} Message
 */

/** In a frame, begin to tell and to listen; only pages of the same origin are heard and told. */
export function bindFrame() {
  /** @type {number | null} */
  let told = null;
  const ready = () => window.parent.postMessage({ backlight: { ready: true } }, location.origin);
  if (store.get().book) ready();
  store.subscribe((now, before) => {
    if (now.book && !before.book) ready();
    if (now.t !== before.t && now.book === before.book && now.t !== told) {
      window.parent.postMessage({ backlight: { t: now.t } }, location.origin);
    }
  });
  window.addEventListener("message", ({ source, origin, data }) => {
    if (source !== window.parent || origin !== location.origin) return;
    const { t, theme, led } = /** @type {Message} */ (data)?.backlight ?? {};
    if (led) document.documentElement.dataset.led = "";
    if (typeof theme === "string" && theme !== document.documentElement.dataset.theme) byId("theme").click();
    if (typeof t !== "number" || !store.get().book) return;
    told = t;
    goTo(t);
  });
}
