"""From a request to a stored result: identity, single flight, workers, store."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from app.admission import Admission
from app.body import canonical_json
from app.flights import SingleFlight
from app.problems import (
    BUSY,
    INTERNAL_ERROR,
    KINDS,
    RESULT_TOO_LARGE,
    RUN_CRASHED,
    RUN_TIME_LIMIT,
    UNKNOWN_CHECK,
    UNKNOWN_RUN,
    UNKNOWN_VALUE,
    Problem,
)
from app.store import Store
from app.traces import Traces
from app.turns import Client, Grant, PutBack, Turn
from app.workers.pool import JobFailed, Pool, PoolBusy, Reply, ReplyTooLarge, TimeLimit

log = logging.getLogger("backlight.runs")

RUN_ID = re.compile(r"[a-z2-7]{26}")
VALUE_NAME = re.compile(r"v\d{1,9}")
LEAF_NAME = re.compile(r"t\d{1,9}(@\d{1,9})?")
EXPORTS = ("graph.dot", "graph.mmd")
FORMAT = 1


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
        shared: Replicas | None = None,
        traces: Traces | None = None,
        done: Callable[[str, float], None] = lambda kind, cpu_seconds: None,
    ) -> None:
        self.pool = pool
        self.store = store
        self.admission = admission
        self.values_bytes = values_bytes
        self.result_bytes = result_bytes
        self._flights: SingleFlight[bytes] = SingleFlight()
        self._shared = shared
        self.traces = traces or Traces()
        self._done = done
        self._turns: dict[Hashable, Turn] = {}
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

        The id covers everything the result depends on, the engine itself and its limits included. The seed of a
        program that chooses none depends on the program alone, so that an engine update keeps its random numbers.
        """
        request = canonical_json(program)
        if seed is None:
            seed = int.from_bytes(hashlib.sha256(request).digest()[:4])
        if checks:
            request = canonical_json({**program, "check": list(checks)})
        digest = hashlib.sha256(canonical_json([self.edition, seed]) + b"\n" + request).digest()
        return RunKey(base64.b32encode(digest[:16]).decode().rstrip("=").lower(), seed, request)

    async def run(self, key: RunKey, client: Client) -> bytes:
        """The compressed document of a run that is not stored: from the flight under way, or from a worker."""
        return await self._fly(key.id, client, lambda turn: self._run(key, turn))

    async def cached(self, key: RunKey) -> bytes | None:
        """The compressed document of a run, if it is stored."""
        return await self.store.get(key.id, "document")

    async def document(self, run: str) -> bytes:
        """The compressed document of an earlier run."""
        return await self._stored(run, "document")

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
        fields = {
            "id": key.id,
            "seed": key.seed,
            "values_bytes": self.values_bytes,
            "result_bytes": self.result_bytes,
        }
        parts = await self._work("run", fields, {"request": key.request}, turn)
        await self.store.put(key.id, {**parts, "seed": b"%d" % key.seed, "request": key.request})
        return parts["document"]

    async def _value(self, run: str, name: str, part: str, turn: Turn) -> bytes:
        packed = await self.store.get(run, f"value:{name}")
        if packed is not None:
            body = await self._body("format", {}, {"value": packed}, turn)
        else:
            body = await self._recompute(run, name, turn)
        await self.store.put(run, {part: body})
        return body

    async def _recompute(self, run: str, name: str, turn: Turn) -> bytes:
        request, seed = await self._repeatable(run)
        return await self._body("value", {"name": name, "seed": seed}, {"request": request}, turn)

    async def _check(self, run: str, leaf: str, part: str, turn: Turn) -> bytes:
        request, seed = await self._repeatable(run)
        body = await self._body("check", {"leaf": leaf, "seed": seed}, {"request": request}, turn)
        await self.store.put(run, {part: body})
        return body

    async def _repeatable(self, run: str) -> tuple[bytes, int]:
        """The input and the seed of an earlier run, which this engine would answer with the same document."""
        request = await self._stored(run, "request")
        seed = int(await self._stored(run, "seed"))
        program = json.loads(request)
        checks = program.pop("check", ())
        if self.identify(program, seed, checks).id != run:
            raise Problem(UNKNOWN_RUN, "The run was made by another version of the engine.")
        return request, seed

    async def _export(self, run: str, kind: str, turn: Turn) -> bytes:
        body = await self._body(kind, {}, {"document": await self._stored(run, "document")}, turn)
        await self.store.put(run, {kind: body})
        return body

    async def _stored(self, run: str, part: str) -> bytes:
        body = await self.store.get(run_id(run), part)
        if body is None:
            raise Problem(UNKNOWN_RUN, "The run is not, or no longer, kept here.")
        return body

    async def _body(self, kind: str, fields: Mapping[str, Any], parts: Mapping[str, bytes], turn: Turn) -> bytes:
        return (await self._work(kind, fields, parts, turn))["body"]

    async def _work(
        self, kind: str, fields: Mapping[str, Any], parts: Mapping[str, bytes], turn: Turn
    ) -> dict[str, bytes]:
        """The parts of a worker's reply, when it is the turn of this job; every other outcome is a Problem."""
        with self.traces.step("job", kind=kind):
            while (reply := await self._turn(kind, fields, parts, turn)) is None:
                pass
        if (fault := reply.header.get("fault")) is not None:
            log.error("the engine failed in a worker:\n%s", fault)
            raise Problem(INTERNAL_ERROR, "The engine failed on this program.")
        if (slug := reply.header.get("problem")) is not None:
            members = {name: reply.header[name] for name in ("limit", "errors") if name in reply.header}
            raise Problem(KINDS[slug], str(reply.header["detail"]), **members)
        return reply.parts

    async def _turn(self, kind: str, fields: Mapping[str, Any], parts: Mapping[str, bytes], turn: Turn) -> Reply | None:
        """A worker's reply; None if this had to give way to shorter jobs and waits for another turn."""
        try:
            async with contextlib.AsyncExitStack() as stack:
                with self.traces.step("wait"):
                    grant = await stack.enter_async_context(self.admission.slot(turn))
                with self.traces.step("work") as span:
                    reply = await self._reply(kind, fields, parts, grant)
                    if span is not None:
                        span.set_attribute("cpu_seconds", reply.cpu_seconds)
        except PutBack:
            return None
        return reply

    async def _reply(self, kind: str, fields: Mapping[str, Any], parts: Mapping[str, bytes], grant: Grant) -> Reply:
        """A worker's reply at the expense of who was granted the place, whatever comes of it."""
        started = time.monotonic()
        outcome: Reply | JobFailed | None = None
        try:
            outcome = await self.pool.run(kind, fields, parts)
            self._done(kind, outcome.cpu_seconds)
            return outcome
        except PoolBusy as busy:
            started = time.monotonic()  # it only waited
            raise Problem(BUSY, f"Too many programs at once: {busy}.", headers={"Retry-After": "1"}) from None
        except JobFailed as failure:
            outcome = failure
            raise self._problem(failure) from None
        finally:
            # Whoever leaves has the process killed: what it took until then is not known, but the clock is.
            seconds = time.monotonic() - started if outcome is None else outcome.cpu_seconds
            self.admission.bill(grant, seconds)

    def _problem(self, failure: JobFailed) -> Problem:
        limits = self.pool.limits
        match failure:
            case TimeLimit():
                detail = (
                    f"It may run for {limits.wall_seconds:g} seconds and use {limits.cpu_seconds} of processor time."
                )
                return Problem(RUN_TIME_LIMIT, detail, limit=limits.wall_seconds)
            case ReplyTooLarge():
                return Problem(RESULT_TOO_LARGE, "The result does not fit in one answer.")
            case _:
                return Problem(RUN_CRASHED, "The process that ran it ended, and so did a second one.")


def run_id(run: str) -> str:
    """`run` if it can be an id at all."""
    if not RUN_ID.fullmatch(run):
        raise Problem(UNKNOWN_RUN, "An id has 26 characters from a to z and 2 to 7.")
    return run
