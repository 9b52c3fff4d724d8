/**
 * What is drawn over the graph: chips on the edges, packets that travel, lines to what was saved, and the notes of the
 * current step. A pure function of the moment and of how far its step has come.
 * @module
 */
import { accumulationOf, cellText, edgeKey, readsAt, valueSummary } from "../trace.js";
import { atError } from "./badges.js";
import { drawAccumulation, drawChip, drawSummation, NAME_H, NAME_SIZE, productOf } from "./chips.js";
import { drawGradient, miniature, planBlock } from "./blocks.js";
import { splitPlace } from "./cards.js";
import { circle, path, rect, round, text } from "./marks.js";
import { cutMark, RADIUS, reasonWidth, savedTensors } from "./ops.js";
import { aroundBox, Room } from "./place.js";
import { around } from "./story.js";
import { LEGIBLE } from "./view.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./moment.js").Moment} Moment */
/** @typedef {import("./moment.js").Progress} Progress */

/** @typedef {{key: string, x: number, y: number, opacity: number, marks: Mark[]}} Sprite */

const ORDER = { arrive: 0, formula: 1, travel: 2, merge: 3, rest: 4 };
const MOST_PACKETS = 80;

/** Slow at both ends. @param {number} t */
const easeInOut = (t) => (t < 0.5 ? 4 * t * t * t : 1 - (-2 * t + 2) ** 3 / 2);

/**
 * @param {Scene} scene
 * @param {Moment} moment
 * @param {Progress} progress
 * @param {{from: number, still: boolean}} step  from: time before the step; still: nothing travels
 * @returns {Sprite[]}
 */
export function overlay(scene, moment, progress, step) {
  const at = ORDER[progress.stage];
  const moving = step.still || at === 4 ? [] : packets(scene, moment, progress, step);
  const isTrail = (/** @type {Sprite} */ sprite) => sprite.key.startsWith("trail:");
  return [
    ...moving.filter(isTrail),
    ...cuts(scene, moment),
    ...savedLines(scene, moment, at >= 1 ? 1 : 0),
    ...overwritten(scene, moment),
    ...onward(scene, moment, at >= 3 ? 1 : 0),
    ...edgeNames(scene, moment),
    ...chips(scene, moment, progress, step),
    ...notes(scene, moment, at >= 1 ? (at === 1 ? progress.part : 1) : 0),
    ...moving.filter((sprite) => !isTrail(sprite)),
  ];
}

/**
 * Edges no gradient passes, with the reason where the program asked for it.
 * @param {Scene} scene
 * @param {Moment} moment
 * @returns {Sprite[]}
 */
function cuts(scene, moment) {
  if (scene.links.length > 600) return [];
  return scene.links.flatMap((link, j) => {
    if (!link.cut || moment.t < Math.max(scene.items[link.from].from, scene.items[link.to].from)) return [];
    const { x, y } = scene.labelled ? { x: scene.labelX[j], y: scene.labelY[j] } : scene.way(j).at(0.5);
    const { loud, reason } = link.cut;
    /** @type {Mark[]} */
    const marks = [rect(-4, -8, 8, 16, { fill: "paper", detail: 1 }), cutMark(0, 0, loud ? "error" : "faint")];
    if (loud) {
      const w = reasonWidth(reason, scene.measure);
      marks.push(
        rect(-w / 2, 10, w, 19, { r: 9, fill: "panel", stroke: "error-line" }),
        text(0, 23.4, reason, { size: 13, weight: 500, align: "middle", fill: "error" }),
      );
    }
    return [{ key: `cut:${j}`, x, y, opacity: 1, marks }];
  });
}

/**
 * While a node runs, what it saved is lit and tied to the tensor it came from.
 * @param {Scene} scene
 * @param {Moment} moment
 * @param {number} opacity
 * @returns {Sprite[]}
 */
