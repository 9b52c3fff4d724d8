"""The pictures of links: drawn when somebody asks, one at a time, and kept while there is room."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import OrderedDict
from collections.abc import Hashable
from functools import partial

from app.admission import Admission
from app.answers import Entity, inflated_size
from app.flights import SingleFlight
from app.logs import Complaints
from app.preview.card import draw, drawable
from app.preview.moment import moment_of
from app.turns import Client

MOST_KEPT = 16 << 20
LARGEST_DOCUMENT = 4 << 20
"""Bytes; a larger document is not read for a picture."""


class Previews:
    """Pictures by what they show; `possible` says whether this installation can draw any."""

    def __init__(self, admission: Admission) -> None:
        self._admission = admission
        self._kept: OrderedDict[Hashable, Entity] = OrderedDict()
        self._size = 0
        self._flights: SingleFlight[Entity | None] = SingleFlight()
        self._complaints = Complaints("backlight")
        self.possible = drawable()

    def kept(self, key: Hashable) -> Entity | None:
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    async def picture(
        self, key: Hashable, document: bytes, step: int | None, title: str, client: Client
    ) -> Entity | None:
        """The picture of a step of a compressed document, at the expense of who asks; None where none can be drawn."""
        if (found := self.kept(key)) is not None:
            return found
        if inflated_size(document) > LARGEST_DOCUMENT:
            return None
        return await self._flights.do(key, lambda: self._draw(key, document, step, title, client))

    async def _draw(
        self, key: Hashable, document: bytes, step: int | None, title: str, client: Client
    ) -> Entity | None:
        admission = self._admission
        work, paid = partial(make, document, step, title), partial(admission.charge, client)
        try:
            entity = await admission.pictures.do(client.site, 1, work, paid)
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
            self._complaints.say("a document could not be drawn: %s", type(error).__name__)
            return None
        self._keep(key, entity)
        return entity

    def _keep(self, key: Hashable, entity: Entity) -> None:
        if (before := self._kept.pop(key, None)) is not None:
            self._size -= len(before.compressed)
        self._kept[key] = entity
        self._size += len(entity.compressed)
        while self._size > MOST_KEPT:
            self._size -= len(self._kept.popitem(last=False)[1].compressed)


def make(document: bytes, step: int | None, title: str) -> Entity:
    picture = draw(moment_of(json.loads(gzip.decompress(document)), step), title)
    return Entity(gzip.compress(picture, 1, mtime=0), "image/png", hashlib.sha256(picture).hexdigest()[:32])
