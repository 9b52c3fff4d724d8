"""Large passes in the browser: the path of the gradient, with nothing on it that has not arrived."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.visit import Visit, violations

pytestmark = pytest.mark.slow

ENCODER = """\
import torch, torch.nn as nn
torch.manual_seed(0)
layer = nn.TransformerEncoderLayer(8, 2, 12, dropout=0.0, batch_first=True)
enc = nn.TransformerEncoder(layer, 3)
x = torch.randn(2, 3, 8, requires_grad=True)
loss = enc(x).pow(2).mean()
loss.backward()
"""
RESIDUAL = """\
import torch, torch.nn as nn
torch.manual_seed(0)

class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.conv1 = nn.Conv2d(c, c, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(c)
        self.conv2 = nn.Conv2d(c, c, 3, padding=1)

    def forward(self, x):
        return torch.relu(x + self.conv2(torch.relu(self.bn1(self.conv1(x)))))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 2, 3, padding=1)
        self.blocks = nn.Sequential(*[Block(2) for _ in range(7)])
        self.head = nn.Linear(2, 3)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)).mean((2, 3)))

net = Net()
loss = net(torch.randn(2, 1, 4, 4)).pow(2).sum()
loss.backward()
"""
RECURRENT = """\
import torch
torch.manual_seed(0)
W = (torch.randn(4, 8) * 0.4).requires_grad_()
V = (torch.randn(4, 8) * 0.4).requires_grad_()
x = torch.randn(12, 4)
h0 = torch.zeros(4, requires_grad=True)
h, c = h0, torch.zeros(4)
for t in range(12):
    z = torch.cat([x[t], h])
    i, g = torch.sigmoid(W @ z), torch.tanh(V @ z)
    c = (1 - i) * c + i * g
    h = i * torch.tanh(c)
loss = (h ** 2).sum()
loss.backward()
"""
SINES = """\
import torch
x = torch.tensor(0.5, requires_grad=True)
y = x
for i in range(200):
    y = torch.sin(y)
y.backward()
"""
DEEP = """\
import torch, torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(*[layer for _ in range(20) for layer in (nn.Linear(4, 4), nn.Sigmoid())])
loss = net(torch.randn(3, 4)).pow(2).mean()
loss.backward()
"""
LARGE = {"encoder": ENCODER, "residual": RESIDUAL, "recurrent": RECURRENT, "sines": SINES, "deep": DEEP}

SHOWN = """() => [...document.querySelectorAll(".flow-outer [data-box]")].map((box) => ({
    name: box.querySelector(".flow-name").textContent,
    norm: box.querySelector(".flow-norm").firstChild.textContent,
    later: box.classList.contains("later"),
    past: box.querySelectorAll(".flow-bars i.past").length,
    hollow: [...box.querySelectorAll(".flow-bars i.later")].map((bar) => bar.style.height),
}))"""
ROUNDED = 0.006


def boxes(page: Page) -> Any:
    return page.locator(".flow-outer [data-box]")


def opened(visit: Open, program: str, **size: Any) -> Visit:
    page = visit(**size)
    page.program(program)
    expect(boxes(page.page).first).to_be_visible()
    return page


def names(page: Page) -> list[str]:
    return [str(box["name"]) for box in page.evaluate(SHOWN)]


def norm_of(document: dict[str, Any], ref: str | None) -> float:
    """Length of a recorded value."""
    if ref is None:
        return 0.0
    value = document["values"][ref]
    flat: list[Any] = [value["data"]]
    while any(isinstance(x, list) for x in flat):
        flat = [y for x in flat for y in (x if isinstance(x, list) else [x])]
    return math.hypot(*flat) if value["data"] is not None else float(value["stats"]["norm"])


@pytest.mark.parametrize("kind", LARGE)
def test_no_number_is_there_before_it_arrives(visit: Open, kind: str) -> None:
    """At the start there is the seed's; after that a number comes once and stays, and what is hollow tells none."""
    page = opened(visit, LARGE[kind])
    before = page.page.evaluate(SHOWN)
    assert [box["norm"] for box in before if box["norm"] != "—"] == ["1"]
    assert sum(box["past"] for box in before) <= 1, "the first iteration has the seed's"
    arrivals = 0
    for _ in range(page.last() - page.at()):
        page.press("ArrowRight")
        now = page.page.evaluate(SHOWN)
        for box, was in zip(now, before, strict=True):
            assert box["norm"] in (was["norm"], "—") or was["norm"] == "—"
            assert box["norm"] == "—" if box["later"] else box["norm"] != "—"
            assert was["past"] <= box["past"]
            assert set(box["hollow"]) <= {"4px"}, "a height would tell of a number"
            arrivals += was["norm"] == "—" != box["norm"]
        before = now
    assert arrivals == len(before) - 1
    for box in before:
        assert not box["hollow"]
        leaf = next((t for t in page.document["tensors"] if t["name"] == box["name"] and t["is_leaf"]), None)
        if leaf:
            assert float(box["norm"]) == pytest.approx(norm_of(page.document, leaf["grad"]), rel=ROUNDED)


