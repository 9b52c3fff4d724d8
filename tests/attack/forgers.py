"""Jobs of workers that are in the hands of their program: they send bytes of their own instead of a reply.

The program `forge NAME` sends what `FORGERIES` has under that name; `later NAME` is answered honestly, and what is
asked about it afterwards is not. Every other program is that of `tests.service.fake_jobs`.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import struct
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from app.schema import RunDocument
from app.workers.encoding import compress, encode, pack
from app.workers.wire import Frame
from tests.service import fake_jobs

REPLY = 3  # the descriptor of the socket to the service
FOREIGN = "b" * 26
"""The id of a run that nobody made."""
FORGED = "2026-01-01 00:00:00,000 ERROR backlight: forged"
MEGABYTE = 1 << 20

describe, prepare, leave = fake_jobs.describe, fake_jobs.prepare, fake_jobs.leave
warm, LIBRARIES = fake_jobs.warm, fake_jobs.LIBRARIES

Fields = Mapping[str, Any]
Steps = Iterable[bytes | Callable[[], None]]
Forgery = Callable[[Fields], Steps]


def handle(kind: str, fields: Fields, parts: Mapping[str, bytes], *answer: Any) -> Frame:
    word, name = intent(parts)
    if word == "forge" or (word == "later" and kind != "run"):
        try:
            for step in FORGERIES[name](fields):
                if callable(step):
                    step()
                else:
                    send(step)
        except OSError:
            pass
        os._exit(0)
    return fake_jobs.handle(kind, fields, parts)


def intent(parts: Mapping[str, bytes]) -> tuple[str, str]:
    """What the program of a job wants: of a run that is repeated, or whose document is at hand."""
    if "document" in parts:
        request = json.loads(gzip.decompress(parts["document"]))["globals"]["request"]
    elif "request" in parts:
        request = json.loads(parts["request"])
    else:
        return "", ""
    word, _, name = (request.get("code") or "").partition(" ")
    return word, name.partition(" #")[0]


def send(piece: bytes) -> None:
    view = memoryview(piece)
    while view:
        view = view[os.write(REPLY, view) :]


def framed(header: bytes, *parts: bytes, size: int | None = None) -> bytes:
    return struct.pack("!I", len(header) if size is None else size) + header + b"".join(parts)


def reply(header: Any, parts: Mapping[str, bytes] | None = None) -> bytes:
    """A frame that is well formed, whatever it says."""
    parts = parts or {}
    head = json.dumps({"header": header, "parts": [[name, len(part)] for name, part in parts.items()]})
    return framed(head.encode(), *parts.values())


def with_parts(parts: str, *bodies: bytes) -> bytes:
    """A reply whose list of parts is this text."""
    return framed(b'{"header": {"status": "ok"}, "parts": %s}' % parts.encode(), *bodies)


def made(fields: Fields, **changes: Any) -> dict[str, Any]:
    return {**fake_jobs.document(fields), **changes}


def named(fields: Fields) -> bytes:
    """A document in gzip with a file's name."""
    body = zipped(text(fields))
    return b"\x1f\x8b\x08\x08" + body[4:10] + b"x\0" + body[10:]


def text(fields: Fields, **changes: Any) -> bytes:
    return json.dumps(made(fields, **changes)).encode()


def zipped(content: bytes) -> bytes:
    return gzip.compress(content, 1, mtime=0)


