/**
 * A large pass in place of its graph: the path of the gradient, or a table for those who sort. Both follow the step at
 * hand.
 * @module
 */
import { stateAt } from "../trace.js";
import { h } from "../ui/dom.js";
import { folding } from "../ui/folding.js";
import { sheet } from "../ui/sheet.js";
import { Flow } from "./flow.js";
import { ModuleMap } from "./map.js";
import { chain } from "./rows.js";
import { passTree } from "./tree.js";

/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../scene/navigate.js").Reference} Reference */
/** @typedef {import("./tree.js").PassTree} PassTree */
/** @typedef {import("./tree.js").Part} Part */

/**
 * @typedef {object} MapHandlers
 * @property {(item: Reference) => void} onSelect
 * @property {(part: Part | null) => void} onGraph  every op; a part is opened among them
 * @property {(t: number) => void} onTime
 * @property {(index: number) => void} onFinding
 * @property {() => void} [onLook]
 */

/** Whether the reader sorts. */
const asTable = folding("map-table");

/** Its style sheet comes with it. */
export const dressed = sheet("map.css");

/** @param {HTMLElement} element  an empty box @param {MapHandlers} handlers */
export const createMap = (element, handlers) => new MapPane(element, handlers);

class MapPane {
  /** @param {HTMLElement} element @param {MapHandlers} handlers */
  constructor(element, handlers) {
    this.element = element;
    element.classList.add("map");
    const onLook = () => handlers.onLook?.();
    /** @param {string} name @param {() => void} onclick */
    const view = (name, onclick) => h("button", { type: "button", onclick }, name);
    this.views = [view("path", () => this.show(false)), view("table", () => this.show(true))];
    const all = view("all ops", () => handlers.onGraph(null));
    this.room = h("div", { class: "flow" });
    this.list = h("div", { class: "map-table" });
    element.append(
      h(
        "div",
        { class: "map-top" },
        h("h2", null, "Where does the gradient go?"),
        h("div", { class: "map-views", role: "group", "aria-label": "How it is shown" }, this.views, all),
      ),
      this.room,
      this.list,
    );
    this.flow = new Flow(this.room, {
      onSelect: handlers.onSelect,
      onOps: handlers.onGraph,
      onTable: () => this.show(true),
      onFinding: handlers.onFinding,
      onLook,
    });
    this.table = new ModuleMap(this.list, { onSelect: handlers.onSelect, onTime: handlers.onTime, onLook });
    this.onLook = onLook;
    /** @type {Trace | null} */
    this.trace = null;
    this.t = 0;
    this.sorted = asTable.open;
    this.mark();
    new ResizeObserver(() => this.resized()).observe(this.room);
    this.room.addEventListener("scroll", onLook);
  }

  /**
   * @param {Trace} trace
   * @param {number} t
   * @param {boolean} keep what is open
   * @param {{opened: string[], closed: string[]} | null} [look] what the reader had opened and closed
   */
  setTrace(trace, t, keep, look = null) {
    this.trace = trace;
    if (!keep || look) this.flow.begin(this.sorted ? null : look);
    this.table.setTrace(trace, keep, this.sorted ? look : null);
    this.render(t);
  }

  /** @param {number} t */
  render(t) {
    const { trace } = this;
    if (!trace) return;
    this.t = t;
    const tree = treeAt(trace, t);
    if (!tree) return;
    const moment = { trace, tree, t, now: partAt(trace, tree, t) };
    if (this.sorted) this.table.render(moment);
    else {
      this.flow.render(moment);
      this.reveal();
    }
  }

  /** Scroll only as far as the box at hand is out of sight. */
  reveal() {
    const { room } = this;
    const box = room.scrollHeight > room.clientHeight ? this.flow.busy() : null;
    if (!box) return;
    if (box.top < room.scrollTop) room.scrollTop = box.top - MARGIN;
    else if (box.bottom > room.scrollTop + room.clientHeight) room.scrollTop = box.bottom - room.clientHeight + MARGIN;
  }

  /** @param {boolean} sorted  as a table */
  show(sorted) {
    this.sorted = sorted;
    asTable.remember(sorted);
    this.mark();
    this.resized();
    this.render(this.t);
    this.onLook();
  }

  mark() {
    const [path, table] = this.views;
    path.setAttribute("aria-pressed", String(!this.sorted));
    table.setAttribute("aria-pressed", String(this.sorted));
    this.element.classList.toggle("sorted", this.sorted);
  }

  resized() {
    const { clientWidth } = this.room;
    const inset = 2 * INSET;
    if (clientWidth > inset && clientWidth - inset !== this.flow.width) this.flow.resize(clientWidth - inset);
  }

