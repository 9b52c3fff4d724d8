"""Stepping, playing and scrubbing: what moves, and what must not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Open

PROGRAMS = Path(__file__).parents[2] / "app" / "examples" / "programs"
FITTING = ("seed4_graph", "accumulation", "seed1_jdhao_weights", "detach_cut", "seed3_retain_grad")

# Is anything of the drawing outside the pane?
OUT_OF_SIGHT = """() => {
    const pane = document.querySelector("#stage").getBoundingClientRect();
    return [...document.querySelectorAll("#stage .items .item:not(:empty)")].some((item) => {
        const box = item.getBoundingClientRect();
        return box.left < pane.left || box.right > pane.right || box.top < pane.top || box.bottom > pane.bottom;
    });
}"""


def camera(page: Page) -> str:
    return page.locator(".stage-svg .world").get_attribute("transform") or ""


@pytest.mark.parametrize("example", FITTING)
def test_the_camera_rests_while_one_steps_through_what_fits(visit: Open, example: str) -> None:
    page = visit()
    page.program((PROGRAMS / f"{example}.py").read_text("utf-8"))
    assert not page.page.evaluate(OUT_OF_SIGHT), "the example does not fit: choose another one"
    page.press("Home")
    before = camera(page.page)
    for stop in range(1, page.last() + 1):
        page.press("ArrowRight")
        assert camera(page.page) == before, f"the camera moved at stop {stop}"


def test_all_panes_stand_at_one_step_once_scrubbing_ends(visit: Open) -> None:
    page = visit()
    page.program((PROGRAMS / "training_loop.py").read_text("utf-8"))
    track = page.page.locator("[role=slider].track")
    box = track.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.page.mouse.move(box["x"] + 20, y)
    page.page.mouse.down()
    for part in (0.3, 0.9, 0.5, 0.62):
        page.page.mouse.move(box["x"] + part * box["width"], y)
    page.page.mouse.up()
    where = page.page.locator(".where").inner_text().lower()
    number = re.match(r"step (\d+) of", where)
    assert number and page.title.startswith(number[0]), (where, page.title)
