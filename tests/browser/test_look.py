"""One look: the sentence below the picture, the lesson beside it, details on request, and the picture's share."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.examples import load_examples
from tests.browser.conftest import Open
from tests.browser.visit import Visit, rest, violations

EXAMPLES = {example.id: example for example in load_examples().menu.examples}

THREE_LEAVES = """\
import torch
a = torch.tensor([1., 2.], requires_grad=True)
b = torch.tensor([3., 4.], requires_grad=True)
loss = (a * b).sum()
loss.backward()
"""

TOLD = """async (text) => {
    const [{asOneListing}, {indexTrace, stops}, {Book}, {asText, narrate}] = await Promise.all(
        ["trace/files.js", "trace.js", "ui/book.js", "ledger/sentence.js"].map(pageModule));
    const book = new Book(indexTrace(asOneListing(JSON.parse(text))));
    return stops(book.trace).map((t, i, all) => asText(narrate(book, i ? all[i - 1] : 0, t)[0]));
}"""

# Of what is drawn, as much as lies under an element, in px².
UNDER = """(selector) => {
    const over = document.querySelector(selector).getBoundingClientRect();
    const drawn = document.querySelectorAll(".stage-svg .items .item > *, .stage-svg .sprites > *");
    const shared = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left))
        * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
    return Math.max(0, ...[...drawn].map((each) => shared(over, each.getBoundingClientRect())));
}"""


def size(page: Page, selector: str) -> dict[str, float]:
    box: Any = page.locator(selector).bounding_box()
    assert box, selector
    return box


@pytest.mark.parametrize("name", ["seed0_mm_jvp", "seed1_prosti_ex1", "seed2_is_leaf"])
def test_the_sentence_below_the_picture_is_that_of_the_step(visit: Open, name: str) -> None:
    page = visit()
    document = page.program(EXAMPLES[name].code)
    told = page.page.evaluate(TOLD, json.dumps(document))
    page.press("Home")
    plain = lambda text: re.sub(r"[\s,\[\]]+", "", text)  # noqa: E731  numbers have cells in place of brackets
    for sentence in told:
        said = page.page.locator("#story .say")
        assert plain(said.inner_text()) == plain(sentence)
        assert (
            size(page.page, "#story")["y"] >= size(page.page, "#stage")["y"] + size(page.page, "#stage")["height"] - 1
        )
        assert said.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)") >= 14
        page.press("ArrowRight")


def test_details_open_and_close_by_key_by_button_and_by_themselves(visit: Open) -> None:
    page = visit()
    column, button = page.page.locator("#ledger"), page.page.locator("#details")
    wide = size(page.page, "#stage")["width"]
    expect(column).to_be_hidden()
    page.page.locator("#graph").focus()
    page.press("d")
    expect(column.locator(".rule")).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "true")
    assert size(page.page, "#stage")["width"] < wide - 200
    page.page.reload()
    expect(column.locator(".rule")).to_be_visible()
    button.click()
    expect(column).to_be_hidden()
    page.page.reload()
    expect(page.page.locator("#story .say")).to_be_visible()
    expect(column).to_be_hidden()
    page.page.locator("#story .say").get_by_role("button", name="e", exact=True).click()
    expect(column.locator(".tensor-card")).to_be_visible()
    page.press("Escape")
    expect(column).to_be_hidden()
    page.page.locator("#story .say").get_by_role("button", name="e", exact=True).click()
    page.page.locator("#graph").focus()
    page.press("d")
    expect(column).to_be_hidden()
    page.program("import torch\nx = torch.ones(2, requires_grad=True)\n(x * 2).backward()\n")
    page.press("End")
    expect(column.locator(".ledger-error")).to_be_visible()
    page.press("Home")
    expect(column).to_be_hidden()
    assert violations(page.page) == []


@pytest.mark.parametrize("name", ["seed0_mm_jvp", "seed1_prosti_ex1", "diamond"])
def test_a_lesson_stands_beside_its_drawing_and_covers_nothing_of_it(visit: Open, name: str) -> None:
    page = visit(f"/l/{name}")
    lesson = page.page.locator("#lesson")
    expect(lesson.locator("h2")).to_have_text(EXAMPLES[name].question)
    assert "band" not in (lesson.get_attribute("class") or "")
    assert page.page.evaluate(UNDER, "#lesson") == 0
    height = size(page.page, "#lesson")["height"]
    lesson.locator(".caption").last.click()
    expect(lesson.locator(".caption").last).to_have_attribute("aria-current", "step")
    assert size(page.page, "#lesson")["height"] == height, "the drawing keeps its place"
    page.page.set_viewport_size({"width": 800, "height": 600})
    expect(lesson).to_have_class(re.compile("band"))
    room, above = size(page.page, ".stage-room"), size(page.page, "#lesson")
    assert above["y"] + above["height"] <= room["y"] + 1


SAME_RULE = """() => {
    const [beside, below] = [".stage-note", "#ledger .rule"].map((where) =>
        [...document.querySelectorAll(`${where} .rule-line:has(.katex)`)].map((line) => line.innerText).join());
    return beside !== "" && beside === below;
}"""
"""The rule beside what runs is the one in Details."""


def test_the_rule_stands_beside_what_runs_when_asked_for_and_covers_no_number(visit: Open) -> None:
    page = visit()
    note = page.page.locator(".stage-note")
    page.page.locator("#graph").focus()
    expect(note.locator(".rule-line")).to_have_count(0)
    page.press("r")
    expect(page.page.locator("#rule")).to_have_attribute("aria-pressed", "true")
    page.open_details()
    page.page.locator("#graph").focus()
    for _ in range(page.last() - page.at() - 1):
        page.page.wait_for_function(SAME_RULE)
        rest(page.page, ".stage-note")
        assert page.page.evaluate(UNDER, ".stage-note") == 0
        page.press("ArrowRight")
    page.page.locator("#rule").click()
    expect(note.locator(".rule-line")).to_have_count(0)


def test_details_have_pytorchs_own_formula_below_the_rule(visit: Open) -> None:
    page = visit()
    page.open_details()
    page.page.locator("#graph").focus()
    shown = set()
    for _ in range(page.last()):
        shown.update(page.page.locator("#ledger .rule-own").all_inner_texts())
        page.press("ArrowRight")
    assert "PyTorch: mul_tensor_backward(grad, other, self.scalar_type())" in shown
    assert all(text.startswith("PyTorch: ") and len(text) > 12 for text in shown)


def drag_first_number(page: Visit, by: int) -> None:
    """Drag a's 1 on the shelf, and hold it."""
    box = page.page.locator("#stage .stage-shelf .items").get_by_text("1", exact=True).first.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(x + by, y, steps=6)


