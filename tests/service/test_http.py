"""Caching, HEAD, headers, and clients that do not behave."""

from __future__ import annotations

import gzip
import re
import socket
import time

import httpx
import pytest

from app.answers import accepts_gzip, matches
from app.api.pages import content_security_policy
from tests.conftest import Serve
from tests.service.conftest import FAKE_JOBS


@pytest.fixture
def run(fake: httpx.Client) -> httpx.Response:
    return fake.post("/v1/runs", json={"code": "a program"})


def raw(client: httpx.Client, *pieces: bytes, pause: float = 0.0, ends: bool = False) -> bytes:
    """What the server answers to bytes sent as they are, until it closes the connection.

    `ends`: the client closes its own side when it has sent them.
    """
    url = client.base_url
    with socket.create_connection((url.host, url.port or 80), timeout=10) as connection:
        for piece in pieces:
            try:
                connection.sendall(piece)
            except OSError:
                break
            time.sleep(pause)
        if ends:
            connection.shutdown(socket.SHUT_WR)
        received = b""
        try:
            while data := connection.recv(65536):
                received += data
        except ConnectionResetError:
            pass
        return received


def test_a_run_can_be_fetched_where_the_answer_says(fake: httpx.Client, run: httpx.Response) -> None:
    assert run.headers["content-location"] == f"/v1/runs/{run.json()['id']}"
    fetched = fake.get(run.headers["content-location"])
    assert fetched.json() == run.json()
    assert fetched.headers["cache-control"] == "private, no-cache"  # it may be deleted


def test_the_same_program_is_the_same_run(fake: httpx.Client, run: httpx.Response) -> None:
    headers = {"Content-Type": "application/json"}
    again = fake.post("/v1/runs", content=b'{ "code" : "a pro\\u0067ram" }', headers=headers)
    assert again.content == run.content
    assert fake.post("/v1/runs", json={"code": "a program", "options": {"seed": 1}}).json()["id"] != run.json()["id"]


def test_a_seed_can_be_chosen(fake: httpx.Client) -> None:
    assert fake.post("/v1/runs", json={"code": "x", "options": {"seed": 7}}).json()["globals"]["seed"] == 7


