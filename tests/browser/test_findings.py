"""Findings on the page: counted, listed, opened at their moment, mended by one click."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.visit import violations

FORGETS_ZERO_GRAD = """import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(8, 3), torch.randn(8, 1)
for epoch in range(3):
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    opt.step()
"""


def test_a_finding_is_opened_at_its_moment_and_mended(visit: Open) -> None:
    page = visit()
    document = page.program(FORGETS_ZERO_GRAD)
    (finding,) = [found for found in document["findings"] if found["rule"] == "accumulating"]
    count = page.page.locator("#findings-count")
    expect(count).to_contain_text("finding")
    page.press("n")
    card = page.page.locator("#ledger .finding")
    expect(card).to_contain_text(finding["headline"])
    expect(card).to_contain_text("opt.zero_grad()")
    expect(page.page.locator("#findings [aria-current]")).to_have_count(1)
    expect(page.page.locator("#story")).to_contain_text("backward #2")
    for line in finding["lines"]:
        expect(page.page.locator(".cm-line").nth(line - 1)).to_have_class(re.compile("cm-linked|cm-now"))
    with page.page.expect_response(lambda r: r.url.endswith("/v1/runs")):
        page.page.get_by_role("button", name="Apply and run").click()
    expect(page.page.locator(".cm-content")).to_contain_text("opt.zero_grad()")
    expect(card).to_have_count(0)
    expect(page.page.locator("#findings")).not_to_contain_text(finding["headline"])


def test_its_number_stands_where_it_belongs_and_opens_it(visit: Open) -> None:
    page = visit()
    document = page.program(FORGETS_ZERO_GRAD)
    card = page.page.locator("#ledger .finding h2")
    line = document["findings"][0]["lines"][0]
    for place in (f".cm-line:nth-child({line}) .finding-badge", ".track-sign"):
        page.page.locator(place).first.click()
        expect(card).to_contain_text("Finding")
        expect(page.page.locator(f"{place}.open").first).to_be_visible()
        page.page.locator("#ledger .finding").get_by_role("button", name="Close").click()
        expect(card).to_have_count(0)
    assert page.page.evaluate("document.querySelectorAll('.stage .signs text').length") > 0


def test_an_error_leads_to_the_finding_that_explains_it(visit: Open) -> None:
    page = visit()
    document = page.program(
        "import torch\nw = torch.tensor(2.0, requires_grad=True)\nloss = (w * 3).detach() ** 2\nloss.backward()\n"
    )
    (reason,) = [f for f in document["findings"] if f.get("explains_error")]
    page.press("End")
    block = page.page.locator("#ledger .ledger-error")
    expect(block).to_contain_text(reason["headline"])
    block.get_by_role("button", name="Finding 1").click()
    expect(page.page.locator("#ledger .finding .say")).to_have_text(reason["headline"])


def test_escape_closes_a_finding_and_the_story_stays(visit: Open) -> None:
    page = visit()
    page.program(FORGETS_ZERO_GRAD)
    page.page.locator("#findings-count").click()
    expect(page.page.locator("#ledger .finding")).to_be_visible()
    page.page.locator("#graph").focus()
    page.press("Escape")
    expect(page.page.locator("#ledger .finding")).to_have_count(0)
    expect(page.page.locator("#story .say").first).to_be_visible()


def test_a_healthy_program_has_no_findings_on_the_page(visit: Open) -> None:
    page = visit()
    document = page.program("import torch\nx = torch.tensor(2.0, requires_grad=True)\n(x * x).backward()\n")
    assert "findings" not in document
    expect(page.page.locator("#findings")).to_be_hidden()
    expect(page.page.locator("#findings-count")).to_be_hidden()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 1440), ("light", 420)])
def test_findings_can_be_used_by_everybody(visit: Open, scheme: str, width: int) -> None:
    page = visit(scheme=scheme, width=width)
    page.program(FORGETS_ZERO_GRAD)
    page.press("n")
    expect(page.page.locator("#ledger .finding")).to_be_visible()
    assert violations(page.page) == []


def test_numbers_of_a_finding_are_short_and_nothing_is_wider_than_the_page(visit: Open) -> None:
    page = visit(width=390)
    page.program(
        "import torch\nfrom torch import nn\ntorch.manual_seed(0)\n"
        "net = nn.Sequential(*[layer for _ in range(10) for layer in (nn.Linear(6, 6), nn.Sigmoid())])\n"
        "net(torch.randn(8, 6)).sum().backward()\n"
    )
    page.press("n")
    numbers = page.page.locator("#ledger .finding .facts td")
    expect(numbers).to_contain_text("…")
    assert not re.search(r"\d{8}", numbers.inner_text())
    page.press("End")
    assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_long_expression_stays_in_the_story(visit: Open) -> None:
    page = visit()
    page.program(FORGETS_ZERO_GRAD.replace("((model(x) - y) ** 2).mean()", "nn.functional.mse_loss(model(x),y)"))
    page.press("Home")
    story = page.page.locator("#story .say code").filter(has_text="mse_loss")
    for _ in range(20):
        if story.count():
            break
        page.press("ArrowRight")
    box, pane = story.first.bounding_box(), page.page.locator("#story").bounding_box()
    assert box and pane and box["x"] + box["width"] <= pane["x"] + pane["width"] - 8


@pytest.mark.parametrize("width", [761, 820, 901, 1024])
def test_the_bar_has_room_for_the_number_of_findings(visit: Open, width: int) -> None:
    page = visit(width=width)
    for size in (3, 4):  # after the second run there is something to compare
        page.program(
            f"import torch\nx, y = torch.ones({size}, 1), torch.ones({size})\n"
            "w = torch.ones(1, 1, requires_grad=True)\n((x @ w - y) ** 2).mean().backward()\n"
        )
    expect(page.page.locator("#findings-count")).to_be_visible()
    expect(page.page.locator("#compare")).to_be_visible()
    ends = "[...document.querySelectorAll('.bar *')].map(e => e.getBoundingClientRect().right)"
    assert page.page.evaluate(f"Math.max(...{ends})") <= width
