/**
 * A tensor as a card: name and value above; below the tank of a leaf (`.grad`) or the gradient in flight; and, where
 * several gradients meet, the slots they drop into with their sum. The op that made it is a circle on its lower edge.
 * @module
 */
import { formatShape, readsAt, valueSummary } from "../trace.js";
import { overwritten } from "../trace/slips.js";
import { atError, atHook, earlierChip, errorBadge, hookBadge, versionChip } from "./badges.js";
import { blockOnce, drawGradient, drawValue, hatchedNone, lowered, planBlock, tight, widened } from "./blocks.js";
import { GENEROUS } from "./fit.js";
import { isGhost, isLeaf } from "./graph.js";
import { path, rect, round, shadow, shorten, text } from "./marks.js";
import { drawObjective, planObjective, roomBeside, startsAt, termWidth } from "./objective.js";
import { drawOp, planOp, RADIUS } from "./ops.js";
import { drawStep, planStep, stepAt } from "./step.js";
import { drawTags, HALF, notesOf, planTags, pointerReach, usesOf } from "./tags.js";

/** @typedef {import("./graph.js").Item} Item */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./marks.js").Measure} Measure */
/** @typedef {import("./blocks.js").Block} Block */
/** @typedef {import("./blocks.js").Shown} Shown */
/** @typedef {import("./moment.js").Moment} Moment */
/** @typedef {import("./colour.js").Colours} Colours */
/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../trace/types.js").NodeState} NodeState */
/** @typedef {import("../trace/types.js").TensorState} TensorState */

/**
 * Where everything on a card lies. The body's place is relative to the middle of the whole, all else to the body.
 * @typedef {object} CardPlan
 * @property {"card"} kind
 * @property {number} w  with its circle and what stands beside it
 * @property {number} h
 * @property {number} anchor  where edges meet it, right of the middle
 * @property {{x: number, y: number, w: number, h: number}} body
 * @property {string} name
 * @property {string} tag  shape and dtype
 * @property {number} tagX
 * @property {number} titleY  baseline of both
 * @property {string[]} notes  why it has no gradient, and the like
 * @property {import("./tags.js").Tags} tags
 * @property {number} meet  how many gradients meet there, if the edges above tell them apart; else 0
 * @property {number | null} lostY  of the row that says that its `.grad` stays None
 * @property {number} lostX  of that None, right of its label
 * @property {Block} value
 * @property {number} valueX
 * @property {number} valueY
 * @property {Block | null} gradient
 * @property {number} gradientY  of the line above it
 * @property {number} gradientH
 * @property {number} tankX  where that begins, right of the value where the card is low
 * @property {number} labelX  of what it is called
 * @property {number} gradientX  of its cells
 * @property {import("./step.js").StepPlan | null} step  what a turn of a training changes
 * @property {number} stepY  of the line above it
 * @property {string} hook  who changes the gradient before it goes on, "" for nobody
 * @property {number} hookW
 * @property {number} hookH  of its own row above `.grad`, 0 where it has none
 * @property {boolean} leaf  has a tank
 * @property {boolean} terse  says in few words how gradients meet
 * @property {boolean} quiet  takes no part in the backward pass
 * @property {number} arrivals  the most gradients that ever meet there in one call
 * @property {number | null} pipsY  of the squares for many arrivals
 * @property {import("./objective.js").ObjectivePlan | null} objective  above it, where passes start
 * @property {import("./ops.js").OpPlan | null} circle
 */

const PAD = 12;
const TITLE = 29;
/** Height of a title with the value beside it. */
const INLINE = 31;
const NAME = 14;
const SMALL = 13;
/** Arrivals that the edges above tell apart. */
const MOST_TOLD = 4;
const PIPS = 40;
/** Room for the lower half of that tag. */
const UNDER_TAG = 6;
/** How far the circle of an op reaches into the card of its result, and the room it needs below cells. */
const HANG = 8;
const UNDER_CELLS = 5;
/** Characters. */
export const LONGEST_NAME = 22;
/** Height of a line of notes, and of the row of a `.grad` that stays None. */
const NOTE = 17;
const LOST = 32;
/** Width of that None. */
const NONE = 48;
/** Width of a value and a gradient that stand beside each other, at most. */
const FLATTEST = 380;

/**
 * @param {Trace} trace
 * @param {Item} item
 * @param {Measure} measure
 * @param {import("./asked.js").Asked} asked
 * @param {import("./shelf.js").Room} [room]  that leaves have
 * @param {import("./fit.js").Thrift} [thrift]
 * @param {typeof shorten} [cut]  names that are too long
 * @returns {CardPlan}
 */
