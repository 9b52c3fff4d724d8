"""Shown to a room: the picture, its sentence and a line, by keys or by touch."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import Open
from tests.browser.visit import Visit, rest, violations

CHROME = [".bar", ".program-pane", ".timeline-pane", ".graph-tools", "#names"]
# As they are seen: text of the picture is zoomed by the camera, and by the page.
SIZES = """() => [...document.querySelectorAll('.stage-room text, .stage-shelf text, #story .say, .presented p *')]
    .filter((e) => e.textContent.trim() && e.checkVisibility({visibilityProperty: true}))
    .map((e) => {
        const size = parseFloat(getComputedStyle(e).fontSize);
        return [e.textContent.slice(0, 20), e.getScreenCTM ? size * e.getScreenCTM().a : size];
    })"""


def test_a_lesson_is_presented_and_keys_step_it(visit: Open) -> None:
    page = visit(None, width=1440, height=900)
    page.page.goto(f"{page.url}/l/seed4_graph/9?present")
    shown = page.page.locator(".presented")
    expect(page.page.locator("#story .say")).to_contain_text("MulBackward0 received 1")
    expect(page.page.locator(".say")).to_have_count(1)
    expect(page.page.locator("#lesson h2")).to_be_visible()
    expect(page.page.locator("#lesson > .button")).to_be_hidden()
    expect(shown).to_contain_text("e = c * d")
    for part in CHROME:
        expect(page.page.locator(part)).to_be_hidden()
    sizes = page.page.evaluate(SIZES)
    assert len(sizes) > 20 and min(size for _, size in sizes) >= 18, sorted(sizes, key=lambda row: row[1])[:5]
    assert violations(page.page) == []
    page.press("ArrowRight")
    expect(shown).to_contain_text("step 3 of 7")
    expect(page.page).to_have_url(re.compile(r"/l/seed4_graph/\d+\?present(#|$)"))
    page.press("Escape")
    expect(shown).to_be_hidden()
    expect(page.page.locator(".bar")).to_be_visible()
    expect(page.page).to_have_url(re.compile(r"/l/seed4_graph/\d+(#|$)"))


def test_a_program_of_ones_own_is_presented_at_its_address(visit: Open) -> None:
    page = visit()
    page.program("import torch\nw = torch.tensor(7.0, requires_grad=True)\n(w * 2).backward()\n")
    page.page.locator(".track").focus()
    page.press("p")
    expect(page.page.locator("#story")).to_contain_text("backward pass #1")
    expect(page.page).to_have_url(re.compile(r"/\?present#v1:"))
    other = visit(None)
    other.page.goto(page.page.url)
    expect(other.page.locator(".presented code")).to_have_text("3(w * 2).backward()")
    expect(other.page.locator(".bar")).to_be_hidden()


CUT = """() => {
    const box = (element) => element.getBoundingClientRect();
    const view = box(document.querySelector(".stage-svg"));
    const shelf = document.querySelector(".stage-shelf");
    const foot = shelf.hidden ? view.bottom : box(shelf).top;
    const out = ({left, right, top, bottom}) =>
        left < view.left - 2 || right > view.right + 2 || top < view.top - 2 || bottom > foot + 2;
    return [...document.querySelectorAll(".stage-svg .items > .item:not(:empty)")]
        .filter((each) => out(box(each))).map((each) => each.textContent);
}"""


@pytest.mark.parametrize(
    ("lesson", "least"), [("blitz_lenet_graph", 14), ("training_loop", 14), ("extra_attention", 12.5)]
)
def test_a_drawing_that_lacks_room_is_presented_whole_all_the_same(visit: Open, lesson: str, least: float) -> None:
    page = visit(None, width=1024, height=768)
    page.page.goto(f"{page.url}/l/{lesson}?present")
    expect(page.page.locator("#story .say")).to_be_visible()
    for _ in range(8):
        page.press("ArrowRight")
    page.page.wait_for_function(f"() => ({CUT})().length === 0")
    assert min(size for _, size in page.page.evaluate(SIZES)) >= least


@pytest.mark.parametrize("width", [1440, 1024])
def test_a_long_line_takes_two_and_the_picture_keeps_its_room(visit: Open, width: int) -> None:
    page = visit(None, width=width, height=768)
    page.page.goto(f"{page.url}/l/seed3_one_pixel/0?present")
    line, room = page.page.locator(".presented-line"), page.page.locator(".stage-room")
    long = line.filter(has_text="bias=False))")
    expect(page.page.locator("#story .say")).to_be_visible()
    for _ in range(12):
        page.press("ArrowRight")
        rest(page.page, ".presented-line span")
        if long.count():
            break
    box = long.locator("code").bounding_box()
    where = long.locator("span").bounding_box()
    assert box and where and box["x"] >= 0 and box["x"] + box["width"] <= where["x"]
    assert where["x"] + where["width"] <= width
    assert page.page.evaluate("() => document.querySelector('.presented').scrollWidth") <= width
    tall = page.page.locator(".presented").bounding_box()
    page.press("End")
    after = page.page.locator(".presented").bounding_box()
    assert tall and after and abs(after["height"] - tall["height"]) <= 1
    assert room.is_visible()


@pytest.fixture
def touched(browser: Browser, url: str) -> Iterator[Visit]:
    """A tablet: it has no keyboard and no pointer."""
    context = browser.new_context(has_touch=True, is_mobile=True, viewport={"width": 1024, "height": 768})
    context.set_default_timeout(15_000)
    page = Visit(context.new_page(), url)
    yield page
    context.close()
    assert page.complaints == []


def centre(element: Locator) -> tuple[float, float]:
    box = element.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def touch(page: Visit, *moves: list[tuple[float, float]]) -> None:
    """Fingers that go down at the first places, move through the others, and are lifted."""
    session = page.page.context.new_cdp_session(page.page)
    for i, fingers in enumerate(moves):
        points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(fingers)]
        kind = "touchMove" if i else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def test_taps_step_two_fingers_zoom_and_one_pans(touched: Visit) -> None:
    page = touched.page
    page.goto(f"{touched.url}/l/seed4_graph/9?present")
    shown = page.locator(".presented")
    expect(shown).to_contain_text("step 2 of 7")
    page.touchscreen.tap(700, 60)
    expect(shown).to_contain_text("step 3 of 7")
    page.touchscreen.tap(60, 60)
    expect(shown).to_contain_text("step 2 of 7")
    world = page.locator(".stage-room .world, .stage-room svg g[transform]").first
    before = world.get_attribute("transform")
    touch(touched, [(700, 200)], [(650, 180)], [(600, 160)])
    expect(world).not_to_have_attribute("transform", str(before))
    panned = str(world.get_attribute("transform"))
    assert scale(panned) == scale(str(before)), "one finger pans"
    touch(touched, [(450, 200), (550, 200)], [(400, 200), (600, 200)], [(350, 200), (650, 200)])
    expect(world).not_to_have_attribute("transform", panned)
    assert scale(str(world.get_attribute("transform"))) > 1.5 * scale(panned), "two fingers zoom"
    expect(shown).to_contain_text("step 2 of 7")
    page.get_by_role("button", name="Leave the presentation").tap()
    expect(page.locator(".bar")).to_be_visible()


def scale(transform: str) -> float:
    found = re.search(r"scale\(([\d.]+)\)", transform)
    assert found, transform
    return float(found[1])


def test_a_number_is_dragged_by_a_finger(touched: Visit) -> None:
    page = touched.page
    page.goto(f"{touched.url}/l/seed4_graph?present")
    expect(page.locator(".presented")).to_contain_text("step 5 of 5")
    page.wait_for_selector(".cm-editor", state="attached")
    number = page.locator(".stage-shelf .item.card").first.get_by_text("2", exact=True)
    x, y = centre(number)
    with page.expect_response(lambda r: r.url.endswith("/v1/runs")) as answer:
        touch(touched, [(x, y)], [(x + 20, y)], [(x + 60, y)])
    assert "torch.tensor(2.0" not in str(answer.value.request.post_data_json["code"])
    expect(number).to_have_count(0)
    expect(page.locator(".presented")).to_contain_text("step 5 of 5")


def test_what_is_to_come_is_in_sight_where_it_can_be(visit: Open) -> None:
    """Before a pass all of the graph is, with the module around it, also when a sentence takes a line more."""
    page = visit(None, width=1024, height=768)
    page.page.goto(f"{page.url}/l/seed3_one_pixel?present")
    expect(page.page.locator(".presented")).to_contain_text("step")
    page.press("Home")
    page.press("ArrowRight")
    for step in (2, 3):
        page.press("ArrowRight")
        expect(page.page.locator(".presented")).to_contain_text(f"step {step} of 3")
        page.page.evaluate("async () => (await pageModule('page/page.js')).stage.painted()")
        room = page.page.locator(".stage-room").bounding_box()
        for text in ("depth", "Sequential"):
            box = page.page.locator(".stage-svg").get_by_text(text, exact=True).bounding_box()
            assert room and box and box["y"] >= room["y"], text