def test_not_modified(fake: httpx.Client, run: httpx.Response) -> None:
    url = run.headers["content-location"]
    tag = fake.get(url).headers["etag"]
    for condition in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        response = fake.get(url, headers={"If-None-Match": condition})
        assert (response.status_code, response.content, response.headers["etag"]) == (304, b"", tag)
    assert fake.get(url, headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize("path", ["/v1/ops", "/v1/examples", "/v1/limits", "/static/icons/backlight.svg"])
def test_everything_that_can_be_cached_is_revalidated(fake: httpx.Client, path: str) -> None:
    tag = fake.get(path).headers["etag"]
    assert fake.get(path, headers={"If-None-Match": tag}).status_code == 304


def test_compressed_only_for_those_who_accept_it(fake: httpx.Client, run: httpx.Response) -> None:
    url = run.headers["content-location"]
    with fake.stream("GET", url, headers={"Accept-Encoding": "gzip"}) as response:
        zipped = b"".join(response.iter_raw())
    plain = fake.get(url, headers={"Accept-Encoding": "identity"})
    assert response.headers["content-encoding"] == "gzip" and "content-encoding" not in plain.headers
    assert gzip.decompress(zipped) == plain.content
    assert response.headers["etag"] != plain.headers["etag"]
    assert plain.headers["vary"] == "Accept-Encoding"


def test_a_large_document_is_unpacked_for_those_who_need_it(fake: httpx.Client) -> None:
    response = fake.post("/v1/runs", json={"code": "pad 3000000"}, headers={"Accept-Encoding": "identity"})
    assert len(response.json()["stdout"]) == 3_000_000


def test_accept_encoding() -> None:
    assert accepts_gzip("gzip") and accepts_gzip("br, GZIP;q=0.5") and accepts_gzip("*") and accepts_gzip("x-gzip")
    assert not any(map(accepts_gzip, ["", "identity", "gzip;q=0", "br", "*;q=0", "gzip;q=..", "gzip;q=0.000"]))


def test_entity_tags_match_weakly() -> None:
    assert matches('W/"a"', "a") and matches('"b", "a-gzip"', "a") and matches("*", "a")
    assert not matches(None, "a") and not matches('"b"', "a") and not matches("a", "a")


@pytest.mark.parametrize("path", ["/", "/healthz", "/v1/examples", "/docs", "/static/icons/backlight.svg", "/nothing"])
def test_head_is_get_without_the_body(fake: httpx.Client, path: str) -> None:
    get, head = fake.get(path), fake.head(path)
    assert head.status_code == get.status_code and head.content == b""
    assert head.headers["content-type"] == get.headers["content-type"]


def test_values_that_are_too_large_for_the_document(fake: httpx.Client, run: httpx.Response) -> None:
    url = run.headers["content-location"]
    stored = fake.get(f"{url}/values/v0")
    assert stored.json() == {"shape": [2, 3], "dtype": "float32", "data": [[0, 1, 2], [3, 4, 5]]}
    assert fake.get(f"{url}/values/v0").content == stored.content
    assert fake.get(f"{url}/values/v1").json()["data"] == [1.5]  # computed again
    assert fake.get(f"{url}/values/v2").status_code == 404


@pytest.mark.parametrize(("name", "media_type"), [("graph.dot", "text/vnd.graphviz"), ("graph.mmd", "text/plain")])
def test_graphs_for_other_tools(fake: httpx.Client, run: httpx.Response, name: str, media_type: str) -> None:
    response = fake.get(f"{run.headers['content-location']}/{name}")
    assert response.text == "graph" and response.headers["content-type"].startswith(media_type)


@pytest.mark.parametrize(
    "run_id", ["x", "a" * 26, "A" * 26, "..%2F..%2Fetc", "%00", "%ff", "a" * 10_000, "💥", "%0d%0a"]
)
@pytest.mark.parametrize(
    "rest", ["", "/values/v0", "/values/%00", "/checks/t0", "/checks/%00", "/graph.dot", "/graph.mmd"]
)
def test_a_run_that_is_not_here(fake: httpx.Client, run_id: str, rest: str) -> None:
    response = fake.get(f"/v1/runs/{run_id}{rest}")
    assert response.status_code == 404
    kinds = ("unknown-run", "unknown-value", "unknown-check", "not-found")
    assert response.json()["type"] in [f"/problems/{kind}" for kind in kinds]


@pytest.mark.parametrize(
    "path", ["/static/../pyproject.toml", "/static/%2e%2e/pyproject.toml", "/static/%00", "/static/", "/static", "/V1"]
)
def test_paths_that_lead_nowhere(fake: httpx.Client, path: str) -> None:
    response = fake.get(path)
    assert (response.status_code, response.json()["type"]) == (404, "/problems/not-found")


def test_a_wrong_method_names_the_right_ones(fake: httpx.Client) -> None:
    response = fake.get("/v1/runs")
    assert (response.status_code, response.json()["type"]) == (405, "/problems/method-not-allowed")
    assert response.headers["allow"] == "POST"
    assert fake.delete("/healthz").headers["allow"] == "GET, HEAD"
    assert fake.request("OPTIONS", "/v1/runs").status_code == 405
    assert fake.request("BREW", "/").status_code in (400, 405)


def test_every_answer_carries_an_id_and_security_headers(fake: httpx.Client) -> None:
    for response in (fake.get("/healthz"), fake.get("/nothing"), fake.post("/v1/runs"), fake.get("/v1/runs")):
        assert len(response.headers["x-request-id"]) == 32
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["content-security-policy"].startswith("default-src 'none'")
    assert fake.get("/healthz", headers={"X-Request-ID": "mine-1"}).headers["x-request-id"] == "mine-1"
    assert fake.get("/healthz", headers={"X-Request-ID": "a b"}).headers["x-request-id"] != "a b"


def test_the_page_has_a_fresh_nonce_and_a_strict_policy(fake: httpx.Client) -> None:
    one, two = fake.get("/"), fake.get("/")
    nonce = one.headers["content-security-policy"].split("'nonce-")[1].split("'")[0]
    assert one.headers["content-security-policy"] == content_security_policy(nonce)
    assert nonce in one.text
    assert one.headers["content-security-policy"] != two.headers["content-security-policy"]
    assert "unsafe" not in one.headers["content-security-policy"]


FRAMED = ["/embed", "/embed/l/seed4_graph", "/embed/l/seed4_graph/3", "/embed/l/nothing", "/embed/r/a", "/embed/r/a/3"]
UNFRAMED = [
    "/", "/l", "/l/seed4_graph", "/l/nothing", "/r/a", "/r/a/3", "/docs", "/problems/busy", "/llms.txt", "/healthz",
    "/v1/examples", "/oembed", "/embedded", "/embed/", "/embed/v1", "/embed/compare", "/static/css/page.css",
]  # fmt: skip


@pytest.mark.parametrize("path", FRAMED)
def test_the_pages_for_frames_may_be_framed_by_anybody(fake: httpx.Client, path: str) -> None:
    answer = fake.get(path)
    policy = answer.headers["content-security-policy"]
    assert policy.endswith("frame-ancestors *") and policy.startswith("default-src 'none'; script-src 'self'")
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert answer.status_code == (404 if "nothing" in path else 200) and "set-cookie" not in answer.headers


@pytest.mark.parametrize("path", UNFRAMED)
def test_nothing_else_may_be_framed(fake: httpx.Client, path: str) -> None:
    assert fake.get(path).headers["content-security-policy"].endswith("frame-ancestors 'none'")
    assert "frame-ancestors *" not in fake.get(path).headers["content-security-policy"]


def test_the_comparison_has_frames_of_its_own_and_is_in_none(fake: httpx.Client) -> None:
    two = fake.get("/compare").headers["content-security-policy"]
    assert two.endswith("frame-src 'self'; frame-ancestors 'none'")


def test_static_files_are_permanent_under_the_address_of_their_version(fake: httpx.Client) -> None:
    plain = fake.get("/static/icons/backlight.svg")
    assert plain.headers["cache-control"] == "no-cache" and plain.headers["content-type"] == "image/svg+xml"
    version = re.findall(r"/static/([0-9a-f]{12})/", fake.get("/").text)[0]
    for path in (f"/static/icons/backlight.svg?v={version}", f"/static/{version}/icons/backlight.svg"):
        response = fake.get(path)
        assert "immutable" in response.headers["cache-control"] and response.content == plain.content
    stale = fake.get("/static/0123456789ab/icons/backlight.svg")
    assert stale.status_code == 200 and stale.headers["cache-control"] == "no-cache"


def test_a_client_that_drips_its_headers_is_cut_off(fake: httpx.Client) -> None:
    answer = raw(fake, b"GET / HTTP/1.1\r\n", *[b"X-Drip: 1\r\n"] * 30, pause=0.1)
    assert answer.startswith(b"HTTP/1.1 408 Request Timeout\r\n") and b"/problems/request-timeout" in answer


def test_a_client_that_drips_its_body_is_cut_off(fake: httpx.Client) -> None:
    head = b"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += b"Content-Length: 1000\r\n\r\n"
    answer = raw(fake, head, *[b" "] * 30, pause=0.1)
    assert answer.startswith(b"HTTP/1.1 408") and b"/problems/request-timeout" in answer


def test_an_idle_connection_is_closed(fake: httpx.Client) -> None:
    assert raw(fake).startswith(b"HTTP/1.1 408")


def test_endless_headers_are_refused(fake: httpx.Client) -> None:
    answer = raw(fake, b"GET / HTTP/1.1\r\n", *[b"X-Long: " + b"a" * 8000 + b"\r\n"] * 20)
    assert answer.startswith(b"HTTP/1.1 431 ") and b"/problems/header-too-large" in answer


@pytest.mark.parametrize(
    "junk", [b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n" * 10 + b"{}"]
)
def test_what_is_not_http_is_refused_as_a_problem(fake: httpx.Client, junk: bytes) -> None:
    answer = raw(fake, junk)
    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n") and b"/problems/malformed-request" in answer


def test_lying_about_the_length_gets_an_answer(fake: httpx.Client) -> None:
    head = b"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
    assert raw(fake, head + b'Content-Length: 2\r\n\r\n{"code": ""}').startswith(b"HTTP/1.1 400")
    assert raw(fake, head + b"Content-Length: -1\r\n\r\n").startswith(b"HTTP/1.1 400")
    assert raw(fake, head + b"Content-Length: 999999999999\r\n\r\n").startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    "codings", [b"gzip, chunked", b"chunked, chunked", b"x\r\nTransfer-Encoding: chunked", b"gzip"]
)
def test_a_body_in_another_transfer_coding_than_chunked_is_refused(fake: httpx.Client, codings: bytes) -> None:
    head = b"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: "
    body = b'\r\n\r\nd\r\n{"code": "x"}\r\n0\r\n\r\n'
    assert raw(fake, head + codings + body).startswith(b"HTTP/1.1 400")
    assert raw(fake, head + b"Chunked " + body.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1)).startswith(
        b"HTTP/1.1 200"
    )