def test_a_drag_shows_what_is_going_to_land_without_the_look_of_what_has(visit: Open) -> None:
    page = visit()
    page.program(THREE_LEAVES)
    ghosts = page.page.locator("#stage .stage-shelf .ghosts")
    fills = "(all) => all.map((e) => getComputedStyle(e).fill)"
    cells = page.page.locator("#stage .stage-shelf .items rect")
    before = cells.evaluate_all(fills)
    expect(ghosts.locator("text")).to_have_count(0)
    drag_first_number(page, 80)
    code = page.page.locator(".cm-content")
    expect(code).not_to_contain_text("tensor([1., 2.]")
    dragged = re.search(r"tensor\(\[([\d.]+), 2\.\]", code.inner_text())
    assert dragged and float(dragged[1]) > 1
    expect(ghosts.locator("text")).to_have_text(["3", "4", f"{float(dragged[1]):g}", "2"])
    assert cells.evaluate_all(fills) == before, "what has landed has filled cells"
    looks = ghosts.locator("rect").evaluate_all(fills)
    assert len(set(looks) - {"none"}) == 1 and looks.count("none") == 4, "the paper below them, and outlines"
    papers = page.page.locator("#stage .stage-shelf .items path").evaluate_all(fills)
    assert set(looks) - {"none"} <= set(papers), "in a colour that says nothing"
    page.page.mouse.up()
    expect(ghosts.locator("text")).to_have_count(0)


