"""Two runs in one page: what is taken for a run, what the page holds, and the command."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import backlight
import pytest
import torch

HOLDER = r'<script type="application/json" id="(run|other)-document" data-name="([^"<>]*)">(.*?)</script>'


def run_of(power: int, secret: str = "x") -> backlight.Run:
    x = torch.full((2,), 3.0, requires_grad=True)
    with backlight.capture() as run:
        (x**power).sum().backward()
    run.document["source"]["code"] = secret
    return run


def held(page: str) -> dict[str, tuple[str, Any]]:
    """What a page holds: names and documents of `run`, the later, and `other`, the earlier."""
    return {which: (name, json.loads(text)) for which, name, text in re.findall(HOLDER, page, re.DOTALL)}


def test_two_runs_are_in_one_page_that_has_the_viewer_once(viewer: str, tmp_path: Path) -> None:
    before, after = run_of(2), run_of(3, "</script><script>alert(1)</script>\u2028&")
    made = backlight.compare(before, after, tmp_path / "both.html")
    page = (tmp_path / "both.html").read_text("utf-8")
    assert page == made.html() and held(page) == {
        "run": ("test_compare.py", after.document),
        "other": ("test_compare.py", before.document),
    }
    sizes = sum(len(text) for _, _, text in re.findall(HOLDER, page, re.DOTALL))
    assert len(page) < len(viewer) + sizes + 300
    assert not any(re.search("[<>&\u2028\u2029]", text) for _, _, text in re.findall(HOLDER, page, re.DOTALL))
    assert held(before.compare(after).html()) == held(page)
    assert repr(made) == "<backlight.Comparison of test_compare.py and test_compare.py>"


def test_whatever_is_a_run_can_be_compared(viewer: str, tmp_path: Path) -> None:
    before, after = run_of(2), run_of(3)
    for run, name in ((before, "before"), (after, 'after "&')):
        for suffix in ("json", "html", "HTM"):
            run.save(tmp_path / f"{name}.{suffix}")
    wanted = [before.document, after.document]
    for one, other in (
        (tmp_path / "before.json", str(tmp_path / 'after "&.html')),
        (tmp_path / "before.html", tmp_path / 'after "&.HTM'),
        (before.document, after),
    ):
        found = held(backlight.compare(one, other).html())
        assert [found["other"][1], found["run"][1]] == wanted
    assert held(backlight.compare(before, tmp_path / 'after "&.json').html())["run"][0] == "after &quot;&amp;.json"
    backlight.compare(before, after, tmp_path / "both.html")
    again = backlight.compare(before, tmp_path / "both.html")  # a page of two is opened as the later one
    assert again.after == after.document


@pytest.mark.parametrize("text", ["", "{}", "[]", "nothing", "<html></html>", '{"tensors": 1}', "<", "null", '"a"'])
def test_what_is_no_run_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "file.json").write_text(text)
    with pytest.raises(ValueError, match="file.json"):
        backlight.compare(tmp_path / "file.json", run_of(2))


def test_other_objects_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="an object of Tensor"):
        backlight.compare(torch.ones(1), run_of(2))
    with pytest.raises(ValueError, match="no document of a run"):
        backlight.compare({"a": 1}, run_of(2))
    with pytest.raises(RuntimeError, match="nothing is recorded yet"):
        backlight.compare(backlight.capture(), run_of(2))
    with pytest.raises(FileNotFoundError):
        backlight.compare(tmp_path / "none.json", run_of(2))
    with pytest.raises(ValueError, match="saved as .html"):
        backlight.compare(run_of(2), run_of(3), tmp_path / "both.json")


def test_a_comparison_can_leave_the_source_out(viewer: str) -> None:
    made = backlight.compare(run_of(2, "secret = 1"), run_of(3, "secret = 2"))
    page = made.html(source=False)
    assert "secret" in made.html() and "secret" not in page and str(Path(__file__).parent) not in page
    assert len(held(page)) == 2


def test_a_notebook_shows_a_comparison_in_a_frame(viewer: str) -> None:
    frame = run_of(2).compare(run_of(3))._repr_html_()
    assert re.findall(r'sandbox="([^"]*)"', frame) == ["allow-scripts allow-downloads"]


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    words = (sys.executable, "-m", "backlight", "compare", *words)
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120)


def test_the_command_compares_two_files(viewer: str, tmp_path: Path) -> None:
    run_of(2).save(tmp_path / "train.rank0.json")
    run_of(3).save(tmp_path / "train.rank1.html")
    done = command(tmp_path, "train.rank0.json", "train.rank1.html", "-o", "ranks.html")
    assert done.returncode == 0 and "train.rank0.json and train.rank1.html> in ranks.html" in done.stderr
    assert {name for name, _ in held((tmp_path / "ranks.html").read_text("utf-8")).values()} == {
        "train.rank0.json",
        "train.rank1.html",
    }
    assert command(tmp_path, "train.rank0.json", "train.rank0.json").returncode == 0
    assert (tmp_path / "compare.html").is_file()
    for words in (
        ("train.rank0.json",),
        ("none.json", "train.rank0.json"),
        ("train.rank0.json",) * 2 + ("-o", "x.txt"),
    ):
        refused = command(tmp_path, *words)
        assert refused.returncode == 2 and "Traceback" not in refused.stderr
