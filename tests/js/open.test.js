/** Programs from files, and the cells of a notebook's lines. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NoProgram, programIn } from "../../static/js/share/open.js";
import { lineName, placeInCell } from "../../static/js/ui/cells.js";

const code = (source) => ({ cell_type: "code", source });

test("a script is taken as it is", () => {
  assert.equal(programIn("a.py", "\ufeffimport torch\n"), "import torch\n");
  assert.throws(() => programIn("a.png", "\x89PNG\0"), NoProgram);
});

test("a notebook becomes its cells of code, one after another", () => {
  const cells = [code(["import torch\n", "x = 1"]), { cell_type: "markdown", source: "# no" }, code("x\n\n")];
  const made = "# %% In [1]\nimport torch\nx = 1\n\n# %% In [2]\nx\n";
  assert.equal(programIn("a.ipynb", JSON.stringify({ cells })), made);
  const old = { worksheets: [{ cells: [{ cell_type: "code", input: ["x = 1"] }] }] };
  assert.equal(programIn("OLD.IPYNB", JSON.stringify(old)), "# %% In [1]\nx = 1\n");
});

test("a file that is no notebook says so", () => {
  for (const text of ["{", "null", "[]", '{"cells": 3}', '{"cells": [null, {"cell_type": "markdown"}]}']) {
    assert.throws(() => programIn("a.ipynb", text), NoProgram, text);
  }
});

test("a line is named with its cell", () => {
  const lines = programIn("a.ipynb", JSON.stringify({ cells: [code("a\nb"), code("c")] })).split("\n");
  assert.deepEqual(placeInCell(lines, 3), { cell: 1, line: 2 });
  assert.equal(lineName(lines, 6), "Line 6 (cell 2, line 1)");
  assert.equal(lines[5], "c");
  assert.equal(lineName(["a", "b"], 2), "Line 2");
});
