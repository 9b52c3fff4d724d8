/**
 * A Python program in the words an editor would tell apart: comments, strings, keywords, names being defined. Pure.
 * @module
 */

/** @typedef {"" | "comment" | "string" | "keyword" | "definition"} Kind */
/** @typedef {{text: string, kind: Kind}} Word */

const KEYWORDS =
  "False None True and as assert async await break class continue def del elif else except finally for from global " +
  "if import in is lambda nonlocal not or pass raise return try while with yield";

const WORDS = new RegExp(
  [
    /(?<comment>#[^\n]*)/.source,
    /(?<string>"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)/.source,
    /(?<=\b(?:def|class)\s+)(?<definition>[\p{L}_][\p{L}\p{N}_]*)/u.source,
    `(?<keyword>(?<![\\p{L}\\p{N}_.])(?:${KEYWORDS.split(" ").join("|")})(?![\\p{L}\\p{N}_]))`,
  ].join("|"),
  "gu",
);

/**
 * @param {string} code
 * @returns {Word[][]} the words of each line
 */
export function wordsOf(code) {
  /** @type {Word[][]} */
  const lines = [[]];
  const add = (/** @type {string} */ text, /** @type {Kind} */ kind) => {
    for (const [i, part] of text.split("\n").entries()) {
      if (i) lines.push([]);
      if (part) lines.at(-1)?.push({ text: part, kind });
    }
  };
  let end = 0;
  for (const match of code.matchAll(WORDS)) {
    add(code.slice(end, match.index), "");
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] ?? "";
    add(match[0], /** @type {Kind} */ (kind));
    end = match.index + match[0].length;
  }
  add(code.slice(end), "");
  return lines;
}
