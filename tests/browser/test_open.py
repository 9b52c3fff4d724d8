"""Files that are opened: scripts and notebooks, dropped or chosen."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import Open

NOTEBOOK = json.dumps(
    {
        "nbformat": 4,
        "cells": [
            {"cell_type": "markdown", "source": "# A parabola"},
            {"cell_type": "code", "source": ["%matplotlib inline\n", "import torch"]},
            {"cell_type": "code", "source": "x = torch.tensor(3.0, requires_grad=True)\ny = x ** 2\ny.backward()"},
            {"cell_type": "code", "source": "y.backward()"},
        ],
    }
)
DROP = """([name, text]) => {
    const carried = new DataTransfer();
    carried.items.add(new File([text], name));
    const target = document.querySelector(".cm-content");
    for (const type of ["dragover", "drop"]) {
        target.dispatchEvent(new DragEvent(type, {dataTransfer: carried, bubbles: true, cancelable: true}));
    }
}"""


def test_a_notebook_dropped_on_the_page_runs_and_its_error_names_the_cell(visit: Open) -> None:
    page = visit()
    with page.page.expect_response(lambda r: r.url.endswith("/v1/runs")):
        page.page.evaluate(DROP, ["parabola.ipynb", NOTEBOOK])
    said = page.page.locator("#story .say").first
    expect(said).to_contain_text("Line 11 (cell 3, line 1) stops with a RuntimeError")  # a run opens at its error
    page.press("Home")
    for _ in range(3):
        page.press("ArrowRight")
    expect(said).to_contain_text("Line 8 (cell 2, line 3) starts backward pass #1")
    expect(page.page.locator(".cm-content")).to_contain_text("# %% In [2]")
    expect(page.page.locator(".cm-content")).not_to_contain_text("nbformat")


def test_a_file_is_chosen_from_the_gallery(visit: Open, tmp_path: Path) -> None:
    script = tmp_path / "twice.py"
    script.write_text("import torch\nx = torch.tensor(2.0, requires_grad=True)\n(x * 21).backward()\nprint(x.grad)\n")
    page = visit()
    page.page.get_by_role("button", name="Examples").click()
    with page.page.expect_file_chooser() as chooser:
        page.page.get_by_role("button", name="Open a file…").click()
    with page.page.expect_response(lambda r: r.url.endswith("/v1/runs")):
        chooser.value.set_files(script)
    expect(page.page.locator("#gallery")).to_be_hidden()
    expect(page.page.locator("#story .say").first).to_contain_text("Line 3 starts backward pass #1")
    page.press("End")
    expect(page.page.locator("#output")).to_contain_text("tensor(21.)")


def test_what_is_no_program_is_refused_and_nothing_is_lost(visit: Open) -> None:
    page = visit()
    before = page.page.locator(".cm-content").inner_text()
    page.page.evaluate(DROP, ["broken.ipynb", "{"])
    expect(page.page.locator("#toasts")).to_contain_text("broken.ipynb cannot be read as a notebook")
    assert page.page.locator(".cm-content").inner_text() == before
