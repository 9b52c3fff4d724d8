"""Log lines: one JSON object each for machines, or text for people, without the text of programs and ids of runs."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
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


def bucket(client: str) -> str:
    """What a client is called in a log: the same in all lines of this process, and no address."""
    return hashlib.blake2b(client.encode(), digest_size=6, key=_SALT).hexdigest()


def stub(run: str) -> str:
    """What a run is called in a log: its id would let whoever reads the log read the run."""
    return run[:RUN_CHARACTERS]
