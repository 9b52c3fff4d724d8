"""Take the pictures of docs/pictures.md: five questions, every step of their passes, light and dark.

.venv/bin/python -m tools.pictures
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.page import EXAMPLES, FLAGS, PROJECT, link, service

FOLDER = PROJECT / "docs" / "pictures"
PAGE = PROJECT / "docs" / "pictures.md"
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
        "A leaf is where the way back ends. Only a leaf that requires a gradient keeps one.",
    ),
    "seed3_retain_grad": (
        "Where did the gradient of an intermediate tensor go?",
        "It passed through. `.grad` of what is no leaf stays None unless retain_grad() asks for it.",
    ),
}


def pictures(page: Page, address: str, example: str, theme: str) -> list[str]:
    """Every step from where the page opens to the end of the run, at most `MOST`; returns the files' names."""
    program = (EXAMPLES / f"{example}.py").read_text("utf-8")
    page.goto(f"{address}/{link(program)}")
    page.wait_for_selector("#stage .items .item")
    page.locator("#ledger").focus()
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


def main() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    system = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with service(Path(PROJECT)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system, args=FLAGS)
        PAGE.write_text(written(take(browser, address)), "utf-8")
        browser.close()
    size = sum(path.stat().st_size for path in FOLDER.iterdir())
    print(f"{len(list(FOLDER.iterdir()))} pictures, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
