"""A training is a strip of iterations: loss, gradients and updates; dragging it leads to one."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.visit import violations

pytestmark = pytest.mark.slow

PROGRAM = """\
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
for i in range({turns}):
    loss = (w * w).sum() + b * b
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        b -= 0.1 * b.grad
    w.grad = b.grad = None
"""

NETWORK = """\
import torch, torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.05)
X = torch.randn(32, 4)
for i in range(12):
    opt.zero_grad()
    loss = (net(X) ** 2).mean()
    loss.backward()
    opt.step()
"""


def test_dragging_the_strip_goes_to_a_turn(visit: Open) -> None:
    page = visit()
    strip = page.page.locator(".training")
    expect(strip).to_be_hidden()
    page.program(PROGRAM.format(turns=20))
    expect(strip).to_be_visible()
    plot = strip.get_by_role("slider", name="Iteration of the training")
    box = plot.bounding_box()
    assert box is not None
    left, right = box["x"] + 128, box["x"] + box["width"] - 81
    page.page.mouse.move(left + 3, box["y"] + 20)
    page.page.mouse.down()
    expect(strip).to_contain_text("iteration 0 of 0 … 19 · loss 6")
    page.page.mouse.move(left + (right - left) * 10.5 / 20, box["y"] + 20, steps=4)
    page.page.mouse.up()
    expect(strip).to_contain_text("iteration 10 of 0 … 19")
    assert page.story.startswith("Backward pass #11 is finished")
    expect(plot).to_have_attribute("aria-valuenow", "10")

    plot.focus()
    page.press("ArrowRight")
    expect(strip).to_contain_text("iteration 11 of 0 … 19")
    page.press("End")
    expect(strip).to_contain_text("iteration 19 of 0 … 19")
    page.page.locator("#graph").focus()
    page.press("Home")
    expect(strip).to_contain_text("20 iterations")
    assert violations(page.page) == []


def test_turns_that_are_not_recorded_still_have_numbers(visit: Open) -> None:
    page = visit()
    page.program(PROGRAM.format(turns=3000))
    plot = page.page.get_by_role("slider", name="Iteration of the training")
    plot.focus()
    page.press("End")
    expect(page.page.locator(".training-said")).to_contain_text("iteration 2,999 of 0 … 2,999")
    for _ in range(30):
        page.press("PageDown")
    said = page.page.locator(".training-said")
    expect(said).to_contain_text("its graph is not recorded")
    expect(said).to_contain_text("loss ")
    expect(page.page.locator("#story")).to_contain_text("were not recorded")


@pytest.mark.parametrize(("width", "turns", "open_"), [(1440, 20, True), (1440, 5, False), (390, 20, False)])
def test_rows_are_shown_where_there_is_room(visit: Open, width: int, turns: int, open_: bool) -> None:
    page = visit(width=width)
    page.program(PROGRAM.format(turns=turns))
    shown = page.page.locator(".training-rows [aria-pressed=true]")
    expect(shown).to_have_text("‖grad‖" if open_ else "loss")
    before = page.page.locator(".training-plot").bounding_box()
    page.page.locator(".training-rows button", has_text="loss" if open_ else "step ÷ weight").click()
    after = page.page.locator(".training-plot").bounding_box()
    assert before and after and (after["height"] > before["height"]) is not open_


def test_the_strip_is_low_however_many_parameters(visit: Open) -> None:
    page = visit()
    page.program(NETWORK)
    for rows in ("‖grad‖", "step ÷ weight"):
        page.page.get_by_role("button", name=rows, exact=True).click()
        box = page.page.locator(".training").bounding_box()
        assert box and box["height"] <= 150
        assert page.page.locator(".training-numbers span").count() >= 7


def test_shift_and_an_arrow_go_to_the_same_place_of_the_next_iteration(visit: Open) -> None:
    page = visit()
    page.program(NETWORK)
    said = page.page.locator(".training-said")
    page.press("Shift+ArrowRight")
    first = page.page.locator(".where").inner_text()
    expect(said).to_contain_text("iteration 1 of 0 … 11")
    page.press("Shift+ArrowRight")
    expect(said).to_contain_text("iteration 2 of 0 … 11")
    assert page.page.locator(".where").inner_text() == first.replace("#2", "#3")
    page.press("Shift+ArrowLeft")
    expect(said).to_contain_text("iteration 1 of 0 … 11")
    for _ in range(12):
        page.press("Shift+ArrowRight")
    expect(said).to_contain_text("iteration 11 of 0 … 11")
