"""Runs as files: a page that plays one without a service, and files of runs that are opened."""

from __future__ import annotations

import contextlib
import html
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, TimeoutError, expect

import engine
from engine.export import page as page_of
from tests.browser.conftest import Open
from tests.browser.test_open import DROP
from tests.browser.visit import AXE, Visit

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).resolve().parents[2]
EXAMPLES = PROJECT / "app" / "examples" / "programs"
PROGRAM = """import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
for turn in range(3):
    loss = ((w * 3 - 1) ** 2).sum()
    loss.backward()
    print("</script><!-- <script>", loss.item())
"""
LONG = (
    "import torch\nx = torch.tensor(2.0, requires_grad=True)\n"
    + "'''a text\n" + "of many lines\n" * 1000 + "'''\n" + "#note\n" * 7000
    + "y = x * x\nz = y + x\nz.backward()\nprint(x.grad)\n"
)  # fmt: skip
INERT = "window.harmed = 1"
SEEN = """(pane) => {
    const line = document.querySelector(pane + " .cm-now")?.getBoundingClientRect();
    const box = document.querySelector(pane).getBoundingClientRect();
    return line !== undefined && line.top >= box.top - 1 && line.bottom <= box.bottom + 1;
}"""
# One call: the page's policy lets nothing be evaluated later, as waiting for a function does.
PAINTED = """() => new Promise((resolve) => {
    const end = performance.now() + 30_000;
    const look = () => {
        const painted = performance.getEntriesByName("backlight:picture").length > 0;
        if (painted || performance.now() > end) resolve(painted);
        else setTimeout(look, 5);
    };
    look();
})"""


def document(code: str = PROGRAM) -> dict[str, Any]:
    return engine.run(code=code, seed=0).document


def captured() -> dict[str, Any]:
    """A run as the client writes it: of two files, on a GPU."""
    run = document("import torch\nx = torch.tensor(2.0, requires_grad=True)\n(x * x).backward()\n")
    main = "import model\nmodel.run()\n"
    for record in [*run["ops"], *run["nodes"], *run["tensors"], *run["events"]]:
        if record.get("line"):
            record["file"] = 1
    return {
        **run, "source": {"kind": "capture", "code": main},
        "origin": {
            "kind": "captured", "torch": "2.13.0", "python": "3.12.1", "platform": "Linux", "device": "cuda:0",
            "client": engine.__version__,
        },
        "files": [
            {"name": "main.py", "code": main, "first_line": 1},
            {"name": "model.py", "code": run["source"]["code"], "first_line": 1},
        ],
    }  # fmt: skip


@pytest.fixture
def alone(browser: Browser) -> Iterator[Any]:
    """Opens an address that needs no service; a request, an error or a violation of the policy fails the test."""
    made: list[tuple[Visit, str]] = []

    def open_page(address: str, *, width: int = 1440, scheme: Any = "light") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
        )
        visit = Visit(context.new_page(), "")
        made.append((visit, address))
        visit.page.goto(address)
        return visit.page

    yield open_page
    for visit, address in made:
        visit.page.context.close()
        assert visit.complaints == []
        assert [request for request in visit.requests if request.partition("#")[0] != address] == []


def wait_for_picture(page: Any) -> None:
    page.wait_for_selector("#story .say")
    assert page.evaluate(PAINTED), "the page was not painted"


def line_is_seen(page: Page) -> bool:
    """Is the line of the step in sight, once the page has come to rest?"""
    with contextlib.suppress(TimeoutError):
        page.wait_for_function(SEEN, arg="#editor", timeout=5000)
    return bool(page.evaluate(SEEN, "#editor"))


def in_a_frame(page: str) -> str:
    """A page with another one in a frame that may run its scripts and nothing else, as a notebook shows it."""
    source = html.escape(page, quote=True)
    frame = f'<iframe sandbox="allow-scripts" width=1200 height=700 srcdoc="{source}"></iframe>'
    return f"<!doctype html><meta charset=utf-8>{frame}"


def saved(folder: Path, run: dict[str, Any]) -> str:
    file = folder / "run.html"
    file.write_text(page_of(run), encoding="utf-8")
    return file.as_uri()


def test_a_page_with_a_run_plays_from_a_disk(alone: Any, visit: Open, tmp_path: Path) -> None:
    page = alone(saved(tmp_path, document()))
    wait_for_picture(page)
    served = visit()
    served.program(PROGRAM)
    for key in ("Home", "End"):
        page.keyboard.press(key)
        served.press(key)
        expect(page.locator("#story .say").first).to_have_text(served.page.locator("#story .say").first.inner_text())
    expect(page.locator("#output")).to_contain_text("</script><!-- <script> 29.0")
    expect(page.locator("#origin")).to_contain_text("Recorded by Backlight")
    assert page.locator("#run, #share, #examples").count() == 0
    expect(page.locator(".reader .cm-value").first).to_contain_text("29")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".reader .cm-now")).to_have_count(1)


