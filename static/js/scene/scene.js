/**
 * The picture without a painter: what is drawn, how large it is, where it lies, and what it looks like at a moment.
 * @module
 */
import { outOfTurn, turnsAt } from "./training.js";
import { bufferKey, edgeKey, readsAt, stateAt, valueSummary } from "../trace.js";
import { drawBox, drawHull, groundOf, outline, planBox } from "./boxes.js";
import { drawCard, planCard } from "./cards.js";
import { drawChip, drawSlope, NAME_H, NAME_SIZE, productOf, TIGHT } from "./chips.js";
import { askedOf } from "./asked.js";
import { cloneLeaves } from "./clones.js";
import { Colours, gradientScale } from "./colour.js";
import { pathText, Way } from "./curves.js";
import { GENEROUS, isHidden } from "./fit.js";
import { buildGraph } from "./graph.js";
import { findGroups, foldGraph, foldToFit } from "./groups.js";
import { linkLook } from "./links.js";
import { drawOp, planOp, RADIUS, REASON_H, reasonWidth } from "./ops.js";
import { alongWay, Room } from "./place.js";
import { isShelved, MOST_SHELVED, planLeaves, portMarks, slotsOf } from "./shelf.js";
import { spelled, stepAt, tellAgainst } from "./step.js";
import { partsOf } from "./story.js";
import { planStrip } from "./strip.js";
import { drawTitle, placeTitle } from "./titles.js";
import { foldForTurns } from "./turns.js";
import { LEGIBLE } from "./view.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("./graph.js").Item} Item */
/** @typedef {import("./graph.js").Link} Link */
/** @typedef {import("./graph.js").Graph} Graph */
/** @typedef {import("./groups.js").Group} Group */
/** @typedef {import("./boxes.js").Hull} Hull */
/** @typedef {import("./boxes.js").BoxPlan} BoxPlan */
/** @typedef {import("./cards.js").CardPlan} CardPlan */
/** @typedef {import("./ops.js").OpPlan} OpPlan */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./marks.js").Measure} Measure */
/** @typedef {import("./colour.js").Palette} Palette */
/** @typedef {import("./moment.js").Moment} Moment */
/** @typedef {import("./place.js").Box} Box */
/** @typedef {import("../layout/types.js").LayoutInput} LayoutInput */
/** @typedef {import("../layout/types.js").LayoutOutput} LayoutOutput */
/** @typedef {CardPlan | OpPlan | BoxPlan} Plan */

/** Chips spell out the whole product up to this many ops; above they only say what is sent. */
const SPELL_OUT = 30;

/**
 * The graph of a trace before anything is folded: made once per run.
 * @typedef {object} Whole
 * @property {Trace} trace
 * @property {Graph} graph
 * @property {Map<string, Group>} groups
 * @property {Set<string>} folded  what is folded at first
 * @property {import("./fit.js").Thrift} thrift
 * @property {import("./turns.js").Turns} turns  the turns of long loops that stand out
 * @property {import("./turns.js").Turns} training  the turns of training loops that are drawn
 * @property {import("./colour.js").Scale} scale
 * @property {Set<string>} hooked  ids with a hook
 */

/**
 * The room that a link's chips need, 0 for none.
 * @typedef {object} LinkChips
 * @property {number} w  at rest
 * @property {number} h
 * @property {number} tall  height while the gradient moves
 * @property {import("./chips.js").Chip | null} slope  what is written before the first gradient comes
 * @property {EdgeName | null} name  which of the next_functions it is
 */

/** From when on it is written, above whatever else is. @typedef {{text: string, since: number}} EdgeName */

/** @type {LinkChips} */
const NO_CHIP = { w: 0, h: 0, tall: 0, slope: null, name: null };

/**
 * @param {Trace} trace
 * @param {import("./turns.js").Turns} [training]  the turns of training loops to draw
 * @param {import("./fit.js").Thrift} [thrift]
 * @returns {Whole}
 */
export function wholeGraph(trace, training = turnsAt(trace, 0), thrift = GENEROUS) {
  const graph = cloneLeaves(trace, buildGraph(trace, outOfTurn(trace, training), thrift.dense));
  const groups = groupsOf(trace, graph, new Map(), thrift);
  const hooked = new Set(
    trace.events.flatMap((event) => (event.kind === "hook" && event.target ? [event.target] : [])),
  );
  return {
    trace,
    graph,
    groups,
    folded: new Set([
      ...foldToFit(groups, graph.items.length, thrift.gather),
      ...[...groups.keys()].filter((id) => id.startsWith("chain:")),
    ]),
    thrift,
    turns: new Map(),
    training,
    scale: gradientScale(trace),
    hooked,
  };
}

