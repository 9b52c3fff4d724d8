/**
 * What a video of a pass shows, and for how long: its steps, at the pace at which one reads them. Pure.
 * @module
 */

import { STEP_MS } from "../scene/moment.js";
import { placeAt, stretches } from "../timeline/places.js";
import { playPlan } from "../trace.js";
import { captionOf } from "./caption.js";

/** @typedef {import("./caption.js").Shown} Shown */
/**
 * The step that ends at t, shown for ms; `moves` of them are its animation.
 * @typedef {{t: number, ms: number, moves: number}} Shot
 */

/** A longer pass is told in waves of steps, as playing tells it. */
const MOST_STEPS = 60;
const MS_OF_WORD = 60_000 / 250;
const LEAST_HELD = 700;
/** A video of more than this has its steps held for less. */
const LONGEST = 180_000;
const LAST_HELD = 2500;

/**
 * The first and the last stop of the pass at time t; else of the one after it, else before it, else of the whole run.
 * @param {Shown} shown @param {number} t
 */
function passAt({ book, stops }, t) {
  const all = stretches(book, stops);
  const backward = all.filter(({ kind }) => kind === "backward");
  const here = placeAt(book, stops, t).stretch;
  const chosen =
    backward.find((stretch) => stretch === here) ??
    backward.find(({ first }) => (stops[first] ?? 0) > t) ??
    backward.at(-1);
  if (!chosen) return [0, stops.length - 1];
  const same = backward.filter(({ call }) => call === chosen.call);
  return [Math.min(...same.map(({ first }) => first)), Math.max(...same.map(({ last }) => last))];
}

/** How long the sentence of a step takes to read. @param {Shown} shown @param {number} t */
const readingTime = (shown, t) =>
  captionOf(shown, t)
    .sentence.map(({ text }) => text)
    .join("")
    .split(/\s+/).length * MS_OF_WORD;

/**
 * @param {Shown} shown @param {number} t @param {number} speed  1: as one reads
 * @returns {Shot[]}  the first one does not move: it is where the pass begins
 */
export function shotsOf(shown, t, speed) {
  const { book, stops } = shown;
  const [first, last] = passAt(shown, t);
  const [from, to] = [stops[first] ?? 0, stops[last] ?? 0];
  const times = stops.slice(first, last + 1);
  const moves = STEP_MS / speed;
  if (times.length > MOST_STEPS) {
    const beats = playPlan(book.trace, from).filter((beat) => beat.t <= to);
    if (beats.at(-1)?.t !== to) beats.push({ t: to, ms: STEP_MS });
    const shots = beats.map(({ t, ms }) => ({ t, ms: ms / speed, moves: Math.min(moves, ms / speed) }));
    return withEnd([{ t: from, ms: LEAST_HELD / speed, moves: 0 }, ...shots]);
  }
  const held = times.map((t) => Math.max(LEAST_HELD, readingTime(shown, t)) / speed);
  const all = held.reduce((sum, ms) => sum + ms, 0);
  const share = Math.min(1, Math.max(0, LONGEST - moves * times.length) / all);
  return withEnd(times.map((t, i) => ({ t, ms: held[i] * share + (i ? moves : 0), moves: i ? moves : 0 })));
}

/** The last one stays a while. @param {Shot[]} shots */
const withEnd = (shots) =>
  shots.map((shot, i) => (i === shots.length - 1 ? { ...shot, ms: shot.ms + LAST_HELD } : shot));

/** ms between frames: while a step moves, and while it is held. */
const MOVING = 1000 / 30;
const HELD = 500;

/**
 * The frames of a shot: when each is shown, from its beginning, and how far its step has come then; null: it rests.
 * @param {Shot} shot
 * @returns {{at: number, step: number | null}[]}
 */
export function framesOf({ ms, moves }) {
  const frames = [];
  for (let at = 0; at < moves; at += MOVING) frames.push({ at, step: (at / moves) * STEP_MS });
  for (let at = moves; at < ms; at += HELD) frames.push({ at, step: null });
  return frames;
}
