"""The service below a path of another site: which one it is, who may say so, and what is said of it."""

from __future__ import annotations

import re

import httpx
import pytest
from pydantic import ValidationError

from app.clients import Addresses
from app.config import Settings
from app.roots import Roots, root_path, way_to_root
from tests.conftest import Serve
from tests.service.test_pages import head

ROOT = "/tools/backlight"
PROXY = {"X-Forwarded-Prefix": ROOT}


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("", ""),
        ("/", ""),
        (ROOT, ROOT),
        (f" {ROOT}/ ", ROOT),
        ("/user/l/proxy/8000", "/user/l/proxy/8000"),
        ("/a.b", "/a.b"),
    ],
)
def test_a_root_is_a_path(text: str, root: str) -> None:
    assert root_path(text) == Settings(root_path=text).root_path == root


@pytest.mark.parametrize(
    "text",
    [
        "tools",
        "//tools",
        "/tools//x",
        "/../x",
        "/./x",
        "/a/..",
        "/a b",
        '/"><b>',
        "/%2e",
        "/?x",
        "https://a.example/x",
        "/l",
        "/static/x",
        "/v1",
    ],
)
def test_what_is_no_root_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"a root is a path|own paths"):
        root_path(text)
    with pytest.raises(ValidationError, match="root_path"):
        Settings(root_path=text)


def scope(path: str, prefix: str | None = None) -> dict[str, object]:
    headers = [] if prefix is None else [(b"x-forwarded-prefix", prefix.encode())]
    return {"path": path, "raw_path": path.encode(), "headers": headers, "client": ("10.0.0.1", 1), "state": {}}


@pytest.mark.parametrize("path", ["/", "/l", "/l/seed4_graph/3", "/tools", "/tools/backlightly/x"])
def test_a_root_is_stripped_where_the_proxy_kept_it(path: str) -> None:
    roots = Roots(ROOT, Addresses())
    for asked in (path, ROOT + path):
        root, entered = roots.enter(scope(asked))
        assert (root, entered["path"], entered["raw_path"]) == (ROOT, path, path.encode())
    assert roots.enter(scope(ROOT))[1]["path"] == "/"


def test_only_a_trusted_proxy_says_the_root_and_a_setting_goes_before() -> None:
    trusting = Roots("", Addresses(["10.0.0.0/8"]))
    assert trusting.enter(scope("/l", f"{ROOT}/"))[0] == ROOT
    assert trusting.enter(scope(f"{ROOT}/l", ROOT)) == (ROOT, scope("/l", ROOT))
    for nonsense in ("", "//evil.example", "javascript:", "/../x", "/static"):
        assert trusting.enter(scope("/l", nonsense)) == ("", scope("/l", nonsense))
    assert Roots("", Addresses()).enter(scope("/l", ROOT))[0] == ""
    assert Roots("/mine", Addresses(["10.0.0.0/8"])).enter(scope("/l", ROOT))[0] == "/mine"


@pytest.mark.parametrize(
    ("path", "way"), [("/", "./"), ("/l", "./"), ("/l/a", "../"), ("/l/a/3", "../../"), ("/l/a%2Fb", "../")]
)
def test_where_no_root_is_known_a_page_names_paths_relative_to_itself(path: str, way: str) -> None:
    assert way_to_root({**scope(path), "state": {"root": ""}}) == way
    assert way_to_root({**scope(path), "state": {"root": ROOT}}) == f"{ROOT}/"


def told(client: httpx.Client, base: str, prefix: str, **headers: str) -> None:
    """What is read elsewhere names the root; `prefix` is what the proxy leaves of it in requests."""
    said = head(client, f"{prefix}/l/seed4_graph/3", **headers)
    assert said["canonical"] == f"{base}{ROOT}/l/seed4_graph" and said["og:url"] == f"{base}{ROOT}/l/seed4_graph/3"
    assert said["og:image"] == f"{base}{ROOT}/preview/l/seed4_graph/3.png"
    assert client.get(f"{prefix}/preview/l/seed4_graph/3.png", headers=headers).headers["content-type"] == "image/png"
    page = client.get(f"{prefix}/l/nothing", headers=headers)
    assert page.status_code == 404
    links = re.findall(r'(?:href|src)="([^"]*)"', page.text)
    assert links and all(link.startswith(f"{ROOT}/") for link in links)
    run = client.post(f"{prefix}/v1/runs", json={"code": "import torch"}, headers=headers)
    assert run.headers["content-location"] == f"{ROOT}/v1/runs/{run.json()['id']}"
    problem = client.get(f"{prefix}/v1/none", headers=headers).json()
    assert (problem["type"], problem["instance"]) == (f"{ROOT}/problems/not-found", f"{ROOT}/v1/none")
    assert client.get(f"{prefix}/openapi.json", headers=headers).json()["servers"] == [{"url": ROOT}]
    assert f"curl {base}{ROOT}/v1/runs" in client.get(f"{prefix}/llms.txt", headers=headers).text


def test_what_is_read_elsewhere_names_the_root_of_the_setting(serve: Serve) -> None:
    with serve(root_path=ROOT) as address, httpx.Client(base_url=address, timeout=30) as client:
        told(client, address, "")
        told(client, address, ROOT)
        assert f'src="{ROOT}/static/' in client.get(ROOT).raise_for_status().text


def test_what_is_read_elsewhere_names_the_root_that_a_trusted_proxy_says(serve: Serve) -> None:
    with serve(trusted_proxies="127.0.0.1") as address, httpx.Client(base_url=address, timeout=30) as client:
        told(client, address, "", **PROXY)
        told(client, address, ROOT, **PROXY)
        assert head(client, "/l/seed4_graph")["canonical"] == f"{address}/l/seed4_graph"
        assert client.get("/l/nothing").text.count(ROOT) == 0


def test_a_client_that_is_no_proxy_names_no_root(serve: Serve) -> None:
    with serve() as address, httpx.Client(base_url=address, timeout=30) as client:
        assert head(client, "/l/seed4_graph", **PROXY)["canonical"] == f"{address}/l/seed4_graph"
        assert ROOT not in client.get("/", headers=PROXY).text
        assert client.get(f"{ROOT}/l", headers=PROXY).status_code == 404
        assert "servers" not in client.get("/openapi.json", headers=PROXY).json()
