"""The examples: a gallery by question, searched and walked through with keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open


def test_the_sketches_are_asked_for_when_the_gallery_opens_and_not_before(visit: Open) -> None:
    page = visit()
    page.page.wait_for_load_state("networkidle")
    asked = lambda: [url for url in page.requests if "sketches.svg" in url]  # noqa: E731
    assert asked() == []
    page.page.locator("#examples").click()
    expect(page.page.locator(".gallery-card").first).to_be_visible()
    page.page.wait_for_load_state("networkidle")
    assert len(set(asked())) == 1
    assert page.page.locator(".gallery-sketch use").count() >= 60
    drawn = "() => [...document.querySelectorAll('.gallery-sketch use')].every((e) => e.getBBox().width > 0)"
    page.page.wait_for_function(drawn)


@pytest.mark.parametrize("width", [390, 1440])
def test_an_example_is_found_and_opened_with_keys_alone(visit: Open, width: int) -> None:
    page = visit(width=width, height=844)
    page.page.locator("#examples").focus()
    page.press("Enter")
    search = page.page.get_by_label("Search the examples")
    expect(search).to_be_focused()
    page.page.keyboard.type("retain_graph kept")
    shown = page.page.locator(".gallery-card:visible")
    expect(shown).to_have_count(1)
    expect(page.page.locator("#gallery output")).to_have_text("1")
    search.fill("leaf")
    page.press("ArrowDown")
    expect(shown.first).to_be_focused()
    page.press("ArrowRight")
    expect(shown.nth(1)).to_be_focused()
    page.press("ArrowLeft")
    page.press("ArrowUp")
    expect(search).to_be_focused()
    search.fill("why is b.grad none")
    with page.page.expect_response(lambda r: r.url.endswith("/v1/runs")):
        page.press("Enter")
    expect(page.page.locator("#gallery")).to_be_hidden()
    expect(page.page.locator(".lesson h2")).to_have_text("What is a leaf, and why is b.grad None?")


def test_nothing_found_is_said_and_escape_leaves(visit: Open) -> None:
    page = visit()
    page.page.locator("#examples").click()
    expect(page.page.get_by_label("Search the examples")).to_be_focused()
    page.page.keyboard.type("no such thing")
    expect(page.page.locator("#gallery output")).to_have_text("none")
    expect(page.page.locator(".gallery-card:visible")).to_have_count(0)
    page.press("Escape")
    page.press("Escape")
    expect(page.page.locator("#gallery")).to_be_hidden()
    expect(page.page.locator("#examples")).to_be_focused()