/**
 * @param {Trace} trace @param {Graph} graph @param {import("./turns.js").Turns} turns @param {Whole["thrift"]} thrift
 */
function groupsOf(trace, graph, turns, thrift) {
  const groups = findGroups(trace, graph, turns, thrift.gather, thrift.tucked ? 0 : MOST_SHELVED);
  return typeof thrift.chains === "function" ? thrift.chains(trace, graph, groups, thrift.cones) : groups;
}

/**
 * The same with other turns of its loops standing out.
 * @param {Whole} whole
 * @param {ReadonlySet<string>} folded
 * @param {import("./turns.js").Turns} turns
 * @returns {Whole}
 */
export function withTurns(whole, folded, turns) {
  const groups = groupsOf(whole.trace, whole.graph, turns, whole.thrift);
  return { ...whole, groups, turns, folded: foldForTurns(whole.groups, folded, groups) };
}

/**
 * @typedef {object} Draft
 * @property {Whole} whole
 * @property {Set<string>} folded
 * @property {ReturnType<typeof foldGraph>} shown
 * @property {Plan[]} plans
 * @property {Group[]} open  groups drawn as hulls
 * @property {LinkChips[]} chips
 * @property {boolean} brief
 * @property {number} across  width of what can be read on the shelf from side to side
 * @property {LayoutInput} input
 * @property {Measure} measure
 */

/**
 * Sizes everything and says what the layout must place.
 * @param {Whole} whole
 * @param {{folded: Set<string>, measure: Measure, palette: Palette, view: {width: number, height: number}, before?:
 *   Scene | null, names?: boolean, cut?: typeof import("./marks.js").shorten}} options before: the drawing to stay
 *   close to · names: of autograd's parts, too · cut: long names
 * @returns {Draft}
 */
export function draftScene(whole, { folded, measure, palette, view, before = null, names = false, cut }) {
  const { trace, graph, groups } = whole;
  const { dense } = whole.thrift;
  const shown = foldGraph(graph, groups, folded);
  const asked = askedOf(trace, names);
  const { plans, ports } = planLeaves(
    shown.items,
    (room) => shown.items.map((item) => planItem(item, whole, measure, asked, room, cut)),
    view,
    whole.thrift.low,
  );
  const open = [...groups.values()].filter((group) => !isHidden(group.id, groups, folded));
  const brief = shown.items.filter((item) => item.circle).length > SPELL_OUT;
  const colours = new Colours(palette, whole.scale);
  const chips = shown.links.map((link) => {
    const name = edgeName(link, asked);
    const room = brief ? NO_CHIP : chipsOf(trace, link, measure, colours, whole.thrift.low);
    return name ? withName(room, name, measure) : room;
  });
  const groupIndex = new Map(open.map((group, i) => [group.id, i]));
  /** @type {LayoutInput} */
  const input = {
    width: Float64Array.from(plans, (plan, i) => (ports[i] ?? plan).w),
    height: Float64Array.from(plans, (plan, i) => (ports[i] ?? plan).h),
    anchor: Float64Array.from(plans, (plan, i) => (ports[i] ?? plan).anchor),
    floor: Uint8Array.from(ports, (port) => Number(port !== null)),
    group: Int32Array.from(shown.groupOf, (id) => (id === null ? -1 : (groupIndex.get(id) ?? -1))),
    groupParent: Int32Array.from(open, (group) => (group.parent === null ? -1 : (groupIndex.get(group.parent) ?? -1))),
    source: Int32Array.from(shown.links, (link) => link.from),
    target: Int32Array.from(shown.links, (link) => link.to),
    labelWidth: Float64Array.from(chips, ({ w }) => w && w + BESIDE),
    labelHeight: Float64Array.from(chips, ({ h, tall }) => Math.max(h && h + (dense ? SHORT_WIRE : WIRE), tall)),
    labelRest: Float64Array.from(chips, ({ h }) => h),
    seed: before ? seedFrom(before, shown.items) : null,
    options: {
      aspect: Math.max(0.5, Math.min(3, view.width / Math.max(1, view.height))),
      groupPad: GROUP_PAD,
      nodeGap: dense ? 10 : 14,
      rankGap: dense ? 16 : plans.length > 300 ? 34 : 40,
      wire: dense ? SHORT_WIRE : WIRE,
      steepest: dense ? 24 : 80,
    },
  };
  const across = view.width / LEGIBLE - 2 * MARGIN;
  return { whole, folded, shown, plans, open, chips, brief, across, input, measure };
}

