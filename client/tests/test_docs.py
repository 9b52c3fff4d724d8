"""Code blocks of documentation, built by Sphinx and by MkDocs, and played in a browser."""

from __future__ import annotations

import http.server
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from backlight.docs.blocks import Block, Blocks, CannotRun, Played, Settings, program_of
from conftest import REPOSITORY
from playwright.sync_api import Page, expect

TUTORIALS = Path(__file__).parent / "tutorials"
PLAYABLE = {"basics": 6, "gentle": 10, "custom": 4}
"""Blocks of the tutorials in which something is computed."""


def as_rst(text: str) -> str:
    """Markdown of headings, paragraphs and fences as reStructuredText."""
    lines: list[str] = []
    code = False
    for line in text.splitlines():
        heading = re.match(r"(#+) (.*)", line)
        if line.startswith("```"):
            lines += [""] if code else [".. code-block:: python", ""]
            code = not code
        elif code:
            lines.append(f"    {line}".rstrip())
        elif heading:
            lines += [heading[2], "=-"[len(heading[1]) - 1] * len(heading[2])]
        else:
            lines.append(re.sub(r"`([^`]+)`", r"``\1``", line))
    return "\n".join(lines) + "\n"


def sphinx(
    folder: Path,
    pages: dict[str, str],
    settings: str = "",
    *,
    env: dict[str, str] | None = None,
    more: list[str] | None = None,
) -> Any:
    """Build pages in reStructuredText with Sphinx; the process that has ended."""
    source = folder / "rst"
    source.mkdir(exist_ok=True)
    for name, text in pages.items():
        (source / f"{name}.rst").write_text(text, "utf-8")
    toc = "".join(f"   {name}\n" for name in pages)
    (source / "index.rst").write_text(f"Pages\n=====\n\n.. toctree::\n\n{toc}", "utf-8")
    (source / "conf.py").write_text(f'project = "P"\nextensions = ["backlight.docs.sphinx"]\n{settings}\n', "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", *(more or []), str(source), str(folder / "sphinx")]
    return subprocess.run(command, env={**os.environ, **(env or {})}, capture_output=True, text=True, timeout=300)


