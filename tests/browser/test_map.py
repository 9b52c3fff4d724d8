"""Large passes in the browser, as a table."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.visit import violations

pytestmark = pytest.mark.slow

ENCODER = """\
import torch, torch.nn as nn
torch.manual_seed(0)
layer = nn.TransformerEncoderLayer(8, 2, 12, dropout=0.0, batch_first=True)
enc = nn.TransformerEncoder(layer, 6)
head = nn.Linear(8, 3)
loss = head(enc(torch.randn(2, 3, 8))).pow(2).sum()
loss.backward()
"""
LOOP = """\
import torch
x = torch.tensor(0.5, requires_grad=True)
y = x
for i in range(300):
    y = y * 1.01 + 0.1
y.backward()
"""

LEGIBLE = """() => {
    const small = [], over = [];
    const seen = (box) => box.width && box.height;
    for (const element of document.querySelectorAll(".map-row span, .map-row b, .map-head span, .map-key, .map-tick")) {
        const size = parseFloat(getComputedStyle(element).fontSize);
        const shown = element.textContent.trim() && seen(element.getBoundingClientRect());
        if (shown && size < 12) small.push(element.textContent);
    }
    const boxes = [...document.querySelectorAll(".map-row")].map((row) => row.getBoundingClientRect());
    boxes.sort((a, b) => a.top - b.top);
    for (let i = 1; i < boxes.length; i++) if (boxes[i].top < boxes[i - 1].bottom - 0.5) over.push(i);
    for (const cell of document.querySelectorAll(".map-flow, .map-size")) {
        if (cell.scrollWidth > cell.clientWidth + 1) over.push(cell.textContent);
    }
    return {small, over};
}"""


def rows(page: Page) -> Any:
    return page.locator(".map-row")


def names(page: Page) -> list[str]:
    return [str(name) for name in page.locator(".map-row .map-name b").all_text_contents()]


def at_the_start(visit: Open, program: str) -> Any:
    page = visit()
    page.program(program)
    page.page.get_by_role("button", name="table", exact=True).click()
    page.page.locator("#graph").focus()
    expect(rows(page.page).first).to_be_visible()
    return page


def test_a_large_model_is_shown_as_modules_in_the_order_of_the_pass(visit: Open) -> None:
    page = at_the_start(visit, ENCODER)
    assert names(page.page)[:5] == ["loss", "pow", "head", "enc", "layers.5"]
    encoder = page.page.locator(".map-row", has_text="TransformerEncoder").first
    expect(encoder).to_have_attribute("aria-expanded", "true")
    assert "—" in encoder.locator(".map-flow").first.inner_text()
    page.press("End")
    assert re.search(r"\d", encoder.locator(".map-flow").first.inner_text())
    assert page.page.evaluate(LEGIBLE) == {"small": [], "over": []}


def test_millions_of_parameters_stand_on_one_line(visit: Open) -> None:
    page = at_the_start(visit, ENCODER).page
    size = page.locator(".map-size").first
    before = size.bounding_box()
    size.evaluate("(cell) => { cell.firstChild.textContent = '124 439 808'; }")
    assert size.bounding_box() == before
    assert page.evaluate(LEGIBLE) == {"small": [], "over": []}


def test_it_follows_the_step_and_folds_what_was_left(visit: Open) -> None:
    page = at_the_start(visit, ENCODER)
    seen = set()
    for _ in range(150):
        page.press("ArrowRight")
        now = page.page.locator(".map-row.now")
        if now.count():
            seen.add(page.page.locator(".map-crumbs").inner_text().replace("\n", " "))
            assert now.count() == 1 and now.is_visible()
    assert page.page.evaluate(LEGIBLE) == {"small": [], "over": []}
    assert any("layers.5" in crumbs for crumbs in seen) and any("layers.4" in crumbs for crumbs in seen)
    left = page.page.locator(".map-row", has=page.page.locator("b", has_text=re.compile(r"^layers\.5$")))
    expect(left).to_have_attribute("aria-expanded", "false")


def test_what_the_reader_opens_stays_open(visit: Open) -> None:
    page = at_the_start(visit, ENCODER)
    layer = page.page.locator(".map-row", has=page.page.locator("b", has_text=re.compile(r"^layers\.0$")))
    layer.click()
    expect(layer).to_have_attribute("aria-expanded", "true")
    page.page.locator("#graph").focus()
    for _ in range(5):
        page.press("ArrowRight")
    expect(layer).to_have_attribute("aria-expanded", "true")


def test_the_keyboard_walks_unfolds_and_selects(visit: Open) -> None:
    page = at_the_start(visit, ENCODER)
    rows(page.page).first.focus()
    for _ in range(2):
        page.press("ArrowDown")
    head = page.page.locator(".map-row:focus")
    expect(head).to_contain_text("head")
    page.press("ArrowRight")
    expect(head).to_have_attribute("aria-expanded", "true")
    page.press("ArrowDown")
    page.press("Enter")
    expect(page.page.locator(".map-row.selected")).to_have_count(1)
    expect(page.page.locator("#ledger")).to_contain_text("ViewBackward0")
    page.press("ArrowLeft")
    page.press("ArrowLeft")
    expect(page.page.locator(".map-row:focus")).to_have_attribute("aria-expanded", "false")


def test_all_ops_lead_to_the_graph_and_back(visit: Open) -> None:
    page = at_the_start(visit, ENCODER)
    page.page.get_by_role("button", name="all ops").click()
    expect(rows(page.page).first).to_be_hidden()
    in_sight = page.page.locator("#stage .items .item:not([display='none'])")
    expect(in_sight.first).to_be_visible(timeout=20_000)
    page.page.get_by_role("button", name="Modules").click()
    expect(rows(page.page).first).to_be_visible()


def test_a_point_of_the_curve_leads_to_the_moment_it_is_about(visit: Open) -> None:
    page = at_the_start(visit, ENCODER)
    page.press("End")
    row = rows(page.page).filter(has_text="layers.3").first
    box = row.bounding_box()
    assert box
    points = page.page.locator(".map-hit")
    middle = box["y"] + box["height"] / 2
    boxes = [point.bounding_box() for point in points.all()]
    (at,) = [i for i, b in enumerate(boxes) if b and abs(b["y"] + b["height"] / 2 - middle) < 14]
    points.nth(at).click()
    expect(page.page.locator(".map-crumbs")).to_contain_text("layers.3")
    expect(page.page.locator(".where")).not_to_contain_text("start at")


def test_parameters_are_listed_by_gradient_and_lead_to_their_tensor(visit: Open) -> None:
    page = at_the_start(visit, ENCODER)
    parameters = page.page.locator(".parameter")
    expect(parameters.first).to_be_visible()
    page.page.get_by_label("Order of the parameters").select_option("largest")
    page.press("End")
    first = parameters.first.get_attribute("title") or ""
    parameters.first.click()
    expect(page.page.locator("#ledger")).to_contain_text(first.split(" ")[0])


def test_the_timeline_names_the_modules_of_the_pass(visit: Open) -> None:
    page = at_the_start(visit, ENCODER)
    shown = page.page.locator(".band-part-name").all_text_contents()
    layers = [name for name in shown if name.startswith("layers.")]
    assert len(layers) >= 3 and layers == sorted(layers, reverse=True)


def test_a_long_loop_is_runs_of_turns_around_the_one_that_runs(visit: Open) -> None:
    page = at_the_start(visit, LOOP)
    for _ in range(40):
        page.press("ArrowRight")
    assert any("…" in name for name in names(page.page))
    expect(page.page.locator(".map-row.now")).to_have_count(1)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(visit: Open, theme: str) -> None:
    page = at_the_start(visit, ENCODER)
    if theme == "dark":
        page.page.locator("#theme").click()
    for _ in range(40):
        page.press("ArrowRight")
    assert violations(page.page) == []


def test_it_fits_a_phone(visit: Open) -> None:
    page = visit()
    page.page.set_viewport_size({"width": 390, "height": 844})
    page.program(ENCODER)
    page.page.get_by_role("button", name="table", exact=True).click()
    expect(rows(page.page).first).to_be_attached()
    assert page.page.evaluate(LEGIBLE) == {"small": [], "over": []}
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 390