function savedLines(scene, moment, opacity) {
  const { event } = moment.after;
  if (event?.kind !== "node" || !opacity) return [];
  const i = scene.byNode?.get(event.node);
  if (i === undefined || !scene.items[i].circle) return [];
  const x0 = scene.x[i] + scene.plans[i].anchor;
  const y0 = scene.y[i] + scene.plans[i].h / 2 - RADIUS;
  const near = new Set(scene.into[i].map((j) => scene.links[j].from));
  return savedTensors(scene.trace, event.node).flatMap((tensor) => {
    const cards = scene.byTensor?.get(tensor) ?? [];
    const card = cards.find((each) => near.has(each)) ?? cards[0];
    if (card === undefined || scene.items[card].kind !== "card") return [];
    if (card === i) return [];
    const face = scene.faceOf(card);
    const beside = face.x + face.w / 2 < x0 ? 1 : -1;
    const x1 = scene.shows(card) ? (beside > 0 ? face.x + face.w : face.x) : scene.x[card];
    const y1 = face.y + Math.min(16, face.h);
    const bend = `${round(x0 - beside * 60)} ${round(y0 + 14)} ${round(x1 + beside * 50)} ${round(y1)}`;
    const d = `M${round(x0)} ${round(y0)}C${bend} ${round(x1)} ${round(y1)}`;
    return [
      {
        key: `saved:${tensor}`,
        x: 0,
        y: 0,
        opacity,
        marks: [path(d, { stroke: "bwd-mid", sw: 1.4, dash: "3 4" }), circle(x1, y1, 2.6, { fill: "bwd-mid" })],
      },
    ];
  });
}

/**
 * Where a pass stops at what was overwritten: from the node that saved it to the card of what is there now.
 * @param {Scene} scene @param {Moment} moment
 * @returns {Sprite[]}
 */
function overwritten(scene, moment) {
  const { tensors, nodes } = scene.trace.blame;
  if (!atError(moment) || tensors.length !== 1 || nodes.length !== 1) return [];
  const saver = scene.byNode?.get(nodes[0]);
  const cards = scene.byTensor?.get(tensors[0]) ?? [];
  const writer = cards.at(-1);
  if (saver === undefined || writer === undefined || writer === saver || !cards.includes(saver)) return [];
  const [from, to] = [scene.faceOf(saver), scene.faceOf(writer)];
  const x = Math.min(from.x, to.x);
  const [y0, y1] = [from.y + from.h / 2, to.y + to.h / 2];
  const bow = x - 34;
  const [tail, head] = [round(to.x - 9), round(to.x - 1)];
  const tip = `M${tail} ${round(y1 - 5)}L${head} ${round(y1)}L${tail} ${round(y1 + 5)}`;
  const bend = `${round(bow)} ${round(y0)} ${round(bow)} ${round(y1)} ${round(to.x)} ${round(y1)}`;
  const version = (/** @type {number} */ i) => moment.tensor(tensors[0], scene.items[i].until).version;
  const lines = [`saved v${version(saver)},`, `now v${version(writer)}`]; // in two, which fit beside a card on a phone
  const w = Math.ceil(Math.max(...lines.map((line) => scene.measure(line, 13, 500, false)))) + 16;
  const middle = (y0 + y1) / 2;
  return [
    {
      key: "overwritten",
      x: 0,
      y: 0,
      opacity: 1,
      marks: [
        path(`M${round(from.x)} ${round(y0)}C${bend}`, {
          stroke: "error",
          sw: 1.8,
          dash: "4 3",
        }),
        path(tip, { stroke: "error", sw: 1.8 }),
        rect(bow - w + 14, middle - 18, w, 36, { r: 10, fill: "panel", stroke: "error-line" }),
        ...lines.map((line, at) =>
          text(bow - w / 2 + 14, middle - 3.4 + 16 * at, line, {
            size: 13,
            weight: 500,
            align: "middle",
            fill: "error",
          }),
        ),
      ],
    },
  ];
}

/**
 * What arrives at a repeated card goes on to the card that holds the sum.
 * @param {Scene} scene
 * @param {Moment} moment
 * @param {number} opacity
 * @returns {Sprite[]}
 */
function onward(scene, moment, opacity) {
  const { event } = moment.after;
  if (event?.kind !== "node" || !opacity) return [];
  return (scene.into[scene.byNode?.get(event.node) ?? -1] ?? []).flatMap((j) => {
    const { from } = scene.links[j];
    const { original, phase } = scene.items[from];
    if (original === null || phase) return [];
    return [{ key: `onward:${j}`, x: 0, y: 0, opacity, marks: tieMarks(scene, [original, from]) }];
  });
}

