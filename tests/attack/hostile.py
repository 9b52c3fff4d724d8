# ruff: noqa: E501 - tables of what to send are easier to read in long lines
"""Hostile requests, as bytes: JSON damaged and changed, odd bodies, header fields, methods, paths and framing."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Request:
    """Bytes to send. `kind` names the trick; at most `answers` may come back; `ends` half-closes after sending.

    A request that `hangs_up` closes at once and reads nothing.
    """

    kind: str
    data: bytes
    answers: int = 1
    ends: bool = False
    hangs_up: bool = False


VALID: tuple[Any, ...] = (
    {"code": "import torch\nx = torch.ones(2, requires_grad=True)\n(x * x).sum().backward()"},
    {"code": "print(1)", "options": {"seed": 7}},
    {
        "graph": {
            "tensors": {"x": {"data": [[1.0, 2.0], [3.0, 4.0]], "requires_grad": True}, "w": {"data": 2}},
            "ops": [
                {"op": "matmul", "inputs": ["x", "x"], "output": "y"},
                {"op": "mul", "inputs": ["y", "w"], "output": "z"},
                {"op": "sum", "inputs": ["z"], "arguments": {"dim": 0, "keepdim": True}, "output": "s"},
            ],
            "backward": [{"tensor": "s", "gradient": [[1.0, 1.0]], "retain_graph": True, "inputs": ["x"]}],
        }
    },
    {
        "graph": {
            "tensors": {"a": {"data": [1, 2, 3], "dtype": "float64", "requires_grad": True}, "i": {"data": [0, 2]}},
            "ops": [
                {"op": "cat", "inputs": [["a", "a"]], "output": "c"},
                {"op": "split", "inputs": ["c", 3], "outputs": ["p", "q"]},
                {"op": "index_select", "inputs": ["p", 0, "i"], "output": "r"},
            ],
            "backward": [{"tensor": "r", "gradient": "i"}],
        }
    },
)

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**30, 10**400, 0.5, -0.0, 1e308, 5e-324,
    "", "x", "y", "NaN", "Infinity", "-Infinity", "nan", "\x00", "\ud800", "\U0010ffff", "é" * 100, "x" * 5000, "../../etc/passwd",
    "__class__", "constructor", "sum", "matmul", "add_", "backward", "no_such_op", "float16", "object", "0x10", "%s%n", "{0.__class__}",
    "<script>", "'; DROP TABLE runs; --", [], [[]], [[], [1]], [1, [2]], ["x"], [None], [["x", "x"]], [1] * 3000, ["x"] * 300,
    {}, {"": 1}, {"x": {}}, {"data": 1}, {"op": "sum", "inputs": ["x"], "output": "x"}, {"tensor": "x"}, {"__proto__": 1},
    {"dim": []}, {"dim": 10**18}, {"dim": "x"}, {"size": [10**9, 10**9]}, {"p": -1}, {"other": "x"}, {"out": "x"}, {"dtype": "int8"},
)  # fmt: skip
CONSTANTS = (
    b"NaN",
    b"Infinity",
    b"-Infinity",
    b"1e999",
    b"-",
    b"01",
    b"1.",
    b".5",
    b"+1",
    b"0x1",
    b"nul",
    b"'x'",
    b"\\",
)
PATHS = (
    "/v1/runs", "/v1/runs/", "/v1/runs/aaaaaaaaaaaaaaaaaaaaaaaaaa", "/v1/runs/aaaaaaaaaaaaaaaaaaaaaaaaaa/values/v0",
    "/v1/runs/aaaaaaaaaaaaaaaaaaaaaaaaaa/graph.dot", "/v1/runs/%2e%2e/values/..%2f", "/v1/runs/" + "a" * 8000, "/v1/ops", "/v1/examples",
    "/v1/limits", "/v1/none", "/readyz", "/healthz", "/metrics", "/openapi.json", "/docs", "/problems/busy", "/problems/%00", "/", "//", "/.",
    "/../../etc/passwd", "/static/../app/config.py", "/static/%2e%2e/%2e%2e/etc/passwd", "/static/..%5c..%5cx", "/static/", "/static//etc/passwd",
    "/static/%00", "/%ff%fe", "/%", "/%zz", "/%E2%82", "/?" + "a=1&" * 2000, "/?%00=%ff", "/#x", "/;x", "/v1/runs?x=\u00e9", "*", "http://127.0.0.1/healthz",
    "http://other.example/healthz", "127.0.0.1:80", "/\u2028", "/a b", "/" + "a/" * 4000, "/r/aaaaaaaaaaaaaaaaaaaaaaaaaa", "/v1/runs/\ud83d",
)  # fmt: skip
KEPT = "r" * 26
"""Stands for the id of a run that the service keeps."""
ROUTES = (
    "/", "/l", "/l/{}", "/l/{}/{}", "/embed", "/embed/l/{}", "/embed/l/{}/{}", "/embed/r/{}", "/embed/r/{}/{}", "/compare", "/r/{}", "/r/{}/{}",
    "/openapi.json", "/llms.txt", "/docs", "/problems/{}", "/metrics", "/static/{}", "/preview/l/{}.png", "/preview/l/{}/{}.png", "/preview/r/{}.png",
    "/preview/r/{}/{}.png", "/oembed", "/v1/ops", "/v1/examples", "/v1/examples/{}/run", "/v1/limits", "/healthz", "/readyz", "/v1/runs", "/v1/runs/{}", "/v1/runs/{}/values/{}",
    "/v1/runs/{}/checks/{}", "/v1/runs/{}/graph.dot", "/v1/runs/{}/graph.mmd",
)  # fmt: skip
"""Every address that the service has, with places for what may stand there."""
PIECES = (
    KEPT, KEPT, KEPT, "a" * 26, "A" * 26, KEPT + "=", "backward", "first", "x", "t0", "v0", "0", "1", "-1", "+1", "007", "99999999999999999999", "1" * 5000, "1e3",
    "0x10", "1.0", "%D9%A3", "%EF%BC%91", "%00", "%0A", "%0D%0ASet-Cookie:%20a=b", "%2e%2e", "..", "%2f", "..%5c", "%ff", "%ED%A0%80", "%F0%9F%98%80", "%",
    "%7B%7B7*7%7D%7D", "%3Cscript%3E", "'", '"', "", "*", "~", "constructor", "__class__", "main.js", "a" * 3000, "js/../js/main.js", "%25%30%30", "\u00e9",
)  # fmt: skip
QUERIES = (
    "", "", "", "?", "?v=", "?v=%00", "?v=1&v=2", "?url=", "?url=http://localhost/r/" + KEPT, "?url=http://localhost/l/x%23step", "?url=http://localhost/%23code=" + "A" * 6000,
    "?url=http://[", "?url=http://localhost:99999/", "?url=//localhost/l", "?url=javascript:1", "?url=http://localhost/%23code=%00%ff", "?url=http://localhost/embed/r/" + KEPT + "/9",
    "?url=http://localhost/l&maxwidth=-1", "?url=http://localhost/l&maxwidth=" + "9" * 5000, "?url=http://localhost/l&maxwidth=%D9%A3&maxheight=1", "?url=a&url=b",
    "?format=xml", "?check=x", "?check=%ED%A0%80", "?check=%00", "?check=" + "x" * 300, "?check=x&check=" * 9, "?url=http://localhost/&format=json", "?url=http://%ED%A0%80/", "?url=http://xn--a/", "?values=%ff", "?x=" + "%00" * 900, "?" + "&" * 3000, "?=&==&%=%",
)  # fmt: skip
ASKED = (
    ("Range", "bytes=0-0"), ("Range", "bytes=5-1"), ("Range", "bytes=-0"), ("Range", "bytes=0-99999999999999999999"), ("Range", "bytes=" + "0-0," * 400),
    ("Range", "items=0-5"), ("If-Range", '"x"'), ("If-None-Match", "*"), ("If-None-Match", 'W/"' + "x" * 900), ("If-None-Match", ", ,"), ("If-Match", '"x"'),
    ("Accept", "image/png;q=nan"), ("Accept-Encoding", "identity;q=0"), ("Accept-Encoding", "gzip;q=1e9"), ("Accept-Language", "x" * 900),
    ("Access-Control-Request-Method", "DELETE"), ("Origin", "http://localhost"), ("Origin", "https://evil.example"), ("Deletion-Token", "x"), ("Deletion-Token", "\u00e9" * 90),
    ("Deletion-Token", "a" * 26), ("X-Forwarded-Prefix", "/x\"><script>"), ("X-Forwarded-Host", "evil.example"), ("Sec-Fetch-Dest", "iframe"),
)  # fmt: skip
METHODS = (
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "PURGE", "get", "G\u00cbT",
    "QUERY", "M-SEARCH", "X" * 300, "",
)  # fmt: skip
FIELDS = (
    ("Content-Type", "text/plain"), ("Content-Type", ""), ("Content-Type", "application/json; charset=utf-16"),
    ("Content-Type", "application/json; charset=\u00fc"), ("Content-Type", "multipart/form-data; boundary=x"), ("Content-Encoding", "gzip"),
    ("Content-Encoding", "br, gzip"), ("Content-Encoding", "x" * 500), ("Accept", "text/html"), ("Accept", "\x00"), ("Accept-Encoding", "gzip;q=\u221e"),
    ("Accept-Encoding", "*;q=0"), ("Accept-Encoding", "br;q=1, gzip;q=x"), ("If-None-Match", "*"), ("If-None-Match", '"' * 400), ("If-Modified-Since", "never"),
    ("Range", "bytes=0-0"), ("Range", "bytes=-999999999999"), ("Expect", "100-continue"), ("Expect", "everything"), ("Upgrade", "websocket"),
    ("Upgrade", "h2c"), ("Connection", "Upgrade, HTTP2-Settings"), ("Connection", "close, close"), ("Host", ""), ("Host", "x" * 4000),
    ("Host", "a b"), ("X-Request-ID", "\u00e9"), ("X-Request-ID", "x" * 5000), ("X-Request-ID", "a\tb"), ("X-Forwarded-For", "1.2.3.4"), ("X-Forwarded-For", "x, " * 500),
    ("Forwarded", "for=;;;"), ("Forwarded", 'for="[::1'), ("X-Forwarded-Proto", "javascript"), ("Origin", "null"), ("Origin", "\u00e9"),
    ("Cookie", "a=" + "b" * 6000), ("Transfer-Encoding", "identity"), ("Transfer-Encoding", "gzip, chunked"), ("TE", "trailers"), ("Trailer", "Content-Length"),
    ("Content-Length", "-1"), ("Content-Length", "+5"), ("Content-Length", "0x5"), ("Content-Length", "5, 5"), ("Content-Length", "99999999999999999999"),
    ("Content-Length", "1e3"), ("Content-Length", ""), ("Access-Control-Request-Method", "\u00e9"), ("Access-Control-Request-Method", "POST"),
    ("Proxy-Connection", "keep-alive"), ("Max-Forwards", "0"), ("Sec-Fetch-Site", "cross-site"), (":path", "/x"), ("a b", "1"), ("\u00e9", "1"), ("", "1"),
)  # fmt: skip


def encoded(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=True).encode()


def post(body: bytes, *fields: tuple[str, str], length: bool = True) -> bytes:
    """A POST of this body, with these fields beside or instead of the usual ones."""
    given = {name.lower() for name, _ in fields}
    usual = [("Host", "localhost"), ("Content-Type", "application/json"), ("Connection", "close")]
    if length:
        usual.append(("Content-Length", str(len(body))))
    return head("POST", "/v1/runs", [*(field for field in usual if field[0].lower() not in given), *fields]) + body


def head(method: str, path: str, fields: list[tuple[str, str]], version: str = "HTTP/1.1") -> bytes:
    lines = [f"{method} {path} {version}", *(f"{name}: {value}" for name, value in fields), "", ""]
    return "\r\n".join(lines).encode("utf-8", "surrogatepass")


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything inside a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def changed(draw: random.Random, value: Any) -> Any:
    """A JSON value with one place replaced, removed, repeated, renamed, wrapped or swapped with another."""
    value = deepcopy(value)
    path = draw.choice(list(places(value)))
    if not path:
        return draw.choice(VALUES)
    around = value
    for key in path[:-1]:
        around = around[key]
    key, hostile = path[-1], draw.choice(VALUES)
    action = draw.choice(["replace", "replace", "replace", "remove", "wrap", "rename", "grow", "swap"])
    if action == "replace":
        around[key] = hostile
    elif action == "remove":
        del around[key]
    elif action == "wrap":
        around[key] = draw.choice([[around[key]], {"data": around[key]}, [[[around[key]]]]])
    elif action == "rename" and isinstance(around, dict):
        around[hostile if isinstance(hostile, str) else "renamed"] = around.pop(key)
    elif action == "grow" and isinstance(around, list):
        around.extend(deepcopy(around) * draw.choice([1, 30]))
    elif isinstance(around, list):
        draw.shuffle(around)
    else:
        around[draw.choice(list(around))] = around[key]
    return value


def mutated_graph(draw: random.Random) -> Request:
    body = draw.choice(VALID)
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        body = changed(draw, body)
    return Request("changed JSON", post(encoded(body)))


def mutated_text(draw: random.Random) -> Request:
    """JSON with its bytes damaged, or with what JSON does not have."""
    body = bytearray(encoded(draw.choice(VALID)))
    at = draw.randrange(len(body))
    action = draw.randrange(6)
    if action == 0:
        body[at] = draw.randrange(256)
    elif action == 1:
        del body[at : at + draw.randrange(1, 20)]
    elif action == 2:
        body[at:at] = draw.choice(CONSTANTS)
    elif action == 3:
        body[at:at] = draw.randbytes(draw.randrange(1, 8))
    elif action == 4:
        body = bytearray(draw.choice(CONSTANTS).join(bytes(body).split(b"1")))
    else:
        body = bytearray(bytes(body).replace(b'"x"', draw.choice([b'"\\ud800"', b'"\xff"', b'"\\u0000"', b'"x","x"'])))
    return Request("damaged JSON", post(bytes(body)))


def odd_body(draw: random.Random) -> Request:
    """Bodies that are not a request at all."""
    n = draw.choice([3, 60, 70, 3000, 50_000])
    body = draw.choice(
        [
            b"", b" " * n, b"[" * n, b'{"a":' * n, b"[" * n + b"]" * n, b'"' * n, b"\\" * n, b"0" * n, b"9" * n, b"1e" + b"9" * n,
            b'{"code": "' + b"\\u0041" * n + b'"}', b'{"code": "' + b"(" * n + b'"}', b'{"code": "' + b"x=" * n + b'1"}',
            b'{"code": 1, "code": 2}', b'{"code": "", "code": ""}', b"\xef\xbb\xbf{}", "{}".encode("utf-16"), "{}".encode("utf-32"),
            b'{"graph": {"tensors": {"x": {"data": ' + b"[" * n + b"1" + b"]" * n + b"}}}}",
            b'{"graph": {"tensors": {"x": {"data": [' + b",".join([b"1"] * n) + b"]}}}}",
            b'{"graph": {"tensors": {' + b",".join(b'"t%d": {"data": 1}' % i for i in range(min(n, 3000))) + b"}}}",
            b'{"code": null, "graph": null}', b'{"code": "", "graph": {"tensors": {}}}', b'{"options": {}}', b"null", b"true", b"[]", b'""', b"0",
            draw.randbytes(n), b"\x1f\x8b" + draw.randbytes(50), b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]>", b"code=print(1)",
        ]
    )  # fmt: skip
    return Request("other bodies", post(body))


def odd_field(draw: random.Random) -> Request:
    name, value = draw.choice(FIELDS)
    fields = [(name, value)] * draw.choice([1, 1, 2, 50])
    body = encoded(VALID[1])
    if draw.random() < 0.5:
        return Request("header fields", post(body, *fields), ends=True)
    usual = [("Host", "localhost"), ("Connection", "close")]
    usual = [field for field in usual if field[0] != name]
    return Request("header fields", head("GET", draw.choice(PATHS[:16]), [*usual, *fields]), ends=True)


def odd_line(draw: random.Random) -> Request:
    version = draw.choice(
        ["HTTP/1.1"] * 8 + ["HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/9.9", "http/1.1", "HTTP/1.1 x", "", "RTSP/1.0"]
    )
    fields = [("Host", "localhost"), ("Connection", "close")]
    return Request("methods and paths", head(draw.choice(METHODS), draw.choice(PATHS), fields, version), ends=True)


def address(draw: random.Random) -> Request:
    """Every route, with what nobody would put there."""
    route = draw.choice(ROUTES)
    target = route.format(*(draw.choice(PIECES) for _ in range(route.count("{}"))))
    body = encoded(draw.choice(VALID)) if route == "/v1/runs" else b"{}"
    method = draw.choice(["GET"] * 6 + ["HEAD", "HEAD", "OPTIONS", "DELETE", "POST", "PUT"])
    fields = [("Host", "localhost"), ("Connection", "close"), *draw.sample(ASKED, draw.choice([0, 0, 1, 2]))]
    if method == "POST":
        fields = [*fields, ("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    return Request(
        "addresses", head(method, target + draw.choice(QUERIES), fields) + body * (method == "POST"), ends=True
    )


def flood(draw: random.Random) -> Request:
    """Headers without end."""
    n = draw.choice([50, 500, 5000])
    fields = draw.choice(
        [
            [(f"X-{number}", "1") for number in range(n)],
            [("X", "y" * n * 20)],
            [("X" * n * 20, "y")],
            [("Cookie", "a=b")] * n,
            [("X", "y\r\n z" * n)],
        ]
    )
    return Request(
        "header floods", head("GET", "/healthz", [("Host", "localhost"), ("Connection", "close"), *fields]), ends=True
    )


SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def ambiguous(draw: random.Random) -> Request:
    """Two readings of where the body ends: whoever takes one must not answer the request hidden in the other."""
    body = encoded(VALID[1])
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    coding = draw.choice(
        [
            "chunked", " chunked", "chunked ", "\tchunked", "Chunked", "xchunked", "chunked, identity", "identity, chunked", "chunked, chunked",
            "\x0bchunked", "chunked\x00", '"chunked"', "chunked;x=1", ",chunked",
        ]
    )  # fmt: skip
    name = draw.choice(
        [
            "Transfer-Encoding",
            "transfer-encoding",
            "Transfer-Encoding ",
            " Transfer-Encoding",
            "Transfer_Encoding",
            "Transfer-Encoding\x00",
        ]
    )
    lengths = draw.choice(
        [["0"], [str(len(chunked))], [str(len(body))], ["0", str(len(chunked))], ["5", "5"], ["0 0"], ["\t6"]]
    )
    fields = [("Host", "localhost"), ("Content-Type", "application/json"), (name, coding)]
    fields += [("Content-Length", length) for length in lengths]
    if draw.random() < 0.3:
        fields = [field for field in fields if field[0] != name]
    draw.shuffle(fields)
    return Request("ambiguous framing", head("POST", "/v1/runs", fields) + chunked + SMUGGLED, answers=2, ends=True)


def broken_chunks(draw: random.Random) -> Request:
    size = draw.choice(
        [
            b"5",
            b"-5",
            b"0x5",
            b"5 ",
            b" 5",
            b"",
            b"g",
            b"ffffffffffffffff",
            b"00000000005",
            b"5;a=b",
            b'5;a="\r\n"',
            b"5;" + b"x" * 40_000,
            b"5\x00",
            b"FFFFFFFFFFFFFFFFF",
        ]
    )
    chunk = draw.choice([b"abcde\r\n", b"abcde", b"abc\r\n", b"abcdefgh\r\n", b"\r\n", b"abcde\n"])
    end = draw.choice(
        [
            b"0\r\n\r\n",
            b"0\r\n",
            b"0\r\nX: y\r\n\r\n",
            b"0\r\nContent-Length: 5\r\n\r\n",
            b"",
            b"0\r\n" + b"T: x\r\n" * 3000 + b"\r\n",
        ]
    )
    newline = draw.choice([b"\r\n", b"\n", b"\r"])
    data = post(b"", ("Transfer-Encoding", "chunked"), length=False) + size + newline + chunk + end
    return Request("broken chunks", data, ends=True)


def many_chunks(draw: random.Random) -> Request:
    body = encoded(VALID[1])
    data = b"".join(b"1\r\n%c\r\n" % letter for letter in body) + b"0\r\n\r\n"
    return Request("tiny chunks", post(b"", ("Transfer-Encoding", "chunked"), length=False) + data)


def pipeline(draw: random.Random) -> Request:
    count = draw.choice([2, 5, 20])
    body = encoded(VALID[1])
    one = draw.choice(
        [
            head("GET", "/healthz", [("Host", "localhost")]),
            head("GET", "/v1/none", [("Host", "localhost")]),
            post(body, ("Connection", "keep-alive")),
        ]
    )
    return Request("pipelining", one * count, answers=count, ends=True)


def early_close(draw: random.Random) -> Request:
    data = post(encoded(draw.choice(VALID)))
    return Request("hanging up", data[: draw.randrange(len(data) + 1)], hangs_up=draw.random() < 0.8, ends=True)


def other_protocol(draw: random.Random) -> Request:
    data = draw.choice(
        [
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00", b"GET /\r\n", b"GET /\r\n\r\n", b"\r\n" * 100, b"\n\n\n", b"\x00" * 100,
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + draw.randbytes(200), b"SSH-2.0-x\r\n", b"EHLO x\r\n", b"\x05\x01\x00", draw.randbytes(300),
            b"GET / HTTP/1.1\nHost: localhost\n\n", b"GET / HTTP/1.1\rHost: localhost\r\r", b" GET / HTTP/1.1\r\n\r\n", b"GET  /  HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\n Host: localhost\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost\r\n\r\n", b"GET / HTTP/1.1\r\n: b\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: localhost\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n",
            b"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{}", b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
            b"CONNECT example.org:443 HTTP/1.1\r\nHost: localhost\r\n\r\n" + b"\x16\x03\x01",
        ]
    )  # fmt: skip
    return Request("other protocols", data, answers=2, ends=True)


KINDS: tuple[tuple[int, Callable[[random.Random], Request]], ...] = (
    (30, mutated_graph), (12, mutated_text), (10, odd_body), (12, odd_field), (12, odd_line), (25, address), (2, flood), (8, ambiguous),
    (6, broken_chunks), (1, many_chunks), (2, pipeline), (6, early_close), (6, other_protocol),
)  # fmt: skip


def requests(count: int) -> Iterator[Request]:
    """The same requests in every campaign."""
    weights, makers = zip(*KINDS, strict=True)
    for number in range(count):
        draw = random.Random(number)
        yield draw.choices(makers, weights)[0](draw)
