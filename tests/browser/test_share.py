"""The dialog says what the server keeps, and has it deleted."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.visit import violations

PROGRAM = "import torch\nx = torch.tensor(3.0, requires_grad=True)\n(x * x * x).backward()  # kept\n"


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (1440, "dark"), (390, "light")])
def test_a_run_is_deleted_where_it_was_made(visit: Open, width: int, scheme: str) -> None:
    page = visit(width=width, scheme=scheme)
    run = page.program(PROGRAM)["id"]
    page.page.locator("#share").click()
    dialog = page.page.locator("#share-dialog")
    expect(dialog).to_contain_text("Every run is kept: the program, its output and its document, until 64 MB of newer")
    expect(dialog).not_to_contain_text("Nothing is stored")
    assert not violations(page.page)
    address = f"{page.url}/v1/runs/{run}"
    assert page.page.request.get(address).status == 200
    dialog.get_by_role("button", name="Delete this run from the server").click()
    expect(dialog.get_by_role("status")).to_contain_text("The run is deleted from the server.")
    assert page.page.request.get(address).status == 404
    assert not violations(page.page)
    page.press("Escape")
    page.page.locator("#share").click()
    expect(dialog).to_contain_text("Only the tab that has run it can delete it.")


def test_a_link_to_a_deleted_run_says_that_it_is_not_kept(visit: Open) -> None:
    page = visit()
    run = page.program(PROGRAM)["id"]
    other = visit(f"/r/{run}")
    other.page.locator("#share").click()
    dialog = other.page.locator("#share-dialog")
    expect(dialog).to_contain_text("Only the tab that has run it can delete it.")
    page.page.locator("#share").click()
    page.page.get_by_role("button", name="Delete this run from the server").click()
    expect(page.page.get_by_text("The run is deleted from the server.")).to_be_visible()
    other.page.goto(f"{other.url}/r/{run}")
    expect(other.page.get_by_role("alert")).to_contain_text("not, or no longer, kept here")
    (complaint,) = other.complaints  # the browser's, of the 404
    assert "404" in complaint
    other.complaints.clear()


def test_the_reference_names_the_address_at_which_it_is_read(visit: Open) -> None:
    page = visit(None)
    answers = []
    for host in ("127.0.0.1", "localhost"):
        address = page.url.replace("127.0.0.1", host)
        page.page.goto(f"{address}/docs")
        expect(page.page.locator("pre").first).to_contain_text(f"curl -s {address}/v1/runs")
        text = page.page.request.get(f"{address}/docs").text()
        answers.append([line for line in text.splitlines() if "nonce" not in line])
    assert answers[0] == answers[1]
