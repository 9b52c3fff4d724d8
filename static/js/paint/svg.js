/**
 * Paints a scene as SVG elements and changes only what differs. Good to about a thousand items.
 * @module
 */
import { select } from "../../vendor/d3.js";
import { drawLegend, drawWays, isNarrow, LEGEND, looksOf, WAYS } from "../scene/legend.js";
import { titleScale, titlesAt } from "../scene/titles.js";
import { arrowHead, attributesOf, resolve, signMark } from "./attributes.js";

/** @typedef {import("../scene/scene.js").Scene} Scene */
/** @typedef {import("../scene/moment.js").Moment} Moment */
/** @typedef {import("../scene/marks.js").Mark} Mark */
/** @typedef {import("../scene/colour.js").Palette} Palette */
/** @typedef {{x: number, y: number, k: number}} View */

const NS = "http://www.w3.org/2000/svg";
const CULL_ABOVE = 120;

/**
 * Make the children of an element show these marks.
 * @param {Element} parent
 * @param {readonly Mark[]} marks
 * @param {Palette} palette
 * @param {number} [skip] children to leave alone at the start
 */
export function paintMarks(parent, marks, palette, skip = 0) {
  marks.forEach((mark, i) => {
    let element = parent.children[i + skip];
    if (!element || element.nodeName !== mark.type) {
      const fresh = document.createElementNS(NS, mark.type);
      if (element) element.replaceWith(fresh);
      else parent.append(fresh);
      element = fresh;
    }
    setAttributes(element, attributesOf(mark, palette));
    const detail = mark.detail ? `d${mark.detail}` : "";
    if (element.getAttribute("class") !== detail) element.setAttribute("class", detail);
    if (mark.type === "text" && element.textContent !== mark.text) element.textContent = mark.text;
  });
  while (parent.children.length > marks.length + skip) parent.lastElementChild?.remove();
}

/**
 * Chips, packets and notes: one group each, kept as long as its key.
 * @param {Element} layer
 * @param {import("../scene/motion.js").Sprite[]} sprites
 * @param {Palette} palette
 */
export function paintSprites(layer, sprites, palette) {
  select(layer)
    .selectAll("g.sprite")
    .data(sprites, (d) => /** @type {{key: string}} */ (d).key)
    .join((enter) =>
      enter
        .append("g")
        .attr("class", "sprite")
        .attr("data-key", (d) => d.key),
    )
    .attr("transform", (d) => `translate(${d.x.toFixed(1)} ${d.y.toFixed(1)})`)
    .attr("opacity", (d) => (d.opacity < 1 ? d.opacity.toFixed(2) : null))
    .each(function (d) {
      paintMarks(/** @type {Element} */ (this), d.marks, palette);
    });
}

/**
 * @param {Element} element an svg of its own
 * @param {import("../scene/scene.js").Scene | null} scene
 * @param {number} room width of the pane
 * @param {Palette} palette
 * @param {import("../scene/marks.js").Measure} measure
 */
export function paintLegend(element, scene, room, palette, measure) {
  if (!scene) return;
  const { marks, w } = drawLegend(scene.colours, measure, looksOf(scene.trace), isNarrow(room));
  setAttributes(element, { width: w, height: LEGEND.h, viewBox: `0 0 ${w} ${LEGEND.h}` });
  paintMarks(element, marks, palette);
}

/**
 * @param {Element} element an svg of its own
 * @param {number} room width of the pane
 * @param {Palette} palette
 * @param {import("../scene/marks.js").Measure} measure
 */
export function paintWays(element, room, palette, measure) {
  const { marks, w } = drawWays(measure, isNarrow(room));
  setAttributes(element, { width: w, height: WAYS.h, viewBox: `0 0 ${w} ${WAYS.h}` });
  paintMarks(element, marks, palette);
}

/** @type {WeakMap<Element, Record<string, string | number>>} */
const shown = new WeakMap();

/** @param {Element} element @param {Record<string, string | number>} attributes */
function setAttributes(element, attributes) {
  const before = shown.get(element) ?? {};
  for (const name in attributes) {
    if (before[name] !== attributes[name]) element.setAttribute(name, String(attributes[name]));
  }
  for (const name in before) if (!(name in attributes)) element.removeAttribute(name);
  shown.set(element, attributes);
}

export class SvgPainter {
  /** @param {SVGGElement} world  everything is drawn inside, in world coordinates */
  constructor(world) {
    this.root = select(world);
    this.hulls = this.root.append("g").attr("class", "hulls");
    this.linkLayer = this.root.append("g").attr("class", "links");
    this.itemLayer = this.root.append("g").attr("class", "items");
    this.titles = this.root.append("g").attr("class", "titles");
    this.zoom = 1;
    /** @type {SVGGElement[]} */
    this.items = [];
    /** @type {{line: Element, head: Element, glyph: Element}[]} */
    this.links = [];
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {Set<Element>} */
    this.hidden = new Set();
  }

