"""What backward holds: bytes over the run, by module and line, and at boxes; what checkpointing would change."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import engine
from engine.export import page as page_of
from tests.browser.conftest import Open
from tests.browser.visit import violations

NETWORK = """\
import torch, torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 64), nn.Sigmoid(), nn.Linear(64, 8), nn.Tanh(), nn.Linear(8, 1))
x = torch.randn(32, 4)
loss = (net(x) ** 2).mean()
loss.backward()
"""
LINE = "line 5 loss = (net(x) ** 2).mean()"
DEEP = """\
import torch, torch.nn as nn
torch.manual_seed(0)
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(8, 32), nn.Linear(32, 8)
    def forward(self, x):
        return x + self.b(torch.sigmoid(self.a(x)))
net = nn.Sequential(*[Block() for _ in range(9)])
loss = net(torch.randn(64, 8)).pow(2).mean()
loss.backward()
"""
WIDTHS = "bars => bars.map((bar) => parseFloat(bar.style.width))"


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_the_line_leads_to_the_peak_and_says_who_holds_it(visit: Open, width: int, scheme: str) -> None:
    page = visit(width=width, scheme=scheme)
    page.program(NETWORK)
    page.open_details()
    fold = page.page.locator("#ledger details.memory")
    expect(fold.locator("*")).to_have_count(2)  # no more is drawn than the fold's name
    fold.locator("summary").click()
    line = page.page.get_by_role("slider", name="memory held for backward")
    expect(line).to_have_attribute("aria-valuemax", str(page.last()))
    fold.get_by_role("button", name="9.1 KB").click()  # sigmoid and tanh keep their results, pow what it was given
    held = "forward, step 10 of 11: 9.1 KB held for backward · net.1 88 % · line 5 100 %"
    expect(line).to_have_attribute("aria-valuetext", held)
    expect(line).to_have_attribute("aria-valuenow", str(page.at()))
    rows = fold.get_by_role("listitem")
    expect(rows.locator("> span:first-child")).to_have_text(["net.1", "net.3", "outside of modules", LINE])
    expect(rows.locator("> span:nth-child(3)")).to_have_text(["8 KB", "1 KB", "128 bytes", "9.1 KB"])
    expect(fold).to_contain_text("512 bytes of inputs, 2 KB of parameters")
    assert violations(page.page) == []
    assert page.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_the_pointer_reads_the_line_and_a_click_goes_there(visit: Open) -> None:
    page = visit()
    page.program(NETWORK)
    page.open_details()
    page.page.locator("#ledger details.memory summary").click()
    line = page.page.locator(".memory-plot")
    line.scroll_into_view_if_needed()
    box = line.bounding_box()
    assert box is not None
    page.page.mouse.move(box["x"] + 0.98 * box["width"], box["y"] + 30)
    said = page.page.locator(".memory-said")
    expect(said).to_contain_text("0 bytes held for backward")
    page.page.mouse.down()
    page.page.mouse.up()
    expect(line).to_have_attribute("aria-valuenow", str(page.last()))
    line.focus()
    page.press("ArrowLeft")
    expect(line).to_have_attribute("aria-valuenow", str(page.last() - 1))


def test_a_run_that_keeps_nothing_has_no_memory(visit: Open) -> None:
    page = visit()
    page.program("import torch\na = torch.tensor(1.0, requires_grad=True)\nb = a + 1\nb.backward()\n")
    page.open_details()
    page.page.wait_for_selector("#ledger .rule")
    assert page.page.locator(".memory").count() == 0


def test_boxes_of_a_large_pass_show_what_they_hold(visit: Open) -> None:
    page = visit()
    page.program(DEEP)
    page.press("Home")
    feet = page.page.locator(".flow-outer .flow-held b")
    expect(feet.first).to_be_attached()
    assert max(feet.evaluate_all(WIDTHS)) == 0
    for _ in range(100):
        page.press("ArrowRight")
        if "backward" in page.title:
            break
    begun = feet.evaluate_all(WIDTHS)
    assert max(begun) == 100
    expect(page.page.locator(".flow-said")).to_contain_text("bytes held for backward, at most")
    page.page.locator(".flow-outer [aria-expanded]").nth(1).click()
    kept = page.page.locator(".flow-kept")
    expect(kept).to_have_text(
        "Holds 10 KB for backward, 10 KB when the pass began."
        " Checkpointing net.7 would free 8 KB of the 90 KB at the peak, and compute 6 ops again."
    )
    page.press("End")
    expect(kept).to_contain_text("Holds 0 bytes for backward")
    assert max(feet.evaluate_all(WIDTHS)) == 0


def test_an_exported_page_tells_it_too(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "run.html"
    file.write_text(page_of(engine.run(code=NETWORK, seed=0).document), encoding="utf-8")
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(file.as_uri())
    page.locator("#details").click()
    page.locator("#ledger details.memory summary").click()
    expect(page.locator("#ledger details.memory")).to_contain_text("9.1 KB held for backward now; peak 9.1 KB")
    page.close()
    assert complaints == []