def test_a_page_with_a_long_program_draws_what_is_seen_of_it(alone: Any, tmp_path: Path) -> None:
    page = alone(saved(tmp_path, document(LONG)))
    wait_for_picture(page)
    assert page.locator(".reader li").count() < 600
    page.keyboard.press("Home")
    for key in (*["ArrowRight"] * 7, "End", "ArrowLeft", "End"):
        page.keyboard.press(key)
        assert line_is_seen(page), page.locator("#story-step").inner_text()
    expect(page.locator(".reader .cm-now code")).to_have_text("print(x.grad)")
    assert page.locator(".reader .word-comment").count() < 400
    page.locator("#editor").evaluate("pane => { pane.scrollTop = pane.scrollHeight / 2; }")
    expect(page.locator(".reader ol[start='4001'] .word-comment")).to_have_count(50)
    assert page.locator(".reader").inner_text().count("#note") == 7000


def test_a_long_program_shows_the_line_of_each_step_in_the_page(visit: Open) -> None:
    page = visit()
    page.program(LONG)
    page.press("Home")
    for key in (*["ArrowRight"] * 7, "End", "ArrowLeft", "End"):
        page.press(key)
        assert line_is_seen(page.page), page.title


def test_the_line_of_each_step_is_in_sight(alone: Any, tmp_path: Path) -> None:
    code = (EXAMPLES / "seed1_prosti_ex1.py").read_text("utf-8")
    page = alone(saved(tmp_path, document("import torch\n" + "\n" * 60 + code + "\n" * 60)))
    wait_for_picture(page)
    page.keyboard.press("Home")
    last = int(page.locator("[role=slider].track").get_attribute("aria-valuemax") or 0)
    assert last > 8
    for step in range(1, last + 1):
        page.keyboard.press("ArrowRight")
        expect(page.locator("[role=slider].track")).to_have_attribute("aria-valuenow", str(step))
        assert line_is_seen(page), step


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 1440), ("light", 420)])
def test_a_page_with_a_run_can_be_used_by_everybody(alone: Any, tmp_path: Path, scheme: str, width: int) -> None:
    page = alone(saved(tmp_path, captured()), scheme=scheme, width=width)
    wait_for_picture(page)
    page.keyboard.press("End")
    # The library comes in as text: the page's policy allows no script beside its own.
    violations = page.context.new_cdp_session(page).send(
        "Runtime.evaluate",
        {
            "expression": f"{AXE.read_text()}; axe.run().then(({{violations}}) => violations.map(v => v.id))",
            "awaitPromise": True,
            "returnByValue": True,
        },
    )
    assert violations["result"].get("value") == []


def test_a_captured_run_says_where_it_is_from_and_names_lines_of_its_files(alone: Any, tmp_path: Path) -> None:
    page = alone(saved(tmp_path, captured()))
    wait_for_picture(page)
    expect(page.locator("#origin")).to_contain_text("Captured from PyTorch 2.13.0 on cuda:0: main.py")
    expect(page.locator("#origin")).to_contain_text("contains the text and paths of 2 files")
    expect(page.locator(".reader")).to_contain_text("# %% file model.py")
    expect(page.locator(".reader .cm-now")).to_contain_text("(x * x).backward()")
    page.get_by_role("button", name="Export").click()
    expect(page.get_by_role("menuitem", name="JSON document")).to_be_visible()
    expect(page.get_by_role("menuitem", name="Graphviz")).to_have_count(0)


def test_a_page_with_a_run_plays_in_a_sandboxed_frame(browser: Browser, tmp_path: Path) -> None:
    outer = tmp_path / "notebook.html"
    outer.write_text(in_a_frame(page_of(document())), "utf-8")
    context = browser.new_context(viewport={"width": 1300, "height": 800})
    visit = Visit(context.new_page(), "")
    visit.page.goto(outer.as_uri())
    frame = visit.page.frames[1]
    wait_for_picture(frame)
    expect(frame.locator("#story .say").first).to_contain_text("Line")
    assert visit.complaints == []
    assert visit.requests == [outer.as_uri()]
    context.close()


@pytest.mark.parametrize("name", ["examples_polynomial", "blitz_lenet_graph", "inplace_leaf_error"])
def test_an_example_is_told_alike_from_a_disk_and_in_a_frame(
    alone: Any, visit: Open, tmp_path: Path, name: str
) -> None:
    served = visit()
    inside = page_of(served.program((EXAMPLES / f"{name}.py").read_text("utf-8")))
    file, outer = tmp_path / "run.html", tmp_path / "notebook.html"
    file.write_text(inside, "utf-8")
    outer.write_text(in_a_frame(inside), "utf-8")
    page, around = alone(file.as_uri()), alone(outer.as_uri())
    frame = around.frames[1]
    page.locator("#story .say").first.wait_for()
    frame.locator("#story .say").first.wait_for()
    frame.locator("#graph").focus()
    for key in ("Home", "End"):
        for where in (served.page, page, around):
            where.keyboard.press(key)
        told = served.page.locator("#story .say").first.inner_text()
        expect(page.locator("#story .say").first).to_have_text(told)
        expect(frame.locator("#story .say").first).to_have_text(told)


