"""Programs of the repository, captured from PyTorch as `python -m backlight` would."""

from __future__ import annotations

import json
import linecache
import re
from pathlib import Path
from typing import Any

import torch
from backlight import Limits
from backlight.run import Run
from conftest import REPOSITORY
from torch.utils.hooks import RemovableHandle

SNIPPETS = REPOSITORY / "tests" / "snippets"
WHOLE = Limits(inline_values=1 << 20, document_bytes=1 << 28)


def captured(code: str, limits: Limits = WHOLE) -> dict[str, Any]:
    """The document of a program."""
    name = "program.py"
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    names: dict[str, Any] = {"__name__": "__main__"}
    torch.manual_seed(1)
    RemovableHandle.next_id = 0
    run, error = Run(limits), None
    run.begin(name)
    try:
        exec(compile(code, name, "exec"), names)
    except Exception as raised:
        error = raised
        assert error.__traceback__ is not None
        error.__traceback__ = error.__traceback__.tb_next
    run.end(error, names)
    document = run.document
    document["stdout"] = re.sub(r"0x[0-9a-f]{6,}", "0xADDR", document["stdout"])
    return document


def records(*kinds: str) -> list[Path]:
    """Recorded programs of these kinds."""
    return sorted(path for kind in kinds for path in (SNIPPETS / kind).glob("*.json"))


def record(path: Path) -> dict[str, Any]:
    """A program and what PyTorch answered when it was recorded."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found