def bomb(size: int, before: bytes = b"", after: bytes = b"", wbits: int = 31) -> bytes:
    """Spaces in a few bytes, between others."""
    packer = zlib.compressobj(1, wbits=wbits)
    spaces = b" " * MEGABYTE
    pieces = [packer.compress(before), *(packer.compress(spaces) for _ in range(size // MEGABYTE))]
    return b"".join([*pieces, packer.compress(after), packer.flush()])


def document(body: bytes, **parts: bytes) -> bytes:
    return reply({"status": "ok"}, {"document": body, **parts})


def honest(fields: Fields) -> bytes:
    return document(zipped(text(fields)))


RAW: dict[str, bytes] = {
    "nothing": b"",
    "one byte": b"\0",
    "a header of no bytes": framed(b""),
    "a header of 4 GB": framed(b"{}", size=(1 << 32) - 1),
    "a header of 2 MB": framed(b" " * 2 * MEGABYTE),
    "half a header": framed(b'{"header": {}', size=100),
    "HTTP": b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n",
    "lines for the fork server": b"exited 1 0 0.0 0\nforked 1\nkill 1\nready 1 {}\n" * 100,
    "noise": bytes(random.Random(1).randbytes(100_000)),
    **{f"a header that is {name}": framed(raw) for name, raw in {
        "empty": b"{}", "a list": b"[]", "null": b"null", "a number": b"1e999", "text": b'"x"', "no JSON": b"hello",
        "not UTF-8": b"\xff\xfe", "UTF-16": '{"header": {}, "parts": []}'.encode("utf-16"), "cut": b'{"header": {"st',
        "without parts": b'{"header": {"status": "ok"}}', "without a header": b'{"parts": []}',
        "followed by more": b'{"header": {}, "parts": []} {}', "all zeros": bytes(1000),
        "of lists to 500,000": b"[" * 500_000, "of objects to 100,000": b'{"a":' * 100_000,
        "nested within": b'{"header": {"status": ' + b"[" * 300_000 + b"]" * 300_000 + b'}, "parts": []}',
        "nested in its parts": b'{"header": {}, "parts": ' + b"[" * 300_000 + b"]" * 300_000 + b"}",
        "a header twice": b'{"header": {}, "header": {"status": "ok"}, "parts": []}',
        "a status twice": b'{"header": {"status": "ok", "status": "error"}, "parts": []}',
        "with more members": b'{"header": {"status": "ok"}, "parts": [], "control": "kill 1"}',
        "of many members": b'{"header": {%s}, "parts": []}' % b",".join(b'"%d":1' % n for n in range(90_000)),
        "a huge number": b'{"header": {"limit": ' + b"9" * 5000 + b'}, "parts": []}',
    }.items()},
    **{f"parts that are {parts}": with_parts(parts) for parts in (
        "null", "{}", "1", '"document"', "[[]]", '[["document"]]', '["document"]', "[1]", '[["document", null]]',
        '[["document", -1]]', '[["document", 1.0]]', '[["document", "1"]]', '[["document", true]]',
        '[["document", 1e999]]', '[["document", Infinity]]', '[["document", -Infinity]]', '[["document", NaN]]',
        '[["document", 1e400]]', '[["document", 99999999999999999999999]]', '[["document", 1073741824]]',
        '[["document", 20000000], ["value:v0", 20000000]]', '[["document", 0]]', "[[null, 0]]", "[[1, 0]]",
        '[[["document"], 0]]', '[["document", 0], ["document", 0]]', '[["document", 0, 0]]', '[["document", [0]]]',
    )},
    "parts without end": with_parts("[" + ",".join('["value:v0", 0]' for _ in range(60_000)) + "]"),
    "parts of many names": with_parts("[" + ",".join(f'["value:v{n}", 0]' for n in range(40_000)) + "]"),
}  # fmt: skip

PROBLEM = {"problem": "run-memory-limit", "detail": "no"}
HEADERS: dict[str, Any] = {
    **{f"the problem {slug!r}": {**PROBLEM, "problem": slug} for slug in (
        "busy", "over-budget", "too-many-at-once", "internal-error", "not-ready", "not-found", "method-not-allowed",
        "unknown-run", "unknown-value", "unknown-check", "invalid-json", "body-too-large", "made up", "", 1, None,
        ["busy"], {"a": 1}, True, "\ud800", "run-crashed\n" + FORGED, "x" * 100_000,
    )},
    **{f"a detail that is {name}": {**PROBLEM, "detail": detail} for name, detail in {
        "null": None, "a number": 1, "a list": ["x"], "long": "x" * 100_000, "an object": {"a": 1},
    }.items()},
    **{f"the limit {limit!r:.30}": {**PROBLEM, "limit": limit} for limit in (
        -1, True, "1", None, [1], float("inf"), float("nan"), 1e308, 1 << 64, 10**400, {"a": 1},
    )},
    **{f"errors that are {name}": {**PROBLEM, "errors": errors} for name, errors in {
        "text": "x", "an object": {}, "numbers": [1], "empty objects": [{}],
        "too many": [{"pointer": "/", "detail": "x"}] * 21,
        "long": [{"pointer": "/", "detail": "x" * 100_000}], "more": [{"pointer": "/", "detail": "x", "html": "<b>"}],
        "lists": [[["/"]]],
    }.items()},
    **{f"also {name}": {**PROBLEM, name: value} for name, value in {
        "status": 500, "headers": {"Set-Cookie": "a=b"}, "retire": True, "cpu_seconds": 0.0, "type": "/problems/busy",
        "fix": "x", "request_id": "x", "fault": "x", "kind": "ops",
    }.items()},
    "a log of 900 KB": {**PROBLEM, "log": "x" * 900_000},
    "a log that is none": {**PROBLEM, "log": ["x"]},
    "a fault that is none": {"fault": 1},
    "a fault of 900 KB": {"fault": "x" * 900_000},
    "no status": {},
    **{f"the status {status!r:.30}": {"status": status} for status in (
        "", "fine", "OK", 200, None, ["ok"], "ok\n", True,
    )},
    **{f"the processor time {seconds!r}": {"status": "ok", "cpu_seconds": seconds} for seconds in (
        0, -1e9, 1e308, float("inf"), float("nan"), "x",
    )},
    **{f"passing {value!r}": {"status": "ok", "passing": value} for value in (False, 1, "true", None)},
}  # fmt: skip

WORDS: dict[str, Any] = {
    "a line of the log in its log": {**PROBLEM, "log": f"x\n{FORGED}\r\n{FORGED}\x1b[2J\u2028{FORGED}"},
    "a line of the log in its fault": {"fault": f"x\n{FORGED}\n" + "\ud800\x00\x07" * 100 + f"\n{FORGED}"},
    "control characters in its detail": {**PROBLEM, "detail": f"a\r\nX-Forged: 1\r\n\r\n\x00\ud800\x1b[2J{FORGED}"},
    "markup in its detail": {**PROBLEM, "detail": "<script>alert(1)</script>"},
}
"""Replies that are well formed: the words are the worker's, what becomes of them is not."""

NAMES = (
    "\ud800", "", ".", "..", "../document", "request", "seed", "values/v0", "graph.dot", "checks/t0", "value:",
    "value:v", "value:v-1", "value:v0\n", "value:v0 ", "VALUE:v0", "value:v0\0", "value:v" + "1" * 300, "value:v\u0663",
    "body",
    "document ", "Document", "\u0000", "x" * 10_000, "value:v1e9", "value:v0/../document", FOREIGN, "key", "token",
)  # fmt: skip

MEMBERS = b"".join(map(b',"%d":1'.__mod__, range(10**6)))
DOCUMENTS: dict[str, Callable[[Fields], bytes]] = {
    "nothing": lambda fields: b"",
    "no gzip": text,
    "zlib": lambda fields: zlib.compress(text(fields)),
    "bare deflate": lambda fields: zlib.compress(text(fields))[2:-4],
    "cut": lambda fields: zipped(text(fields))[:-20],
    "no trailer": lambda fields: zipped(text(fields))[:-8],
    "another checksum": lambda fields: zipped(text(fields))[:-8] + b"\1\2\3\4" + zipped(text(fields))[-4:],
    "a size of 1": lambda fields: zipped(text(fields))[:-4] + b"\1\0\0\0",
    "a size of 4 GB": lambda fields: zipped(text(fields))[:-4] + b"\xff" * 4,
    "a byte after it": lambda fields: zipped(text(fields)) + b"\0",
    "two members": lambda fields: zipped(text(fields)) * 2,
    "halves in two members": lambda fields: zipped(text(fields)[:99]) + zipped(text(fields)[99:]),
    "an empty member": lambda fields: zipped(text(fields)) + zipped(b""),
    "a name in gzip": named,
    "a bomb of 100 MB": lambda fields: bomb(100 * MEGABYTE, text(fields)[:-1], b"}"),
    "a bomb that lies": lambda fields: bomb(100 * MEGABYTE, text(fields)[:-1], b"}")[:-4] + b"\0\1\0\0",
    "empty": lambda fields: zipped(b""),
    "words": lambda fields: zipped(b"<script>alert(1)</script>"),
    "a list": lambda fields: zipped(b"[" + text(fields) + b"]"),
    "an empty object": lambda fields: zipped(b"{}"),
    "two objects": lambda fields: zipped(text(fields) + text(fields)),
    "more behind a zero": lambda fields: zipped(text(fields) + b"\0{}"),
    "UTF-16": lambda fields: zipped(text(fields).decode().encode("utf-16")),
    "a surrogate in UTF-8": lambda fields: zipped(text(fields, stdout="@").replace(b"@", b"\xed\xa0\x80")),
    "not UTF-8": lambda fields: zipped(text(fields, stdout="@").replace(b"@", b"\xff")),
    "a raw line break": lambda fields: zipped(text(fields, stdout="@").replace(b"@", b"\n")),
    "NaN": lambda fields: zipped(text(fields, limits={"fuel_used": float("nan")})),
    "a mark of byte order": lambda fields: zipped(b"\xef\xbb\xbf" + text(fields)),
    "Python": lambda fields: zipped(repr(made(fields)).encode()),
    "a comma too many": lambda fields: zipped(text(fields)[:-1] + b",}"),
    "lists to 200": lambda fields: zipped(text(fields, events=["@"]).replace(b'"@"', b"[" * 200 + b"]" * 200)),
    "lists to 4,000,000": lambda fields: zipped(text(fields, events=["@"]).replace(b'"@"', b"[" * 4 * 10**6)),
    "objects to 500,000": lambda fields: zipped(text(fields)[:-1] + b',"x":' + b'{"a":' * 500_000),
    "a million members": lambda fields: zipped(text(fields)[:-1] + MEMBERS + b"}"),
    "a member unknown": lambda fields: zipped(text(fields, surprise="<script>")),
    "its id twice": lambda fields: zipped(text(fields)[:-1] + b',"id":"' + FOREIGN.encode() + b'"}'),
    "its id twice, spelt otherwise": lambda fields: zipped(text(fields)[:-1] + b',"\\u0069d":"x"}'),
    "half of a pair as a name": lambda fields: zipped(text(fields)[:-1] + b',"\\ud800":1}'),
    "the id of another run": lambda fields: zipped(text({"id": FOREIGN})),
    "an id of other letters": lambda fields: zipped(text({"id": fields["id"].upper()})),
    "an id and more": lambda fields: zipped(text({"id": fields["id"] + "a"})),
    "an id that is a list": lambda fields: zipped(text({"id": [fields["id"]]})),
    "its id at the end": lambda fields: zipped(json.dumps(dict(reversed(made(fields).items()))).encode()),
    "another version": lambda fields: zipped(text(fields, version=2)),
    "another status than said": lambda fields: zipped(text(fields, status="error")),
    "a status of its own": lambda fields: zipped(text(fields, status="<b>")),
}  # fmt: skip
REQUIRED = [name for name, field in RunDocument.model_fields.items() if field.is_required()]

GOOD_VALUE = pack(np.arange(300, dtype=np.float32), "float32")
HEAD, ELEMENTS = GOOD_VALUE.split(b"\n", 1)
PACKED: dict[str, bytes] = {
    "nothing": b"", "no head": ELEMENTS, "no elements": HEAD + b"\n", "no line": HEAD, "cut": GOOD_VALUE[:-5],
    "more": GOOD_VALUE + b"x", "twice": GOOD_VALUE * 2, "noise": random.Random(2).randbytes(5000),
    "a bomb": HEAD + b"\n" + bomb(100 * MEGABYTE, wbits=15), "too short": HEAD + b"\n" + zlib.compress(bytes(1196)),
    "a head of lists": b"[" * 1500 + b"\n" + ELEMENTS, "a long head": b" " * 10**6 + GOOD_VALUE,
    **{f"the head {head}": json.dumps(head).encode() + b"\n" + ELEMENTS for head in (
        {"shape": [300], "dtype": "float32", "numpy": "|O8"}, {"shape": [300], "dtype": "float32", "numpy": "O"},
        {"shape": [300], "dtype": "float32", "numpy": [["a", "O"]]}, {"shape": [-300], "dtype": "x", "numpy": "<f4"},
        {"shape": [1 << 62, 4], "dtype": "x", "numpy": "<f4"}, {"shape": ["300"], "dtype": "x", "numpy": "<f4"},
        {"shape": [1] * 100, "dtype": "x", "numpy": "<f4"}, {"shape": [300], "dtype": "<b>", "numpy": "<f4"},
        {"shape": [300], "dtype": "float32"}, [], 1, {"shape": 300, "dtype": "float32", "numpy": "<f4"},
        {"shape": [300], "dtype": "float32", "numpy": "<f4", "more": 1}, {"shape": [300], "dtype": 1, "numpy": "<f4"},
        {"shape": [300], "dtype": "float32", "numpy": "<f" + "9" * 1000},
        {"shape": [1e999], "dtype": "x", "numpy": "<f4"},
    )},
}  # fmt: skip

BODIES: dict[str, bytes] = {
    "nothing": b"", "no gzip": b"hello", "cut": compress(b"[1]" * 1000)[:-9], "more": compress(b"{}") + b"x",
    "words": compress(b"\xff\xfe<script>"), "a zero": compress(b"digraph {}\0"), "two members": compress(b"a") * 2,
    "a lie about its size": compress(b"digraph {}")[:-4] + b"\xff\xff\0\0",
    "a bomb": bomb(300 * MEGABYTE),
    "lists to 1,000,000": compress(b"[" * 10**6 + b"]" * 10**6 + b"\xff"),
}  # fmt: skip


def drip(frame: bytes, size: int, seconds: float) -> Iterator[bytes | Callable[[], None]]:
    for start in range(0, len(frame), size):
        yield frame[start : start + size]
        if seconds:
            yield lambda: time.sleep(seconds)


def burn(seconds: float) -> Callable[[], None]:
    def work() -> None:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass

    return work


def stay() -> None:
    time.sleep(600)


def announced(size: int, fields: Fields) -> bytes:
    """The head of a reply with a document of `size` bytes."""
    return with_parts(f'[["document", {size}]]')


TIMES: dict[str, Forgery] = {
    "silence": lambda fields: [stay],
    "the socket closed": lambda fields: [lambda: os.close(REPLY), stay],
    "half a frame, then silence": lambda fields: [honest(fields)[:-50], stay],
    "a head, then silence": lambda fields: [announced(16 * MEGABYTE, fields), stay],
    "a head, then the end": lambda fields: [announced(1000, fields)],
    "a byte every 10 ms": lambda fields: drip(honest(fields), 1, 0.01),
    "a byte at a time": lambda fields: [announced(8 * MEGABYTE, fields), *drip(bytes(100_000), 1, 0), stay],
    "a kilobyte at a time": lambda fields: drip(document(zipped(random.Random(3).randbytes(4 * MEGABYTE))), 1024, 0),
    "zeros without end": lambda fields: [bytes(65536)] * 10**5,
    "two frames": lambda fields: [honest(fields) * 2],
    "a thousand frames": lambda fields: [honest(fields) * 1000],
    "a frame and a byte": lambda fields: [honest(fields) + b"x"],
    "no answer but much work": lambda fields: [burn(60)],
}
AFTERWARDS: dict[str, Forgery] = {
    "a good frame, then silence": lambda fields: [honest(fields), stay],
    "a good frame, then zeros without end": lambda fields: [honest(fields), *[bytes(65536)] * 10**5],
    "a good frame, then work": lambda fields: [honest(fields), burn(30)],
    "a good frame after work": lambda fields: [burn(0.5), honest(fields)],
    "a good frame in two pieces": lambda fields: [honest(fields)[:100], lambda: time.sleep(0.2), honest(fields)[100:]],
}
"""Replies that are good, of workers that are not."""


def as_it_is(frame: bytes) -> Forgery:
    return lambda fields: [frame]


def cut(length: int) -> Forgery:
    return lambda fields: [honest(fields)[:length]]


def flipped(seed: int) -> Forgery:
    """An honest frame with a few bits changed."""

    def steps(fields: Fields) -> Steps:
        frame, chance = bytearray(honest(fields)), random.Random(seed)
        for _ in range(chance.randint(1, 3)):
            frame[chance.randrange(min(len(frame), 400))] ^= 1 << chance.randrange(8)
        return [bytes(frame)]

    return steps


def with_document(header: Any) -> Forgery:
    """A reply with this header, and with a document where it speaks of one."""
    has_one = "status" in header and "problem" not in header
    return lambda fields: [reply(header, {"document": zipped(text(fields))} if has_one else None)]


def with_part(name: str, body: bytes = b"x") -> Forgery:
    return lambda fields: [document(zipped(text(fields)), **{name: body})]


def with_body(body: Callable[[Fields], bytes]) -> Forgery:
    return lambda fields: [document(body(fields))]


def without(name: str) -> Forgery:
    return with_body(lambda fields: zipped(encode({key: made(fields)[key] for key in made(fields) if key != name})))


def with_another(name: str) -> Forgery:
    """A document with a member of another type."""
    return with_body(lambda fields: zipped(text(fields, **{name: other(made(fields)[name])})))


def other(value: Any) -> Any:
    return [value] if not isinstance(value, list) else {"0": value}


REFUSED: dict[str, Forgery] = {
    **{f"raw: {name}": as_it_is(frame) for name, frame in RAW.items()},
    **{f"header: {name}": with_document(header) for name, header in HEADERS.items()},
    **{f"part: {name[:20]!r}": with_part(name) for name in NAMES},
    **{f"document: {name}": with_body(body) for name, body in DOCUMENTS.items()},
    **{f"document: no {name}": without(name) for name in REQUIRED},
    **{f"document: another {name}": with_another(name) for name in REQUIRED},
    **{f"value: {name}": with_part("value:v0", value) for name, value in PACKED.items()},
    **{f"cut at {length}": cut(length) for length in (1, 3, 4, 5, 20, 60, 90, 100, 200, -9, -1)},
    **{f"time: {name}": steps for name, steps in TIMES.items()},
}
"""What has to be refused."""
SPOKEN: dict[str, Forgery] = {f"words: {name}": as_it_is(reply(header)) for name, header in WORDS.items()}
FLIPPED: dict[str, Forgery] = {f"flipped {seed}": flipped(seed) for seed in range(60)}
ANSWERED: dict[str, Forgery] = {f"time: {name}": steps for name, steps in AFTERWARDS.items()}
LATER: dict[str, Forgery] = {f"body: {name}": as_it_is(reply({}, {"body": body})) for name, body in BODIES.items()}
FORGERIES: dict[str, Forgery] = {**REFUSED, **SPOKEN, **FLIPPED, **ANSWERED, **LATER}