/**
 * Dashed lines from the first of several cards of one tensor to the others.
 * @param {Scene} scene
 * @param {readonly number[]} items
 * @returns {Mark[]}
 */
export function tieMarks(scene, items) {
  const [first, ...others] = items.filter((i) => Number.isFinite(scene.x[i]));
  return others.map((i) => {
    const x0 = scene.x[first];
    const y0 = scene.y[first];
    const x1 = scene.x[i];
    const y1 = scene.y[i];
    const bow = Math.min(60, Math.hypot(x1 - x0, y1 - y0) * 0.2);
    return path(
      `M${round(x0)} ${round(y0)}Q${round((x0 + x1) / 2)} ${round((y0 + y1) / 2 - bow)} ${round(x1)} ${round(y1)}`,
      { stroke: "bwd-mid", sw: 1.4, dash: "3 4" },
    );
  });
}

/**
 * @param {Scene} scene
 * @param {Moment} moment
 * @param {Progress} progress
 * @param {{from: number}} step
 * @returns {Sprite[]}
 */
function chips(scene, moment, progress, step) {
  const stage = ORDER[progress.stage];
  /** @type {Sprite[]} */
  const sprites = [];
  const keys = scene.brief ? arrivingKeys(moment) : (scene.linkOf?.keys() ?? []);
  for (const key of keys) {
    const j = scene.linkOf?.get(key);
    if (j === undefined || scene.links[j].role !== "input") continue;
    const state = moment.after.edges.get(key);
    if (state.phase === "none") {
      const { slope } = scene.draft.chips[j];
      if (slope && moment.t >= scene.items[scene.links[j].to].from) {
        sprites.push({ key: `slope:${key}`, ...scene.chipSpot(j, slope), opacity: 1, marks: slope.marks });
      }
      continue;
    }
    const fresh = state.phase === "arriving" || (step.from < moment.t && moment.before.edges.get(key).phase === "none");
    if (fresh && stage < 1) continue;
    const [node, index] = splitKey(key);
    const link = { ...scene.links[j], carries: [{ node, index }] };
    let chip = chipOn(scene, moment, link);
    if (!chip) continue;
    const { x, y, tight } = scene.chipSpot(j, chip);
    if (tight) chip = chipOn(scene, moment, link, true) ?? chip;
    sprites.push({
      key: `chip:${key}`,
      x,
      y,
      opacity: fresh && stage === 1 ? progress.part : 1,
      marks: chip.marks,
    });
  }
  return sprites;
}

/**
 * Which of a node's next_functions an edge is, above what else is written on it.
 * @param {Scene} scene @param {Moment} moment
 * @returns {Sprite[]}
 */
function edgeNames(scene, moment) {
  const read = readsAt(scene.trace, moment.t);
  return scene.links.flatMap((link, j) => {
    const { name, slope } = scene.draft.chips[j];
    if (!name || moment.t < name.since) return [];
    const lit = link.carries.some(({ node, index }) => read.some((each) => isRead(each, node, index)));
    const chip = scene.brief ? null : (chipOn(scene, moment, link)?.h ?? slope?.h ?? null);
    const up = chip === null ? 0 : chip / 2 + 1;
    const w = Math.ceil(scene.measure(name.text, NAME_SIZE, 500, true)) + 8;
    return [
      {
        key: `name:${j}`,
        x: scene.labelX[j],
        y: scene.labelY[j] - up,
        opacity: 1,
        marks: [
          rect(-w / 2, -NAME_H / 2 + 1, w, NAME_H - 2, { r: 4, fill: lit ? "bwd-soft" : "paper" }),
          text(0, 4.5, name.text, {
            size: NAME_SIZE,
            weight: 500,
            mono: true,
            align: "middle",
            fill: lit ? "bwd-ink" : "mute",
          }),
        ],
      },
    ];
  });
}

/** @param {import("../trace/document").ReadEvent} read @param {string} node @param {number} index */
export const isRead = (read, node, index) =>
  read.node === node && read.attribute === "next_functions" && (!read.index.length || read.index[0] === index);

/**
 * What is written on an edge once a gradient has gone along it.
 * @param {Scene} scene @param {Moment} moment @param {import("./graph.js").Link} link
 */