def mkdocs(folder: Path, pages: dict[str, str], settings: str = "") -> Any:
    """Build pages in Markdown with MkDocs; the process that has ended."""
    source = folder / "md"
    source.mkdir(exist_ok=True)
    for name, text in {"index": "# Pages\n", **pages}.items():
        (source / f"{name}.md").write_text(text, "utf-8")
    (folder / "mkdocs.yml").write_text(
        f"site_name: P\ndocs_dir: md\nsite_dir: mkdocs\ntheme: {{name: mkdocs, highlightjs: false}}\n"
        f"plugins:\n  - search\n  - backlight: {settings or '{}'}\n",
        "utf-8",
    )
    command = [sys.executable, "-m", "mkdocs", "build"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tutorials, which nothing but a line of settings makes play, as both tools build them."""
    folder = tmp_path_factory.mktemp("built")
    texts = {name: (TUTORIALS / f"{name}.md").read_text("utf-8") for name in PLAYABLE}
    by_sphinx = sphinx(folder, {name: as_rst(text) for name, text in texts.items()}, 'backlight_pages = ["*"]')
    assert (by_sphinx.returncode, by_sphinx.stderr) == (0, "")
    by_mkdocs = mkdocs(folder, texts, '{pages: ["*"]}')
    assert by_mkdocs.returncode == 0 and "WARNING" not in by_mkdocs.stderr
    return folder


@pytest.fixture(scope="module")
def address(built: Path) -> Iterator[str]:
    """Where what was built is served."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(built))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def player_of(page: Page, number: int) -> Any:
    """The player below a block, once it plays."""
    element = page.locator("backlight-player").nth(number)
    element.scroll_into_view_if_needed()
    frame = element.frame_locator("iframe")
    frame.locator("#story .say").wait_for()
    return frame


def watched(browser: Any, **how: Any) -> tuple[Page, list[str], list[str]]:
    """A page, what it complains about, and what it asks for."""
    page = browser.new_page(reduced_motion="reduce", **how)
    page.set_default_timeout(60_000)
    complaints: list[str] = []
    asked: list[str] = []

    def said(message: Any) -> None:
        of_the_theme = message.location["url"].endswith(("/favicon.ico", "/custom.css"))  # which it does without
        if message.type in ("error", "warning") and not of_the_theme:
            complaints.append(message.text)

    page.on("console", said)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    return page, complaints, asked


@pytest.mark.parametrize("tutorial", PLAYABLE)
@pytest.mark.parametrize("tool", ["sphinx", "mkdocs"])
def test_every_block_of_a_tutorial_plays_to_its_end(tool: str, tutorial: str, address: str, browser: Any) -> None:
    page, complaints, asked = watched(browser)
    page.goto(f"{address}/{tool}/{tutorial}{'.html' if tool == 'sphinx' else '/'}")
    count = page.locator("backlight-player").count()
    assert count == PLAYABLE[tutorial]
    for number in range(count):
        frame = player_of(page, number)
        frame.locator("#graph").press("End")
        end = frame.get_by_role("slider").first
        expect(end).to_have_attribute("aria-valuenow", end.get_attribute("aria-valuemax") or "none")
    assert not complaints
    assert not [url for url in asked if not url.startswith((f"{address}/", "about:", "data:", "blob:"))]
    assert len([url for url in asked if "/viewer-" in url]) == 1
    page.close()


def test_a_page_from_the_disk_plays_what_is_in_sight(built: Path, browser: Any) -> None:
    page, complaints, asked = watched(browser)
    page.goto((built / "sphinx" / "gentle.html").as_uri())
    player_of(page, 0)
    runs = [url for url in asked if re.search(r"/backlight/[0-9a-f]{16}\.js", url)]
    assert 0 < len(runs) < PLAYABLE["gentle"] and not complaints
    assert all(url.startswith(("file:", "about:")) for url in asked)
    page.close()


def test_a_block_goes_on_where_the_one_above_it_ended(address: str, browser: Any) -> None:
    page, _, _ = watched(browser)
    page.goto(f"{address}/sphinx/gentle.html")
    frame = player_of(page, 7)
    frame.locator("#graph").press("End")
    expect(frame.locator("#graph")).to_contain_text("36")  # a.grad, of the block before
    expect(frame.locator("#graph")).not_to_contain_text("layer1")
    page.close()


def test_players_follow_the_ground_they_stand_on(address: str, browser: Any) -> None:
    page, _, _ = watched(browser, color_scheme="null")
    page.goto(f"{address}/sphinx/basics.html")
    frame = player_of(page, 0)
    for scheme, ground in (("light", "#fff"), ("dark", "#111"), ("light", "#eee")):
        page.evaluate(
            """ground => {
                document.querySelector("backlight-player").parentElement.style.background = ground;
                document.body.dataset.theme = ground;  // as themes do that can be switched
            }""",
            ground,
        )
        expect(frame.locator("html")).to_have_attribute("data-theme", scheme)
    page.close()


def test_a_player_that_waits_for_a_click_or_lacks_a_file_has_a_button(address: str, browser: Any) -> None:
    page, complaints, _ = watched(browser)
    missing = re.compile(r"/backlight/[0-9a-f]{16}\.js$")
    page.route(missing, lambda route: route.abort())
    page.goto(f"{address}/sphinx/basics.html")
    first = page.locator("backlight-player").first
    again = first.get_by_role("button", name="Try again")
    first.scroll_into_view_if_needed()
    again.wait_for()
    expect(first.locator(".backlight-still")).to_be_visible()
    assert complaints
    page.unroute(missing)
    again.click()
    player_of(page, 0)
    expect(first.locator(".backlight-still")).to_be_hidden()
    block = Block("torch.ones(2)")
    waiting = Blocks(Path(), Settings(click=True)).html(block, Played("a", "", "", None), "", first=False)
    assert " click " in waiting
    page.evaluate(
        """() => {
            const other = document.querySelector("backlight-player").cloneNode(true);
            other.querySelector("iframe").remove();
            other.toggleAttribute("click", true);
            document.querySelector("h1").after(other);
        }"""
    )
    first.get_by_role("button", name="Play").click()
    player_of(page, 0)
    page.close()


def test_without_scripts_a_sentence_stands_there(address: str, browser: Any) -> None:
    page, _, _ = watched(browser, java_script_enabled=False)
    page.goto(f"{address}/mkdocs/gentle/")
    said = page.locator(".backlight-still").nth(6)
    expect(said).to_have_text("Recorded: 1 backward pass. Afterwards b.grad = [-12, -8], a.grad = [36, 81].")
    expect(page.locator(".backlight-still").nth(7).locator("pre")).to_have_text(
        "tensor([True, True])\ntensor([True, True])"
    )
    page.close()


def test_a_narrow_page_has_no_bar_below(address: str, browser: Any) -> None:
    page, _, _ = watched(browser, viewport={"width": 340, "height": 700})
    page.goto(f"{address}/mkdocs/basics/")
    frame = player_of(page, 2)
    expect(frame.get_by_role("button", name="Next step")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 340
    page.close()


# What is told when pages are built

WRONG = """
Wrong
=====

.. backlight::

    import torch
    w = torch.ones(3, requires_grad=True)

.. backlight::

    w @ torch.ones(4)

.. backlight::
    :raises: RuntimeError

    w @ torch.ones(4)

.. backlight::
    :raises:

    w.sum().backward()

.. backlight::
    :fresh:

    import torch
    print("w" in globals())

.. code-block:: python
    :class: backlight

    torch.ones(2).sum()

.. code-block:: python

    this is not run
"""


def test_sphinx_warns_of_blocks_that_fail(tmp_path: Path) -> None:
    done = sphinx(tmp_path, {"wrong": WRONG})
    assert done.returncode == 0
    first, second = done.stderr.splitlines()
    assert re.search(r"wrong.rst:\d+: WARNING: the block raises RuntimeError: inconsistent tensor size", first)
    assert "in line 1" in first
    assert "WARNING: the block was to raise an error, and does not" in second
    page = (tmp_path / "sphinx" / "wrong.html").read_text("utf-8")
    assert page.count("<backlight-player") == 6
    assert "<pre>False</pre>" in page
    strict = sphinx(tmp_path, {"wrong": WRONG}, "html_title = 'W'", more=["-W"])
    assert strict.returncode and "the block raises RuntimeError" in strict.stderr
    again = sphinx(tmp_path, {"wrong": f"{WRONG}\nMore.\n"}, "suppress_warnings = ['backlight.block']")
    assert (again.returncode, again.stderr) == (0, "")


MARKDOWN = """---
title: Wrong
---
# Wrong

```backlight
import torch
w = torch.ones(3, requires_grad=True)
```

- in a list

    ```backlight raises=RuntimeError height=300
    w @ torch.ones(4)
    ```

~~~{.python .backlight}
w.sum().backward()
w.missing
~~~

````markdown
```backlight
not run
```
````

```python
not run
```
"""


def test_mkdocs_warns_of_blocks_that_fail(tmp_path: Path) -> None:
    done = mkdocs(tmp_path, {"wrong": MARKDOWN})
    assert done.returncode == 0
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("WARNING")]
    assert "wrong.md, line 17: the block raises AttributeError" in line
    page = (tmp_path / "mkdocs" / "wrong" / "index.html").read_text("utf-8")
    assert page.count("<backlight-player") == 3 and "of-this-page" not in page
    assert "--backlight-height:300px" in page and page.count("player.js") == 1
    asked = mkdocs(tmp_path, {"wrong": "```backlight hight=3\n1\n```\n"})
    assert asked.returncode and "fresh, raises=ERROR and height=PIXELS behind it, not 'hight=3'" in asked.stderr


# What runs

BOTH = ["torch", "engine"]


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Backlight's engine as if it were installed."""
    told = tmp_path / "installed" / "backlight_service-0.dist-info"
    told.mkdir(parents=True)
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: backlight-service\nVersion: 0\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(told.parent), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.syspath_prepend(told.parent)


def played(folder: Path, codes: list[str | Block], **settings: Any) -> list[Played]:
    blocks = [Block(code) if isinstance(code, str) else code for code in codes]
    return Blocks(folder / "cache", Settings(**settings)).play(blocks, "page", folder)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("recorder", BOTH)
def test_blocks_share_their_names(recorder: str, tmp_path: Path) -> None:
    made = played(
        tmp_path,
        [
            "import torch\ndef double(x):\n    return 2 * x\n",
            "w = torch.tensor(3.0, requires_grad=True)",
            "double(w).backward()\nprint(w.grad)\nundefined",
            Block("print(w.grad)\nw.nothing", raises="AttributeError"),
            Block("w", fresh=True, raises="NameError"),
            Block("1 +", raises="SyntaxError"),
            Block("raise ValueError", raises="KeyError"),
        ],
        recorder=recorder,
    )
    assert [each.run is not None for each in made] == [False, True, True, True, True, True, True]
    assert [each.printed for each in made] == ["", "", "tensor(2.)\n", "tensor(2.)\n", "", "", ""]
    assert [each.complaint for each in made if each.complaint] == [
        "the block raises NameError: name 'undefined' is not defined in line 3",
        "the block raises ValueError in line 1",
    ]
    assert made[2].said.startswith("Recorded: 1 operation and 1 backward pass. It ends with NameError")


@pytest.mark.usefixtures("engine")
def test_where_there_is_no_torch_the_engine_runs_them(tmp_path: Path) -> None:
    (tmp_path / "installed" / "sitecustomize.py").write_text('import sys\nsys.modules["torch"] = None\n')
    path = os.pathsep.join([str(tmp_path / "installed"), os.environ["PYTHONPATH"], str(REPOSITORY)])
    text = "A\n=\n\n.. backlight::\n\n    import torch\n    print(torch.__version__)\n    torch.ones(1) * 2\n"
    done = sphinx(tmp_path, {"a": text}, env={"PYTHONPATH": path})
    assert (done.returncode, done.stderr) == (0, "")
    assert "<backlight-player" in (tmp_path / "sphinx" / "a.html").read_text("utf-8")
    (run,) = (tmp_path / "sphinx" / "_static" / "backlight").glob("[0-9a-f]*.js")
    assert '\\"kind\\":\\"code\\"' in run.read_text("utf-8")  # no capture
    for use in ("capture(None)", "show(None)", "draw", "Run"):
        command = [sys.executable, "-c", f"import backlight; backlight.{use}"]
        refused = subprocess.run(
            command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=100
        )
        assert "ModuleNotFoundError" in refused.stderr and "backlight records it" in refused.stderr


def test_nothing_that_runs_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [each for each in sys.path if not (Path(each or ".") / "engine").is_dir()])
    with pytest.raises(CannotRun, match=r"engine \(backlight-service\) is not installed, so no code block can be run"):
        played(tmp_path, ["1"], recorder="engine")