  /** @param {Scene} scene @param {Moment} moment */
  setScene(scene, moment) {
    this.scene = scene;
    const items = this.itemLayer
      .selectAll("g.item")
      .data(
        scene.items.map((item, i) => ({ key: item.key, i })),
        (d) => /** @type {{key: string}} */ (d).key,
      )
      .join("g")
      .attr("class", (d) => `item ${scene.items[d.i].kind}`);
    this.items = /** @type {SVGGElement[]} */ (items.nodes());
    this.paintHulls(scene);
    const links = this.linkLayer
      .selectAll("g.link")
      .data(scene.links)
      .join((enter) => {
        const group = enter.append("g").attr("class", "link");
        group.append("path").attr("fill", "none").attr("stroke-linecap", "round");
        group.append("path").attr("stroke", "none").attr("class", "d2");
        group.append("text").attr("class", "d2");
        return group;
      });
    this.links = links.nodes().map((node) => {
      const [line, head, glyph] = /** @type {Element} */ (node).children;
      return { line, head, glyph };
    });
    for (const element of this.hidden) element.removeAttribute("display");
    this.hidden.clear();
    this.move();
    this.update(moment, null);
  }

  /**
   * Put everything where the scene says, or where it is on its way.
   * @param {{x: ArrayLike<number>, y: ArrayLike<number>, texts: string[], paths: Float64Array[]} | null} [at]
   */
  move(at = null) {
    const scene = this.scene;
    if (!scene) return;
    const { x, y, texts } = at ?? scene;
    this.items.forEach((element, i) =>
      element.setAttribute("transform", `translate(${x[i].toFixed(1)} ${y[i].toFixed(1)})`),
    );
    this.links.forEach(({ line }, j) => line.setAttribute("d", texts[j]));
    this.linkLayer.attr("opacity", at ? 0.55 : null);
    for (const layer of [this.hulls, this.titles]) layer.attr("opacity", at ? 0 : null);
  }

  /** @param {Moment} moment @param {{items: Set<number>, links: Set<number>} | null} changed  null for everything */
  update(moment, changed) {
    const scene = this.scene;
    if (!scene) return;
    const { palette } = scene.colours;
    for (const i of changed?.items ?? scene.items.keys()) {
      paintMarks(this.items[i], scene.marksHere(i, moment), palette);
    }
    for (const j of changed?.links ?? scene.links.keys()) {
      const look = scene.linkLook(j, moment);
      const { line, head, glyph } = this.links[j];
      const stroke = resolve(look.stroke, palette);
      setAttributes(line, {
        fill: "none",
        "stroke-linecap": "round",
        stroke,
        "stroke-width": Math.round(look.width * 10) / 10,
        ...(look.dash ? { "stroke-dasharray": look.dash } : {}),
        ...(look.opacity !== 1 ? { opacity: look.opacity } : {}),
      });
      setAttributes(head, { class: "d2", d: arrowHead(scene.paths[j], look.arrow, look.width), fill: stroke });
      const sign = scene.brief && look.glyph ? signMark(scene, j, look, look.glyph) : null;
      if (sign) setAttributes(glyph, { class: "d2", ...attributesOf(sign, palette) });
      const written = sign?.text ?? "";
      if (glyph.textContent !== written) glyph.textContent = written;
    }
  }

  repaint() {
    if (this.scene) this.paintHulls(this.scene);
  }

  /** @param {Scene} scene */
  paintHulls(scene) {
    const { palette } = scene.colours;
    const layers = /** @type {const} */ ([
      [this.hulls, scene.hullMarks()],
      [this.titles, scene.titleMarks()],
    ]);
    for (const [layer, marks] of layers) {
      layer
        .selectAll("g.hull")
        .data(marks)
        .join("g")
        .attr("class", "hull")
        .each(function (each) {
          paintMarks(/** @type {Element} */ (this), each, palette);
        });
    }
    this.scaleTitles(scene);
  }

  /** @param {Scene} scene */
  scaleTitles(scene) {
    this.titles
      .selectAll("g.hull")
      .data(titlesAt(scene.hulls, scene.measure, this.zoom))
      .attr("display", (at) => (at ? null : "none"))
      .attr("transform", (at) => at && `translate(${at.x} ${at.y}) scale(${at.scale})`);
  }

  /**
   * The world group carries the view already; what is out of sight of a large graph is taken out of the browser's work.
   * @param {View} view
   * @param {{width: number, height: number}} size
   */
  setView(view, size) {
    const scene = this.scene;
    const grown = titleScale(view.k) !== titleScale(this.zoom);
    this.zoom = view.k;
    if (scene && grown) this.scaleTitles(scene);
    if (!scene || scene.items.length < CULL_ABOVE) return;
    const margin = 80 / view.k;
    const x0 = -view.x / view.k - margin;
    const y0 = -view.y / view.k - margin;
    const x1 = (size.width - view.x) / view.k + margin;
    const y1 = (size.height - view.y) / view.k + margin;
    const show = (/** @type {Element} */ element, /** @type {boolean} */ seen) => {
      if (seen === !this.hidden.has(element)) return;
      if (seen) {
        this.hidden.delete(element);
        element.removeAttribute("display");
      } else {
        this.hidden.add(element);
        element.setAttribute("display", "none");
      }
    };
    scene.boxes.forEach(({ x, y, w, h }, i) => show(this.items[i], x < x1 && x + w > x0 && y < y1 && y + h > y0));
    scene.paths.forEach((path, j) => {
      const n = path.length;
      const group = this.links[j].line.parentElement;
      if (group) {
        show(
          group,
          Math.min(path[0], path[n - 2]) < x1 &&
            Math.max(path[0], path[n - 2]) > x0 &&
            Math.min(path[1], path[n - 1]) < y1 + 60 &&
            Math.max(path[1], path[n - 1]) > y0 - 60,
        );
      }
    });
  }

  clear() {
    this.root.selectAll(".hulls > *, .links > *, .titles > *, .items > *").remove();
    this.items = [];
    this.links = [];
    this.hidden.clear();
    this.scene = null;
  }
}
