"""What a pass starts from and what happens now are in sight together: all examples, on three screens, at every step."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

import engine
from app.examples import load_examples
from tests.browser.conftest import Open

pytestmark = pytest.mark.slow

MOST_STEPS = 24
"""Of a run; of longer ones it is so many, from its first to its last."""

LARGE = {
    "api_functional_hessian": "ops of nested double backwards without a name to fold by",
    "examples_legendre": "an iteration of a training, whose strip has its room below",
    "examples_polynomial": "an iteration of a training, whose strip has its room below",
}
"""Examples of which a pass is larger than a screen, and why; of them the page says which way the root is."""
NARROW = {
    "seed1_weighted_losses": "three losses beside each other, and one more on the shelf for each pass",
    "seed3_backward_target": "four cards below each other, and a leaf with a hook",
    "seed3_depth_ones": "two layers of maps in a module that holds the root",
}
"""And of a small one besides."""
LOW = {"seed2_is_leaf": "a result with a hook and a .grad of its own, and two lines of findings"}
"""And of one that is not high."""

OUT = """async ([doc, most]) => {
    const [{goTo, stage}, {store}, {passAt, rootsAt}] = await Promise.all(
        ["page/page.js", "page/state.js", "scene/story.js"].map(pageModule));
    const shown = await shownScene(doc);
    if (!shown) return null;
    const svg = document.querySelector(".stage-svg");
    const more = document.querySelector(".stage-more");
    const {stops} = store.get();
    const stride = Math.max(1, Math.ceil(stops.length / most));
    let out = 0;
    let silent = 0;
    let passOut = 0;
    let smallest = 99;
    for (const t of stops.filter((_, i) => i % stride === 0 || i === stops.length - 1)) {
        goTo(t);
        await stage.painted();
        const {scene, painter} = shown;
        const view = svg.getBoundingClientRect();
        const isOut = (i) => {
            const {left, right, top, bottom} = painter.items[i].getBoundingClientRect();
            return left < view.left - 3 || right > view.right + 3 || top < view.top - 3 || bottom > view.bottom + 3;
        };
        const event = scene.trace.events[t - 1];
        const node = event && "node" in event ? scene.itemOf(event.node, t) : undefined;
        const roots = rootsAt(scene, t);
        const rootOut = roots.some(isOut);
        if (rootOut || (node !== undefined && scene.shows(node) && isOut(node))) out++;
        if ([...(passAt(scene, t)?.items ?? [])].some(isOut)) passOut++;
        if (rootOut && more.hidden) silent++;
        for (const text of svg.querySelectorAll(".items text")) {
            smallest = Math.min(smallest, parseFloat(text.getAttribute("font-size")) * text.getScreenCTM().a);
        }
    }
    return {out, passOut, silent, smallest};
}"""


def out_of_sight(page: Page) -> tuple[dict[str, int], set[str], list[str], float]:
    """By example, steps at which root or node are out of sight; where a part of a pass is; who says nothing; the
    smallest text."""
    out: dict[str, int] = {}
    parts: set[str] = set()
    silent: list[str] = []
    smallest = 99.0
    for example in load_examples().menu.examples:
        document: dict[str, Any] = engine.run(code=example.code, seed=0).document
        found = page.evaluate(OUT, [document, MOST_STEPS])
        if found is None:
            continue
        smallest = min(smallest, found["smallest"])
        if found["out"]:
            out[example.id] = found["out"]
        if found["passOut"]:
            parts.add(example.id)
        if found["silent"]:
            silent.append(example.id)
    return out, parts, silent, smallest


@pytest.mark.parametrize(
    ("width", "height", "steps", "large"),
    [
        (1440, 900, 6, LARGE),
        (1366, 768, 12, {**LARGE, **LOW}),
        (1024, 768, 28, {**LARGE, **LOW, **NARROW}),
    ],
)
def test_a_pass_is_in_sight_whole_or_from_its_root_to_what_happens(
    visit: Open, width: int, height: int, steps: int, large: dict[str, str]
) -> None:
    out, parts, silent, smallest = out_of_sight(visit(width=width, height=height).page)
    assert silent == [], "the root is out of sight, and the page does not say where it is"
    assert smallest >= 11.95
    assert parts <= large.keys()
    assert sum(out.values()) <= steps, out


CUT = """async ([doc, most, names]) => {
    const [{goTo, show, stage}, {store}] = await Promise.all(
        ["page/page.js", "page/state.js"].map(pageModule));
    await show(doc, {stored: false});
    await stage.painted();
    const view = document.querySelector(".stage-svg");
    const {stops} = store.get();
    const stride = Math.max(1, Math.ceil(stops.length / most));
    const cut = [];
    for (const t of stops.filter((_, i) => i % stride === 0 || i === stops.length - 1)) {
        goTo(t);
        await stage.painted();
        const {left, right} = view.getBoundingClientRect();
        for (const item of view.querySelectorAll(".items > .item")) {
            const box = item.getBoundingClientRect();
            const texts = [...item.querySelectorAll("text")].map((text) => text.textContent);
            const name = texts.find((text) => names.includes(text));
            if (name && (box.left < left - 3 || box.right > right + 3)) cut.push(`${name} at ${t}`);
        }
    }
    return cut;
}"""


@pytest.mark.parametrize(
    ("example", "width", "height", "names"),
    [
        ("training_loop", 1024, 768, ["x", "target"]),
        ("blitz_lenet_graph", 1024, 768, ["target"]),
        ("blitz_optim_step", 1024, 768, ["input", "target"]),
    ],
)
def test_a_drawing_as_wide_as_the_stage_is_not_cut_at_its_sides(
    visit: Open, example: str, width: int, height: int, names: list[str]
) -> None:
    code = next(each.code for each in load_examples().menu.examples if each.id == example)
    page = visit(width=width, height=height).page
    assert page.evaluate(CUT, [engine.run(code=code, seed=0).document, MOST_STEPS, names]) == []


def test_what_is_there_before_a_pass_is_in_sight_above_the_shelf(visit: Open) -> None:
    code = next(each.code for each in load_examples().menu.examples if each.id == "seed2_is_leaf")
    page = visit(width=1440, height=900).page
    assert page.evaluate(OUT, [engine.run(code=code, seed=0).document, MOST_STEPS])["out"] == 0
    page.locator(".track").press("Home")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
        x = page.locator(".stage-svg .items > .item", has=page.get_by_text("x", exact=True)).bounding_box()
        shelf = page.locator(".stage-shelf").bounding_box()
        assert x and shelf and x["y"] + x["height"] <= shelf["y"]


def test_a_phone_shows_the_whole_row_of_a_pass_that_begins(visit: Open) -> None:
    page = visit("/l/seed1_prosti_ex1/12", width=390, height=844).page
    row = page.locator(".stage-svg .items > .item", has=page.get_by_text("y", exact=True)).bounding_box()
    assert row and row["x"] >= 0 and row["x"] + row["width"] <= 390
    assert page.locator(".stage-more").is_hidden()


COVERED = """() => {
    const more = document.querySelector(".stage-more");
    if (more.hidden) return null;
    const {left, right, top, bottom} = more.getBoundingClientRect();
    const meets = (box) => box.left < right && left < box.right && box.top < bottom && top < box.bottom;
    const items = [...document.querySelectorAll(".stage-svg .items > .item:not(:empty)")];
    return items.filter((item) => [...item.children].some((mark) => meets(mark.getBoundingClientRect())))
        .map((item) => item.textContent);
}"""


@pytest.mark.parametrize("example", ["extra_attention", "seed1_weighted_losses"])
def test_where_more_is_lies_on_no_card(visit: Open, example: str) -> None:
    page = visit(f"/l/{example}", width=390, height=844).page
    page.locator(".track").focus()
    page.keyboard.press("Home")
    said = 0
    for _ in range(16):
        page.keyboard.press("ArrowRight")
        page.evaluate("async () => (await pageModule('page/page.js')).stage.painted()")
        covered = page.evaluate(COVERED)
        said += covered is not None
        assert not covered
    assert said >= 3


ALL = """() => {
    const room = document.querySelector(".stage-room").getBoundingClientRect();
    const out = ({left, right, top}) => left < room.left || right > room.right || top < room.top;
    return [...document.querySelectorAll(".stage-svg .items > .item:not(:empty)")]
        .filter((item) => out(item.getBoundingClientRect())).map((item) => item.textContent);
}"""


@pytest.mark.parametrize("example", ["accumulation", "api_double_backward"])
def test_passes_beside_each_other_are_in_sight_together(visit: Open, example: str) -> None:
    """A pass that is to come, or is over, is not cut at a side of a small screen."""
    page = visit(f"/l/{example}", width=1024, height=768).page
    page.locator(".track").focus()
    page.keyboard.press("Home")
    for _ in range(int(page.locator(".track").get_attribute("aria-valuemax") or 0)):
        page.keyboard.press("ArrowRight")
        page.evaluate("async () => (await pageModule('page/page.js')).stage.painted()")
        assert page.evaluate(ALL) == []


NOT_A_NUMBER = """import torch
w = torch.tensor([0.0, 1.0, 4.0], requires_grad=True)
target = torch.tensor([1.0, 1.0, 1.0])
norm = torch.sqrt(w - 0.0)
ratio = w / w.detach()
loss = ((norm - target) ** 2 * ratio).sum()
loss.backward()
print(w.grad)
"""
CHIPS = """() => [...document.querySelectorAll(".stage-svg .sprites > g[data-key^='chip']")]
    .map((chip) => chip.getBoundingClientRect().bottom)"""


def test_what_was_sent_to_a_leaf_stands_above_the_shelf(visit: Open) -> None:
    page = visit(width=1024, height=768)
    page.program(NOT_A_NUMBER)
    page.press("End")
    page.page.evaluate("async () => (await pageModule('page/page.js')).stage.painted()")
    shelf = page.page.locator(".stage-shelf").bounding_box()
    bottoms = page.page.evaluate(CHIPS)
    assert shelf and len(bottoms) >= 4
    assert max(bottoms) <= shelf["y"] - 18
