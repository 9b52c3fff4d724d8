"""Which names the service answers to, and whose pages may send programs and delete runs."""

from __future__ import annotations

import re
import socket
from urllib.parse import urlsplit

import httpx
import pytest
from pydantic import ValidationError

from app.config import Settings
from app.hosts import Authority, authority, names, origins
from tests.conftest import Serve
from tests.service.conftest import FAKE_JOBS

FOREIGN = "https://attacker.example"


def asked(address: str, line: str, *fields: str, body: bytes = b"") -> tuple[int, bytes]:
    """The status and the whole of the answer to a request that is sent as it is written."""
    parts = urlsplit(address)
    head = "\r\n".join([line, *fields, "Connection: close", f"Content-Length: {len(body)}", "", ""])
    with socket.create_connection((parts.hostname or "", parts.port or 80), timeout=10) as connection:
        connection.sendall(head.encode("latin-1") + body)
        received = b""
        while data := connection.recv(65536):
            received += data
    match = re.match(rb"HTTP/1.1 (\d+)", received)
    assert match is not None, received
    return int(match[1]), received


@pytest.mark.parametrize("path", ["/", "/docs", "/healthz", "/readyz", "/v1/limits", "/v1/runs", "/static/js/main.js"])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
def test_a_service_on_this_machine_answers_to_no_other_name(fake_service: str, method: str, path: str) -> None:
    status, answer = asked(fake_service, f"{method} {path} HTTP/1.1", "Host: attacker.example:8000")
    assert status == 421 and b"/problems/misdirected-request" in answer
    assert b"attacker" not in answer


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8000", "localhost.", "127.0.0.1", "127.1.2.3:80", "[::1]", "[0:0::1]:8000"]
)
def test_every_name_of_this_machine_is_answered(fake_service: str, host: str) -> None:
    assert asked(fake_service, "GET /healthz HTTP/1.1", f"Host: {host}")[0] == 200


@pytest.mark.parametrize(
    "host",
    [
        "attacker.example", "localhost.attacker.example", "127.0.0.1.attacker.example", "attacker.example.", "0.0.0.0",
        "10.0.0.1", "[::2]", "localhost-", "xlocalhost", "127.0.0.1x", "2130706433", "0x7f.1", "127.1",
    ],
)  # fmt: skip
def test_other_names_are_not(fake_service: str, host: str) -> None:
    assert asked(fake_service, "GET /healthz HTTP/1.1", f"Host: {host}")[0] == 421


@pytest.mark.parametrize(
    "fields",
    [
        [], ["Host: localhost", "Host: localhost"], ["Host: localhost", "Host: attacker.example"], ["Host: a b"],
        ["Host: localhost@attacker.example"], ["Host: localhost/"], ["Host: localhost:x"], ["Host: [::1"],
        ["Host: [x]"],
        ["Host: localhost, attacker.example"], ["Host: local\xe9host"], ["Host: localhost:80:80"], ["Host:"],
        ["Host: ."],
    ],
)  # fmt: skip
def test_a_request_that_does_not_name_one_host_is_malformed(fake_service: str, fields: list[str]) -> None:
    status, answer = asked(fake_service, "GET /healthz HTTP/1.1", *fields)
    assert status == 400 and b"/problems/malformed-request" in answer


def test_what_else_may_name_a_host_is_not_believed(fake_service: str) -> None:
    names = ["X-Forwarded-Host: localhost", "Forwarded: host=localhost", "X-Host: localhost"]
    assert asked(fake_service, "GET /healthz HTTP/1.1", "Host: attacker.example", *names)[0] == 421
    assert asked(fake_service, "GET /healthz HTTP/1.0")[0] == 421


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("http://localhost/healthz", 200), ("http://127.0.0.1:9/healthz", 200),
        ("http://attacker.example/healthz", 421), ("HTTPS://attacker.example/healthz", 421),
        ("http://localhost@attacker.example/healthz", 400), ("http://localhost.attacker.example/", 421),
    ],
)  # fmt: skip
def test_a_request_line_that_names_a_host_is_held_to_it(fake_service: str, target: str, status: int) -> None:
    assert asked(fake_service, f"GET {target} HTTP/1.1", "Host: localhost")[0] == status


