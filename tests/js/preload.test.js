import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { modules } from "../../tools/preload.mjs";

const listed = [
  ...readFileSync(new URL("../../templates/preload.html", import.meta.url), "utf8").matchAll(/assets }}\/([^"]+)"/g),
].map(([, path]) => path);

test("the page preloads the modules its first picture needs, and no others (npm run preload)", () => {
  assert.deepEqual(listed, modules());
});

test("neither the editor nor the formulas are among them", () => {
  assert.ok(!listed.some((path) => /codemirror|katex|editor\//.test(path)), listed.join());
});
