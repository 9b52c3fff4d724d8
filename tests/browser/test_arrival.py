"""The first ten seconds: what the page is, how to begin, and one play by itself."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.visit import PASTE, Visit, violations

DOUBLED = "import torch\nw = torch.tensor(3.0, requires_grad=True)\n(w * 2).backward()\n"
PASTE_ANYWHERE = PASTE.replace('document.querySelector(".cm-content")', "document.activeElement")
SOMEBODY = "Object.defineProperty(Navigator.prototype, 'webdriver', {get: () => false})"
NO_PAUSE = """() => {
    const later = window.setTimeout;
    window.setTimeout = (act, ms = 0) => (ms < 100 ? later(act, ms) : 0);  // nothing waits for a reader who pauses
}"""
DROP = """code => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([code], "mine.py"));
    document.body.dispatchEvent(new DragEvent("drop", {dataTransfer, bubbles: true, cancelable: true}));
}"""
RISE = """async () => {
    const base = performance.getEntriesByType("resource").find(({name}) => name.endsWith("/js/main.js")).name;
    const { Camera } = await import(new URL("stage/camera.js", base));
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const quiet = { moved: () => {}, wake: () => {}, gestured: () => {}, free: () => true, covers: () => [] };
    const camera = new Camera(svg, { ...quiet, still: () => false });
    camera.size = { width: 700, height: 400 };
    camera.bounds = { x: 0, y: 0, w: 600, h: 700 };
    camera.begin(undefined);
    const { x, y, k } = camera.view;
    const flies = camera.resize({ width: 700, height: 520 }, 120);
    const first = camera.view;
    camera.tick(1);
    camera.tick(10_000);
    const fresh = new Camera(svg, { ...quiet, still: () => true });
    Object.assign(fresh, { size: { width: 700, height: 520 }, bounds: camera.bounds });
    fresh.begin(undefined);
    return { flies, moved: [first.x - x, first.y - y, first.k - k], ends: camera.view, fits: fresh.view };
}"""


@pytest.mark.parametrize(("width", "height", "scheme"), [(1440, 900, "light"), (1024, 768, "dark"), (390, 800, "dark")])
def test_a_newcomer_sees_what_the_page_is_and_how_to_begin(visit: Open, width: int, height: int, scheme: str) -> None:
    page = visit(width=width, height=height, scheme=scheme).page
    title = page.get_by_role("heading", name="Paste PyTorch. Watch backward() run.")
    expect(title).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Paste your own code here")).to_be_in_viewport(ratio=1)
    questions = page.get_by_role("navigation", name="Questions to begin with").get_by_role("link")
    expect(questions).to_have_count(6)
    tall = title.bounding_box()
    assert tall and tall["height"] < 50, "the headline is one line"
    assert len({round(box["y"]) for each in questions.all() if (box := each.bounding_box())}) == 1
    expect(page.locator(".stage-shelf .item.card").first).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    assert violations(page) == []


def test_a_link_is_followed_without_a_word_for_newcomers(visit: Open) -> None:
    page = visit("/#t=3").page
    expect(page.locator("#arrival")).to_be_hidden()
    expect(page.locator("#paste")).to_be_hidden()


def test_a_question_opens_its_lesson_where_one_is(visit: Open) -> None:
    page = visit()
    page.page.get_by_role("link", name="What is a leaf?").click()
    expect(page.page.locator(".lesson h2")).to_have_text("What is a leaf, and why is b.grad None?")
    expect(page.page).to_have_url(re.compile("/l/seed2_is_leaf$"))
    expect(page.page.locator("#arrival")).to_be_hidden()
    assert not [url for url in page.requests if "/l/" in url], "it did not load another page"


def test_all_questions_are_in_the_gallery(visit: Open) -> None:
    page = visit().page
    page.get_by_role("link", name=re.compile(r"^All \d+")).click()
    expect(page.locator("#gallery")).to_be_visible()
    expect(page.locator("#arrival")).to_be_visible()


@pytest.mark.parametrize("bring", [PASTE_ANYWHERE, DROP])
def test_a_program_can_be_pasted_or_dropped_anywhere(visit: Open, bring: str) -> None:
    page = visit().page
    page.locator(".track").focus()
    page.evaluate(bring, DOUBLED)
    expect(page.locator(".cm-content")).to_contain_text("w = torch.tensor(3.0")
    expect(page.locator("#output")).to_be_visible()
    expect(page.locator("#arrival")).to_be_hidden()
    expect(page).to_have_url(re.compile("#v1:"))


def test_a_program_that_is_pasted_into_the_editor_runs_at_once(visit: Open) -> None:
    page = visit()
    page.page.locator(".cm-content").click()
    page.press("ControlOrMeta+a")
    page.page.evaluate(NO_PAUSE)
    with page.page.expect_request("**/v1/runs"):
        page.page.evaluate(PASTE, DOUBLED)
    expect(page.page.locator("#arrival")).to_be_hidden()


def test_what_is_pasted_into_a_field_stays_there(visit: Open) -> None:
    page = visit().page
    page.locator("#search-open").click()
    page.evaluate(PASTE_ANYWHERE, DOUBLED)
    expect(page.locator(".cm-content")).to_contain_text("e.backward()")
    expect(page.locator("#arrival")).to_be_visible()


def test_the_place_for_own_code_makes_ready_for_it_where_the_clipboard_cannot_be_read(visit: Open) -> None:
    page = visit()
    page.page.locator("#paste").click()
    expect(page.page.locator("#toasts")).to_contain_text("Paste it now")
    assert page.page.evaluate("() => document.activeElement.classList.contains('cm-content')")
    page.page.evaluate(PASTE, DOUBLED)
    expect(page.page.locator(".cm-content")).to_have_text(re.compile("^import torchw = torch"))


@pytest.mark.parametrize("key", ["ArrowRight", "Space"])
def test_the_words_go_when_one_steps_or_plays(visit: Open, key: str) -> None:
    page = visit()
    page.page.locator("#graph").focus()
    page.press(key)
    expect(page.page.locator("#arrival")).to_be_hidden()


def test_the_picture_grows_from_where_it_stands_when_the_words_go(visit: Open) -> None:
    rise = visit().page.evaluate(RISE)
    assert rise["flies"] and rise["moved"] == [0, 120, 0]
    assert rise["ends"] == pytest.approx(rise["fits"])


# --- one play by itself


def somebody(visit: Open) -> Visit:
    """A reader whom no driver sits in for, in a tab that has seen nothing."""
    visit(None)
    page = visit(None, motion="no-preference")
    page.page.add_init_script(SOMEBODY)
    return page.go()


def test_the_first_example_plays_by_itself_once(visit: Open) -> None:
    page = somebody(visit)
    note = page.page.locator(".plays-alone")
    expect(note).to_have_text("This is playing by itself, once. Press any key or → to take over.")
    expect(page.page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.page.locator("#arrival")).to_be_visible()
    page.press("Shift")
    expect(note).to_have_count(0)
    expect(page.page.get_by_role("button", name="Play (space)")).to_be_visible()
    page.go()
    expect(page.page.get_by_role("button", name="Play (space)")).to_be_visible()
    expect(note).to_have_count(0)


@pytest.mark.parametrize("act", ["Space", "ArrowRight", "click", "pause", "wheel"])
def test_whatever_one_does_takes_over(visit: Open, act: str) -> None:
    page = somebody(visit)
    note = page.page.locator(".plays-alone")
    expect(note).to_be_visible()
    if act == "click":
        page.page.locator("#output").click()
    elif act == "pause":
        page.page.get_by_role("button", name="Pause").click()
    elif act == "wheel":
        page.page.mouse.move(700, 500)
        page.page.mouse.wheel(0, 10)
    else:
        page.press(act)
    expect(note).to_have_count(0)
    expect(page.page.get_by_role("button", name="Play (space)")).to_be_visible()


def test_nothing_plays_by_itself_where_less_motion_is_wanted_or_a_driver_sits(visit: Open) -> None:
    visit(None)
    still = visit(None)
    still.page.add_init_script(SOMEBODY)
    still.go()
    driven = visit(motion="no-preference")
    for page in (still, driven):
        page.page.locator("#help").click()  # so much later
        page.page.wait_for_selector("#help-dialog[open]")
        expect(page.page.locator(".plays-alone")).to_have_count(0)
        expect(page.page.get_by_role("button", name="Play (space)")).to_be_visible()