const GROUP_PAD = 24;
/** On either side of the shelf. */
const MARGIN = 10;
/** Of a wire, to be seen before and behind what is written on it. */
const WIRE = 22;
const SHORT_WIRE = 8;
/** Between two that are written beside each other. */
const BESIDE = 6;

/**
 * @param {Item} item @param {Whole} whole @param {Measure} measure @param {import("./asked.js").Asked} asked
 * @param {import("./shelf.js").Room} room  that leaves have
 * @param {typeof import("./marks.js").shorten} [cut]  long names
 * @returns {Plan}
 */
function planItem(item, whole, measure, asked, room, cut) {
  if (item.kind === "card") return planCard(whole.trace, item, measure, asked, room, whole.thrift, cut);
  if (item.kind === "op") return planOp(whole.trace, item, measure, asked);
  return planBox(/** @type {Group} */ (whole.groups.get(item.group ?? "")), whole.graph, measure);
}

/** @param {Scene} before @param {Item[]} items */
function seedFrom(before, items) {
  const known = new Map(before.items.map((item, i) => [item.key, before.x[i]]));
  return Float64Array.from(items, (item) => known.get(item.key) ?? NaN);
}

/**
 * Chips of every call along one link, so that none ever needs more room than there is.
 * @param {Trace} trace
 * @param {Link} link
 * @param {Measure} measure
 * @param {Colours} colours
 * @param {boolean} tight  as small as can be
 * @returns {LinkChips}
 */
function chipsOf(trace, link, measure, colours, tight) {
  if (link.cut?.loud) return { ...NO_CHIP, w: reasonWidth(link.cut.reason, measure), h: REASON_H };
  if (link.role !== "input") return NO_CHIP;
  const room = { ...NO_CHIP };
  for (const { node, index } of link.carries) {
    for (const state of trace.histories.edges.all(edgeKey(node, index))) {
      if (state.phase !== "arriving") continue;
      const product = productOf(trace, node, index, link.argument, upstreamOf(trace, node), state.value);
      const rest = drawChip(product, measure, colours, { brief: true, moving: false, tight });
      const moving = drawChip(product, measure, colours, { brief: false, moving: true, tight });
      room.slope ??= drawSlope(product, measure);
      room.w = Math.max(room.w, rest.w, moving.w, room.slope?.w ?? 0);
      room.h = Math.max(room.h, rest.h, room.slope?.h ?? 0);
      room.tall = Math.max(room.tall, moving.h);
    }
  }
  return room;
}

/** @param {Link} link @param {import("./asked.js").Asked} asked @returns {EdgeName | null} */
function edgeName({ role, carries }, asked) {
  const named = carries.filter(({ node, index }) => asked.edge(node, index) < Infinity);
  if (role !== "input" || !named.length) return null;
  return {
    text: named.map(({ index }) => `next_functions[${index}]`).join(", "),
    since: Math.min(...named.map(({ node, index }) => asked.edge(node, index))),
  };
}

/** @param {LinkChips} room @param {EdgeName} name @param {Measure} measure @returns {LinkChips} */
const withName = (room, name, measure) => ({
  ...room,
  name,
  w: Math.max(room.w, Math.ceil(measure(name.text, NAME_SIZE, 500, true)) + 10),
  h: room.h + NAME_H,
  tall: room.tall && room.tall + NAME_H,
});

/** The gradient a node ran on last. @param {Trace} trace @param {string} node */
function upstreamOf(trace, node) {
  const states = trace.histories.nodes.all(node);
  for (let i = states.length - 1; i >= 0; i--) if (states[i].grad_outputs) return states[i].grad_outputs?.[0];
  return null;
}

/** Above a leaf there is its dot. */
const DOT_ROOM = 9;

/**
 * An edge goes through what stands above a card.
 * @param {Float64Array} path @param {Plan} plan  of the card that it begins at
 */
function lengthened(path, plan) {
  if (plan.kind !== "card") return path;
  const above = plan.body.y + plan.h / 2 - (plan.leaf ? DOT_ROOM : 0);
  if (above < 1) return path;
  const longer = path.slice();
  longer[1] += above;
  longer[3] += above;
  return longer;
}

