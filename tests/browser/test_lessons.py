"""Every lesson belongs to an example, and every caption points at something that really happens in its run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.browser.conftest import Open

LESSONS = Path(__file__).resolve().parents[2] / "static" / "js" / "lessons"
IDS = [
    name
    for file in ("texts.js", "classics.js")
    for name in re.findall(r"^  (\w+): \{$", (LESSONS / file).read_text("utf-8"), re.MULTILINE)
]


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", IDS)
def test_a_lesson_can_be_followed_and_its_change_runs(visit: Open, name: str) -> None:
    page = visit()
    with page.page.expect_response(lambda r: r.url.endswith("/v1/runs")):
        page.example(name)
    captions = page.page.locator(".lesson li")
    captions.first.wait_for()
    for i in range(captions.count()):
        caption = captions.nth(i)
        assert caption.locator("button").count() == 1, f"no such moment: {caption.inner_text()}"
        caption.locator("button").click()
        assert caption.locator("[aria-current=step]").count() == 1, caption.inner_text()
        said = caption.locator("button").get_attribute("aria-label")
        assert said == f"{i + 1}: {page.page.locator('.lesson .open').inner_text()}"
    with page.page.expect_response(lambda r: r.url.endswith("/v1/runs")):
        page.page.locator(".lesson > .button").click()
    page.page.locator(".lesson > .button").wait_for(state="detached")
