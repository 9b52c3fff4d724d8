"""The picture of the step that a link leads to."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import socket
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

import app.preview
from app.answers import Entity
from app.preview import Previews, card
from app.preview.moment import moment_of
from tests.conftest import Serve
from tools.preview import standin

STANDIN = Path(__file__).parents[2] / "static" / "icons" / "preview.png"
PROGRAM = """import torch
secret = torch.tensor([2.0, -3.0], requires_grad=True)
(secret ** 3).sum().backward()
"""


def pixels(answer: httpx.Response) -> Image.Image:
    assert answer.status_code == 200 and answer.headers["content-type"] == "image/png"
    return Image.open(io.BytesIO(answer.content)).convert("RGB")


def test_pictures_are_those_of_the_step(client: httpx.Client) -> None:
    before, after, end = (pixels(client.get(f"/preview/l/seed4_graph{step}.png")) for step in ("/8", "/14", ""))
    assert before.size == (1200, 630)
    assert len({image.tobytes() for image in (before, after, end)}) == 3
    blue = (8, 119, 189)
    places = [[x for x in range(0, 1200, 4) if image.getpixel((x, 550)) == blue] for image in (before, after)]
    assert max(places[0]) < 300, "before the pass only the root has a gradient"
    assert max(places[1]) > 900, "then d has the largest"
    first = client.get("/preview/l/seed4_graph.png")
    assert first.headers["cache-control"] == "public, max-age=3600"
    again = client.get("/preview/l/seed4_graph.png", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304


def test_the_picture_of_a_run_is_for_who_has_its_id_and_goes_with_it(client: httpx.Client) -> None:
    made = client.post("/v1/runs", json={"code": PROGRAM})
    path = f"/preview/r/{made.json()['id']}"
    answer = client.get(f"{path}/12.png")
    assert pixels(answer).size == (1200, 630) and answer.headers["cache-control"] == "private, no-cache"
    client.delete(made.headers["content-location"], headers={"Deletion-Token": made.headers["deletion-token"]})
    assert client.get(f"{path}/12.png").status_code == client.get(f"{path}.png").status_code == 404


@pytest.mark.parametrize("path", ["l/nothing.png", "l/seed4_graph/x.png", "l/seed4_graph/-1.png", "r/nothing/3.png"])
def test_there_are_no_other_pictures(client: httpx.Client, path: str) -> None:
    answer = client.get(f"/preview/{path}")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


def test_without_pillow_another_picture_stands_in(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card, "Image", None)
    with serve() as address:
        assert httpx.get(f"{address}/preview/l/seed4_graph.png").content == STANDIN.read_bytes()


def test_pictures_are_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.preview, "MOST_KEPT", 250)
    previews = Previews(None)  # type: ignore[arg-type]
    for i in range(5):
        previews._keep(i, Entity(bytes(100), "image/png", str(i)))
        previews._keep(i, Entity(bytes(100), "image/png", str(i)))
    assert [previews.kept(i) is not None for i in range(5)] == [False, False, False, True, True]


LONG = "9" * 1_000_000
HUGE: dict[str, dict[str, Any]] = {
    "a length that is text": {"shape": [LONG], "data": None},
    "very many lengths": {"shape": [7] * 500_000, "data": None},
    "a length of thousands of digits": {"shape": [10**4000], "data": None},
    "what are no numbers": {"shape": [1], "data": ["x"] * 500_000},
    "nothing": {"shape": [1], "data": [None] * 500_000},
}


@pytest.mark.parametrize("value", HUGE.values(), ids=HUGE.keys())
def test_a_forged_document_costs_no_more_than_another(
    client: httpx.Client, value: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    longest = 0

    class Measured(card.Sheet):
        def width(self, text: str, face: Any) -> float:
            nonlocal longest
            longest = max(longest, len(text))
            return super().width(text, face)

    monkeypatch.setattr(card, "Sheet", Measured)
    document = client.post("/v1/runs", json={"code": PROGRAM}).json()
    for name in document["values"]:
        document["values"][name] |= value
    began = time.process_time()
    with contextlib.suppress(ValueError):
        card.draw(moment_of(document, None), "What?")
    assert longest <= 400 and time.process_time() - began < 1.5


def test_who_asks_for_a_picture_and_leaves_has_none_drawn(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, may_end = list[int](), threading.Event()

    def slow(document: bytes, step: int | None, title: str) -> Entity:
        drawn.append(step or 0)
        may_end.wait(20)
        return Entity(gzip.compress(b"a picture"), "image/png", str(step))

    monkeypatch.setattr(app.preview, "make", slow)
    with serve() as address, httpx.Client(base_url=address) as client:
        client.get("/v1/examples/seed4_graph/run")
        port = int(address.rpartition(":")[2])
        for step in range(1, 40):
            with socket.create_connection(("127.0.0.1", port), 5) as leaving:
                leaving.sendall(b"GET /preview/l/seed4_graph/%d.png HTTP/1.1\r\nHost: localhost\r\n\r\n" % step)
                time.sleep(0.01)
        large = "import torch\nw = torch.ones(3, requires_grad=True)\nfor _ in range(60):\n    (w * w).sum().backward()"
        began = time.monotonic()
        assert len(client.post("/v1/runs", json={"code": large}).content) > 100_000
        assert time.monotonic() - began < 5, "a document waited for a picture"
        may_end.set()
        assert client.get("/preview/l/seed4_graph/99.png").content == b"a picture"
    assert len(drawn) <= 3, "pictures were drawn for who had left"


@pytest.mark.parametrize("broken", [{"tensors": [{}]}, {"events": [{}]}, {"values": []}, {"source": None}])
def test_a_document_that_is_none_gives_no_picture(client: httpx.Client, broken: dict[str, Any]) -> None:
    document = client.post("/v1/runs", json={"code": PROGRAM}).json()
    moment_of(document, None)
    with pytest.raises((LookupError, TypeError, AttributeError)):
        moment_of(json.loads(json.dumps({**document, **broken})), None)


def test_the_standin_is_what_is_drawn_now() -> None:
    drawn, kept = (Image.open(io.BytesIO(data)).convert("RGB") for data in (standin(), STANDIN.read_bytes()))
    assert drawn.tobytes() == kept.tobytes()
