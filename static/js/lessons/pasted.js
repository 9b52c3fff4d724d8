/**
 * The program in a text that was copied out of a session, a notebook, or a page: without prompts, printed results and
 * the marks around it, in plain signs. Pure.
 * @module
 */

import { list } from "../ui/words.js";
import { hasProse, withoutProse } from "./prose.js";
import { bare } from "./suggest.js";

/**
 * @typedef {{code: string, how: string}} Program  `how`: what became of the text, for readers
 * @typedef {(text: string) => Program | null} Find
 */

/** Each makes one change to what is no part of a program. @type {[string, (code: string) => string][]} */
const KINDS = [
  ["without the Markdown fences", withoutFences],
  ["without prompts and printed results", withoutPrompts],
  ["without the cells’ prompts and results", withoutCellPrompts],
  ["without the traceback", withoutTraceback],
  ["without printed results", withoutResults],
  ["without the text around it", outOfProse],
  ["with plain quotes and spaces", inPlainSigns],
  ["without its indentation", dedented],
  ["in Python 3", inPython3],
];

/**
 * The program in a text that is none as it is; null where nothing is found to be changed, or sentences stay in it.
 * @param {string} text @returns {Program | null}
 */
export function programIn(text) {
  let code = text;
  /** @type {string[]} */
  const how = [];
  for (const [what, change] of KINDS) {
    const next = change(code);
    if (next === code) continue;
    code = next;
    how.push(what);
  }
  return how.length && code.trim() && !hasProse(code) ? { code, how: list(how) } : null;
}

/** @param {string[]} lines */
const joined = (lines) => `${lines.join("\n").replace(/\s+$/, "")}\n`;

const FENCE = /^\s*(?:`{3,}|~{3,})\s*(\w*)/;

/** Of Markdown, the blocks of Python. @param {string} code */
function withoutFences(code) {
  /** @type {string[]} */
  const kept = [];
  let fenced = false;
  let python = false;
  for (const line of code.split("\n")) {
    const fence = FENCE.exec(line);
    if (fence) {
      python = !fenced && /^(?:|py\w*|ipython\d?|code)$/i.test(fence[1] ?? "");
      fenced = !fenced;
      if (fenced && kept.length) kept.push("");
    } else if (fenced && python) kept.push(line);
  }
  return kept.length ? joined(kept) : code;
}

/** Of a session with `>>>`, what was typed; what it showed by itself is printed. @param {string} code */
function withoutPrompts(code) {
  const lines = code.split("\n");
  if (!/^\s*>>>(?: |$)/.test(lines.find((line) => line.trim()) ?? "") && !/^>>> /m.test(code)) return code;
  /** @type {string[][]} */
  const typed = [];
  /** @type {boolean[]} */
  const answered = [];
  for (const line of lines) {
    const prompt = /^\s*(>>>|\.\.\.)(?: (.*)|)$/.exec(line);
    const last = typed[typed.length - 1];
    if (prompt?.[1] === ">>>") {
      typed.push([prompt[2] ?? ""]);
      answered.push(false);
    } else if (prompt && last && !answered[answered.length - 1]) last.push(prompt[2] ?? "");
    else if (last && line.trim()) answered[answered.length - 1] = true;
    else if (!last) typed.push([line]);
  }
  return joined(typed.map((statement, i) => (answered[i] ? shown(statement) : statement).join("\n")));
}

const KEYWORDS = "from import for while if with def class del assert raise return print try pass global".split(" ");
const STATEMENT = new RegExp(`^(?:${KEYWORDS.join("|")})\\b|^@|\\.(?:backward|step|zero_grad)\\(`);

/** An expression whose value a session shows by itself. @param {string[]} statement @returns {string[]} */
function shown(statement) {
  const [line = "", ...more] = statement;
  const [, value = "", comment = ""] = /^(.*?)(\s*(?:#.*)?)$/.exec(line) ?? [];
  if (more.length || !value || STATEMENT.test(value) || /(?<![=!<>])=(?!=)/.test(outermost(value))) return statement;
  return [`print(${value})${comment}`];
}

/** A line without what is in brackets. @param {string} line @returns {string} */
function outermost(line) {
  const less = bare(line).replace(/\([^()[\]{}]*\)|\[[^()[\]{}]*\]|\{[^()[\]{}]*\}/g, "");
  return less.length < bare(line).length ? outermost(less) : less;
}

/** Of a notebook with `In [1]:`, the cells, whose last values are shown. @param {string} code */
function withoutCellPrompts(code) {
  if (!/^\s*In ?\[[\d ]*\]:/m.test(code)) return code;
  /** @type {string[]} */
  const kept = [];
  let cells = 0;
  let inside = true;
  let alone = false;
  for (const line of code.split("\n")) {
    const prompt = /^\s*In ?\[[\d ]*\]:(?: (.*)|)$/.exec(line);
    const more = /^\s*\.{3,}:(?: (.*)|)$/.exec(line);
    if (prompt) {
      if (kept.length) kept.push("");
      kept.push(`# %% In [${++cells}]`);
      alone = !prompt[1];
      if (prompt[1]) kept.push(prompt[1]);
      inside = true;
    } else if (more && inside) kept.push(more[1] ?? "");
    else if (/^\s*Out ?\[[\d ]*\]:/.test(line) || !(alone || !cells)) inside = false;
    else if (inside && line.trim()) kept.push(line);
    else if (inside && kept[kept.length - 1]?.trim()) kept.push("");
  }
  return joined(kept).replace(/\n{3,}/g, "\n\n");
}