/** Everything placed. */
export class Scene {
  /** @param {Draft} draft @param {LayoutOutput} output @param {Palette} palette */
  constructor(draft, output, palette) {
    this.draft = draft;
    this.whole = draft.whole;
    this.trace = draft.whole.trace;
    this.folded = draft.folded;
    this.items = draft.shown.items;
    this.links = draft.shown.links;
    this.plans = draft.plans;
    this.brief = draft.brief;
    this.measure = draft.measure;
    this.x = output.x;
    this.y = output.y;
    /** Items that are ports here, and stand on the shelf. */
    this.shelved = new Set(this.plans.flatMap((plan, i) => (isShelved(plan) ? [i] : [])));
    this.slots = slotsOf(this.items, this.plans);
    this.paths = output.paths.map((path, j) => {
      const { from } = this.links[j];
      return this.shelved.has(from) ? path : lengthened(path, this.plans[from]);
    });
    this.colours = new Colours(palette, this.whole.scale);
    /** @type {(Way | undefined)[]} */
    this.ways = [];
    /** @type {Box[] | undefined} */
    this.around = undefined;
    this.boxes = this.items.map((_, i) => this.boxOf(i));
    this.index();
    this.hulls = this.makeHulls();
    /** How far aside of its port the edges of an item come down. */
    this.aside = new Float64Array(this.items.length);
    this.parts = partsOf(this);
    this.texts = this.paths.map(pathText);
    this.strip = this.brief ? null : planStrip(this.trace, this.measure, draft.across);
    this.bounds = this.measureBounds();
    /** Edges lead through places of their own for what is written on them. */
    this.labelled = draft.input.labelHeight.some((h) => h > 0);
    this.labelX = output.labelX;
    this.labelY = output.labelY;
    for (const hull of this.hulls) hull.titleX = placeTitle(hull, this.measure, (band) => this.crossing(band));
    /** @type {Room | null} */
    this.room = null;
    /** What it is seen in. @type {import("./view.js").Size | null} */
    this.sight = null;
    /** @type {Map<number, {x: number, y: number, tight: boolean}>} */
    this.spots = new Map();
  }

  /** @param {Palette} palette */
  paint(palette) {
    this.colours = new Colours(palette, this.whole.scale);
  }

  /** Of a leaf, which stands on the shelf, the point where its edges come out. @param {number} i @returns {Box} */
  boxOf(i) {
    const { width, height, anchor } = this.draft.input;
    const [w, h] = [this.shelved.has(i) ? 0 : width[i], height[i]];
    return { x: this.x[i] + (w ? 0 : anchor[i]) - w / 2, y: this.y[i] - h / 2, w, h };
  }

  /** What one would call the thing itself: a card without its circle and what stands above it. @param {number} i */
  faceOf(i) {
    const plan = this.plans[i];
    return plan.kind === "card" && !this.shelved.has(i)
      ? { ...plan.body, x: plan.body.x + this.x[i], y: plan.body.y + this.y[i] }
      : this.boxes[i];
  }

  /** The circle of the op that made a card. @param {number} i @returns {Box | null} */
  ringOf(i) {
    const plan = this.plans[i];
    if (plan.kind !== "card" || !plan.circle) return null;
    const { half } = plan.circle;
    const bottom = this.y[i] + plan.h / 2;
    return { x: this.x[i] + plan.anchor - half, y: bottom - 2 * RADIUS, w: 2 * half, h: 2 * RADIUS };
  }

  /** Is an item drawn here? @param {number} i */
  shows(i) {
    return !this.shelved.has(i);
  }

  index() {
    /** @type {Map<string, number[]>} */
    this.byTensor = new Map();
    /** @type {Map<string, number>} */
    this.byNode = new Map();
    /** @type {Map<string, number>} */
    this.byOp = new Map();
    /** @type {Map<string, number>} */
    this.linkOf = new Map();
    /** @type {number[][]} */
    this.into = this.items.map(() => []);
    /** @type {number[][]} */
    this.out = this.items.map(() => []);
    const { graph } = this.whole;
    const { shownAs } = this.draft.shown;
    graph.items.forEach((item, i) => {
      const at = shownAs[i];
      if (item.kind === "card" && item.tensor) {
        const list = this.byTensor?.get(item.tensor);
        if (!list) this.byTensor?.set(item.tensor, [at]);
        else if (!list.includes(at)) list.push(at);
      }
      if (item.node && (item.circle || !this.byNode?.has(item.node))) this.byNode?.set(item.node, at);
      if (item.op) this.byOp?.set(item.op, at);
    });
    this.links.forEach((link, j) => {
      this.into[link.to].push(j);
      this.out[link.from].push(j);
      for (const { node, index } of link.carries) this.linkOf?.set(edgeKey(node, index), j);
    });
  }