export function planCard(trace, item, measure, asked, room = "wide", thrift = GENEROUS, cut = shorten) {
  const hook = hookText(trace, item);
  const hookW = hook ? measure(hook, SMALL, 500, false) : 0;
  const id = item.tensor ?? "";
  const record = trace.tensors.get(id);
  const shape = record?.shape ?? [];
  const history = trace.histories.tensors.all(id);
  const values = blockOnce(trace, measure, `value ${id}`, () =>
    planBlock(
      history.map((state) => valueSummary(trace, state.value)),
      measure,
      shape,
    ),
  );
  const ghost = isGhost(item);
  const leaf = isLeaf(trace, item);
  const carries = item.place !== null && !ghost;
  const arrivals = carries ? mostArrivals(trace, item.place) : 0;
  const root = carries && !leaf && startsAt(trace, item.place).length > 0;
  const tells = leaf || root || (carries && (Boolean(record?.name) || arrivals > 1));
  const gradients = tells
    ? blockOnce(trace, measure, `gradient ${id} ${item.place}`, () =>
        planBlock(gradientSummaries(trace, item, history), measure, shape),
      )
    : null;
  const objective = root
    ? planObjective(
        trace,
        item.place,
        { name: trace.label(id), shape, ...gridOf(values), used: usesOf(trace, id) > 0, thrift },
        measure,
      )
    : null;
  const least = objective ? termWidth(trace, objective, measure) : 0;
  const low = (/** @type {Block} */ block) =>
    leaf ? lowered(block, room) : thrift.low && block.rows > 1 ? lowered(block, "narrow") : block;
  const [value, gradient] = gradients ? widened(low(values), low(gradients), least) : [low(tight(values)), null];
  // Where it is close a leaf's value stands beside its `.grad`, below its name.
  const terse = leaf && room === "close";
  const beside = terse && value.form !== "scalar" ? value.w + 12 : 0;
  const aside = thrift.flat && gradient !== null && !leaf && value.w + gradient.w < FLATTEST;
  const inline = leaf || value.form === "scalar" || aside || (value.digits && value.rows === 1 && value.columns <= 4);
  const quiet = record !== undefined && !record.requires_grad && !carries;
  const name = inline && trace.label(id) === "constant" ? "" : cut(trace.label(id), LONGEST_NAME);
  const shown = value.form === "scalar" || (inline && !record?.name);
  const tag = tagOf(record, shape, shown || (leaf && room !== "wide"));
  const tags = planTags(trace, item, asked, measure, { tank: leaf, named: !ghost, tight: room !== "wide" });
  const notes = ghost || !record?.name ? [] : notesOf(trace, item, asked, { quiet, tank: leaf });
  const meet = gradients && arrivals > 1 && arrivals <= MOST_TOLD ? arrivals : 0;
  const lost = !leaf && !ghost && !record?.retains_grad && Boolean(record?.name) && asked.of(id, "grad") < Infinity;
  const step = leaf ? planStep(trace, id, value, measure, room) : null;
  const nameW = name ? measure(name, NAME, 600, false) : 0;
  const tagW = tag ? measure(tag, SMALL, 400, false) + (name ? 7 : 0) : 0;
  const label = gradient ? measure(leaf && !hook ? ".grad" : GRADIENT, SMALL, 500, false) + 10 : 0;
  const inner = Math.max(
    name ? 40 : 24,
    nameW + tagW + (inline && !beside ? value.w + (nameW + tagW ? 14 : 0) : 0),
    inline ? 0 : value.w,
    gradient ? beside + label + gradient.w + (hook ? gradient.w + hookW + HOOK : 0) : 0,
    ...notes.map((note) => measure(note, SMALL, 400, false)),
    meet ? measure(meetText(meet, meet, "coming", false, terse), SMALL, 400, false) : 0,
    lost ? measure(`.grad${quiet ? "" : NOT_LEAF}`, SMALL, 500, false) + NONE + 22 : 0,
    objective?.form === "terms" ? 0 : (objective?.w ?? 0) - 2 * PAD,
    leaf ? nameW + (tags.leaf?.w ?? 0) + 6 : 0,
    step?.w ?? 0,
    tags.least - 2 * PAD,
  );
  const flat =
    gradient !== null &&
    (aside || (thrift.dense && thrift.flat !== null && value.form === "scalar")) &&
    arrivals <= 1 &&
    !(leaf || hook || lost || notes.length);
  const tankX = flat ? nameW + tagW + value.w + (nameW + tagW ? 14 : 0) + 2 * PAD : 0;
  const bodyW = Math.round(flat ? Math.max(tankX + label + gradient.w + 2 * PAD, tags.least) : inner + 2 * PAD);
  const written = !ghost && (trace.histories.written.get(id) ?? []).length > 0;
  const head = tags.leaf || tags.flags || written ? UNDER_TAG : 0;
  const first = beside ? INLINE : Math.max(INLINE, value.h + 7, flat ? gradient.h + 8 : 0);
  let y = head + (inline ? first : TITLE + value.h + 9) + NOTE * notes.length + (quiet && notes.length ? 3 : 0);
  if (meet) y += NOTE;
  const gradientY = flat ? 0 : y;
  const gradientH = flat ? y : gradient ? Math.max(32, gradient.h + 8) : 0;
  const hookH = leaf && hook ? gradientH : 0;
  if (!flat) y += gradientH + hookH;
  const pipsY = gradient && arrivals > MOST_TOLD ? y : null;
  if (pipsY !== null) y += PIPS;
  const stepY = y;
  if (step) y += step.h;
  const lostY = lost ? y : null;
  if (lost) y += LOST;
  const ring = item.circle ? planOp(trace, item, measure, asked, false) : null;
  if (ring && (gradient || lost || notes.length)) y += UNDER_CELLS;
  const above = Math.max(tags.above, objective?.h ?? 0, written ? HALF : 0);
  const valueX = beside ? PAD : inline ? (flat ? tankX : bodyW) - PAD - value.w : (bodyW - value.w) / 2;
  const [lead, trail] = objective?.form === "terms" ? termsAround(objective, valueX, value.w, bodyW) : [0, 0];
  const left = Math.max(
    bodyW / 2 + lead + roomBeside(objective),
    ring ? ring.half + pointerReach(tags) : 0,
    tags.accumulator ? tags.accumulator.w : 0,
  );
  const right = Math.max(bodyW / 2 + trail, ring ? ring.w - ring.half : 0);
  const [w, h] = [left + right, above + y + (ring ? 2 * RADIUS - HANG : 0)];
  const anchor = left - w / 2;
  return {
    kind: "card",
    w,
    h,
    anchor,
    body: { x: anchor - bodyW / 2, y: above - h / 2, w: bodyW, h: y },
    name,
    tag,
    tagX: PAD + nameW + (name ? 7 : 0),
    notes,
    tags,
    meet,
    terse,
    lostY,
    lostX: lost ? measure(".grad", SMALL, 500, false) + 10 : 0,
    value,
    valueX,
    titleY: head + 20,
    valueY: beside ? gradientY + hookH + (gradientH - value.h) / 2 : head + (inline ? (first - value.h) / 2 : TITLE),
    gradient,
    gradientY,
    gradientH,
    hook,
    hookW,
    hookH,
    tankX,
    labelX: tankX + PAD + beside,
    gradientX: bodyW - PAD - (gradient?.w ?? 0),
    step,
    stepY,
    leaf,
    quiet,
    objective,
    arrivals,
    pipsY,
    circle: ring,
  };
}

