"""As many programs run at the same time as cores are there for, and memory."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from app.config import Settings
from app.slots import memory_limit, slots
from tests.conftest import Serve
from tests.service.conftest import FAKE_JOBS

MB, GB = 1 << 20, 1 << 30


@pytest.mark.parametrize(
    ("cores", "memory", "client", "together"),
    [
        (2, None, 2, 4),
        (2, 64 * GB, 2, 4),
        (2, 4 * GB, 2, 4),
        (2, 2 * GB, 2, 3),
        (8, 4 * GB, 6, 7),
        (2, 1280 * MB, 1, 1),
        (2, 256 * MB, 1, 1),
    ],
)
def test_programs_fit_in_the_memory_that_there_is(cores: int, memory: int | None, client: int, together: int) -> None:
    counted = slots(cores, memory, Settings(memory_mb=512, cache_mb=64, buffer_mb=64))
    assert (counted.client, counted.together) == (client, together)
    assert ("memory" in counted.why) == (together < cores + 2)


def test_libraries_that_are_ready_take_memory_too() -> None:
    without, beside = (slots(2, 2 * GB, Settings(), libraries) for libraries in (False, True))
    assert (without.together, beside.together) == (3, 2)
    assert slots(2, GB, Settings(), True).together == 1
    assert slots(2, 3 * GB, Settings(), True).together == 4


def test_what_is_asked_for_needs_memory_too() -> None:
    counted = slots(64, 4 * GB, Settings(workers=20, memory_mb=1024))
    assert (counted.client, counted.together) == (2, 3)
    assert "1,024 MB" in counted.why


def written(root: Path, cgroup: str, limits: dict[str, str]) -> int | None:
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(cgroup)
    for name, limit in limits.items():
        file = root / "sys/fs/cgroup" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{limit}\n")
    return memory_limit(root)


UNLIMITED = "9223372036854771712"
FOUND = {
    "version 2": ("0::/\n", {"memory.max": "123456789"}),
    "version 2, around it": ("0::/pod/box\n", {"pod/box/memory.max": "max", "pod/memory.max": "123456789"}),
    "version 2, the machine's path": ("0::/kubepods/pod7/box\n", {"memory.max": "123456789"}),
    "version 1": ("5:cpu,cpuacct:/a\n4:memory:/a\n", {"memory/a/memory.limit_in_bytes": "123456789"}),
    "version 1, around it": (
        "4:memory:/a/b\n0::/\n",
        {"memory/a/b/memory.limit_in_bytes": UNLIMITED, "memory/a/memory.limit_in_bytes": "123456789"},
    ),
    "both": ("4:memory:/a\n0::/\n", {"memory/memory.limit_in_bytes": "123456789", "memory.max": "223456789"}),
}


@pytest.mark.parametrize(("cgroup", "limits"), FOUND.values(), ids=FOUND.keys())
def test_the_limit_of_a_container_is_found(tmp_path: Path, cgroup: str, limits: dict[str, str]) -> None:
    assert written(tmp_path, cgroup, limits) == 123456789


@pytest.mark.parametrize(
    ("cgroup", "limits"),
    [("", {}), ("0::/\n", {"memory.max": "max"}), ("4:memory:/\n", {"memory/memory.limit_in_bytes": UNLIMITED})],
)
def test_without_one_it_is_the_machines_memory(tmp_path: Path, cgroup: str, limits: dict[str, str]) -> None:
    found = written(tmp_path, cgroup, limits)
    assert found is not None and found == memory_limit(tmp_path / "nowhere")


def test_the_service_tells_how_many_and_why(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.main.memory_limit", lambda: 2 * GB)
    with serve(FAKE_JOBS, workers=4) as address:
        ready = httpx.get(f"{address}/readyz").json()
        assert (ready["workers"], ready["slots"]) == (2, 3)
        assert "memory" in ready["slots_because"]
        told = httpx.get(f"{address}/v1/limits").json()["service"]
        assert (told["programs_at_once"]["value"], told["programs_beside_others"]["value"]) == (2, 1)


def test_where_libraries_are_ready_fewer_run_at_once(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.main.memory_limit", lambda: 2 * GB)
    with serve("tests.service.library_jobs", workers=4) as address:
        assert httpx.get(f"{address}/readyz").json()["slots"] == 2
        with ThreadPoolExecutor(4) as pool:
            sent = [pool.submit(httpx.post, f"{address}/v1/runs", json={"code": f"sleep 0.5{n}"}) for n in range(4)]
            most = 0
            while not all(each.done() for each in sent):
                most = max(most, httpx.get(f"{address}/readyz").json()["running"])
            assert most == 1, "the other place is kept for those who run nothing"
