"""What Python can do in a worker, the kernel refuses: nothing is in its reach."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable

import httpx
import pytest

from app.workers.calls import BY_ARGUMENT, DEADLY, FREE, NO_TERMINAL, Condition
from app.workers.kernel import (
    ALLOW,
    ARCHITECTURES,
    JUMP,
    JUMP_ANY_BIT,
    JUMP_EQUAL,
    JUMP_GREATER_EQUAL,
    KILL_PROCESS,
    LOAD_WORD,
    NOT_A_TERMINAL,
    OFFSET_ARCH,
    OFFSET_NUMBER,
    REFUSE,
    RETURN,
    syscall_filter,
)
from app.workers.pool import PoolFailed
from tests.conftest import Serve
from tests.service.conftest import FAKE_JOBS

ATTACKS = [
    "read a file",
    "write a file",
    "list a folder",
    "delete a file",
    "read the environment",
    "open a socket",
    "send a datagram",
    "fork",
    "execute",
    "kill the parent",
    "change limits of the parent",
    "raise its own memory limit",
    "start a thread",
]

locked = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="seccomp is used on Linux on x86-64"
)


def outcome(client: httpx.Client, name: str) -> str:
    answer: str = client.post("/v1/runs", json={"code": f"attack {name}"}).json()["globals"]["outcome"]
    return answer


@locked
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_from_inside_a_worker_is_refused(fake: httpx.Client, name: str) -> None:
    assert outcome(fake, name) in ("PermissionError", "RuntimeError", "ValueError")


@locked
def test_computing_is_what_is_left(fake: httpx.Client) -> None:
    assert outcome(fake, "compute") == "done"


@locked
def test_readiness_tells_what_is_in_force(fake: httpx.Client, serve: Serve) -> None:
    told = fake.get("/readyz").json()
    assert "seccomp" in told["isolation"] and ("landlock" in told["isolation"]) == (told["landlock"] > 0)
    with serve(FAKE_JOBS, isolation="basic") as address:
        told = httpx.get(f"{address}/readyz").json()
        assert (told["isolation"], told["landlock"]) == (["rlimits"], 0)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_without_a_filter_of_system_calls_only_this_machine_is_served(serve: Serve) -> None:
    with serve(FAKE_JOBS, isolation="basic") as address:
        assert httpx.get(f"{address}/readyz").json()["loopback_only"]
    with pytest.raises((AssertionError, PoolFailed)), serve(FAKE_JOBS, isolation="basic", host="0.0.0.0"):
        pass


@locked
def test_behind_a_filter_any_address_may_be_served(serve: Serve) -> None:
    with serve(FAKE_JOBS, host="0.0.0.0") as address:
        assert not httpx.get(f"{address}/readyz").json()["loopback_only"]


def test_strict_isolation_starts_only_where_it_can_be_had(serve: Serve, fake: httpx.Client) -> None:
    if {"landlock", "seccomp"} <= set(fake.get("/readyz").json()["isolation"]):
        with serve(FAKE_JOBS, isolation="strict") as address:
            assert httpx.get(f"{address}/readyz").status_code == 200
    else:
        with pytest.raises((AssertionError, PoolFailed)), serve(FAKE_JOBS, isolation="strict"):
            pass


Arguments = tuple[int, ...]
WORDS = [0, 1, 2, 3, 4, 5, 7, 8, 16, 0x22, 0x32, 0x4022, 128, 137, 1030, 4711, 0x80000000, 0xFFFFFFFF]


def decide(machine: str, number: int, arguments: Arguments = (1,) * 6, system: int | None = None) -> int:
    """Run the filter by hand on one call."""
    rules, position, loaded = syscall_filter(machine), 0, 0
    words = {OFFSET_NUMBER: number, OFFSET_ARCH: ARCHITECTURES[machine][1] if system is None else system}
    for index, argument in enumerate(arguments):
        words |= {16 + 8 * index: argument & 0xFFFFFFFF, 20 + 8 * index: argument >> 32}
    tests: dict[int, Callable[[int], bool]] = {
        JUMP_EQUAL: lambda operand: loaded == operand,
        JUMP_GREATER_EQUAL: lambda operand: loaded >= operand,
        JUMP_ANY_BIT: lambda operand: bool(loaded & operand),
    }
    while True:
        code, jump_true, jump_false, operand = rules[position]
        position += 1
        if code == RETURN:
            return operand
        if code == LOAD_WORD:
            loaded = words[operand]
        elif code == JUMP:
            position += operand
        else:
            position += jump_true if tests[code](operand) else jump_false


def fitting(conditions: tuple[Condition, ...]) -> Arguments:
    """Arguments that fit, with everything in those that nobody looks at."""
    chosen = {row.argument: row.values[0] if row.values else 0 for row in conditions}
    return tuple(chosen.get(index, (1 << 64) - 1) for index in range(6))


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_the_filter_allows_exactly_the_table(machine: str) -> None:
    column, architecture = ARCHITECTURES[machine]
    groups = ((FREE, ALLOW), (NO_TERMINAL, NOT_A_TERMINAL), (DEADLY, KILL_PROCESS))
    expected = {numbers[column]: answer for group, answer in groups for numbers in group.values()}
    by_argument = {numbers[column] for numbers, _ in BY_ARGUMENT.values()}
    assert not by_argument & expected.keys() - {None}
    for number in range(700):
        if number not in by_argument:
            assert decide(machine, number) == expected.get(number, REFUSE)
            assert decide(machine, number | 1 << 30) == KILL_PROCESS
            for other in {0xC000003E, 0xC00000B7, 0x40000003, 0x40000028} - {architecture}:
                assert decide(machine, number, system=other) == KILL_PROCESS


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize("name", BY_ARGUMENT)
def test_the_filter_looks_at_all_64_bits_of_an_argument(machine: str, name: str) -> None:
    numbers, conditions = BY_ARGUMENT[name]
    number = numbers[ARCHITECTURES[machine][0]]
    assert number is not None
    right = fitting(conditions)
    assert decide(machine, number, right) == ALLOW
    for row in conditions:
        for word in {*WORDS, *row.values}:
            for argument in (word, word | 1 << 32, word | 0xFFFFFFFF << 32, word << 32):
                changed = (*right[: row.argument], argument, *right[row.argument + 1 :])
                assert decide(machine, number, changed) == (ALLOW if row.holds(argument) else REFUSE), (row, argument)


def test_no_number_stands_twice_in_the_table() -> None:
    rows = [*FREE.values(), *NO_TERMINAL.values(), *DEADLY.values(), *(numbers for numbers, _ in BY_ARGUMENT.values())]
    for column, _ in ARCHITECTURES.values():
        found = [numbers[column] for numbers in rows if numbers[column] is not None]
        assert len(set(found)) == len(found)


@locked
def test_modules_that_nothing_imported_before_are_there_without_a_file(fake: httpx.Client) -> None:
    told = json.loads(outcome(fake, "import late"))
    assert told["imported"] and not told["failed"], told["failed"]
    assert told["numpy"] == 6.0
    assert told["missing"] == "ModuleNotFoundError"


def test_a_callback_for_c_says_why_there_is_none(client: httpx.Client) -> None:
    program = "import ctypes\nctypes.CFUNCTYPE(ctypes.c_int)(lambda: 7)"
    error = client.post("/v1/runs", json={"code": program}).json()["error"]
    assert error["type"] == "MemoryError" and "C cannot call back into Python" in error["explanation"]
