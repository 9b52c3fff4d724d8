"""Log lines: one JSON object each for machines, or text for people.

Neither holds ids of runs, or the text of a program, but for what a worker says when the engine fails in it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Literal

access = logging.getLogger("backlight.access")

TEXT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_SALT = os.urandom(16)
RUN_CHARACTERS = 8  # of 26: enough to find a run that somebody reports, too few to guess the rest


class JsonFormatter(logging.Formatter):
    """A record as one line: time, level, logger, message, and what it has besides (`extra={"fields": {…}}`)."""

    def format(self, record: logging.LogRecord) -> str:
        row: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            row["error"] = self.formatException(record.exc_info)
        return json.dumps(row, ensure_ascii=True, default=str)


def configure(kind: Literal["auto", "json", "text"], level: str) -> None:
    """Log to standard error; `auto` is text on a terminal and JSON elsewhere."""
    as_json = kind == "json" or (kind == "auto" and not sys.stderr.isatty())
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if as_json else logging.Formatter(TEXT))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    if not as_json:  # people who watch a terminal are not told of every request, unless they ask for everything
        access.setLevel(logging.DEBUG if level == "debug" else logging.WARNING)


class Complaints:
    """Warnings that programs can cause: `BURST` of them, then one a second at most, and how many were left out."""

    BURST = 20

    def __init__(self, logger: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.log = logging.getLogger(logger)
        self.clock = clock
        self._left, self._filled, self._unsaid = float(self.BURST), clock(), 0

    def say(self, message: str, *values: object) -> None:
        now = self.clock()
        self._left, self._filled = min(self.BURST, self._left + now - self._filled), now
        if self._left < 1.0:
            self._unsaid += 1
            return
        self._left -= 1.0
        if self._unsaid:
            message, values, self._unsaid = f"{message} (and %d more like it)", (*values, self._unsaid), 0
        self.log.warning(message, *values)


def quoted(text: str, length: int = 2000) -> str:
    """The end of a stranger's text in one line of ASCII, which can be taken for nothing else."""
    return ascii(text[-length:])


def bucket(client: str) -> str:
    """What a client is called in a log: the same in all lines of this process, and no address."""
    return hashlib.blake2b(client.encode(), digest_size=6, key=_SALT).hexdigest()


def stub(run: str) -> str:
    """What a run is called in a log: its id would let whoever reads the log read the run."""
    return run[:RUN_CHARACTERS]