def test_every_block_of_a_residual_net_has_its_arc(visit: Open) -> None:
    page = opened(visit, RESIDUAL)
    blocks = [name for name in names(page.page) if name.startswith("blocks.")]
    assert blocks == [f"blocks.{i}" for i in reversed(range(7))]
    arcs = page.page.locator(".flow-outer .flow-arc.small")
    expect(arcs).to_have_count(7)
    expect(page.page.locator(".flow-outer .flow-arc.small.later")).to_have_count(7)
    page.press("End")
    expect(page.page.locator(".flow-outer .flow-arc.small.past")).to_have_count(7)
    boxes(page.page).filter(has_text="blocks.3").click()
    expect(page.page.locator(".flow-around")).to_have_count(1)
    expect(page.page.locator(".flow-around")).to_contain_text("goes around")


def test_the_box_at_hand_is_open_while_it_plays_and_what_one_opens_stays(visit: Open) -> None:
    page = opened(visit, ENCODER)
    path = page.page.locator(".flow-path b")
    seen = set()
    for _ in range(page.last() - page.at() - 3):
        page.press("ArrowRight")
        now = page.page.locator(".flow-outer .flow-box.now")
        assert now.count() <= 1
        seen.add(path.inner_text())
        if now.count() and now.get_attribute("aria-expanded"):
            expect(now).to_have_attribute("aria-expanded", "true")
    assert {"layers.2", "layers.1", "layers.0"} <= seen
    boxes(page.page).filter(has_text="layers.2").click()
    expect(path).to_have_text("layers.2")
    page.page.locator("#graph").focus()
    page.press("ArrowLeft")
    expect(path).to_have_text("layers.2")


def test_the_keyboard_opens_goes_in_and_closes(visit: Open) -> None:
    page = opened(visit, ENCODER)
    page.press("End")
    page.open_details()  # as it will be for what is chosen: in less room fewer boxes stand beside each other
    boxes(page.page).first.focus()
    for _ in range(2):
        page.press("ArrowRight")
    expect(page.page.locator(".flow-box:focus")).to_contain_text("layers.2")
    page.press("Enter")
    path = page.page.locator(".flow-path")
    expect(path).to_contain_text("layers.2")
    page.press("ArrowDown")
    expect(page.page.locator(".flow-inner .flow-box:focus")).to_contain_text("norm2")
    while "self_attn" not in page.page.locator(".flow-box:focus").inner_text():
        page.press("ArrowRight")
    page.press("Enter")
    expect(path).to_contain_text("self_attn")
    page.page.locator(".flow-inner [data-box]", has_text="addmm").first.click()
    expect(path).to_contain_text("addmm")
    page.page.locator(".flow-inner [data-box]:not([aria-expanded])").first.click()
    expect(page.page.locator(".flow-box.selected")).to_have_count(1)
    expect(page.page.locator("#ledger")).to_contain_text("Backward0")
    page.press("Escape")
    expect(page.page.locator(".flow-box.selected")).to_have_count(0)
    for _ in range(3):
        page.press("Escape")
    expect(page.page.locator(".flow-panel")).to_be_hidden()


