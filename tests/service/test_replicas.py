"""Replicas that share a Valkey server: results, flights and budgets; and what becomes of them without it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from app import replicas
from app.admission import Admission
from app.config import Settings, available_cores
from app.main import rules
from app.problems import BUSY, Problem
from app.replicas import PREFIX, RETRY_SECONDS, SharedBudgets, SharedFlights, SharedStore, Valkey
from app.slots import Slots
from tests.conftest import Serve
from tests.loops import completed
from tests.service.conftest import FAKE_JOBS
from tests.valkey import Server, running

pytestmark = pytest.mark.slow

Body = Callable[[Valkey, Valkey], Coroutine[None, None, None]]
Change = Callable[[Valkey], Coroutine[None, None, None]]


ANSWER_SECONDS = replicas.ANSWER_SECONDS
LEASE_MS = 60_000


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for answers longer than a machine is busy with other tests."""
    monkeypatch.setattr(replicas, "ANSWER_SECONDS", 20.0)


@pytest.fixture
def hasty(patience: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for answers as long as a service does: for tests of a server that gives none."""
    monkeypatch.setattr(replicas, "ANSWER_SECONDS", ANSWER_SECONDS)


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Server]:
    yield from running(tmp_path)


def two(server: Server, body: Body) -> None:
    """Run `body` with the connections of two replicas."""

    async def run() -> None:
        one, other = Valkey(server.url), Valkey(server.url)
        try:
            await body(one, other)
        finally:
            await one.close()
            await other.close()

    completed(run())


async def nothing() -> None:
    pass


async def none() -> None:
    return None


async def made() -> bytes:
    return b"made"


def flights(server: Valkey) -> SharedFlights:
    return SharedFlights(server)


async def sharing(store: SharedStore) -> None:
    """Return when a store is shared again."""
    async with asyncio.timeout(30):
        while store.problem is not None:
            await asyncio.sleep(0.02)


def test_a_name_that_is_none_harms_nobody(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        store = SharedStore(one, 60)
        await store.put("a", {"\ud800": b"1", "document": b"2", "a b": b"3", "": b"4", "x" * 65: b"5"})
        await store.put("\ud800", {"document": b"1"})
        assert await store.get("a", "document") == b"2" and store.problem is None
        assert await store.get("a", "\ud800") is None and await store.get("\n", "document") is None
        assert sorted(await one.ask("HKEYS", f"{PREFIX}run:a")) == [b"document"]

    two(valkey, body)


def test_a_result_of_one_replica_is_there_for_the_other(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        first, second = SharedStore(one, 60), SharedStore(other, 60)
        await first.put("a", {"document": b"1\x00\xff", "seed": b"2"})
        await second.put("a", {"graph.dot": b""})
        assert [await second.get("a", part) for part in ("document", "seed", "graph.dot")] == [b"1\x00\xff", b"2", b""]
        assert await second.get("a", "value:v1") is None
        assert await second.get("b", "document") is None
        assert first.problem is None

    two(valkey, body)


def test_results_leave_when_nobody_asks_and_stay_while_somebody_does(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        store = SharedStore(one, 1)
        await store.put("asked", {"document": b"1"})
        await store.put("left", {"document": b"1"})
        for _ in range(8):
            await asyncio.sleep(0.2)
            assert await store.get("asked", "document") == b"1"
        assert await store.get("left", "document") is None

    two(valkey, body)


def test_a_part_that_was_changed_or_moved_is_as_good_as_lost(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        store = SharedStore(one, 60)
        await store.put("a", {"document": b"mine"})
        kept = await one.ask("HGET", f"{PREFIX}run:a", "document")
        await one.ask("HSET", f"{PREFIX}run:b", "document", kept)
        await one.ask("HSET", f"{PREFIX}run:a", "document", kept + b"!")
        assert await store.get("a", "document") is None
        assert await store.get("b", "document") is None

    two(valkey, body)


def test_without_the_server_a_store_says_so_and_comes_back(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        store = SharedStore(one, 60)
        await store.put("a", {"document": b"1"})
        valkey.stop()
        assert await store.get("a", "document") is None
        assert store.problem
        valkey.start()
        await sharing(store)  # though nobody asks for anything
        await store.put("a", {"document": b"2"})
        assert await store.get("a", "document") == b"2"

    two(valkey, body)


@pytest.mark.usefixtures("hasty")
def test_a_server_that_hangs_is_waited_for_once(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        store = SharedStore(one, 60)
        await store.check()
        valkey.send(signal.SIGSTOP)
        try:
            assert await asyncio.gather(*(store.get("a", "document") for _ in range(200))) == [None] * 200
            assert store.problem
            end = time.monotonic() + 4 * RETRY_SECONDS
            while time.monotonic() < end:  # meanwhile it is tried whether the server is back
                work = asyncio.ensure_future(store.get("a", "document"))
                await asyncio.sleep(0)
                assert work.done(), "somebody waits for a server that is known to hang"
                await asyncio.sleep(0.001)
        finally:
            valkey.send(signal.SIGCONT)
        await sharing(store)

    two(valkey, body)


async def full(server: Valkey) -> None:
    await server.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
    await server.ask("CONFIG", "SET", "maxmemory", "1")


async def roomy(server: Valkey) -> None:
    await server.ask("CONFIG", "SET", "maxmemory", "0")


async def demoted(server: Valkey) -> None:
    await server.ask("REPLICAOF", "127.0.0.1", "1")


async def promoted(server: Valkey) -> None:
    await server.ask("REPLICAOF", "NO", "ONE")


async def closed(server: Valkey) -> None:
    await server.ask("CONFIG", "SET", "requirepass", "secret")
    await server.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")


async def unlocked(server: Valkey) -> None:
    await server.ask("CONFIG", "SET", "requirepass", "")


@pytest.mark.parametrize(
    ("spoil", "mend", "says"),
    [
        (full, roomy, "maxmemory"),
        (demoted, promoted, "read only replica"),
        (closed, unlocked, "authenticated"),
    ],
    ids=["full", "read-only", "locked"],
)
def test_a_server_that_refuses_is_as_good_as_gone(valkey: Server, spoil: Change, mend: Change, says: str) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        store = SharedStore(one, 60)
        await store.put("a", {"document": b"1"})
        await spoil(other)
        await store.put("a", {"document": b"2"})
        assert says.lower() in str(store.problem).lower()
        await asyncio.sleep(2 * RETRY_SECONDS)
        assert store.problem is not None, "it answers, but keeps nothing"
        assert await flights(one).do("a", none, made, nothing) == b"made"
        await mend(other)
        await sharing(store)
        await store.put("a", {"document": b"3"})
        assert await store.get("a", "document") == b"3"

    two(valkey, body)


def test_a_server_that_speaks_another_protocol_is_as_good_as_gone() -> None:
    async def body() -> None:
        keys = b"%2\r\n*0\r\n:1\r\n" * 9  # of a map, which are lists
        deep = b"*1\r\n" * 9999
        http = b"HTTP/1.1 400 Bad Request\r\n\r\n"
        for said in (http, b":nonsense\r\n" * 9, b"$-7\r\n" * 9, b"", bytes(1 << 16), keys, deep):

            async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, said: bytes = said) -> None:
                with contextlib.suppress(OSError):
                    await reader.read(1)
                    writer.write(said)
                    await writer.drain()
                    writer.close()

            async with await asyncio.start_server(answer, "127.0.0.1", 0) as listener:
                server = Valkey(f"redis://127.0.0.1:{listener.sockets[0].getsockname()[1]}/0")
                store = SharedStore(server, 60)
                assert await store.get("a", "document") is None
                assert store.problem, said
                await server.close()

    completed(body())


def test_a_connection_that_is_cut_anywhere_loses_a_part_at_most(valkey: Server) -> None:
    """The way to the server ends after so many bytes of what it says."""

    async def body(one: Valkey, other: Valkey) -> None:
        whole = bytes(range(256)) * 64
        await SharedStore(other, 60).put("a", {"document": whole})
        for allowed in (0, 1, 7, 100, 1000, 10_000, 16_300):

            async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, left: int) -> None:
                with contextlib.suppress(OSError):
                    while left > 0 and (data := await reader.read(min(left, 4096))):
                        left -= len(data)
                        writer.write(data)
                        await writer.drain()
                writer.transport.abort()

            async def between(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, left: int = allowed) -> None:
                there, back = await asyncio.open_connection("127.0.0.1", valkey.port)
                await asyncio.gather(pipe(reader, back, 1 << 30), pipe(there, writer, left))

            async with await asyncio.start_server(between, "127.0.0.1", 0) as listener:
                server = Valkey(f"redis://127.0.0.1:{listener.sockets[0].getsockname()[1]}/0")
                assert await SharedStore(server, 60).get("a", "document") is None
                assert server.problem
                await server.close()

    two(valkey, body)


def test_a_key_that_is_something_else_costs_no_more_than_itself(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        store = SharedStore(one, 60)
        for kind in ("run", "flight", "budget"):
            await other.ask("LPUSH", f"{PREFIX}{kind}:a", "nonsense")
        assert await store.get("a", "document") is None
        await store.put("a", {"document": b"1"})
        assert await flights(one).do("a", none, made, nothing) == b"made"
        SharedBudgets(one, 10.0).charge("a", 1.0, 0.0, 1.0, lambda level: None)
        await store.put("b", {"document": b"1"})
        assert await store.get("b", "document") == b"1"
        assert store.problem is None

    two(valkey, body)


def test_many_who_ask_at_once_take_turns(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        store = SharedStore(one, 60)
        await store.put("a", {"document": b"1"})
        for _ in range(5):
            assert await asyncio.gather(*(store.get("a", "document") for _ in range(200))) == [b"1"] * 200
        assert store.problem is None

    two(valkey, body)


def test_who_leaves_while_the_server_answers_leaves_nothing_behind(valkey: Server) -> None:
    """A connection with an answer that nobody has read must not be the next one's."""

    async def body(one: Valkey, other: Valkey) -> None:
        store = SharedStore(one, 60)
        for name in "ab":
            await store.put(name, {"document": name.encode() * 100_000})
        for turns in range(40):
            leaving = asyncio.create_task(store.get("a", "document"))
            for _ in range(turns):
                await asyncio.sleep(0)
            leaving.cancel()
            assert await store.get("b", "document") == b"b" * 100_000
        assert store.problem is None

    two(valkey, body)


def test_one_replica_makes_what_several_want(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        who: list[str] = []
        stores = [SharedStore(one, 60), SharedStore(other, 60)]

        def asking(number: int) -> Coroutine[None, None, bytes]:
            async def make() -> bytes:
                who.append(f"by {number}")
                await asyncio.sleep(0.3)
                await stores[number].put("a", {"document": b"result"})
                return b"result"

            return flights([one, other][number]).do("a", lambda: stores[number].get("a", "document"), make, nothing)

        assert await asyncio.gather(asking(0), asking(1), asking(0), asking(1)) == [b"result"] * 4
        assert len(who) == 1

    two(valkey, body)


def test_whoever_dies_is_succeeded(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        await one.ask("SET", f"{PREFIX}flight:a", "of a replica that is dead", "PX", 400)

        started = time.monotonic()
        assert await flights(other).do("a", none, made, nothing) == b"made"
        assert 0.2 < time.monotonic() - started

    two(valkey, body)


FLIGHT = f"{PREFIX}flight:a"


async def renewed(server: Valkey) -> None:
    """Return when a place has more of its time left than it is given here."""
    await server.ask("PEXPIRE", FLIGHT, LEASE_MS // 2)
    async with asyncio.timeout(30):
        while await server.ask("PTTL", FLIGHT) <= LEASE_MS // 2:
            await asyncio.sleep(0.01)


@pytest.fixture
def long_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    """Places last longer than a machine stands still that is busy with other tests."""
    monkeypatch.setattr(replicas, "LEASE_MS", LEASE_MS)
    monkeypatch.setattr(replicas, "RENEW_SECONDS", 0.05)


@pytest.mark.usefixtures("long_lease")
def test_long_work_keeps_its_place(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        order: list[str] = []
        stores = [SharedStore(one, 60), SharedStore(other, 60)]

        async def long() -> bytes:
            for _ in range(3):
                await renewed(one)
            order.append("one")
            await stores[0].put("a", {"document": b"long"})
            return b"long"

        first = asyncio.create_task(flights(one).do("a", none, long, nothing))
        await asyncio.sleep(0.1)
        assert await flights(other).do("a", lambda: stores[1].get("a", "document"), made, nothing) == b"long"
        assert await first == b"long" and order == ["one"]

    two(valkey, body)


@pytest.mark.usefixtures("long_lease")
@pytest.mark.parametrize("taken", [False, True])
def test_a_place_that_lapsed_while_the_machine_stood_still_is_taken_again_if_it_is_free(
    valkey: Server, taken: bool
) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        async def long() -> bytes:
            mine = await one.ask("GET", FLIGHT)
            await (one.ask("SET", FLIGHT, "another's", "PX", LEASE_MS) if taken else one.ask("DEL", FLIGHT))
            if taken:
                await asyncio.sleep(0.3)
                assert await one.ask("GET", FLIGHT) == b"another's"
            else:
                while await one.ask("GET", FLIGHT) != mine:
                    await asyncio.sleep(0.01)
            return b"long"

        assert await flights(one).do("a", none, long, nothing) == b"long"
        async with asyncio.timeout(30):
            while await other.ask("EXISTS", FLIGHT) is not int(taken):
                await asyncio.sleep(0.01)

    two(valkey, body)


@pytest.mark.usefixtures("long_lease")
def test_a_place_is_left_for_good_though_a_renewal_is_under_way(
    valkey: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        asked = one.run
        renewing = asyncio.Event()

        async def slowly(script: str, key: str, *arguments: str | bytes | float) -> object:
            if script == replicas.RENEW:
                renewing.set()
                await asyncio.sleep(0.1)
            return await asked(script, key, *arguments)

        monkeypatch.setattr(one, "run", slowly)

        async def never() -> bytes:
            await asyncio.sleep(3600)
            return b""

        first = asyncio.create_task(flights(one).do("a", none, never, nothing))
        await renewing.wait()
        first.cancel()
        assert await flights(other).do("a", none, made, nothing) == b"made"
        await asyncio.sleep(0.3)
        assert not await other.ask("EXISTS", FLIGHT)

    two(valkey, body)


def test_after_a_failure_all_who_waited_try_at_once(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        running = most = 0

        async def fail() -> bytes:
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.5)
            running -= 1
            raise Problem(BUSY, "no")

        asked = [flights(server).do("a", none, fail, nothing) for server in (one, other, one, other, one)]
        assert all(isinstance(error, Problem) for error in await asyncio.gather(*asked, return_exceptions=True))
        assert most >= 3, "they failed one after the other"

    two(valkey, body)


def test_when_nobody_wants_it_of_one_replica_any_more_another_makes_it(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        async def never() -> bytes:
            await asyncio.sleep(3600)
            return b""

        for turns in (0, 1, 2, 5, 10, 20, 50, 100):  # however far it has come
            first = asyncio.create_task(flights(one).do("a", none, never, nothing))
            for _ in range(turns):
                await asyncio.sleep(0)
            first.cancel()
            assert await flights(other).do("a", none, made, nothing) == b"made"
            while await other.ask("EXISTS", f"{PREFIX}flight:a"):
                await asyncio.sleep(0.01)

    two(valkey, body)


def test_nobody_waits_for_ever(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        await one.ask("SET", f"{PREFIX}flight:a", "of nobody, and it does not expire")
        assert await flights(other).do("a", none, made, nothing) == b"made"

    two(valkey, body)


def test_whoever_waits_does_so_as_long_as_the_leader_is_there(valkey: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replicas, "LEASE_MS", 300)
    monkeypatch.setattr(replicas, "RENEW_SECONDS", 0.1)
    found: list[bytes] = []

    async def slowly() -> bytes:
        await asyncio.sleep(1.5)  # five leases
        found.append(b"made")
        return b"made"

    async def find() -> bytes | None:
        return found[0] if found else None

    async def never() -> bytes:
        raise AssertionError("it is being made")

    async def body(one: Valkey, other: Valkey) -> None:
        first = asyncio.create_task(flights(one).do("a", none, slowly, nothing))
        while not await other.ask("EXISTS", f"{PREFIX}flight:a"):
            await asyncio.sleep(0.01)
        assert await flights(other).do("a", find, never, nothing) == b"made"
        await first

    two(valkey, body)


def test_waiting_asks_less_and_less(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        await one.ask("SET", f"{PREFIX}flight:a", "of somebody", "PX", 60_000)
        looks, ready = 0, time.monotonic() + 3

        async def find() -> bytes | None:
            nonlocal looks
            looks += 1
            return b"made" if time.monotonic() > ready else None

        many = [flights(other).do("a", find, made, nothing) for _ in range(100)]
        assert await asyncio.gather(*many) == [b"made"] * 100
        assert looks < 100 * 25
        assert other.problem is None

    two(valkey, body)


def test_without_the_server_everybody_makes_it(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        valkey.stop()
        assert await flights(one).do("a", none, made, nothing) == b"made"

    two(valkey, body)


def test_what_a_client_uses_at_one_replica_it_lacks_at_the_other(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        limited = rules(Settings(client_cpu_seconds=10.0, client_cpu_share=0.01), Slots(1, 3, ""), available_cores())
        here, there = (
            Admission(limited, shared=SharedBudgets(server, limited.client_cpu_seconds)) for server in (one, other)
        )
        mine = here.client("192.0.2.1")
        here.charge(mine, 3.0)
        await asyncio.sleep(0.3)
        same = there.client("192.0.2.1")
        there.knock(same)
        await asyncio.sleep(0.3)
        assert 6.5 < there.level(same) < 7.5
        there.charge(same, 2.0)
        here.charge(mine, 1.0)
        await asyncio.sleep(0.3)
        assert 3.5 < here.level(mine) < 5.5
        assert there.level(there.client("192.0.2.2")) == 10.0

    two(valkey, body)


def test_charges_of_many_at_once_are_all_counted(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        budgets = [SharedBudgets(server, 1000.0) for server in (one, other)]
        told: list[float] = []
        for number in range(1000):
            budgets[number % 2].charge("c", 1.0, 0.0, 0.001, told.append)
            if number % 100 == 99:
                while len(told) <= number:
                    await asyncio.sleep(0.02)
        assert -0.1 < min(told) < 1.1 and len(set(told)) == 1000

    two(valkey, body)


def test_a_damaged_budget_is_a_full_one(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        told: list[float] = []
        damaged = [("x", "y"), ("nan", "nan"), ("inf", "0"), ("-inf", "-inf"), ("", "1e308"), ("1e999", "nan")]
        for number, (level, filled) in enumerate(damaged):
            await one.ask("HSET", f"{PREFIX}budget:{number}", "level", level, "filled", filled)
            for seconds in (0.0, 1.0):
                SharedBudgets(other, 10.0).charge(str(number), seconds, -10.0, 0.001, told.append)
        while len(told) < 2 * len(damaged):
            await asyncio.sleep(0.02)
        assert all(-10 <= level <= 10.0 for level in told), told
        assert other.problem is None

    two(valkey, body)


def test_a_budget_outlives_a_clock_that_is_set_back(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        told: list[float] = []
        key = f"{PREFIX}budget:a"
        await one.ask("HSET", key, "level", "-1", "filled", str(time.time() + 3600))
        for number in range(3):
            SharedBudgets(other, 10.0).charge("a", 0.0, 0.0, 4.0, told.append)
            while len(told) <= number:
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.3)
        assert told[0] == -1 and told[2] > told[1] > told[0]

    two(valkey, body)


def test_a_debt_stays_where_nobody_else_is_here(valkey: Server) -> None:
    async def body(one: Valkey, other: Valkey) -> None:
        told: list[float] = []
        budget = SharedBudgets(one, 10.0)
        for number, (seconds, least) in enumerate([(18.0, -10.0), (1.0, 0.0)]):
            budget.charge("a", seconds, least, 0.001, told.append)
            while len(told) <= number:
                await asyncio.sleep(0.02)
        assert told[0] == pytest.approx(-8) and told[1] == pytest.approx(-8, abs=0.1)

    two(valkey, body)


def test_the_same_program_sent_to_two_services_runs_once(serve: Serve, valkey: Server) -> None:
    with serve(FAKE_JOBS, store=valkey.url) as one, serve(FAKE_JOBS, store=valkey.url) as other:
        for number in range(5):

            def run(address: str, code: str = f"sleep 0.3 {number}") -> dict[str, object]:
                answer: dict[str, object] = httpx.post(f"{address}/v1/runs", json={"code": code}, timeout=30).json()
                return answer

            with ThreadPoolExecutor(6) as threads:
                answers = list(threads.map(run, [one, other] * 3))
            assert len({str(answer.get("pid", answer)) for answer in answers}) == 1
        assert httpx.get(f"{other}/v1/runs/{answers[0]['id']}").json() == answers[0]
        assert httpx.get(f"{one}/r/{answers[0]['id']}").status_code == 200


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("trouble", ["killed", "stopped"])
def test_a_server_that_goes_and_comes_back_under_load_breaks_nothing(
    serve: Serve, valkey: Server, trouble: str
) -> None:
    with serve(FAKE_JOBS, store=valkey.url, metrics=True) as one, serve(FAKE_JOBS, store=valkey.url) as other:
        ended = threading.Event()
        statuses: dict[int, str] = {}

        def load(address: str) -> None:
            with httpx.Client(base_url=address, timeout=30) as client:
                number = 0
                while not ended.is_set():
                    number += 1
                    answer = client.post("/v1/runs", json={"code": f"pad {number}"})
                    statuses[answer.status_code] = answer.text[-300:]

        def said_until(well: bool) -> None:
            deadline = time.monotonic() + 30
            for address in (one, other):
                while True:
                    answer = httpx.get(f"{address}/readyz", timeout=30)
                    assert answer.status_code == 200 and time.monotonic() < deadline
                    if (answer.json()["store"] == "ok") is well:
                        break
                    time.sleep(0.05)

        with ThreadPoolExecutor(4) as threads:
            work = [threads.submit(load, address) for address in (one, other) * 2]
            try:
                said_until(True)
                valkey.stop() if trouble == "killed" else valkey.send(signal.SIGSTOP)
                said_until(False)
                assert "backlight_store_up 0.0" in httpx.get(f"{one}/metrics").text
                time.sleep(1.5)
                valkey.start() if trouble == "killed" else valkey.send(signal.SIGCONT)
                said_until(True)
            finally:
                ended.set()
            for each in work:
                each.result()
        assert set(statuses) == {200}, statuses