  /** Where edges of leaves begin, what is drawn, and how low the drawing reaches. */
  get underPorts() {
    const leaves = [...this.shelved].filter((i) => this.out[i].length);
    const ports = leaves.map((i) => ({ x: this.boxes[i].x, y: this.boxes[i].y }));
    const drawn = this.boxes.filter((_, i) => this.shows(i));
    const foot = this.boxes.reduce((lowest, { y, h }) => Math.max(lowest, y + h), -Infinity);
    return { leaves, ports, drawn, foot };
  }

  /** Is something drawn below a port? */
  isBarred() {
    const { ports, drawn } = this.underPorts;
    return ports.some((at) => drawn.some(({ x, y, w, h }) => at.x > x - 1 && at.x < x + w + 1 && y + h > at.y));
  }

  /** Lead edges of leaves around what is drawn below their ports. @param {typeof import("./lanes.js")} lanes */
  leadDown({ turnsDown, ledUp }) {
    const { leaves, ports, drawn, foot } = this.underPorts;
    turnsDown(ports, drawn, foot).forEach((turns, k) => {
      if (!turns.length) return;
      this.aside[leaves[k]] = turns[turns.length - 1].x - ports[k].x;
      for (const j of this.out[leaves[k]]) {
        this.paths[j] = ledUp(this.paths[j], turns, foot);
        this.texts[j] = pathText(this.paths[j]);
      }
    });
    this.around = undefined;
    this.ways = [];
    this.bounds = this.measureBounds();
  }

  /** @returns {Hull[]} */
  makeHulls() {
    const { shownAs } = this.draft.shown;
    if (!this.draft.open.length) return [];
    const room = new Room();
    this.boxes.forEach((box, i) => room.take(box, i));
    return this.draft.open.flatMap((group) => {
      const members = new Set(group.items.map((i) => shownAs[i]));
      if (!members.size) return [];
      const inner = this.nesting(group);
      const inside = [...members].map((i) => this.boxes[i]).concat(this.innerEdges(members));
      const foreign = (/** @type {Box} */ within) =>
        [...room.meeting(within)].flatMap(({ box, owner }) => (members.has(owner) ? [] : [box]));
      return [outline(group, inside, foreign, 8 + 8 * Math.min(3, inner), inner)];
    });
  }

  /**
   * Where edges between members pass a level: a hull must go around them too.
   * @param {Set<number>} members
   * @returns {Box[]}
   */
  innerEdges(members) {
    /** @type {Box[]} */
    const found = [];
    for (const i of members) {
      for (const j of this.out[i]) {
        const path = this.paths[j];
        if (!members.has(this.links[j].to) || path.length < 26) continue;
        for (let k = 6; k + 6 < path.length; k += 6) {
          const [x0, y0, x1, y1] = [path[k], path[k + 1], path[k + 6], path[k + 7]];
          if (Math.abs(x0 - x1) < 0.5 && y1 < y0) found.push({ x: x0 - 3, y: y1, w: 6, h: y0 - y1 });
        }
      }
    }
    return found;
  }

  /**
   * From where to where links, and what is written on them, pass through a rectangle.
   * @param {Box} band
   * @returns {[number, number][]}
   */
  crossing({ x, y, w, h }) {
    /** @type {[number, number][]} */
    const found = [];
    const pass = (
      /** @type {number} */ x0,
      /** @type {number} */ x1,
      /** @type {number} */ y0,
      /** @type {number} */ y1,
    ) => {
      if (x0 <= x + w && x1 >= x && y0 <= y + h && y1 >= y) found.push([x0, x1]);
    };
    this.linkBoxes().forEach((box, j) => {
      const chip = this.draft.chips[j];
      const [cx, cy] = [this.labelX[j], this.labelY[j]];
      if (chip.h) pass(cx - chip.w / 2, cx + chip.w / 2, cy - chip.h / 2, cy + chip.h / 2);
      if (box.x > x + w || box.x + box.w < x || box.y > y + h || box.y + box.h < y) return;
      const { xs, ys } = this.way(j);
      for (let k = 1; k < xs.length; k++) {
        const [x0, x1, y0, y1] = [xs[k - 1], xs[k], ys[k - 1], ys[k]];
        pass(Math.min(x0, x1), Math.max(x0, x1), Math.min(y0, y1), Math.max(y0, y1));
      }
    });
    return found;
  }

