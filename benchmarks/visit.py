"""A first visit over slow lines, in Chromium: the page as a checkout has it, and as an image has it.

python -m benchmarks.visit [--rounds N]

Prints, for the best of N rounds in turn, milliseconds until the first picture stands, the requests until then and in
all. The browser's own throttling stands for the lines: it delays every answer and bounds the bytes a second.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from benchmarks.page import FLAGS, PROJECT, service
from tests.image import make_image

LINES = {"50 ms, 10 Mbit/s": (50, 10.0), "150 ms, 1.6 Mbit/s": (150, 1.6)}
PICTURE = "performance.getEntriesByName('backlight:picture')[0]"


def visit(browser: Browser, address: str, latency: int, megabits: float) -> tuple[float, int, int]:
    """Milliseconds to the picture, requests until then, requests in all."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    speed = megabits * 125_000
    line = {"offline": False, "latency": latency, "downloadThroughput": speed, "uploadThroughput": speed}
    context.new_cdp_session(page).send("Network.emulateNetworkConditions", line)
    page.goto(address)
    page.wait_for_function(f"() => {PICTURE}", timeout=60_000)
    at: float = page.evaluate(f"() => {PICTURE}.startTime")
    before: int = page.evaluate(
        "at => performance.getEntriesByType('resource').filter(entry => entry.startTime < at).length", at
    )
    page.wait_for_load_state("networkidle")
    context.close()
    return at, before + 1, len(requests)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    system = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    print("first picture".ljust(36), "   ms", " requests", " in all")
    with ExitStack() as stack:
        image = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        make_image(image)
        addresses = {name: stack.enter_context(service(at)) for name, at in (("checkout", PROJECT), ("image", image))}
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=system, args=FLAGS)
        for line, (latency, megabits) in LINES.items():
            rounds = [
                {name: visit(browser, address, latency, megabits) for name, address in addresses.items()}
                for _ in range(arguments.rounds)
            ]
            for name in addresses:
                at, before, every = min(each[name] for each in rounds)
                print(f"{line}, {name}".ljust(36), f"{at:5.0f}", f"{before:9d}", f"{every:7d}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
