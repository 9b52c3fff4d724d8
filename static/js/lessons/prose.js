/**
 * The program in a page of prose: an article, an answer of a forum, a talk with an assistant, copied whole. A block of
 * code is kept where every line of it reads as Python and every name in it is known by then. Pure.
 * @module
 */

/**
 * @typedef {"code" | "prose" | "blank" | "comment" | "odd"} Kind  odd: neither code nor plain prose
 * @typedef {{kind: Kind, text: string, quoted: boolean}} Piece  quoted: it stood between Markdown's backticks
 */

const words = (/** @type {string} */ text) => new Set(text.split(" "));

/** Words that stand beside others in code. */
const KEYWORDS = words(
  "and as assert async await break class continue def del elif else except False finally for from global if import " +
    "in is lambda None nonlocal not or pass raise return True try while with yield",
);
/** Names that need no definition. */
const BUILTINS = words(
  "abs all any bin bool bytes callable chr complex dict dir display divmod enumerate filter float format frozenset " +
    "getattr hasattr hash hex id int isinstance issubclass iter len list map max min next object open ord pow " +
    "print property range repr reversed round set setattr slice sorted staticmethod classmethod str sum super tuple " +
    "type vars zip StopIteration NotImplemented self cls",
);
/** What programs import first, and what is imported by its usual name when a text never does. */
const USUAL = words("torch nn F optim np plt math");

const STRING = /#.*|[rbfu]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/gi;

/** A statement with its strings empty and without comments. @param {string} text */
const hollow = (text) => text.replace(STRING, (found) => (found.startsWith("#") ? "" : '""'));

/** How many brackets a text opens and does not close. @param {string} text */
const depthOf = (text) => (hollow(text).match(/[([{]/g)?.length ?? 0) - (hollow(text).match(/[)\]}]/g)?.length ?? 0);

const NAME = "[\\p{L}_][\\p{L}\\p{N}_]*";
const TYPE = "(?:int|float|str|bool|list|dict|tuple|[\\w.]*Tensor|[\\w.]+\\[\\])";
const SIGN = "(?:[-+*/@%&|]|\\*\\*|//)?";

/** How statements begin that are no words of a sentence. */
const STATEMENTS = [
  /^import [\w.]+(?: as \w+)?(?:, ?[\w.]+(?: as \w+)?)*$/,
  /^from [\w.]+ import (?:\*|\([\w\s,]+\)|\w+(?: as \w+)?(?:, ?\w+(?: as \w+)?)*)$/,
  new RegExp(`^(?![^=]*\\w\\s?\\()[\\p{L}_(*][\\p{L}\\p{N}_.,\\s*()[\\]]*(?:: ?${TYPE})?\\s*${SIGN}=(?!=)\\s*\\S`, "u"),
  /^\([\s\S]+\)\.\w+\([\s\S]*\)$/,
  new RegExp(`^\\w+\\s*:\\s*${TYPE}$`),
  /^\[[\s\S]*\]$/,
  new RegExp(`^(?:await )?${NAME}(?:\\.${NAME}|\\[[^\\]]*\\])*\\s?\\([\\s\\S]*\\)(?:[.[][\\s\\S]*)?$`, "u"),
  /^(?:def \w+\s?\([\s\S]*\)(?:\s*->.*)?|class \w+(?:\s?\([\s\S]*\))?)\s*:/,
  /^(?:for [\w\s,()*]+ in|while|with|if|elif|async for|async with)\b[\s\S]+:/,
  /^(?:else|try|finally|except(?: [\w.(), ]+)?)\s*:/,
  /^(?:return|yield|assert|raise|del|global|nonlocal)\b/,
  /^(?:pass|break|continue|return)$/,
  /^@[\w.]+(?:\(.*\))?$/,
];
/** What is code beside other code alone: a value that a cell or a session shows, a text that describes a function. */
const SHOWN = new RegExp(`^(?:${NAME}(?:\\.${NAME}|\\[[^\\]]*\\])+|"")$`, "u");

/** What no statement has outside of its strings. */
const FOREIGN = [
  /["'`?!$\\^]|[^\p{L}\p{N}_\s\x20-\x7e]|\.\.\.[^\]),]/u,
  /(?:^|[^\w.])\d+(?:\.\d*)?(?!e[-+]?\d|j\b|x[\da-f])\p{L}/iu,
  /[)\]}]\s*(?!(?:if|else|for|in|and|or|not|is|as|from)\b)[\p{L}\d]/u,
];

