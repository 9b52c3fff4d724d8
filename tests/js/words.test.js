import assert from "node:assert/strict";
import test from "node:test";
import { wordsOf } from "../../static/js/reader/words.js";

const kinds = (/** @type {string} */ code) =>
  wordsOf(code).map((line) => line.filter(({ kind }) => kind).map(({ text, kind }) => `${kind} ${text}`));

test("a program is its lines, whatever is in them", () => {
  const code = 'x = 1  # one\n\ns = """a\n# no comment\nb"""\nf("\\"", \'#\')\n"open\ny = 2\n';
  assert.equal(
    wordsOf(code)
      .map((line) => line.map(({ text }) => text).join(""))
      .join("\n"),
    code,
  );
});

test("comments, strings, keywords and names being defined are told apart", () => {
  assert.deepEqual(kinds("def loss(x): return x.is_leaf # not a def"), [
    ["keyword def", "definition loss", "keyword return", "comment # not a def"],
  ]);
  assert.deepEqual(kinds('a = """one\ntwo""" if b else None'), [
    ['string """one'],
    ['string two"""', "keyword if", "keyword else", "keyword None"],
  ]);
  assert.deepEqual(kinds("format = classes.definite"), [[]]);
});