const NOT_LEAF = "(not a leaf)";
const GRADIENT = "gradient";

/**
 * @param {number} arrived @param {number} of
 * @param {"coming" | "here" | "added"} how  no pass has set out for it · one is on its way · all of it is in the sum
 * @param {boolean} lost  they overwrite each other
 * @param {boolean} terse
 */
function meetText(arrived, of, how, lost, terse) {
  if (how === "here") return `${arrived} of ${of} arrived`;
  if (lost && how === "added") return terse ? "the last is kept" : "only the last is kept";
  const will = lost ? "will arrive" : "will be added";
  return `${terse ? of : `${["two", "three", "four"][of - 2]} gradients`} ${how === "added" ? "are added" : will}`;
}

/**
 * @param {import("../trace.js").TensorRecord | undefined} record @param {number[]} shape
 * @param {boolean} plain  its shape is seen
 */
function tagOf(record, shape, plain) {
  const dtype = record && !/^float(32)?$/.test(record.dtype) ? record.dtype : "";
  return plain ? dtype : `${formatShape(shape)}${dtype ? ` ${dtype}` : ""}`;
}

/** @param {Block} block */
const gridOf = ({ form, rows, columns, digits }) =>
  digits && form !== "opaque" ? { rows, columns } : { rows: Infinity, columns: Infinity };

