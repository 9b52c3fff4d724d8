"""Whatever is sent, the answer is a typed problem: never a 500, never the input repeated back."""

from __future__ import annotations

import json

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.body import depth, parse_json, pointer, validate
from app.problems import MEDIA_TYPE, Problem
from app.requests import RunRequest

JSON = {"Content-Type": "application/json"}


def post(client: httpx.Client, body: bytes, **headers: str) -> httpx.Response:
    return client.post("/v1/runs", content=body, headers={**JSON, **headers})


def nested(levels: int) -> bytes:
    return b'{"graph":{"tensors":{"a":{"data":' + b"[" * levels + b"1" + b"]" * levels + b"}}}}"


@pytest.mark.parametrize(
    ("body", "slug"),
    [
        (b"", "invalid-json"),
        (b"{", "invalid-json"),
        (b'{"code": "x"} {}', "invalid-json"),
        (b'\xef\xbb\xbf{"code": "x"}', "invalid-json"),
        (b'{"code": "\xff"}', "invalid-json"),
        ('{"code": "x"}'.encode("utf-16"), "invalid-json"),
        (b'{"code": "\\ud800"}', "invalid-json"),
        (b'{"\\udfff": 1}', "invalid-json"),
        (b'{"code": "a", "code": "b"}', "invalid-json"),
        (b'{"code": "a\nb"}', "invalid-json"),
        (b'{"options": {"seed": NaN}, "code": ""}', "invalid-json"),
        (b'{"graph": {"tensors": {"a": {"data": Infinity}}}}', "invalid-json"),
        (b'{"graph": {"tensors": {"a": {"data": [1, -Infinity]}}}}', "invalid-json"),
        (b'{"graph": {"tensors": {"a": {"data": 1e999}}}}', "invalid-json"),
        (b'{"graph": {"tensors": {"a": {"data": ' + b"9" * 5000 + b"}}}}", "invalid-json"),
        (b'{"options": {"seed": ' + b"1" * 30 + b'}, "code": ""}', "invalid-json"),
        (nested(100), "invalid-json"),
        (nested(20_000), "invalid-json"),
        (b"[" * 30_000, "invalid-json"),
        (b'{"a":' * 10_000, "invalid-json"),
        (b"null", "invalid-input"),
        (b"[]", "invalid-input"),
        (b'"code"', "invalid-input"),
        (b"{}", "invalid-input"),
        (b'{"code": null}', "invalid-input"),
        (b'{"code": 1}', "invalid-input"),
        (b'{"code": ["x"]}', "invalid-input"),
        (b'{"code": "x", "graph": {"tensors": {}}}', "invalid-input"),
        (b'{"code": "x", "cod": 1}', "invalid-input"),
        (b'{"code": "x", "options": {"sed": 1}}', "invalid-input"),
        (b'{"code": "x", "options": {"seed": "1"}}', "invalid-input"),
        (b'{"code": "x", "options": {"seed": 1.0}}', "invalid-input"),
        (b'{"code": "x", "options": {"seed": true}}', "invalid-input"),
        (b'{"code": "x", "options": {"seed": -1}}', "invalid-input"),
        (b'{"graph": {}}', "invalid-input"),
        (b'{"graph": {"tensors": {"a": {"data": "x"}}}}', "invalid-input"),
        (b'{"graph": {"tensors": {"a": {"data": {"b": 1}}}}}', "invalid-input"),
        (b'{"graph": {"tensors": {"a": {"data": null}}}}', "invalid-input"),
        (b'{"graph": {"tensors": {"a": {"data": 1, "requires_grad": 1}}}}', "invalid-input"),
        (b'{"graph": {"tensors": {"": {"data": 1}}}}', "invalid-input"),
        (b'{"graph": {"tensors": {}, "ops": [{"op": "add"}]}}', "invalid-input"),
        (b'{"graph": {"tensors": {}, "backward": [{"tensor": "a", "gradient": [[1], "x"]}]}}', "invalid-input"),
    ],
)
def test_a_hostile_body_is_refused_with_a_typed_problem(fake: httpx.Client, body: bytes, slug: str) -> None:
    response = post(fake, body)
    assert response.headers["content-type"] == MEDIA_TYPE
    problem = response.json()
    assert problem["type"] == f"/problems/{slug}"
    assert problem["status"] == response.status_code == {"invalid-json": 400, "invalid-input": 422}[slug]
    assert problem["fix"] and problem["detail"] and problem["title"]


def test_errors_point_at_the_place_without_repeating_the_input(fake: httpx.Client) -> None:
    secret = "<script>alert(1)</script>"
    body = {"graph": {"tensors": {"a/b~c": {"data": secret}}, secret * 100: 1}}
    response = fake.post("/v1/runs", json=body)
    pointers = [error["pointer"] for error in response.json()["errors"]]
    assert any(found.startswith("/graph/tensors/a~1b~0c/data") for found in pointers)
    assert len(response.json()["errors"]) <= 20
    assert response.text.count("alert") <= 3 and len(response.content) < 4000
    assert response.headers["x-content-type-options"] == "nosniff"


def test_non_finite_numbers_may_be_spelt_as_strings(fake: httpx.Client) -> None:
    response = fake.post("/v1/runs", json={"graph": {"tensors": {"a": {"data": ["NaN", "Infinity", 1.5, 2, True]}}}})
    assert response.status_code == 200