/** Without the reports of errors, from their first line to the one that names the error. @param {string} code */
function withoutTraceback(code) {
  const report = /^Traceback \(most recent call last\):\n(?:(?:[ \t].*|)\n)*(?:[\w.]+(?:: .*)?(?:\n|$))?/gm;
  return code.replace(report, "");
}

const RESULT =
  /^\s*(?:\(|\[)*\s*(?:tensor|array|Parameter containing:)\s*[(\n]?|^\s*(?:torch\.Size\(\[|<[\w.]+ (?:object|at) )/;
const LABEL = /^\s*(?:(?:the )?(?:outputs?|results?|prints?))\s*:\s*$/i;

/** Without values as `print` writes them. @param {string} code */
function withoutResults(code) {
  if (!/^\s*[([]*tensor\(|^\s*<[\w.]+ (?:object|at) |^Parameter containing:/m.test(code)) return code;
  /** @type {string[]} */
  const kept = [];
  let depth = 0;
  let inResult = false;
  const lines = code.split("\n");
  for (const [i, line] of lines.entries()) {
    const begins = depth === 0 && (RESULT.test(line) || (LABEL.test(line) && RESULT.test(lines[i + 1] ?? "")));
    if (depth === 0) inResult = begins;
    depth = Math.max(0, depth + nesting(line));
    if (!inResult) kept.push(line);
  }
  return kept.length === lines.length ? code : joined(kept);
}

/** How many brackets a line opens and does not close. @param {string} line */
function nesting(line) {
  return (bare(line).match(/[([{]/g)?.length ?? 0) - (bare(line).match(/[)\]}]/g)?.length ?? 0);
}

/** @type {Record<string, string>} */
const PLAIN = {
  "“": '"',
  "”": '"',
  "„": '"',
  "«": '"',
  "»": '"',
  "‘": "'",
  "’": "'",
  "‚": "'",
  "–": "-",
  "—": "-",
  "−": "-",
  "‐": "-",
  "‑": "-",
  "×": "*",
  "·": "*",
  "÷": "/",
  "…": "...",
  "，": ",",
  "：": ":",
  "（": "(",
  "）": ")",
  "；": ";",
  "＝": "=",
};

/** Comments and texts, in plain quotes and in curly ones, and what is no sign of a keyboard. */
const SIGNS = new RegExp(
  [
    /#.*|('''|""")[\s\S]*?\1|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/,
    /[“”„][^“”„"\n]*[“”"]|[‘’‚][^‘’‚'\n]*[‘’']/,
    /\P{ASCII}/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);

/** Signs as keyboards have them, outside of texts and comments. @param {string} code */
function inPlainSigns(code) {
  return code.replace(SIGNS, (found) => {
    if (/^[“”„]./.test(found)) return `"${found.slice(1, -1)}"`;
    if (/^[‘’‚]./.test(found)) return `'${found.slice(1, -1)}'`;
    if (found.length > 1) return found;
    if (/[\u200b-\u200d\u2060\ufeff]/.test(found)) return "";
    if (/\s/.test(found) && found !== "\n") return " ";
    return PLAIN[found] ?? found;
  });
}

/** Of a page of prose, its blocks of code. @param {string} code */
function outOfProse(code) {
  const plain = inPlainSigns(code);
  const found = withoutProse(plain);
  return found === plain ? code : found;
}

/** Every line begins as far to the left as its block allows. @param {string} code */
function dedented(code) {
  const lines = code.split("\n");
  const indents = lines.filter((line) => line.trim()).map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  const [first = ""] = indents;
  if (!first || !indents.every((indent) => indent.startsWith(first))) return code;
  return lines.map((line) => (line.startsWith(first) ? line.slice(first.length) : line.trimStart())).join("\n");
}

/** The statements of Python 2 that are calls and other words now. @param {string} code */
function inPython3(code) {
  return code
    .replace(/^(\s*)print[ \t]+(?![(=.,])([^#\n]*[^#\s,]),?([ \t]*(?:#.*)?)$/gm, "$1print($2)$3")
    .replace(/^(\s*)print[ \t]*$/gm, "$1print()")
    .replace(/^(\s*except\s+[\w.]+|\s*except\s+\([^()]*\)),\s*(\w+)\s*:/gm, "$1 as $2:");
}