/**
 * How far the terms reach over the left and right edge of the body below them.
 * @param {import("./objective.js").ObjectivePlan} plan @param {number} x @param {number} w @param {number} bodyW
 */
function termsAround(plan, x, w, bodyW) {
  const left = x - plan.left;
  return [Math.max(0, -left), Math.max(0, left + Math.max(plan.w, plan.left + w + plan.right) - bodyW)];
}

/**
 * Every gradient the card may have to show.
 * @param {Trace} trace
 * @param {Item} item
 * @param {readonly TensorState[]} history
 */
function gradientSummaries(trace, item, history) {
  const refs = new Set();
  for (const state of history) {
    if (state.grad && state.grad !== "none") refs.add(state.grad);
  }
  if (item.place) {
    const [node, nr] = splitPlace(item.place);
    let seen;
    for (const state of trace.histories.nodes.all(node)) {
      if (state.sums[nr]) refs.add(state.sums[nr]);
      if (!state.plan || state.plan === seen) continue;
      seen = state.plan;
      for (const slot of seen.slice(0, MOST_TOLD)) if (slot.input_nr === nr && slot.value) refs.add(slot.value);
    }
  }
  return [...refs].map((ref) => valueSummary(trace, /** @type {string} */ (ref)));
}

/** @param {string} place @returns {[string, number]} */
export function splitPlace(place) {
  const cut = place.lastIndexOf("/");
  return [place.slice(0, cut), Number(place.slice(cut + 1))];
}

/** The most gradients that ever meet at a place in one call. @param {Trace} trace @param {string | null} place */
function mostArrivals(trace, place) {
  if (!place) return 0;
  const [node, nr] = splitPlace(place);
  let most = 0;
  let seen;
  for (const { plan } of trace.histories.nodes.all(node)) {
    if (!plan || plan === seen) continue;
    seen = plan;
    most = Math.max(most, plan.filter((slot) => slot.input_nr === nr).length);
  }
  return most;
}

/**
 * @param {CardPlan} plan
 * @param {Item} item
 * @param {Moment} moment
 * @param {Colours} colours
 * @param {{hooks: boolean, nodeHooks: boolean, error: boolean, nodeError: boolean}} context
 * @returns {Mark[]}  relative to the card's centre
 */
export function drawCard(plan, item, moment, colours, context) {
  const { trace } = moment;
  const id = item.tensor ?? "";
  const state = moment.tensor(id, item.until);
  const [node, nr] = item.place ? splitPlace(item.place) : ["", 0];
  // What was overwritten in place has its own node, which runs later; an earlier version of a leaf is over for good.
  const busy = item.place ? moment.node(node, plan.leaf ? item.until : Infinity) : null;
  const { x, y, w, h } = plan.body;
  const ring = plan.circle
    ? drawOp(
        plan.circle,
        item,
        moment,
        { hooks: context.nodeHooks, error: context.nodeError },
        { x: plan.anchor, y: y + h + RADIUS - HANG, label: y + h + 17, alone: false },
      )
    : [];
  if (moment.after.t < item.from) {
    return [
      rect(x, y, w, h, { r: 8, fill: "panel", stroke: "rest", dash: "3 4" }),
      nameMark(plan, x, y, "mute"),
      ...ring,
    ];
  }
  const now = isMoving(item, moment, busy, plan);
  const failed = context.error && atError(moment);
  const border = failed ? "error" : now ? "bwd" : plan.leaf ? "ink" : "rest";
  /** @type {Mark[]} */
  const marks = [
    ...(plan.quiet ? [] : shadow(x, y, w, h, 8)),
    rect(x, y, w, h, { r: 8, fill: plan.quiet ? "sunken" : "panel" }),
  ];
  if (plan.gradient)
    marks.push(...drawTank(plan, x, y, state, busy, nr, colours, moment, now, item, atHook(moment, id)));
  marks.push(rect(x, y, w, h, { r: 8, stroke: border, sw: now || failed ? 2.2 : plan.leaf ? 1.7 : 1.2 }));
  marks.push(nameMark(plan, x, y, plan.quiet ? "soft" : "ink"));
  if (plan.tag) marks.push(text(x + plan.tagX, y + plan.titleY, plan.tag, { size: SMALL, fill: "mute" }));
  const lost = plan.meet > 0 && overwritten(moment.trace.document, id);
  marks.push(...drawNotes(plan, x, y, busy, nr, { awaits: plan.meet > 0 && moment.awaits(node), lost }));
  if (plan.step) {
    const written = moment.after.event?.kind === "write" && moment.after.event.tensor === id;
    const place = { x, y: y + plan.stepY, w, pad: PAD, now: written };
    marks.push(...drawStep(plan.step, stepAt(trace, id, Math.min(moment.t, item.until)), colours, place));
  }
  if (plan.lostY !== null) marks.push(...drawLost(plan, x, y + plan.lostY, readsGrad(moment, id)));
  marks.push(...drawValue(plan.value, x + plan.valueX, y + plan.valueY, valueSummary(trace, state.value), colours));
  if (plan.pipsY !== null && busy) marks.push(...drawArrivals(plan, x, y, busy, nr, colours, trace));
  marks.push(...ring);
  if (plan.objective) {
    const cells = valueSummary(trace, state.value)?.cells ?? [];
    const starts = moment.after.event?.kind === "backward" && now;
    marks.push(
      ...drawObjective(
        plan.objective,
        plan.body,
        { block: plan.value, x: x + plan.valueX, cells },
        { trace, t: moment.t, now: starts },
      ),
    );
  }
  const pointed = plan.circle ? { x: plan.anchor, y: y + h + RADIUS - HANG, half: plan.circle.half } : null;
  marks.push(...drawTags(plan.tags, item, moment, { x, y, w, dot: plan.anchor, tank: plan.leaf }, pointed));
  if (plan.leaf && moment.t > item.until && state.version < moment.tensor(id).version) {
    marks.push(...earlierChip(x + 10, y));
  } else if (state.version > moment.tensor(id, Math.min(item.since, item.until)).version) {
    marks.push(...versionChip(x + 10, y, state.version, justWritten(moment, id)));
  } else if (moment.t > item.until && !plan.leaf) marks.push(...versionChip(x + 10, y, state.version, false));
  if (context.hooks && !plan.hook)
    marks.push(...hookBadge(plan.leaf ? x : x + 14, plan.leaf ? y : y + h, atHook(moment, id)));
  if (failed) marks.push(...errorBadge(x + w + 1, y - 3));
  return marks;
}

