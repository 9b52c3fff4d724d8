"""What workers send as results is looked at before it is kept: whole, of its size, and what it should be."""

from __future__ import annotations

import gzip
import json
import time
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel

from app import documents
from app.documents import DOCUMENT_BYTES, NESTING, Misfit, check, nesting
from app.schema import RunDocument
from app.workers import jobs
from app.workers.encoding import encode, pack
from app.workers.wire import Frame
from tests.service.fake_jobs import document

RUN = "a" * 26
PROGRAM = b'{"code": "import torch\\nx = torch.ones(20, 20, requires_grad=True)\\nx.sum().backward()\\nprint(x.grad)"}'


def zipped(content: bytes | dict[str, Any]) -> bytes:
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    return gzip.compress(raw, mtime=0)


def made(**changes: Any) -> dict[str, Any]:
    return {**document({"id": RUN}), **changes}


def holds(body: bytes, kind: str = "run", status: str = "ok") -> bool:
    name, header = ("document", {"status": status}) if kind == "run" else ("body", {})
    try:
        check(kind, Frame(header, {name: body}), run=RUN)
    except Misfit:
        return False
    return True


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in made().items() if key != name}


def text(document: dict[str, Any] | None = None) -> bytes:
    return json.dumps(made() if document is None else document).encode()


@pytest.mark.filterwarnings("error")
def test_sqlite_is_given_values_as_later_pythons_want_it() -> None:
    assert holds(zipped(made()))


def test_what_the_engine_answers_fits() -> None:
    fields = {**jobs.WARM_FIELDS, "id": RUN, "values_bytes": 1 << 20}
    ran = jobs.run(fields, {"request": PROGRAM})
    assert any(name.startswith("value:") for name in ran.parts)
    check("run", ran, run=RUN, values_bytes=1 << 20)
    for name, part in ran.parts.items():
        if name.startswith("value:"):
            check("format", jobs.format_value({}, {"value": part}))
    for export in (jobs.export_dot, jobs.export_mermaid):
        check("graph.dot", export({}, ran.parts))
    check("ops", jobs.list_ops({}, {}))
    check("check", jobs.check_gradient({**fields, "leaf": "x"}, {"request": PROGRAM}))


def test_a_document_that_was_written_to_be_measured_is_not_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import torch\nx = y = torch.ones((), requires_grad=True)\nfor i in range(4000): y = y * 1.001\ny.backward()"
    fields, request = {**jobs.WARM_FIELDS, "id": RUN}, json.dumps({"code": code, "check": ["x"]}).encode()
    ran = jobs.execute(fields, {"request": request})
    assert ran.written is not None and {"checks", "limits"} <= ran.document.keys()
    whole, sizes = encode({"id": RUN, **ran.document}), list[int]()

    def counted(content: Any) -> bytes:
        sizes.append(len(content))
        return encode(content)

    monkeypatch.setattr(jobs, "encode", counted)
    assert gzip.decompress(jobs.framed(ran, {**fields, "result_bytes": 1 << 30}).parts["document"]) == whole
    assert max(sizes) < 5


def test_every_member_of_the_schema_is_in_the_outline() -> None:
    members, required = documents.outline(RunDocument)
    assert members.keys() == RunDocument.model_fields.keys()
    assert required == {name for name, field in RunDocument.model_fields.items() if field.is_required()}
    assert members["error"] == {"object", "null"} and members["tensors"] == {"array"} and members["id"] == {"text"}


def test_the_first_check_finds_all_that_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    documents.outline.cache_clear()
    documents.prepare()
    monkeypatch.setattr(BaseModel, "model_json_schema", None)
    assert holds(zipped(made()))


SOUND = [
    made(),
    made(status="error"),
    made(stdout='half of a pair: \ud800, brackets: [[[{{{ and " \\ \\\\'),
    made(error={"type": "x"}, figures=[], findings=[{}]),
    made(values={"v0": {"data": json.loads("[" * 64 + "]" * 64)}}),
]


