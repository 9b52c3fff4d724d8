"""oEmbed: which addresses are answered, with what, and which never."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote

import httpx
import pytest

from app.examples import load_examples
from app.oembed import ADDRESS, LONGEST, shown
from tests.conftest import Serve

MENU = load_examples()
HERE = "https://backlight.example"
PROGRAM = "v1:q1YqKMpPL0rMVbJSMlCqBQA"


def ask(client: httpx.Client, url: str, **parameters: str | int) -> httpx.Response:
    return client.get("/oembed", params={"url": url, **parameters})


def source(answer: httpx.Response) -> str:
    (found,) = re.findall(r'^<iframe src="([^"]*)" title="[^"<>]*" [^<>]*></iframe>$', answer.json()["html"])
    return unescape(found)


def test_a_lesson_is_answered_with_a_frame_its_question_and_its_picture(client: httpx.Client) -> None:
    base = str(client.base_url).rstrip("/")
    name, example = next(iter(MENU.named.items()))
    answer = ask(client, f"{base}/l/{name}/3")
    said = answer.json()
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/json"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert (said["version"], said["type"], said["provider_name"]) == ("1.0", "rich", "Backlight")
    assert said["title"] == f"{example.question} — Backlight"
    assert source(answer) == f"{base}/embed/l/{name}/3"
    assert said["thumbnail_url"] == f"{base}/preview/l/{name}/3.png"
    assert client.get(said["thumbnail_url"]).headers["content-type"] == "image/png"
    assert client.get(source(answer)).headers["content-security-policy"].endswith("frame-ancestors *")


def test_a_page_says_where_its_answer_is(client: httpx.Client) -> None:
    run = client.post("/v1/runs", json={"code": "import torch"}).json()["id"]
    for path in ("/", "/l/seed4_graph", "/l/seed4_graph/3", f"/r/{run}", f"/r/{run}/2"):
        (found,) = re.findall(r'type="application/json\+oembed" href="([^"]*)"', client.get(path).text)
        assert source(client.get(unescape(found)).raise_for_status()) == f"{client.base_url}/embed{path}".replace(
            "//embed", "/embed"
        ).rstrip("/")
    for path in ("/embed", "/embed/l/seed4_graph", "/l", "/compare", "/docs"):
        assert "json+oembed" not in client.get(path).text


def test_a_frame_is_no_larger_than_asked_for(client: httpx.Client) -> None:
    for asked, size in (
        ({}, (720, 480)),
        ({"maxwidth": 320, "maxheight": 9999}, (320, 480)),
        ({"maxheight": 1}, (720, 1)),
    ):
        said = ask(client, f"{client.base_url}", **asked).json()
        assert (said["width"], said["height"]) == size
        assert f'width="{size[0]}" height="{size[1]}"' in said["html"]


def test_a_run_is_answered_as_long_as_it_is_kept(client: httpx.Client) -> None:
    ran = client.post("/v1/runs", json={"code": "import torch\nsecret = torch.ones(1)"})
    url = f"{client.base_url}/r/{ran.json()['id']}/1"
    answer = ask(client, url)
    assert source(answer).endswith(f"/embed/r/{ran.json()['id']}/1") and "secret" not in answer.text
    assert answer.headers["cache-control"].startswith("private")
    path = f"/v1/runs/{ran.json()['id']}"
    client.delete(path, headers={"Deletion-Token": ran.headers["deletion-token"]}).raise_for_status()
    assert ask(client, url).status_code == 404


def test_a_program_behind_the_hash_stays_there(client: httpx.Client) -> None:
    fragment = f"{PROGRAM}&t=3&opened=l4%2F%C3%BC,a'b"
    assert source(ask(client, f"{client.base_url}/#{fragment}")).endswith(f"/embed#{fragment}")
    assert source(ask(client, f"{client.base_url}/embed#{fragment}")).endswith(f"/embed#{fragment}")
    assert source(ask(client, f"{client.base_url}/l/seed4_graph?present#names=on")).endswith("/seed4_graph#names=on")


@pytest.mark.parametrize("format", ["xml", "", "JSON", "json ", "javascript", "text/xml"])
def test_other_formats_are_501(client: httpx.Client, format: str) -> None:
    answer = ask(client, f"{client.base_url}", format=format)
    assert answer.status_code == 501 and answer.json()["type"].endswith("/unsupported-format")
    assert ask(client, f"{client.base_url}", format="json").status_code == 200


@pytest.mark.parametrize(
    "query",
    [
        "maxwidth=0",
        "maxwidth=-1",
        "maxheight=1e3",
        "maxwidth=",
        "maxheight=%D9%A3",
        "maxwidth=1&maxwidth=2",
        "maxwidth=9999999",
    ],
)
def test_what_is_no_size_is_refused(client: httpx.Client, query: str) -> None:
    answer = client.get(f"/oembed?url={quote(str(client.base_url))}&{query}")
    assert answer.status_code == 400 and answer.json()["type"].endswith("/invalid-query")


def test_an_address_that_is_not_there_or_there_twice_is_refused(client: httpx.Client) -> None:
    assert client.get("/oembed").status_code == 404
    assert client.get("/oembed?url=").status_code == 404
    url = quote(str(client.base_url))
    assert client.get(f"/oembed?url={url}&url={url}").status_code == 400


HOSTILE = [
    "", " ", "/", "//", "/l/seed4_graph", "backlight.example", "//backlight.example/", "javascript:alert(1)",
    "data:text/html,<script>", "file:///etc/passwd", "ftp://backlight.example/", "gopher://backlight.example:70/_x",
    "https:backlight.example", "https:/backlight.example/", "https:///backlight.example/", "https://",
    "https://evil.example/", "https://backlight.example.evil.example/", "https://evilbacklight.example/",
    "https://backlight.example@evil.example/", "https://evil.example@backlight.example/",
    "https://user:password@backlight.example/", "https://backlight.example:81/", "https://backlight.example:x/",
    "https://backlight.example:99999999/", "https://[::1]/", "https://127.0.0.1/", "https://169.254.169.254/latest/",
    "https://backlight.example\\@evil.example/", "https://backlight.example\\.evil.example/",
    "https://backlight.example/\\evil", "https://backlight.example/l/../../x", "https://backlight.example/./l/seed4_graph",
    "https://backlight.example//evil.example/", "https://backlight.example/l/seed4%5Fgraph", "https://backlight.example/%2e%2e",
    "https://backlight.example/l", "https://backlight.example/l/nothing", "https://backlight.example/l/seed4_graph/x",
    "https://backlight.example/l/seed4_graph/3/4", "https://backlight.example/l/seed4_graph/99999999",
    "https://backlight.example/r/", "https://backlight.example/r/a/b", "https://backlight.example/r/ä",
    "https://backlight.example/compare#v1:AA", "https://backlight.example/oembed?url=https://backlight.example/",
    "https://backlight.example/static/js/main.js", "https://backlight.example/v1/runs", "https://backlight.example/docs",
    "https://backlight.example/embed/compare", "https://backlight.example/embedded", "https://backlight.example/embed/embed",
    'https://backlight.example/#"><script>alert(1)</script>', "https://backlight.example/#a b", "https://backlight.example/#<b>",
    "https://backlight.example/#\x00", "https://backlight.example/\n", "https://backlight.example/\r\nX: y",
    "\thttps://backlight.example/", "https://backlight.example/ ", "https://backlight.example/#ü", "https://bäcklight.example/",
    "https://backlight.example/?\"onload=alert(1)", "https://backlight.example/#a#b",
    "https://backlight.example/" + "#" + "a" * LONGEST,
    "https://" + "a." * 5000 + "example/", "https://backlight.example/" + "l/" * 5000,
]  # fmt: skip


@pytest.mark.parametrize("url", HOSTILE)
def test_no_other_address_is_answered(client: httpx.Client, url: str) -> None:
    assert shown(url, HERE, MENU, "0") is None
    here = url.replace(HERE, str(client.base_url).rstrip("/"))
    answer = ask(client, here) if len(here) < 6000 else None
    if answer is not None:
        assert answer.status_code == 404 and answer.json()["type"].endswith("/unknown-address"), answer.text
        assert "<" not in answer.text and "evil" not in answer.json()["detail"]


@pytest.mark.parametrize(
    "url",
    [HERE, f"{HERE}/", f"{HERE}:443/", "http://backlight.example/", "HTTPS://BACKLIGHT.example", f"{HERE}/embed",
     f"{HERE}/embed/", f"{HERE}/l/seed4_graph/", f"{HERE}/?utm_source=x", f"{HERE}/#t=3", f"{HERE}./"],
)  # fmt: skip
def test_what_names_the_service_is_it(url: str) -> None:
    assert shown(url, HERE, MENU, "0") is not None


@pytest.mark.parametrize("sign", "!$&'()*+,;=:@/?%~._-")
def test_no_sign_of_an_address_ends_an_attribute(client: httpx.Client, sign: str) -> None:
    fragment = f"opened=a{sign}onload{sign}"
    assert source(ask(client, f"{client.base_url}/#{fragment}")).endswith(f"#{fragment}")


def test_addresses_are_taken_apart_in_no_time() -> None:
    for text in (
        "https://" + "a" * LONGEST,
        "https://a/" + "-" * LONGEST,
        "https://a/?" + "%" * LONGEST + " ",
        "h" * LONGEST,
    ):
        assert ADDRESS.fullmatch(text[:LONGEST]) is None or shown(text, HERE, MENU, "0") is None


def test_below_a_root_addresses_begin_with_it(serve: Serve) -> None:
    root, proxy = "/tools/backlight", {"X-Forwarded-Prefix": "/tools/backlight", "X-Forwarded-Proto": "https"}
    with serve(root_path=root) as address, httpx.Client(base_url=address, timeout=30) as client:
        answer = ask(client, f"{address}{root}/l/seed4_graph/3")
        assert source(answer) == f"{address}{root}/embed/l/seed4_graph/3"
        assert answer.json()["thumbnail_url"] == f"{address}{root}/preview/l/seed4_graph/3.png"
        assert (
            source(ask(client, f"{address}{root}"))
            == source(ask(client, f"{address}{root}/"))
            == f"{address}{root}/embed"
        )
        for other in ("", "/", "/l/seed4_graph", f"{root}ly/", f"{root}/..", "/tools/"):
            assert ask(client, f"{address}{other}").status_code == 404
    with serve(trusted_proxies="127.0.0.1") as address, httpx.Client(base_url=address, timeout=30) as client:
        secure = address.replace("http:", "https:")
        parameters = {"url": f"{secure}{root}/l/seed4_graph"}
        answer = client.get("/oembed", params=parameters, headers=proxy)
        assert source(answer) == f"{secure}{root}/embed/l/seed4_graph"
        page = client.get("/l/seed4_graph", headers=proxy).text
        assert f"{secure}{root}/oembed?url={quote(secure + root + '/l/seed4_graph', safe='')}" in page
        assert client.get("/oembed", params=parameters).status_code == 404
