import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { modules, PRELOADED } from "../../tools/preload.mjs";

/** @param {string} template */
const listed = (template) =>
  [
    ...readFileSync(new URL(`../../templates/${template}`, import.meta.url), "utf8").matchAll(/assets }}\/([^"]+)"/g),
  ].map(([, path]) => path);

for (const [template, entry] of Object.entries(PRELOADED)) {
  test(`${template} has the modules that the first picture of ${entry} needs, and no others (npm run preload)`, () => {
    assert.deepEqual(listed(template), modules(entry));
  });

  test(`neither the editor nor the formulas are in ${template}`, () => {
    assert.ok(!listed(template).some((path) => /codemirror|katex|editor\//.test(path)), listed(template).join());
  });
}

test("a frame of another site needs less than the page", () => {
  const whole = modules("js/main.js");
  assert.ok(modules("js/embed.js").length < whole.length);
  assert.ok(!modules("js/embed.js").some((path) => /net\/session|share\/open|run-button/.test(path)));
});
