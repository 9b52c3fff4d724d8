"""Errors are shown where they happened, with what to do about them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open

NOT_A_SCALAR = """\
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * 2
y.backward()
"""
SHORT = 110
"""Characters of a message that its line shows."""
TWICE = """\
import torch

a = torch.tensor(2.0, requires_grad=True)
b = a * a
b.backward()
b.backward()
"""


def test_an_error_sits_on_its_line_with_explanation_and_fix(visit: Open) -> None:
    page = visit()
    document = page.program(NOT_A_SCALAR)
    error = document["error"]
    assert error["message"] == "grad can be implicitly created only for scalar outputs"
    page.press("End")
    assert page.page.locator(".cm-error-line").inner_text().startswith("y.backward()")
    widget = page.page.locator(".cm-problem").inner_text()
    assert widget.strip() == f"{error['type']}: {error['message']}"
    ledger = page.page.locator("#ledger .ledger-error").inner_text()
    assert error["message"] in ledger
    assert error["explanation"] in ledger
    assert "Fix: Reduce y to a single number, as in y.sum().backward()," in ledger


def test_a_long_message_is_short_on_its_line_and_whole_in_the_right_column(visit: Open) -> None:
    page = visit()
    error = page.program(TWICE)["error"]
    assert len(error["message"]) > 2 * SHORT
    page.press("End")
    widget = page.page.locator(".cm-problem")
    start, shown = widget.inner_text().strip().split(": ", 1)
    assert start == error["type"]
    assert shown.endswith(" …") and len(shown) <= SHORT + 2 and error["message"].startswith(shown[:-2])
    assert widget.get_attribute("title") == error["message"]
    ledger = page.page.locator("#ledger .ledger-error").inner_text()
    assert error["message"] in ledger and error["explanation"] in ledger
    assert "Fix: Write b.backward(retain_graph=True) on line 5," in ledger


@pytest.mark.parametrize("width", [1400, 390])
def test_an_error_leads_to_why_and_what_helps(visit: Open, width: int) -> None:
    page = visit(width=width, height=844)
    error = page.program(TWICE)["error"]
    ledger = page.page.locator("#ledger")
    expect(ledger).to_contain_text(error["explanation"])  # a run opens at its error
    page.press("Home")
    expect(ledger).not_to_contain_text(error["explanation"])
    page.page.get_by_role("button", name="Why, and what helps").click()
    expect(ledger).to_contain_text(error["explanation"])
    expect(ledger.locator(".error-message")).to_be_in_viewport()
    expect(page.page.get_by_role("button", name="Why, and what helps")).to_be_visible(visible=width < 761)


def test_a_message_without_spaces_is_short_on_its_line_too(visit: Open) -> None:
    page = visit()
    error = page.program('import torch\na = torch.ones(2)\nraise ValueError("x" * 400)\n')["error"]
    assert error["message"] == "x" * 400
    page.press("End")
    assert len(page.page.locator(".cm-problem").inner_text().strip()) <= len("ValueError: ") + SHORT + 2


def test_the_missing_gradient_can_be_given_on_the_spot(visit: Open) -> None:
    page = visit()
    page.program(NOT_A_SCALAR)
    with page.page.expect_response(
        lambda r: r.url.endswith("/v1/runs") and r.request.post_data.count("[1.0, 1.0, 1.0]") == 1
    ):
        page.page.locator("#vector").get_by_role("button", name="ones").click()
    page.page.wait_for_selector(".cm-problem", state="detached")
    assert "y.backward(torch.tensor([1.0, 1.0, 1.0]))" in page.page.locator(".cm-content").inner_text()


def test_a_second_backward_stops_with_pytorchs_words_and_the_first_pass_stays_visible(visit: Open) -> None:
    page = visit()
    page.program(TWICE)
    page.press("e")
    told = page.page.locator("#ledger .ledger-error")
    expect(told).to_contain_text("Trying to backward through the graph a second time")
    page.press("Home")
    page.press("Shift+ArrowRight")
    assert "a.grad" in page.story


def test_a_half_typed_line_keeps_the_picture(visit: Open) -> None:
    page = visit()
    step = page.page.locator("#timeline .where")
    before = step.inner_text()
    page.page.locator(".cm-line", has_text="e.backward()").click()
    page.press("End")
    with page.page.expect_response(lambda r: r.url.endswith("/v1/runs")):
        page.page.keyboard.type(" (")
    page.page.wait_for_selector(".cm-problem")
    assert step.inner_text() == before


def test_a_service_that_does_not_answer_is_said_and_recovered_from(visit: Open) -> None:
    page = visit()
    run = page.page.locator("#run")
    expect(run).to_be_hidden()
    page.page.route("**/v1/runs", lambda route: route.abort())
    page.paste("import torch\n")
    page.page.get_by_text("The service did not answer").wait_for()
    expect(page.page.locator("#run-state")).to_have_text("not run")
    page.complaints.clear()
    page.page.unroute("**/v1/runs")
    run.click()
    page.page.wait_for_selector("#notices .notice", state="detached")
    expect(run).to_be_hidden()


def test_a_line_that_is_being_typed_is_not_called_wrong_until_the_cursor_leaves_it(visit: Open) -> None:
    visit(None)
    page = visit()  # a second visit has a context of its own, which alone gets the clock
    page.page.clock.install()
    page.page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    page.page.locator(".cm-line", has_text="e = c * d").click()
    page.press("End")
    page.page.keyboard.type(" *")
    with page.page.expect_response(lambda r: r.url.endswith("/v1/runs")) as answer:
        page.page.clock.run_for(500)
    assert "SyntaxError" in answer.value.text()
    page.page.clock.run_for(500)
    expect(page.page.locator(".cm-problem")).to_have_count(0)
    expect(page.page.locator("#run")).to_be_hidden()
    page.press("ArrowUp")
    page.page.clock.run_for(100)
    expect(page.page.locator(".cm-problem")).to_contain_text("SyntaxError")


def test_running_what_has_run_says_that_all_is_as_before(visit: Open) -> None:
    page = visit()
    state = page.page.locator("#run-state")
    expect(state).to_have_text("runs as you type")
    page.page.locator(".cm-content").click()
    page.press("ControlOrMeta+Enter")
    expect(state).to_have_text("ran again: all as before")


def test_a_program_that_takes_long_can_be_cancelled_and_then_run(visit: Open) -> None:
    page = visit()
    page.page.route("**/v1/runs", lambda route: None)  # never answered
    page.paste("import torch\n")
    button = page.page.locator("#run")
    button.get_by_text("Cancel").click()
    expect(page.page.locator("#run-state")).to_have_text("not run")
    page.page.unroute("**/v1/runs")
    button.get_by_text("Run").click()
    expect(button).to_be_hidden()
    expect(page.page.locator("#run-state")).to_have_text(re.compile("^ran"))


LAYER = """\
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.fc = nn.Linear(4 * 14 * 14, 10)

    def forward(self, x):
        x = torch.relu(self.conv(x))
        x = nn.functional.max_pool2d(x, 2)
        x = x.view(x.size(0), -1)
        return self.fc(x)


Net()(torch.randn(2, 1, 28, 28)).sum().backward()
"""


def test_what_an_error_is_about_is_in_sight_and_the_change_that_mends_it_runs(visit: Open) -> None:
    page = visit()
    assert "in_features=676" in page.program(LAYER)["error"]["fix"]
    page.press("End")
    blamed = page.page.locator("#graph text", has_text="(2, 676)")
    blamed.wait_for()
    stage, box = page.page.locator("#graph").bounding_box(), blamed.first.bounding_box()
    assert stage is not None and box is not None
    assert stage["y"] <= box["y"] and box["y"] + box["height"] <= stage["y"] + stage["height"]
    with page.page.expect_response(lambda r: r.url.endswith("/v1/runs")) as answer:
        page.page.get_by_role("button", name="Try: self.fc = nn.Linear(676, 10)").click()
    assert answer.value.json()["error"] is None
