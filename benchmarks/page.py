"""Frame times of the page in Chromium: playing, scrubbing, and the time to the first picture.

python -m benchmarks.page [--against CHECKOUT] [--seconds S]

Serves this checkout, and another one beside it when asked to, on ports of their own; programs alternate between them,
so that a busy machine disturbs both alike. Prints milliseconds: between frames, and ("cpu") what the page's main thread
computes for one, which says most where the machine has other things to do.
"""

from __future__ import annotations

import argparse
import base64
import bisect
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

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

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

TRAINING = (EXAMPLES / "training_loop.py").read_text("utf-8")
PROGRAMS = {
    "first example": (EXAMPLES / "seed4_graph.py").read_text("utf-8"),
    "training, 5 turns": TRAINING,
    "training, 100 turns": TRAINING.replace("range(5)", "range(100)"),
    "training, 10,000 turns, its strip": TRAINING.replace("range(5)", "range(10000)"),
    "6-layer encoder": ENCODER,
    "flat, 200 nodes": chain(100),
    "loop, 1,000 nodes": loop(500),
    "loop, 10,000 nodes": loop(5000),
    "loop, 10,000 nodes, all ops": loop(5000),
    "loop, 100,000 nodes": loop(50000),
}

RECORD = """() => {
    const tick = () => requestAnimationFrame(tick);
    requestAnimationFrame(tick);
    const picture = ".flow-box, .map-row, #stage .items .item:not(:empty), .stage.on-canvas";
    const drawn = () => document.querySelector(picture);
    const look = () => {
        const answer = performance.getEntriesByType("resource").find((each) => each.name.endsWith("/v1/runs"));
        if (answer && answer.responseEnd && drawn() && document.querySelector("#story .say"))
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


class Recording:
    """What Chromium did, from its trace."""

    CATEGORIES = ("devtools.timeline", "disabled-by-default-devtools.timeline")

    def __init__(self, browser: Browser) -> None:
        self.session: CDPSession = browser.new_browser_cdp_session()
        self.events: list[dict[str, Any]] = []
        self.ended = False
        self.session.on("Tracing.dataCollected", lambda data: self.events.extend(data["value"]))
        self.session.on("Tracing.tracingComplete", lambda _: setattr(self, "ended", True))

    def start(self) -> None:
        self.events.clear()
        self.ended = False
        config = {"recordMode": "recordAsMuchAsPossible", "includedCategories": list(self.CATEGORIES)}
        self.session.send("Tracing.start", {"traceConfig": config})

    def stop(self, page: Page) -> None:
        self.session.send("Tracing.end")
        while not self.ended:
            page.wait_for_timeout(20)

    def frames(self) -> tuple[list[float], list[float]]:
        """Milliseconds from frame to frame, and those that the main thread computed in between."""
        fired = [each for each in self.events if each.get("name") == "FireAnimationFrame"]
        thread = statistics.mode((each["pid"], each["tid"]) for each in fired)
        starts = sorted({each["ts"] for each in fired if (each["pid"], each["tid"]) == thread})
        starts = [at for i, at in enumerate(starts) if i == 0 or at - starts[i - 1] > 4000]  # several in one frame
        busy = [0.0] * len(starts)
        tasks = [each for each in self.events if each.get("name") == "RunTask" and "dur" in each]
        for each in tasks:
            if (each["pid"], each["tid"]) == thread and each["ts"] >= starts[0]:
                busy[bisect.bisect_right(starts, each["ts"] + each["dur"]) - 1] += each.get("tdur", each["dur"]) / 1000
        return [(b - a) / 1000 for a, b in zip(starts[:-1], starts[1:], strict=True)], busy[:-1]


Frames = tuple[list[float], list[float]]


def visit(browser: Browser, address: str, name: str, seconds: float) -> tuple[float, Frames, Frames]:
    """One reader: milliseconds to the first picture; frames of playing, of scrubbing to the end and back."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    recording = Recording(browser)
    try:
        page.add_init_script(f"({RECORD})()")
        page.goto(f"{address}/{link(PROGRAMS[name])}")
        page.wait_for_function("() => window.__picture !== undefined", timeout=60_000)
        picture: float = page.evaluate("() => window.__picture")
        page.wait_for_timeout(800)
        if name.endswith("all ops"):
            page.get_by_role("button", name="all ops").click()
            page.wait_for_selector("#stage .items .item:not(:empty), .stage.on-canvas")
            page.wait_for_timeout(800)

        page.get_by_label("Speed").select_option("4")  # less of the time is for reading, when nothing moves
        page.locator("#graph").focus()
        recording.start()
        page.keyboard.press("Home")
        page.keyboard.press("Space")
        page.wait_for_timeout(seconds * 1000)
        page.keyboard.press("Space")
        recording.stop(page)
        playing = recording.frames()

        box = page.locator(".training-plot" if name.endswith("its strip") else ".track").bounding_box()
        assert box is not None
        recording.start()
        page.mouse.move(box["x"] + 10, box["y"] + box["height"] / 2)
        page.mouse.down()
        steps = int(seconds * 50)
        for i in range(steps):
            across = 1 - abs(1 - 2 * i / steps)
            page.mouse.move(box["x"] + 10 + across * (box["width"] - 20), box["y"] + box["height"] / 2)
            page.wait_for_timeout(8)
        page.mouse.up()
        recording.stop(page)
        return picture, playing, recording.frames()
    finally:
        page.close()


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))] if values else 0.0


def row(frames: Frames) -> str:
    """Median, 95th percentile and worst time between frames; 95th percentile of what is computed for one."""
    between, busy = frames
    cells = [percentile(between, 0.5), percentile(between, 0.95), max(between, default=0.0), percentile(busy, 0.95)]
    return "".join(f"{cell:7.0f}" for cell in cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, help="another checkout to measure beside this one")
    parser.add_argument("--seconds", type=float, default=3.0, help="of playing, and of scrubbing")
    parser.add_argument("--only", help="programs whose name has this in it")
    arguments = parser.parse_args()
    checkouts = [PROJECT, *([arguments.against.resolve()] if arguments.against else [])]
    system = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    print("milliseconds".ljust(34), "picture", "  playing p50, p95, worst, cpu", "scrubbing p50, p95, worst, cpu")
    with ExitStack() as stack:
        addresses = [stack.enter_context(service(checkout)) for checkout in checkouts]
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=system, args=FLAGS)
        for name in PROGRAMS:
            if arguments.only and arguments.only not in name:
                continue
            for checkout, address in zip(checkouts, addresses, strict=True):
                picture, playing, scrubbing = visit(browser, address, name, arguments.seconds)
                label = name if checkout is PROJECT else f"  in {checkout.name}"
                print(label.ljust(34), f"{picture:7.0f}", row(playing), "", row(scrubbing), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
