/** The bottom pane: transport buttons, speed, and a track with one tick per step that can be dragged. */

import { SANS } from "../paint/attributes.js";
import { h, s } from "../ui/dom.js";
import { bandName, placeAt, stopIndex, stretches } from "./places.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../findings/finding.js").Sign} Sign */

export const SPEEDS = [0.25, 0.5, 1, 2, 4];

const GAP = 6;
const BAR_TOP = 20;
const BAR = 10;
const TICK = 18;

/** @type {Record<string, string>} */
const ICONS = {
  first: "M2 2h2v10H2zM12 2v10L5 7z",
  previous: "M10 2v10L3 7z",
  next: "M4 2v10l7-5z",
  play: "M3 1.5v11L12 7z",
  pause: "M3 2h3v10H3zM8 2h3v10H8z",
  last: "M10 2h2v10h-2zM2 2v10l7-5z",
};

/** @param {string} name */
const icon = (name) => s("svg", { viewBox: "0 0 14 14", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

/**
 * @param {HTMLElement} element
 * @param {{onTime: (t: number) => void, onPlay: () => void, onSpeed: (speed: number) => void,
 *   onStep: (direction: "first" | "previous" | "next" | "last") => void, onScrub: (busy: boolean) => void,
 *   onFinding: (index: number) => void}} actions
 */
export function createTimeline(element, actions) {
  const button = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ act) =>
    h("button", { type: "button", class: "button", "aria-label": label, title: label, onclick: act }, icon(name));
  const playLabel = h("span", { class: "play-label" }, "Play");
  const play = h(
    "button",
    { type: "button", class: "button primary play", onclick: actions.onPlay },
    icon("play"),
    playLabel,
  );
  const speed = h(
    "select",
    { class: "speed", "aria-label": "Speed", onchange: () => actions.onSpeed(Number(speed.value)) },
    SPEEDS.map((x) => h("option", { value: x, selected: x === 1 }, `${{ 0.25: "¼", 0.5: "½" }[x] ?? x}×`)),
  );
  const where = h("div", { class: "where visually-hidden" });
  const drawing = s("svg", { "aria-hidden": "true" });
  const track = h("div", {
    class: "track",
    role: "slider",
    tabindex: 0,
    "aria-label": "Step of the run",
    "aria-orientation": "horizontal",
  });
  track.append(drawing);
  element.append(
    h(
      "div",
      { class: "timeline" },
      h(
        "div",
        { class: "transport" },
        button("first", "First step (Home)", () => actions.onStep("first")),
        button("previous", "Previous step (←)", () => actions.onStep("previous")),
        play,
        button("next", "Next step (→)", () => actions.onStep("next")),
        speed,
        where,
      ),
      track,
    ),
  );

  /** @type {{book: Book, stops: number[], t: number, playing: boolean} | null} */
  let view = null;
  /** @type {{x: number[], bands: Band[]}} */
  let geometry = { x: [], bands: [] };
  /** @type {{element: SVGElement, look: string}[]} per band */
  let drawn = [];
  /** @type {readonly Sign[]} */
  let signs = [];
  const numbers = s("g", {});
  const knob = s("circle", { class: "knob", cy: BAR_TOP + BAR / 2, r: 9 });

  /** Loaded where a pass is long. @type {PartsOfPass | null} */
  let partsOfPass = null;

  new ResizeObserver(() => draw()).observe(track);

  function draw() {
    if (!view) return;
    geometry = layOut(view.book, view.stops, track.clientWidth || 600, partsOfPass);
    if (!partsOfPass && geometry.bands.some(isLong)) {
      void import("../map/strip.js").then((strip) => {
        partsOfPass = strip.partsOfPass;
        draw();
      });
    }
    const places = signPlaces(signs, geometry.x, view.stops);
    geometry.bands = labelled(geometry.bands, places, labelMeasure());
    drawn = geometry.bands.map(() => ({ element: s("g", {}), look: "" }));
    numbers.replaceChildren(...places.map(drawSign));
    const failed = view.book.doc.error ? geometry.x[view.stops.length - 1] : undefined;
    drawing.replaceChildren(
      ...drawn.map(({ element }) => element),
      ...(failed === undefined ? [] : [s("path", { class: "error-tick", d: `M${failed} ${BAR_TOP - 6}v${TICK + 4}` })]),
      numbers,
      knob,
    );
    paint();
  }

  /** Only bands that time entered, moved in or left look different. @param {number} now  the stop */
  function paintBands(now) {
    geometry.bands.forEach((band, k) => {
      const look = now < band.first ? "later" : now > band.last ? "past" : `at ${now}`;
      if (drawn[k].look === look) return;
      const element = drawBand(band, geometry.x, now);
      drawn[k].element.replaceWith(element);
      drawn[k] = { element, look };
    });
  }

  function paint() {
    if (!view) return;
    const { book, stops, t } = view;
    const now = stopIndex(stops, t);
    const place = placeAt(book, stops, t);
    paintBands(now);
    knob.setAttribute("cx", String(geometry.x[now] ?? 0));
    knob.setAttribute("visibility", stops.length > 1 ? "visible" : "hidden");
    track.setAttribute("aria-valuemin", "0");
    track.setAttribute("aria-valuemax", String(stops.length - 1));
    track.setAttribute("aria-valuenow", String(now));
    track.setAttribute("aria-valuetext", `${place.title}${place.subject ? `: ${place.subject}` : ""}`);
    const line = place.line ? ` · line ${place.line}` : "";
    where.replaceChildren(
      now === 0
        ? place.title.toLowerCase()
        : h("span", null, `${place.title.toLowerCase()} · `, h("b", null, place.subject), line),
    );
  }

  /** Where the pointer is, px along the track; read once per frame, as often as the picture can follow. */
  let pointed = 0;
  let left = 0;
  let frame = 0;

  function scrub() {
    cancelAnimationFrame(frame);
    frame = 0;
    if (view) actions.onTime(/** @type {number} */ (view.stops[nearest(geometry.x, pointed)]));
  }

  track.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const sign = event.target instanceof Element ? event.target.closest("[data-finding]") : null;
    if (sign instanceof SVGElement) {
      actions.onFinding(Number(sign.dataset.finding));
      return;
    }
    track.setPointerCapture(event.pointerId);
    actions.onScrub(true);
    left = track.getBoundingClientRect().left;
    pointed = event.clientX - left;
    scrub();
  });
  track.addEventListener("pointermove", (event) => {
    if (!track.hasPointerCapture(event.pointerId)) return;
    pointed = event.clientX - left;
    frame ||= requestAnimationFrame(scrub);
  });
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
    track.addEventListener(end, () => {
      if (frame) scrub();
      actions.onScrub(false);
    });
  }

  return {
    /** A pane between the buttons and the track. @param {HTMLElement} pane */
    above(pane) {
      track.before(pane);
    },
    /** @param {{book: Book, stops: number[], t: number, playing: boolean, speed: number}} next */
    render(next) {
      const sameRun = view?.book === next.book;
      if (view?.playing !== next.playing) {
        play.replaceChildren(icon(next.playing ? "pause" : "play"), playLabel);
        playLabel.textContent = next.playing ? "Pause" : "Play";
        play.setAttribute("aria-label", next.playing ? "Pause (space)" : "Play (space)");
      }
      view = next;
      speed.value = String(next.speed);
      if (sameRun) paint();
      else draw();
    },

    /** Numbers of findings, above their moments. @param {readonly Sign[]} next */
    sign(next) {
      signs = next;
      draw();
    },
  };
}