def test_an_opened_module_leads_to_its_graph_and_back(visit: Open) -> None:
    page = opened(visit, ENCODER)
    boxes(page.page).filter(has_text="layers.1").click()
    page.page.get_by_role("button", name="as a graph").click()
    expect(boxes(page.page).first).to_be_hidden()
    in_sight = page.page.locator("#stage .items .item:not([display='none'])")
    expect(in_sight.first).to_be_visible(timeout=20_000)
    page.page.get_by_role("button", name="Modules").click()
    expect(boxes(page.page).first).to_be_visible()


def test_names_are_cut_at_the_front(visit: Open) -> None:
    page = opened(visit, ENCODER)
    page.press("End")
    name = page.page.locator(".flow-list .flow-name").first
    name.evaluate("e => { e.firstChild.textContent = 'a.very.long.path.of.modules.that.ends.in.weight'; }")
    box = name.bounding_box()
    assert box
    left = name.evaluate(
        """e => { const range = document.createRange(), text = e.firstChild.firstChild;
            range.setStart(text, text.length - 6); range.setEnd(text, text.length);
            const {left, right} = range.getBoundingClientRect(); return [left, right]; }"""
    )
    assert box["x"] <= left[0] and left[1] <= box["x"] + box["width"] + 1


def test_the_smallest_gradients_that_have_arrived(visit: Open) -> None:
    page = opened(visit, ENCODER)
    smallest = page.page.locator(".flow-smallest")
    expect(smallest).to_contain_text("No gradient has arrived")
    page.press("End")
    rows = smallest.locator("[data-tensor]")
    norms = [float(text) for text in rows.locator("> :last-child").all_inner_texts()]
    tensors = {tensor["id"]: tensor for tensor in page.document["tensors"]}
    known = sorted(
        norm_of(page.document, tensor["grad"]) for tensor in tensors.values() if tensor["is_leaf"] and tensor["grad"]
    )
    assert norms == pytest.approx(known[: len(norms)], rel=ROUNDED)
    rows.first.click()
    expect(page.page.locator("#ledger")).to_contain_text(rows.first.get_attribute("title") or "?")


def test_a_loop_is_groups_of_iterations_along_which_the_gradient_shrinks(visit: Open) -> None:
    page = opened(visit, SINES)
    page.press("End")
    shown = page.page.evaluate(SHOWN)
    assert all(re.fullmatch(r"\d+(…\d+)?", box["name"]) for box in shown[:-1]) and shown[-1]["name"] == "x"
    norms = [float(box["norm"]) for box in shown]
    assert norms == sorted(norms, reverse=True)


def test_the_table_stays_for_those_who_sort(visit: Open) -> None:
    page = opened(visit, SINES)
    page.page.get_by_role("button", name="table", exact=True).click()
    expect(page.page.locator(".map-row").first).to_be_visible()
    page.page.reload()
    page.page.wait_for_selector(".cm-editor")
    page.program(SINES)
    expect(page.page.locator(".map-row").first).to_be_visible()
    assert "0." not in page.page.locator(".map-row").last.inner_text(), "it has not arrived"


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (390, 800)])
@pytest.mark.parametrize("kind", ["encoder", "deep"])
def test_it_fits(visit: Open, kind: str, width: int, height: int) -> None:
    page = opened(visit, LARGE[kind], width=width, height=height)
    page.press("End")
    assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    wrong = page.page.evaluate(
        """() => [...document.querySelectorAll(".flow *")].filter((e) => e.childElementCount === 0
            && e.textContent.trim() && e.checkVisibility() && parseFloat(getComputedStyle(e).fontSize) < 12)
            .map((e) => e.textContent)"""
    )
    assert wrong == []
    for box in boxes(page.page).all():
        assert box.locator(".flow-norm").evaluate("e => e.scrollWidth <= e.parentElement.clientWidth")