/** Does a statement read as Python, as far as that can be told without its grammar? @param {string} text */
function readsAsCode(text) {
  const bare = hollow(text).trim();
  if (FOREIGN.some((sign) => sign.test(bare.replace(/""/g, "_").replace(/!=/g, "==")))) return false;
  const tokens = bare.match(/[\p{L}_][\p{L}\p{N}_]*|\d[\w.]*|""|\S/gu) ?? [];
  return tokens.every((token, i) => {
    const before = tokens[i - 1];
    return !before || !isOperand(before) || !isOperand(token);
  });
}

/** @param {string} token */
const isOperand = (token) => /^(?:[\p{L}\d_]|"")/u.test(token) && !KEYWORDS.has(token);

/** With nothing in its square brackets. @param {string} text @returns {string} */
function withoutPlaces(text) {
  const less = text.replace(/\[[^[\]]+\]/g, "[]");
  return less === text ? text : withoutPlaces(less);
}

/** @param {string} text one statement @returns {Kind} */
function kindOf(text) {
  const trimmed = text.trim();
  if (!trimmed) return "blank";
  if (trimmed.length > LONGEST) return "prose";
  if (trimmed.startsWith("#")) return "comment";
  const bare = hollow(trimmed).trim();
  if (depthOf(trimmed) === 0 && readsAsCode(trimmed)) {
    const statements = withoutPlaces(bare).split(/;\s*/).filter(Boolean);
    if (statements.every((each) => STATEMENTS.some((form) => form.test(each)) || SHOWN.test(each))) return "code";
  }
  return isProse(trimmed) ? "prose" : "odd";
}

