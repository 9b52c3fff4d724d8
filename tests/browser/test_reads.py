"""Lines that only look at something, and the names of autograd's parts, in the browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Open

PROGRAM = (
    "import torch\n"
    "a = torch.tensor(2.0, requires_grad=True)\n"
    "b = a * 3\n"
    "e = a * b\n"
    "e.backward()\n"
    "print(e.grad_fn.next_functions)\n"
    "print(a.is_leaf, b.is_leaf)\n"
)
WRITTEN = "#stage .items text, #stage .sprites text"


def test_a_line_that_prints_autograds_parts_is_a_step_that_lights_them(visit: Open) -> None:
    page = visit()
    page.program(PROGRAM)
    page.press("End")
    say = page.page.locator("#story .say").first
    expect(say).to_have_text(re.compile(r"^a is a leaf: no recorded operation made it; b is not a leaf: MulBackward0"))
    written = page.page.locator(WRITTEN)
    assert {"not a leaf", "e.grad_fn", "next_functions[0]", "AccumulateGrad"} <= set(written.all_text_contents())
    rings = page.page.locator("#stage .halos > *")
    assert rings.count() == 2, "the cards of a and b"
    page.press("ArrowLeft")
    expect(say).to_have_text(re.compile(r"^The next functions of MulBackward0 \(e\): \[0\] is AccumulateGrad of a"))
    page.press("ArrowLeft")
    expect(rings).to_have_count(0)
    assert "e.grad_fn" not in written.all_text_contents()


def test_all_of_them_are_named_when_asked_for_by_mouse_or_key(visit: Open) -> None:
    page = visit()
    page.program("import torch\nx = torch.ones(2, requires_grad=True)\ny = (x * 3).sum()\ny.backward()\n")
    button = page.page.get_by_role("button", name="grad_fn")
    expect(button).to_have_attribute("aria-pressed", "false")
    written = page.page.locator(WRITTEN)
    assert "next_functions[0]" not in written.all_text_contents()
    button.focus()
    page.page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.page.locator("#stage .sprites text", has_text="next_functions[0]").first).to_be_attached()
    texts = set(written.all_text_contents())
    assert {"y.grad_fn", "grad_fn", "AccumulateGrad", "[1] None: 3 is a number"} <= texts, texts
    button.click()
    expect(page.page.locator("#stage .sprites text", has_text="next_functions[0]")).to_have_count(0)
