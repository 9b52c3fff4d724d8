"""Even a program that got hold of Python itself finds nothing it can reach from a worker."""

from __future__ import annotations

import platform
import sys

import httpx
import pytest

from app.workers.kernel import (
    ALLOW,
    ALLOWED,
    ALLOWED_WITH_LANDLOCK,
    ARCHITECTURES,
    KILL_PROCESS,
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
    if name == "raise its own memory limit" and "seccomp" in fake.get("/readyz").json()["isolation"]:
        # Only root could raise a hard limit, and root is not how the service is run.
        assert outcome(fake, name) in ("ValueError", "PermissionError", "done")
    else:
        assert outcome(fake, name) in ("PermissionError", "RuntimeError")


@locked
def test_computing_is_what_is_left(fake: httpx.Client) -> None:
    assert outcome(fake, "compute") == "done"


@locked
def test_readiness_tells_what_is_in_force(fake: httpx.Client, serve: Serve) -> None:
    assert "seccomp" in fake.get("/readyz").json()["isolation"]
    with serve(FAKE_JOBS, isolation="basic") as address:
        assert httpx.get(f"{address}/readyz").json()["isolation"] == ["rlimits"]


def test_strict_isolation_starts_only_where_it_can_be_had(serve: Serve, fake: httpx.Client) -> None:
    if {"landlock", "seccomp"} <= set(fake.get("/readyz").json()["isolation"]):
        with serve(FAKE_JOBS, isolation="strict") as address:
            assert httpx.get(f"{address}/readyz").status_code == 200
    else:
        with pytest.raises((AssertionError, PoolFailed)), serve(FAKE_JOBS, isolation="strict"):
            pass


@pytest.mark.parametrize(("machine", "openat", "prlimit"), [("x86_64", 257, 302), ("aarch64", 56, 261)])
def test_the_filter_allows_exactly_the_list(machine: str, openat: int, prlimit: int) -> None:
    """Run the filter by hand on every system call number."""
    column, architecture = ARCHITECTURES[machine]

    def decide(number: int, argument: int = 1, may_import: bool = False, system: int = architecture) -> int:
        rules, position, loaded = syscall_filter(machine, may_import), 0, 0
        words = {0: number, 4: system, 16: argument}
        while True:
            code, jump_true, jump_false, operand = rules[position]
            position += 1
            if code == RETURN:
                return operand
            if code == 0x20:
                loaded = words[operand]
            else:
                holds = loaded == operand if code == 0x15 else loaded >= operand
                position += jump_true if holds else jump_false

    computing = {numbers[column] for numbers in ALLOWED.values()}
    importing = computing | {numbers[column] for numbers in ALLOWED_WITH_LANDLOCK.values()}
    for number in range(600):
        if number != prlimit:
            assert decide(number) == (ALLOW if number in computing else REFUSE)
            assert decide(number, may_import=True) == (ALLOW if number in importing else REFUSE)
    assert openat in importing - computing
    assert decide(prlimit, 0) == ALLOW and decide(prlimit, 4711) == REFUSE
    for others in {0xC000003E, 0xC00000B7, 0x40000003} - {architecture}:
        assert decide(prlimit, 0, system=others) == KILL_PROCESS
    assert decide(0x40000000) == KILL_PROCESS
