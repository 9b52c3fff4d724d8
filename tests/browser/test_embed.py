"""The page in frames of other sites."""

from __future__ import annotations

import html
import http.server
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from tests.browser.conftest import Open
from tests.browser.visit import rest, violations

PROGRAM = "import torch\nx = torch.tensor(3.0, requires_grad=True)\ny = x ** 3\ny.backward()\n"
STORED = """() => {
    try {
        return localStorage.length + sessionStorage.length + document.cookie.length;
    } catch (error) {
        return error.name;
    }
}"""
Foreign = Callable[..., str]


@pytest.fixture
def foreign() -> Iterator[Foreign]:
    """The address of a page of another site, with frames of these addresses and widths between long paragraphs."""
    pages: dict[str, bytes] = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = pages.get(self.path, b"")
            self.send_response(200 if found else 204)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(found)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()

    def make(*frames: tuple[str, int], height: int = 480, sandbox: str | None = None) -> str:
        rights = "" if sandbox is None else f' sandbox="{sandbox}"'
        shown = "".join(
            f'<iframe src="{html.escape(address)}" width={width} height={height} title="{i}"{rights}></iframe><p>…</p>'
            for i, (address, width) in enumerate(frames)
        )
        head = "<!doctype html><html lang=en><title>A tutorial</title><meta name=color-scheme content='light dark'>"
        style = "<style>iframe { display: block; border: 0 } div { height: 2000px }</style>"
        path = f"/{len(pages)}"
        pages[path] = f"{head}{style}<main><h1>A tutorial</h1>{shown}<div></div></main>".encode()
        return f"http://localhost:{server.server_port}{path}"

    yield make
    server.shutdown()
    server.server_close()
    thread.join(10)


def frames(page: Page) -> list[Frame]:
    """Those of a page, when they have their pictures."""
    found = [frame for frame in page.frames if frame.parent_frame == page.main_frame]
    for frame in found:
        frame.wait_for_selector("#story .say")
    return found


def top(frame: Frame) -> float:
    """Where the first item of a picture is in its frame."""
    return float(frame.evaluate("() => document.querySelector('.stage-svg .item').getBoundingClientRect().top"))


def test_another_site_shows_a_step_and_keeps_its_wheel(visit: Open, foreign: Foreign) -> None:
    made = visit(None, width=1000, height=700)
    page = made.page
    page.goto(foreign((f"{made.url}/embed/l/seed4_graph/3", 640)))
    (frame,) = frames(page)
    for gone in (".bar", "#program", "#ledger", "#details", "#rule", "#names", "#search-open", "#lesson"):
        expect(frame.locator(gone)).to_be_hidden()
    for there in (".stage-svg", "#story", ".timeline", "#open-whole"):
        expect(frame.locator(there)).to_be_visible()
    assert page.evaluate("[document.activeElement.tagName, scrollY]") == ["BODY", 0]

    before = top(frame)
    page.mouse.move(100, 200)
    page.mouse.wheel(0, 100)
    page.wait_for_function("scrollY === 100")
    assert top(frame) == before
    page.evaluate("scrollTo(0, 0)")
    page.mouse.click(30, 150)
    page.mouse.wheel(0, 100)
    frame.wait_for_function(
        f"() => document.querySelector('.stage-svg .item').getBoundingClientRect().top !== {before}"
    )
    assert page.evaluate("scrollY") == 0

    page.keyboard.press("ArrowRight")
    expect(frame.locator("#story")).to_contain_text("c = a + b")
    page.keyboard.press("d")
    expect(frame.locator("#ledger")).to_be_hidden()
    expect(frame.locator("#open-whole")).to_have_attribute("href", re.compile(r"^/l/seed4_graph/4$"))
    with page.expect_popup() as opened:
        frame.locator("#open-whole").click()
    expect(opened.value.locator("#story")).to_contain_text("c = a + b")
    expect(opened.value.locator(".bar")).to_be_visible()
    opened.value.close()
    assert frame.evaluate(STORED) == "SecurityError"  # the browser of the tests denies storage to frames of other sites


def test_a_frame_without_an_origin_plays_what_it_need_not_send(visit: Open, foreign: Foreign) -> None:
    made = visit(None, width=1000, height=700)
    page = made.page
    sent = httpx.post(f"{made.url}/v1/runs", json={"code": PROGRAM}).json()["id"]
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for path, says in (("/embed/l/seed4_graph/3", "b is 3"), (f"/embed/r/{sent}", "y")):
        page.goto(foreign((made.url + path, 640), sandbox="allow-scripts"))
        (frame,) = frames(page)
        expect(frame.locator("#story")).to_contain_text(says)
        assert frame.evaluate("origin") == "null"
        assert frame.evaluate("document.querySelector('#open-whole img').naturalWidth") > 0
        frame.get_by_role("button", name="Next step").click()
        expect(frame.locator("#story")).not_to_contain_text("b is 3")
    assert not complaints
    page.goto(foreign((f"{made.url}/embed#p=1", 640), sandbox="allow-scripts"))
    (frame,) = [frame for frame in page.frames if frame.parent_frame == page.main_frame]
    expect(frame.get_by_role("alert")).to_contain_text("its sandbox needs allow-same-origin")


