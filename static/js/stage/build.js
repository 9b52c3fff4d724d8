/**
 * The elements of the pane, besides the words that are there already: a canvas below, one SVG above it, the minimap in
 * a corner; under them the shelf of leaves and the key; over all of it the map of modules, where a program is large.
 * @module
 */

/** @param {HTMLElement} element */
export function buildPane(element) {
  element.classList.add("stage");
  const aside = /** @type {HTMLElement} */ (element.firstElementChild);
  const room = element.appendChild(document.createElement("div"));
  room.className = "stage-room";
  const canvas = surface(room, "stage-canvas");
  const svg = add("svg", room, "stage-svg");
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", "Graph of the program. Arrow keys follow its edges, Enter selects.");
  const world = add("g", svg, "world");
  const drops = add("g", svg, "drops");
  const [halos, picture, signs, sprites, focus] = ["halos", "picture", "signs", "sprites", "focus"].map((name) =>
    add("g", world, name),
  );
  const shelf = buildShelf(element);
  const key = element.appendChild(document.createElement("div"));
  key.className = "stage-key";
  const ways = add("svg", key, "stage-ways");
  ways.setAttribute("aria-hidden", "true");
  const legend = add("svg", key, "stage-legend");
  legend.setAttribute("role", "img");
  legend.setAttribute(
    "aria-label",
    "Values are computed upwards, gradients come back downwards. Colour is the sign of a gradient: orange negative, " +
      "grey zero, blue positive. Dotted: not yet. Hatched: None.",
  );
  const tip = room.appendChild(document.createElement("div"));
  tip.className = "stage-tip";
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true");
  const more = room.appendChild(document.createElement("button"));
  more.type = "button";
  more.className = "stage-more";
  more.hidden = true;
  const note = room.appendChild(document.createElement("div"));
  note.className = "stage-note";
  const modules = element.appendChild(document.createElement("div"));
  const back = element.appendChild(document.createElement("button"));
  back.type = "button";
  back.className = "stage-back";
  back.textContent = "Modules";
  return {
    aside,
    room,
    canvas,
    svg,
    modules,
    back,
    world,
    halos,
    picture,
    signs,
    sprites,
    focus,
    legend,
    ways,
    key,
    tip,
    more,
    note,
    map: surface(room, "stage-minimap"),
    shelf: { ...shelf, drops },
  };
}

/** @param {HTMLElement} element */
function buildShelf(element) {
  const box = element.appendChild(document.createElement("div"));
  box.className = "stage-shelf";
  box.hidden = true;
  const svg = /** @type {SVGSVGElement} */ (add("svg", box, "shelf-svg"));
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", "Leaves, and what backward() leaves in their .grad.");
  const world = add("g", svg, "world");
  const [edges, halos, items, ghosts, signs, strip, focus] = [
    ...["edges", "halos", "items", "ghosts", "signs", "strip", "focus"],
  ].map((name) => add("g", world, name));
  return { box, svg, world, edges, halos, items, ghosts, signs, strip, focus };
}

/** @param {HTMLElement} parent @param {string} className */
function surface(parent, className) {
  const canvas = parent.appendChild(document.createElement("canvas"));
  canvas.className = className;
  canvas.setAttribute("aria-hidden", "true");
  return canvas;
}

/** @param {string} name @param {Element} parent @param {string} className @returns {SVGElement} */
function add(name, parent, className) {
  const child = document.createElementNS("http://www.w3.org/2000/svg", name);
  child.setAttribute("class", className);
  parent.append(child);
  return /** @type {SVGElement} */ (child);
}