/** @param {CardPlan} plan @param {number} x @param {number} y @param {string} fill */
const nameMark = (plan, x, y, fill) => text(x + PAD, y + plan.titleY, plan.name, { size: NAME, weight: 600, fill });

/** @param {Moment} moment @param {string} id */
const readsGrad = (moment, id) =>
  readsAt(moment.trace, moment.after.t).some(({ tensor, attribute }) => tensor === id && attribute === "grad");

/**
 * @param {CardPlan} plan @param {number} x @param {number} y @param {NodeState | null} busy @param {number} nr
 * @param {{awaits: boolean, lost: boolean}} more  gradients are to come · they overwrite each other
 * @returns {Mark[]}
 */
function drawNotes(plan, x, y, busy, nr, { awaits, lost }) {
  const mine = busy?.slots.filter((slot) => slot.input_nr === nr) ?? [];
  const arrived = mine.filter((slot) => slot.value !== undefined).length;
  const begun = mine.length > 1;
  const added = plan.leaf ? busy?.phase !== "waiting" && busy?.phase !== "ready" : arrived === mine.length;
  const how = begun ? (added ? "added" : "here") : "coming";
  const of = begun ? mine.length : plan.meet;
  const meet = plan.meet && (begun || awaits) ? [meetText(arrived, of, how, lost, plan.terse)] : [];
  const lines = [...plan.notes, ...meet];
  return lines.map((line, i) =>
    text(x + PAD, y + plan.gradientY - (plan.quiet ? 11 : 8) - NOTE * (lines.length - 1 - i), line, {
      size: SMALL,
      fill: "mute",
    }),
  );
}

/**
 * The `.grad` of what keeps none.
 * @param {CardPlan} plan @param {number} x @param {number} y @param {boolean} now @returns {Mark[]}
 */
function drawLost(plan, x, y, now) {
  const { w } = plan.body;
  const fill = now ? "bwd-ink" : "mute";
  const none = hatchedNone(x + PAD + plan.lostX, y + (LOST - 22) / 2, NONE, 22);
  return [
    path(`M${round(x)} ${round(y)}L${round(x + w)} ${round(y)}`, { stroke: now ? "bwd" : "line" }),
    text(x + PAD, y + LOST / 2 + 4.4, ".grad", { size: SMALL, weight: 500, fill }),
    ...none,
    ...(plan.quiet ? [] : [text(x + w - PAD, y + LOST / 2 + 4.4, NOT_LEAF, { size: SMALL, align: "end", fill })]),
  ];
}