function chipOn(scene, moment, link, tight = scene.whole.thrift.low) {
  for (const { node, index } of link.carries) {
    const state = moment.after.edges.get(edgeKey(node, index));
    if (state.phase === "none") continue;
    const upstream = moment.after.nodes.get(node).grad_outputs?.[0];
    const product = productOf(scene.trace, node, index, link.argument, upstream, state.value);
    const arriving = state.phase === "arriving";
    return drawChip(product, scene.measure, scene.colours, {
      brief: scene.brief || !arriving,
      moving: arriving,
      tight,
    });
  }
  return null;
}

/**
 * Where what a node sends is written, what it is sent to, and notes on that.
 * @param {Scene} scene @param {Moment} moment @returns {import("./place.js").Box[]}
 */
export function sentBoxes(scene, moment) {
  const { event } = moment.after;
  if (event?.kind !== "node") return [];
  const links = scene.into[scene.byNode?.get(event.node) ?? -1] ?? [];
  const written = links.flatMap((j) => {
    const chip = chipOn(scene, moment, scene.links[j]);
    return chip ? [boxAround(scene.chipSpot(j, chip), chip)] : [];
  });
  const receivers = links.flatMap((j) => {
    const { carries, from } = scene.links[j];
    return carries.length && scene.shows(from) ? [scene.boxes[from]] : [];
  });
  return [...written, ...receivers, ...notes(scene, moment, 1).map(({ box }) => box)];
}

/** The room of what is written on a link. @param {Scene} scene @param {number} j */
const writtenOn = (scene, j) => {
  const { w, h, tall } = scene.draft.chips[j];
  return boxAround({ x: scene.labelX[j], y: scene.labelY[j] }, { w, h: Math.max(h, tall) });
};

/** @param {{x: number, y: number}} spot @param {{w: number, h: number}} size */
const boxAround = ({ x, y }, { w, h }) => ({ x: x - w / 2, y: y - h / 2, w, h });

/** @param {Moment} moment */
function arrivingKeys(moment) {
  const { event } = moment.after;
  const owner = event?.kind === "accumulate" || event?.kind === "release" || event?.kind === "hook" ? null : event;
  if (owner?.kind !== "node") return [];
  const count = moment.trace.nodes.get(owner.node)?.next_functions.length ?? 0;
  return Array.from({ length: count }, (_, i) => edgeKey(owner.node, i));
}

/** @param {string} key @returns {[string, number]} */
function splitKey(key) {
  const cut = key.lastIndexOf(":");
  return [key.slice(0, cut), Number(key.slice(cut + 1))];
}

/**
 * Sub-steps worth a sentence: un-broadcasting, adding to .grad, a hook.
 * @param {Scene} scene
 * @param {Moment} moment
 * @param {number} opacity
 * @returns {(Sprite & {box: import("./place.js").Box})[]}
 */
function notes(scene, moment, opacity) {
  const { event } = moment.after;
  if (!event || !opacity) return [];
  const { trace, measure, colours } = scene;
  /** @type {{key: string, near: import("./place.js").Box, chip: import("./chips.js").Chip}[]} */
  const found = [];
  const add = (
    /** @type {string} */ key,
    /** @type {import("./place.js").Box | undefined} */ near,
    /** @type {import("./chips.js").Chip | null} */ chip,
  ) => {
    if (near !== undefined && chip) found.push({ key, near, chip });
  };
  if (event.kind === "node") {
    for (const j of scene.into[scene.byNode?.get(event.node) ?? -1] ?? []) {
      const link = scene.links[j];
      for (const { node, index } of link.carries) {
        if (node !== event.node) continue;
        const product = productOf(
          trace,
          node,
          index,
          link.argument,
          event.grad_outputs[0],
          event.grad_inputs[index] ?? null,
        );
        add(
          `sum:${j}`,
          scene.shows(link.from) ? scene.boxes[link.from] : writtenOn(scene, j),
          drawSummation(product, link.tensor ? trace.label(link.tensor) : "it", measure, colours),
        );
      }
    }
  }
  const added = accumulationOf(trace.events, moment.t - 1);
  if (added && !scene.strip) {
    const [before, incoming, after] = [added.before, added.incoming, added.after].map((ref) =>
      valueSummary(trace, ref),
    );
    add(
      "accumulate",
      scene.boxes[scene.cardAt(added.tensor, moment.t) ?? -1],
      drawAccumulation(before, incoming, after, trace.label(added.tensor), measure, colours),
    );
  }
  if (!found.length) return [];
  return found.flatMap(({ key, near, chip }) => {
    const spot = roomForNotes(scene).best(withinSight(scene, chip, near), chip.w, chip.h, 6);
    const box = boxAround(spot, chip);
    if (crowds(scene, box)) return [];
    const x1 = Math.max(near.x, Math.min(near.x + near.w, spot.x)) - spot.x;
    const y1 = (spot.y > near.y ? near.y + near.h : near.y) - spot.y;
    const edge = spot.y > near.y ? -chip.h / 2 : chip.h / 2;
    const tie =
      Math.abs(y1 - edge) > 14
        ? [path(`M0 ${round(edge)}L${round(x1)} ${round(y1)}`, { stroke: "bwd-mid", sw: 1.2, dash: "2 3" })]
        : [];
    return [{ key: `note:${key}`, ...spot, opacity, marks: [...tie, ...chip.marks], box }];
  });
}

