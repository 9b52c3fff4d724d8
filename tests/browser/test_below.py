"""The page below a path of another site, where a reverse proxy has put it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.below import below
from tests.browser.conftest import PROJECT, Open, running
from tests.browser.visit import Visit
from tests.image import make_image

pytestmark = pytest.mark.slow

ROOT = "/user/l/backlight"  # `/l/backlight` would be a lesson's address
OWN = "import torch\nx = torch.tensor(3.0, requires_grad=True)\ny = x ** 3\ny.backward()\n"
OTHER = OWN.replace("** 3", "** 2")


@dataclass
class Site:
    """The address of the page, the paths beside it that were asked for, and the service behind the proxy."""

    address: str
    beside: list[str]

    @property
    def origin(self) -> str:
        return self.address.removesuffix(ROOT)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders of an image, whose page is one module."""
    folder = tmp_path_factory.mktemp("image")
    make_image(folder)
    return folder


@pytest.fixture(scope="module", params=["told nothing", "told by a setting", "told by the proxy", "an image"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A proxy that strips the path and says nothing, one that keeps it, and one that says what it has stripped."""
    log = tmp_path_factory.mktemp("service") / "log"
    settings: dict[str, str] = {}
    folder, strips, says = PROJECT, True, False
    if request.param == "told by a setting":
        settings, strips = {"BACKLIGHT_ROOT_PATH": ROOT}, False
    elif request.param == "told by the proxy":
        settings, says = {"BACKLIGHT_TRUSTED_PROXIES": "127.0.0.1"}, True
    elif request.param == "an image":
        folder = request.getfixturevalue("image")
    with (
        running(folder, log, **settings) as service,
        below(service, ROOT, strips=strips, says=says) as (address, beside),
    ):
        yield Site(address, beside)


def inside(page: Visit, site: Site) -> None:
    """Nothing beside the root was asked for, and no link leads there."""
    assert site.beside == []
    assert page.requests and [url for url in page.requests if not url.startswith((f"{site.address}/", "data:"))] == []
    links = page.page.evaluate(
        "() => [...document.querySelectorAll('a[href], link[href]:not([rel=canonical], [rel=alternate])')]"
        ".map(each => each.href)"
    )
    assert [link for link in links if not link.startswith((f"{site.address}/", "data:", "blob:"))] == []
    if page.page.locator(".brand").count():
        assert page.page.locator(".brand a").evaluate("each => each.href") == f"{site.address}/"
        mark = page.page.locator(".brand use").evaluate("each => new URL(each.href.baseVal, document.baseURI).href")
        icon = page.page.locator("link[rel=icon]").evaluate("each => each.href")
        assert mark.startswith(f"{site.address}/static/") and icon.startswith(f"{site.address}/static/")


def test_the_page_stays_below_the_root(visit: Open, site: Site) -> None:
    page = visit(address=site.address)
    page.press("ArrowRight")
    expect(page.page).to_have_url(re.compile(re.escape(f"{site.address}/#t=") + r"\d+"))
    page.page.locator("#arrival a", has_text="All ").dispatch_event("click")
    expect(page.page.locator(".gallery-card").first).to_be_visible()
    pictures = page.page.locator(".gallery-sketch use").evaluate_all("uses => uses.map(each => each.href.baseVal)")
    assert pictures and all(each.startswith(f"{site.address}/static/") for each in pictures)
    page.press("Escape")

    page.example("seed4_graph")
    expect(page.page).to_have_url(f"{site.address}/l/seed4_graph")
    page.press("ArrowRight")
    expect(page.page).to_have_url(re.compile(re.escape(f"{site.address}/l/seed4_graph/") + r"\d+"))
    inside(page, site)
    title = page.title
    page.page.reload()
    page.page.wait_for_selector("#story .say")
    page.page.wait_for_selector(".cm-editor")
    assert page.title == title
    inside(page, site)
    page.page.go_back()
    expect(page.page).to_have_url(re.compile(re.escape(f"{site.address}/") + r"(#.*)?"))
    page.page.wait_for_selector("#story .say")
    page.page.locator(".brand a").click()
    expect(page.page).to_have_url(re.compile(re.escape(f"{site.address}/") + r"(#.*)?"))
    page.page.wait_for_selector(".cm-editor")
    inside(page, site)


def test_a_question_of_the_first_page_opens_its_lesson(visit: Open, site: Site) -> None:
    page = visit(address=site.address)
    page.page.locator("#arrival a").first.click()
    expect(page.page).to_have_url(re.compile(re.escape(f"{site.address}/l/") + r"\w+"))
    expect(page.page.locator("#lesson")).to_be_visible()
    inside(page, site)


def test_a_shared_link_and_a_comparison_are_below_the_root(visit: Open, site: Site) -> None:
    page = visit("/l/seed4_graph/2", address=site.address)
    page.program(OWN)
    page.page.locator("#share").click()
    link = page.page.get_by_label("Link to this program and step").input_value()
    assert link.startswith(f"{site.address}/l/seed4_graph#v1:") or link.startswith(f"{site.address}/#v1:")
    assert page.page.locator(".kept a").get_attribute("href") == f"{ROOT}/docs#kept"
    page.page.get_by_label("Link to another run").fill(f"{site.address}/l/seed4_graph")
    with page.page.expect_popup() as popup:
        page.page.get_by_role("button", name="Compare").last.click()
    other = Visit(popup.value, site.address)
    other.page.wait_for_selector(".differences-said")
    for frame in ("#a", "#b"):
        other.page.frame_locator(frame).locator("#story .say").first.wait_for()
        assert (other.page.locator(frame).get_attribute("src") or "").startswith(f"{ROOT}/embed#v1:")
        assert other.page.frame_locator(frame).locator("html[data-embed][data-led]").count() == 1
    assert other.complaints == []
    inside(other, site)
    other.page.close()
    again = visit(None, address=site.address)
    again.page.goto(link)
    again.page.wait_for_selector(".cm-editor")
    expect(again.page.locator(".cm-content")).to_contain_text("y = x ** 3")
    inside(again, site)


@pytest.mark.parametrize("path", ["/l", "/l/none", "/docs", "/problems/busy"])
def test_pages_to_read_lead_to_others_of_the_service(visit: Open, site: Site, path: str) -> None:
    page = visit(None, address=site.address)
    answer = page.page.goto(site.address + path)
    assert answer is not None and answer.status == (404 if path == "/l/none" else 200)
    inside(page, site)
    if path == "/docs":
        assert page.page.locator("#origin").inner_text() == site.address
    page.complaints = [text for text in page.complaints if path != "/l/none" or "404" not in text]
    page.page.locator("main a").first.click()
    page.page.wait_for_selector("#story .say")
    assert page.page.url.split("#")[0] == f"{site.address}/"
