"""What a program gets does not depend on its neighbours: beside busy processes its document is the same."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.attack.report import Result, timed
from tests.attack.service import Service, launched

BUSY = 8
ID = re.compile(rb'\A\{"id":"[a-z2-7]{26}",')
PATIENCE = 600.0
SETTINGS: dict[str, object] = {"wall_seconds": PATIENCE, "queue_seconds": PATIENCE, "store": "memory"}

PROGRAMS: dict[str, tuple[str, int]] = {
    "dear steps until the fuel is used up": (
        "import torch\nx = torch.ones(9000, dtype=torch.double)\nfor i in range({}): torch.igammac(x, x)\n",
        2000,
    ),
    "Python alone": ("x = 0\nfor i in range({}):\n    x = (x * 31 + i) % 1_000_003\nprint(x)\n", 20_000_000),
    "a transform again and again": (
        "import torch\nx = torch.rand(99_991, requires_grad=True)\n"
        "for i in range({}): torch.fft.fft(x).abs().sum().backward()\nprint(x.grad.sum())\n",
        90,
    ),
    "a training": (
        "import torch\nw = torch.randn(100, 100, requires_grad=True)\nx = torch.randn(64, 100)\n"
        "for i in range({}): ((x @ w).relu() ** 2).mean().backward()\nprint(w.grad.norm())\n",
        6000,
    ),
}
"""What they do, with the turns of it that an attack of size 1 makes: the first runs out of fuel in them."""

NEIGHBOURS = ("while True: pass", "import numpy\nx = numpy.ones(4_000_000)\nwhile True: x *= 1.0000001")


def attack(size: float) -> Result:
    """Each program alone, then beside `BUSY` endless processes: the documents are equal, byte for byte."""
    result = Result("neighbours", f"the same document beside {BUSY} busy processes")
    codes = {name: code.format(max(1, int(size * turns))) for name, (code, turns) in PROGRAMS.items()}
    with timed(result), tempfile.TemporaryDirectory(prefix="backlight-attack-") as folder:
        with launched(Path(folder), SETTINGS) as target:
            alone = {name: told(target, code) for name, code in codes.items()}
        with launched(Path(folder), SETTINGS) as target, busy():
            for name, code in codes.items():
                lone, beside = alone[name], told(target, code)
                result.expect(b"" != beside == lone, f"{name}: {beside[:300]!r} in place of {lone[:300]!r}")
    return result


def told(target: Service, code: str) -> bytes:
    """The document of a program without its id, which each store keys anew; empty for what else may come of it."""
    answer = target.run(code, timeout=PATIENCE)
    if answer.status != 200 or b"cpu_seconds" in answer.body:
        return b""
    return ID.sub(b"{", answer.body)


@contextlib.contextmanager
def busy() -> Iterator[None]:
    """Endless processes, half of which go through much memory."""
    started = [subprocess.Popen([sys.executable, "-c", NEIGHBOURS[number % len(NEIGHBOURS)]]) for number in range(BUSY)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait(30)
