/**
 * A pass as a video: painted and encoded step by step, faster than it plays, so that nothing that happens on the page
 * or the machine is in it.
 * @module
 */

import { paintFigure } from "../paint/canvas.js";
import { figureOf, linesFor } from "../paint/figure.js";
import { around } from "../scene/story.js";
import { h } from "../ui/dom.js";
import { captionOf, runSlug, stepName, stepSlug } from "./caption.js";
import { framesOf, shotsOf } from "./film.js";
import { save } from "./save.js";
import { webm } from "./webm.js";

/** @typedef {import("./caption.js").Shown} Shown */
/** @typedef {import("./film.js").Shot} Shot */
/** @typedef {import("../paint/drawing.js").Picture} Picture */
/** @typedef {import("../paint/drawing.js").Step} Step */
/**
 * The stage, which the video has to itself while it is made.
 * @typedef {{show: (t: number) => Promise<unknown>, picture: (step?: Step) => Promise<Picture | null>}} Stage
 */

const CODECS = /** @type {const} */ ([
  ["vp09.00.41.08", "V_VP9"],
  ["vp8", "V_VP8"],
]);
const RATE = 30;
/** Pixels along the longer side, and bits a second for each pixel. */
const LARGEST = 1920;
const BITS = 3;
/** Frames that wait to be encoded. */
const QUEUE = 4;

/** Why no video can be made here; null: it can. */
export function whyNoVideo() {
  if (typeof VideoEncoder === "function") return null;
  return isSecureContext
    ? "this browser cannot encode video"
    : "browsers encode video only for pages that come by https";
}

/** @param {number} width @param {number} height */
async function configured(width, height) {
  const bitrate = Math.round(width * height * BITS);
  for (const [codec, id] of CODECS) {
    const config = { codec, width, height, bitrate, framerate: RATE };
    if ((await VideoEncoder.isConfigSupported(config)).supported) return { config, id };
  }
  throw new Error("this browser encodes neither VP9 nor VP8");
}

/**
 * Room that every step of the pass fits in.
 * @param {Shown} shown @param {Shot[]} shots @param {Stage} stage @param {AbortSignal} signal
 */
async function roomFor(shown, shots, stage, signal) {
  const captions = shots.map(({ t }) => captionOf(shown, t));
  const boxes = [];
  /** @type {Picture | null} */
  let seen = null;
  for (const { t } of shots) {
    signal.throwIfAborted();
    await stage.show(t);
    seen = await stage.picture();
    if (!seen) throw new Error("there is no picture yet");
    boxes.push(seen.drawing.box);
  }
  if (!seen) throw new Error("there is no step to show");
  const box = around(boxes);
  const code = Math.max(...captions.map(({ code }) => code.length));
  return { box, code, lines: linesFor(captions, box.w, seen.keys, seen.measure) };
}

/**
 * @param {Shown} shown @param {Shot[]} shots
 * @param {object} how
 * @param {Stage} how.stage
 * @param {HTMLCanvasElement} how.canvas  is painted
 * @param {(part: number) => void} how.progress  0 … 1
 * @param {AbortSignal} how.signal
 */
export async function record(shown, shots, { stage, canvas, progress, signal }) {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("this browser has no canvas");
  const room = await roomFor(shown, shots, stage, signal);
  const figureNow = async (/** @type {number} */ t, /** @type {Step | undefined} */ step) => {
    const { drawing, keys, measure, palette } = /** @type {Picture} */ (await stage.picture(step));
    return { figure: figureOf(drawing, captionOf(shown, t), keys, measure, room), palette };
  };
  const { figure: first } = await figureNow(shots[0].t, undefined);
  const scale = Math.min(2, LARGEST / Math.max(first.w, first.h));
  canvas.width = 2 * Math.round((first.w * scale) / 2);
  canvas.height = 2 * Math.round((first.h * scale) / 2);
  const { config, id } = await configured(canvas.width, canvas.height);

  /** @type {import("./webm.js").Frame[]} */
  const frames = [];
  /** @type {Error | null} */
  let failed = null;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      frames.push({ data, ms: Math.round(chunk.timestamp / 1000), key: chunk.type === "key" });
    },
    error: (error) => (failed = error),
  });
  encoder.configure(config);
  const duration = shots.reduce((sum, { ms }) => sum + ms, 0);
  const shapes = new Map();
  let start = 0;
  try {
    for (const [i, shot] of shots.entries()) {
      await stage.show(shot.t);
      let still = false;
      for (const { at, step } of framesOf(shot)) {
        signal.throwIfAborted();
        if (failed) throw failed;
        if (!still) {
          const from = shots[i - 1]?.t ?? shot.t;
          const { figure, palette } = await figureNow(shot.t, step === null ? undefined : { from, ms: step });
          paintFigure(context, figure, palette, shapes);
          still = step === null;
        }
        const frame = new VideoFrame(canvas, { timestamp: Math.round((start + at) * 1000) });
        encoder.encode(frame, { keyFrame: at === 0 });
        frame.close();
        if (encoder.encodeQueueSize > QUEUE) await dequeued(encoder);
      }
      start += shot.ms;
      progress(start / duration);
    }
    await encoder.flush();
  } finally {
    if (encoder.state !== "closed") encoder.close();
  }
  const { width, height } = canvas;
  return new Blob([webm(frames, { codec: id, width, height, duration, title: first.title })], { type: "video/webm" });
}

/** @param {VideoEncoder} encoder */
const dequeued = (encoder) => new Promise((go) => encoder.addEventListener("dequeue", go, { once: true }));

/**
 * Record the pass at time t in a dialog that shows it and can be cancelled, and hand the file over.
 * @param {Shown & {t: number, speed: number}} shown @param {Stage} stage
 */
export async function exportVideo(shown, stage) {
  const { t, speed } = shown;
  const shots = shotsOf(shown, t, speed);
  const seconds = Math.round(shots.reduce((sum, { ms }) => sum + ms, 0) / 1000);
  const stop = new AbortController();
  const canvas = h("canvas", { class: "film", "aria-hidden": "true" });
  const bar = h("progress", { max: 1, value: 0, "aria-labelledby": "film-title" });
  const band = stepName(shown, shots[0].t).replace(/, step .*/, "");
  const dialog = h(
    "dialog",
    { class: "dialog", "aria-labelledby": "film-title", onclose: () => stop.abort() },
    h(
      "div",
      { class: "dialog-body" },
      h("h2", { id: "film-title" }, "Recording the pass"),
      h("p", null, `${band}: ${shots.length} steps, ${seconds} s at ${speed}×`),
      canvas,
      h(
        "div",
        { class: "share-row" },
        bar,
        h("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Cancel"),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  try {
    const progress = (/** @type {number} */ part) => {
      bar.value = part;
    };
    const file = await record(shown, shots, { stage, canvas, progress, signal: stop.signal });
    save(`${runSlug(shown)}-${stepSlug(shown, shots[0].t).replace(/-step-.*/, "")}.webm`, file);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    dialog.close();
    dialog.remove();
    await stage.show(t);
  }
}
