import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import test from "node:test";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root));

test("the vendored files are the ones VENDOR.md lists", () => {
  const rows = [
    ...read("static/vendor/VENDOR.md")
      .toString()
      .matchAll(/^\| (\S+) \| ([0-9a-f]{64}) \|$/gm),
  ];
  assert.ok(rows.length > 10);
  for (const [, file, sum] of rows) {
    assert.equal(
      createHash("sha256")
        .update(read(`static/vendor/${file}`))
        .digest("hex"),
      sum,
      file,
    );
  }
});

test("every package in a bundle has a licence, and none needs eval", () => {
  const table = [
    ...read("static/vendor/VENDOR.md")
      .toString()
      .matchAll(/^\| (codemirror|d3|katex) \| (\S+) \| (\S+) \| (\S+) \|$/gm),
  ];
  assert.ok(table.length >= 20);
  for (const [, , name, , licence] of table) assert.match(licence, /^(MIT|ISC|BSD-3-Clause)$/, name);
  for (const bundle of ["codemirror", "d3", "katex"]) {
    assert.doesNotMatch(read(`static/vendor/${bundle}.js`).toString(), /\bnew Function\(|[^.\w]eval\(/, bundle);
  }
});

test("what the types of the page are checked against is what is vendored", () => {
  const pinned = JSON.parse(read("package.json")).devDependencies;
  const listed = read("static/vendor/VENDOR.md").toString();
  for (const name of ["@codemirror/view", "d3-zoom", "katex"]) {
    assert.ok(listed.includes(`| ${name} | ${pinned[name]} |`), name);
  }
});