def test_a_run_is_exported_as_a_page_and_opened_again(visit: Open, alone: Any, tmp_path: Path) -> None:
    page = visit()
    run = page.program(PROGRAM)
    page.press("ArrowRight")
    step = page.page.locator("#story-step").inner_text()
    page.page.get_by_role("button", name="Export").click()
    with page.page.expect_download() as download:
        page.page.get_by_role("menuitem", name="Web page, plays offline").click()
    file = tmp_path / "run.html"
    download.value.save_as(file)
    played = alone(file.as_uri())
    wait_for_picture(played)
    expect(played.locator("#story-step")).to_have_text(step, ignore_case=True)
    played.keyboard.press("End")
    expect(played.locator("#output")).to_contain_text("<script> 29.0")

    with page.page.expect_response(lambda r: r.url.endswith("/v1/runs")):
        page.example("diamond")
    expect(page.page.locator(".cm-content")).not_to_contain_text("for turn")
    page.requests.clear()
    page.page.evaluate(DROP, ["run.html", file.read_text()])
    expect(page.page.locator("#origin")).to_contain_text(f"Recorded by Backlight {run['engine']}")
    expect(page.page.locator(".cm-content")).to_contain_text("for turn in range(3)")
    assert [request for request in page.requests if "/v1/" in request] == []
    with page.page.expect_response(lambda r: r.url.endswith("/v1/runs")):
        page.page.get_by_role("button", name="Run", exact=False).first.click()
    expect(page.page.locator("#origin")).to_be_hidden()


def test_a_captured_run_is_opened_to_be_read(visit: Open) -> None:
    page = visit()
    page.requests.clear()
    page.page.evaluate(DROP, ["run.json", json.dumps(captured())])
    expect(page.page.locator("#origin")).to_contain_text("Captured from PyTorch 2.13.0 on cuda:0")
    expect(page.page.locator("#share")).to_be_disabled()
    expect(page.page.locator("#code-head")).to_be_hidden()
    before = page.page.locator(".cm-content").inner_text()
    page.page.locator(".cm-content").click()
    page.press("x")
    page.press("ControlOrMeta+Enter")
    assert page.page.locator(".cm-content").inner_text() == before
    assert [request for request in page.requests if "/v1/" in request] == []
    page.example("diamond")
    expect(page.page.locator("#origin")).to_be_hidden()
    expect(page.page.locator("#share")).to_be_enabled()


def test_a_captured_training_has_its_strip_and_its_findings(visit: Open) -> None:
    page = visit()
    run = document(PROGRAM.replace("range(3)", "range(12)") + "    with torch.no_grad():\n        w -= 0.01 * w.grad\n")
    run["source"]["kind"] = "capture"
    page.requests.clear()
    page.page.evaluate(DROP, ["run.json", json.dumps({**run, "origin": captured()["origin"]})])
    strip = page.page.locator(".training")
    expect(strip).to_contain_text("iteration 0 of 0 … 11")
    expect(page.page.locator("#findings-count")).to_contain_text("finding")
    page.press("n")
    card = page.page.locator("#ledger .finding")
    expect(card).to_contain_text("w: each backward() adds to gradients that a step has already used")
    expect(card.get_by_role("button", name="Apply and run")).to_have_count(0)
    strip.get_by_role("slider", name="Iteration of the training").focus()
    page.press("End")
    expect(strip).to_contain_text("iteration 11 of 0 … 11")
    page.press("Home")
    page.press("Space")
    expect(page.page.get_by_role("button", name="Pause")).to_be_visible()
    assert [request for request in page.requests if "/v1/" in request] == []


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", "{", "is not JSON"),
        ("a.json", '{"nbformat": 4, "cells": []}', "not a run document"),
        ("a.html", "<p>hello</p>", "holds no run"),
        ("a.json", json.dumps({**document(), "tensors": [{"id": "t0"}]}), "cannot be shown"),
    ],
)
def test_what_is_no_run_is_refused_and_nothing_is_lost(visit: Open, name: str, text: str, said: str) -> None:
    page = visit()
    before = page.page.locator("#story .say").first.inner_text()
    page.page.evaluate(DROP, [name, text])
    expect(page.page.locator("#toasts")).to_contain_text(said)
    assert page.page.locator("#story .say").first.inner_text() == before


def test_markup_in_a_run_is_text(visit: Open) -> None:
    page = visit()
    run = document()
    hostile = f"<img src=x onerror='{INERT}'><script>{INERT}</script>"
    run["tensors"][0]["name"] = hostile
    run["stdout"] += hostile
    for event in run["events"]:
        if event["kind"] == "print":
            event["text"] = hostile
    for node in run["nodes"]:
        node["says"] = hostile
        node["formula"] = {
            "self": {"text": hostile, "latex": r"\href{javascript:" + INERT + r"}{x} \includegraphics{x}"}
        }
    page.page.evaluate(DROP, ["run.json", json.dumps(run)])
    expect(page.page.locator("#origin")).to_be_visible()
    for _ in range(12):
        page.press("ArrowRight")
    page.press("End")
    assert page.page.evaluate("window.harmed") is None
    strange = page.page.locator("main :is(img:not(.cm-widgetBuffer), script, a)")
    assert strange.evaluate_all("found => found.map(element => element.outerHTML)") == []
