/**
 * A page in a frame of another one of this service: it tells where it stands, and goes where it is told.
 * @module
 */

import { byId } from "../ui/dom.js";
import { showColumn } from "./details.js";
import { goTo } from "./page.js";
import { store } from "./state.js";

/**
 * What pages tell each other: `t` is a time of the run on show; `ready`: there is a run on show now; `led`: the other
 * page has the player.
 * @typedef {{backlight?: {t?: number, theme?: string, ready?: boolean, led?: boolean}}} Message
 */

/**
 * In a frame, begin to tell and to listen; only the page that has the frame is heard.
 * @param {string} page the origin of that page; `*` where it is the same file, which has none
 */
export function bindFrame(page) {
  /** @type {number | null} */
  let told = null;
  const ready = () => window.parent.postMessage({ backlight: { ready: true } }, page);
  if (store.get().book) ready();
  store.subscribe((now, before) => {
    if (now.book && !before.book) ready();
    if (now.t !== before.t && now.book === before.book && now.t !== told) {
      window.parent.postMessage({ backlight: { t: now.t } }, page);
    }
  });
  window.addEventListener("message", ({ source, origin, data }) => {
    if (source !== window.parent || (page !== "*" && origin !== page)) return;
    const { t, theme, led } = /** @type {Message} */ (data)?.backlight ?? {};
    if (led) {
      document.documentElement.dataset.led = "";
      showColumn();
    }
    if (typeof theme === "string" && theme !== document.documentElement.dataset.theme) byId("theme").click();
    if (typeof t !== "number" || !store.get().book) return;
    told = t;
    goTo(t);
  });
}
