"""A worker's reply, held against the table of what it may be before anything of it is read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.logs import Complaints, quoted
from app.workers.replies import check, legible
from app.workers.wire import MAX_PARTS, Frame, TooLarge, WireError, decode_header

PROBLEM = {"problem": "run-memory-limit", "detail": "The program needs more memory than it may use."}
GOOD: list[tuple[str, dict[str, Any], list[str]]] = [
    ("run", {"status": "ok"}, ["document"]),
    ("run", {"status": "error"}, ["document", "value:v7", "value:v123456789"]),
    ("run", {"status": "error", "passing": True}, ["document"]),
    ("value", {}, ["body"]),
    ("graph.dot", {}, ["body"]),
    ("run", PROBLEM, []),
    ("run", {**PROBLEM, "limit": 1, "errors": [{"pointer": "/graph", "detail": "no"}], "log": "x" * 8000}, []),
    ("value", {**PROBLEM, "problem": "unknown-value"}, []),
    ("check", {**PROBLEM, "problem": "unknown-check"}, []),
    ("run", {"fault": "Traceback"}, []),
]
BAD: list[tuple[str, dict[str, Any], list[str]]] = [
    ("run", {}, ["document"]),
    ("run", {"status": "ok"}, []),
    ("run", {"status": "ok"}, ["body"]),
    ("run", {"status": "ok"}, ["value:v0", "document"]),
    ("run", {"status": "ok"}, ["document", "document"]),
    ("run", {"status": "ok"}, ["document", "value:v0", "value:v0"]),
    ("run", {"status": "ok"}, ["document", "request"]),
    ("run", {"status": "ok"}, ["document", "values/v0"]),
    ("run", {"status": "ok"}, ["document", "\ud800"]),
    ("run", {"status": "ok"}, ["document", "value:v\u0664"]),
    ("run", {"status": "ok"}, ["document", "value:v0\n"]),
    ("run", {"status": "ok"}, ["document", "value:v1234567890"]),
    ("run", {"status": "ok"}, ["document", *(f"value:v{n}" for n in range(MAX_PARTS + 1))]),
    ("run", {"status": "fine"}, ["document"]),
    ("run", {"status": ["ok"]}, ["document"]),
    ("run", {"status": "ok", "cpu_seconds": 0.0}, ["document"]),
    ("run", {"status": "ok", "retire": True}, ["document"]),
    ("run", {"status": "ok", "passing": False}, ["document"]),
    ("run", {"status": "ok", "passing": 1}, ["document"]),
    ("run", {"status": "ok", **PROBLEM}, ["document"]),
    ("value", {"status": "ok"}, ["body"]),
    ("value", {}, ["body", "body"]),
    ("value", {}, ["document"]),
    ("run", PROBLEM, ["document"]),
    ("run", {"problem": "run-memory-limit"}, []),
    ("run", {**PROBLEM, "detail": 1}, []),
    ("run", {**PROBLEM, "detail": "x" * 1001}, []),
    ("run", {**PROBLEM, "limit": "1"}, []),
    ("run", {**PROBLEM, "limit": True}, []),
    ("run", {**PROBLEM, "limit": -1}, []),
    ("run", {**PROBLEM, "limit": 1 << 64}, []),
    ("run", {**PROBLEM, "limit": float("inf")}, []),
    ("run", {**PROBLEM, "limit": float("nan")}, []),
    ("run", {**PROBLEM, "errors": {}}, []),
    ("run", {**PROBLEM, "errors": ["no"]}, []),
    ("run", {**PROBLEM, "errors": [{"pointer": "/", "detail": "no"}] * 21}, []),
    ("run", {**PROBLEM, "errors": [{"pointer": "/", "detail": "no", "x": ""}]}, []),
    ("run", {**PROBLEM, "log": "x" * 900_000}, []),
    ("run", {**PROBLEM, "headers": {}}, []),
    ("run", {**PROBLEM, "problem": ["busy"]}, []),
    ("run", {"fault": 1}, []),
    ("run", {"fault": "x", "log": "y"}, []),
    ("run", {"fault": "x"}, ["document"]),
    *(("run", {**PROBLEM, "problem": slug}, []) for slug in (
        "busy", "over-budget", "too-many-at-once", "internal-error", "not-ready", "not-found", "unknown-run",
        "unknown-value", "unknown-check", "made-up", "",
    )),
]  # fmt: skip


@pytest.mark.parametrize("reply", GOOD, ids=range(len(GOOD)))
def test_what_a_worker_may_answer(reply: tuple[str, dict[str, Any], list[str]]) -> None:
    check(*reply)


@pytest.mark.parametrize("reply", BAD, ids=range(len(BAD)))
def test_everything_else_is_refused(reply: tuple[str, dict[str, Any], list[str]]) -> None:
    with pytest.raises(WireError):
        check(*reply)


def test_a_frame_comes_back_as_it_was() -> None:
    raw = Frame({"status": "ok"}, {"document": b"abc", "value:v0": b""}).encode()
    assert decode_header(raw[4:-3], 3) == ({"status": "ok"}, [("document", 3), ("value:v0", 0)])


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"x", b"[]", b"{}", b"null", b"1e999", b'{"header": {}}', b'{"parts": []}', b'{"header": [], "parts": []}',
        b'{"header": {}, "parts": {}}', b'{"header": {}, "parts": {"ab": 1}}', b'{"header": {}, "parts": "ab"}',
        b'{"header": {}, "parts": [], "more": 1}', b'{"header": {}, "parts": [["document"]]}',
        b'{"header": {}, "parts": [["document", -1]]}', b'{"header": {}, "parts": [["document", 1.0]]}',
        b'{"header": {}, "parts": [["document", "1"]]}', b'{"header": {}, "parts": [["document", true]]}',
        b'{"header": {}, "parts": [["document", 1e999]]}', b'{"header": {}, "parts": [["document", Infinity]]}',
        b'{"header": {}, "parts": [["document", NaN]]}', b'{"header": {}, "parts": [[1, 1]]}',
        b'{"header": {}, "header": {}, "parts": []}', b'{"header": {"a": 1, "a": 2}, "parts": []}',
        b'{"header": {"limit": NaN}, "parts": []}', b'{"header": {}, "parts": []} x', b"\xff", b'"\xff"',
        b'{"header": ' + b"[" * 500_000, b'{"header": ' + b'{"a":' * 150_000,
        b'{"header": {"limit": ' + b"1" * 10_000 + b'}, "parts": []}',
    ],
)  # fmt: skip
def test_what_is_no_frame_is_refused(raw: bytes) -> None:
    with pytest.raises(WireError):
        decode_header(raw, 1 << 20)


def test_sizes_are_refused_before_anything_is_read() -> None:
    for parts in ([["document", 101]], [["a", 60], ["b", 60]], [["document", 1 << 80]], [["a", 0]] * (MAX_PARTS + 1)):
        with pytest.raises(TooLarge):
            decode_header(json.dumps({"header": {}, "parts": parts}).encode(), 100)


def test_a_workers_words_are_one_line_that_forges_nothing(caplog: pytest.LogCaptureFixture) -> None:
    assert quoted("ok\n2026-01-01 ERROR root: forged\x1b[2J\u2028" + "x" * 5, 40).count("\n") == 0
    assert len(quoted("x" * 10**6)) < 3000 and quoted("\ud800é").isascii()
    assert legible("a\nb\x00c\ud800é") == "a\ufffdb\ufffdc\ufffdé"
    times = iter([0.0] * 1000 + [5.0] * 1000)
    complaints = Complaints("tests", clock=lambda: next(times))
    for _ in range(999):
        complaints.say("again %d", 1)
    assert len(caplog.records) == Complaints.BURST
    complaints.say("again %d", 2)
    assert caplog.messages[-1] == f"again 2 (and {999 - Complaints.BURST} more like it)"
