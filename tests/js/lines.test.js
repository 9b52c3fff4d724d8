import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

const MOST_COLUMNS = 120;

/** @param {string} folder @param {RegExp} names */
function filesIn(folder, names) {
  const url = new URL(`../../${folder}/`, import.meta.url);
  const paths = readdirSync(url, { recursive: true }).map((path) => String(path).replaceAll("\\", "/"));
  return paths
    .filter((path) => names.test(path))
    .map((path) => ({ name: `${folder}/${path}`, url: new URL(path, url) }));
}

test("no line is longer than 120 columns: the formatter leaves comments and texts as they are", () => {
  const files = [...filesIn("static/js", /\.(js|ts)$/), ...filesIn("tests/js", /\.js$/), ...filesIn("tools", /\.mjs$/)];
  assert.ok(files.length > 100);
  const long = files.flatMap(({ name, url }) =>
    readFileSync(url, "utf8")
      .split("\n")
      .flatMap((line, i) => (line.length > MOST_COLUMNS ? [`${name}:${i + 1}`] : [])),
  );
  assert.deepEqual(long, []);
});
