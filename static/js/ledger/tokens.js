/**
 * Sentences as lists of tokens, so that names and numbers in them stand out and can be clicked.
 * @module
 */
/** @typedef {import("../ui/types").Token} Token */
/** @typedef {Token[]} Sentence */

/** @param {string} text @returns {Token} */
export const plain = (text) => ({ text, kind: "text" });
/** @param {string} text @returns {Token} */
export const code = (text) => ({ text, kind: "code" });

/**
 * A template whose holes are tokens: say`${node} received ${value}.`
 * @param {TemplateStringsArray} strings
 * @param {...(Token | Token[] | string)} holes
 * @returns {Sentence}
 */
export function say(strings, ...holes) {
  /** @type {Token[]} */
  const out = [];
  const add = (/** @type {Token} */ token) => {
    const last = out[out.length - 1];
    if (token.kind === "text" && last?.kind === "text") out[out.length - 1] = plain(last.text + token.text);
    else if (token.text) out.push(token);
  };
  strings.forEach((string, i) => {
    add(plain(string));
    const hole = holes[i];
    if (hole === undefined) return;
    if (typeof hole === "string") add(plain(hole));
    else if (Array.isArray(hole)) hole.forEach(add);
    else add(hole);
  });
  return out;
}

/** Tokens as `a, b and c`. @param {(Token | Token[])[]} items @returns {Token[]} */
export function series(items) {
  return items.flatMap((item, i) => {
    const tokens = Array.isArray(item) ? item : [item];
    if (i === 0) return tokens;
    return [plain(i === items.length - 1 ? " and " : ", "), ...tokens];
  });
}
