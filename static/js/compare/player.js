/** The player of two runs: a step of both at a time. */

import { h } from "../ui/dom.js";

/** ms that a step of both stays when they play. */
const BEAT = 1800;

/**
 * @param {HTMLElement} element  its content is replaced
 * @param {object} of
 * @param {number} of.steps  how many there are
 * @param {(step: number) => {title: string, subject: string}} of.say  what a step is
 * @param {(step: number) => void} of.show
 */
export function bindPlayer(element, { steps, say, show }) {
  const last = steps - 1;
  let at = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let playing;
  const button = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", class: "button", "aria-label": name, onclick }, sign);
  const play = button("Play", "Play both", () => (playing ? stop() : start()));
  const where = h("div", { class: "where", "aria-live": "polite" });
  const track = h("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "Step of both runs" });
  track.addEventListener("input", () => go(Number(track.value)));

  /** @param {number} step */
  function put(step) {
    at = Math.max(0, Math.min(last, step < 0 ? last : step));
    track.value = String(at);
    const { title, subject } = say(at);
    const said = `${title}${subject ? `: ${subject}` : ""}`;
    track.setAttribute("aria-valuetext", said);
    where.textContent = said;
  }

  /** @param {number} step */
  function stand(step) {
    put(Math.max(0, step));
    show(at);
  }

  /** @param {number} step */
  function go(step) {
    stop();
    stand(step);
  }

  function start() {
    if (at === last) stand(0);
    play.textContent = "Pause";
    play.setAttribute("aria-label", "Pause both");
    playing = setInterval(() => (at < last ? stand(at + 1) : stop()), BEAT);
  }

  function stop() {
    clearInterval(playing);
    playing = undefined;
    play.textContent = "Play";
    play.setAttribute("aria-label", "Play both");
  }

  element.replaceChildren(
    button("First", "First step of both", () => go(0)),
    button("◀", "Previous step of both", () => go(at - 1)),
    play,
    button("▶", "Next step of both", () => go(at + 1)),
    where,
    track,
  );
  window.addEventListener("keydown", onKey, { capture: true });

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target instanceof HTMLElement && event.target.matches("input, summary")) return;
    const step = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    go(step);
  }
  return { put };
}
