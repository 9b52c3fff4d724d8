"""Two runs in one file, which shows them side by side without a service."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Open
from tests.browser.test_compare import AFTER, BEFORE, compared
from tests.browser.test_open import DROP
from tests.browser.test_viewer import PROJECT, alone, document, in_a_frame
from tests.browser.visit import violations

pytestmark = pytest.mark.slow

__all__ = ["alone"]  # a fixture

SCRIPT = '<script type="application/json" id="{}-document"{}>{}</script>'


def pair(before: dict[str, Any], after: dict[str, Any], names: tuple[str, str] = ("a.json", "b.json")) -> str:
    """As the client writes it."""
    both = [
        SCRIPT.format(which, f' data-name="{html.escape(name)}"', json.dumps(run).replace("<", "\\u003c"))
        for which, name, run in (("run", names[1], after), ("other", names[0], before))
    ]
    viewer = (PROJECT / "static" / "viewer.html").read_text("utf-8")
    return viewer.replace(SCRIPT.format("run", "", ""), "\n".join(both))


def saved(folder: Path, text: str) -> str:
    file = folder / "pair.html"
    file.write_text(text, "utf-8")
    return file.as_uri()


def stands(page: Any, said: str) -> None:
    """Both runs stand at this step."""
    for run in ("#a", "#b"):
        track = page.frame_locator(run).locator("[role=slider].track")
        expect(track).to_have_attribute("aria-valuetext", re.compile(said))


def test_a_file_with_two_runs_opens_where_they_differ_first(alone: Any, tmp_path: Path) -> None:
    name = '<b>"&.json'
    page: Page = alone(saved(tmp_path, pair(document(BEFORE), document(AFTER), (name, "after.html"))), width=1300)
    expect(page.locator(".differences-said")).to_contain_text("loss = h.sum() in A, loss = h.prod() in B")
    expect(page.locator("#title-a")).to_have_text(f"A{name}")
    stands(page, "loss")
    for run, op in (("#a", "SumBackward0"), ("#b", "ProdBackward0")):
        expect(page.frame_locator(run).locator("#story")).to_contain_text(op)
        expect(page.frame_locator(run).locator(".timeline")).to_be_hidden()
    page.get_by_text("All 5 differences").click()
    page.get_by_role("button", name="See gradients").click()
    stands(page, "TanhBackward0")
    page.get_by_role("button", name="Next step of both").click()
    stands(page, "AccumulateGrad|w.grad")
    page.keyboard.press("?")
    expect(page.locator("#help-dialog")).to_be_hidden()
    page.frame_locator("#b").locator("#graph").focus()
    page.keyboard.press("Home")
    expect(page.get_by_role("slider", name="Step of both runs")).to_have_value("0")
    page.locator("#theme").click()
    for run in ("#a", "#b"):
        expect(page.frame_locator(run).locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1300


def test_two_runs_that_say_the_same_say_so(alone: Any, tmp_path: Path) -> None:
    page: Page = alone(saved(tmp_path, pair(document(BEFORE), document(BEFORE))), width=390)
    expect(page.locator(".differences-said")).to_contain_text("Nothing differs")
    expect(page.frame_locator("#b").locator("#story .say").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_file_with_two_runs_plays_in_a_sandboxed_frame(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    page.goto(saved(tmp_path, in_a_frame(pair(document(BEFORE), document(AFTER)))))
    inside = page.frame_locator("iframe")
    expect(inside.locator(".differences-said")).to_contain_text("loss = h.prod() in B")
    stands(inside, "loss")
    inside.get_by_role("button", name="First step of both").click()
    for run in ("#a", "#b"):
        track = inside.frame_locator(run).locator("[role=slider].track")
        expect(track).to_have_attribute("aria-valuenow", "0")
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_comparison_is_exported_as_a_file(visit: Open, alone: Any, tmp_path: Path, scheme: str) -> None:
    first = visit(scheme=scheme)
    page = compared(first)
    said = page.locator(".differences-said").inner_text()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    assert re.fullmatch(r"backlight-\w{8}-\w{8}\.html", download.value.suggested_filename)
    text = Path(download.value.path()).read_text("utf-8")
    whole: Page = alone(saved(tmp_path, text), scheme=scheme)
    expect(whole.locator(".differences-said")).to_have_text(said)
    stands(whole, "loss")
    assert violations(page) == []
    first.page.evaluate(DROP, ["pair.html", text])  # opened as one run, it is the later one
    expect(first.page.locator("#origin")).to_be_visible()
    assert "h.prod()" in first.page.locator(".cm-content").inner_text()
