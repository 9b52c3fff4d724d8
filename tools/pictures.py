"""Take the pictures of docs/pictures.md (five questions, every step, light and dark) and the moving one of the README.

.venv/bin/python -m tools.pictures [--moving]
"""

from __future__ import annotations

import base64
import io
import shutil
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.page import EXAMPLES, FLAGS, PROJECT, link, service

FOLDER = PROJECT / "docs" / "pictures"
PAGE = PROJECT / "docs" / "pictures.md"
MOVING = PROJECT / "docs" / "backward.webp"
MOVED = "seed4_graph"
WIDTH = 960
REST_MS = 2500
MOST = 14
QUALITY = 62

QUESTIONS = {
    "seed4_graph": (
        "What does backward() do?",
        "e's gradient is 1. Each circle multiplies what arrives by its slope and sends it down; the leaves keep it.",
    ),
    "seed1_jdhao_weights": (
        "What are the numbers given to backward()?",
        "They are weights: L is the weighted sum that is differentiated, and each weight starts the gradient there.",
    ),
    "seed0_mm_jacobian_rows": (
        "Why is the gradient a sum of rows?",
        "A weight of 1 for one element gives its row of the Jacobian; other weights add the rows up.",
    ),
    "seed2_is_leaf": (
        "What is a leaf, and why is a gradient None?",
        "A leaf is where the backward pass ends. Only a leaf that requires grad keeps its gradient.",
    ),
    "seed3_retain_grad": (
        "Where did the gradient of an intermediate tensor go?",
        "It passed through. The .grad of a non-leaf stays None unless retain_grad() asks for it.",
    ),
}


def pictures(page: Page, address: str, example: str, theme: str) -> list[str]:
    """Every step from where the page opens to the end of the run, at most `MOST`; returns the files' names."""
    program = (EXAMPLES / f"{example}.py").read_text("utf-8")
    page.goto(f"{address}/{link(program)}")
    page.wait_for_selector("#stage .items .item:not(:empty)")
    page.locator("#graph").focus()
    names: list[str] = []
    before = ""
    for step in range(1, MOST + 1):
        page.wait_for_timeout(350)
        where = page.locator(".where").inner_text()
        if where == before:
            break
        before = where
        name = f"{example}-{theme}-{step:02}.jpg"
        box: Any = page.locator("#graph").bounding_box()
        page.screenshot(path=FOLDER / name, clip=box, type="jpeg", quality=QUALITY)
        names.append(name)
        page.keyboard.press("ArrowRight")
    return names


def written(taken: dict[str, dict[str, list[str]]]) -> str:
    """The page that shows them."""
    parts = [
        "# Five questions, step by step",
        "",
        "What the canvas shows at every step of five examples, taken by `python -m tools.pictures`. Code, sentence and",
        "rule stand beside it on the page; here the picture stands alone.",
        "",
    ]
    for example, (question, answer) in QUESTIONS.items():
        parts += [f"## {question}", "", answer, ""]
        for theme, names in taken[example].items():
            shown = "\n".join(f'<img src="pictures/{name}" width="420" alt="{question} {theme}, step {i}">'
                              for i, name in enumerate(names, 1))  # fmt: skip
            opened = "<details open>" if theme == "light" else "<details>"
            parts += [opened, f"<summary>{theme}</summary>", "", shown, "", "</details>", ""]
    return "\n".join(parts)


def take(browser: Browser, address: str) -> dict[str, dict[str, list[str]]]:
    """Example → theme → names of its pictures."""
    taken: dict[str, dict[str, list[str]]] = {example: {} for example in QUESTIONS}
    for theme in ("light", "dark"):
        page = browser.new_page(
            viewport={"width": 1440, "height": 900}, color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce",
        )  # fmt: skip
        for example in QUESTIONS:
            taken[example][theme] = pictures(page, address, example, theme)
        page.close()
    return taken


def moving(browser: Browser, address: str) -> None:
    """The whole page while it plays one pass, as one animated file."""
    page = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme="light")
    page.goto(f"{address}/{link((EXAMPLES / f'{MOVED}.py').read_text('utf-8'))}")
    page.wait_for_selector("#stage .items .item:not(:empty)")
    page.locator("#graph").focus()
    page.wait_for_timeout(800)
    cast = page.context.new_cdp_session(page)
    taken: list[tuple[float, str]] = []

    def frame(event: Any) -> None:
        taken.append((event["metadata"]["timestamp"], event["data"]))
        cast.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    cast.on("Page.screencastFrame", frame)
    cast.send("Page.startScreencast", {"format": "png"})
    page.keyboard.press("Space")
    while "backward" in page.locator(".where").inner_text():
        page.wait_for_timeout(100)
    cast.send("Page.stopScreencast")
    page.close()
    frames = [_frame(data) for _, data in taken]
    lasts = [max(20, round(1000 * (after - before))) for (before, _), (after, _) in pairwise(taken)]
    frames[0].save(
        MOVING,
        save_all=True,
        append_images=frames[1:],
        duration=[*lasts, REST_MS],
        loop=0,
        quality=QUALITY,
        method=6,
        minimize_size=True,
    )
    print(f"{MOVING.name}: {len(frames)} frames, {MOVING.stat().st_size / 1e3:.0f} kB")


def _frame(data: str) -> Image.Image:
    picture = Image.open(io.BytesIO(base64.b64decode(data)))
    return picture.convert("RGB").resize((WIDTH, WIDTH * picture.height // picture.width), Image.Resampling.LANCZOS)


def main() -> None:
    system = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with service(Path(PROJECT)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system, args=FLAGS)
        moving(browser, address)
        if "--moving" not in sys.argv:
            shutil.rmtree(FOLDER, ignore_errors=True)
            FOLDER.mkdir(parents=True)
            PAGE.write_text(written(take(browser, address)), "utf-8")
        browser.close()
    size = sum(path.stat().st_size for path in FOLDER.iterdir())
    print(f"{len(list(FOLDER.iterdir()))} pictures, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