/**
 * @param {CardPlan} plan
 * @param {number} x
 * @param {number} y
 * @param {TensorState} state
 * @param {NodeState | null} busy
 * @param {number} nr
 * @param {Colours} colours @param {Moment} moment @param {boolean} now @param {Item} item
 * @param {boolean} hookNow
 * @returns {Mark[]}
 */
function drawTank(plan, x, y, state, busy, nr, colours, moment, now, item, hookNow) {
  const block = /** @type {Block} */ (plan.gradient);
  const { trace } = moment;
  const { place } = item;
  const id = item.tensor ?? "";
  const { w, h } = plan.body;
  const top = y + plan.gradientY;
  const bottom = y + (plan.pipsY ?? (plan.step ? plan.stepY : h));
  const read = readTank(plan, state, busy, nr, trace, place, moment.lands(id));
  const { shown } = read;
  const missed =
    read.label === GRADIENT && shown === "not yet" && place && moment.passedBy(splitPlace(place)[0], item.from);
  const label = missed ? "not reached" : read.label;
  const row = top + plan.hookH;
  const said = { size: SMALL, weight: 500, fill: now ? "bwd-ink" : "mute" };
  /** @type {Mark[]} */
  const marks = [
    path(tankShape(x + plan.tankX, top, w - plan.tankX, bottom - top, plan.pipsY === null && !plan.step ? 8 : 0), {
      fill: now ? "bwd-soft" : "sunken",
    }),
    path(rimOf(plan, x, top), { stroke: "line" }),
    text(x + plan.labelX, row + plan.gradientH / 2 + 4.4, label, said),
  ];
  if (missed) return marks;
  if (plan.leaf && state.deposits > 1) marks.push(...layers(x, row, bottom, state.deposits));
  const bx = x + plan.gradientX;
  const within = (plan.gradientH - block.h) / 2;
  let after = shown;
  if (plan.hook && plan.leaf && !passesHook(trace, id, moment.t)) {
    marks.push(
      text(x + PAD, top + plan.gradientH / 2 + 4.4, "arrived", said),
      ...drawGradient(block, bx, top + within, read.passing, colours),
    );
  } else if (plan.hook && passesHook(trace, id, moment.t)) {
    const changed = state.hooked?.place === place ? state.hooked : null;
    const passing = plan.leaf ? read.passing : shown;
    const before = changed ? (valueSummary(trace, changed.before) ?? "none") : passing;
    const untouched = !changed && !hookNow && (busy?.phase === "waiting" || busy?.phase === "ready");
    const on = untouched ? "not yet" : passing;
    marks.push(...drawHook(plan, block, bx, top + within, before, colours, hookNow));
    if (plan.leaf) {
      marks.push(
        text(x + PAD, top + plan.gradientH / 2 + 4.4, GRADIENT, said),
        ...drawGradient(block, bx, top + within, on, colours),
      );
    } else after = on;
  }
  marks.push(...drawGradient(block, bx, row + within, after, colours));
  if (label === "weight" && plan.objective?.handles && typeof after === "object") {
    marks.push(...handles(block, bx, row + within, after.cells, colours));
  }
  return marks;
}

/**
 * Small arrows beside numbers that can be dragged.
 * @param {Block} block @param {number} x @param {number} y @param {readonly number[]} cells @param {Colours} colours
 * @returns {Mark[]}
 */
function handles({ cellW, gap, h, widest }, x, y, cells, colours) {
  if (cellW < widest + 22) return [];
  return cells.map((number, i) => {
    const [left, right] = [x + i * (cellW + gap) + 4, x + i * (cellW + gap) + cellW - 4];
    const [middle, top, bottom] = [y + h / 2, y + h / 2 - 4, y + h / 2 + 4].map(round);
    return path(
      `M${round(left)} ${middle}L${round(left + 5)} ${top}L${round(left + 5)} ${bottom}Z` +
        `M${round(right)} ${middle}L${round(right - 5)} ${top}L${round(right - 5)} ${bottom}Z`,
      { fill: colours.on(colours.cell(number)), opacity: 0.55, detail: 2 },
    );
  });
}

const ARROW = 22;
/** Around the words of a hook: its frame and the arrows to and from it. */
const HOOK = 16 + 2 * ARROW;

/**
 * Does the pass that began last go through a hook of a tensor? It may have been removed before, or come later.
 * @param {Trace} trace @param {string} id @param {number} t
 */