/**
 * The stop nearest to a place on the track. Pure.
 * @param {readonly number[]} x  ascending
 * @param {number} at  px
 */
export function nearest(x, at) {
  let low = 0;
  let high = x.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at - x[middle] <= x[middle + 1] - at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** @param {Band} band @param {number[]} x @param {number} now  the stop */
function drawBand(band, x, now) {
  const inside = now >= band.first && now <= band.last;
  const reached = Math.max(0, Math.min(band.width, (x[now] ?? 0) - band.left));
  const bar = { x: band.left, y: BAR_TOP, height: BAR, rx: BAR / 2 };
  return s(
    "g",
    { class: `band ${band.kind}${inside ? " current" : ""}` },
    s("rect", { class: "band-bar", width: band.width, ...bar }),
    now < band.first ? null : s("rect", { class: "band-fill", width: inside ? reached : band.width, ...bar }),
    ...(band.parts.length
      ? partsOf(band, x, now)
      : [
          s("path", { class: "band-ticks", d: ticks(x, band.first, Math.min(band.last, now)) }),
          s("path", { class: "band-ticks later", d: ticks(x, Math.max(band.first, now + 1), band.last) }),
        ]),
    band.label ? s("text", { class: "band-label", x: band.labelAt, y: 11 }, labelOf(band, now)) : null,
  );
}

/** Where time is, the label counts steps. @param {Band} band @param {number} now  the stop */
const labelOf = ({ names, label, first, last }, now) =>
  label === names[0] && now >= first && now <= last ? counted(names[1], now - first + 1, last - first + 1) : label;

/** @param {string} name @param {number} step @param {number} steps */
const counted = (name, step, steps) => `${name} · step ${step} of ${steps}`;

/**
 * @typedef {{kind: import("./places.js").Kind, first: number, last: number, left: number, width: number,
 *   names: string[], label: string, labelAt: number, parts: {name: string, first: number, last: number}[]}} Band
 *   names: what its label may be, the longest first · parts: of a large pass, by its stops
 */

/**
 * Place the stops: each stretch gets room by its number of steps, short ones are never squeezed away. Pure.
 * @param {Book} book
 * @param {number[]} stops
 * @param {number} width px
 * @param {PartsOfPass | null} [partsOfPass]  null: long passes are drawn without them
 * @returns {{x: number[], bands: Band[]}}
 */
export function layOut(book, stops, width, partsOfPass = null) {
  const parts = stretches(book, stops);
  const start = 14;
  const room = Math.max(40, width - start - 12 - GAP * Math.max(0, parts.length - 1));
  const weights = parts.map(({ first, last }) => Math.max(last - first + 1, 2));
  const total = weights.reduce((sum, w) => sum + w, 0) || 1;
  /** @type {number[]} */
  const x = [4];
  let left = start;
  const bands = parts.map((part, k) => {
    const wide = (room * /** @type {number} */ (weights[k])) / total;
    const steps = part.last - part.first + 1;
    for (let i = 0; i < steps; i++) x[part.first + i] = left + (wide * (i + 0.72)) / steps;
    const name = bandName(part);
    const names = [`${name} · ${steps} ${steps === 1 ? "step" : "steps"}`, name];
    if (part.kind === "backward") names.push(`#${part.call + 1}`);
    const inside = partsOfPass && isLong(part) ? partsBetween(book, stops, part, partsOfPass) : [];
    const { kind, first, last } = part;
    const band = { kind, first, last, left, width: wide, names, label: "", labelAt: left + 2, parts: inside };
    left += wide + GAP;
    return band;
  });
  return { x, bands };
}

/** px: of a number above the track, and kept free behind a label. */
const SIGN = 15;
const BEHIND = 8;

/** How wide a label is as the style sheet has it, when it stands out. @returns {(text: string) => number} */
function labelMeasure() {
  const context = document.createElement("canvas").getContext("2d");
  const size = 0.86 * parseFloat(getComputedStyle(document.documentElement).fontSize);
  if (context) context.font = `560 ${size}px ${SANS}`;
  return (text) => context?.measureText(text).width ?? text.length * size * 0.65;
}

/**
 * Where the numbers of findings stand: above their moments, several at one moment side by side. Pure.
 * @param {readonly Sign[]} signs
 * @param {readonly number[]} x of the stops
 * @param {readonly number[]} stops
 */
export function signPlaces(signs, x, stops) {
  const found = signs.flatMap((sign) => {
    const at = sign.t === null ? undefined : stops.findIndex((stop) => stop >= (sign.t ?? 0));
    return at === undefined || at < 0 ? [] : [{ sign, at: x[at] ?? 0 }];
  });
  found.sort((a, b) => a.at - b.at);
  let free = -Infinity;
  return found.map(({ sign, at }) => {
    const place = Math.max(at, free);
    free = place + SIGN + 2;
    return { sign, at: place };
  });
}

/**
 * The bands with the longest labels that have room, out of the way of numbers; none where there is room for no label.
 * Pure.
 * @param {readonly Band[]} bands
 * @param {readonly {at: number}[]} places ascending
 * @param {(text: string) => number} measure
 * @returns {Band[]}
 */
export function labelled(bands, places, measure) {
  const bare = (/** @type {Band | undefined} */ band) =>
    band && band.kind !== "backward" && measure(band.names[1]) + BEHIND > band.width + GAP ? band.width : 0;
  return bands.map((band, i) => {
    for (const label of band.names) {
      const steps = band.last - band.first + 1;
      const wide = Math.max(
        measure(label),
        label === band.names[0] ? measure(counted(band.names[1], steps, steps)) : 0,
      );
      const more = label.startsWith("#") ? bare(bands[i + 1]) : 0; // over what has no label itself
      let { labelAt } = band;
      for (const { at } of places) {
        if (at + SIGN / 2 > labelAt && at - SIGN / 2 < labelAt + wide) labelAt = at + SIGN / 2 + 4;
      }
      if (labelAt + wide + BEHIND <= band.left + band.width + GAP + more) return { ...band, label, labelAt };
    }
    return { ...band, label: "" };
  });
}

/** @param {{sign: Sign, at: number}} place */
const drawSign = ({ sign, at }) =>
  s(
    "g",
    {
      class: `track-sign${sign.wrong ? " wrong" : ""}${sign.open ? " open" : ""}`,
      "data-finding": sign.number - 1,
      transform: `translate(${at} 7)`,
    },
    s("title", {}, sign.headline),
    s("path", { d: `M0 ${SIGN / 2}V${BAR_TOP - 7}` }),
    s("circle", { r: SIGN / 2 }),
    s("text", { y: 3.6, "text-anchor": "middle" }, String(sign.number)),
  );

/** A backward stretch of more steps shows the parts it goes through, not its steps. */
const MANY = 80;

/** @param {{kind: string, first: number, last: number}} stretch */
const isLong = ({ kind, first, last }) => kind === "backward" && last - first + 1 > MANY;

/** @typedef {typeof import("../map/strip.js").partsOfPass} PartsOfPass */

/**
 * @param {Book} book @param {number[]} stops @param {import("./places.js").Stretch} stretch
 * @param {PartsOfPass} partsOfPass
 */
function partsBetween(book, stops, { call, first, last }, partsOfPass) {
  const band = book.trace.bands.find((each) => each.call === call);
  if (!band) return [];
  const parts = partsOfPass(book.trace, band).map((part) => ({
    name: part.name,
    first: Math.max(first, stopIndex(stops, part.first)),
    last: Math.min(last, stopIndex(stops, part.last + 1)),
  }));
  return parts.length > 1 ? parts : [];
}

/** @param {Band} band @param {number[]} x @param {number} now  the stop */
function partsOf(band, x, now) {
  return band.parts.flatMap((part, i) => {
    const left = i ? x[band.parts[i - 1].last] + 1 : band.left;
    const right = i === band.parts.length - 1 ? band.left + band.width : x[part.last];
    const width = Math.max(1, right - left);
    const current = now > (i ? band.parts[i - 1].last : band.first - 1) && now <= part.last;
    const fits = width > part.name.length * 7.4 + 6;
    return [
      s("rect", {
        class: `band-part${current ? " current" : now >= part.last ? " past" : ""}`,
        x: left,
        y: BAR_TOP - 3,
        width,
        height: BAR + 6,
        rx: 3,
      }),
      fits
        ? s(
            "text",
            { class: "band-part-name", x: left + width / 2, y: BAR_TOP + 9, "text-anchor": "middle" },
            part.name,
          )
        : null,
    ].filter((each) => each !== null);
  });
}

/**
 * One path for all ticks; where they would run into each other only some are drawn.
 * @param {number[]} x
 * @param {number} first
 * @param {number} last
 */
function ticks(x, first, last) {
  let d = "";
  let before = -Infinity;
  for (let i = first; i <= last; i++) {
    const at = Math.round(/** @type {number} */ (x[i]) * 2) / 2;
    if (at - before < 4) continue;
    before = at;
    d += `M${at} ${BAR_TOP - 4}v${TICK}`;
  }
  return d;
}
