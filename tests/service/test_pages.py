"""What a page says of itself, to who finds a link to it."""

from __future__ import annotations

from html.parser import HTMLParser

import httpx
import pytest

from app.examples import load_examples
from tests.conftest import Serve

MENU = load_examples()
PROGRAM = """import torch
secret = torch.tensor([2.0, -3.0], requires_grad=True)
(secret ** 3).sum().backward()
"""


class Head(HTMLParser):
    """Title, links and what is said of a page, by name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.said: dict[str, str] = {}
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._open = tag
        if tag == "meta" and "content" in given:
            self.said[given.get("property") or given.get("name", "")] = given["content"]
        elif tag == "link" and given.get("rel") == "canonical":
            self.said["canonical"] = given["href"]

    def handle_data(self, data: str) -> None:
        if self._open == "title" and data.strip():
            self.said.setdefault("title", data)


def head(client: httpx.Client, path: str, **headers: str) -> dict[str, str]:
    return Head(client.get(path, headers=headers).raise_for_status().text).said


@pytest.mark.parametrize("name", sorted(MENU.named))
def test_a_lesson_says_what_it_is(client: httpx.Client, name: str) -> None:
    example, base = MENU.named[name], str(client.base_url).rstrip("/")
    said = head(client, f"/l/{name}/7")
    assert said["title"] == said["og:title"] == f"{example.question} — Backlight"
    assert said["description"] == said["og:description"] == example.description
    assert said["canonical"] == f"{base}/l/{name}" and said["og:url"] == f"{base}/l/{name}/7"
    assert said["og:image"] == f"{base}/preview/l/{name}/7.png" and said["twitter:card"] == "summary_large_image"


def test_pages_say_nothing_of_programs_that_are_not_ours(client: httpx.Client) -> None:
    run = client.post("/v1/runs", json={"code": PROGRAM}).json()["id"]
    for path in (f"/r/{run}", f"/r/{run}/9"):
        page = client.get(path).text
        assert "secret" not in page and Head(page).said["robots"] == "noindex" and "canonical" not in Head(page).said
    home = head(client, "/")
    assert home["title"].startswith("Backlight") and home["og:image"].endswith("/icons/preview.png")
    assert client.get(home["og:image"]).headers["content-type"] == "image/png"


def test_what_stands_in_an_address_is_escaped(client: httpx.Client) -> None:
    assert "alert" not in client.get('/r/"><script>alert(1)/1').text
    assert head(client, '/l/seed4_graph/"><b>')["og:url"].endswith("/l/seed4_graph")


def test_addresses_have_the_scheme_of_the_proxy_that_is_trusted(serve: Serve) -> None:
    with serve(trusted_proxies="127.0.0.1") as address, httpx.Client(base_url=address) as client:
        assert head(client, "/", **{"X-Forwarded-Proto": "https"})["og:url"] == address.replace("http:", "https:") + "/"
        assert head(client, "/", **{"X-Forwarded-Proto": "javascript"})["og:url"] == address + "/"
    with serve() as address, httpx.Client(base_url=address) as client:
        assert head(client, "/", **{"X-Forwarded-Proto": "https"})["og:url"] == address + "/"


def test_an_unknown_lesson_lists_those_there_are(client: httpx.Client) -> None:
    answer = client.get("/l/why-2-2")
    assert answer.status_code == 404 and answer.headers["content-type"].startswith("text/html")
    assert "What to do." in answer.text
    assert all(f'href="../l/{name}"' in answer.text for name in MENU.named)


def test_whoever_comes_to_the_home_page_is_told_what_it_is_before_any_script_runs(client: httpx.Client) -> None:
    home = client.get("/").text
    assert "Paste PyTorch. Watch backward() run." in home
    assert all(f'href="./l/{each.id}"' in home for each in MENU.first) and len(MENU.first) == 5
    assert f"All {len(MENU.named)} " in home
    for path in (f"/l/{MENU.first[0].id}", "/embed", "/r/some-run"):
        assert 'id="arrival"' not in client.get(path).text


def test_all_questions_have_a_page(client: httpx.Client) -> None:
    text = client.get("/l").text
    assert all(f'href="./l/{name}"' in text for name in MENU.named)
