/**
 * Write static/viewer.html: the page without a service, whole in one file. An export puts a run document into its
 * `run-document` element; then it plays from a disk or in a frame, without a network. `npm run viewer` writes it,
 * `npm run viewer -- --check` says whether it is what its sources give.
 */
import { build, transform } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import subset from "subset-font";
import { fileURLToPath, pathToFileURL } from "node:url";
import { modules } from "./preload.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (/** @type {string[]} */ ...path) => readFileSync(join(root, ...path), "utf8");

/** Fonts that formulas of gradients are set in; a test holds the formulas of all ops against them. */
export const FONTS = [
  ...["Main-Regular", "Math-Italic", "AMS-Regular", "SansSerif-Regular", "Caligraphic-Regular"],
  ...["Size1-Regular", "Size2-Regular", "Size3-Regular", "Size4-Regular"],
];

const range = (/** @type {number} */ from, /** @type {number} */ to) =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, i) => from + i));

/** Sizes of letters that KaTeX sets formulas in: of text, and of what is raised or lowered once or twice. */
export const SIZES = ["6", "3", "1"];

const SIGNS = "−·×÷±√∑∏∫≤≥≠∈∞∂∇⋅→⊤⊙∘…′⌊⌋⌈⌉∧∨¬∣∥⟨⟩∗∼≈≡∀∃⊗⊕←↦ℓℝ";

/** Of fonts that set single letters, and of the one that sets signs; digits and signs of a formula are upright. */
const LETTERS = {
  "SansSerif-Regular": range(0x41, 0x5a),
  "Caligraphic-Regular": range(0x41, 0x5a),
  "Math-Italic": `${range(0x41, 0x5a)}${range(0x61, 0x7a)}${range(0x391, 0x3d6)}`,
  "AMS-Regular": SIGNS,
};

/** What is kept of the others: Latin and Greek letters, digits, and the signs of analysis. */
export const GLYPHS = `${range(0x20, 0x7e)}${range(0x391, 0x3d6)}${SIGNS}`;

/** Alphabets of which no formula of ours has a letter: KaTeX brings the measures of each. */
const UNUSED = [
  ...["Fraktur-Regular", "Script-Regular", "Main-BoldItalic", "Math-BoldItalic", "SansSerif-Bold", "SansSerif-Italic"],
];

/** KaTeX without their measures. @type {import("esbuild").Plugin} */
const fewerMeasures = {
  name: "fewer measures",
  setup: ({ onLoad }) =>
    onLoad({ filter: /vendor.katex\.js$/ }, ({ path }) => ({
      contents: UNUSED.reduce(
        (text, name) => {
          const less = text.replace(new RegExp(`"${name}":\\{(\\d+:\\[[^\\]]*\\],?)*\\},?`), "");
          if (less === text) throw new Error(`KaTeX has no measures of ${name}`);
          return less;
        },
        readFileSync(path, "utf8"),
      ),
    })),
};

/** Bytes of the file without a document. */
const LARGEST = 995_500;

async function script() {
  const { outputFiles } = await build({
    entryPoints: [join(root, "static", "js", "viewer.js")],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    logLevel: "error",
    plugins: [fewerMeasures],
    define: { "import.meta.url": '""' }, // whole pages load nothing by address
  });
  const text = /** @type {{text: string}} */ (outputFiles[0]).text.trim();
  if (/<!--|<\/script/i.test(text)) throw new Error("the script holds text that would end its element");
  return text;
}