function passesHook({ events }, id, t) {
  let at = Math.min(t, events.length) - 1;
  while (at >= 0 && events[at].kind !== "backward") at--;
  if (at < 0) return true;
  for (at++; at < events.length; at++) {
    const event = events[at];
    if (event.kind === "backward") return false;
    if (event.kind === "hook" && event.target === id) return true;
  }
  return false;
}

/** The hooks of a tensor, as their lines call them. @param {Trace} trace @param {Item} item */
function hookText(trace, item) {
  if (!item.tensor || !item.place || isGhost(item)) return "";
  const lines = new Set();
  for (const event of trace.events) {
    if (event.kind === "hook" && event.on === "tensor" && event.target === item.tensor) lines.add(event.registered);
  }
  if (!lines.size) return "";
  const known = [...lines].filter(Boolean);
  return known.length ? `hook, line ${known.join(" + ")}` : "hook";
}

/**
 * What arrived, and the hook it goes through: before → hook → after.
 * @param {CardPlan} plan @param {Block} block @param {number} bx @param {number} by  where what goes on is shown
 * @param {Shown} before @param {Colours} colours @param {boolean} now
 * @returns {Mark[]}
 */
function drawHook(plan, block, bx, by, before, colours, now) {
  const y = by + block.h / 2;
  const w = plan.hookW + 16;
  const x = bx - ARROW - w;
  const ink = now ? "bwd" : "mute";
  const arrow = (/** @type {number} */ from, /** @type {number} */ to) =>
    path(
      `M${round(from)} ${round(y)}L${round(to)} ${round(y)}M${round(to - 5)} ${round(y - 4)}L${round(to)} ${round(y)}` +
        `L${round(to - 5)} ${round(y + 4)}`,
      {
        stroke: ink,
        sw: 1.5,
      },
    );
  return [
    ...drawGradient(block, x - ARROW - block.w, by, before, colours),
    arrow(x - ARROW + 4, x - 3),
    rect(x, y - 11, w, 22, { r: 11, fill: "panel", stroke: ink, sw: 1.5 }),
    text(x + w / 2, y + 4.6, plan.hook, { size: SMALL, weight: 500, align: "middle", fill: now ? "bwd-ink" : "soft" }),
    arrow(bx - ARROW + 3, bx - 4),
  ];
}

/**
 * Every backward pass leaves a layer in the tank: a stack at its edge.
 * @param {number} x
 * @param {number} top
 * @param {number} bottom
 * @param {number} count
 * @returns {Mark[]}
 */
function layers(x, top, bottom, count) {
  const shown = Math.min(count, 6);
  const step = Math.min(5, (Math.min(bottom, top + 34) - top - 6) / shown);
  return Array.from({ length: shown }, (_, i) =>
    rect(x + 3, Math.min(bottom, top + 34) - 3 - (i + 1) * step, 4, step - 1.2, { r: 1, fill: "mute", detail: 1 }),
  );
}

/**
 * The tank of a leaf holds `.grad`, which is empty until an accumulation has filled it; other cards show what passes
 * through.
 * @param {CardPlan} plan
 * @param {TensorState} state
 * @param {NodeState | null} busy
 * @param {number} nr
 * @param {Trace} trace
 * @param {string | null} place
 * @param {boolean} landing  what fills it is on its way in the running step
 * @returns {{label: string, shown: Shown, passing: Shown}}
 */
function readTank(plan, state, busy, nr, trace, place, landing) {
  const replaced = state.hooked?.place === place ? state.hooked : null;
  const sum = busy && busy.phase !== "idle" ? busy.sums[nr] : undefined;
  /** @type {Shown} */
  const passing = sum === undefined ? "not yet" : (valueSummary(trace, replaced ? replaced.value : sum) ?? "none");
  const grad = state.grad === "none" || state.grad === null ? null : valueSummary(trace, state.grad);
  if (plan.leaf) {
    const expecting = landing || busy?.phase === "waiting" || busy?.phase === "ready";
    return { label: ".grad", shown: grad ?? (expecting ? "not yet" : "none"), passing };
  }
  if (grad) return { label: ".grad", shown: grad, passing };
  const mine = busy?.slots.filter((slot) => slot.input_nr === nr) ?? [];
  const arrived = mine.filter((slot) => slot.value !== undefined);
  const seeded = arrived.length === 1 && arrived[0].from === "seed";
  return {
    label: seeded && plan.gradient?.form !== "scalar" ? "weight" : GRADIENT,
    shown: passing,
    passing,
  };
}

