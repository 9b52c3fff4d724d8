"""Turning stored bytes into responses: entity tags, 304, and gzip or not."""

from __future__ import annotations

import asyncio
import gzip
import re
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
SMALL = 256 << 10


@dataclass(frozen=True)
class Entity:
    """A representation ready to send: gzip-compressed bytes, media type, and the tag that names the content."""

    compressed: bytes
    media_type: str
    tag: str


async def answer(
    request: Request, entity: Entity, *, cache: str, headers: dict[str, str] | None = None, conditional: bool = True
) -> Response:
    """The response to `request`: 304 if the client has it already, else the bytes in an encoding it accepts."""
    zipped = accepts_gzip(request.headers.get("accept-encoding", ""))
    tag = f'"{entity.tag}-gzip"' if zipped else f'"{entity.tag}"'
    common = {"ETag": tag, "Cache-Control": cache, "Vary": "Accept-Encoding", **(headers or {})}
    if conditional and matches(request.headers.get("if-none-match"), entity.tag):
        return Response(status_code=304, headers=common)
    if zipped:
        return Response(entity.compressed, headers={**common, "Content-Encoding": "gzip"}, media_type=entity.media_type)
    if len(entity.compressed) < SMALL:
        body = gzip.decompress(entity.compressed)
    else:
        body = await asyncio.to_thread(gzip.decompress, entity.compressed)
    return Response(body, headers=common, media_type=entity.media_type)


def matches(if_none_match: str | None, tag: str) -> bool:
    """Whether an If-None-Match header names this content in any encoding."""
    if not if_none_match:
        return False
    if if_none_match.strip() == "*":
        return True
    return bool({tag, f"{tag}-gzip"} & set(re.findall(r'"([^"]*)"', if_none_match)))


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