  /** How many open groups lie inside a group, at most. @param {Group} group */
  nesting(group) {
    let deepest = group.depth;
    for (const other of this.draft.open) {
      if (other.depth <= deepest) continue;
      for (let at = other.parent; at; at = this.whole.groups.get(at)?.parent ?? null) {
        if (at === group.id) deepest = other.depth;
      }
    }
    return Math.min(6, deepest - group.depth);
  }

  measureBounds() {
    let left = Infinity;
    let top = Infinity;
    let right = -Infinity;
    let bottom = -Infinity;
    const reach = (/** @type {number} */ x, /** @type {number} */ y) => {
      left = Math.min(left, x);
      top = Math.min(top, y);
      right = Math.max(right, x);
      bottom = Math.max(bottom, y);
    };
    for (const box of [...this.boxes, ...this.hulls]) {
      reach(box.x, box.y);
      reach(box.x + box.w, box.y + box.h);
    }
    for (const path of this.paths) for (let k = 0; k < path.length; k += 2) reach(path[k], path[k + 1]);
    if (left === Infinity) return { x: 0, y: 0, w: 100, h: 60 };
    return { x: left - 8, y: top - 8, w: right - left + 16, h: bottom - top + 16 };
  }

  /** @param {string} ref */
  summary(ref) {
    return valueSummary(this.trace, ref);
  }

  /** @param {number} j @returns {Way} */
  way(j) {
    return (this.ways[j] ??= new Way(this.paths[j]));
  }

  /** What each link lies within. @returns {readonly Box[]} */
  linkBoxes() {
    return (this.around ??= this.paths.map((path) => {
      let left = Infinity;
      let top = Infinity;
      let right = -Infinity;
      let bottom = -Infinity;
      for (let k = 0; k < path.length; k += 2) {
        left = Math.min(left, path[k]);
        right = Math.max(right, path[k]);
        top = Math.min(top, path[k + 1]);
        bottom = Math.max(bottom, path[k + 1]);
      }
      return { x: left, y: top, w: right - left, h: bottom - top };
    }));
  }

  /** @param {number} i @param {Moment} moment @returns {Mark[]} */
  itemMarks(i, moment) {
    const item = this.items[i];
    const plan = this.plans[i];
    const { whole } = this;
    const { blame } = this.trace;
    const hooks = whole.hooked.has(item.tensor ?? "");
    const nodeHooks = whole.hooked.has(item.node ?? "");
    const atNode = blame.nodes.includes(item.node ?? "");
    const wrong = blame.tensors.includes(item.tensor ?? "") || (atNode && !item.circle);
    if (plan.kind === "card") {
      return drawCard(plan, item, moment, this.colours, { hooks, nodeHooks, error: wrong, nodeError: atNode });
    }
    if (plan.kind === "op") {
      const at = { x: plan.anchor, y: 0, label: 4.4, alone: true };
      return drawOp(plan, item, moment, { hooks: nodeHooks, error: atNode }, at);
    }
    return drawBox(plan, moment, {
      error: moment.t >= this.trace.events.length && blame.nodes.some((node) => plan.nodes.includes(node)),
    });
  }

  /** What is drawn of an item where the layout put it. @param {number} i @param {Moment} moment @returns {Mark[]} */
  marksHere(i, moment) {
    if (this.shows(i)) return this.itemMarks(i, moment);
    const plan = /** @type {CardPlan} */ (this.plans[i]);
    return plan.name && this.into[i].length ? portMarks(plan, this.measure, moment.after.t < this.items[i].from) : [];
  }

  /** @param {number} j @param {Moment} moment */
  linkLook(j, moment) {
    const link = this.links[j];
    const look = linkLook(link, this.items[link.from], this.items[link.to], moment, this.colours);
    // From its port an edge goes on to the shelf, where its arrow is.
    return this.shelved.has(link.from) && look.arrow === "backward"
      ? { ...look, arrow: /** @type {const} */ ("none") }
      : look;
  }

  /** @returns {Mark[][]} */
  hullMarks() {
    return this.hulls.map(drawHull);
  }

  /** @returns {Mark[][]} */
  titleMarks() {
    return this.hulls.map((hull) => {
      /** @type {Group[]} */
      const around = [];
      for (let at = /** @type {Group | undefined} */ (hull.group); at; at = this.whole.groups.get(at.parent ?? "")) {
        around.push(at);
      }
      return drawTitle(hull, groundOf(around, this.colours.palette));
    });
  }