  look() {
    if (this.sorted) return this.table.look();
    const { scrollTop } = this.room;
    return { ...this.flow.look(), camera: scrollTop > 0 ? { k: 1, x: 0, y: scrollTop } : null };
  }

  /** @param {number} top */
  scrollTo(top) {
    if (this.sorted) this.table.scrollTo(top);
    else this.room.scrollTop = top;
  }

  /** @param {readonly import("../findings/finding.js").Sign[]} signs */
  sign(signs) {
    this.flow.sign(signs);
  }

  /** Close the innermost level of the path. @returns {boolean} whether one was open */
  closeLevel() {
    return !this.sorted && this.flow.close();
  }

  /** @param {boolean} close */
  fold(close) {
    if (this.sorted) this.table.fold(close);
    else this.flow.fold(close);
  }

  /** @param {Reference | null} item */
  select(item) {
    const tree = this.trace && treeAt(this.trace, this.t);
    const part = item && tree && this.trace ? partOf(this.trace, tree, item) : null;
    this.flow.select(item, this.sorted ? null : part);
    this.table.select(item, part);
  }

  /**
   * The pass as it stands, to leave the page.
   * @param {import("../scene/colour.js").Palette} palette @param {import("../scene/marks.js").Measure} measure
   * @returns {Promise<import("../paint/drawing.js").Picture | null>}
   */
  async picture(palette, measure) {
    const { trace, t, table } = this;
    const tree = trace && treeAt(trace, t);
    if (!tree) return null;
    if (!this.sorted) {
      const { drawPath } = await import("./picture.js");
      return { drawing: drawPath(this.flow.drawn()), keys: [], palette, measure };
    }
    const { drawMap } = await import("./drawing.js");
    const now = partAt(trace, tree, t);
    table.render({ trace, tree, t, now });
    return { drawing: drawMap(table.shown, { tree, t, now, measure }), keys: [], palette, measure };
  }

  /** @param {string} query @returns {Reference[]} */
  search(query) {
    const words = query.trim().toLowerCase();
    const tree = this.trace && treeAt(this.trace, this.t);
    if (!words || !tree) return [];
    /** @type {Reference[]} */
    const found = [];
    for (const [node, op] of tree.of) {
      const names = chain(op).map((part) => `${part.name} ${part.type}`.toLowerCase());
      if (names[0].includes(words) || names.slice(1).some((name) => name.includes(words)))
        found.push({ kind: "node", id: node });
    }
    for (const { tensor, name } of tree.root.parameters) {
      if (name.toLowerCase().includes(words)) found.push({ kind: "tensor", id: tensor });
    }
    return found;
  }
}

/** px on either side, as the style sheet has it; and around a box that comes into sight. */
const INSET = 18;
const MARGIN = 24;

/** The pass that runs at t, or ran last, or comes first. @param {Trace} trace @param {number} t */
function treeAt(trace, t) {
  if (!trace.bands.length) return null;
  const begun = trace.bands.filter((band) => band.start < t);
  const band = begun.find((each) => t < each.end) ?? begun[begun.length - 1] ?? trace.bands[0];
  return passTree(trace, band);
}

/** The op that the pass is at. @param {Trace} trace @param {PassTree} tree @param {number} t @returns {Part | null} */
function partAt(trace, tree, t) {
  const event = stateAt(trace, t).event;
  const node = event && "node" in event ? (event.node ?? null) : null;
  const leaf = event?.kind === "accumulate" || (node && trace.nodes.get(node)?.variable);
  return tree.of.get((leaf ? senderTo(trace, tree, node, t) : node) ?? "") ?? null;
}

/**
 * The op whose gradient went into a leaf last.
 * @param {Trace} trace @param {PassTree} tree @param {string | null} node of the leaf @param {number} t
 */
function senderTo(trace, { band }, node, t) {
  for (let i = t - 1; i >= band.start; i--) {
    const event = trace.events[i];
    if (event.kind === "node" && event.sends.some((send) => send.to === node)) return event.node;
  }
  return null;
}

/** Where an item lies in a pass. @param {Trace} trace @param {PassTree} tree @param {Reference} item */
function partOf(trace, tree, item) {
  if (item.kind !== "tensor") return tree.of.get(item.id) ?? null;
  const node = trace.tensors.get(item.id)?.grad_fn;
  const users = [...tree.of.values()];
  return (
    (node ? tree.of.get(node) : null) ??
    users.find(({ parameters }) => parameters.some(({ tensor }) => tensor === item.id)) ??
    null
  );
}