def test_a_finger_scrolls_the_page_around_it_until_it_has_tapped(url: str, browser: Browser, foreign: Foreign) -> None:
    context: Any = browser.new_context(viewport={"width": 400, "height": 700}, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    page.goto(foreign((f"{url}/embed", 360)))
    (frame,) = frames(page)
    session = context.new_cdp_session(page)

    def swipe() -> None:
        """Up over the picture."""
        for kind, heights in (("touchStart", [150]), ("touchMove", [120]), ("touchMove", [60]), ("touchEnd", [])):
            points = [{"x": 60, "y": y} for y in heights]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    before = top(frame)
    swipe()
    page.wait_for_function("scrollY > 40")
    assert top(frame) == before
    rest(page)  # a tap while it still glides would only stop it
    page.evaluate("scrollTo(0, 0)")
    rest(page)
    page.touchscreen.tap(60, 200)
    frame.wait_for_selector("html[data-entered]", state="attached", timeout=5000)
    rest(frame)  # what a finger may do where is handed over with the next frame
    rest(page)
    assert page.evaluate("scrollY") == 0
    swipe()
    frame.wait_for_function(f"() => document.querySelector('.stage-svg .item').getBoundingClientRect().top < {before}")
    assert page.evaluate("scrollY") == 0
    context.close()


def test_frames_of_every_width_fit_and_follow_the_scheme(visit: Open, foreign: Foreign) -> None:
    widths = [320, 640, 900]
    made = visit(None, width=1000, height=900, scheme="dark")
    made.page.goto(foreign(*((f"{made.url}/embed/l/basics_bce", width) for width in widths)))
    for frame, width in zip(frames(made.page), widths, strict=True):
        assert frame.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
            width,
            480,
        ]
        assert frame.evaluate("document.documentElement.dataset.theme") == "dark"
        sizes = frame.evaluate(
            "() => Object.fromEntries(['#graph', '#story', '#timeline', '#open-whole', '.transport'].map((name) =>"
            " [name, document.querySelector(name).getBoundingClientRect().toJSON()]))"
        )
        assert frame.locator(".stage-key").is_visible() == (width > 400)  # the picture has the room
        assert sizes["#graph"]["height"] >= 220 and sizes["#timeline"]["bottom"] <= 480
        link, player = sizes["#open-whole"], sizes[".transport"]
        apart = link["left"] >= player["right"] or link["bottom"] <= player["top"]
        buttons = frame.evaluate(
            "Math.max(...[...document.querySelectorAll('.transport > *')].map((e) => e.getBoundingClientRect().right))"
        )
        assert apart or link["left"] >= buttons
    made.page.emulate_media(color_scheme="light")
    expect(made.page.frame_locator("iframe >> nth=0").locator("html")).to_have_attribute("data-theme", "light")
    assert violations(made.page) == []


def test_the_html_that_is_copied_shows_the_program_and_keeps_nothing(visit: Open, foreign: Foreign) -> None:
    made = visit()
    made.program(PROGRAM)
    made.page.locator("#share").click()
    snippet = made.page.get_by_label("HTML of a frame with this step", exact=True).input_value()
    made.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    made.page.get_by_role("button", name="Copy HTML").click()
    expect(made.page.locator("#toasts")).to_have_text("HTML copied")
    assert made.page.evaluate("navigator.clipboard.readText()") == snippet
    (address,) = re.findall(r'^<iframe src="([^"]*)" title="[^"]*" width="720" height="480"', snippet)
    assert address.startswith(f"{made.url}/embed#v1:")

    other = visit(None)
    other.page.goto(foreign((html.unescape(address), 640)))
    (frame,) = frames(other.page)
    expect(frame.locator("#story")).to_contain_text("y")
    frame.locator("[aria-label^='Next']").click()
    expect(frame.locator("#open-whole")).to_have_attribute("href", re.compile("^/#v1:"))
    other.page.goto(html.unescape(address))
    other.page.wait_for_selector("#story .say")
    assert other.page.evaluate(STORED) == 0


def test_a_run_that_is_gone_and_a_damaged_program_are_told_of(visit: Open, url: str, browser: Browser) -> None:
    page = browser.new_page()
    for path, said in (("/embed/r/aaaaaaaaaaaaaaaaaaaaaaaaaa", "run"), ("/embed#v1:AAAA", "damaged")):
        page.goto("about:blank")
        page.goto(url + path)
        expect(page.get_by_role("alert")).to_contain_text(said)
        expect(page.get_by_role("button", name="Try again")).to_be_visible()
        expect(page.locator("#open-whole")).to_be_visible()
    page.close()


def test_without_script_there_is_the_picture_of_the_step(url: str, browser: Browser) -> None:
    context: Any = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{url}/embed/l/seed4_graph/9")
    picture = page.locator("noscript img, .still img")
    expect(picture).to_be_visible()
    assert picture.evaluate("(image) => image.src").endswith("/preview/l/seed4_graph/9.png")
    expect(page.locator(".still")).to_have_attribute("href", re.compile(r"/l/seed4_graph/9$"))
    context.close()
