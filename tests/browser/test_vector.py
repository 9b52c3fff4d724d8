"""The gradient argument: exact numbers, ones and one-hot, in one row below the program."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Open

PROGRAM = """\
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * x
y.backward(torch.tensor([0.1, 1.0, 0.0001]))
print(x.grad)
"""


def test_a_scalar_root_asks_nothing(visit: Open) -> None:
    page = visit()
    assert page.page.locator("#vector").is_hidden()


def test_a_one_hot_button_rewrites_the_literal_and_runs(visit: Open) -> None:
    page = visit()
    page.program(PROGRAM)
    page.press("End")
    with page.page.expect_response(
        lambda r: (
            r.url.endswith("/v1/runs") and "backward(torch.tensor([0.0, 1.0, 0.0]))" in (r.request.post_data or "")
        )
    ):
        page.page.get_by_role("button", name="only y₁").click()
    expect(page.page.locator("#output")).to_contain_text("tensor([0., 4., 0.])")
    assert "y.backward(torch.tensor([0.0, 1.0, 0.0]))" in page.page.locator(".cm-content").inner_text()
    expect(page.page.get_by_label("Weight of y₀")).to_have_value("0")


def test_a_number_can_be_typed_exactly_and_what_is_none_is_taken_back(visit: Open) -> None:
    page = visit()
    page.program(PROGRAM)
    weight = page.page.get_by_label("Weight of y₂")
    expect(weight).to_have_value("0.0001")
    with page.page.expect_response(lambda r: r.url.endswith("/v1/runs")):
        weight.fill("-0.125")
        weight.press("Enter")
    expect(page.page.locator(".cm-content")).to_contain_text("[0.1, 1.0, -0.125]")
    weight.fill("")
    weight.press("Enter")
    expect(weight).to_have_value("-0.125")


def test_the_root_has_its_own_name(visit: Open) -> None:
    page = visit()
    page.program(
        "import torch\nfrom torch import nn\ntorch.manual_seed(0)\nlayer = nn.Linear(2, 2)\n"
        "x = torch.tensor([1.0, 2.0], requires_grad=True)\nz = layer(x)\nz.backward(torch.tensor([1.0, 0.0]))\n"
    )
    expect(page.page.get_by_role("button", name="only z₁")).to_be_visible()