/**
 * Would a drawing that can be read as a whole lose that by a note? The sentence says what the note does.
 * @param {Scene} scene @param {import("./place.js").Box} note
 */
function crowds({ bounds, sight }, note) {
  if (!sight) return false;
  const both = around([bounds, note]);
  const beyond = (/** @type {"w" | "h"} */ side, /** @type {number} */ room) =>
    bounds[side] * LEGIBLE <= room && both[side] * LEGIBLE > room;
  return beyond("w", sight.width) || beyond("h", sight.height);
}

/**
 * Places inside the drawing, so that fitting it shows its notes; where there is little room then those beside it that
 * end no lower than what they are about, since a stage is wider than most drawings; all of them when there are none.
 * @param {Scene} scene
 * @param {{w: number, h: number}} chip
 * @param {import("./place.js").Box} near  what it is about
 */
function withinSight(scene, chip, near) {
  const all = [...aroundBox(near, chip.w, chip.h)];
  const { x, y, w, h } = scene.bounds;
  const slack = 26;
  const inside = all.filter(
    (at) =>
      at.x - chip.w / 2 > x - slack &&
      at.x + chip.w / 2 < x + w + slack &&
      at.y - chip.h / 2 > y - slack &&
      at.y + chip.h / 2 < y + h, // below are the leaves
  );
  const lowest = near.y + near.h - chip.h / 2;
  const fits = scene.whole.thrift.dense && lowest - chip.h / 2 > y - slack;
  const beside = fits ? all.map((at) => ({ x: at.x, y: Math.min(at.y, lowest) })) : [];
  return [...inside, ...beside, ...all];
}

/** Notes keep clear of items and of edges that carry something. @param {Scene} scene @returns {Room} */
function roomForNotes(scene) {
  let room = notesRoom.get(scene);
  if (room) return room;
  room = scene.itemRoom();
  if (scene.links.length < 400) {
    scene.links.forEach((_, j) => {
      const way = scene.way(j);
      for (let k = 0; k <= 12; k++) {
        const { x, y } = way.at(k / 12);
        room?.take({ x: x - 4, y: y - 4, w: 8, h: 8 });
      }
    });
  }
  notesRoom.set(scene, room);
  return room;
}

/** @type {WeakMap<Scene, Room>} */
const notesRoom = new WeakMap();

/**
 * @param {Scene} scene
 * @param {Moment} moment
 * @param {Progress} progress
 * @param {{from: number}} step
 * @returns {Sprite[]}
 */
function packets(scene, moment, progress, step) {
  const { events } = scene.trace;
  /** @type {Sprite[]} */
  const sprites = [];
  const stage = ORDER[progress.stage];
  for (let i = step.from; i < moment.t && sprites.length < MOST_PACKETS; i++) {
    const event = events[i];
    if (event.kind === "node") {
      const at = scene.byNode?.get(event.node);
      if (at === undefined) continue;
      if (stage === 0) sprites.push(...received(scene, at, event, progress.part));
      if (stage === 2) sprites.push(...sent(scene, at, event, easeInOut(progress.part)));
    } else if (event.kind === "op") sprites.push(...computed(scene, event.op, stage, progress.part));
  }
  return sprites;
}

