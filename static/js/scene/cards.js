/**
 * A tensor as a card: name and value above; below the tank of a leaf (`.grad`) or the gradient in flight; and, where
 * several gradients meet, the slots they drop into with their sum.
 * @module
 */
import { formatNumber, formatShape, valueSummary } from "../trace.js";
import { drawGradient, drawValue, planBlock } from "./blocks.js";
import { path, rect, round, shadow, shorten, text } from "./marks.js";

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
 * Where everything on a card lies; positions are relative to its top left corner.
 * @typedef {object} CardPlan
 * @property {"card"} kind
 * @property {number} w
 * @property {number} h
 * @property {number} anchor  where edges meet it, relative to the vertical centre
 * @property {string} name
 * @property {string} tag  shape and dtype
 * @property {boolean} inline  the value stands beside the name
 * @property {Block} value
 * @property {number} valueY
 * @property {Block | null} gradient
 * @property {number} gradientY  of the line above it
 * @property {boolean} leaf  has a tank
 * @property {SlotPlan | null} slots
 */

/**
 * @typedef {{y: number, rows: number, pips: boolean, sumY: number | null}} SlotPlan sumY: the sum of a leaf, before it
 *   joins `.grad`
 */

const PAD = 10;
const TITLE = 25;
const ROW = 21;
const MOST_SLOT_ROWS = 4;

/**
 * @param {Trace} trace
 * @param {Item} item
 * @param {Measure} measure
 * @param {(node: string) => string} symbolOf
 * @returns {CardPlan}
 */
