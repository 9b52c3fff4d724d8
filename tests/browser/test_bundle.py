"""The page as an image has it: its modules and style sheets in two files, made from the same sources."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open, running
from tests.browser.test_open import DROP
from tests.browser.visit import violations
from tests.image import make_image

pytestmark = pytest.mark.slow

REQUESTS = 15
LARGE = "import torch\nx = torch.tensor(1.0, requires_grad=True)\ny = x\n" + "y = y * x + 1\n" * 100 + "y.backward()\n"


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service with the folders of an image."""
    folder = tmp_path_factory.mktemp("image")
    make_image(folder)
    with running(folder, folder / "log") as address:
        yield address


def test_a_first_visit_takes_few_requests(visit: Open, bundled: str) -> None:
    page = visit(address=bundled)
    page.page.wait_for_selector(".cm-editor")
    page.open_details()
    page.page.wait_for_selector(".katex", state="attached")
    page.page.wait_for_load_state("networkidle")
    loaded = [url.removeprefix(bundled) for url in page.requests if url.startswith(bundled)]
    assert len(loaded) <= REQUESTS, loaded
    assert not any("/js/" in path for path in loaded if "theme-early" not in path), loaded


def test_what_is_loaded_later_is_found(visit: Open, bundled: str) -> None:
    """Formulas, the editor, the gallery, a large graph's layout, links, the file that plays offline, opened runs."""
    page = visit(address=bundled)
    assert page.title == visit().title
    with page.page.expect_worker() as worker:
        document = page.program(LARGE)
    assert worker.value.url.endswith("/bundle/layout/layout.worker.js")
    page.page.locator("#share").click()
    assert page.page.get_by_label("Link to this program and step").input_value().startswith(bundled)
    page.press("Escape")
    page.page.locator("#export-menu button").first.click()
    with page.page.expect_download() as download:
        page.page.locator(".menu-item", has_text="Web page").click()
    whole = Path(download.value.path()).read_text("utf-8")
    assert document["id"] in whole
    page.example("basics_bce")
    page.page.evaluate(DROP, ["run.html", whole])
    expect(page.page.locator("#origin")).to_be_visible()
    assert violations(page.page) == []
