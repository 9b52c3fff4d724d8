"""A gradient is held beside the slope of the loss where its leaf is looked at."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.visit import violations

pytestmark = pytest.mark.slow

PROGRAM = """\
import torch
w = torch.tensor([0.0, 2.0, -1.0], requires_grad=True)
(torch.relu(w) * 3).sum().backward()
"""


def test_a_leaf_says_whether_its_gradient_is_the_slope_of_the_loss(visit: Open) -> None:
    page = visit()
    page.program(PROGRAM)
    check = page.page.locator("#ledger .check")
    page.press("End")
    for _ in range(2):
        page.press("ArrowLeft")
    page.open_engine_details()
    expect(check).to_have_count(0)  # the pass has not added to it yet
    page.press("ArrowRight")
    check.get_by_role("button", name="Is it right?").click()
    expect(check).to_contain_text("1 of the 3 elements differs from the numerical derivative.")
    expect(check).to_contain_text("relu has a corner")
    expect(check.locator("tr.differs")).to_contain_text("0 left, 3 right")
    check.get_by_role("button", name="See line 3.").click()

    page.page.locator("#graph").focus()
    page.press("End")
    expect(check).to_have_count(0)
    page.press("ArrowLeft")
    expect(check).to_contain_text("relu has a corner")  # what was asked for stays
    assert violations(page.page) == []


def test_a_check_that_fails_can_be_asked_again(visit: Open) -> None:
    page = visit()
    page.program(PROGRAM)
    page.press("End")
    page.press("ArrowLeft")
    page.open_engine_details()
    page.page.route("**/checks/*", lambda route: route.abort())
    check = page.page.locator("#ledger .check")
    check.get_by_role("button", name="Is it right?").click()
    expect(check).to_contain_text("Check the connection")
    page.complaints.clear()
    page.page.unroute("**/checks/*")
    check.get_by_role("button", name="Is it right?").click()
    expect(check).to_contain_text("relu has a corner")
