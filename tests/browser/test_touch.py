"""On a tablet and a phone: one finger drags numbers and moves the picture, two zoom it, a tap selects."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.test_present import centre, scale, touch
from tests.browser.visit import Visit, rest

pytestmark = pytest.mark.slow

SIZES = {"tablet": (1024, 768), "phone": (390, 844)}


@pytest.fixture(params=SIZES)
def held(request: pytest.FixtureRequest, browser: Browser, url: str) -> Iterator[Visit]:
    """A page under fingers: there is no keyboard and no pointer."""
    width, height = SIZES[request.param]
    context = browser.new_context(has_touch=True, is_mobile=True, viewport={"width": width, "height": height})
    context.set_default_timeout(15_000)
    page = Visit(context.new_page(), url)
    yield page
    context.close()
    assert page.complaints == []


def opened(held: Visit) -> Locator:
    """A lesson; what moves with its graph."""
    held.page.goto(f"{held.url}/l/seed4_graph/9")
    held.page.wait_for_selector("#story .say")
    held.page.wait_for_selector(".cm-editor")
    expect(held.page.locator("#story-step")).to_have_text(re.compile("Step 2 of 7"))
    held.page.wait_for_selector("#lesson .caption[aria-current]")
    rest(held.page)
    held.page.locator("#graph").scroll_into_view_if_needed()
    return held.page.locator(".stage-room .world")


def test_one_finger_moves_the_picture_and_two_zoom_it(held: Visit) -> None:
    world = opened(held)
    x, y = centre(held.page.locator(".stage-room"))
    y += 20
    before = str(world.get_attribute("transform"))
    touch(held, [(x, y)], [(x - 20, y - 10)], [(x - 60, y - 30)])
    expect(world).not_to_have_attribute("transform", before)
    moved = str(world.get_attribute("transform"))
    assert scale(moved) == scale(before)
    touch(held, [(x - 20, y), (x + 20, y)], [(x - 40, y), (x + 40, y)], [(x - 60, y), (x + 60, y)])
    expect(world).not_to_have_attribute("transform", moved)
    assert scale(str(world.get_attribute("transform"))) > 1.5 * scale(moved)
    assert held.page.evaluate("visualViewport.scale") == 1, "the picture, and not the page"
    held.page.locator("#fit").tap()
    expect(world).not_to_have_attribute("transform", moved)


def test_a_pinch_may_begin_where_more_is_told(held: Visit) -> None:
    world = opened(held)
    room = held.page.locator(".stage-room")
    x, y = centre(room)
    touch(held, [(x, y), (x + 40, y)], [(x - 60, y), (x + 100, y)], [(x - 140, y), (x + 180, y)])
    touch(held, [(x, y)], [(x, y - 60)], [(x, y - 140)])
    more = held.page.locator(".stage-more")
    expect(more).to_be_visible()
    box = more.bounding_box()
    assert box and box["y"] < (room.bounding_box() or box)["y"] + 40, "on top of the picture"
    x, y = centre(more)
    before = str(world.get_attribute("transform"))
    touch(held, [(x, y), (x, y + 60)], [(x, y), (x, y + 50)], [(x, y), (x, y + 30)])
    assert scale(str(world.get_attribute("transform"))) < 0.8 * scale(before)
    assert held.page.evaluate("visualViewport.scale") == 1, "the picture, and not the page"


def test_a_tap_selects_and_steps_nowhere(held: Visit) -> None:
    opened(held)
    step = held.title
    held.page.locator(".stage-room .items").get_by_text("20", exact=True).first.tap()
    expect(held.page.locator("#ledger .tensor-card")).to_be_visible()
    assert held.title == step
    held.page.locator("#timeline").get_by_role("button", name="Next").tap()
    expect(held.page.locator("#story-step")).not_to_have_text(step)


def test_a_number_on_the_shelf_is_dragged(held: Visit) -> None:
    opened(held)
    number = held.page.locator(".stage-shelf .item.card").first.get_by_text("2", exact=True)
    number.scroll_into_view_if_needed()
    x, y = centre(number)
    top = held.page.evaluate("scrollY")
    with held.page.expect_response(lambda r: r.url.endswith("/v1/runs")) as answer:
        touch(held, [(x, y)], [(x + 20, y)], [(x + 60, y)])
    assert "torch.tensor(2.0" not in str(answer.value.request.post_data)
    assert held.page.evaluate("scrollY") == top, "the page stays"


def test_a_phone_scrolls_where_the_finger_is_on_the_words(held: Visit) -> None:
    opened(held)
    if held.page.viewport_size and held.page.viewport_size["width"] > 560:
        assert held.page.evaluate("document.documentElement.scrollHeight <= innerHeight + 1")
        return
    x, y = centre(held.page.locator("#lesson"))
    before = held.page.evaluate("scrollY")
    touch(held, [(x, y)], [(x, y - 60)], [(x, y - 160)], [(x, y - 240)])
    held.page.wait_for_function("(before) => scrollY > before + 50", arg=before)
