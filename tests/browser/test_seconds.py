"""How long forward and backward took, where a recording has measured it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import engine
from engine.export import page as page_of
from tests.browser.test_memory import DEEP
from tests.browser.visit import violations


def _measured() -> dict[str, Any]:
    """A document as the client writes it: each op took one millisecond, each node two."""
    document = engine.run(code=DEEP, seed=0).document
    for op in document["ops"]:
        op["seconds"] = 0.001
    for event in document["events"]:
        if event["kind"] == "node":
            event["seconds"] = 0.002
    clock = {"device": "cpu", "by": "perf_counter", "op": 1.2e-6, "node": 9e-7}
    return {**document, "timing": {"wall": 0.5, "threads": 2, "clocks": [clock]}}


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_modules_and_lines_have_their_seconds(browser: Browser, tmp_path: Path, width: int, scheme: Any) -> None:
    file = tmp_path / "run.html"
    file.write_text(page_of(_measured()), encoding="utf-8")
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(file.as_uri())
    page.locator("#details").click()
    fold = page.locator("#ledger details.seconds")
    expect(fold.locator("table")).to_have_count(0)
    fold.locator("summary").click()
    modules, lines = (fold.get_by_role("table", name=f"Seconds by {by}").locator("tbody") for by in ("module", "line"))
    # Four ops of each block; their nodes, and those of its four parameters and of what transposes two of them.
    row = modules.filter(has_text="net.8")
    expect(row.locator("th, td")).to_have_text(["net.8", "6 ms", "20 ms", "9 %"])
    expect(lines.filter(has_text="adding to").locator("td").nth(1)).to_have_text("72 ms")
    expect(lines.filter(has_text="line 8")).to_contain_text("return x + self.b(torch.sigmoid")
    expect(fold).to_contain_text("On cpu, with 2 threads, by perf_counter; nothing at all measures 1.2 µs as an op")
    expect(fold).to_contain_text("which took 500 ms, recording included")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []
    page.close()
    assert complaints == []


def test_a_recording_that_was_not_measured_says_nothing_of_it(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "run.html"
    file.write_text(page_of(engine.run(code=DEEP, seed=0).document), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    page.locator("#details").click()
    expect(page.locator("#ledger details.memory")).to_be_visible()
    expect(page.locator("#ledger details.seconds")).to_have_count(0)
    page.close()