@pytest.mark.parametrize("sound", SOUND, ids=range(len(SOUND)))
def test_a_document_fits(sound: dict[str, Any]) -> None:
    assert holds(zipped(sound), status=sound["status"])
    assert holds(zipped(json.dumps(sound, separators=(",", ":")).encode()), status=sound["status"])


BAD: dict[str, bytes] = {
    "nothing": b"",
    "no gzip": text(),
    "plain zlib": zlib.compress(text()),
    "half of it": zipped(made())[:100],
    "without its trailer": zipped(made())[:-8],
    "another checksum": zipped(made())[:-8] + b"\0\0\0\0" + zipped(made())[-4:],
    "a smaller size": zipped(made())[:-4] + b"\1\0\0\0",
    "a larger size": zipped(made())[:-4] + b"\xff\xff\0\0",
    "a huge size": zipped(made())[:-4] + b"\xff\xff\xff\xff",
    "bytes after it": zipped(made()) + b"x",
    "a second member": zipped(made()) + zipped(made()),
    "an empty member after it": zipped(made()) + zipped(b""),
    "two members that make one": zipped(text()[:50]) + zipped(text()[50:]),
    "a file name in it": b"\x1f\x8b\x08\x08" + zipped(made())[4:10] + b"<script>\0" + zipped(made())[10:],
    "a bomb": zipped(text()[:-1] + b" " * DOCUMENT_BYTES + b"}"),
    "no JSON": zipped(b"hello"),
    "no object": zipped(b"[]"),
    "an empty object": zipped(b"{}"),
    "two objects": zipped(text() * 2),
    "more behind a zero": zipped(text() + b"\0<script>"),
    "a byte order mark": zipped(b"\xef\xbb\xbf" + text()),
    "not UTF-8": zipped(text(made(stdout="@")).replace(b"@", b"\xff")),
    "a surrogate in UTF-8": zipped(text(made(stdout="@")).replace(b"@", b"\xed\xa0\x80")),
    "UTF-16": zipped(text().decode().encode("utf-16")),
    "NaN": zipped(made(limits={"fuel_used": float("nan")})),
    "single quotes": zipped(text().replace(b'"', b"'")),
    "a comma too many": zipped(text()[:-1] + b",}"),
    "a comment": zipped(text()[:-1] + b"/* */}"),
    "a raw line break": zipped(text(made(stdout="@")).replace(b"@", b"\n")),
    "brackets that do not match": zipped(text().replace(b"[]", b"[}", 1)),
    "a member unknown": zipped(made(surprise=1)),
    "a member twice": zipped(text()[:-1] + b', "engine": "x"}'),
    "its id twice": zipped(text()[:-1] + b', "id": "' + b"b" * 26 + b'"}'),
    "its id twice, spelt otherwise": zipped(text()[:-1] + b', "\\u0069d": "' + b"b" * 26 + b'"}'),
    "half of a pair as a name": zipped(text()[:-1] + b', "\\ud800": 1}'),
    "another run's id": zipped(made(id="b" * 26)),
    "an id that is longer": zipped(made(id=RUN + "a")),
    "its id at the end": zipped({**without("id"), "id": RUN}),
    "another version": zipped(made(version=2)),
    "version 1.0": zipped(made(version=1.0)),
    "version true": zipped(made(version=True)),
    "another status": zipped(made(status="error")),
    "no status": zipped(made(status="fine")),
    "text for a list": zipped(made(tensors="[]")),
    "a list for text": zipped(made(stdout=[])),
    "null for a list": zipped(made(events=None)),
    "too deep": zipped(text(made(events=["@"])).replace(b'"@"', b"[" * NESTING + b"]" * NESTING)),
    "deep enough to overflow": zipped(text(made(events=["@"])).replace(b'"@"', b"[" * 10**6 + b"]" * 10**6)),
    "open lists without end": zipped(text()[:-1] + b"[" * 10**6),
    **{f"no {name}": zipped(without(name)) for name in ("id", "version", "engine", "events", "limits", "numpy")},
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_anything_else_does_not(name: str) -> None:
    assert not holds(BAD[name])


@pytest.mark.parametrize("content", ["[]", "[[1],[2]]", '{"a": [1, {"b": []}]}', '["[[[", "]"]', r'["\"[", "\\", [1]]'])
def test_nesting_is_that_of_brackets_outside_strings(content: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def deep(value: Any) -> int:
        below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return isinstance(value, dict | list) + max(map(deep, below), default=0)

    assert nesting(content.encode()) == deep(json.loads(content))
    monkeypatch.setattr(documents, "CHUNK", 1)
    assert nesting(content.encode()) == deep(json.loads(content))


VALUES = {
    '{"shape":[2,2],"dtype":"float32","data":[[1.5,-2e-05],["NaN","-Infinity"]]}': True,
    '{"shape":[2],"dtype":"bool","data":[true,false]}': True,
    '{"shape":[0],"dtype":"float32","data":[]}': True,
    '{"shape":[2,0],"dtype":"float32","data":[[],[]]}': True,
    '{"shape":[],"dtype":"float32","data":1.5}': True,
    '{"shape":[2],"dtype":"float32","data":1,2}': False,
    '{"shape":[2],"dtype":"float32","data":[1],[2]}': False,
    '{"shape":[2],"dtype":"float32","data":1,[2]}': False,
    '{"shape":[2],"dtype":"float32","data":[1],2}': False,
    '{"shape":[2],"dtype":"float32","data":[1,2}': False,
    '{"shape":[2],"dtype":"float32","data":[1,2]]}': False,
    '{"shape":[2],"dtype":"float32","data":[1,,2]}': False,
    '{"shape":[2],"dtype":"float32","data":[1,2,]}': False,
    '{"shape":[2],"dtype":"float32","data":[01]}': False,
    '{"shape":[2],"dtype":"float32","data":[1.]}': False,
    '{"shape":[2],"dtype":"float32","data":[NaN]}': False,
    '{"shape":[2],"dtype":"float32","data":["<script>"]}': False,
    '{"shape":[2],"dtype":"float32","data":[1]}}': False,
    '{"shape":[2],"dtype":"float32","data":[1]} ': False,
    '{"shape":[2],"dtype":"float32","data":[1],"data":[2]}': False,
    '{"shape":[2],"dtype":"float32","data":' + "[" * 200 + "1" + "]" * 200 + "}": False,
    '{"shape":[2],"dtype":"float32","data":[1,"NaN"2]}': False,
    '{"shape":[2],"dtype":"float32","data":[1"NaN"]}': False,
    '{"shape":[2],"dtype":"float32","data":["1NaN"]}': False,
    '{"shape":[2],"dtype":"float32","data":["Inf1inity"]}': False,
    '{"shape":[2],"dtype":"float32","data":[true1]}': False,
    '{"shape":[2],"dtype":"float32","data":[tru]}': False,
    '{"shape":[2],"dtype":"float32","data":[null]}': False,
    '{"shape":[2],"dtype":"float32","data":[1 ,2]}': False,
    '{"shape":[2],"dtype":"float32","data":[+1]}': False,
    '{"shape":[2],"dtype":"float32","data":[-]}': False,
    '{"shape":[2],"dtype":"float32","data":[1],,[2]}': False,
    '{"shape":[2],"dtype":"float32","data":[[1],[2]}': False,
    '{"shape":[2],"dtype":"float32","data":[1]],[[2]}': False,
    '{"shape":[2],"dtype":"float32","data":[[1,],[2]]}': False,
    '{"shape":[2],"dtype":"float32","data":[[,1],[2]]}': False,
    '{"shape":[2],"dtype":"float32","data":["-NaN"]}': False,
    '{"shape":["x"],"dtype":"float32","data":[1]}': False,
    '{"dtype":"float32","data":[1]}': False,
    "[1]": False,
    "": False,
}


@pytest.mark.parametrize("chunk", [1 << 16, 70])
@pytest.mark.parametrize("content", VALUES)
def test_a_large_value_is_lists_of_numbers(content: str, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "CHUNK", chunk)
    assert holds(zipped(content.encode()), "value") == VALUES[content]


FLOODS = [b"0,", b"[0],", b"[[[0]]],", b"-1.25e-10,", b"true,", b'"NaN",']


@pytest.mark.parametrize("piece", FLOODS)
def test_a_large_value_is_read_at_the_pace_of_sqlite(piece: bytes) -> None:
    content = b'{"shape":[1],"dtype":"float32","data":[' + piece * ((16 << 20) // len(piece)) + b"0]}"
    began = time.process_time()
    assert holds(zipped(content), "value")
    assert time.process_time() - began < 1.5


def test_a_large_value_is_never_read_as_a_whole() -> None:
    head = b'{"shape":[1],"dtype":"float32","data":['
    assert holds(zipped(head + b"1.25," * 2_000_000 + b"1]}"), "value")
    assert not holds(zipped(head + b"1" * 2_000_000 + b"]}"), "value")
    assert not holds(zipped(head + b"1.25," * 2_000_000 + b"x]}"), "value")
    assert not holds(zipped(head + b"1]}") + b"x", "value")
    assert not holds(zipped(head + b"1]}")[:-4] + b"\xff\0\0\0", "value")
    assert not holds(zipped(head + b"1]}")[:-4] + b"\xff\xff\xff\xff", "value")


PACKED = pack(np.arange(300, dtype=np.float32), "float32")
HEAD, ELEMENTS = PACKED.split(b"\n", 1)
SPOILT: dict[str, Callable[[dict[str, Any]], Any]] = {
    "another shape": lambda head: {**head, "shape": [301]},
    "a negative length": lambda head: {**head, "shape": [-300, -1]},
    "a length that is none": lambda head: {**head, "shape": [300.0]},
    "a shape that is none": lambda head: {**head, "shape": "300"},
    "a huge shape": lambda head: {**head, "shape": [1 << 39] * 60},
    "many dimensions": lambda head: {**head, "shape": [300] + [1] * 64},
    "objects": lambda head: {**head, "numpy": "|O8"},
    "records": lambda head: {**head, "numpy": [["a", "<f4"]]},
    "a dtype that is none": lambda head: {**head, "dtype": "<script>"},
    "more than it says": lambda head: {**head, "more": 1},
    "less than it says": lambda head: {"shape": [300]},
    "a list": lambda head: [head],
}  # fmt: skip


def fits(packed: bytes, room: int = 1200) -> bool:
    try:
        check("run", Frame({"status": "ok"}, {"value:v0": packed}), run=RUN, values_bytes=room)
    except Misfit:
        return False
    return True


def test_a_stored_value_is_as_large_as_it_says() -> None:
    assert fits(PACKED)
    assert not fits(PACKED, room=1199)
    assert not fits(ELEMENTS) and not fits(HEAD) and not fits(HEAD + b"\n") and not fits(b"\n" + ELEMENTS)
    assert not fits(PACKED + b"x") and not fits(PACKED[:-1]) and not fits(b"[" * 2000 + PACKED)
    assert not fits(HEAD + b"\n" + zlib.compress(bytes(1201))) and not fits(HEAD + b"\n" + zlib.compress(bytes(1199)))


@pytest.mark.parametrize("name", SPOILT)
def test_a_stored_value_says_what_it_is(name: str) -> None:
    assert not fits(json.dumps(SPOILT[name](json.loads(HEAD))).encode() + b"\n" + ELEMENTS)