def test_what_has_run_is_kept_until_a_text_changes(tmp_path: Path) -> None:
    count = "with open('ran', 'a') as file:\n    file.write('x')\n"
    first = played(tmp_path, [count, "import torch; torch.ones(1) * 2"])
    assert played(tmp_path, [count, "import torch; torch.ones(1) * 2"]) == first
    assert (tmp_path / "ran").read_text() == "x"
    played(tmp_path, [count, "import torch; torch.ones(1) * 3"])
    assert (tmp_path / "ran").read_text() == "xx"


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("while True: pass", "the blocks of the page did not end within 15 seconds"),
        ("import os; os._exit(3)", "the process that runs the page ended with 3"),
        ("import os; os._exit(0)", "the program ended the process that runs the page"),
    ],
)
def test_a_program_that_does_not_come_back_is_told(code: str, complaint: str, tmp_path: Path) -> None:
    made = played(tmp_path, ["import torch; torch.ones(1) * 2", code, "1"], timeout=15)
    assert [each.complaint for each in made] == [None, complaint, None]
    assert made[0].run is not None and made[1].run is None


def test_what_is_typed_behind_prompts_runs() -> None:
    assert program_of(">>> x = 1\n>>> for i in range(2):\n...     x += i\n>>> x\n2\n") == (
        "x = 1\nfor i in range(2):\n    x += i\nx\n"
    )
    assert program_of("x = 1\n") == "x = 1\n"


def test_folders_of_the_machine_are_not_told(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import torch\ndef double(x):\n    return x * 2\n")
    (made,) = played(tmp_path, ["import sys; sys.path.insert(0, '')\nimport mine, torch\nmine.double(torch.ones(1))"])
    text = (tmp_path / "cache" / f"{made.run}.js").read_text("utf-8")
    assert "mine.py" in text and str(tmp_path) not in text
