"""What stands around the picture: one sentence, the answer at the end, output beside its line."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open

KEPT = """\
import torch
x = torch.tensor([1., 2., 3.], requires_grad=True)
k = x ** 2
loss = k.sum()
loss.backward()
print(x.grad)
print(k.grad)
"""
HUES = """() => {
    const hue = (text) => {
        const [r, g, b, a = 1] = (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
        return a > 0 && Math.max(r, g, b) - Math.min(r, g, b) > 40;
    };
    const coloured = [...document.querySelectorAll("body *:not(#stage *, svg *, .cells *, .cm-weight)")].filter((e) => {
        const style = getComputedStyle(e);
        return e.checkVisibility() && [style.color, style.backgroundColor].some(hue);
    });
    return coloured.map((e) => e.outerHTML.slice(0, 80));
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_hue_is_left_to_gradients_and_to_what_happens_now(visit: Open, scheme: str) -> None:
    page = visit(scheme=scheme)
    page.program(KEPT)
    for key in ("Home", "End"):
        page.press(key)
        assert page.page.evaluate(HUES) == []
    page.program("import torch\nx = torch.ones(2, requires_grad=True)\n(x * 2).backward()\n")
    page.press("End")
    assert page.page.evaluate(HUES) == []


def test_a_step_is_one_sentence_and_one_rule_and_the_rest_is_folded(visit: Open) -> None:
    page = visit()
    page.open_details()
    for _ in range(page.last() - page.at() + 1):
        assert page.page.locator("#story .say:visible").count() == 1
        assert page.page.locator("#ledger .rule:visible").count() <= 1
        page.press("ArrowRight")
    page.press("Home")
    page.press("ArrowRight")
    expect(page.page.locator("#story .say:visible")).to_contain_text("It is a leaf that requires grad")


def test_a_gradient_in_the_sentence_has_the_fill_that_it_has_in_the_picture(visit: Open) -> None:
    page = visit()
    page.program(KEPT)
    page.press("End")
    page.press("ArrowLeft")
    cells = page.page.locator("#story .say .cell")
    assert cells.all_inner_texts() == ["2", "4", "6"]
    said = cells.last.evaluate("(e) => getComputedStyle(e).backgroundColor")
    drawn = page.page.locator("#stage .items rect").evaluate_all("(all) => all.map((e) => getComputedStyle(e).fill)")
    assert said in drawn


def test_a_warning_is_a_short_line_under_what_its_line_printed(visit: Open) -> None:
    page = visit()
    document = page.program(KEPT)
    page.press("End")
    rows = page.page.locator("#output .output-row")
    said = [row.replace("\n", " ") for row in rows.all_inner_texts()]
    assert said == ["6 tensor([2., 4., 6.])", "7 None", "UserWarning: k is not a leaf"]
    whole = page.page.locator("#output").get_by_text(document["warnings"][0]["message"][:60])
    expect(whole).to_be_hidden()
    page.page.locator(".output-warning summary").click()
    expect(whole).to_be_visible()
    page.press("ArrowLeft")
    page.press("End")
    expect(whole).to_be_visible()


def test_the_end_lights_the_answer_and_offers_what_to_try(visit: Open) -> None:
    page = visit()
    page.program(KEPT)
    page.press("End")
    expect(page.page.locator(".try")).to_contain_text("Try: keep k’s too, with k.retain_grad()")
    lit = page.page.locator("#stage .halos rect")
    expect(lit).to_have_count(2)
    with page.page.expect_response(lambda r: r.url.endswith("/v1/runs")):
        page.page.locator(".try button").click()
    expect(page.page.locator(".cm-content")).to_contain_text("k.retain_grad()")
    page.page.locator("#graph").focus()
    page.press("End")
    expect(page.page.locator("#output")).to_contain_text("tensor([1., 1., 1.])")
    page.press("Home")
    expect(page.page.locator(".try")).to_have_count(0)
    expect(lit).to_have_count(0)


def test_a_long_output_can_be_read_by_keys(visit: Open) -> None:
    page = visit(height=600)
    page.program(
        "import torch\ntorch.ones(2, requires_grad=True).sum().backward()\nfor i in range(80):\n    print(i)\n"
    )
    page.press("End")
    rows = page.page.locator("#output .output-words")
    page.page.locator(".output-text").focus()
    page.press("Home")
    expect(rows.first).to_be_in_viewport()
    page.press("End")
    expect(rows.last).to_be_in_viewport()


def test_an_error_is_said_once_and_its_mending_is_offered(visit: Open) -> None:
    page = visit()
    page.program("import torch\nx = torch.ones(1, requires_grad=True)\ny = x * x\ny.backward()\ny.backward()\n")
    page.press("End")
    expect(page.page.locator("#ledger .ledger-error")).to_be_visible()
    told = page.page.locator("#story").inner_text() + page.page.locator("#ledger").inner_text()
    assert told.count("RuntimeError") == 1 and told.count("a second time") <= 2
    with page.page.expect_response(lambda r: r.url.endswith("/v1/runs")):
        page.page.get_by_role("button", name="Try: y.backward(retain_graph=True) on line 4").click()
    expect(page.page.locator(".cm-problem")).to_have_count(0)


def test_the_recorded_operations_stay_as_the_reader_left_them(visit: Open) -> None:
    page = visit()
    row = page.page.locator(".tape-row").first
    expect(row).to_be_hidden()
    page.open_tape()
    expect(row).to_be_visible()
    page.page.reload()
    expect(row).to_be_visible()


@pytest.mark.parametrize("height", [700, 900])
def test_the_output_is_in_sight_under_a_long_program(visit: Open, height: int) -> None:
    page = visit(width=1280, height=height)
    page.program("import torch\nx = torch.ones(2, requires_grad=True)\n" + "x.sum()\n" * 60 + "print('done')\n")
    page.press("End")
    expect(page.page.locator("#output").get_by_text("done", exact=True)).to_be_in_viewport()
    expect(page.page.locator("#output .output-line", has_text="63")).to_be_in_viewport()


def test_weights_are_filled_and_dragged_where_the_program_spells_them_out(visit: Open) -> None:
    page = visit()
    page.program(
        "import torch\nx = torch.tensor([1., 2.], requires_grad=True)\ny = x * 2\n"
        "y.backward(torch.tensor([0.5, -1.0]))\nx.grad.zero_()\n"
    )
    weights = page.page.locator(".cm-weight")
    assert weights.all_inner_texts() == ["0.5", "-1.0"]
    fills = weights.evaluate_all("(all) => all.map((e) => getComputedStyle(e).backgroundColor)")
    assert len(set(fills)) == 2 and all("0, 0, 0, 0" not in fill for fill in fills)
    box = weights.first.bounding_box()
    assert box
    page.page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.page.mouse.down()
    page.page.mouse.move(box["x"] + 45, box["y"] + 5, steps=4)
    page.page.mouse.up()
    expect(page.page.locator(".cm-content")).to_contain_text("[0.6, -1.0]")
    weights.first.click()
    expect(page.page.locator(".cm-content")).to_be_focused()
    page.page.locator("#graph").focus()
    page.press("End")
    assert page.page.locator(".cm-value .cell").all_inner_texts() == ["0", "0"]