export function planCard(trace, item, measure, symbolOf) {
  const id = item.tensor ?? "";
  const record = trace.tensors.get(id);
  const shape = record?.shape ?? [];
  const history = trace.histories.tensors.all(id);
  const values = planBlock(
    history.map((state) => valueSummary(trace, state.value)),
    measure,
    shape,
  );
  const ghost = item.original !== null && !item.phase;
  // A leaf that nothing was computed from has a `.grad` too, and it stays None.
  const leaf = !ghost && (item.node !== null || Boolean(record?.is_leaf && record.requires_grad));
  const carries = item.place !== null && !ghost;
  const gradient = carries || leaf ? planBlock(gradientSummaries(trace, item, history), measure, shape) : null;
  const inline = values.form === "scalar";
  const constant = inline && trace.label(id) === "constant";
  const name = constant ? "" : shorten(trace.label(id), 18);
  const tag = inline
    ? ""
    : formatShape(shape) + (record && !/^float(32)?$/.test(record.dtype) ? ` ${record.dtype}` : "");
  const title = (name ? measure(name, 13, 600, false) + 14 : 0) + (inline ? values.w : measure(tag, 10.5, 400, false));
  const label = measure(leaf ? ".grad +=" : "passing", 11, 400, false);
  const beside = gradient !== null && gradient.form === "scalar";
  const slotCount = carries ? mostSlots(trace, item.place) : 0;
  const origins =
    gradient && slotCount > 1
      ? originsOf(trace, item.place ?? "").map((node) => measure(originText(node, symbolOf), 10.5, 400, false))
      : [];
  const slotsWide =
    gradient && slotCount > 1 ? gradient.w + 8 + Math.max(measure("so far", 10.5, 600, false), ...origins) : 0;
  const inner = Math.max(
    constant ? 30 : 64,
    title,
    inline ? 0 : values.w,
    gradient ? (beside ? label + 14 + gradient.w : Math.max(gradient.w, label + 40)) : 0,
    slotsWide,
  );
  const w = Math.round(inner + 2 * PAD);
  let y = TITLE + 4;
  const valueY = inline ? 5 : TITLE;
  if (!inline) y = TITLE + values.h + 8;
  const gradientY = y;
  if (gradient) y += beside ? 26 : 19 + gradient.h + 7;
  const anchor = y / 2;
  /** @type {SlotPlan | null} */
  let slots = null;
  if (gradient && slotCount > 1) {
    const pips = slotCount > MOST_SLOT_ROWS || gradient.h > 18;
    const rows = pips ? 1 : slotCount;
    const rowH = pips ? 18 : ROW;
    const bottom = y + 19 + rows * rowH;
    slots = { y, rows: slotCount, pips, sumY: leaf ? bottom + 5 : null };
    y = leaf ? bottom + 5 + gradient.h + 8 : bottom + 4;
  }
  return {
    kind: "card",
    w,
    h: y,
    anchor: anchor - y / 2,
    name,
    tag,
    inline,
    value: values,
    valueY,
    gradient,
    gradientY,
    leaf,
    slots,
  };
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
      for (const slot of seen.slice(0, MOST_SLOT_ROWS)) if (slot.input_nr === nr && slot.value) refs.add(slot.value);
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
function mostSlots(trace, place) {
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
 * Where the gradients come from that are summed at a place and written out.
 * @param {Trace} trace
 * @param {string} place
 * @returns {string[]}
 */
function originsOf(trace, place) {
  const [node, nr] = splitPlace(place);
  const plans = new Set(trace.histories.nodes.all(node).map((state) => state.plan));
  const from = [...plans].flatMap((plan) =>
    (plan ?? [])
      .filter((slot) => slot.input_nr === nr)
      .slice(0, MOST_SLOT_ROWS)
      .map((slot) => slot.from),
  );
  return [...new Set(from)];
}

/** @param {string} from  a node, or "seed" @param {(node: string) => string} symbolOf */
const originText = (from, symbolOf) => (from === "seed" ? "seed" : `from ${shorten(symbolOf(from), 12)}`);

/**
 * @param {CardPlan} plan
 * @param {Item} item
 * @param {Moment} moment
 * @param {Colours} colours
 * @param {{symbolOf: (node: string) => string, hooks: boolean, error: boolean}} context
 * @returns {Mark[]}  relative to the card's centre
 */
export function drawCard(plan, item, moment, colours, context) {
  const { trace } = moment;
  const id = item.tensor ?? "";
  const state = moment.tensor(id, item.until);
  const [node, nr] = item.place ? splitPlace(item.place) : ["", 0];
  // What was overwritten in place has its own node, which runs later; an earlier version of a leaf is over for good.
  const busy = item.place ? moment.node(node, plan.leaf ? item.until : Infinity) : null;
  const x = -plan.w / 2;
  const y = -plan.h / 2;
  const exists = moment.after.t >= item.from;
  if (!exists) {
    return [
      rect(x, y, plan.w, plan.h, { r: 10, fill: "panel", stroke: "line", dash: "3 4", opacity: 0.7 }),
      nameMark(plan, x, y, "faint"),
    ];
  }
  const now = isMoving(item, moment, busy, plan);
  const border = context.error && atError(moment) ? "error" : now ? "bwd" : plan.leaf ? "fwd" : "rest";
  /** @type {Mark[]} */
  const marks = [...shadow(x, y, plan.w, plan.h, 10), rect(x, y, plan.w, plan.h, { r: 10, fill: "panel" })];
  if (plan.gradient) marks.push(...drawTank(plan, x, y, state, busy, nr, colours, trace, now, item.place));
  marks.push(
    rect(x, y, plan.w, plan.h, {
      r: 10,
      stroke: border,
      sw: now || border === "error" ? 2 : plan.leaf ? 1.3 : 1,
      dash: item.original !== null && !item.phase ? "4 3" : "",
    }),
  );
  marks.push(nameMark(plan, x, y, "ink"));
  const summary = valueSummary(trace, state.value);
  if (plan.inline) marks.push(inlineValue(plan, x, y, summary));
  else {
    marks.push(text(x + plan.w - PAD, y + 17, plan.tag, { size: 10.5, align: "end", fill: "mute" }));
    marks.push(...drawValue(plan.value, x + (plan.w - plan.value.w) / 2, y + plan.valueY, summary, colours));
  }
  if (plan.slots && busy && plan.gradient) {
    marks.push(...drawSlots(plan, x, y, busy, nr, colours, trace, context.symbolOf));
  }
  if (state.version > moment.tensor(id, Math.min(item.since, item.until)).version) {
    marks.push(...versionChip(plan, x, y, state.version, justWritten(moment, id)));
  }
  if (context.hooks) marks.push(...hookBadge(x + 14, y, atHook(moment, id)));
  if (context.error && atError(moment)) marks.push(...errorBadge(x + plan.w + 1, y - 3));
  return marks;
}

/** @param {CardPlan} plan @param {number} x @param {number} y @param {string} fill */
const nameMark = (plan, x, y, fill) => text(x + PAD, y + 18, plan.name, { size: 13, weight: 600, fill });

/** @param {CardPlan} plan @param {number} x @param {number} y @param {import("../trace.js").Summary | null} summary */
function inlineValue(plan, x, y, summary) {
  const number = summary?.cells[0];
  const content = summary && number !== undefined ? formatNumber(number, "card", summary.dtype) : "·";
  return text(x + plan.w - PAD, y + 18, content, {
    size: 12.5,
    mono: true,
    align: "end",
    fill: number !== undefined && !Number.isFinite(number) ? "nan" : "ink",
  });
}

/**
 * @param {CardPlan} plan
 * @param {number} x
 * @param {number} y
 * @param {TensorState} state
 * @param {NodeState | null} busy
 * @param {number} nr
 * @param {Colours} colours @param {Trace} trace @param {boolean} now @param {string | null} place
 * @returns {Mark[]}
 */
function drawTank(plan, x, y, state, busy, nr, colours, trace, now, place) {
  const block = /** @type {Block} */ (plan.gradient);
  const beside = block.form === "scalar";
  const top = y + plan.gradientY;
  const { label, shown, incoming } = readTank(plan, state, busy, nr, trace, place);
  const filled = shown !== "none" && shown !== "not yet";
  /** @type {Mark[]} */
  const marks = [];
  const bottom = plan.slots ? y + plan.slots.y : y + plan.h;
  if (plan.leaf && filled) {
    marks.push(
      path(tankShape(x, top, plan.w, bottom - top, plan.slots ? 0 : 10), { fill: now ? "bwd-soft" : "fwd-soft" }),
    );
  } else if (now) marks.push(path(tankShape(x, top, plan.w, bottom - top, plan.slots ? 0 : 10), { fill: "bwd-soft" }));
  marks.push(path(`M${round(x)} ${round(top)}L${round(x + plan.w)} ${round(top)}`, { stroke: "line" }));
  marks.push(text(x + PAD, top + (beside ? 17.5 : 14), label, { size: 11, fill: now ? "bwd-ink" : "mute" }));
  if (plan.leaf && state.deposits > 1) marks.push(...layers(x, top, bottom, state.deposits));
  const bx = beside ? x + plan.w - PAD - block.w : x + (plan.w - block.w) / 2;
  const by = top + (beside ? 4.5 : 19);
  marks.push(...drawGradient(block, bx, by, incoming ?? shown, colours, { moving: incoming !== null }));
  if (plan.leaf && beside && shown === "not yet" && !incoming) {
    marks.push(
      text(bx + block.w / 2, by + block.h / 2 + 3.8, "None", {
        size: 10.5,
        mono: true,
        align: "middle",
        fill: "faint",
      }),
    );
  }
  if (!beside && shown === "none" && incoming === null && block.h < 14) {
    marks.push(text(x + plan.w - PAD, top + 14, "None", { size: 10.5, mono: true, align: "end", fill: "mute" }));
  }
  return marks;
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
  const step = Math.min(5, (Math.min(bottom, top + 26) - top - 6) / shown);
  return Array.from({ length: shown }, (_, i) =>
    rect(x + 2.5, Math.min(bottom, top + 26) - 3 - (i + 1) * step, 4, step - 1.2, {
      r: 1,
      fill: "fwd",
      opacity: 0.75,
      detail: 1,
    }),
  );
}

/**
 * The tank of a leaf holds `.grad`, and shows what is about to be added; other cards show what passes through.
 * @param {CardPlan} plan
 * @param {TensorState} state
 * @param {NodeState | null} busy
 * @param {number} nr
 * @param {Trace} trace
 * @param {string | null} place
 * @returns {{label: string, shown: Shown, incoming: import("../trace.js").Summary | null}}
 */
function readTank(plan, state, busy, nr, trace, place) {
  const replaced = state.hooked?.place === place ? state.hooked : null;
  const sum = busy && busy.phase !== "idle" ? busy.sums[nr] : undefined;
  /** @type {Shown} */
  const flying = sum === undefined ? "not yet" : (valueSummary(trace, replaced ? replaced.value : sum) ?? "none");
  if (plan.leaf) {
    const grad = state.grad === "none" || state.grad === null ? null : valueSummary(trace, state.grad);
    const expecting = busy !== null && (busy.phase === "waiting" || busy.phase === "ready");
    const single = !plan.slots && expecting && typeof flying === "object";
    return {
      label: single ? (grad ? ".grad +=" : ".grad ←") : ".grad",
      shown: grad ?? (expecting ? "not yet" : "none"),
      incoming: single && typeof flying === "object" ? flying : null,
    };
  }
  if (state.grad && state.grad !== "none") {
    return { label: ".grad", shown: valueSummary(trace, state.grad) ?? "none", incoming: null };
  }
  const seeded = busy?.slots.some((slot) => slot.from === "seed" && slot.input_nr === nr && slot.value !== undefined);
  const gathering = plan.slots !== null && busy !== null && busy.arrived > 0 && busy.phase === "waiting";
  const label = seeded
    ? "seed"
    : gathering
      ? "so far"
      : busy?.phase === "done"
        ? "passed"
        : busy?.phase === "idle"
          ? "grad"
          : "passing";
  return { label, shown: flying, incoming: null };
}

/** @param {number} x @param {number} y @param {number} w @param {number} h @param {number} r */
function tankShape(x, y, w, h, r) {
  if (!r) return `M${x} ${y}L${x + w} ${y}L${x + w} ${y + h}L${x} ${y + h}Z`;
  const right = x + w;
  const bottom = y + h;
  const corners = `Q${right} ${bottom} ${right - r} ${bottom}L${x + r} ${bottom}Q${x} ${bottom} ${x} ${bottom - r}`;
  return `M${x} ${y}L${right} ${y}L${right} ${bottom - r}${corners}Z`;
}

/**
 * @param {CardPlan} plan
 * @param {number} x
 * @param {number} y
 * @param {NodeState} busy
 * @param {number} nr
 * @param {Colours} colours
 * @param {Trace} trace @param {(node: string) => string} symbolOf
 * @returns {Mark[]}
 */
function drawSlots(plan, x, y, busy, nr, colours, trace, symbolOf) {
  const slots = /** @type {SlotPlan} */ (plan.slots);
  const block = /** @type {Block} */ (plan.gradient);
  const mine = busy.slots.filter((slot) => slot.input_nr === nr);
  const arrived = mine.filter((slot) => slot.value !== undefined).length;
  const total = mine.length || slots.rows;
  const waiting = arrived < total && busy.phase !== "idle";
  const top = y + slots.y;
  /** @type {Mark[]} */
  const marks = [
    rect(x + 1, top, plan.w - 2, y + plan.h - top - 1, { r: 9, fill: "sunken", opacity: 0.6 }),
    path(`M${round(x)} ${round(top)}L${round(x + plan.w)} ${round(top)}`, { stroke: "line" }),
    text(
      x + PAD,
      top + 14,
      busy.phase === "idle"
        ? `used ${total}×`
        : waiting
          ? `waiting ${arrived}/${total}`
          : `${arrived}/${total} arrived`,
      {
        size: 10.5,
        weight: waiting ? 600 : 400,
        fill: waiting && arrived ? "bwd-ink" : "mute",
      },
    ),
  ];
  if (slots.pips) marks.push(...drawPips(plan, x, top + 20, total, mine, colours, trace));
  else {
    for (let i = 0; i < slots.rows; i++) {
      const slot = mine[i];
      const by = top + 19 + i * ROW;
      const shown = !slot || slot.value === undefined ? "not yet" : (valueSummary(trace, slot.value) ?? "none");
      marks.push(...drawGradient(block, x + PAD, by, shown, colours));
      const from = slot ? originText(slot.from, symbolOf) : "";
      marks.push(
        text(x + PAD + block.w + 7, by + block.h / 2 + 3.5, from, {
          size: 10.5,
          fill: shown === "not yet" ? "faint" : "soft",
        }),
      );
    }
  }
  if (slots.sumY === null) return marks;
  const by = y + slots.sumY;
  marks.push(
    path(`M${round(x + PAD)} ${round(by - 4)}L${round(x + PAD + block.w)} ${round(by - 4)}`, { stroke: "rest" }),
  );
  const sum = busy.phase === "idle" ? undefined : busy.sums[nr];
  marks.push(
    ...drawGradient(block, x + PAD, by, sum === undefined ? "not yet" : (valueSummary(trace, sum) ?? "none"), colours),
  );
  marks.push(
    text(x + PAD + block.w + 7, by + block.h / 2 + 3.5, arrived < total ? "so far" : "sum", {
      size: 10.5,
      weight: 600,
      fill: arrived ? "soft" : "faint",
    }),
  );
  return marks;
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
  const room = Math.floor((plan.w - 2 * PAD) / 11);
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

/** @param {Moment} moment */
export const atError = (moment) => moment.after.t >= moment.trace.events.length;

/** @param {Moment} moment @param {string} id */
function justWritten(moment, id) {
  const { event } = moment.after;
  return event?.kind === "write" && event.tensor === id;
}

/** @param {Moment} moment @param {string} id */
export function atHook(moment, id) {
  const { event } = moment.after;
  return event?.kind === "hook" && event.target === id;
}

/**
 * @param {CardPlan} plan
 * @param {number} x
 * @param {number} y
 * @param {number} version
 * @param {boolean} now
 * @returns {Mark[]}
 */
function versionChip(plan, x, y, version, now) {
  const content = now ? `v${version - 1} → v${version}` : `v${version}`;
  const w = content.length * 6 + 10;
  return [
    rect(x + (plan.w - w) / 2, y - 9, w, 16, { r: 8, fill: now ? "bwd" : "panel", stroke: now ? "bwd" : "rest" }),
    text(x + plan.w / 2, y + 2.8, content, { size: 10, mono: true, align: "middle", fill: now ? "on-bwd" : "mute" }),
  ];
}

/** @param {number} x @param {number} y @param {boolean} now @returns {Mark[]} */
export function hookBadge(x, y, now) {
  return [
    rect(x - 6, y - 9, 38, 16, { r: 8, fill: now ? "bwd" : "panel", stroke: now ? "bwd" : "bwd-mid" }),
    path(`M${x} ${y - 4.5}L${x} ${y}Q${x} ${y + 3} ${x + 3} ${y + 3}Q${x + 6} ${y + 3} ${x + 6} ${y}`, {
      stroke: now ? "on-bwd" : "bwd",
      sw: 1.4,
    }),
    text(x + 9, y + 2.6, "hook", { size: 9.5, fill: now ? "on-bwd" : "bwd-ink" }),
  ];
}

/** @param {number} x @param {number} y @returns {Mark[]} */
export function errorBadge(x, y) {
  return [
    path(`M${x} ${y - 11}L${x + 12} ${y + 10}L${x - 12} ${y + 10}Z`, { fill: "error", stroke: "panel", sw: 2 }),
    text(x, y + 7.5, "!", { size: 13, weight: 700, align: "middle", fill: "panel", detail: 1 }),
  ];
}