/** A template without what only a service can do. */
const template = (/** @type {string} */ name) =>
  read("templates", name).replace(/\{# service #\}[\s\S]*?\{# \/service #\}/g, "");

/** Style sheets that the page loads when it needs them. */
const LATER = [
  "compare.css",
  "embed.css",
  "figures.css",
  "live.css",
  "map.css",
  "memory.css",
  "present.css",
  "seconds.css",
];

async function style() {
  const sheets = [...template("sources.html").matchAll(/css\/(\w+\.css)"/g)];
  const names = [...sheets.map(([, name]) => /** @type {string} */ (name)), ...LATER];
  const page = names.map((name) =>
    read("static", "css", name).replace(/\/\* service \*\/[\s\S]*?\/\* \/service \*\//g, ""),
  );
  /** @type {Map<string, string>} */
  const fonts = new Map();
  for (const name of FONTS) {
    const font = readFileSync(join(root, "static", "vendor", "fonts", `KaTeX_${name}.woff2`));
    const glyphs = LETTERS[/** @type {keyof typeof LETTERS} */ (name)] ?? GLYPHS;
    fonts.set(name, (await subset(font, glyphs, { targetFormat: "woff2" })).toString("base64"));
  }
  const sizes = /[^{}]*\.reset-size(\d+)\.size(\d+)\{[^}]*\}/g;
  const all = read("static", "vendor", "katex.css").replace(sizes, (rule, from, to) =>
    SIZES.includes(from) && SIZES.includes(to) ? rule : "",
  );
  const formulas = all.replace(/@font-face\{[^}]*\}/g, (face) => {
    const font = fonts.get(/fonts\/KaTeX_([\w-]+)\.woff2/.exec(face)?.[1] ?? "");
    return font ? face.replace(/url\([^)]*\)/, `url(data:font/woff2;base64,${font})`) : "";
  });
  const css = [...page, formulas].join("\n").replace(/@import[^;]*;/g, "");
  return (await transform(css, { loader: "css", minify: true, charset: "utf8", legalComments: "none" })).code.trim();
}

/** The licences of what is in the file, each once. */
function licences() {
  const used = modules("js/viewer.js").filter((module) => module.startsWith("vendor/"));
  if (!used.includes("vendor/d3.js")) throw new Error("the viewer draws without D3?");
  const names = ["katex", "d3-selection", "d3-ease"];
  return names.map((name) => `${name}\n\n${read("static", "vendor", "licences", `${name}.txt`).trim()}`).join("\n\n");
}

const hash = (/** @type {string} */ text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** @returns {Promise<string>} the file */
export async function viewer() {
  const [js, css] = [await script(), await style()];
  const early = read("static", "js", "ui", "theme-early.js").trim();
  const mark = /<g id="mark"[\s\S]*<\/g>/.exec(read("static", "icons", "backlight.svg"))?.[0] ?? "";
  const policy = [
    "default-src 'none'",
    `script-src ${hash(early)} ${hash(js)}`,
    `style-src ${hash(css)}`,
    "img-src data: blob:",
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const page = template("index.html")
    .replace(/\{#[\s\S]*?#\}\s*/g, "")
    .replace(/^\s*<(?:link|script|meta name="style-nonce").*\n/gm, "")
    .replace(/^\s*\{% include .*\n/gm, "")
    .replace(/<use href="[^"]*#mark"><\/use>/, () => mark)
    .replace(/<a href="\{\{ root \}\}">([\s\S]*?)<\/a><\/h1>/, "$1</h1>")
    .replace(/(<pre class="program-text" id="program-text">)[\s\S]*?<\/pre>/, "$1</pre>")
    .replace(/<noscript>[\s\S]*?<\/noscript>/, "<noscript><p>This page draws with JavaScript.</p></noscript>")
    .replace('<html lang="en">', '<html lang="en" data-whole>')
    .replace(
      '<meta charset="utf-8">',
      [
        "$&",
        `  <meta http-equiv="Content-Security-Policy" content="${policy}">`,
        "  <title>Backlight — see the backward pass</title>",
      ].join("\n"),
    )
    .replace("</head>", () => `<style>${css}</style>\n<script>${early}</script>\n</head>`)
    .replace("</body>", () =>
      [
        `<script type="module">${js}</script>`,
        '<script type="application/json" id="run-document"></script>',
        "</body>",
      ].join("\n"),
    );
  if (/\{[{%]/.test(page.replace(js, "").replace(css, "")))
    throw new Error("the template has parts that are not filled");
  const file = page.replace("<head>", () => `<!--\nThis file contains:\n\n${licences()}\n-->\n<head>`);
  const size = Buffer.byteLength(file);
  if (size > LARGEST) throw new Error(`the viewer has ${size} bytes, more than ${LARGEST}`);
  return file;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const path = join(root, "static", "viewer.html");
  const file = await viewer();
  if (!process.argv.includes("--check")) writeFileSync(path, file);
  else if (readFileSync(path, "utf8") !== file) {
    console.error("static/viewer.html is not what its sources give: run `npm run viewer`.");
    process.exit(1);
  }
}
