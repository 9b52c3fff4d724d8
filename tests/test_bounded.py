"""A command ends in time, with all that it has started."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="orphans are found on Linux"),
]
LEAVES = "(setsid sleep 6000 & setsid sh -c 'trap \"\" TERM; sleep 6000; sleep 6000' &) ; "


@pytest.mark.parametrize(("then", "status"), [("exit 7", 7), ("kill -9 $$", 137), ("sleep 6000", 124)])
def test_a_command_ends_in_time_with_all_that_it_left(then: str, status: int) -> None:
    command = [sys.executable, PROJECT / "tools" / "bounded.py", "3", "sh", "-c", LEAVES + then]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)  # until nobody has these pipes open
    assert done.returncode == status and time.monotonic() - began < 50
    assert done.stderr.startswith("Not done in 3 s, and ended: sh -c") == (status == 124)


def test_an_orphan_that_ends_is_gone_at_once() -> None:
    script = (
        "pid=$(sh -c 'sleep 0.2 >/dev/null & echo $!'); for n in $(seq 20); do sleep 1; kill -0 $pid || exit 5; done"
    )
    command = [sys.executable, PROJECT / "tools" / "bounded.py", "30", "sh", "-c", script]
    assert subprocess.run(command, capture_output=True, timeout=60).returncode == 5
