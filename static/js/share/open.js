/**
 * Files: a script, a notebook with the code of its cells one after another, as `python -m engine` reads it, or a run.
 * @module
 */

import { h } from "../ui/dom.js";
import { NotARun, readRun } from "./document.js";
import { SCHEMA } from "./schema.js";

/** Characters: notebooks carry their pictures along, which are left behind. */
const LARGEST = 50_000_000;

/** A file that holds no program; the message says why. */
export class NoProgram extends Error {}

/**
 * @param {string} name of the file
 * @param {string} text
 * @returns {string} the program
 * @throws {NoProgram}
 */
export function programIn(name, text) {
  if (/\.ipynb$/i.test(name)) return ofNotebook(name, text);
  if (text.includes("\0")) throw new NoProgram(`${name} is not text.`);
  return text.replace(/^\ufeff/, "");
}

/** @param {string} name @param {string} text */
function ofNotebook(name, text) {
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    throw new NoProgram(`${name} cannot be read as a notebook: it is not JSON.`);
  }
  const sheets = [content, ...listed(content?.worksheets)];
  const cells = sheets.flatMap((sheet) => listed(sheet?.cells)).filter(({ cell_type }) => cell_type === "code");
  if (!cells.length) throw new NoProgram(`${name} has no cells with code.`);
  return cells
    .map(({ source, input }, i) => {
      const code = source ?? input ?? "";
      return `# %% In [${i + 1}]\n${(Array.isArray(code) ? code.join("") : String(code)).trimEnd()}\n`;
    })
    .join("\n");
}

/** @param {unknown} value @returns {any[]} */
const listed = (value) => (Array.isArray(value) ? value.filter((each) => each && typeof each === "object") : []);

/**
 * Opens what is dropped or pasted anywhere on the page but in its fields.
 * @param {object} to
 * @param {(code: string) => void} to.onCode a program
 * @param {(document: import("../trace/document").RunDocument) => void} to.onRun
 *   a run; it leaves the browser for nowhere
 * @param {(message: string) => void} to.onProblem
 * @returns {() => void} asks for a file
 */
export function bindOpen({ onCode, onRun, onProblem }) {
  /** @param {File | null | undefined} file */
  async function open(file) {
    if (!file) return;
    try {
      if (file.size > LARGEST) throw new NoProgram(`${file.name} is too large to be opened.`);
      if (/\.(?:json|html?)$/i.test(file.name)) await openRun(file);
      else onCode(programIn(file.name, await file.text()));
    } catch (error) {
      onProblem(error instanceof NoProgram ? error.message : `${file.name} could not be read.`);
    }
  }

  /** @param {File} file */
  async function openRun(file) {
    const { documentIn } = await import("./page.js");
    try {
      onRun(readRun(documentIn(await file.text()), SCHEMA));
    } catch (error) {
      throw error instanceof NotARun ? new NoProgram(`${file.name} cannot be shown. ${error.message}`) : error;
    }
  }

  const carriesFile = (/** @type {DragEvent} */ { dataTransfer }) => dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragover", (event) => {
    if (carriesFile(event)) event.preventDefault();
  });
  addEventListener(
    "drop",
    (event) => {
      if (!carriesFile(event)) return;
      event.preventDefault();
      event.stopPropagation(); // the editor would insert its text
      void open(event.dataTransfer?.files[0]);
    },
    true,
  );
  addEventListener("paste", ({ target, clipboardData }) => {
    if (!clipboardData || !(target instanceof HTMLElement)) return;
    if (target.isContentEditable || target.closest("input, textarea, dialog")) return;
    const text = clipboardData.getData("text/plain");
    if (clipboardData.files.length) void open(clipboardData.files[0]);
    else if (text.trim()) onCode(text);
  });
  return () => {
    const input = h("input", { type: "file", accept: ".py,.ipynb,.txt,.json,.html" });
    input.addEventListener("change", () => void open(input.files?.[0]));
    input.click();
  };
}
