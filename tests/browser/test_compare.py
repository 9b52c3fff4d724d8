"""Two runs side by side: after an edit, from a link, at the same step."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.visit import Visit, violations

pytestmark = pytest.mark.slow

BEFORE = """import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
h = w.tanh()
loss = h.sum()
loss.backward()
print(w.grad)
"""
AFTER = BEFORE.replace("h.sum()", "h.prod()")
KINDS = ["Program", "Structure", "Values", "Gradients", "Output"]
LATER = "() => { const now = performance.now.bind(performance); performance.now = () => now() + 3000; }"
"""A run has been looked at once it was on show for two seconds: these have passed."""


def track(page: Page, run: str) -> Any:
    return page.frame_locator(run).locator("[role=slider].track")


def compared(first: Visit) -> Page:
    """The page that opens for what was run last and what was looked at before."""
    first.program(BEFORE)
    first.page.evaluate(LATER)
    first.program(AFTER)
    with first.page.expect_popup() as opened:
        first.page.locator("#compare").click()
    return opened.value


def test_a_run_is_compared_with_the_one_before_it(visit: Open) -> None:
    first = visit()
    expect(first.page.locator("#compare")).to_be_hidden()
    page = compared(first)
    rows = page.locator(".differences tbody tr")
    expect(rows.locator("th")).to_have_text([re.compile(f"^{kind}") for kind in KINDS])
    expect(rows.nth(0).locator("td code")).to_have_text(["loss = h.sum()", "loss = h.prod()"])
    expect(rows.nth(2).locator("td code")).to_have_text(["1.726", "0.7342"])
    expect(page.locator(".two h2 code")).to_have_text(["loss = h.sum()", "loss = h.prod()"])
    assert not violations(page)


def test_both_runs_stand_at_the_same_step(visit: Open) -> None:
    page = compared(visit())
    expect(page.locator(".differences-said")).to_contain_text("loss = h.sum() in A, loss = h.prod() in B")
    page.get_by_text("All 5 differences").click()
    page.get_by_role("button", name="See gradients").click()
    both = page.get_by_role("slider", name="Step of both runs")
    for run in ("#a", "#b"):
        expect(page.frame_locator(run).locator(".timeline")).to_be_hidden()
        expect(track(page, run)).to_have_attribute("aria-valuetext", re.compile("TanhBackward0"))
    expect(both).to_have_attribute("aria-valuetext", re.compile("TanhBackward0"))
    page.get_by_role("button", name="Next step of both").click()
    for run in ("#a", "#b"):
        expect(track(page, run)).to_have_attribute("aria-valuetext", re.compile("AccumulateGrad|w.grad"))
    page.frame_locator("#b").locator("#graph").focus()
    page.keyboard.press("Home")
    expect(track(page, "#a")).to_have_attribute("aria-valuenow", "0")
    expect(both).to_have_value("0")
    page.get_by_role("button", name="Play both").click()
    expect(both).to_have_value("1")
    page.get_by_role("button", name="Pause both").click()
    page.locator("#theme").click()
    for run in ("#a", "#b"):
        expect(page.frame_locator(run).locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (390, 800)])
def test_the_leaves_of_both_runs_are_in_view(visit: Open, url: str, width: int, height: int) -> None:
    address = compared(visit()).url.removeprefix(url)
    page = visit(None, width=width, height=height).page
    page.goto(url + address)
    for run in ("#a", "#b"):
        page.locator(run).scroll_into_view_if_needed()
        leaf = page.frame_locator(run).locator(".stage-shelf .item.card")
        expect(leaf).to_be_visible()
        box, frame = leaf.bounding_box(), page.locator(run).bounding_box()
        player = page.locator("#player").bounding_box()
        assert box and frame and player
        assert frame["x"] <= box["x"] and box["x"] + box["width"] <= frame["x"] + frame["width"]
        assert frame["y"] <= box["y"] and box["y"] + box["height"] <= frame["y"] + frame["height"]
        assert box["y"] + box["height"] <= player["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_link_is_put_beside_the_run_on_show(visit: Open) -> None:
    first = visit()
    first.program(BEFORE)
    first.page.locator("#share").click()
    link = first.page.get_by_label("Link to this program and step").input_value()
    first.press("Escape")
    first.program(AFTER)
    first.page.locator("#share").click()
    first.page.get_by_label("Link to another run").fill("https://elsewhere.example/")
    first.page.get_by_role("button", name="Compare", exact=True).click()
    expect(first.page.locator("#toasts")).to_contain_text("This is no link to a run")
    first.page.get_by_label("Link to another run").fill(link)
    with first.page.expect_popup() as opened:
        first.page.get_by_role("button", name="Compare", exact=True).click()
    expect(opened.value.locator(".differences td code").nth(1)).to_have_text("loss = h.prod()")


@pytest.mark.parametrize("fragment", ["", "#v1:AAAA"])
def test_an_address_without_two_programs_says_what_to_do(visit: Open, url: str, fragment: str) -> None:
    page = visit(None).page
    page.goto(f"{url}/compare{fragment}")
    expect(page.get_by_role("alert")).to_contain_text("There is nothing to compare in this address")
    assert not violations(page)
