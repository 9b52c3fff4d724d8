"""From a request to a stored result: identity, single flight, workers, store.

A document that the machine's clock has ended is no result: it is kept under an id of its own, and its program runs
again when it is sent again.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import re
import secrets
import time
import weakref
import zlib
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from app import documents
from app.admission import Admission
from app.answers import GZIP
from app.body import canonical_json
from app.flights import SingleFlight
from app.keys import encoded
from app.logs import Complaints, quoted
from app.problems import (
    BUSY,
    KINDS,
    NOT_READY,
    RESULT_TOO_LARGE,
    RUN_CRASHED,
    RUN_TIME_LIMIT,
    UNKNOWN_CHECK,
    UNKNOWN_RUN,
    UNKNOWN_VALUE,
    WRONG_TOKEN,
    Problem,
)
from app.store import Store
from app.traces import Lasting, Traces
from app.turns import Client, Grant, PutBack, Turn
from app.workers.pool import BadReply, Cost, JobFailed, Pool, PoolBusy, ReplyTooLarge, TimeLimit
from app.workers.replies import legible
from app.workers.wire import Frame

RUN_ID = re.compile(r"[a-z2-7]{26}")
VALUE_NAME = re.compile(r"v\d{1,9}")
LEAF_NAME = re.compile(r"t\d{1,9}(@\d{1,9})?")
EXPORTS = ("graph.dot", "graph.mmd")
FORMAT = 1
SMALL_REPLY = 32 << 10  # bytes that are checked in a fraction of a millisecond


class Counts(Protocol):
    """What is counted of jobs."""

    def worked(self, kind: str) -> None:
        """A job has been done."""

    def used(self, kind: str, cpu_seconds: float, memory: int | None) -> None:
        """What one process has used for a job, done or not: processor time, and memory at its peak."""


class Replicas(Protocol):
    """Other services that may be making the same result."""

    async def do(
        self,
        key: str,
        find: Callable[[], Awaitable[bytes | None]],
        make: Callable[[], Awaitable[bytes]],
        kept: Callable[[], Awaitable[None]],
    ) -> bytes:
        """What `find` finds when another has made it, else what `make` gives; `kept` waits until others can find it."""


@dataclass(frozen=True)
class RunKey:
    """What identifies a run: `id` names its result, `seed` feeds its generator, `request` is the canonical input."""

    id: str
    seed: int
    request: bytes


class Runs:
    """Runs programs and keeps what came out. Results are a pure function of the input and the engine."""

    def __init__(
        self,
        pool: Pool,
        store: Store,
        admission: Admission,
        *,
        values_bytes: int,
        result_bytes: int,
        counts: Counts,
        shared: Replicas | None = None,
        traces: Traces | None = None,
    ) -> None:
        self.pool = pool
        self.store = store
        self.admission = admission
        self.values_bytes = values_bytes
        self.result_bytes = result_bytes
        self._flights: SingleFlight[bytes] = SingleFlight()
        self._shared = shared
        self.traces = traces or Traces()
        self._counts = counts
        self._complaints = Complaints("backlight.runs")
        self._turns: dict[Hashable, Turn] = {}
        self._deleted: weakref.WeakSet[Turn] = weakref.WeakSet()  # under way when their run was deleted
        self._described: Mapping[str, Any] | None = None
        self._edition = ""
        self._ops: bytes | None = None

    @property
    def edition(self) -> str:
        """Names everything but the input that a result depends on: document format, engine, numpy, machine, limits."""
        hello = self.pool.hello
        if hello is self._described:
            return self._edition
        basis = [FORMAT, hello["engine"], hello["source"], hello["numpy"], hello.get("machine"), hello["limits"]]
        self._described = hello
        self._edition = hashlib.sha256(canonical_json(basis)).hexdigest()[:16]
        return self._edition

    def identify(self, program: Mapping[str, Any], seed: int | None, checks: Sequence[str] = ()) -> RunKey:
        """The key of a program: `{"code": …}` or `{"graph": …}`; `checks` are leaves whose gradients are checked.

        The id covers everything the result depends on, the engine itself and its limits included, under a secret of the
        store: nobody can tell from an id what was run, or from a program whether it was. The seed of a program that
        chooses none depends on the program alone, so that an engine update keeps its random numbers.
        """
        seed, request, content = self._content(program, seed, checks)
        return RunKey(self.store.keys.run(content), seed, request)

    def _content(self, program: Mapping[str, Any], seed: int | None, checks: Sequence[str]) -> tuple[int, bytes, bytes]:
        """The seed, the canonical input, and all that the id stands for."""
        request = canonical_json(program)
        if seed is None:
            seed = int.from_bytes(hashlib.sha256(request).digest()[:4])
        if checks:
            request = canonical_json({**program, "check": list(checks)})
        return seed, request, canonical_json([self.edition, seed]) + b"\n" + request

    async def run(self, key: RunKey, client: Client) -> bytes:
        """The compressed document of a run that is not stored: from the flight under way, or from a worker."""
        return await self._fly(key.id, client, lambda turn: self._run(key, turn))

    async def cached(self, key: RunKey) -> bytes | None:
        """The compressed document of a run, if it is stored."""
        return await self.store.get(key.id, "document")

    async def document(self, run: str) -> bytes:
        """The compressed document of an earlier run."""
        return await self._stored(run, "document")

    def token(self, run: str) -> str:
        """What allows to delete a run; only who has sent its program is told."""
        return self.store.keys.token(run)

    async def delete(self, run: str, token: str) -> None:
        """Forget a run, whatever was made from it, and what is being made from it now.

        Who waits for that is answered, but nothing of it is kept.
        """
        if not self.store.keys.proves(token, run_id(run)):
            raise Problem(WRONG_TOKEN, "The token is missing, or is that of another run.")
        for key in [key for key in self._turns if key == run or (isinstance(key, tuple) and key[0] == run)]:
            self._deleted.add(self._turns.pop(key))
            self._flights.forget(key)
        if not await self.store.delete(run):
            raise Problem(NOT_READY, "The store cannot be asked to forget it now.", headers={"Retry-After": "2"})

    async def value(self, run: str, name: str, client: Client) -> bytes:
        """A large value as compressed JSON: stored, formatted from its stored elements, or computed again."""
        if not VALUE_NAME.fullmatch(name):
            raise Problem(UNKNOWN_VALUE, "Values are named v0, v1, …")
        part = f"values/{name}"
        return await self.store.get(run_id(run), part) or await self._fly(
            (run, part), client, lambda turn: self._value(run, name, part, turn)
        )

    async def check(self, run: str, leaf: str, client: Client) -> bytes:
        """A leaf's gradient beside central differences, as compressed JSON: the run is repeated for it."""
        if not LEAF_NAME.fullmatch(leaf):
            raise Problem(UNKNOWN_CHECK, "Tensors are named t0, t1, …, and their passes t0@0, t0@1, …")
        part = f"checks/{leaf}"
        return await self.store.get(run_id(run), part) or await self._fly(
            (run, part), client, lambda turn: self._check(run, leaf, part, turn)
        )

    async def export(self, run: str, kind: str, client: Client) -> bytes:
        """The run's graph as compressed text in another language; `kind` is one of `EXPORTS`."""
        return await self.store.get(run_id(run), kind) or await self._fly(
            (run, kind), client, lambda turn: self._export(run, kind, turn)
        )

    async def ops(self, client: Client) -> bytes:
        """The catalogue of ops as compressed JSON."""
        if self._ops is None:
            self._ops = await self._fly("ops", client, lambda turn: self._body("ops", {}, {}, turn))
        return self._ops

    async def _fly(self, key: Hashable, client: Client, make: Callable[[Turn], Awaitable[bytes]]) -> bytes:
        """What `make` gives, made once for all who want it at the same time; it waits in the queue of each of them."""
        turn = self._turns.get(key)
        if turn is None:
            turn = self._turns[key] = Turn(client)
        else:
            self.admission.share(turn, client)
        try:
            return await self._flights.do(key, lambda: make(turn))
        finally:
            if key not in self._flights:
                self._turns.pop(key, None)

    async def _run(self, key: RunKey, turn: Turn) -> bytes:
        """The document: from another replica that makes it already, or made here."""
        if self._shared is None:
            return await self._make(key, turn)
        return await self._shared.do(key.id, lambda: self.cached(key), lambda: self._make(key, turn), self.store.settle)

    async def _make(self, key: RunKey, turn: Turn) -> bytes:
        passing_id = encoded(secrets.token_bytes(16))
        fields = {
            "id": key.id,
            "passing_id": passing_id,
            "seed": key.seed,
            "values_bytes": self.values_bytes,
            "result_bytes": self.result_bytes,
        }
        reply = await self._work("run", fields, {"request": key.request}, turn)
        if turn not in self._deleted:
            kept = {**reply.parts, "seed": b"%d" % key.seed, "request": key.request}
            await self.store.put(passing_id if reply.header.get("passing") else key.id, kept)
        return reply.parts["document"]

    async def _value(self, run: str, name: str, part: str, turn: Turn) -> bytes:
        packed = await self.store.get(run, f"value:{name}")
        if packed is not None:
            body = await self._body("format", {}, {"value": packed}, turn)
        else:
            body = await self._recompute(run, name, turn)
        await self._add(run, {part: body}, turn)
        return body

    async def _recompute(self, run: str, name: str, turn: Turn) -> bytes:
        request, seed = await self._repeatable(run)
        return await self._body("value", {"name": name, "seed": seed}, {"request": request}, turn)

    async def _check(self, run: str, leaf: str, part: str, turn: Turn) -> bytes:
        request, seed = await self._repeatable(run)
        body = await self._body("check", {"leaf": leaf, "seed": seed}, {"request": request}, turn)
        await self._add(run, {part: body}, turn)
        return body

    async def _repeatable(self, run: str) -> tuple[bytes, int]:
        """The input and the seed of an earlier run, which this engine would answer with the same document."""
        request = await self._stored(run, "request")
        seed = int(await self._stored(run, "seed"))
        program = json.loads(request)
        checks = program.pop("check", ())
        if not self.store.keys.made(run, self._content(program, seed, checks)[2]):
            raise Problem(UNKNOWN_RUN, "The run cannot be repeated: its time ran out, or another engine made it.")
        return request, seed

    async def _export(self, run: str, kind: str, turn: Turn) -> bytes:
        body = await self._body(kind, {}, {"document": await self._stored(run, "document")}, turn)
        await self._add(run, {kind: body}, turn)
        return body

    async def _add(self, run: str, parts: Mapping[str, bytes], turn: Turn) -> None:
        """Keep what was made from a run, if the run is still kept."""
        if turn not in self._deleted:
            await self.store.add(run, parts)

    async def _stored(self, run: str, part: str) -> bytes:
        body = await self.store.get(run_id(run), part)
        if body is None:
            raise Problem(UNKNOWN_RUN, "The run is not, or no longer, kept here.")
        return body

    async def _body(self, kind: str, fields: Mapping[str, Any], parts: Mapping[str, bytes], turn: Turn) -> bytes:
        return (await self._work(kind, fields, parts, turn)).parts["body"]

    async def _work(self, kind: str, fields: Mapping[str, Any], parts: Mapping[str, bytes], turn: Turn) -> Frame:
        """A worker's result, when it is the turn of this job; every other outcome is a Problem."""
        with self.traces.step("job", kind=kind):
            while (done := await self._turn(kind, fields, parts, turn)) is None:
                pass
            reply, payer = done
            if (fault := reply.header.get("fault")) is not None:
                self._complaints.say("the engine failed in a worker: %s", quoted(fault))
                raise Problem(RUN_CRASHED, "The engine failed on this program.")
            if (slug := reply.header.get("problem")) is not None:
                if "log" in reply.header:
                    self._complaints.say("Python failed in a worker: %s", quoted(reply.header["log"]))
                raise refused(slug, reply.header)
            await self._hold(kind, fields, reply, payer)
            return reply

    async def _turn(
        self, kind: str, fields: Mapping[str, Any], parts: Mapping[str, bytes], turn: Turn
    ) -> tuple[Frame, Client] | None:
        """A worker's reply and who pays; None if this had to give way to shorter jobs and waits for another turn."""
        try:
            async with contextlib.AsyncExitStack() as stack:
                with self.traces.step("wait"):
                    grant = await stack.enter_async_context(self.admission.slot(turn))
                return await self._reply(kind, fields, parts, grant), grant.client
        except PutBack:
            return None

    async def _reply(self, kind: str, fields: Mapping[str, Any], parts: Mapping[str, bytes], grant: Grant) -> Frame:
        """A worker's reply at the expense of who was granted the place, whatever comes of it."""
        span, costs = self.traces.lasting("work"), list[asyncio.Future[Cost]]()

        def pay(cost: asyncio.Future[Cost]) -> None:
            cpu_seconds, memory, slept = cost.result()
            self.admission.bill(grant, cpu_seconds + slept)  # a place that is slept in is nobody else's
            self._counts.used(kind, cpu_seconds, memory)

        def bill(cost: asyncio.Future[Cost]) -> None:
            costs.append(cost)
            cost.add_done_callback(pay)

        try:
            reply = await self.pool.run(kind, fields, parts, bill=bill)
            self._counts.worked(kind)
            return reply
        except PoolBusy as busy:
            raise Problem(BUSY, f"Too many programs at once: {busy}.", headers={"Retry-After": "1"}) from None
        except JobFailed as failure:
            raise self._problem(failure) from None
        finally:
            if span is not None:
                asyncio.gather(*costs).add_done_callback(partial(told, span, time.time_ns()))

    async def _hold(self, kind: str, fields: Mapping[str, Any], reply: Frame, payer: Client) -> None:
        """Hold what a worker sent against what it must be. Much is looked at beside the event loop, and is not free."""
        run = fields.get("passing_id" if reply.header.get("passing") else "id", "")
        check = partial(documents.check, kind, reply, run=run, values_bytes=self.values_bytes)
        try:
            if (size := documents.announced(reply.parts)) <= SMALL_REPLY:
                check()
            else:
                await self.admission.beside(payer, size, check)
        except documents.Misfit as misfit:
            self._complaints.say("a worker sent what cannot be kept: %s", misfit)
            raise Problem(RUN_CRASHED, "What the process that ran it sent is no result.") from None

    def _problem(self, failure: JobFailed) -> Problem:
        limits = self.pool.limits
        match failure:
            case TimeLimit():
                detail = (
                    f"It may sleep for {limits.wall_seconds:g} seconds and use {limits.cpu_seconds} of processor time."
                )
                return Problem(RUN_TIME_LIMIT, detail, limit=limits.cpu_seconds)
            case ReplyTooLarge():
                return Problem(RESULT_TOO_LARGE, "The result does not fit in one answer.")
            case BadReply():
                self._complaints.say("a worker sent something that is no reply")
                return Problem(RUN_CRASHED, "What the process that ran it sent is no result.")
            case _:
                return Problem(RUN_CRASHED, "The process that ran it ended, and so did a second one.")


def id_of(document: bytes) -> str:
    """The id of a compressed document, which it begins with."""
    found = re.match(rb'\{"id": ?"([a-z2-7]{26})"', zlib.decompressobj(GZIP).decompress(document, 64))
    if found is None:
        raise ValueError("the document does not begin with its id")
    return found[1].decode()


def told(span: Lasting, ended: int, costs: asyncio.Future[list[Cost]]) -> None:
    """End the span of a job, when all that it took is known."""
    span.set_attribute("cpu_seconds", sum(cost.cpu_seconds for cost in costs.result()))
    span.end(ended)


def refused(slug: str, header: Mapping[str, Any]) -> Problem:
    """A job's own refusal, in words without anything that does not belong in text."""
    members: dict[str, Any] = {"limit": header["limit"]} if "limit" in header else {}
    if "errors" in header:
        members["errors"] = [{name: legible(text) for name, text in error.items()} for error in header["errors"]]
    return Problem(KINDS[slug], legible(header["detail"]), **members)


def run_id(run: str) -> str:
    """`run` if it can be an id at all."""
    if not RUN_ID.fullmatch(run):
        raise Problem(UNKNOWN_RUN, "An id has 26 characters from a to z and 2 to 7.")
    return run