  /**
   * What may look different at two times.
   * @param {{tensors: Set<string>, nodes: Set<string>, edges: Set<string>}} changes
   * @param {number} a @param {number} b
   * @returns {{items: Set<number>, links: Set<number>}}
   */
  affected(changes, a, b) {
    /** @type {Set<number>} */
    const items = new Set();
    /** @type {Set<number>} */
    const links = new Set();
    const touch = (/** @type {number | undefined} */ i) => {
      if (i === undefined) return;
      items.add(i);
      for (const j of this.into[i]) links.add(j);
      for (const j of this.out[i]) links.add(j);
    };
    for (const id of changes.tensors) this.byTensor?.get(id)?.forEach(touch);
    for (const id of changes.nodes) {
      touch(this.byNode?.get(id));
      const leaf = this.trace.nodes.get(id)?.variable;
      if (leaf) this.byTensor?.get(leaf)?.forEach(touch);
    }
    for (const key of changes.edges) {
      const j = this.linkOf?.get(key);
      if (j !== undefined) links.add(j);
    }
    for (const i of items) {
      for (const j of this.out[i]) if (this.links[j].role === "output") items.add(this.links[j].to);
    }
    for (let t = Math.min(a, b) - 2; t <= Math.max(a, b); t++) this.touchEvent(this.trace.events[t - 1] ?? null, touch);
    for (const t of [a, b]) {
      this.touchEvent(stateAt(this.trace, t).event, touch);
      for (const read of readsAt(this.trace, t)) this.touchEvent(read, touch);
    }
    if (Math.max(a, b) >= this.trace.events.length && this.trace.document.error) {
      for (const id of this.trace.blame.tensors) this.byTensor?.get(id)?.forEach(touch);
      for (const id of this.trace.blame.nodes) touch(this.byNode?.get(id));
    }
    return { items, links };
  }

  /** @param {import("../trace/document").Event | null} event @param {(i: number | undefined) => void} touch */
  touchEvent(event, touch) {
    if (!event) return;
    if (event.kind === "op") {
      touch(this.byOp?.get(event.op));
      for (const id of this.trace.ops.get(event.op)?.outputs ?? []) this.byTensor?.get(id)?.forEach(touch);
    }
    if ("tensor" in event) this.byTensor?.get(event.tensor ?? "")?.forEach(touch);
    if (event.kind === "hook" && event.target) {
      this.byTensor?.get(event.target)?.forEach(touch);
      touch(this.byNode?.get(event.target));
    }
    if (event.kind === "node") touch(this.byNode?.get(event.node));
    if (event.kind === "read") this.touchRead(event, touch);
    if (event.kind === "backward") {
      // It goes by some cards, which say so.
      this.plans.forEach((plan, i) => plan.kind === "card" && plan.gradient && !plan.leaf && touch(i));
      for (const [node, nr] of event.roots) {
        this.byTensor?.get(this.trace.edges.tensorAt.get(bufferKey(node, nr)) ?? "")?.forEach(touch);
      }
    }
  }

  /** @param {import("../trace/document").ReadEvent} read @param {(i: number | undefined) => void} touch */
  touchRead({ node, value }, touch) {
    if (typeof value === "string") touch(this.byNode?.get(value));
    if (!node) return;
    for (const id of [node, ...(this.trace.nodes.get(node)?.next_functions ?? []).map((next) => next?.[0] ?? "")]) {
      touch(this.byNode?.get(id));
      const leaf = this.trace.nodes.get(id)?.variable;
      if (leaf) this.byTensor?.get(leaf)?.forEach(touch);
    }
  }

  /** A fresh map of what the items occupy. */
  itemRoom() {
    const room = new Room();
    this.plans.forEach((plan, i) => {
      if (plan.kind !== "card" || !this.shows(i)) return room.take(this.boxes[i]);
      const { body, circle } = plan;
      room.take({ ...body, x: body.x + this.x[i], y: body.y + this.y[i] });
      if (!circle) return;
      const left = this.x[i] + plan.anchor - circle.half;
      room.take({ x: left, y: this.y[i] + plan.h / 2 - 2 * RADIUS, w: 2 * circle.half, h: 2 * RADIUS });
      room.take({ x: left, y: this.y[i] + plan.h / 2 - 1.5 * RADIUS, w: circle.w, h: RADIUS });
    });
    return room;
  }