def test_nothing_is_run_for_another_name(fake: httpx.Client, fake_service: str) -> None:
    body = b'{"code": "sent to another name"}'
    fields = ["Host: attacker.example", "Content-Type: application/json"]
    assert asked(fake_service, "POST /v1/runs HTTP/1.1", *fields, body=body)[0] == 421
    location = fake.post("/v1/runs", json={"code": "x"}).headers["content-location"]
    assert asked(fake_service, f"GET {location} HTTP/1.1", "Host: attacker.example")[0] == 421


def test_hosts_can_be_named(serve: Serve) -> None:
    with serve(FAKE_JOBS, hosts="Backlight.Example, 10.1.2.3, ::5") as address:
        for host, status in {
            "backlight.example": 200, "backlight.example.:443": 200, "10.1.2.3": 200, "[::5]:1": 200,
            "localhost": 421, "127.0.0.1": 421, "other.example": 421,
        }.items():  # fmt: skip
            assert asked(address, "GET /healthz HTTP/1.1", f"Host: {host}")[0] == status, host
    with serve(FAKE_JOBS, hosts="*") as address:
        assert asked(address, "GET /healthz HTTP/1.1", "Host: anything.example")[0] == 200
        assert asked(address, "GET /healthz HTTP/1.0")[0] == 200
        assert asked(address, "GET /healthz HTTP/1.1")[0] == 400


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("127.0.0.1", ["localhost"]),
        ("localhost", ["localhost"]),
        ("::1", ["localhost"]),
        ("0.0.0.0", ["*"]),
        ("::", ["*"]),
    ],
)
def test_where_only_this_machine_is_served_its_names_are_the_default(host: str, allowed: list[str]) -> None:
    assert Settings(host=host).host_names() == allowed


def test_one_spelling_of_each_host() -> None:
    assert authority("Example.ORG.:443") == Authority("example.org", 443)
    assert authority("[2001:DB8:0::1]") == Authority("[2001:db8::1]", None)
    assert names(" A.example ,::1,*") == ["a.example", "[::1]", "*"]
    assert origins("HTTPS://A.example/ , http://b.example:80, http://c.example:8080,*") == [
        "https://a.example", "http://b.example", "http://c.example:8080", "*",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "setting",
    [{"hosts": "a.example:80"}, {"hosts": "http://a.example"}, {"hosts": ","}, {"origins": "a.example"},
     {"origins": "https://a.example/path"}, {"origins": "null"}, {"origins": "ftp://a.example"}],
)  # fmt: skip
def test_what_is_no_host_or_origin_is_refused(setting: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Settings(**setting)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": FOREIGN}, {"Origin": "null"}, {"Origin": "http://localhost:1"}, {"Origin": "http://127.0.0.1.x"},
        {"Origin": ""}, {"Origin": "file://"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
        {"Origin": FOREIGN, "Sec-Fetch-Site": "same-origin"},
        {"Origin": FOREIGN, "X-Forwarded-Host": "attacker.example"},
        {"Origin": FOREIGN, "Content-Type": "text/plain"},
    ],
)  # fmt: skip
def test_pages_of_other_origins_change_nothing(fake: httpx.Client, method: str, headers: dict[str, str]) -> None:
    location = fake.post("/v1/runs", json={"code": "x"}).headers["content-location"]
    path = "/v1/runs" if method == "POST" else location
    answer = fake.request(method, path, headers=headers, content=b'{"code": "of another page"}')
    assert (answer.status_code, answer.json()["type"]) == (403, "/problems/foreign-origin")
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_a_browser_is_not_told_that_they_may(fake: httpx.Client, method: str) -> None:
    headers = {"Origin": FOREIGN, "Access-Control-Request-Method": method}
    preflight = fake.request("OPTIONS", "/v1/runs", headers=headers)
    assert preflight.status_code == 403
    assert not [name for name in preflight.headers if name.startswith("access-control-allow")]


