"""Leaves are in view: all examples, on three screens, at every step."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

import engine
from app.examples import load_examples
from tests.browser.conftest import Open

pytestmark = pytest.mark.slow

MOST_STEPS = 40
"""Of a run; of longer ones it is so many, from its first to its last."""

CUT = """async ([doc, leaves, most]) => {
    const [{goTo, show, stage}, {store}] = await Promise.all(
        ["page/page.js", "page/state.js"].map(pageModule));
    await show(doc, {stored: false});
    await stage.painted();
    const pane = document.querySelector(".stage");
    if (pane.classList.contains("mapped")) return null;
    const shelf = document.querySelector(".stage-shelf");
    const seen = () => {
        const view = shelf.getBoundingClientRect();
        const inside = ({left, right, top, bottom}) => left >= view.left - 1 && right <= view.right + 1 &&
            top >= view.top - 1 && bottom <= Math.min(view.bottom, innerHeight) + 1;
        return [...shelf.querySelectorAll(".items > .item")].filter((item) =>
            [...item.children].every((mark) => inside(mark.getBoundingClientRect())))
            .map((item) => [...item.querySelectorAll("text")].map((text) => text.textContent));
    };
    const small = () => Math.min(99, ...[...shelf.querySelectorAll("text")].map((text) =>
        parseFloat(text.getAttribute("font-size")) * text.getScreenCTM().a));
    let cut = [];
    let smallest = 99;
    const {stops} = store.get();
    const stride = Math.max(1, Math.ceil(stops.length / most));
    for (const t of stops.filter((_, i) => i % stride === 0 || i === stops.length - 1)) {
        goTo(t);
        await stage.painted();
        smallest = Math.min(smallest, small());
        const cards = seen();
        const out = [];
        for (const [name, from] of leaves) {
            const at = cards.findIndex((texts) => texts.includes(name));
            if (at >= 0) cards.splice(at, 1);
            else if (t >= from) out.push(name);
        }
        if (out.length > cut.length) cut = out;
    }
    return {cut, smallest};
}"""


def leaves_of(document: dict[str, Any]) -> list[tuple[str, int]]:
    """Leaves that gradients land in: what they are called, and after how many events they are there."""
    called = {tensor["id"]: tensor["name"] or tensor["path"] for tensor in document["tensors"]}
    landed = [event["tensor"] for event in document["events"] if event["kind"] == "accumulate"]
    reached = next((i for i, event in enumerate(document["events"]) if event["kind"] == "backward"), 0)
    return [(called[each], reached + 1) for each in dict.fromkeys(landed) if called[each]]


def cut_leaves(page: Page) -> tuple[dict[str, list[str]], list[str], float]:
    """By example, leaves out of view at the step where those are most; examples that show a map; the smallest text."""
    cut: dict[str, list[str]] = {}
    mapped: list[str] = []
    smallest = 99.0
    for example in load_examples().menu.examples:
        document = engine.run(code=example.code, seed=0).document
        found = page.evaluate(CUT, [document, leaves_of(document), MOST_STEPS])
        if found is None:
            mapped.append(example.id)
            continue
        smallest = min(smallest, found["smallest"])
        if found["cut"]:
            cut[example.id] = found["cut"]
    return cut, mapped, smallest


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1366, 768), (1024, 768)])
def test_leaves_are_in_view_at_every_step(visit: Open, width: int, height: int) -> None:
    cut, mapped, smallest = cut_leaves(visit(width=width, height=height).page)
    assert cut == {}
    assert mapped == ["extra_gradient_penalty"]
    assert smallest >= 11.95


GAN = """\
import torch
from torch import nn
torch.manual_seed(0)
G = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1))
D = nn.Sequential(nn.Linear(1, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1), nn.Sigmoid())
opt_g = torch.optim.SGD(G.parameters(), lr=1e-3)
opt_d = torch.optim.SGD(D.parameters(), lr=1e-3)
bce = nn.BCELoss()
fake = G(torch.randn(8, 2))
d_loss = bce(D(torch.randn(8, 1)), torch.ones(8, 1)) + bce(D(fake.detach()), torch.zeros(8, 1))
d_loss.backward()
opt_d.step()
g_loss = bce(D(fake), torch.ones(8, 1))
g_loss.backward()
opt_g.step()
"""


def test_a_module_says_which_of_the_leaves_in_it_changes(visit: Open) -> None:
    page = visit(width=1024, height=600)
    page.program(GAN)
    page.press("End")
    expect(page.page.locator("#story .say")).to_contain_text("from G.2.bias")
    box = page.page.locator(".stage-svg .items > .item", has_text="Sequential").get_by_text("G.2.bias", exact=True)
    expect(box).to_be_visible()
    assert page.page.locator(".stage-shelf").get_by_text("G.2.bias", exact=True).count() == 0, "it is in the module"


TRAINED = """\
import torch
from torch import nn
torch.manual_seed(0)
D = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
opt = torch.optim.Adam(D.parameters(), lr=1e-3)
bce = nn.BCEWithLogitsLoss()
for step in range(20):
    real, fake = torch.randn(16, 2) + 2, torch.randn(16, 2)
    loss = bce(D(real), torch.ones(16, 1)) + bce(D(fake), torch.zeros(16, 1))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def test_leaves_are_in_view_above_the_strip_of_a_training(visit: Open) -> None:
    document = engine.run(code=TRAINED, seed=0).document
    found = visit(width=1024, height=768).page.evaluate(CUT, [document, leaves_of(document), 12])
    assert found["cut"] == []
    assert found["smallest"] >= 11.95