  /** The same with the names of edges. */
  chipRoom() {
    const room = this.itemRoom();
    this.draft.chips.forEach(({ name, w, h }, j) => {
      if (name) room.take({ x: this.labelX[j] - w / 2, y: this.labelY[j] - h / 2, w, h });
    });
    return room;
  }

  /**
   * Where something is written on a link: where the layout kept room for it, else where it covers least. Fixed for the
   * whole run, so that nothing jumps.
   * @param {number} j @param {{w: number, h: number}} size
   * @returns {{x: number, y: number, tight: boolean}}  tight: it would cover something, unless it is made small
   */
  chipSpot(j, size) {
    if (!this.brief) {
      const y = this.labelY[j] + (this.draft.chips[j].name && size.h ? NAME_H / 2 : 0);
      return { x: this.labelX[j], y, tight: false };
    }
    let spot = this.spots.get(j);
    if (spot) return spot;
    this.room ??= this.chipRoom();
    const find = (/** @type {number} */ w, /** @type {number} */ h) => {
      const { x, y } = /** @type {Room} */ (this.room).best(alongWay(this.way(j), 0.5, w), w, h, 3, j);
      return { x, y, box: { x: x - w / 2, y: y - h / 2, w, h } };
    };
    let found = find(size.w, size.h);
    const tight = size.h > TIGHT + 8 && this.room.overlap(found.box, j) > 0;
    if (tight) found = find(Math.min(size.w, TIGHT + 8), Math.min(size.h, TIGHT + 8));
    this.room.take(found.box, j);
    spot = { x: found.x, y: found.y, tight };
    this.spots.set(j, spot);
    return spot;
  }

  /**
   * The card of a tensor that shows it at time t.
   * @param {string} tensor
   * @param {number} t
   * @returns {number | undefined}
   */
  cardAt(tensor, t) {
    const cards = this.byTensor?.get(tensor) ?? [];
    const living = cards.filter((i) => this.items[i].from <= t);
    const current = living.filter(
      (i) => t <= this.items[i].until && (this.items[i].original === null || this.items[i].phase),
    );
    return current.at(-1) ?? living.at(-1) ?? cards[0];
  }

  /**
   * The item a node is drawn as; of a leaf's node, the card that shows the leaf at time t.
   * @param {string} node
   * @param {number} t
   * @returns {number | undefined}
   */
  itemOf(node, t) {
    const variable = this.trace.nodes.get(node)?.variable;
    return variable ? this.cardAt(variable, t) : this.byNode?.get(node);
  }

  /** One line about an item, as a screen reader should say it. @param {number} i @param {Moment} moment */
  describe(i, moment) {
    const item = this.items[i];
    const plan = this.plans[i];
    if (plan.kind === "box") return `${plan.title}, folded, ${plan.detail}`;
    if (plan.kind === "op") return this.describeOp(plan, item, moment);
    const state = moment.tensor(item.tensor ?? "", item.until);
    const value = valueSummary(this.trace, state.value)?.text ?? "not computed yet";
    const grad = plan.leaf
      ? `, grad ${state.grad === "none" || !state.grad ? "None" : (valueSummary(this.trace, state.grad)?.text ?? "")}`
      : "";
    const step = plan.step && stepAt(this.trace, item.tensor ?? "", Math.min(moment.t, item.until));
    const against = tellAgainst(step);
    const share = step?.share == null ? "" : `, step ${spelled(step.share)} of its norm${against && `, ${against}`}`;
    const known = [plan.tags.leaf && !plan.leaf ? plan.tags.leaf.text : "", ...plan.notes].filter((each) => each);
    const about = `${known.length ? `, ${known.join(" ")}` : ""}${plan.lostY === null ? "" : ", grad None"}`;
    const made = plan.circle ? `, made by ${this.describeOp(plan.circle, item, moment)}` : "";
    return `tensor ${plan.name}${plan.leaf ? ", leaf" : ""}, value ${value}${grad}${share}${about}${made}`;
  }

  /** @param {OpPlan} plan @param {Item} item @param {Moment} moment */
  describeOp(plan, item, moment) {
    const state = item.node ? moment.node(item.node) : null;
    const waits =
      state && state.phase !== "idle"
        ? `, ${state.phase}, ${state.arrived} of ${state.expected} gradients arrived`
        : "";
    return `${plan.label}${waits}${plan.saved ? `, ${plan.saved}${state?.freed ? ", freed" : ""}` : ""}`;
  }
}