def test_pages_of_all_origins_may_read(fake: httpx.Client) -> None:
    """What there is to read is the same for all, but for runs, whose ids nobody can guess."""
    location = fake.post("/v1/runs", json={"code": "x"}).headers["content-location"]
    for path in (location, "/v1/limits"):
        answer = fake.get(path, headers={"Origin": FOREIGN, "Sec-Fetch-Site": "cross-site"})
        assert answer.status_code == 200 and answer.headers["access-control-allow-origin"] == "*"
        headers = {"Origin": FOREIGN, "Access-Control-Request-Method": "GET"}
        preflight = fake.request("OPTIONS", path, headers=headers)
        assert preflight.status_code == 204 and preflight.headers["access-control-allow-methods"] == "GET, HEAD"
    assert "access-control-allow-origin" not in fake.get("/", headers={"Origin": FOREIGN}).headers


def test_the_services_own_page_and_programs_may(fake: httpx.Client, fake_service: str) -> None:
    own = {"Origin": fake_service, "Sec-Fetch-Site": "same-origin"}
    for headers in ({}, own, {"Origin": fake_service}, {"Sec-Fetch-Site": "none"}):
        assert fake.post("/v1/runs", json={"code": "x"}, headers=headers).status_code == 200, headers


@pytest.mark.parametrize(
    ("host", "origin", "scheme", "trusted", "status"),
    [
        ("backlight.example", "https://backlight.example", "https", True, 200),
        ("backlight.example:443", "https://backlight.example", "https", True, 200),
        ("Backlight.Example.", "https://backlight.example:443", "https", True, 200),
        ("backlight.example", "http://backlight.example", "https", True, 403),
        ("backlight.example", "https://backlight.example:8443", "https", True, 403),
        ("backlight.example", "https://other.example", "https", True, 403),
        ("backlight.example", "https://backlight.example", "http", True, 200),
        ("backlight.example", "https://backlight.example", "https", False, 200),
        ("backlight.example", "http://backlight.example", "https", False, 200),
    ],
)
def test_behind_a_proxy_the_page_is_known_by_its_host(
    serve: Serve, host: str, origin: str, scheme: str, trusted: bool, status: int
) -> None:
    headers = {"Host": host, "Origin": origin, "X-Forwarded-Proto": scheme}
    proxies = "127.0.0.0/8" if trusted else ""
    with serve(FAKE_JOBS, hosts="backlight.example", trusted_proxies=proxies) as address:
        answer = httpx.post(f"{address}/v1/runs", json={"code": "x"}, headers=headers)
    assert answer.status_code == status
    assert ("strict-transport-security" in answer.headers) is (trusted and scheme == "https")


def test_origins_that_are_listed_may_do_everything(serve: Serve) -> None:
    with serve(FAKE_JOBS, origins="https://lab.example") as address, httpx.Client(base_url=address) as client:
        headers = {"Origin": "https://lab.example", "Sec-Fetch-Site": "cross-site"}
        answer = client.post("/v1/runs", json={"code": "x"}, headers=headers)
        assert answer.status_code == 200 and answer.headers["access-control-allow-origin"] == "https://lab.example"
        assert "Origin" in answer.headers.get_list("vary", split_commas=True)
        assert "Deletion-Token" in answer.headers["access-control-expose-headers"]
        asked = {**headers, "Access-Control-Request-Method": "DELETE"}
        preflight = client.request("OPTIONS", answer.headers["content-location"], headers=asked)
        assert preflight.status_code == 204 and "DELETE" in preflight.headers["access-control-allow-methods"]
        assert "Deletion-Token" in preflight.headers["access-control-allow-headers"]
        assert client.post("/v1/runs", json={"code": "x"}, headers={"Origin": FOREIGN}).status_code == 403
    with serve(FAKE_JOBS, origins="*") as address:
        answer = httpx.post(f"{address}/v1/runs", json={"code": "x"}, headers={"Origin": FOREIGN})
        assert answer.status_code == 200 and answer.headers["access-control-allow-origin"] == "*"