/** Words in a row as no code has them; also a heading, a name, a number that counts something. @param {string} text */
function isProse(text) {
  if (!/[=(){}[\]]/.test(text)) return true;
  return isWordy(text) && !/^[\w.[\]]+(?:, ?[\w.[\]]+)* ?[=(]/.test(text);
}

/** Words that stand side by side without one of Python's between them, at least twice. @param {string} text */
const isWordy = (text) =>
  [...hollow(text).matchAll(/(?<![\p{L}\p{N}_.])(?=([\p{L}’'-]+) ([\p{L}’'-]+)(?![\p{L}\p{N}_(=]))/gu)].filter(
    ([, one, other]) => !KEYWORDS.has(one) && !KEYWORDS.has(other),
  ).length >= 2;

/** Statements that a copy has run together: `f(x)y = 2`. @param {string} line */
const apart = (line) => (depthOf(line) === 0 ? line.replace(GLUED, "$1\n") : line);
const GLUED = /^([^\s#].*?\))(?=(?:print\(|[\p{L}_][\p{L}\p{N}_.]*(?: ?= ?|\.\w+\())(?!\s))/u;

/** Signs of a statement, and lines that are tried as parts of statements of several lines: no text is read for long. */
const LONGEST = 4000;
const TRIED = 4000;

/** The statements of a text, each as what it is. @param {string} text @returns {Piece[]} */
function pieces(text) {
  const lines = text.split("\n");
  /** @type {Piece[]} */
  const found = [];
  let tried = 0;
  for (let i = 0; i < lines.length; i++) {
    const quote = /^\s*`([^`]+)`\s*$/.exec(lines[i]);
    const quoted = quote !== null;
    let statement = quote ? quote[1] : lines[i];
    if (kindOf(statement) !== "code") {
      for (let more = i + 1; more < lines.length && isOpen(statement); more++) {
        if (++tried > TRIED || statement.length > LONGEST) break;
        statement += `\n${lines[more]}`;
        if (!isOpen(statement) && kindOf(statement) === "code") i = more;
      }
    }
    if (kindOf(statement) === "code") {
      found.push({ kind: "code", text: statement, quoted });
      continue;
    }
    const line = quote ? quote[1] : lines[i];
    const parts = apart(line).split("\n");
    const kinds = parts.map(kindOf);
    if (parts.length > 1 && kinds.every((kind) => kind === "code"))
      found.push(...parts.map((part) => ({ kind: /** @type {Kind} */ ("code"), text: part, quoted })));
    else found.push({ kind: kindOf(line), text: line, quoted });
  }
  return found;
}

/** Does a statement go on in the next line? @param {string} text */
const isOpen = (text) =>
  /^\s*[\p{L}_@"']/u.test(text) &&
  (depthOf(text) > 0 || /\\\s*$/.test(text) || (text.match(/"""|'''/g)?.length ?? 0) % 2);

/** Stretches of code with nothing but blank lines and comments within. @param {Piece[]} all @returns {string[]} */
function blocksOf(all) {
  /** @type {string[]} */
  const blocks = [];
  /** @type {Piece[]} */
  let block = [];
  let sound = true;
  const close = () => {
    while (block.length && block[block.length - 1].kind !== "code") block.pop();
    const code = block.filter(({ kind }) => kind === "code");
    const strong = code.filter((piece) => !SHOWN.test(hollow(piece.text).trim()));
    const whole = strong.length > 0 && (code.length > 1 || !code[0].quoted);
    if (sound && whole) {
      const text = evenly(block.map((piece) => piece.text));
      if (text && isIndented(text)) blocks.push(text.join("\n"));
    }
    block = [];
    sound = true;
  };
  for (const piece of all) {
    if (piece.kind === "prose") close();
    else if (piece.kind === "odd") sound = false;
    else if (piece.kind === "code" || block.length) block.push(piece);
  }
  close();
  return blocks;
}

/**
 * A block as far to the left as it goes.
 * @param {string[]} statements @returns {string[] | null} its lines; null if that cannot be
 */
function evenly(statements) {
  const lines = statements.flatMap((text) => text.split("\n"));
  const first = /^[ \t]*/.exec(lines[0] ?? "")?.[0] ?? "";
  if (statements.some((text) => text.trim() && !text.trim().startsWith("#") && !text.startsWith(first))) return null;
  return lines.map((line) => (line.startsWith(first) ? line.slice(first.length) : line.trimStart()));
}

/** Does every block of statements stand further to the right than what opens it? @param {string[]} lines */
function isIndented(lines) {
  const levels = [0];
  let opened = false;
  let rest = "";
  for (const line of lines) {
    const inside = rest !== "";
    rest = rest ? `${rest}\n${line}` : line;
    if (!line.trim() || /^\s*#/.test(line)) {
      if (!inside) rest = "";
      continue;
    }
    const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    if (!inside) {
      while (!opened && indent < levels[levels.length - 1]) levels.pop();
      if (opened ? indent <= levels[levels.length - 1] : indent !== levels[levels.length - 1]) return false;
      if (opened) levels.push(indent);
    }
    if (isOpen(rest)) continue;
    opened = /:$/.test(hollow(rest).trim());
    rest = "";
  }
  return !opened && !rest;
}

/** Names that a block gives a value, as far as they show. @param {string} code */
function boundIn(code) {
  const bare = hollow(code);
  const ways = [
    /(?:^|[\n;])(?![^=\n;]*\w\s?\()([^=\n;]+)(?<![!<>])=(?!=)/g,
    /=\s*([\w, ]+?)\s*=(?!=)/g,
    /\b(\w+)\s*:=/g,
    /\bfor\s+(.+?)\s+in\b/g,
    /\bas\s+(\w+)/g,
    /\bimport\s+(\([^)]*\)|[^\n;]*)/g,
    /\b(?:def|class)\s+(\w+)/g,
    /\bdef\s+\w+\s?\(([\s\S]*?)\)\s*(?:->[^\n]*)?:/g,
    /\blambda\b([^:]*):/g,
  ];
  return new Set(ways.flatMap((way) => [...bare.matchAll(way)].flatMap(([, names]) => identifiers(names))));
}

/** Names of a text that are no attributes. @param {string} text @returns {string[]} */
const identifiers = (text) => text.match(/(?<![.\p{L}\p{N}_])[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];

/** Names whose values a block asks for. @param {string} code */
const usedIn = (code) =>
  identifiers(
    hollow(code)
      .replace(/\bfrom\s+[\w.]+\s+import\b/g, "import")
      .replace(/[\p{L}_][\p{L}\p{N}_]*\s*=(?!=)/gu, ""),
  ).filter((name) => !KEYWORDS.has(name) && !/^__|(?:Error|Warning|Exception)$/.test(name));

/**
 * The code of a text that is mostly prose; the text itself where there is none, or where it is code already.
 * @param {string} text
 */
export function withoutProse(text) {
  if (!hasProse(text)) return text;
  const blocks = blocksOf(pieces(text));
  const imported = new Set(blocks.flatMap((block) => [...boundIn(block)]));
  const known = new Set([...BUILTINS, ...[...USUAL].filter((name) => !imported.has(name))]);
  const kept = blocks.filter((block) => {
    const bound = boundIn(block);
    if (usedIn(block).some((name) => !known.has(name) && !bound.has(name))) return false;
    for (const name of bound) known.add(name);
    return true;
  });
  const code = kept.join("\n\n");
  return /\btorch\b/.test(code) && code.split("\n").length > 1 ? `${code}\n` : text;
}

/** Are there sentences in a text? None that may stand in a string without an end. @param {string} text */
export const hasProse = (text) =>
  (text.match(/"""|'''/g)?.length ?? 0) % 2 === 0 &&
  pieces(text).some(({ kind, text: line }) => kind === "prose" && isWordy(line));
