"""The address says what is on show: a reload, Back and another reader's tab show the same, to the pixel."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.visit import Visit

pytestmark = pytest.mark.slow

SETTLED_SECONDS = 20
OWN = "import torch\nx = torch.tensor([2.0, 3.0], requires_grad=True)\ny = (x ** 3).sum()  # größer\ny.backward()\n"
LOOP = """import torch

def layer(x, w):
    return torch.tanh(x * w)

x = torch.tensor(0.5, requires_grad=True)
w = torch.tensor(0.9, requires_grad=True)
for i in range(4):
    x = layer(x, w)
x.backward()
"""
DEEP = """import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(*[nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.LayerNorm(4)) for _ in range(12)])
net(torch.ones(3, 4)).sum().backward()
"""
# Noise that deflate leaves as long as it is.
LONG = OWN + "".join(
    f"# {i * 2654435761 % 2**32:08x}{i * 40503 % 65521:05x}{i * i * 7919 % 99991:05x}\n" for i in range(700)
)


@dataclass
class Case:
    """What a reader does before the address is taken."""

    path: str = "/"
    program: str = ""
    keys: str = ""
    clicks: tuple[str, ...] = ()
    after: str = ""
    width: int = 1440
    scheme: str = "light"
    address: str = ""


CASES = {
    "home": Case(address=r"/"),
    "home, a step": Case(keys="ArrowRight ArrowRight", address=r"/#t=\d+"),
    "home, its end": Case(keys="End", address=r"/#t=\d+"),
    "home, a tensor": Case(clicks=(".stage-shelf .item.card >> nth=1",), address=r".*select=\w+:\w+"),
    "home, the names": Case(keys="ArrowRight", clicks=("#names",), address=r".*names=on"),
    "a lesson": Case("/l/seed4_graph", address=r"/l/seed4_graph"),
    "a step of a lesson": Case(
        "/l/seed1_prosti_ex1", keys="ArrowRight ArrowRight", address=r"/l/seed1_prosti_ex1/\d+.*"
    ),
    "a statement of a lesson": Case(
        "/l/seed0_mm_jvp", clicks=(".lesson .caption >> nth=1",), address=r"/l/seed0_mm_jvp/\d+.*"
    ),
    "two statements of a step": Case(
        "/l/seed4_variable_ok", clicks=(".lesson .caption >> nth=0",), address=r"/l/seed4_variable_ok.*caption=0.*"
    ),
    "a lesson, changed": Case(
        "/l/seed4_graph", clicks=(".lesson > .button",), after="ArrowRight", address=r"/l/seed4_graph#v1:[\w-]+.*"
    ),
    "a lesson on a small screen": Case(
        "/l/seed3_conv_backward_hook", keys="End", width=1024, address=r"/l/seed3_conv_backward_hook/\d+.*"
    ),
    "a lesson on a phone": Case("/l/seed4_graph", keys="ArrowRight", width=390, address=r"/l/seed4_graph/\d+.*"),
    "a lesson in the dark": Case("/l/seed2_jacobian_vector", keys="End", scheme="dark", address=r"/l/seed2_\w+/\d+.*"),
    "own code": Case(program=OWN, address=r"/#v1:[\w-]+"),
    "own code, a step": Case(program=OWN, keys="ArrowRight", address=r"/#v1:[\w-]+&t=\d+.*"),
    "own code, nearer": Case(program=OWN, clicks=("#zoom-in", "#zoom-in"), address=r"/#v1:[\w-]+&camera=[\d.,-]+"),
    "own code, folded": Case(program=LOOP, keys="ArrowRight [", address=r"/#v1:.*&closed=.*"),
    "own code, long": Case(program=LONG, keys="ArrowRight", address=r"/r/[\w-]+/\d+.*"),
    "a map": Case(program=DEEP, keys="End", address=r"/#v1:.*"),
    "all ops": Case(program=DEEP, clicks=("text=all ops",), keys="", address=r"/#v1:.*ops=all.*"),
}

TOASTS = """
    window.told = [];
    addEventListener("DOMContentLoaded", () => new MutationObserver(changes => {
        for (const { addedNodes } of changes) for (const node of addedNodes) told.push(node.textContent);
    }).observe(document.querySelector("#toasts"), { childList: true }));
