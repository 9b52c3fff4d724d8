"""Every example of the menu in the browser: its text can be read where it opens, and nothing covers anything."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from playwright.sync_api import TimeoutError, expect

from app.examples import load_examples
from tests.browser.conftest import Open

EXAMPLES = load_examples().menu.examples
SMALLEST = 11.95
"""Pixels; what a rounding to 12 forgives."""

PAINTED = "async () => (await pageModule('page/page.js')).stage.painted()"

MEASURE = """() => {
    const seen = (element) => element.checkVisibility({visibilityProperty: true});
    const layers = [...document.querySelectorAll("#stage .items, #stage .sprites")];
    const texts = layers.flatMap((layer) => [...layer.querySelectorAll("text")]).filter(seen);
    const sizeOf = (text) => parseFloat(text.getAttribute("font-size")) * text.getScreenCTM().a;
    const small = texts.map((text) => [sizeOf(text), text.textContent]);
    const circles = document.querySelectorAll("#stage .items > .item").length;
    return {count: circles, smallest: small.sort((a, b) => a[0] - b[0])[0] ?? [99, ""]};
}"""

OVERLAPS = """() => {
    const box = (element) => element.getBoundingClientRect();
    const shrink = ({left, right, top, bottom}) =>
        ({left: left + 2, right: right - 2, top: top + 2, bottom: bottom - 2});
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const large = (rect) => rect.width.baseVal.value > 24 && rect.height.baseVal.value > 16;
    const faces = [...document.querySelectorAll("#stage .stage-svg .items > .item")].map((item) =>
        [...item.querySelectorAll(":scope > rect")].filter(large).map((rect) => shrink(box(rect))));
    const written = ["chip", "slope"].map((kind) => `#stage .sprites > g[data-key^='${kind}']`).join();
    const chips = [...document.querySelectorAll(written)]
        .map((chip) => [chip.dataset.key, shrink(box(chip))]);
    const found = [];
    faces.forEach((mine, i) => faces.slice(i + 1).forEach((other, k) => {
        if (mine.some((a) => other.some((b) => meet(a, b)))) found.push(`items ${i} and ${i + 1 + k}`);
    }));
    chips.forEach(([key, chip], i) => {
        faces.forEach((face, k) => { if (face.some((rect) => meet(rect, chip))) found.push(`${key} on item ${k}`); });
        chips.slice(i + 1).forEach(([other, rect]) => { if (meet(chip, rect)) found.push(`${key} on ${other}`); });
    });
    return found;
}"""


@pytest.mark.sampled(16)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.id)
def test_an_example_can_be_read_at_every_step(visit: Open, example: Any) -> None:
    page = visit()
    page.program(example.code)
    page.page.evaluate(PAINTED)
    found = page.page.evaluate(MEASURE)
    assert found["smallest"][0] >= SMALLEST, found
    if found["count"] > 30:
        return
    page.press("Home")
    wrong: list[str] = []
    for stop in range(min(page.last(), 20) + 1):
        wrong += [f"step {stop}: {each}" for each in page.page.evaluate(OVERLAPS)]
        page.press("ArrowRight")
    assert not wrong, wrong[:6]


SUMS = {
    "squares": "xs = [torch.tensor(float(i), requires_grad=True) for i in range(60)]\nL = sum(x * x for x in xs)",
    "neurons": """w = [[torch.randn(1, requires_grad=True) for _ in range(6)] for _ in range(8)]
