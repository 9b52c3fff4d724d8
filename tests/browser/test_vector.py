"""The gradient argument: sliders, one-hot buttons, and the Jacobian rows they weigh."""

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


def test_the_rows_of_the_jacobian_weighted_and_added_are_x_grad(visit: Open) -> None:
    page = visit()
    page.program(PROGRAM)
    page.page.wait_for_selector("#vector tr.total")
    rows = page.page.locator("#vector tbody tr:not(.rule):not(.total)").all()
    assert [row.locator("td").all_inner_texts() for row in rows] == [["2", "0", "0"], ["0", "4", "0"], ["0", "0", "6"]]
    assert [float(text) for text in page.page.locator("#vector tr.total td").all_inner_texts()] == [0.2, 4, 6e-4]


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


def test_dragging_a_slider_updates_the_sum_at_once(visit: Open) -> None:
    page = visit()
    page.program(PROGRAM)
    page.page.wait_for_selector("#vector tr.total")
    slider = page.page.get_by_label("Drag v₀")
    slider.focus()
    slider.press("End")
    assert page.page.locator("#vector tr.total td").first.inner_text() == "2"
    expect(page.page.locator(".cm-content")).to_contain_text("[1.0, 1.0, 0.0001]")


def test_the_root_has_its_own_name_and_the_rows_are_about_what_the_program_made(visit: Open) -> None:
    page = visit()
    page.program(
        "import torch\nfrom torch import nn\ntorch.manual_seed(0)\nlayer = nn.Linear(2, 2)\n"
        "x = torch.tensor([1.0, 2.0], requires_grad=True)\nz = layer(x)\nz.backward(torch.tensor([1.0, 0.0]))\n"
    )
    expect(page.page.get_by_role("button", name="only z₁")).to_be_visible()
    expect(page.page.locator(".jacobian .row-name").first).to_have_text("∂z₀/∂x")
