import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import katex from "katex";
import { FONTS, SIZES, viewer } from "../../tools/viewer.mjs";

const file = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("static/viewer.html is what its sources give (npm run viewer)", async () => {
  assert.ok(file("static/viewer.html") === (await viewer()), "run `npm run viewer`");
});

/** Classes that KaTeX gives to what it sets, and the fonts of these. */
const SET_IN = { mathbf: "Main-Bold", mathtt: "Typewriter-Regular", mathcal: "Caligraphic-Regular", mathscr: "Script" };

test("the fonts and sizes in it are those that the formulas of the ops are set in", () => {
  const used = new Set();
  const sizes = new Set();
  const walk = (/** @type {any} */ value, /** @type {string} */ key) => {
    if (key === "latex" && typeof value === "string") {
      const html = katex.renderToString(value, { throwOnError: false, output: "html", strict: false });
      for (const [, names] of html.matchAll(/class="([^"]*)"/g)) for (const name of names.split(" ")) used.add(name);
      for (const [, ...both] of html.matchAll(/ reset-size(\d+) size(\d+)/g)) for (const size of both) sizes.add(size);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value)) walk(each, name);
    }
  };
  walk(JSON.parse(file("client/backlight/formulas.json")), "");
  assert.ok(used.has("mathnormal") && used.has("mathrm"));
  const missing = Object.entries(SET_IN).filter(([name, font]) => used.has(name) && !FONTS.includes(font));
  assert.deepEqual(missing, []);
  assert.deepEqual([...sizes].sort().reverse(), SIZES);
  assert.ok(!used.has("mathbb"), "letters of the font of signs are left out");
});
