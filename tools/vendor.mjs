/**
 * Rebuild static/vendor from node_modules: `npm ci && npm run vendor` (or `make vendor`).
 *
 * Each library becomes one ES module so that the page needs no build step, no import map and no network. The result is
 * committed; VENDOR.md lists versions, licences and the SHA-256 of every file, and a test compares them.
 */
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import subset from "subset-font";
import { fileURLToPath } from "node:url";
import { GLYPHS } from "./viewer.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const target = join(root, "static", "vendor");

/** Bundle name → its npm packages; the entry file is tools/vendor/<name>.js. */
const bundles = {
  codemirror: [
    "@codemirror/state",
    "@codemirror/view",
    "@codemirror/language",
    "@codemirror/commands",
    "@codemirror/lang-python",
    "@lezer/highlight",
    "@lezer/common",
    "@lezer/lr",
    "@lezer/python",
    "@marijn/find-cluster-break",
    "crelt",
    "style-mod",
    "w3c-keyname",
  ],
  d3: [
    "d3-selection",
    "d3-zoom",
    "d3-drag",
    "d3-transition",
    "d3-ease",
    "d3-interpolate",
    "d3-timer",
    "d3-color",
    "d3-dispatch",
  ],
  katex: ["katex"],
};

/** The font that every formula needs: of it only what formulas of gradients are written with. */
const EVERYWHERE = "KaTeX_Main-Regular.woff2";
const WOFF2 = /** @type {const} */ ({ targetFormat: "woff2" });

const manifest = async (/** @type {string} */ name) =>
  JSON.parse(await readFile(join(modules, name, "package.json"), "utf8"));
const present = async (/** @type {string} */ name) =>
  manifest(name).then(
    () => true,
    () => false,
  );

await rm(target, { recursive: true, force: true });
await mkdir(join(target, "fonts"), { recursive: true });
await mkdir(join(target, "licences"));

for (const name of Object.keys(bundles)) {
  await build({
    entryPoints: [join(root, "tools", "vendor", `${name}.js`)],
    outfile: join(target, `${name}.js`),
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    charset: "utf8",
  });
  await copyFile(join(root, "tools", "vendor", `${name}.d.ts`), join(target, `${name}.d.ts`));
}

// woff2 only: every browser that runs ES modules reads it.
const css = await readFile(join(modules, "katex", "dist", "katex.min.css"), "utf8");
await writeFile(
  join(target, "katex.css"),
  css.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g, "") + "\n",
);
for (const font of (await readdir(join(modules, "katex", "dist", "fonts"))).filter((f) => f.endsWith(".woff2"))) {
  const whole = join(modules, "katex", "dist", "fonts", font);
  if (font !== EVERYWHERE) await copyFile(whole, join(target, "fonts", font));
  else await writeFile(join(target, "fonts", font), await subset(await readFile(whole), GLYPHS, WOFF2));
}

// axe-core lies beside the browser tests so that they need Python and a browser, not node.
const axe = join(root, "tests", "browser", "vendor");
await mkdir(axe, { recursive: true });
await copyFile(join(modules, "axe-core", "axe.min.js"), join(axe, "axe.min.js"));
await copyFile(join(modules, "axe-core", "LICENSE"), join(axe, "axe-core-LICENSE.txt"));

const rows = [];
for (const [bundle, packages] of Object.entries(bundles)) {
  for (const name of packages) {
    if (!(await present(name))) continue;
    const { version, license } = await manifest(name);
    const text = (await readdir(join(modules, name))).find((f) => /^licen[cs]e/i.test(f));
    if (text) {
      await copyFile(
        join(modules, name, text),
        join(target, "licences", `${name.replace("/", "-").replace("@", "")}.txt`),
      );
    }
    rows.push(`| ${bundle} | ${name} | ${version} | ${license} |`);
  }
}

/** @returns {Promise<string[]>} */
async function files(folder = target, prefix = "") {
  const found = [];
  for (const entry of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) found.push(...(await files(join(folder, entry.name), `${prefix}${entry.name}/`)));
    else found.push(prefix + entry.name);
  }
  return found;
}

const sums = [];
for (const file of await files()) {
  if (file.endsWith(".d.ts") || file.startsWith("licences/")) continue;
  sums.push(
    `| ${file} | ${createHash("sha256")
      .update(await readFile(join(target, file)))
      .digest("hex")} |`,
  );
}

await writeFile(
  join(target, "VENDOR.md"),
  `# Vendored libraries

Written by \`npm run vendor\` (tools/vendor.mjs) from the versions pinned in package.json. Do not edit by hand.
The page loads them as ES modules from its own origin: it works offline and under a strict content security policy.
Licence texts are in \`licences/\`; \`*.d.ts\` are types for \`tsc\` only.

| file | package | version | licence |
|---|---|---|---|
${rows.join("\n")}

| file | sha256 |
|---|---|
${sums.join("\n")}
`,
);
