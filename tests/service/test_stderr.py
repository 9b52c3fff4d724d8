"""What fork servers say is bounded, legible, and told when it explains an end."""

from __future__ import annotations

import asyncio
import logging
import os

import pytest

from app.workers import environment
from app.workers.pool import Pool, PoolFailed
from app.workers.stderr import KEPT_BYTES, SHOWN_CHARACTERS, SHOWN_LINES, LastWords
from tests.loops import completed
from tests.service.test_pool import LIMITS, PoolLimits


def test_the_end_is_kept_and_told_once() -> None:
    async def main() -> None:
        receiving, sending = os.pipe()
        words = LastWords(open(receiving, "rb"))
        for number in range(2000):
            os.write(sending, b"%d %s\n" % (number, b"x" * 100))
            if number % 100 == 0:
                await asyncio.sleep(0)
        os.write(sending, b"forged\r2026 INFO all is well\x1b[2J\xff\n" + b"y" * 1000 + b"\n")
        lines = words.lines()
        assert len(lines) == SHOWN_LINES and len(words.kept) <= KEPT_BYTES
        assert lines[-2] == "forged\\r2026 INFO all is well\\x1b[2J\N{REPLACEMENT CHARACTER}"
        assert lines[-1] == "y" * SHOWN_CHARACTERS and lines[-3].startswith("1999 ")
        assert words.lines() == []
        os.close(sending)
        assert words.lines() == [] and words.pipe.closed
        words.close()

    completed(main())


def test_a_start_that_fails_says_why(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        pool = Pool("no.such.jobs", PoolLimits(**LIMITS))
        with pytest.raises(PoolFailed):
            await pool.start()

    with caplog.at_level(logging.ERROR):
        completed(main())
    said = [record.getMessage() for record in caplog.records]
    assert any("said: ModuleNotFoundError: No module named 'no'" in line for line in said)


def test_a_fork_server_starts_with_named_variables_only() -> None:
    told = environment.environment({"BACKLIGHT_STORE": "redis://:secret@x", "TZ": "UTC", "HOME": "/root"})
    assert told["TZ"] == "UTC" and told["PYTHONHASHSEED"] == "0" and told["OPENBLAS_NUM_THREADS"] == "1"
    assert not told.keys() & {"BACKLIGHT_STORE", "HOME", "PATH"}
