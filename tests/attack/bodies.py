"""Hostile requests: whatever bytes arrive, the answer is an answer or a problem, and the service lives on.

Every request is written to a bare socket, each from another loopback address, so that no budget of one client hides
what the service makes of it.
"""

from __future__ import annotations

import contextlib
import http.client
import io
import socket
from collections import Counter

from tests.attack.hostile import KEPT, Request, requests
from tests.attack.report import Result, timed
from tests.attack.service import Answer, Service, service, sources

REQUESTS = 10_000
RECEIVE_SECONDS = 2
TIMEOUT = 15.0
ALIVE_EVERY = 200
OTHER_FORMAT = b"/problems/unsupported-format"
"""501, as oEmbed has it."""
LESSON = b"/l/"
"""In the addresses of lessons; where there is none, a page says so."""
INJECTED = (b'/x"><script>', b"{{7*7}}", b"maxwidth=999", b"evil.example")
"""What no page repeats as it was sent."""
DRAWN = "import torch\nx = torch.ones(2000, requires_grad=True)\n(x * x).sum().backward()"
"""A run with a picture, values apart and checks."""


def exchange(target: Service, request: Request, source: str, run: str) -> bytes:
    """Send the bytes and read until the service closes. Raises TimeoutError when it does not.

    `run` is one that is kept."""
    data = request.data.replace(KEPT.encode(), run.encode())
    with target.connect(source, TIMEOUT) as connection:
        received = bytearray()
        try:
            connection.sendall(data)
            if request.hangs_up:
                return b""
            if request.ends:
                with contextlib.suppress(OSError):  # it may have been refused already
                    connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(1 << 16):
                received += piece
        except (ConnectionResetError, BrokenPipeError):
            pass  # it was refused before all of it was sent
        return bytes(received)


class Replay:
    """Bytes as the socket that http.client reads an answer from."""

    def __init__(self, data: bytes) -> None:
        self.file = io.BytesIO(data)

    def makefile(self, mode: str) -> io.BytesIO:
        return self.file


def answers(data: bytes, is_head: bool) -> list[Answer]:
    """The answers in what was received. Raises ValueError, HTTPException when it is not a row of whole answers."""
    found = []
    replay = Replay(data)
    replay.file.close = lambda: None  # type: ignore[method-assign] - an answer that is read closes its file
    while replay.file.tell() < len(data):
        response = http.client.HTTPResponse(replay, method="HEAD" if is_head else "POST")  # type: ignore[arg-type]
        response.begin()
        fields = {name.lower(): value for name, value in response.getheaders()}
        if "content-length" not in fields and not response.chunked and response.status not in (204, 304):
            raise ValueError("an answer without a length")
        found.append(Answer(response.status, fields, response.read()))
    return found


def wrong(request: Request, data: bytes) -> str | None:
    """Why these bytes are no proper answer; None if they are."""
    if not data and not request.hangs_up and not request.ends and request.data.strip(b"\r\n"):
        return "no answer"
    # A request that cannot be read is answered before its method is known, with a body.
    is_head = request.data.startswith(b"HEAD ") and not data.startswith(b"HTTP/1.1 400 ")
    try:
        found = answers(data, is_head)
    except http.client.IncompleteRead as error:
        # Who has closed its side may have gone: it is not waited for, and may get a part of its answer.
        return None if request.ends else f"cut off: {error!r}"
    except (http.client.HTTPException, ValueError) as error:
        return f"not HTTP: {error!r} {data[:200]!r}"
    if len(found) > request.answers:
        return f"{len(found)} answers"
    for answer in found:
        if answer.status >= 500 and answer.status != 503 and OTHER_FORMAT not in answer.body[:100]:
            return f"{answer.status} {answer.body[:300]!r}"
        if b"/problems/run-crashed" in answer.body[:100]:
            return f"the engine failed: {answer.body[:300]!r}"
        is_page = answer.headers.get("content-type", "").startswith("text/html")
        if (
            answer.status >= 400
            and not is_head
            and not answer.is_problem()
            and not (is_page and LESSON in request.data)
        ):
            return f"{answer.status} that is no problem: {answer.body[:300]!r}"
        if is_page and "content-security-policy" not in answer.headers:
            return "a page without a policy"
        if is_page and any(text in answer.body for text in INJECTED):
            return f"a page with what was sent: {answer.body[:3000]!r}"
    if request.kind == "ambiguous framing" and len(found) == 2 and found[0].status < 400 and unsure(request.data):
        return "the hidden request was answered"
    return None


def unsure(data: bytes) -> bool:
    """Whether the head names both a length and a coding, as only a request meant for two readers does."""
    fields = data.partition(b"\r\n\r\n")[0].lower()
    return b"\ncontent-length:" in fields and b"\ntransfer-encoding:" in fields


def attack(size: float) -> Result:
    """Send them all, and see after every few that a plain program still runs."""
    result = Result("bodies", "whatever is sent: an answer or a problem, no 5xx but 503, and the service lives on")
    statuses: Counter[str] = Counter()
    count = max(30, int(REQUESTS * size))
    with timed(result), service(receive_seconds=RECEIVE_SECONDS) as target:
        came_from = sources()
        run = ""
        for number, request in enumerate(requests(count)):
            shown = f"{request.kind}: {request.data[:400]!r}"
            try:
                run = run or target.run(DRAWN, next(came_from)).content["id"]
                received = exchange(target, request, next(came_from), run)
                if b"DELETE" in request.data:
                    run = ""
                statuses[received[9:10].decode("latin-1")] += 1
                why = wrong(request, received)
            except OSError as error:
                why = repr(error)
            result.expect(why is None, f"{shown}\n    {why}")
            if number % ALIVE_EVERY == ALIVE_EVERY - 1 or number == count - 1:
                answer = target.run(f"print({number})", next(came_from))
                result.expect(answer.status == 200, f"after {number} requests a run is answered {answer.status}")
        result.expect("Traceback" not in target.log.read_text(), f"the log: {target.log.read_text()[-3000:]}")
    result.figures = {f"{digit}xx" if digit else "no answer": count for digit, count in sorted(statuses.items())}
    return result