"""


def do(page: Visit, case: Case) -> None:
    if case.program:
        page.program(case.program)
    for keys, clicks in ((case.keys, case.clicks), (case.after, ())):
        page.page.locator("#graph").focus()
        for key in keys.split():
            page.press(key)
        for target in clicks:
            page.page.locator(target).click()


QUIET = """async ([quiet, most]) => {
    const {stage} = await pageModule("page/page.js");
    let seen = "";
    let since = performance.now();
    const end = since + most;
    while (performance.now() - since < quiet) {
        if (performance.now() > end) return false;
        await new Promise(requestAnimationFrame);
        await stage.painted();
        const now = location.href + ["graph", "story", "timeline"].map((id) => document.getElementById(id).innerHTML);
        if (now !== seen) [seen, since] = [now, performance.now()];
    }
    scrollTo(0, 0);
    return true;
}"""
QUIET_MS = 600  # the address is written after 400 ms in which nothing changed


def newly(visit: Open, case: Case) -> Visit:
    """A page without the words for newcomers: they are gone after Back, and take room that the picture has then."""
    page = visit(None, width=case.width, scheme=case.scheme)
    page.page.add_init_script("addEventListener('DOMContentLoaded', () => document.documentElement.dataset.begun = '')")
    return page


def at_rest(page: Page) -> list[bytes]:
    """Picture, story and timeline once they have stopped changing, without pointer or focus."""
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    assert page.evaluate(QUIET, [QUIET_MS, 1000 * SETTLED_SECONDS]), "the page does not come to rest"
    return [page.locator(pane).screenshot() for pane in ("#graph", "#story", "#timeline")]


@pytest.mark.parametrize("name", CASES)
def test_an_address_brings_back_the_picture(visit: Open, name: str) -> None:
    case = CASES[name]
    page = newly(visit, case).go(case.path)
    do(page, case)
    picture, address = at_rest(page.page), page.page.url
    assert re.fullmatch(case.address, address.removeprefix(page.url)), address

    page.page.reload()
    page.page.wait_for_selector(".cm-editor")
    assert at_rest(page.page) == picture, "after a reload"
    assert page.page.url == address

    page.example("seed4_two_ways")
    at_rest(page.page)
    assert page.page.url.startswith(f"{page.url}/l/seed4_two_ways")
    page.page.go_back()
    assert at_rest(page.page) == picture, "after Back"
    assert page.page.url == address

    page.page.locator("#share").click()
    shared = page.page.get_by_label("Link to this program and step").input_value()
    assert shared == address
    page.forget()
    page.go(shared.removeprefix(page.url))
    assert at_rest(page.page) == picture, "at another reader's"
    assert page.page.url == address


@pytest.mark.parametrize(
    ("path", "said", "left"),
    [
        ("/#v1:AAAA", "The program in this address is damaged", "/"),
        ("/#t=12&colour=red", "This part of the address means nothing here: colour=red", "/#t=12"),
        ("/l/seed4_graph/first", "This part of the address means nothing here: first", "/l/seed4_graph"),
        ("/l/seed4_graph/99999", "This run has no step 99999. This is its end.", None),
        ("/#select=tensor:t999", "What the address points to is not in this run.", "/"),
        ("/#finding=7", "What the address points to is not in this run.", "/"),
    ],
)
def test_a_damaged_address_is_told_of_and_the_rest_is_shown(
    visit: Open, path: str, said: str, left: str | None
) -> None:
    page = visit(None)
    page.page.add_init_script(TOASTS)
    page.go(path)
    page.page.wait_for_function("said => told.some(text => text.includes(said))", arg=said)
    if left is None:
        assert page.at() == page.last()
    else:
        expect(page.page).to_have_url(page.url + left)


def test_steps_share_an_entry_of_the_history_and_a_lesson_has_its_own(visit: Open) -> None:
    page = visit(None).go()  # in a tab of its own: a history holds fifty entries
    entries = lambda: page.page.evaluate("history.length")  # noqa: E731
    at_rest(page.page)
    before = entries()
    page.press("ArrowRight")
    page.press("ArrowRight")
    at_rest(page.page)
    stepped = page.page.url
    assert entries() == before and "#t=" in stepped
    page.example("seed4_graph")
    expect(page.page).to_have_url(f"{page.url}/l/seed4_graph")
    expect(page.page).to_have_title("What happens when I call backward()? — Backlight")
    assert entries() == before + 1
    page.page.go_back()
    expect(page.page).to_have_url(stepped)
    expect(page.page).to_have_title("Backlight — see the backward pass")
    page.page.go_forward()
    expect(page.page.locator(".lesson h2")).to_have_text("What happens when I call backward()?")


def test_the_program_of_a_reader_is_in_no_address_that_is_sent(visit: Open) -> None:
    page = visit()
    page.program(OWN)
    at_rest(page.page)
    assert "#v1:" in page.page.url
    page.page.reload()
    page.page.wait_for_selector(".cm-editor")
    assert page.page.title() and not [address for address in page.requests if "v1:" in address.partition("#")[0]]
    assert all("?" not in address for address in page.requests)
