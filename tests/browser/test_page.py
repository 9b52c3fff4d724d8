"""What holds for the page as a whole: policy, accessibility, weight, themes, widths, links, exports."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.reading import words_a_minute
from tests.browser.visit import ran, rest, violations

FIRST_PICTURE = 345_000  # bytes as served, compressed
VISIT = 560_000
EVERYTHING = 645_000


def test_nothing_is_loaded_from_elsewhere_and_the_policy_is_never_violated(visit: Open) -> None:
    page = visit(None)
    page.page.add_init_script(
        "addEventListener('securitypolicyviolation', e => console.error('CSP', e.violatedDirective, e.sourceFile))"
    )
    page.go()
    page.press("End")
    page.page.locator("#theme").click()
    page.page.locator("#help").click()
    page.page.wait_for_selector("#help-dialog[open]")
    page.press("Escape")
    header = page.page.request.get(page.url + "/").headers["content-security-policy"]
    assert "unsafe" not in header and "default-src 'none'" in header
    assert {urlsplit(url).netloc for url in page.requests if not url.startswith("data:")} == {urlsplit(page.url).netloc}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_axe_finds_nothing(visit: Open, scheme: str, width: int) -> None:
    page = visit(scheme=scheme, width=width, height=844 if width < 500 else 900)
    assert violations(page.page) == []
    page.press("End")
    page.open_tape()
    page.page.locator(".tape-row").first.click()
    assert violations(page.page) == []


def test_axe_finds_nothing_in_menus_dialogs_errors_and_the_vector_pane(visit: Open) -> None:
    page = visit()
    page.page.locator("#examples").click()
    page.page.wait_for_selector(".gallery-card")
    assert violations(page.page) == []
    page.press("Escape")
    page.page.locator("#help").click()
    page.page.wait_for_selector("#help-dialog[open]")
    assert violations(page.page) == []
    page.press("Escape")
    page.program("import torch\nx = torch.tensor([1.0, 2.0], requires_grad=True)\ny = x * 2\ny.backward()\n")
    page.press("End")
    assert violations(page.page) == []


LOADED = """() => {
    const mark = performance.getEntriesByName('backlight:picture')[0].startTime;
    return performance.getEntriesByType('resource').filter(e => e.name.includes('/static/'))
        .map(e => [e.name.split('/static/')[1], e.encodedBodySize, e.startTime < mark]);
}"""


def test_a_visit_needs_fewer_bytes_than_its_budget(visit: Open) -> None:
    page = visit(None).go()
    page.press("ArrowRight")
    page.page.wait_for_load_state("networkidle")
    loaded = page.page.evaluate(LOADED)
    first = sum(size for _, size, before in loaded if before)
    largest = ", ".join(f"{name} {size}" for name, size, _ in sorted(loaded, key=lambda row: -row[1])[:10])
    assert not any("codemirror" in name for name, _, before in loaded if before)
    assert first <= FIRST_PICTURE, f"{first} bytes: {largest}"
    assert (visited := sum(size for _, size, _ in loaded)) <= VISIT, f"{visited} bytes: {largest}"
    page.open_details()
    page.page.wait_for_selector(".katex")
    page.page.wait_for_load_state("networkidle")
    everything = sum(size for _, size, _ in page.page.evaluate(LOADED))
    print(first, visited, everything)
    assert everything <= EVERYTHING


@pytest.mark.parametrize("width", [390, 768, 1024, 1440, 3840])
def test_nothing_sticks_out_sideways(visit: Open, width: int, tmp_path: Path) -> None:
    page = visit(width=width, height=2160 if width > 2000 else 844)
    overflow = page.page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0
    outside = page.page.evaluate(
        "() => [...document.querySelectorAll('.bar *, .timeline *:not(svg *, .where *), .graph-tools *')]"
        ".filter(e => { const r = e.getBoundingClientRect(); return r.width && r.right > innerWidth + 1; })"
        ".map(e => e.outerHTML.slice(0, 90))"
    )
    assert outside == []
    page.page.screenshot(path=tmp_path / f"{width}.png")


def test_the_theme_follows_the_system_until_chosen_and_is_then_remembered(visit: Open) -> None:
    page = visit(scheme="dark")
    theme = lambda: page.page.evaluate("() => document.documentElement.dataset.theme")  # noqa: E731
    assert theme() == "dark"
    page.page.locator("#theme").click()
    assert theme() == "light"
    page.page.reload()
    page.page.wait_for_selector(".cm-editor")
    assert theme() == "light"


def test_a_shared_link_brings_back_program_step_and_selection(visit: Open) -> None:
    page = visit()
    page.program("import torch\nx = torch.tensor(3.0, requires_grad=True)\ny = x ** 3  # größer\ny.backward()\n")
    page.press("Home")
    page.press("ArrowRight")
    page.press("ArrowRight")
    page.open_tape()
    page.page.locator(".tape-row").first.click()
    title, at = page.title, page.at()
    page.page.locator("#share").click()
    address = page.page.get_by_label("Link to this program and step").input_value()
    assert address.startswith(page.url + "/#v1:")
    other = visit("/" + address.split("/", 3)[3])
    assert (other.title, other.at()) == (title, at)
    assert "# größer" in other.page.locator(".cm-content").inner_text()
    other.open_tape()
    expect(other.page.locator(".tape-row.selected")).to_have_count(1)


@pytest.mark.parametrize(
    ("name", "start"),
    [("SVG", b"<"), ("PNG", b"\x89PNG"), ("Graphviz", b"digraph"), ("Mermaid", b"flowchart"), ("JSON", b"{")],
)
def test_every_export_downloads_a_file_of_its_kind(visit: Open, name: str, start: bytes) -> None:
    page = visit()
    page.page.locator("#export-menu button").first.click()
    with page.page.expect_download() as download:
        page.page.locator(".menu-item", has_text=name).click()
    content = Path(download.value.path()).read_bytes()
    assert content.lstrip().startswith(start) or (name == "Mermaid" and content.lstrip().startswith(b"graph"))


@pytest.mark.slow
def test_every_example_opens_and_has_a_step_to_show(visit: Open) -> None:
    page = visit()
    examples: Any = page.page.request.get(page.url + "/v1/examples").json()
    grouped = [e for group in examples["groups"] for e in examples["examples"] if e["group"] == group["id"]]
    assert len(grouped) == len(examples["examples"]) >= 20
    step, say = page.page.locator("#story-step"), page.page.locator("#story .say")
    for example in grouped:
        with page.page.expect_response(partial(ran, code=example["code"])) as answer:
            page.example(example["id"])
        assert answer.value.ok, example["id"]
        expect(page.page.locator(".lesson h2")).to_have_text(example["question"])
        document = answer.value.json()
        assert words_a_minute(page.page, document, example["id"]) <= 250, example["id"]
        calls = [event for event in document["events"] if event["kind"] == "backward"]
        if page.page.locator(".lesson .caption").count():
            expect(page.page.locator(".lesson .caption[aria-current]"), example["id"]).to_have_count(1)
        elif calls and document["error"] is None:
            expect(step).to_have_text(re.compile(r"^step 1 of \d+ · backward #1$", re.IGNORECASE))
            expect(say.first).to_contain_text(f"ine {calls[0]['line']} ")
        else:
            expect(page.page.locator(".track")).to_have_attribute("aria-valuenow", str(page.last()))
        assert "undefined" not in page.story, example["id"]
        drawn = page.page.locator("#stage text").all_text_contents()
        assert not [text for text in drawn if re.search(r"\d\.0+(?!\d|e)", text)], example["id"]


def test_the_page_works_by_keyboard_alone(visit: Open) -> None:
    page = visit()
    page.page.locator("body").press("Tab")
    assert page.page.evaluate("() => document.activeElement.className") == "skip-link"
    reached = set()
    for _ in range(60):
        page.press("Tab")
        reached.add(
            page.page.evaluate("() => document.activeElement.id || document.activeElement.getAttribute('class') || ''")
        )
    assert {"share", "theme", "fit", "details", "track"} <= reached
    page.page.locator(".track").focus()
    page.press("Home")
    assert page.at() == 0
    page.press("ArrowRight")
    assert page.at() == 1


def test_the_tab_key_leaves_the_editor_and_other_keys_indent(visit: Open) -> None:
    page = visit()
    editor = page.page.get_by_role("textbox", name="Program")
    inside = "() => document.activeElement.classList.contains('cm-content')"
    assert "Tab leaves the editor" in str(editor.get_attribute("aria-description"))
    page.page.locator(".cm-line", has_text="e.backward()").click()
    code = editor.inner_text()
    for key in ("Tab", "Shift+Tab"):
        editor.focus()
        page.press(key)
        assert not page.page.evaluate(inside), key
    assert editor.inner_text() == code
    editor.focus()
    page.press("ControlOrMeta+]")
    expect(page.page.locator(".cm-line", has_text="e.backward()")).to_have_text(re.compile("^    e"))
    page.press("ControlOrMeta+[")
    assert editor.inner_text() == code
    page.page.locator("#help").click()
    expect(page.page.locator("#help-dialog")).to_contain_text("In the editor, Tab goes on")


def test_panes_can_be_made_wider_and_remember_it(visit: Open) -> None:
    page = visit()

    def width() -> float:
        box = page.page.locator("#program").bounding_box()
        assert box is not None
        return box["width"]

    before = width()
    page.page.locator("#split-program").focus()
    page.press("ArrowRight")
    page.press("ArrowRight")
    assert width() == pytest.approx(before + 48, abs=1)
    page.page.reload()
    page.page.wait_for_selector(".cm-editor")
    assert width() == pytest.approx(before + 48, abs=1)
    page.page.locator("#split-program").dblclick()
    assert width() == pytest.approx(before, abs=1)


def test_each_step_is_spoken(visit: Open) -> None:
    page = visit()
    page.press("Home")
    page.press("ArrowRight")
    expect(page.page.locator("#spoken")).to_have_text(re.compile("^a is 2"))


@pytest.mark.slow
def test_a_playing_run_does_not_chatter_and_says_where_it_stops(visit: Open) -> None:
    page = visit()
    page.press("Home")
    expect(page.page.locator("#spoken")).to_contain_text("Nothing has run yet")
    page.page.evaluate(
        "() => { window.said = []; const spoken = document.querySelector('#spoken');"
        "new MutationObserver(() => said.push(spoken.textContent)).observe(spoken, {childList: true, subtree: true}); }"
    )
    page.page.get_by_label("Speed").select_option(label="2×")
    page.page.locator("#graph").focus()
    page.press(" ")
    expect(page.page.locator("#spoken")).to_contain_text("a.grad is 4, b.grad is 4 and d.grad is 5", timeout=20_000)
    said = page.page.evaluate("() => said")
    assert len(said) == 2 and said[0] == "Playing.", said


def test_pointing_at_a_tape_row_lights_its_line_and_selecting_a_tensor_opens_its_card(visit: Open) -> None:
    page = visit()
    page.open_tape()
    page.page.locator(".tape-row", has_text="AddBackward0").hover()
    assert "a + b" in page.page.locator(".cm-linked").inner_text()
    page.press("End")
    page.page.locator(".tape-row", has_text="AddBackward0").click()
    card = page.page.locator("#ledger .card-title").first
    assert card.inner_text().startswith("AddBackward0")
    page.page.locator("#ledger .facts .link-button b", has_text="a").first.click()
    ledger = page.page.locator("#ledger").inner_text()
    assert "tensor(2., requires_grad=True)" in ledger and ".is_leaf" in ledger


def test_a_number_of_the_program_can_be_dragged(visit: Open) -> None:
    page = visit()
    page.press("End")
    page.open_tape()
    page.page.locator(".tape-row", has_text="AddBackward0").click()
    page.page.locator("#ledger .facts .link-button b", has_text="a").first.click()
    with page.page.expect_response(
        lambda r: r.url.endswith("/v1/runs") and "torch.tensor(7.0, requires_grad" in (r.request.post_data or "")
    ):
        field = page.page.get_by_label("Value of a in the program")
        field.fill("7")
        field.press("Enter")
    expect(page.page.locator(".cm-line", has_text="e = c * d").locator(".cm-value")).to_have_text("40")


def test_values_beside_lines_keep_to_the_right_edge_and_off_the_code(visit: Open) -> None:
    page = visit()
    page.program(
        "import torch\nx = torch.tensor(2.0, requires_grad=True)\ny = x * 3\n"
        "loss = (y * y * y * y + y * y * y + y * y + y * y) * 2\nlong_name = torch.tanh(y * 2) + torch.sigmoid(y)\n"
        "loss.backward()\n"
    )
    page.press("End")
    pane = page.page.locator("#editor").bounding_box()
    assert pane
    values = page.page.locator(".cm-value")
    expect(values).to_have_count(3)
    for i in range(3):
        box = values.nth(i).bounding_box()
        assert box
        assert 8 < pane["x"] + pane["width"] - box["x"] - box["width"] < 24
    covered = page.page.evaluate(
        "() => [...document.querySelectorAll('.cm-value')].filter((value) => {"
        "const box = value.getBoundingClientRect(), range = document.createRange();"
        "range.selectNodeContents(value.closest('.cm-line')); range.setEndBefore(value);"
        "return [...range.getClientRects()]"
        ".some((r) => r.right > box.left + 8 && r.bottom > box.top + 2 && r.top < box.bottom - 2); }).length"
    )
    assert covered == 0
    editor = page.page.locator(".cm-scroller")
    assert editor.evaluate("(e) => e.scrollWidth - e.clientWidth") <= 0, "long lines wrap"


def test_a_program_that_does_not_parse_shows_no_values_of_the_one_before(visit: Open) -> None:
    page = visit()
    page.program("x = torch.randn(3)y = x\nc = a + b\n")
    expect(page.page.locator(".cm-problem")).to_contain_text("SyntaxError")
    expect(page.page.locator(".cm-value")).to_have_count(0)
    expect(page.page.locator(".outdated")).to_be_visible()
    page.program("import torch\nprint(torch.ones(2))\n")
    expect(page.page.locator(".outdated")).to_be_hidden()


def test_what_a_program_without_a_picture_failed_at_is_told_and_mended(visit: Open) -> None:
    page = visit()
    page.program(">>> import torch\n>>> v = torch.ones(2, requires_grad=True)\n>>> v.sum().backward()\n>>> v.grad\n")
    ledger = page.page.locator("#ledger")
    expect(ledger).to_contain_text("Before anything was recorded")
    expect(ledger).to_contain_text("This was copied from an interactive session")
    expect(page.page.locator("#spoken")).to_contain_text("SyntaxError")
    page.page.get_by_role("button", name="Try: the program without prompts").click()
    expect(page.page.locator(".outdated")).to_be_hidden()
    expect(page.page.locator(".cm-content")).not_to_contain_text(">>>")
    page.program("w = torch.ones(2, requires_grad=True)\nw.sum().backward()\n")
    expect(ledger).to_contain_text("Begin with import torch.")
    page.page.get_by_role("button", name="Try: import torch first").click()
    expect(page.page.locator(".cm-content")).to_contain_text("import torch")
    expect(page.page.locator(".outdated")).to_be_hidden()


def test_a_fix_without_spaces_keeps_within_the_pane(visit: Open) -> None:
    page = visit()
    page.program(
        "import torch\nnet = torch.nn.Sequential(torch.nn.Linear(2,3), torch.nn.Linear(4,1))\nnet(torch.ones(1,2))"
    )
    page.page.locator(".ledger-error .fix").wait_for()
    over = "(pane) => pane.scrollWidth - pane.clientWidth"
    assert page.page.locator(".ledger-error").evaluate(over) <= 0


def test_the_program_in_a_page_of_prose_is_run_alone_and_the_page_comes_back(visit: Open) -> None:
    text = (
        "How does it add up?\nAsked 2 years ago\n\nI do not see where it comes from (see below).\n\n"
        "    import torch\n    x = torch.ones(2, requires_grad=True)\n    x.sum().backward()\n\n"
        "Every call adds to what is there.\n3\nShare\n"
    )
    page = visit()
    page.program(text)
    page.page.get_by_role("button", name="Try: the program without the text around it").click()
    expect(page.page.locator(".outdated")).to_be_hidden()
    expect(page.page.locator(".cm-line")).to_have_count(4)
    page.page.locator(".cm-content").click()
    page.press("ControlOrMeta+z")
    expect(page.page.locator(".cm-content")).to_contain_text("Asked 2 years ago")


def test_the_text_of_a_notebook_becomes_its_cells_and_undo_brings_it_back(visit: Open) -> None:
    source = ["import torch\n", "x = torch.ones(2, requires_grad=True)\n", "x.sum().backward()\n", "x.grad"]
    text = json.dumps({"cells": [{"cell_type": "code", "source": source}], "nbformat": 4})
    page = visit()
    page.program(text)
    content = page.page.locator(".cm-content")
    expect(content).to_contain_text("# %% In [1]import torch")
    expect(page.page.locator(".cm-line")).to_have_count(6)
    expect(page.page.locator("#toasts")).to_contain_text("the program as the cells of a notebook")
    page.press("End")
    expect(page.page.locator("#output")).to_contain_text("tensor([1., 1.])")
    expect(page.page.locator("#run-state")).to_have_text("runs as you type")
    content.click()
    page.press("ControlOrMeta+z")
    expect(content).to_contain_text('"nbformat": 4')


def test_a_short_link_opens_a_stored_run(visit: Open) -> None:
    page = visit()
    document = page.program("import torch\nw = torch.tensor(7.0, requires_grad=True)\n(w * w).backward()\n")
    page.go(f"/r/{document['id']}")
    expect(page.page.locator(".cm-content")).to_contain_text("torch.tensor(7.0")
    assert page.story.startswith("Line 3 starts backward pass #1: w*w receives 1,")
    page.press("ArrowRight")
    assert "received 1," in page.story


@pytest.mark.parametrize("width", [390, 700])
def test_on_a_narrow_page_the_document_has_the_order_one_sees(visit: Open, width: int) -> None:
    page = visit(width=width, height=844)
    page.program(
        "import torch\nx = torch.ones(2, requires_grad=True)\ny = x * 2\ny.backward(torch.tensor([1.0, 2.0]))\n"
    )
    page.open_details()
    panes = "#program, #graph, #story, #ledger, #vector, #output, #tape"
    names, tops = page.page.evaluate(
        f"() => {{ const all = [...document.querySelectorAll('{panes}')];"
        "return [all.map((e) => e.id), all.map((e) => e.getBoundingClientRect().top)]; }"
    )
    assert names == ["program", "graph", "story", "ledger", "vector", "output", "tape"]
    assert tops == sorted(tops)
    page.page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.page.locator("#program #tape")).to_have_count(1)
    below = "() => [...document.querySelectorAll('#program .block')].map((e) => e.id)"
    assert page.page.evaluate(below) == ["vector", "findings", "output", "parameters", "tape"]


@pytest.mark.parametrize("width", [360, 1440])
def test_the_buttons_of_the_bar_stand_in_two_lines_at_most(visit: Open, width: int) -> None:
    page = visit(width=width, height=844)
    page.program("import torch\nx = torch.ones((), requires_grad=True)\n(x * 2).backward()\n")
    expect(page.page.locator("#compare")).to_be_visible()
    boxes = [each.bounding_box() for each in page.page.locator(".bar .button:visible").all()]
    rows = {round(box["y"] + box["height"] / 2) for box in boxes if box}
    assert len(rows) == (2 if width < 560 else 1)
    order = page.page.evaluate("() => [...document.querySelectorAll('.bar button, .bar a')].map((e) => e.id)")
    assert (order.index("theme") < order.index("examples")) == (width < 560)


def test_on_a_narrow_page_what_stopped_a_program_is_told_before_the_picture_of_the_last(visit: Open) -> None:
    page = visit(width=390, height=844)
    before = "() => document.querySelector('#story').getBoundingClientRect().top"
    after = "() => document.querySelector('#graph').getBoundingClientRect().top"
    page.program("import torch\nx = torch.ones(2\ny = x * 2\n")
    expect(page.page.locator(".outdated")).to_be_visible()
    assert page.page.evaluate(before) < page.page.evaluate(after)
    page.program("import torch\nx = torch.ones((), requires_grad=True)\n(x * 2).backward()\n")
    expect(page.page.locator(".outdated")).to_be_hidden()
    assert page.page.evaluate(before) > page.page.evaluate(after)


def test_the_program_keeps_the_current_line_in_sight_and_the_page_stays_where_it_is(visit: Open) -> None:
    page = visit(width=390, height=844)
    page.program("import torch\nx = torch.tensor(2.0, requires_grad=True)\n" + "x = x * 1.01\n" * 30 + "x.backward()\n")
    page.page.evaluate("scrollTo(0, 0)")
    for keys in (["End"], ["ArrowLeft"] * 20, ["Home", "ArrowRight"], ["ArrowRight"] * 15):
        for key in keys:
            page.press(key)
        rest(page.page, ".cm-now")
        line, pane = page.page.locator(".cm-now").bounding_box(), page.page.locator("#editor").bounding_box()
        assert line and pane
        assert pane["y"] - 1 <= line["y"] and line["y"] + line["height"] <= pane["y"] + pane["height"] + 1, keys
    assert page.page.evaluate("scrollY") == 0


def test_the_current_line_is_in_sight_as_soon_as_an_example_opens_although_lines_wrap(visit: Open) -> None:
    page = visit()
    page.example("blitz_lenet_graph")
    for key in (None, "ArrowRight"):
        if key:
            page.page.locator("#graph").focus()
            page.press(key)
            expect(page.page.locator(".cm-linked")).to_contain_text("criterion(out, target)")
        expect(page.page.locator(".cm-now")).to_contain_text("loss.backward()")
        rest(page.page, ".cm-now")
        line, pane = page.page.locator(".cm-now").bounding_box(), page.page.locator("#editor").bounding_box()
        assert line and pane
        assert pane["y"] <= line["y"] and line["y"] + line["height"] <= pane["y"] + pane["height"], key


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_the_gallery_and_menus_open_within_the_window(visit: Open, width: int) -> None:
    page = visit(width=width, height=844)
    for button, opened in (("#examples", "#gallery"), ("#export-menu > button", "#export-menu .menu-list")):
        page.page.locator(button).click()
        page.page.wait_for_selector(opened)
        box = page.page.locator(opened).bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= 844, opened
        assert box["width"] >= 200, opened
        page.press("Escape")


@pytest.mark.parametrize("size", [(390, 600), (900, 500), (1440, 800)])
def test_an_embed_fills_its_frame_with_picture_story_and_timeline(visit: Open, size: tuple[int, int]) -> None:
    width, height = size
    made = visit(None, width=width, height=height)
    page = made.page
    page.goto(made.url + "/embed")
    page.wait_for_selector("#story .say")
    graph, story, timeline = (page.locator(name).bounding_box() for name in ("#graph", "#story", "#timeline"))
    assert graph and story and timeline
    assert graph["height"] >= 0.45 * height and graph["width"] == story["width"] == width
    assert abs(timeline["y"] + timeline["height"] - height) <= 1
    for hidden in ("#program", ".bar", "#tape", "#output"):
        expect(page.locator(hidden)).to_be_hidden()


def test_the_tape_of_a_long_run_shows_the_row_that_is_at_hand_and_few_others(visit: Open) -> None:
    page = visit()
    page.open_tape()
    page.program(
        "import torch\nx = torch.tensor(0.5, requires_grad=True)\nh = x\nfor step in range(600):\n"
        "    h = torch.sin(h) + 0.1\nh.backward()\n"
    )
    active, rows = page.page.locator(".tape-row.active"), page.page.locator(".tape-row")
    for keys, number in ((["ArrowRight"], "#1199"), (["ArrowRight"], "#1198"), (["Home"] + ["ArrowRight"] * 30, "#28")):
        for key in keys:
            page.press(key)
        expect(active.locator(".tape-number")).to_contain_text(number)
        expect(active).to_be_in_viewport()
        assert 20 <= rows.count() < 120
    page.page.locator(".tape-list").evaluate("(e) => e.scrollTo(0, e.scrollHeight)")
    expect(rows.last).to_contain_text("#1199")


def test_long_names_in_the_sentence_break_between_their_words(visit: Open) -> None:
    page = visit()
    page.page.set_viewport_size({"width": 390, "height": 844})
    page.program(
        "import torch\nx = torch.zeros(2, requires_grad=True)\n"
        "loss = torch.nn.functional.binary_cross_entropy_with_logits(x, torch.ones(2)) + 0\nloss.backward()\n"
    )
    page.press("ArrowRight")
    name = page.page.locator("#story .say .t-node", has_text="BinaryCrossEntropyWithLogitsBackward0").first
    expect(name).to_be_visible()
    lines = name.evaluate(
        "(e) => { const range = document.createRange(), tops = new Map();"
        "for (const part of e.childNodes) if (part.nodeType === 3) for (let i = 0; i < part.length; i++) {"
        "range.setStart(part, i); range.setEnd(part, i + 1); const top = Math.round(range.getBoundingClientRect().top);"
        "tops.set(top, (tops.get(top) ?? '') + part.data[i]); } return [...tops.values()]; }"
    )
    assert "".join(lines) == "BinaryCrossEntropyWithLogitsBackward0"
    assert len(lines) > 1 and all(line[0].isupper() for line in lines)
    name.focus()
    page.page.keyboard.press("Enter")
    expect(page.page.locator("#ledger")).to_contain_text("Close")


@pytest.mark.parametrize("size", [(1024, 700), (1440, 900)])
def test_the_output_stands_under_the_editor_and_the_buttons_in_the_graphs_corner(
    visit: Open, size: tuple[int, int]
) -> None:
    page = visit(width=size[0], height=size[1])
    page.program(
        "import torch\nx = torch.ones(2, requires_grad=True)\ny = x * 2\ny.backward(torch.tensor([1.0, 2.0]))\n"
        "print(x.grad)\n"
    )
    page.page.wait_for_selector("#vector input")
    page.press("End")

    def box(name: str) -> dict[str, float]:
        found: Any = page.page.locator(name).bounding_box()
        assert found, name
        return {**found, "right": found["x"] + found["width"], "bottom": found["y"] + found["height"]}

    editor, output, vector, graph, tools, legend = map(
        box, ("#editor", "#output", "#vector", "#graph", ".graph-tools", ".stage-legend")
    )
    assert 0 <= vector["y"] - editor["bottom"] <= 2
    assert 0 <= output["y"] - vector["bottom"] <= 2
    assert output["bottom"] <= size[1]
    assert 0 <= graph["right"] - tools["right"] <= 24 and 0 <= graph["bottom"] - tools["bottom"] <= 24
    assert legend["right"] <= tools["x"]
    for name in ("Search the graph", "Zoom out", "Zoom in", "Fit the graph"):
        expect(page.page.locator(".graph-tools").get_by_role("button", name=name)).to_be_visible()


def test_seen_from_far_cards_keep_their_outline(visit: Open) -> None:
    page = visit()
    for _ in range(7):
        page.page.locator("#zoom-out").click()
    expect(page.page.locator(".stage-svg.far")).to_have_count(1)
    outline = page.page.locator(".items .card > rect[stroke]").first
    assert outline.evaluate("(e) => getComputedStyle(e).vectorEffect") == "non-scaling-stroke"


@pytest.mark.parametrize("width", [390, 1440])
def test_the_end_of_a_pass_shows_the_leaves_that_it_speaks_of(visit: Open, width: int) -> None:
    page = visit(width=width, height=844)
    leaves = "".join(f"{name} = torch.tensor([1.0, 2.0], requires_grad=True)\n" for name in "abcde")
    turns = "h = a\nfor w in [b, c, d, e]:\n    h = torch.tanh(h * w + w) + torch.sin(h)\n"
    page.program(f"import torch\n{leaves}{turns}h.sum().backward()\n")
    page.press("End")
    assert page.story.startswith("Backward pass #1 is finished: e.grad is")
    rest(page.page, ".stage-shelf .item.card")
    card = page.page.locator(".stage-shelf .item.card:has(text:text-is('e'))")
    box, stage = card.bounding_box(), page.page.locator(".stage-shelf").bounding_box()
    assert box and stage
    assert stage["x"] - 2 <= box["x"] and box["x"] + box["width"] <= stage["x"] + stage["width"] + 2
    assert stage["y"] <= box["y"] and box["y"] + box["height"] <= stage["y"] + stage["height"]