/**
 * Into the node, from the card where its gradient was summed.
 * @param {Scene} scene
 * @param {number} at
 * @param {import("../trace/document").NodeEvent} event
 * @param {number} part
 * @returns {Sprite[]}
 */
function received(scene, at, event, part) {
  return scene.out[at].flatMap((j) => {
    const card = scene.items[scene.links[j].to];
    if (scene.links[j].role !== "output" || !card.place) return [];
    const value = event.grad_outputs[splitPlace(card.place)[1]];
    if (!value) return [];
    const at = 1 - easeInOut(part);
    return [trail(scene, j, at, value), packet(scene, `in:${j}`, value, scene.way(j).at(at))];
  });
}

/**
 * Out of the node, along each edge.
 * @param {Scene} scene
 * @param {number} at
 * @param {import("../trace/document").NodeEvent} event
 * @param {number} part
 * @returns {Sprite[]}
 */
function sent(scene, at, event, part) {
  return scene.into[at].flatMap((j) =>
    scene.links[j].carries.flatMap(({ node, index }) => {
      const value = node === event.node ? event.grad_inputs[index] : null;
      return value
        ? [trail(scene, j, 1 - part, value), packet(scene, `out:${node}:${index}`, value, scene.way(j).at(1 - part))]
        : [];
    }),
  );
}

/**
 * What a packet leaves behind on its edge.
 * @param {Scene} scene
 * @param {number} j
 * @param {number} part
 * @param {string} ref
 * @returns {Sprite}
 */
function trail(scene, j, part, ref) {
  const width = Math.max(2.6, scene.colours.scale.width(scene.summary(ref)?.norm ?? 0));
  return {
    key: `trail:${j}:${ref}`,
    x: 0,
    y: 0,
    opacity: 1,
    marks: [path(scene.way(j).tail(part), { stroke: "bwd", sw: Math.round(width * 10) / 10 })],
  };
}

/**
 * The forward pass: values go into an op, a result comes out.
 * @param {Scene} scene
 * @param {string} op
 * @param {number} stage
 * @param {number} part
 * @returns {Sprite[]}
 */
function computed(scene, op, stage, part) {
  const at = scene.byOp?.get(op);
  if (at === undefined || stage > 2 || stage === 1) return [];
  const links = stage === 0 ? scene.into[at] : scene.out[at].filter((j) => scene.links[j].role === "output");
  return links.map((j) => ({
    key: `fwd:${j}`,
    ...scene.way(j).at(easeInOut(part)),
    opacity: 1,
    marks: [circle(0, 0, 6, { fill: "bwd" }), circle(0, 0, 10, { fill: "bwd", opacity: 0.2 })],
  }));
}

/**
 * @param {Scene} scene
 * @param {string} key
 * @param {string} ref
 * @param {{x: number, y: number}} spot
 * @returns {Sprite}
 */
function packet(scene, key, ref, spot) {
  const summary = valueSummary(scene.trace, ref);
  if (!summary || summary.form === "opaque" || summary.form === "empty") {
    return { key, ...spot, opacity: 1, marks: [circle(0, 0, 8, { fill: "bwd" })] };
  }
  if (summary.form === "scalar") {
    const content = cellText(summary, 0);
    const w = Math.max(26, scene.measure(content, 13.5, 600, true) + 16);
    return {
      key,
      ...spot,
      opacity: 1,
      marks: [
        rect(-w / 2 - 4, -17, w + 8, 34, { r: 17, fill: "bwd", opacity: 0.18 }),
        rect(-w / 2, -13, w, 26, { r: 13, fill: "bwd" }),
        text(0, 4.8, content, { size: 13.5, weight: 600, mono: true, align: "middle", fill: "on-bwd" }),
      ],
    };
  }
  const block = miniature(planBlock([summary], scene.measure, summary.shape));
  return {
    key,
    ...spot,
    opacity: 1,
    marks: [
      rect(-block.w / 2 - 5, -block.h / 2 - 5, block.w + 10, block.h + 10, {
        r: 7,
        fill: "panel",
        stroke: "bwd",
        sw: 2,
      }),
      ...drawGradient(block, -block.w / 2, -block.h / 2, summary, scene.colours, { quiet: true }),
    ],
  };
}
