"""A reader types a program and follows its backward pass to the end and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.visit import Visit, rest

PROGRAMS = Path(__file__).resolve().parents[2] / "app" / "examples" / "programs"
FAN_IN = """\
import torch

x = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
w = torch.tensor(0.5, requires_grad=True)
y = x * w + x.sin()
loss = (y * y).sum()
loss.backward()
print(x.grad)
"""


def inline(document: dict[str, Any], value: str) -> list[float]:
    data = document["values"][value]["data"]
    return [float(x) for x in (data if isinstance(data, list) else [data])]


def shown_numbers(text: str) -> list[float]:
    return [float(part) for part in text.strip("[] ").replace("−", "-").split(",")]


def walk(visit: Visit) -> list[tuple[str, str]]:
    """Press → until the end; what the ledger said at every step."""
    visit.press("Home")
    seen = []
    for _ in range(visit.last() + 1):
        seen.append((visit.title, visit.story))
        visit.press("ArrowRight")
    return seen


def test_the_example_is_finished_and_meaningful_before_anything_is_clicked(visit: Open) -> None:
    page = visit()
    assert page.title.startswith("step 1 of ") and "backward #1" in page.title
    assert page.story.startswith("Line 9 starts backward pass #1: e receives 1")
    expect(page.page.locator("#output")).to_contain_text("10prints after backward()")
    expect(page.page.locator("#stage").get_by_text("gradient", exact=True).first).to_be_visible()
    page.press("ArrowRight")
    assert page.story.startswith("MulBackward0 received 1,")
    page.open_details()
    expect(page.page.locator("#ledger .katex").first).to_be_visible()


def test_every_gradient_on_the_page_is_the_documents(visit: Open) -> None:
    page = visit()
    document = page.program(FAN_IN)
    assert document["status"] == "ok", document["error"]
    landings = [event for event in document["events"] if event["kind"] == "accumulate"]
    assert len(landings) == 2
    page.open_engine_details()
    page.press("Home")
    for event in landings:
        page.press("Shift+ArrowRight")
        name = next(t["name"] for t in document["tensors"] if t["id"] == event["tensor"])
        card = page.page.locator("#ledger .tensor-card")
        assert f"{name}.grad" in card.locator("h3").inner_text().lower()
        shown = shown_numbers(card.locator("p code").first.inner_text())
        wanted = inline(document, event["after"])
        assert all(abs(a - b) <= 1e-3 * max(1, abs(b)) for a, b in zip(shown, wanted, strict=True))
    page.press("End")
    assert page.story.startswith("x.grad is "), "the last line prints it"
    page.press("ArrowLeft")
    assert "finished" in page.story


def test_every_node_of_the_pass_is_told_in_the_order_in_which_it_ran(visit: Open) -> None:
    page = visit()
    document = page.program(FAN_IN)
    steps = walk(page)
    names = {node["id"]: node["name"] for node in document["nodes"]}
    ran = [names[e["node"]] for e in document["events"] if e["kind"] == "node" and names[e["node"]] != "AccumulateGrad"]
    told = [story.split(" received")[0].split(" (")[0] for _, story in steps if " received" in story.split(".")[0]]
    assert told == ran


def test_stepping_back_shows_what_stepping_forward_showed(visit: Open) -> None:
    page = visit()
    page.program(FAN_IN)
    forward = walk(page)
    backward = []
    page.press("End")
    for _ in range(page.last() + 1):
        backward.append((page.title, page.story))
        page.press("ArrowLeft")
    assert backward[::-1] == forward


def test_dragging_the_track_scrubs(visit: Open) -> None:
    page = visit()
    page.program(FAN_IN)
    box = page.page.locator(".track").bounding_box()
    assert box is not None
    middle = box["y"] + 24
    page.page.mouse.move(box["x"] + box["width"] * 0.9, middle)
    page.page.mouse.down()
    late = page.at()
    page.page.mouse.move(box["x"] + box["width"] * 0.2, middle, steps=8)
    early = page.at()
    page.page.mouse.up()
    assert early < late
    assert "forward" in page.title


def test_printed_output_appears_when_its_line_has_run(visit: Open) -> None:
    page = visit()
    document = page.program(FAN_IN)
    page.press("Home")
    assert document["stdout"].strip() not in page.page.locator("#output").inner_text()
    page.press("End")
    assert document["stdout"].strip() in page.page.locator("#output").inner_text()


def test_playing_arrives_at_the_end_and_can_be_paused(visit: Open) -> None:
    page = visit()
    page.page.get_by_label("Speed").select_option("4")
    page.page.locator("#graph").focus()
    page.press("Home")
    page.press("Space")
    page.page.wait_for_selector("[aria-label='Pause (space)']")
    page.press("Space")
    page.page.wait_for_selector("[aria-label='Play (space)']")
    paused = page.at()
    assert paused < page.last()
    page.press("End")
    page.press("ArrowLeft")
    page.press("Space")
    expect(page.page.locator(".track")).to_have_attribute("aria-valuenow", str(page.last()), timeout=15_000)


def test_editing_runs_by_itself_and_keeps_the_step(visit: Open) -> None:
    page = visit()
    page.program(FAN_IN)
    page.press("Home")
    for _ in range(6):
        page.press("ArrowRight")
    before = page.title
    with page.page.expect_response(lambda r: r.url.endswith("/v1/runs")):
        page.page.locator(".cm-line", has_text="0.5").click()
        page.press("End")  # of what the window shows of the line,
        page.press("End")  # then of the line itself
        for _ in range(len(", requires_grad=True)")):
            page.press("ArrowLeft")
        page.page.keyboard.type("25")
    page.page.wait_for_selector("#editor:not(.stale)")
    assert page.title == before
    changed = next(tensor for tensor in page.document["tensors"] if tensor["name"] == "w")
    assert inline(page.document, changed["value"]) == pytest.approx([0.525])


def test_late_answers_are_dropped(visit: Open) -> None:
    page = visit()
    held: list[Any] = []
    page.page.route(
        "**/v1/runs",
        lambda route: held.append(route) if "111" in (route.request.post_data or "") else route.continue_(),
    )
    page.paste("import torch\na = torch.tensor(111.0, requires_grad=True)\n(a * 2).backward()\n")
    page.press("ControlOrMeta+Enter")
    page.program("import torch\nb = torch.tensor(222.0, requires_grad=True)\n(b * 2).backward()\n")
    for route in held:
        try:
            route.continue_()
        except Exception:  # noqa: BLE001, S110 - the page has cancelled it, which is the point
            pass
    rest(page.page, "#stage, #story")
    page.press("Home")
    page.press("ArrowRight")
    assert page.story.startswith("b is 222.")


def test_an_edge_tells_what_flows_along_it_and_can_be_chosen(visit: Open) -> None:
    page = visit()
    page.program("import torch\nx = torch.tensor([1.0, 2.0], requires_grad=True)\ny = (x * 3).sum()\ny.backward()\n")
    page.press("End")
    x, y = page.page.evaluate(
        "() => { const line = document.querySelector('.links path');"
        "const at = line.getPointAtLength(12), m = line.getScreenCTM(); return [at.x * m.a + m.e, at.y * m.d + m.f]; }"
    )
    page.page.mouse.move(x, y)
    tip = page.page.locator(".stage-tip")
    expect(tip).to_contain_text("x → MulBackward0")
    expect(tip).to_contain_text("backward: [3, 3] (2,)")
    page.page.mouse.click(x, y)
    expect(page.page.locator("#ledger")).to_contain_text("Gradient on this edge")
    expect(page.page.locator("#ledger .card-title")).to_contain_text("MulBackward0 → x")
    page.page.mouse.move(5, 5)
    expect(tip).to_be_hidden()


def test_from_far_away_what_one_points_at_is_told_beside_the_pointer(visit: Open) -> None:
    page = visit()
    page.program(
        "import torch\nx = torch.tensor([1.0, 2.0], requires_grad=True)\nw = torch.eye(2)\ny = x\n"
        + "y = torch.tanh(y @ w) + x\n" * 16
        + "y.sum().backward()\n"
    )
    page.press("f")
    rest(page.page, ".stage-svg .item.card:not(:empty)")
    card = page.page.locator(".stage-svg .item.card:not(:empty)").first.bounding_box()
    assert card and card["width"] < 60, "the whole is far away"
    page.page.mouse.move(card["x"] + card["width"] / 2, card["y"] + card["height"] / 2)
    expect(page.page.locator(".stage-tip")).to_contain_text("tensor w, value [[1, 0], [0, 1]]")


def test_the_engines_details_are_folded_away_and_stay_open_over_steps_and_a_reload(visit: Open) -> None:
    page = visit()
    page.open_details()
    details = page.page.locator("#ledger details.engine")
    queue = details.locator("section", has_text="Ready queue")
    expect(details).to_have_count(1)
    expect(queue).to_be_hidden()
    page.open_engine_details()
    expect(queue.locator(".queue-next")).to_be_visible()
    expect(queue).to_contain_text("MulBackward0")
    page.page.locator("#graph").focus()
    page.press("ArrowRight")
    expect(queue).to_contain_text("AddBackward0")
    expect(details.locator("section", has_text="Next functions")).to_contain_text("d")
    expect(details.locator("section", has_text="Saved by this node")).to_contain_text("(line 5)")
    page.press("End")
    page.press("Shift+ArrowLeft")
    expect(details.locator(".tensor-card")).to_be_visible()
    page.page.reload()
    expect(queue).to_be_visible()
    details.locator("summary").click()
    page.page.reload()
    expect(page.page.locator("#story .say").first).to_be_visible()
    expect(queue).to_be_hidden()


def test_a_step_right_after_the_click_does_not_fold_the_engines_details_again(visit: Open) -> None:
    page = visit()
    page.open_details()
    before = page.at()
    page.page.evaluate(
        "() => { document.querySelector('#ledger .engine > summary').click();"
        "document.querySelector(\"[aria-label^='Next step']\").click(); }"
    )
    expect(page.page.locator(".track")).to_have_attribute("aria-valuenow", str(before + 1))
    expect(page.page.get_by_role("heading", name="Ready queue")).to_be_visible()


def test_what_the_reader_selected_stands_open_above_the_engines_details(visit: Open) -> None:
    page = visit()
    page.press("ArrowRight")
    page.open_tape()
    page.page.locator(".tape-row", has_text="MulBackward0").click()
    details = page.page.locator("#ledger details.engine")
    saved = page.page.locator("#ledger > section", has_text="Saved by this node")
    expect(saved).to_be_visible()
    expect(saved).to_contain_text("Next functions")
    expect(details.locator("section", has_text="Ready queue")).to_be_hidden()
    below, above = details.bounding_box(), saved.bounding_box()
    assert below and above and above["y"] + above["height"] <= below["y"]
    page.page.get_by_role("button", name="Close").click()
    expect(saved).to_have_count(0)


def test_a_weight_on_the_canvas_can_be_dragged(visit: Open) -> None:
    page = visit()
    page.program((PROGRAMS / "seed1_prosti_ex1.py").read_text("utf-8"))
    title, stage, code = page.title, page.page.locator("#stage"), page.page.locator(".cm-content")
    box = stage.get_by_text("0.1", exact=True).first.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.page.mouse.move(x, y)
    expect(page.page.locator("#stage .adjustable")).to_have_count(1)
    page.page.mouse.down()
    page.page.mouse.move(x + 60, y, steps=6)
    expect(code).to_contain_text("[0.25, 1.0, 0.0001]")
    page.page.mouse.up()
    expect(stage.get_by_text("0.25", exact=True).first).to_be_visible()
    expect(stage.get_by_text("0.1", exact=True)).to_have_count(0)
    expect(code).to_contain_text("[0.25, 1.0, 0.0001]")
    assert page.title == title
    page.page.locator("#graph").focus()
    page.press("End")
    expect(page.page.locator("#output")).to_contain_text("tensor([7.5000e-01, 3.0000e+00, 3.0000e-04])")


def test_arrows_in_the_graph_go_down_from_the_root_to_the_leaves_and_up_again(visit: Open) -> None:
    page = visit()
    page.press("Home")
    cursor = page.page.locator("#stage .cursor")
    cursor.focus()
    told, heights = [], []
    for key in ["ArrowUp"] * 4 + ["ArrowDown"] * 4:
        page.press(key)
        box = cursor.bounding_box()
        assert box
        told.append(cursor.get_attribute("aria-label") or "")
        heights.append(box["y"])
    assert told[3].startswith("tensor e,") and heights[3] == min(heights)
    assert "leaf" in told[-1] and heights[-1] == max(heights)
    assert heights[3:6] == sorted(set(heights[3:6])), "every arrow goes one card down"
    page.press("ArrowLeft")
    page.press("ArrowLeft")
    left, leaf = cursor.bounding_box(), cursor.get_attribute("aria-label") or ""
    page.press("ArrowRight")
    right = cursor.bounding_box()
    assert left and right and left["x"] < right["x"], leaf
    assert page.at() == 0, "the arrows were the graph's"
