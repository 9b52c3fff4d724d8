"""Frame times of the page in Chromium: playing, scrubbing, and the time to the first picture.

python -m benchmarks.page [--against CHECKOUT] [--seconds S]

Serves this checkout, and another one beside it when asked to, on ports of their own; programs alternate between them,
so that a busy machine disturbs both alike. Prints milliseconds.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.ports import free_port

PROJECT = Path(__file__).resolve().parents[1]
EXAMPLES = PROJECT / "app" / "examples" / "programs"
FLAGS = ["--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update"]


def chain(turns: int) -> str:
    """Two ops a turn and nothing that would fold."""
    lines = "y = y * 1.01\ny = y + 0.1\n" * turns
    return f"import torch\nx = torch.tensor(0.5, requires_grad=True)\ny = x\n{lines}y.backward()\n"


def loop(turns: int) -> str:
    """The same in a loop."""
    body = f"for i in range({turns}):\n    y = y * 1.01 + 0.1\n"
    return f"import torch\nx = torch.tensor(0.5, requires_grad=True)\ny = x\n{body}y.backward()\n"


ENCODER = """\
import torch, torch.nn as nn
torch.manual_seed(0)
layer = nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True)
enc = nn.TransformerEncoder(layer, 6)
head = nn.Linear(16, 50)
loss = head(enc(torch.randn(2, 6, 16))).pow(2).mean()
loss.backward()
"""

PROGRAMS = {
    "first example": (EXAMPLES / "seed4_graph.py").read_text("utf-8"),
    "training, 5 turns": (EXAMPLES / "training_loop.py").read_text("utf-8"),
    "training, 100 turns": (EXAMPLES / "training_loop.py").read_text("utf-8").replace("range(5)", "range(100)"),
    "6-layer encoder": ENCODER,
    "flat, 200 nodes": chain(100),
    "loop, 1,000 nodes": loop(500),
    "loop, 10,000 nodes": loop(5000),
}

RECORD = """() => {
    const frames = (window.__frames = []);
    const tick = (now) => { frames.push(now); requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
    const drawn = () => document.querySelector(".map-row, #stage .items .item, .stage.on-canvas");
    const look = () => {
        const answer = performance.getEntriesByType("resource").find((each) => each.name.endsWith("/v1/runs"));
        if (answer && answer.responseEnd && drawn() && document.querySelector("#ledger .say"))
            window.__picture = performance.now() - answer.responseEnd;
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""


@contextmanager
def service(checkout: Path) -> Iterator[str]:
    """The address of a service from a checkout."""
    port = free_port()
    environment = {**os.environ, "PORT": str(port), "HOST": "127.0.0.1", "BACKLIGHT_STORE": "memory", "PYTHONPATH": "."}
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen([sys.executable, "-m", "app"], cwd=checkout, env=environment, stdout=log, stderr=log)
        address = f"http://127.0.0.1:{port}"
        try:
            for _ in range(300):
                try:
                    with urllib.request.urlopen(f"{address}/readyz", timeout=2):
                        break
                except (urllib.error.URLError, OSError):
                    time.sleep(0.1)
            yield address
        finally:
            process.terminate()
            process.wait(20)


def link(program: str) -> str:
    """The fragment of a link to a program."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(json.dumps({"program": program}).encode()) + packer.flush()
    return "#v1:" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def measured(page: Page, act: Any) -> list[float]:
    """Milliseconds between frames while `act` goes on."""
    page.evaluate("() => { window.__frames.length = 0; }")
    act()
    times: list[float] = page.evaluate("() => window.__frames")
    return [b - a for a, b in zip(times[:-1], times[1:], strict=True)]


def visit(browser: Browser, address: str, program: str, seconds: float) -> dict[str, list[float]]:
    """One reader: the first picture, playing, scrubbing back and forth."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    try:
        page.add_init_script(f"({RECORD})()")
        page.goto(f"{address}/{link(program)}")
        page.wait_for_function("() => window.__picture !== undefined", timeout=60_000)
        picture = page.evaluate("() => window.__picture")
        page.wait_for_timeout(800)

        def play() -> None:
            page.keyboard.press("Home")
            page.keyboard.press("Space")
            page.wait_for_timeout(seconds * 1000)
            page.keyboard.press("Space")

        def scrub() -> None:
            box = page.locator(".track").bounding_box()
            assert box is not None
            page.mouse.move(box["x"] + 10, box["y"] + box["height"] / 2)
            page.mouse.down()
            steps = int(seconds * 50)
            for i in range(steps):
                across = 1 - abs(1 - 2 * i / steps)
                page.mouse.move(box["x"] + 10 + across * (box["width"] - 20), box["y"] + box["height"] / 2)
                page.wait_for_timeout(8)
            page.mouse.up()

        return {"picture": [picture], "playing": measured(page, play), "scrubbing": measured(page, scrub)}
    finally:
        page.close()


def row(found: dict[str, list[float]]) -> list[str]:
    """First picture; median, 95th percentile and worst frame of playing and of scrubbing."""
    cells = [f"{found['picture'][0]:.0f}"]
    for what in ("playing", "scrubbing"):
        frames = sorted(found[what]) or [0.0]
        cells += [
            f"{statistics.median(frames):.0f}",
            f"{frames[min(len(frames) - 1, int(0.95 * len(frames)))]:.0f}",
            f"{frames[-1]:.0f}",
        ]
    return cells


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, help="another checkout to measure beside this one")
    parser.add_argument("--seconds", type=float, default=3.0, help="of playing, and of scrubbing")
    parser.add_argument("--only", help="programs whose name has this in it")
    arguments = parser.parse_args()
    checkouts = [PROJECT, *([arguments.against.resolve()] if arguments.against else [])]
    system = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    print("milliseconds".ljust(34), "picture", "   playing p50, p95, worst", "  scrubbing p50, p95, worst")
    with ExitStack() as stack:
        addresses = [stack.enter_context(service(checkout)) for checkout in checkouts]
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=system, args=FLAGS)
        for name, program in PROGRAMS.items():
            if arguments.only and arguments.only not in name:
                continue
            for checkout, address in zip(checkouts, addresses, strict=True):
                cells = row(visit(browser, address, program, arguments.seconds))
                label = name if checkout is PROJECT else f"  in {checkout.name}"
                print(label.ljust(34), cells[0].rjust(7), "".join(cell.rjust(9) for cell in cells[1:4]),
                      "".join(cell.rjust(9) for cell in cells[4:]), flush=True)  # fmt: skip
        browser.close()


if __name__ == "__main__":
    main()
