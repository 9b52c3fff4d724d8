/**
 * The path of the gradient through a large pass: boxes from the loss to the input, between them a ribbon as wide as the
 * gradient is long. One box is open below: the one the pass is in, or the one the reader has chosen.
 * @module
 */
import { PartsHeld } from "../memory/parts.js";
import { bytes } from "../memory/words.js";
import { cutName } from "../trace/apart.js";
import { formatNumber } from "../trace.js";
import { h, s } from "../ui/dom.js";
import { showKeyed } from "../ui/keyed.js";
import { morph } from "../ui/morph.js";
import { levelOf, outermost, skipsAmong } from "./boxes.js";
import { arcPath, isUpright, placeLevel, returnPath, ribbon, roomIn, smallArc } from "./place.js";
import { chain } from "./rows.js";
import { decades, placeOf } from "./scale.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../scene/navigate.js").Reference} Reference */
/** @typedef {import("../findings/finding.js").Sign} Sign */
/** @typedef {import("./tree.js").Part} Part */
/** @typedef {import("./tree.js").PassTree} PassTree */
/** @typedef {import("./tree.js").Norm} Norm */
/** @typedef {import("./boxes.js").Box} Box */
/** @typedef {import("./boxes.js").Level} Level */
/** @typedef {import("./place.js").Placed} Placed */

/** px: height of boxes with bars, and without. */
const TALL = 86;
const LOW = 68;
/** A ribbon is at most as wide as this share of a box, and at least so many px. */
const WIDEST = 0.66;
const LEAST = 3;
/** Bars in a box, and what is not there yet. */
const BARS = 12;
const BAR = 16;
/** px from one to the next. */
const BAR_W = 7;
const HOLLOW = 4;
const SMALLEST = 6;
/** Decades that ribbons tell apart. */
const DEEP = 20;
/** px: beside the open level there is room for the list. */
const WIDE = 820;
const LIST = 232;
/** Characters of a name in it. */
const NAME = 20;
/** In the look of a page: the reader has closed what would be open. */
const CLOSED = "level";

/**
 * @typedef {{onSelect: (item: Reference) => void, onOps: (part: Part) => void, onTable: () => void,
 *   onFinding: (index: number) => void, onLook: () => void}} FlowHandlers
 */
/** @typedef {{trace: Trace, tree: PassTree, t: number, now: Part | null}} Moment */
/** @typedef {{level: Level, placed: Placed, open: Box | null}} Shown */
/**
 * A level as it is seen: `title` is what it is inside of, "" for the outermost.
 * @typedef {{title: string, placed: Placed, lines: SVGElement[], boxes: {name: string, type: string, norm: string,
 *   phase: "now" | "later" | "past", leaf: boolean, bars: {there: boolean, high: number}[],
 *   place: Placed["boxes"][number]}[]}} DrawnLevel
 */