FINDINGS = """\
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.ones(16, 3)
target = torch.ones(16)
for step in range(3):
    loss = ((model(x) - target) ** 2).mean()
    loss.backward()
    opt.step()
print(loss)
"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (720, 450)])
def test_picture_code_sentence_and_timeline_share_the_window(visit: Open, width: int, height: int) -> None:
    page = visit(width=width, height=height)
    page.program(FINDINGS)
    page.press("n")
    for key in ("Home", "ArrowRight", "End", "ArrowLeft"):
        page.press(key)
        stage, story, timeline = (size(page.page, name) for name in ("#stage", "#story", "#timeline"))
        assert stage["height"] >= 0.45 * height
        assert stage["y"] + stage["height"] <= story["y"] + 1 and story["y"] + story["height"] <= timeline["y"] + 1
        assert timeline["y"] + timeline["height"] <= height + 1
        if key == "Home":
            continue
        rest(page.page, ".cm-now")
        line, pane = size(page.page, ".cm-now"), size(page.page, "#editor")
        assert line["y"] >= pane["y"] - 1 and line["y"] + line["height"] <= pane["y"] + pane["height"] + 1, key
    page.page.locator("#program-scroll").evaluate("(e) => e.scrollTo(0, e.scrollHeight)")
    line, pane = size(page.page, ".cm-now"), size(page.page, "#program")
    assert line["y"] >= pane["y"] - 1 and line["y"] + line["height"] <= pane["y"] + pane["height"] + 1


def test_the_picture_has_the_width_of_the_window_beside_the_code(visit: Open) -> None:
    page = visit()
    assert size(page.page, "#stage")["width"] >= 1040


TOPS = """(ids) => ids.map((id) => document.getElementById(id).getBoundingClientRect().top)"""


def test_on_a_phone_the_drawing_of_a_lesson_stands_first_then_its_words_then_the_program(visit: Open) -> None:
    made = visit(None, width=390, height=844)
    page = made.page
    page.goto(made.url + "/l/seed0_mm_jvp")
    page.wait_for_selector("#story .say")
    page.wait_for_selector("#lesson .caption[aria-current]")
    order = ["graph", "lesson", "story", "program", "output"]
    tops = page.evaluate(TOPS, order)
    assert tops == sorted(tops)
    # In the document, too: the Tab key goes from the words to the program.
    inside = [each for each in page.evaluate("[...document.querySelector('main').children].map((e) => e.id)") if each]
    assert [each for each in inside if each in order] == order
    # One look: the drawing with its leaves, and the words, above the timeline.
    words, timeline = size(page, "#lesson"), size(page, "#timeline")
    assert words["y"] + words["height"] <= timeline["y"] + 1
    assert size(page, "#graph")["height"] >= 0.45 * 844
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []
    page.locator("#lesson .caption").nth(2).click()
    expect(page.locator("#lesson .caption").nth(2)).to_have_attribute("aria-current", "step")
    assert page.evaluate(TOPS, order[:3]) == tops[:3], "nothing moves from caption to caption"
    # A page that is wide again has the words on the drawing; a program without a lesson stands first.
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.locator("#stage > #lesson")).to_be_visible()
    assert page.evaluate("document.querySelector('main').firstElementChild.id") == "program"
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("main > #lesson")).to_be_visible()
    page.goto(made.url + "/")
    page.wait_for_selector("#story .say")
    tops = page.evaluate(TOPS, ["program", "graph", "story"])
    assert tops == sorted(tops)


IN_PLACE = """\
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = torch.exp(x)
z = y * y
y += 1
z.sum().backward()
"""


def test_an_error_leaves_the_picture_its_room_on_a_small_screen(visit: Open) -> None:
    page = visit(width=1024, height=768)
    page.program(IN_PLACE)
    expect(page.page.locator("#story")).to_contain_text("Line 6 stops with a RuntimeError")
    expect(page.page.locator("#ledger")).to_be_hidden()
    room = size(page.page, ".stage-room")
    for version in ("v0", "v1"):
        chip = page.page.locator(".stage-svg .items").get_by_text(version, exact=True)
        box = chip.bounding_box()
        assert box and room["x"] < box["x"] and box["x"] + box["width"] < room["x"] + room["width"]
    page.page.get_by_role("button", name="Why, and what helps").click()
    expect(page.page.locator("#ledger")).to_contain_text("Fix: Make a new tensor on line 5")


HOOKED = """\
import torch
x = torch.tensor([1.0, -2.0], requires_grad=True)
x.register_post_accumulate_grad_hook(lambda p: print("landed", p.grad))
(x * 3).sum().backward()
"""


def test_a_hook_of_a_leaf_is_marked_on_its_card_and_covers_nothing(visit: Open) -> None:
    page = visit()
    page.program(HOOKED)
    shelf, hook, label, dot = (
        size(page.page, ".stage-shelf"),
        size(page.page, ".stage-shelf .items text:text-is('hook')"),
        size(page.page, ".stage-shelf .items text:text-is('.grad')"),
        size(page.page, ".stage-shelf .items circle"),
    )
    assert shelf["y"] <= hook["y"] and hook["y"] + hook["height"] <= label["y"]
    assert hook["x"] + hook["width"] <= dot["x"]
