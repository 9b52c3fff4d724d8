/**
 * Programs from files: a script, or a notebook with the code of its cells one after another, as `python -m engine`
 * reads it.
 * @module
 */

import { h } from "../ui/dom.js";

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
  if (text.includes("\0")) throw new NoProgram(`${name} is no text.`);
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
 * Opens files that are dropped anywhere on the page.
 * @param {{onCode: (code: string) => void, onProblem: (message: string) => void}} to
 * @returns {() => void} asks for a file
 */
export function bindOpen({ onCode, onProblem }) {
  /** @param {File | null | undefined} file */
  async function open(file) {
    if (!file) return;
    try {
      if (file.size > LARGEST) throw new NoProgram(`${file.name} is too large to be a program.`);
      onCode(programIn(file.name, await file.text()));
    } catch (error) {
      onProblem(error instanceof NoProgram ? error.message : `${file.name} could not be read.`);
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
  return () => {
    const input = h("input", { type: "file", accept: ".py,.ipynb,.txt" });
    input.addEventListener("change", () => void open(input.files?.[0]));
    input.click();
  };
}