def test_pipelined_requests_are_answered_in_order(fake: httpx.Client) -> None:
    last = b"GET /no HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    answer = raw(fake, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3 + last)
    assert re.findall(rb"HTTP/1.1 (\d+)", answer) == [b"200"] * 3 + [b"404"]


def posted(body: bytes) -> bytes:
    head = b"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    return head % len(body) + body


@pytest.mark.parametrize(
    ("sent", "statuses"),
    [
        (b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n", [b"200"]),
        (b"GET /v1/runs/aaaaaaaaaaaaaaaaaaaaaaaaaa/values/v0 HTTP/1.1\r\nHost: localhost\r\n\r\n", [b"404"]),
        (posted(b'{"code": "of one who sends no more"}'), [b"200"]),
        (posted(b'{"code": "1"}') + posted(b'{"code": "2"}') + b"GET / HTTP/1.1\r\nHost", [b"200", b"200"]),
    ],
)
def test_who_closes_its_own_side_is_still_answered(
    fake: httpx.Client, sent: bytes, statuses: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.serving.HALF_CLOSED_SECONDS", 5.0)  # other tests may keep this machine busy
    assert re.findall(rb"HTTP/1.1 (\d+)", raw(fake, sent, ends=True)) == statuses


@pytest.mark.parametrize("sent", [b"GET /", b"GET / HTTP/1.1\r\nHost: localhost\r\n", posted(b'{"code": "1"}')[:-1]])
def test_a_request_that_ends_early_is_refused_as_a_problem(fake: httpx.Client, sent: bytes) -> None:
    answer = raw(fake, sent, ends=True)
    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n") and b"/problems/malformed-request" in answer


def test_who_closes_its_own_side_is_not_waited_for(fake: httpx.Client) -> None:
    started = time.monotonic()
    assert raw(fake, posted(b'{"code": "sleep 9"}'), ends=True) == b""
    assert time.monotonic() - started < 8


def test_metrics_are_served_when_they_are_switched_on(fake: httpx.Client, serve: Serve) -> None:
    assert fake.get("/metrics").status_code == 404
    with serve(FAKE_JOBS, metrics=True) as address, httpx.Client(base_url=address) as client:
        client.post("/v1/runs", json={"code": "x"})
        client.get("/v1/runs/" + "a" * 26)
        client.request("MADEUP", "/healthz")
        text = client.get("/metrics").text
    assert 'backlight_requests_total{method="POST",route="/v1/runs",status="200"} 1.0' in text
    assert 'backlight_problems_total{type="unknown-run"} 1.0' in text
    assert "backlight_jobs_running 0.0" in text and "MADEUP" not in text and "aaaa" not in text