/** Between the value and the tank. @param {CardPlan} plan @param {number} x @param {number} top */
const rimOf = ({ tankX, body, gradientH }, x, top) =>
  tankX
    ? `M${round(x + tankX)} ${round(top)}L${round(x + tankX)} ${round(top + gradientH)}`
    : `M${round(x)} ${round(top)}L${round(x + body.w)} ${round(top)}`;

/** @param {number} x @param {number} y @param {number} w @param {number} h @param {number} r */
function tankShape(x, y, w, h, r) {
  if (!r) return `M${x} ${y}L${x + w} ${y}L${x + w} ${y + h}L${x} ${y + h}Z`;
  const right = x + w;
  const bottom = y + h;
  const corners = `Q${right} ${bottom} ${right - r} ${bottom}L${x + r} ${bottom}Q${x} ${bottom} ${x} ${bottom - r}`;
  return `M${x} ${y}L${right} ${y}L${right} ${bottom - r}${corners}Z`;
}

/**
 * More arrivals than edges can be told apart: a square for each.
 * @param {CardPlan} plan
 * @param {number} x
 * @param {number} y
 * @param {NodeState} busy
 * @param {number} nr
 * @param {Colours} colours
 * @param {Trace} trace
 * @returns {Mark[]}
 */
function drawArrivals(plan, x, y, busy, nr, colours, trace) {
  const mine = busy.slots.filter((slot) => slot.input_nr === nr);
  const arrived = mine.filter((slot) => slot.value !== undefined).length;
  const total = mine.length || plan.arrivals;
  const top = y + /** @type {number} */ (plan.pipsY);
  return [
    path(`M${round(x)} ${round(top)}L${round(x + plan.body.w)} ${round(top)}`, { stroke: "line" }),
    text(x + PAD, top + 16, busy.phase === "idle" ? `used ${total}×` : `${arrived} of ${total} arrived`, {
      size: SMALL,
      fill: "mute",
    }),
    ...drawPips(plan, x, top + 23, total, mine, colours, trace),
  ];
}

/**
 * Many arrivals as small squares.
 * @param {CardPlan} plan
 * @param {number} x
 * @param {number} y
 * @param {number} total
 * @param {readonly import("../trace/types.js").Slot[]} slots
 * @param {Colours} colours
 * @param {Trace} trace
 */
function drawPips(plan, x, y, total, slots, colours, trace) {
  const room = Math.floor((plan.body.w - 2 * PAD) / 11);
  const shown = Math.min(total, room);
  const skip = Math.max(0, slots.filter((slot) => slot.value !== undefined).length - shown);
  /** @type {Mark[]} */
  const marks = [];
  for (let i = 0; i < shown; i++) {
    const slot = slots[skip + i];
    const summary = slot?.value ? valueSummary(trace, slot.value) : null;
    const at = { r: 2.5, detail: /** @type {const} */ (1) };
    if (summary) marks.push(rect(x + PAD + i * 11, y, 9, 9, { ...at, fill: colours.line(summary) }));
    else if (slot?.value === null) {
      marks.push(
        rect(x + PAD + i * 11 + 0.5, y + 0.5, 8, 8, { ...at, stroke: "line" }),
        path(`M${x + PAD + i * 11 + 1} ${y + 8}L${x + PAD + i * 11 + 8} ${y + 1}`, { stroke: "rest" }),
      );
    } else marks.push(rect(x + PAD + i * 11 + 0.5, y + 0.5, 8, 8, { ...at, stroke: "rest", dash: "2 2" }));
  }
  return marks;
}

/**
 * What moves now: a seed, a gradient being accumulated, a result being made.
 * @param {Item} item
 * @param {Moment} moment
 * @param {NodeState | null} busy
 * @param {CardPlan} plan
 */
function isMoving(item, moment, busy, plan) {
  if (plan.leaf && moment.t > item.until) return false;
  const { event } = moment.after;
  if (!event) return false;
  if (plan.leaf && busy?.phase === "running") return true;
  const id = item.tensor ?? "";
  switch (event.kind) {
    case "backward":
      return item.place !== null && event.roots.some(([node, nr]) => `${node}/${nr}` === item.place);
    case "op":
      return moment.trace.ops.get(event.op)?.outputs.includes(id) === true && item.from === moment.t;
    case "bind":
      return event.tensor === id && item.from >= moment.t - 2;
    case "write":
    case "grad":
      return event.tensor === id && moment.t <= item.until;
    case "hook":
      return event.target === id;
    default:
      return false;
  }
}

/** @param {Moment} moment @param {string} id */
function justWritten(moment, id) {
  const { event } = moment.after;
  return event?.kind === "write" && event.tensor === id;
}
