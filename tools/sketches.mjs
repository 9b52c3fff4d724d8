/**
 * Write static/icons/sketches.svg: a little picture of the graph of every example, for the gallery. Run
 * `npm run sketches` after adding or changing an example; PYTHON names another interpreter than that of .venv.
 *
 * One file of symbols in the page's own ink, asked for when the gallery opens: boxes are tensors (filled: leaves), dots
 * ops.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { indexTrace } from "../static/js/trace.js";
import { layout } from "../static/js/layout/layered.js";
import { LIGHT } from "../static/js/scene/colour.js";
import { roughMeasure } from "../static/js/scene/marks.js";
import { draftScene, Scene, wholeGraph } from "../static/js/scene/scene.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const programs = join(root, "app", "examples", "programs");

/** Largest size of a sketch, and the smallest of a box in it. */
const WIDTH = 132;
const HEIGHT = 84;
const BOX = [7, 4];
/** A sketch of more is a smudge: its middle levels are left out. */
const MOST = 90;

/** @param {string} program @returns {any} its run document */
function run(program) {
  const python = process.env.PYTHON ?? join(root, ".venv", "bin", "python");
  const answer = spawnSync(python, ["-m", "engine", "--json", "-"], { cwd: root, input: program, maxBuffer: 1 << 28 });
  if (!answer.stdout.length) throw new Error(String(answer.stderr)); // a program that fails has a document, too
  return JSON.parse(answer.stdout.toString());
}

/** @param {any} document @returns {Scene | null} null where there is nothing to draw */
function sceneOf(document) {
  if (!document.tensors.length) return null;
  const whole = wholeGraph(indexTrace(document));
  const view = { width: 780, height: 720 };
  const draft = draftScene(whole, { folded: whole.folded, measure: roughMeasure, palette: LIGHT, view, before: null });
  return draft.shown.items.length ? new Scene(draft, layout(draft.input), LIGHT) : null;
}

/** @param {string} id @param {Scene | null} scene @returns {string} */
export function symbol(id, scene) {
  const open = `<symbol id="${id}" viewBox="0 0 ${WIDTH} ${HEIGHT}"><g fill="none" stroke="currentColor">`;
  if (!scene) return `${open}<path d="M66 28l16 28h-32zM66 39v7M66 51h0" stroke-linecap="round"/></g></symbol>`;
  const centres = scene.items.map((_, i) => {
    const face = scene.faceOf(i);
    return { i, x: face.x + face.w / 2, y: face.y + face.h / 2, w: face.w, h: face.h };
  });
  const shown = centres.slice(0, MOST);
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
  const edges = scene.links
    .filter(({ from, to }) => drawn.has(from) && drawn.has(to) && from !== to)
    .map(({ from, to }) => `M${at(centres[from]).join(" ")}L${at(centres[to]).join(" ")}`);
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
  const symbols = readdirSync(programs)
    .sort()
    .map((file) => symbol(basename(file, ".py"), sceneOf(run(readFileSync(join(programs, file), "utf8")))));
  const text = `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join("\n")}\n</svg>\n`;
  writeFileSync(join(root, "static", "icons", "sketches.svg"), text);
}
