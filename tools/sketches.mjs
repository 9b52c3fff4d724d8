/**
 * Write static/icons/sketches.svg: a little picture of the graph of every example, for the gallery. Run
 * `npm run sketches` after adding or changing an example; PYTHON names another interpreter than that of .venv.
 *
 * One file of symbols in the page's own ink, asked for when the gallery opens: boxes are tensors (filled: leaves), dots
 * ops.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { indexTrace } from "../static/js/trace.js";
import { layout } from "../static/js/layout/layered.js";
import { standBelow } from "../static/js/paint/drawing.js";
import { LIGHT } from "../static/js/scene/colour.js";
import * as lanes from "../static/js/scene/lanes.js";
import { roughMeasure } from "../static/js/scene/marks.js";
import { draftScene, Scene, wholeGraph } from "../static/js/scene/scene.js";
import { wayDown } from "../static/js/scene/shelf.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const programs = join(root, "app", "examples", "programs");

/** Largest size of a sketch, and the smallest of a box in it. */
const WIDTH = 132;
const HEIGHT = 84;
const BOX = [7, 4];
/** A sketch of more is a smudge: its middle levels are left out. */
const MOST = 90;

/** Documents of programs, one a line. */
const RUN = `import json, sys
import engine
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as program:
        print(json.dumps(engine.run(code=program.read(), seed=0).document))`;

/** @param {readonly string[]} paths  of programs @returns {any[]} their run documents */
function run(paths) {
  const python = process.env.PYTHON ?? join(root, ".venv", "bin", "python");
  const answer = spawnSync(python, ["-c", RUN, ...paths], { cwd: root, maxBuffer: 1 << 28, encoding: "utf8" });
  if (answer.status) throw new Error(answer.stderr);
  return answer.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** @param {any} document @returns {Scene | null} null where there is nothing to draw */
function sceneOf(document) {
  if (!document.tensors.length) return null;
  const whole = wholeGraph(indexTrace(document));
  const view = { width: 780, height: 720 };
  const draft = draftScene(whole, { folded: whole.folded, measure: roughMeasure, palette: LIGHT, view, before: null });
  if (!draft.shown.items.length) return null;
  const scene = new Scene(draft, layout(draft.input), LIGHT);
  if (scene.isBarred()) scene.leadDown(lanes);
  return scene;
}

/**
 * Where a line turns, drawn through the points of another: none of them is further from it than a pixel.
 * @param {number[][]} points @returns {number[][]}
 */
export function turnsOf(points) {
  const [first, last] = [points[0], points[points.length - 1]];
  const [dx, dy] = [last[0] - first[0], last[1] - first[1]];
  const away = ([x, y]) => Math.abs((x - first[0]) * dy - (y - first[1]) * dx) / (Math.hypot(dx, dy) || 1);
  const far = points.reduce((best, point, i) => (away(point) > away(points[best]) ? i : best), 0);
  if (away(points[far]) <= 1) return [first, last];
  return [...turnsOf(points.slice(0, far + 1)), ...turnsOf(points.slice(far)).slice(1)];
}

/** @param {string} id @param {Scene | null} scene @returns {string} */
export function symbol(id, scene) {
  const open = `<symbol id="${id}" viewBox="0 0 ${WIDTH} ${HEIGHT}"><g fill="none" stroke="currentColor">`;
  if (!scene) return `${open}<path d="M66 28l16 28h-32zM66 39v7M66 51h0" stroke-linecap="round"/></g></symbol>`;
  const { x, y, standing } = standBelow(scene, scene.trace.events.length, scene.bounds);
  const spots = scene.items.flatMap((_, i) => {
    const plan = scene.plans[i];
    if (scene.shows(i)) return [{ i, ...scene.faceOf(i) }];
    if (!standing.shows(i) || plan.kind !== "card") return [];
    const { body } = plan;
    return [{ i, ...body, x: x + standing.x[i] + body.x, y: y + standing.y[i] + body.y }];
  });
  const shown = spots.slice(0, MOST).map(({ i, x, y, w, h }) => ({ i, x: x + w / 2, y: y + h / 2, w, h }));
  const left = Math.min(...shown.map(({ x, w }) => x - w / 2));
  const top = Math.min(...shown.map(({ y, h }) => y - h / 2));
  const wide = Math.max(...shown.map(({ x, w }) => x + w / 2)) - left;
  const high = Math.max(...shown.map(({ y, h }) => y + h / 2)) - top;
  const scale = Math.min(0.26, (WIDTH - 6) / wide, (HEIGHT - 6) / high);
  const [dx, dy] = [(WIDTH - wide * scale) / 2, (HEIGHT - high * scale) / 2];
  const at = (/** @type {{x: number, y: number}} */ { x, y }) => [
    Math.round((x - left) * scale + dx),
    Math.round((y - top) * scale + dy),
  ];
  const box = (/** @type {(typeof shown)[number]} */ spot) => {
    const [x, y] = at(spot);
    const w = Math.max(BOX[0], Math.round(spot.w * scale));
    const h = Math.max(BOX[1], Math.round(spot.h * scale));
    return `M${x - Math.round(w / 2)} ${y - Math.round(h / 2)}h${w}v${h}h${-w}z`;
  };
  const drawn = new Set(shown.map(({ i }) => i));
  const edges = scene.links.flatMap(({ from, to }, j) => {
    if (!drawn.has(from) || !drawn.has(to) || from === to) return [];
    const { xs, ys } = scene.way(j);
    const down = scene.shows(from) ? [] : wayDown(standing, from).map((at) => ({ x: x + at.x, y: y + at.y }));
    const points = [...down.reverse(), ...[...xs].map((x, k) => ({ x, y: ys[k] }))].map(at);
    return `M${turnsOf(points)
      .map((point) => point.join(" "))
      .join("L")}`;
  });
  const isLeaf = (/** @type {number} */ i) => scene.plans[i].kind === "card" && scene.plans[i].leaf;
  const plain = shown.filter(({ i }) => !isLeaf(i)).map(box);
  const leaves = shown.filter(({ i }) => isLeaf(i)).map(box);
  const dots = shown
    .filter(({ i }) => scene.plans[i].kind === "card" && scene.plans[i].circle)
    .map((spot) => `M${at({ x: spot.x, y: spot.y + spot.h / 2 }).join(" ")}h0`);
  const path = (/** @type {string} */ d, /** @type {string} */ look) => (d ? `<path d="${d}" ${look}/>` : "");
  return (
    open +
    path([...new Set(edges)].join(""), 'opacity=".7"') +
    path(plain.join(""), 'fill="var(--panel)" stroke-opacity=".6"') +
    path(leaves.join(""), 'fill="currentColor"') +
    path([...new Set(dots)].join(""), 'stroke-width="5" stroke-linecap="round"') +
    "</g></symbol>"
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = readdirSync(programs).sort();
  const documents = run(files.map((file) => join(programs, file)));
  const symbols = documents.map((document, i) => symbol(basename(files[i], ".py"), sceneOf(document)));
  const text = `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join("\n")}\n</svg>\n`;
  writeFileSync(join(root, "static", "icons", "sketches.svg"), text);
}
