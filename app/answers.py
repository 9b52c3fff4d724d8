"""Turning stored bytes into responses: entity tags, 304, gzip or not, and never more in memory than is on its way.

Bodies are kept compressed and shared by all who read them. They leave in pieces, each when the client has read most of
the last and it is its turn; a client without gzip gets them inflated on the way.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.problems import RESULT_TOO_LARGE, Problem
from app.visits import lost, visit_of

IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
# Whatever is about a run: it may be deleted, so nobody between keeps it, and who has it asks whether it is still there.
PRIVATE = "private, no-cache"
# Pages name assets by version: a cache at the edge may keep one for a minute, and send it once more while it asks.
PAGE = "public, max-age=0, s-maxage=60, stale-while-revalidate=600"
PIECE = 64 << 10
MAX_INFLATED = 256 << 20
GZIP = 16 + zlib.MAX_WBITS


@dataclass(frozen=True)
class Entity:
    """A representation ready to send: gzip-compressed bytes, media type, and the tag that names the content."""

    compressed: bytes
    media_type: str
    tag: str


@lru_cache(maxsize=16)
def entity_of(body: bytes, media_type: str) -> Entity:
    """The representation of a body that is asked for again and again, compressed once."""
    return Entity(gzip.compress(body, mtime=0), media_type, hashlib.sha256(body).hexdigest()[:32])


def answer(
    request: Request, entity: Entity, *, cache: str, headers: dict[str, str] | None = None, conditional: bool = True
) -> Response:
    """The response to `request`: 304 if the client has it already, else the bytes in an encoding it accepts."""
    zipped = accepts_gzip(request.headers.get("accept-encoding", ""))
    tag = f'"{entity.tag}-gzip"' if zipped else f'"{entity.tag}"'
    common = {"ETag": tag, "Cache-Control": cache, "Vary": "Accept-Encoding", **(headers or {})}
    if conditional and matches(request.headers.get("if-none-match"), entity.tag):
        return Response(status_code=304, headers=common)
    common["Content-Type"] = entity.media_type
    if zipped:
        common["Content-Encoding"] = "gzip"
    return Pieces(entity.compressed, common, zipped=zipped)


class Pieces(Response):
    """A compressed body on its way, as it is or inflated. It counts among the bytes its client has in flight."""

    def __init__(self, compressed: bytes, headers: dict[str, str], *, zipped: bool) -> None:
        size = len(compressed) if zipped else inflated_size(compressed)
        super().__init__(headers={**headers, "Content-Length": str(size)})
        self.compressed = compressed
        self.zipped = zipped
        self.size = size

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit = visit_of(Request(scope))
        start: Any = {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        if visit.is_head or (self.zipped and self.size <= PIECE):
            await send(start)
            await send({"type": "http.response.body", "body": self.compressed})
            return
        with visit.admission.holding(visit.client, self.compressed):
            await send(start)
            left = self.size
            for piece in pieces(self.compressed) if self.zipped else inflate(self.compressed):
                left -= len(piece)
                await send({"type": "http.response.body", "body": piece, "more_body": left > 0})
                if left <= 0:
                    return
                await visit.drained()  # first, so that nothing is inflated ahead of its time
                await visit.turn()
                if visit.is_gone():
                    break
            else:  # the trailer lied: what has been sent is not an answer
                raise zlib.error("the compressed body is shorter than it says")
        await lost(receive)


def pieces(body: bytes) -> Iterator[memoryview]:
    view = memoryview(body)
    return (view[start : start + PIECE] for start in range(0, len(view), PIECE))


def inflate(compressed: bytes) -> Iterator[bytes]:
    """The content of a gzip body, at most `PIECE` bytes at a time. Raises zlib.error where it is damaged."""
    decoder = zlib.decompressobj(GZIP)
    for piece in pieces(compressed):
        rest: bytes | memoryview = piece
        while rest and not decoder.eof:
            if content := decoder.decompress(rest, PIECE):
                yield content
            rest = decoder.unconsumed_tail
    if content := decoder.flush():
        yield content


def inflated_size(compressed: bytes) -> int:
    """The size a gzip body says it has when inflated, in its last four bytes."""
    size = int.from_bytes(compressed[-4:], "little")
    if size > MAX_INFLATED:
        raise Problem(RESULT_TOO_LARGE, "It can only be sent compressed: accept gzip.", limit=MAX_INFLATED)
    return size


def matches(if_none_match: str | None, tag: str) -> bool:
    """Whether an If-None-Match header names this content in any encoding."""
    if not if_none_match:
        return False
    if if_none_match.strip() == "*":
        return True
    return bool({tag, f"{tag}-gzip"} & set(re.findall(r'"([^"]*)"', if_none_match)))


@lru_cache(maxsize=256)
def accepts_gzip(header: str) -> bool:
    """Whether an Accept-Encoding header allows gzip (RFC 9110 §12.5.3)."""
    weights: dict[str, float] = {}
    for item in header.lower().split(","):
        coding, _, parameters = item.partition(";")
        quality = re.search(r"q\s*=\s*([\d.]+)", parameters)
        try:
            weights[coding.strip()] = float(quality[1]) if quality else 1.0
        except ValueError:
            weights[coding.strip()] = 0.0
    return weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0))) > 0