x = [torch.ones(1) for _ in range(6)]
L = sum(torch.tanh(sum(a * b for a, b in zip(row, x))) for row in w)""",
    "stack": "xs = [torch.ones((), requires_grad=True) for _ in range(50)]\nL = torch.stack([x**2 for x in xs]).sum()",
}


@pytest.mark.parametrize("name", SUMS)
def test_a_graph_larger_than_the_stage_opens_near_enough_to_read(visit: Open, name: str) -> None:
    page = visit()
    page.program(f"import torch\n{SUMS[name]}\nL.backward()\n")
    near = f"least => {{ const found = ({MEASURE})(); return found.count > 40 && found.smallest[0] >= least; }}"
    with contextlib.suppress(TimeoutError):
        page.page.wait_for_function(near, arg=SMALLEST, timeout=10_000)
    found = page.page.evaluate(MEASURE)
    assert found["count"] > 40
    assert found["smallest"][0] >= SMALLEST, found


OUTSIDE = """(what) => {
    const box = (element) => element.getBoundingClientRect();
    const out = ({left, right, top, bottom}, room) =>
        left < room.left - 1 || right > room.right + 1 || top < room.top - 1 || bottom > room.bottom + 1;
    return [...document.querySelectorAll(what)].filter((each) =>
        out(box(each), box(each.closest(".stage-room, .stage-shelf")))).length;
}"""

WEIGHTED = """import torch
a = torch.tensor([1.0, 2.0, 3.0], requires_grad = True)
b = torch.tensor([3.0, 4.0, 5.0], requires_grad = True)
y=3*a + b*b
gradients = torch.FloatTensor([0.1, 1.0, 0.0001])
y.backward(gradients,retain_graph=True)
"""

BROADCAST = """import torch
X = torch.arange(6.).reshape(3, 2)
w = torch.tensor([1.0, -1.0], requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)
c = torch.ones(3, 1, requires_grad=True)
loss = ((X * w + b + c) ** 2).sum()
loss.backward()
"""


def test_a_graph_that_can_be_read_whole_opens_whole(visit: Open) -> None:
    page = visit()
    page.program(WEIGHTED)
    page.page.evaluate(PAINTED)
    assert page.page.evaluate(MEASURE)["smallest"][0] >= SMALLEST
    assert page.page.evaluate(OUTSIDE, "#stage .items > .item:not(:empty)") == 0


def test_the_sum_of_a_broadcast_gradient_is_in_sight(visit: Open) -> None:
    page = visit()
    page.program(BROADCAST)
    notes = "#stage .sprites > g[data-key^='note:sum']"
    seen = 0
    for _ in range(page.at(), page.last()):
        page.press("ArrowRight")
        page.page.evaluate(PAINTED)
        seen += page.page.locator(notes).count()
        assert page.page.evaluate(OUTSIDE, notes) == 0, page.story
    assert seen >= 3


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (390, 844)])
def test_the_switch_of_names_lies_on_nothing_and_under_nothing(visit: Open, width: int, height: int) -> None:
    page = visit("/l/lost_grad/9", width=width, height=height).page
    switch = page.get_by_role("button", name="grad_fn")
    switch.scroll_into_view_if_needed()
    assert page.evaluate("""() => {
        const box = document.querySelector("#names").getBoundingClientRect();
        const room = document.querySelector(".stage-shelf").getBoundingClientRect();
        const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return top.id === "names" && box.top >= room.bottom;
    }""")
    switch.click()
    assert switch.get_attribute("aria-pressed") == "true"


def test_words_above_a_narrow_picture_are_as_wide_as_it(visit: Open) -> None:
    visited = visit("/l/notes_inplace_version/13", width=1024, height=768)
    visited.open_details()
    page = visited.page
    band = page.locator("#lesson.band").bounding_box()
    words = page.locator("#lesson .captions").bounding_box()
    assert band and words and words["width"] > 0.9 * (band["width"] - 40)


INKED = """(map) => map.classList.contains("shown") && new Set(new Uint32Array(
    map.getContext("2d", {willReadFrequently: true}).getImageData(0, 0, map.width, map.height).data.buffer)).size > 3"""


def test_a_small_map_of_a_large_graph_leads_to_where_it_is_pressed(visit: Open) -> None:
    page = visit()
    page.program(f"import torch\n{SUMS['squares']}\nL.backward()\n")
    small = page.page.locator(".stage-minimap")
    page.page.wait_for_function(f"() => ({INKED})(document.querySelector('.stage-minimap'))")
    world = page.page.locator(".stage-room .world")
    before = world.get_attribute("transform")
    small.click(position={"x": 30, "y": 60})
    expect(world).not_to_have_attribute("transform", str(before))
