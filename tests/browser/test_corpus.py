"""Runs as files, of examples and of recorded programs: from a disk and in a frame without rights they play alike.

It is one example of each group of the menu, and one recorded program of each folder; with `BACKLIGHT_CORPUS=all` in
the environment it is all of them.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Frame, Page

import engine
from app.examples import load_examples
from engine.export import page as page_of
from tests.browser.conftest import Open
from tests.browser.test_viewer import in_a_frame, wait_for_picture
from tests.browser.visit import Visit

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).resolve().parents[2]
FOLDER = PROJECT / "app" / "examples" / "programs"
EXAMPLES = [(FOLDER / f"{example.id}.py", example.group) for example in load_examples().menu.examples]
RECORDED = [
    (path.with_suffix(".py"), path.parent.name) for path in sorted((PROJECT / "tests" / "snippets").glob("*/*.json"))
]
PROGRAMS = [path for path, _ in [*EXAMPLES, *RECORDED]]
if os.environ.get("BACKLIGHT_CORPUS") != "all":
    PROGRAMS = list({kind: path for path, kind in [*EXAMPLES, *RECORDED]}.values())
SHARES = 4

REPORT = "addEventListener('securitypolicyviolation', ({violatedDirective, blockedURI}) =>"
REPORT += " console.error('policy', violatedDirective, blockedURI))"

PLAYED = """async () => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "End", bubbles: true}));
    await new Promise(requestAnimationFrame);
    const at = (name) => document.querySelector("[role=slider].track").getAttribute(`aria-value${name}`);
    return at("now") === at("max") && document.querySelector("#story .say").textContent;
}"""
TOLD = """async (text) => {
    const [{asOneListing}, {indexTrace, stops}, {Book}, {asText, narrate}] = await Promise.all(
        ["trace/files.js", "trace.js", "ui/book.js", "ledger/sentence.js"].map(pageModule));
    const trace = indexTrace(asOneListing(JSON.parse(text)));
    const times = stops(trace);
    const [from, to] = times.length > 1 ? times.slice(-2) : [0, 0];
    return asText(narrate(new Book(trace), from, to)[0]);
}"""
"""The last sentence, from the modules that the service's page is made of."""


def opened(browser: Browser) -> Visit:
    context = browser.new_context(viewport={"width": 1300, "height": 800}, reduced_motion="reduce")
    context.add_init_script(REPORT)
    return Visit(context.new_page(), "")


def words(text: str) -> str:
    """Without what numbers have in words and not in cells."""
    return " ".join(re.sub(r"[\[\],]", "", text).split())


def played(page: Page | Frame) -> str:
    """The last sentence."""
    wait_for_picture(page)
    return str(page.evaluate(PLAYED) or "not at its end")


@pytest.mark.parametrize("share", range(SHARES))
def test_every_run_plays_from_a_disk_and_in_a_frame(browser: Browser, visit: Open, tmp_path: Path, share: int) -> None:
    served = visit().page
    disk, notebook = opened(browser), opened(browser)
    wrong: dict[str, list[str]] = {}
    asked: list[str] = []
    for path in PROGRAMS[share::SHARES]:
        document = engine.run(code=path.read_text("utf-8"), seed=0).document
        inside = page_of(document)
        file, outer = tmp_path / f"{path.stem}.html", tmp_path / f"{path.stem}-in-a-frame.html"
        file.write_text(inside, "utf-8")
        outer.write_text(in_a_frame(inside), "utf-8")
        notebook.page.goto(outer.as_uri(), wait_until="commit")
        disk.page.goto(file.as_uri(), wait_until="commit")
        asked += [file.as_uri(), outer.as_uri()]
        notebook.page.wait_for_selector("iframe")
        told = served.evaluate(TOLD, json.dumps(document))
        said = [played(disk.page), played(notebook.page.frames[1])]
        if {words(text) for text in said} != {words(told)}:
            wrong[path.stem] = [told, *said]
        file.unlink()
        outer.unlink()
    assert disk.complaints + notebook.complaints == []
    assert sorted(disk.requests + notebook.requests) == sorted(asked)
    assert wrong == {}
    for made in (disk, notebook):
        made.page.context.close()