@pytest.mark.parametrize("code", ["", "\x00", "é 漢 🙂", "a" * 60_000, "\r\n\t", "'\\ud800'"])
def test_any_text_is_a_program(fake: httpx.Client, code: str) -> None:
    response = fake.post("/v1/runs", json={"code": code})
    assert response.status_code == 200
    assert response.json()["globals"]["request"] == {"code": code}


@pytest.mark.parametrize(
    "content_type",
    ["", "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1", "application/jsonx"],
)
def test_another_content_type_is_refused(fake: httpx.Client, content_type: str) -> None:
    response = post(fake, b'{"code": ""}', **{"Content-Type": content_type})
    assert (response.status_code, response.json()["type"]) == (415, "/problems/unsupported-media-type")


@pytest.mark.parametrize("content_type", ["application/json", "Application/JSON; charset=UTF-8"])
def test_json_in_utf_8_is_accepted(fake: httpx.Client, content_type: str) -> None:
    assert post(fake, b'{"code": ""}', **{"Content-Type": content_type}).status_code == 200


def test_a_compressed_body_is_refused(fake: httpx.Client) -> None:
    response = post(fake, b"", **{"Content-Encoding": "gzip"})
    assert (response.status_code, response.json()["type"]) == (415, "/problems/unsupported-content-encoding")


def test_a_body_of_exactly_the_limit_is_read(fake: httpx.Client) -> None:
    body = json.dumps({"code": ""}).encode()
    assert post(fake, body + b" " * (64 * 1024 - len(body))).status_code == 200


@pytest.mark.parametrize("size", [64 * 1024 + 1, 1 << 20, 8 << 20])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_larger_body_is_refused(fake: httpx.Client, size: int, chunked: bool) -> None:
    pieces = (b" " * 65_536 for _ in range(size // 65_536 + 1))
    content = pieces if chunked else b" " * size
    response = fake.post("/v1/runs", content=content, headers=JSON)
    assert (response.status_code, response.json()["limit"]) == (413, 64 * 1024)


def test_depth_counts_brackets_outside_strings_only() -> None:
    assert depth(b'{"a": "[[[[\\"[[", "b": [1, {"c": []}]}') == 4
    assert depth(b'"' + b'\\"[' * 100_000) == 0  # in time linear in the size


def test_equal_numbers_of_different_kinds_stay_different() -> None:
    assert repr(parse_json(b'{"a": 1, "b": 1.0, "c": -0.0}')) == "{'a': 1, 'b': 1.0, 'c': -0.0}"


def test_a_pointer_is_escaped_and_cut() -> None:
    assert pointer(("a~/b", 0, "x\x1b[2J")) == "/a~0~1b/0/x\N{REPLACEMENT CHARACTER}[2J"
    assert len(pointer(("k" * 1000,))) == 61


def test_parse_json_raises_problems_only() -> None:
    for body in (b"\x80", b"nul", b"1e400", b'"\\ud800"', b"[" * 1000):
        with pytest.raises(Problem):
            parse_json(body)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.sampled_from(["NaN", "x"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["code", "graph", "tensors", "data", "ops", "op", "inputs", "output", "backward", "seed"])
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(st.binary() | JSON_VALUES.map(lambda value: json.dumps(value).encode()))
def test_whatever_is_sent_is_a_request_or_a_problem(body: bytes) -> None:
    try:
        request = validate(RunRequest, parse_json(body))
    except Problem as problem:
        assert json.loads(problem.body("/v1/runs"))["fix"]
    else:
        assert (request.code is None) != (request.graph is None)


def test_what_does_not_fit_is_said_in_words_about_the_body(fake: httpx.Client) -> None:
    def said(body: object) -> list[str]:
        return [error["detail"] for error in fake.post("/v1/runs", json=body).json()["errors"]]

    assert said({}) == ["give exactly one of code and graph"]
    assert said({"cod": "x"}) == ["nothing of this name belongs here"]
    assert said([]) == ["expected an object"]
    assert said({"code": 1}) == ["expected text"]
    assert said({"code": "", "options": {"seed": 1.5}}) == ["expected a whole number"]
    assert said({"code": "", "options": {"seed": -1}}) == ["expected a number greater than or equal to 0"]
    assert said({"code": "", "options": {"seed": 1 << 63}}) == [f"expected a number less than {1 << 63}"]
    assert said({"graph": {"tensors": {"a": {}}}}) == ["this field is missing"]


@pytest.mark.parametrize(
    ("tensors", "place"), [({"a": {"data": "x"}}, "/a/data"), ({"a": {"data": [1, [2, "x"]]}}, "/a/data/1/1")]
)
def test_a_place_that_may_hold_many_kinds_is_named_once(fake: httpx.Client, tensors: object, place: str) -> None:
    problem = fake.post("/v1/runs", json={"graph": {"tensors": tensors}}).json()
    assert problem["detail"] == "1 thing in the body does not fit."
    kinds = "true or false, or a number, or 'NaN', 'Infinity' or '-Infinity', or a list"
    assert problem["errors"] == [{"pointer": f"/graph/tensors{place}", "detail": f"expected {kinds}"}]