export class Flow {
  /** @param {HTMLElement} element @param {FlowHandlers} handlers */
  constructor(element, handlers) {
    this.element = element;
    this.handlers = handlers;
    this.said = h("p", { class: "flow-said" });
    this.outer = strip("flow-outer", "Parts of the pass, from the loss to the input");
    this.finding = h("button", { type: "button", class: "flow-finding", hidden: true });
    this.inner = strip("flow-inner", "Inside");
    this.path = h("div", { class: "flow-path" });
    this.kept = h("p", { class: "flow-kept" });
    this.panel = h(
      "section",
      { class: "flow-panel", "aria-label": "What is open" },
      this.path,
      this.inner.element,
      this.kept,
    );
    this.list = h("ol", { class: "flow-list" });
    this.smallest = h(
      "section",
      { class: "flow-smallest", "aria-label": "Smallest gradients" },
      h("h3", null, "Smallest gradients"),
      this.list,
      h("button", { type: "button", class: "link-button", onclick: handlers.onTable }, "all, as a table"),
    );
    this.below = h("div", { class: "flow-below" }, this.smallest, this.panel);
    element.append(this.said, this.outer.element, this.finding, this.below);
    /** @type {Moment | null} */
    this.moment = null;
    /** Keys of what the reader has opened, from outside in; null: what the pass is in. @type {string[] | null} */
    this.chosen = null;
    this.closed = false;
    /** @type {readonly Sign[]} */
    this.signs = [];
    /** @type {Reference | null} */
    this.selected = null;
    /** Where the reader looks. @type {Part | null} */
    this.part = null;
    this.width = 0;
    /** @type {Map<string, Level>} by part and room, of the tree at hand */
    this.levels = new Map();
    /** @type {Shown[]} from outside in */
    this.shown = [];
    /** What the parts of the pass at hand hold. @type {PartsHeld | null} */
    this.held = null;
    element.addEventListener("click", (event) => this.clicked(event));
    element.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** @param {{opened: string[], closed: string[]} | null} look */
  begin(look) {
    this.moment = this.part = null;
    this.levels.clear();
    this.chosen = look?.opened.length ? look.opened : null;
    this.closed = look?.closed.includes(CLOSED) ?? false;
  }

  look() {
    return { opened: this.chosen ?? [], closed: this.closed ? [CLOSED] : [] };
  }

  /** @param {Moment} moment */
  render(moment) {
    if (moment.tree !== this.held?.tree) {
      this.levels.clear();
      this.held = new PartsHeld(moment.trace, moment.tree);
    }
    this.held.move(moment.t);
    this.moment = moment;
    this.paint();
  }

  /** Where the box that the pass is in stands, if there is one. @returns {{top: number, bottom: number} | null}  px */
  busy() {
    const [outer] = this.shown;
    const i = outer?.level.boxes.findIndex((box) => this.phase(box) === "now") ?? -1;
    if (i < 0) return null;
    const top = this.said.offsetHeight + outer.placed.boxes[i].y;
    return { top, bottom: top + outer.placed.boxes[i].h };
  }

  /** @param {number} width  px */
  resize(width) {
    this.width = width;
    if (!this.moment) return;
    // With other room boxes are others: what is open stays so.
    const { chosen, part } = this;
    if (chosen && part) {
      this.openTo(part);
      this.chosen = (this.chosen ?? chosen).slice(0, this.selected ? undefined : chosen.length);
    }
    this.paint();
  }

  /** What is on show, outermost first. @returns {DrawnLevel[]} */
  drawn() {
    const { shown } = this;
    const titles = ["", ...shown.flatMap(({ open }) => open?.name ?? [])];
    return shown.flatMap(({ level, placed }, i) => {
      if (i && i < shown.length - 1) return [];
      const boxes = level.boxes.map((box, k) => ({
        ...{ name: box.name, type: box.type, leaf: Boolean(box.leaf), phase: this.phase(box), place: placed.boxes[k] },
        ...{ norm: this.norm(box), bars: this.heights(box, placed.boxes[k].w) },
      }));
      return [
        {
          title: titles
            .slice(0, i + 1)
            .filter(Boolean)
            .join(" › "),
          placed,
          boxes,
          lines: [...this.linesOf(level, placed, !i)],
        },
      ];
    });
  }

  /** One for all of a pass. */
  get scale() {
    const { tree } = /** @type {Moment} */ (this.moment);
    return decades(tree.smallest, tree.largest, DEEP);
  }

  /** Bytes that a box holds now, and when the pass began. @param {Box} box */
  heldBy(box) {
    return this.held?.of(box) ?? { now: 0, first: 0 };
  }

  /** The most that a box holds when the pass begins. */
  get heaviest() {
    return Math.max(...this.shown[0].level.boxes.map((box) => this.heldBy(box).first));
  }

  // --- levels

  /** @param {Part[]} parts @param {string} key @param {number} room @param {boolean} whole @returns {Level} */
  level(parts, key, room, whole) {
    const { trace, tree } = /** @type {Moment} */ (this.moment);
    const known = this.levels.get(`${key} ${room}`);
    if (known) return known;
    const level = levelOf(trace, tree, parts, { room, whole });
    this.levels.set(`${key} ${room}`, level);
    return level;
  }

  /** The parts that a box opens to: of one part what is inside. @param {Box} box */
  inside({ parts }) {
    let inner = parts.length > 1 ? parts : parts[0].children;
    while (inner.length === 1 && inner[0].children.length) inner = inner[0].children;
    return inner;
  }

  /** Whether the smallest gradients, of a pass that has parameters, stand beside what is open. */
  isBeside() {
    return this.width >= WIDE && Boolean(this.moment?.tree.root.parameters.length);
  }

  /** Levels from outside in, and what is open in each. */
  arrange() {
    const { moment, chosen, closed } = this;
    if (!moment) return;
    const outer = this.level(outermost(moment.tree.root), "", roomIn(this.width), true);
    /** @type {{level: Level, open: Box | null}[]} */
    const levels = [{ level: outer, open: null }];
    const wide = (this.isBeside() ? this.width - LIST - 14 : this.width) - 26;
    const keys = chosen ?? (closed ? [] : this.followed(outer));
    for (const key of keys) {
      const last = levels[levels.length - 1];
      const box = last.level.boxes.find((each) => each.key === key);
      if (!box?.opens) break;
      last.open = box;
      levels.push({ level: this.level(this.inside(box), box.key, roomIn(wide), false), open: null });
    }
    this.shown = levels.map(({ level, open }, i) => {
      const bars = level.boxes.some(({ parameters, each }) => parameters.length || each.length);
      return { level, open, placed: placeLevel(level, { width: i ? wide : this.width, height: bars ? TALL : LOW }) };
    });
  }

  /** What the pass is in: a box, and of several alike ones the one. @param {Level} outer @returns {string[]} */
  followed({ boxes }) {
    const { tree, t, now } = /** @type {Moment} */ (this.moment);
    const ops = [...tree.of.values()];
    const at = now ?? (t <= tree.band.start + 1 ? ops[0] : ops[ops.length - 1]);
    const own = new Set(chain(at));
    const i = boxes.findIndex(({ parts }) => parts.some((part) => own.has(part)));
    const box = boxes.slice(Math.max(0, i)).find(({ opens }) => opens) ?? boxes.filter(({ opens }) => opens).at(-1);
    if (!box) return [];
    if (box.parts.length === 1) return [box.key];
    const part =
      box.parts.find((each) => own.has(each)) ?? box.parts[t <= box.parts[0].first ? 0 : box.parts.length - 1];
    return part.children.length > 1 ? [box.key, part.id] : [box.key];
  }

  // --- painting

  paint() {
    const { moment } = this;
    if (!moment || !this.width) return;
    this.arrange();
    const [outer] = this.shown;
    const inner = this.shown.length > 1 ? this.shown[this.shown.length - 1] : null;
    this.said.textContent = this.words(outer.level);
    this.element.classList.toggle("beside", this.isBeside());
    this.paintStrip(this.outer, outer, true);
    this.paintFinding(outer);
    this.panel.hidden = !inner;
    if (inner) {
      this.paintPath();
      this.paintStrip(this.inner, inner, false);
    }
    this.paintSmallest();
  }

  /** What the drawing means. @param {Level} level */
  words({ boxes }) {
    const { trace } = /** @type {Moment} */ (this.moment);
    const { low, high } = this.scale;
    const power = (/** @type {number} */ x) => formatNumber(Number(`1e${x}`));
    const bars = boxes.some(({ parameters }) => parameters.length)
      ? "Bars: ‖grad‖ of each parameter."
      : boxes.some(({ each }) => each.length)
        ? "Bars: ‖g‖ at each iteration."
        : "";
    const { recorded, skipped } = trace.document.limits;
    const part =
      recorded && skipped
        ? `Recorded: ${count(recorded.ops)} of ${count(recorded.ops + skipped.ops)} operations; hatched = not recorded.`
        : "";
    const held = this.heaviest ? `Line at the foot: bytes held for backward, at most ${bytes(this.heaviest)}.` : "";
    const way = isUpright(this.width) ? "top to bottom" : "left to right";
    return [
      `The gradient goes ${way}, from the loss to the inputs.`,
      `Ribbon and number: its length ‖g‖ = √Σg² (log scale, ${power(low)} to ${power(high)}).`,
      bars,
      held,
      "Dashed = not yet.",
      part,
    ].join(" ");
  }

  /** @param {ReturnType<typeof strip>} into @param {Shown} what @param {boolean} whole */
  paintStrip(into, { level, placed, open }, whole) {
    const { boxes } = level;
    into.element.classList.toggle("upright", placed.upright);
    into.element.style.height = `${placed.height}px`;
    into.svg.setAttribute("width", String(placed.width));
    into.svg.setAttribute("height", String(placed.height));
    morph(into.svg, [...this.linesOf(level, placed, whole)]);
    const signs = whole ? this.signsOf(boxes) : [];
    const numbered = boxes.map((_, i) => signs.filter(({ box }) => box === i).map(({ sign }) => sign));
    showKeyed(
      into.boxes,
      boxes.map((box, i) => ({
        key: box.key,
        look: this.looks(box, placed, i, box === open, numbered[i]),
        make: () => this.box(box, placed, i, box === open, numbered[i]),
      })),
    );
  }

  /** @param {Box} box @returns {"now" | "later" | "past"} */
  phase(box) {
    const { t, now } = /** @type {Moment} */ (this.moment);
    if (now && chain(now).some((part) => box.parts.includes(part))) return "now";
    if (!box.arriving || box.arriving.time >= t) return "later";
    return box.arriving.time === t - 1 && box.leaf ? "now" : "past";
  }

  /** Whether what arrives at a box is there. @param {Norm | null} norm */
  there(norm) {
    return norm !== null && norm.time < /** @type {Moment} */ (this.moment).t;
  }

  /**
   * All that a box depends on.
   * @param {Box} box @param {Placed} placed @param {number} i @param {boolean} open @param {Sign[]} signs
   */
  looks(box, placed, i, open, signs) {
    const { x, y, w, h: high } = placed.boxes[i];
    const norms = [box.arriving, ...box.parameters.slice(0, BARS).map(({ grad }) => grad), ...sample(box.each, BARS)];
    const past = norms.map((norm) => (this.there(norm) ? "1" : "0")).join("");
    const { id } = this.selected ?? {};
    const chosen = id !== undefined && (box.leaf === id || box.parts[0]?.node === id);
    return [
      x,
      y,
      w,
      high,
      open,
      chosen,
      this.phase(box),
      past,
      signs.map(({ number }) => number),
      this.heldBy(box).now,
    ].join();
  }

  /** @param {Box} box @param {Placed} placed @param {number} i @param {boolean} open @param {Sign[]} signs */
  box(box, placed, i, open, signs) {
    const phase = this.phase(box);
    const { x, y, w, h: high } = placed.boxes[i];
    const { id } = this.selected ?? {};
    const chosen = id !== undefined && (box.leaf === id || box.parts[0]?.node === id);
    const there = this.there(box.arriving);
    const held = this.heldBy(box);
    const where = { later: "not yet", now: "running now", past: "" }[phase];
    const element = h(
      "button",
      {
        type: "button",
        class: `flow-box ${phase}${open ? " open" : ""}${box.leaf ? " leaf" : ""}${chosen ? " selected" : ""}`,
        "aria-expanded": box.opens ? String(open) : null,
        title:
          `${box.name}${box.type ? ` · ${box.type}` : ""}${there ? "" : " · its gradient has not arrived yet"}` +
          `${held.first ? ` · holds ${bytes(held.now)} for backward` : ""}`,
        dataset: { box: box.key },
      },
      h("span", { class: "flow-name" }, h("bdi", { dir: "ltr" }, box.name)),
      h("span", { class: "flow-type" }, box.type),
      h(
        "span",
        { class: "flow-norm" },
        this.norm(box),
        where ? h("span", { class: "visually-hidden" }, ` ${where}`) : null,
      ),
      this.bars(box, w),
      held.first ? foot(held.now / this.heaviest) : null,
      signs.map(({ number: n, wrong }) =>
        h("i", { class: `flow-sign${wrong ? " wrong" : ""}`, title: `finding ${n}` }, String(n)),
      ),
    );
    Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${high}px` });
    return element;
  }

  /** The length of what arrives. @param {Box} box */
  norm({ arriving }) {
    return arriving && this.there(arriving) ? written(arriving) : "—";
  }

  /**
   * Bars, one for each parameter, or for each part; what has not arrived is of no height.
   * @param {Box} box @param {number} width
   */
  heights({ parameters, each }, width) {
    const most = barsIn(width, parameters.length || each.length);
    const norms = parameters.length ? parameters.slice(0, most).map(({ grad }) => grad) : sample(each, most);
    return norms.map((norm) => {
      const there = this.there(norm);
      return { there, high: there && norm ? Math.max(2, Math.round(placeOf(this.scale, norm.norm) * BAR)) : HOLLOW };
    });
  }

  /** What has not arrived is hollow. @param {Box} box @param {number} width */
  bars(box, width) {
    const heights = this.heights(box, width);
    if (!heights.length) return null;
    const left = box.parameters.length - heights.length;
    const more = left > 0 ? h("span", { class: "flow-more" }, `+${left}`) : null;
    return h(
      "span",
      { class: "flow-bars", "aria-hidden": "true" },
      heights.map(({ there, high }) => {
        const bar = h("i", { class: there ? "past" : "later" });
        bar.style.height = `${high}px`;
        return bar;
      }),
      more,
    );
  }

  /** @param {Level} level @param {Placed} placed @param {boolean} whole @returns {Generator<SVGElement>} */
  *linesOf({ boxes, links }, placed, whole) {
    const { t } = /** @type {Moment} */ (this.moment);
    const { scale } = this;
    const { upright } = placed;
    const most = WIDEST * (upright ? 60 : (placed.boxes[0]?.h ?? 0));
    const wide = (/** @type {number} */ norm) =>
      Number.isNaN(norm) ? most : Math.max(LEAST, placeOf(scale, norm) * most);
    const phase = (/** @type {Norm} */ { time }) => (time < t ? (time === t - 1 ? "now" : "past") : "later");
    for (const [i, box] of boxes.entries()) {
      const place = placed.boxes[i];
      for (const way of box.around) {
        yield s("path", {
          class: `flow-arc small ${way.time < t ? "past" : "later"}`,
          d: smallArc(place, way, upright),
        });
      }
      const next = boxes[i + 1];
      if (!next) continue;
      const link = links.find(({ from, to }) => from === i && to === i + 1);
      const there = placed.boxes[i + 1];
      if (!link) {
        const unseen = next.leaf && whole && !links.some(({ to }) => to === i + 1);
        if (unseen && there.row === place.row)
          yield s("path", { class: "flow-unseen", d: ribbon(place, there, 14, 14, upright) });
        continue;
      }
      const at = phase(link.flow);
      if (there.row !== place.row) {
        yield s("path", { class: `flow-arc return ${at}`, d: returnPath(placed, place, there) });
        continue;
      }
      const from = box.arriving && box.arriving.time < t ? wide(box.arriving.norm) : 10;
      const d =
        at === "later"
          ? ribbon(place, there, 10, 10, upright)
          : ribbon(
              place,
              there,
              from,
              wide(next.arriving && this.there(next.arriving) ? next.arriving.norm : link.flow.norm),
              upright,
            );
      yield s("path", { class: `flow-ribbon ${at}${Number.isNaN(link.flow.norm) ? " nan" : ""}`, d });
    }
    const around = new Set(skipsAmong(links));
    for (const arc of placed.arcs) {
      const { flow } = arc.link;
      const at = phase(flow);
      const { d, top } = arcPath(placed, arc);
      const path = s("path", { class: `flow-arc ${at}`, d });
      if (at !== "later") path.style.strokeWidth = String(1.5 + 4 * placeOf(scale, flow.norm));
      yield path;
      const alone = placed.arcs.length <= 3;
      if (at !== "later" && alone && !upright && around.has(arc.link)) {
        yield s(
          "text",
          { class: "flow-around", x: top.x, y: top.y - 5, "text-anchor": "middle" },
          `${written(flow)} goes around`,
        );
      }
    }
  }

  /** Where it is that the open level belongs: names that lead back out. */
  paintPath() {
    const { t } = /** @type {Moment} */ (this.moment);
    const opened = this.shown.flatMap(({ open }) => open ?? []);
    const box = opened[opened.length - 1];
    const part = box.parts.length === 1 ? box.parts[0] : null;
    const group = part && part.kind !== "loop" && part.kind !== "turn" ? part : null;
    this.kept.textContent = this.held?.words(box) ?? "";
    morph(this.path, [
      ...opened.flatMap(({ name, key }, i) => [
        i ? h("span", { class: "flow-into" }, "›") : null,
        i < opened.length - 1
          ? h("button", { type: "button", class: "link-button", dataset: { out: String(i), level: key } }, name)
          : h("b", { class: this.phase(box) === "now" ? "now" : null }, part?.kind === "turn" ? part.name : name),
      ]),
      h("span", { class: "flow-kind" }, box.type),
      this.there(box.arriving) ? null : h("span", { class: "flow-kind" }, t ? "not reached yet" : ""),
      h("span", { class: "flow-hint" }, "click a box to open it · Esc closes"),
      group ? h("button", { type: "button", class: "link-button", dataset: { ops: group.id } }, "as a graph") : null,
    ]);
  }

  /** What arrived so far, the smallest first. */
  paintSmallest() {
    const { trace, tree } = /** @type {Moment} */ (this.moment);
    const there = tree.root.parameters.filter(({ grad }) => this.there(grad));
    this.smallest.hidden = !tree.root.parameters.length;
    there.sort((a, b) => (a.grad?.norm ?? 0) - (b.grad?.norm ?? 0));
    const { scale } = this;
    showKeyed(
      this.list,
      there.length
        ? there.slice(0, SMALLEST).map(({ tensor, name, grad }) => ({
            key: tensor,
            look: `${name} ${grad?.norm}`,
            make: () =>
              smallestRow(
                tensor,
                [name, cutName(trace, name, NAME)],
                /** @type {Norm} */ (grad),
                placeOf(scale, grad?.norm ?? 0),
              ),
          }))
        : [
            {
              key: "none",
              look: "",
              make: () => h("li", { class: "flow-none" }, "No gradient has arrived in a leaf yet."),
            },
          ],
    );
  }

  // --- findings

  /** Findings, and the boxes that they are seen at. @param {Box[]} boxes */
  signsOf(boxes) {
    const { trace, tree } = /** @type {Moment} */ (this.moment);
    return this.signs.flatMap((sign) => {
      const { item } = sign;
      const node =
        item?.kind === "op"
          ? trace.ops.get(item.id)?.node
          : item?.kind === "tensor"
            ? trace.tensors.get(item.id)?.grad_fn
            : item?.kind === "node"
              ? item.id
              : null;
      const own = new Set(chain(tree.of.get(node ?? "") ?? null));
      const leaf = item?.kind === "tensor" && !node ? item.id : null;
      const box = boxes.findIndex(
        ({ parts, parameters, leaf: tensor }) =>
          parts.some((part) => own.has(part)) ||
          (leaf && (tensor === leaf || parameters.some((each) => each.tensor === leaf))),
      );
      return box < 0 ? [] : [{ sign, box }];
    });
  }

  /**
   * The finding that is open, or the first, at its box: once the pass is through there, for it tells of numbers.
   * @param {{level: Level, placed: Placed}} outer
   */
  paintFinding({ level, placed }) {
    const { t } = /** @type {Moment} */ (this.moment);
    const over = this.signsOf(level.boxes).filter(({ box }) => {
      const { parts, parameters, arriving } = level.boxes[box];
      const last = parts[parts.length - 1]?.last ?? -1;
      return last < t && [arriving, ...parameters.map(({ grad }) => grad)].every((norm) => !norm || norm.time < t);
    });
    const found = over.find(({ sign }) => sign.open) ?? over.find(({ sign }) => sign.t !== null) ?? over[0];
    this.finding.hidden = !found;
    if (!found) return;
    const { x, w, row } = placed.boxes[found.box];
    morph(this.finding, [
      h("i", { class: `flow-sign${found.sign.wrong ? " wrong" : ""}` }, String(found.sign.number)),
      h("span", null, found.sign.headline),
    ]);
    this.finding.dataset.finding = String(found.sign.number - 1);
    const last = placed.upright || row === placed.rows - 1;
    this.finding.classList.toggle("stem", last && !placed.upright);
    const left = placed.upright ? 0 : Math.max(0, Math.min(x + w / 2 - 60, placed.width - 420));
    this.finding.style.marginLeft = `${left}px`;
    this.finding.style.setProperty("--stem", `${Math.round(x + w / 2 - left)}px`);
  }

  /** @param {readonly Sign[]} signs */
  sign(signs) {
    this.signs = signs;
    if (this.moment) this.paint();
  }

  // --- choosing

  /** @param {MouseEvent} event */
  clicked(event) {
    const target = event.target instanceof Element ? event.target.closest("button") : null;
    if (!target) return;
    const { box, out, ops, tensor, finding } = target.dataset;
    const { moment } = this;
    if (finding !== undefined) this.handlers.onFinding(Number(finding));
    else if (tensor) this.handlers.onSelect({ kind: "tensor", id: tensor });
    else if (out) this.open(this.opened().slice(0, Number(out) + 1));
    else if (ops && moment) {
      const part = this.shown.flatMap(({ open }) => open?.parts ?? []).find(({ id }) => id === ops);
      if (part) this.handlers.onOps(part);
    } else if (box) this.activate(box, this.outer.boxes.contains(target) ? 0 : this.shown.length - 1);
  }

  /** Keys of what is open, from outside in. */
  opened() {
    return this.shown.flatMap(({ open }) => (open ? [open.key] : []));
  }

  /** @param {string} key @param {number} depth of its level */
  activate(key, depth) {
    const box = this.shown[depth]?.level.boxes.find((each) => each.key === key);
    if (!box) return;
    if (box.leaf) this.handlers.onSelect({ kind: "tensor", id: box.leaf });
    else if (!box.opens) this.handlers.onSelect({ kind: "node", id: box.parts[0].node ?? "" });
    else if (this.shown[depth].open === box && this.shown.length === depth + 2) this.close();
    else this.open([...this.opened().slice(0, depth), key]);
  }

  /** @param {string[]} keys */
  open(keys) {
    this.chosen = keys;
    this.closed = false;
    this.paint();
    let part = this.shown.flatMap(({ open }) => open?.parts[0] ?? []).at(-1) ?? null;
    while (part?.children.length) [part] = part.children;
    this.part = part;
    this.handlers.onLook();
  }

  /** Close the innermost level. @returns {boolean} whether one was open */
  close() {
    const open = this.opened();
    if (!open.length) return false;
    const key = open[open.length - 1];
    this.chosen = open.length > 1 ? open.slice(0, -1) : null;
    this.closed = this.chosen === null;
    const inside = this.panel.contains(document.activeElement);
    this.paint();
    if (inside) this.focus(key, open[0]);
    this.handlers.onLook();
    return true;
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const at = event.target instanceof Element ? event.target.closest("[data-box]") : null;
    if (event.key === "Escape" && this.selected) return; // it is let go of first
    if (event.key === "Escape" && this.close()) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (!at?.parentElement) return;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const down = event.key === "ArrowDown" && this.outer.boxes.contains(at) && !isUpright(this.width);
    const up = event.key === "ArrowUp" && this.inner.boxes.contains(at) && !isUpright(this.width);
    const outer = this.shown[0]?.open?.key;
    if (down && this.shown.length > 1) this.focus(this.shown[this.shown.length - 1].level.boxes[0].key);
    else if (up && outer) this.focus(outer);
    else {
      const all = [...at.parentElement.children];
      const next = all[all.indexOf(at) + step];
      if (next instanceof HTMLElement) next.focus();
    }
  }

  /** Focus the first of these boxes that there is: with other room they are others. @param {string[]} keys */
  focus(...keys) {
    const boxes = [.../** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll("[data-box]"))];
    const found = keys.flatMap((key) => boxes.filter(({ dataset }) => dataset.box === key));
    found[0]?.focus();
  }

  /** @param {Reference | null} item @param {Part | null} part  where it lies */
  select(item, part) {
    this.selected = item;
    this.part = part ?? this.part;
    if (part && this.moment) this.openTo(part);
    if (this.moment) this.paint();
  }

  /** Open the levels around a part. @param {Part} part */
  openTo(part) {
    this.chosen = [];
    const own = new Set(chain(part));
    for (;;) {
      this.arrange();
      const { level } = this.shown[this.shown.length - 1];
      const box = level.boxes.find(({ parts, opens }) => opens && parts.some((each) => own.has(each)));
      if (!box || box.parts[0] === part || this.chosen.includes(box.key)) break;
      this.chosen.push(box.key);
    }
    if (!this.chosen.length) this.chosen = null;
    else this.closed = false;
  }

  /** @param {boolean} close */
  fold(close) {
    if (close) this.close();
    else {
      this.closed = false;
      this.paint();
    }
  }
}

/** @param {string} name @param {string} label */
function strip(name, label) {
  const svg = s("svg", { class: "flow-lines", "aria-hidden": "true" });
  const boxes = h("div", { class: "flow-boxes", role: "group", "aria-label": label });
  return { element: h("div", { class: `flow-strip ${name}` }, svg, boxes), svg, boxes };
}

/** What a box holds for backward, below its frame. @param {number} share of the most that one does */
function foot(share) {
  const bar = h("b");
  bar.style.width = `${100 * share}%`;
  return h("span", { class: "flow-held", "aria-hidden": "true" }, bar);
}

/** @param {Norm} norm */
const written = ({ norm, exact }) => `${exact ? "" : "≈"}${formatNumber(Number(norm.toPrecision(3)))}`;

/** @param {number} x */
const count = (x) => x.toLocaleString("en");

/**
 * How many of so many bars a box has room for, and for saying how many it has not.
 * @param {number} width @param {number} all
 */
const barsIn = (width, all) => {
  const room = Math.floor((width - 8) / BAR_W);
  return all <= Math.min(BARS, room) ? all : Math.max(1, Math.min(BARS, room - 4));
};

/**
 * Some of many, evenly: the first and the last among them.
 * @param {(Norm | null)[]} norms @param {number} most
 */
const sample = (norms, most) =>
  norms.length <= most
    ? norms
    : Array.from({ length: most }, (_, i) => norms[Math.round((i * (norms.length - 1)) / Math.max(1, most - 1))]);

/** @param {string} tensor @param {string[]} names  whole, and cut @param {Norm} grad @param {number} part  0 … 1 */
function smallestRow(tensor, [name, short], grad, part) {
  const fill = h("b", { class: "map-fill" });
  fill.style.width = `${Math.max(4, Math.round(part * 100))}%`;
  return h(
    "li",
    null,
    h(
      "button",
      { type: "button", title: name, dataset: { tensor } },
      h("span", { class: "flow-name" }, h("bdi", { dir: "ltr" }, short)),
      h("i", { class: "map-bar", "aria-hidden": "true" }, fill),
      h("span", null, written(grad)),
    ),
  );
}