def test_what_is_open_is_within_its_frame_where_no_parameters_stand_beside_it(visit: Open) -> None:
    page = opened(visit, SINES.replace("200", "20000")).page  # its end is recorded, without the leaf
    expect(page.locator(".flow-smallest")).to_be_hidden()
    frame = page.locator(".flow-panel").bounding_box()
    places = [box.bounding_box() for box in page.locator(".flow-panel [data-box]").all()]
    assert frame and len(places) > 3
    right = max(place["x"] + place["width"] for place in places if place)
    assert right < frame["x"] + frame["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit: Open, scheme: str) -> None:
    page = opened(visit, ENCODER, scheme=scheme)
    for _ in range(30):
        page.press("ArrowRight")
    assert violations(page.page) == []


def test_picture_words_and_timeline_tell_of_one_step_while_it_plays(visit: Open) -> None:
    page = opened(visit, ENCODER)
    page.page.evaluate(
        """() => {
            const step = (text) => /step (\\d+)/i.exec(text)?.[1];
            const seen = (window.seen = []);
            const look = () => {
                const words = step(document.querySelector("#story-step").textContent);
                seen.push([words, step(document.querySelector(".where").textContent)]);
                requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
        }"""
    )
    page.press("End")
    for _ in range(8):
        page.press("ArrowLeft")
    page.page.get_by_label("Speed").select_option("4")
    page.page.get_by_role("button", name="Play").click()
    expect(page.page.locator(".flow-outer .flow-box.leaf.later")).to_have_count(0, timeout=60_000)
    seen = page.page.evaluate("window.seen")
    assert len({words for words, _ in seen}) > 8
    assert [pair for pair in seen if pair[0] != pair[1]] == []


@pytest.mark.parametrize("program", [RECURRENT, DEEP], ids=["a loop", "layers"])
def test_details_leave_open_what_is_open_and_selected(visit: Open, program: str) -> None:
    page = opened(visit, program)
    page.press("End")
    wide = names(page.page)
    inner = page.page.locator(".flow-inner [data-box]")
    boxes(page.page).first.focus()
    opens = page.page.locator(".flow-outer [data-box][aria-expanded]").last
    if opens.get_attribute("aria-expanded") == "false":
        opens.click()
    expect(inner.first).to_be_visible()
    for _ in range(3):
        if page.page.locator(".flow-inner [data-box]:not([aria-expanded])").count():
            break
        inner.last.click()
    page.page.locator(".flow-inner [data-box]:not([aria-expanded])").last.click()
    selected = page.page.locator(".flow-box.selected")
    expect(page.page.locator("#ledger .tensor-card, #ledger .why, #ledger .rule").first).to_be_visible()
    expect(selected).to_have_count(1)
    name = selected.locator(".flow-name").inner_text()
    page.page.locator("#graph").focus()
    page.press("Escape")
    expect(page.page.locator("#ledger")).to_be_hidden()
    expect(page.page.locator(".flow-inner .flow-name", has_text=name).first).to_be_visible()
    assert names(page.page) == wide


def test_what_is_exported_of_a_large_pass_is_its_path(visit: Open, tmp_path: Path) -> None:
    page = opened(visit, ENCODER)
    for _ in range(14):
        page.press("ArrowRight")
    shown = page.page.evaluate(SHOWN)
    inside = page.page.locator(".flow-inner .flow-name").all_inner_texts()
    page.page.get_by_role("button", name="Export").click()
    with page.page.expect_download() as download:
        page.page.get_by_role("menuitem", name="SVG picture").click()
    file = tmp_path / "path.svg"
    download.value.save_as(file)
    svg = file.read_text("utf-8")
    written = re.findall(r">([^<>]+)</text>", svg)
    assert "‖g‖ arriving" not in written, "no table"
    for box in shown:
        tail = str(box["name"])[-5:]
        assert any(text.endswith(tail) for text in written), box
    numbers = [str(box["norm"]).split()[0] for box in shown if not str(box["norm"]).startswith("—")]
    assert numbers and set(numbers) <= set(written)
    assert written.count("—") >= sum(str(box["norm"]).startswith("—") for box in shown) > 0
    assert all(any(text.endswith(name[-5:]) for text in written) for name in inside)
