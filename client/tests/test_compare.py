"""Two runs in one page: what is taken for a run, what the page holds, and the command."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import backlight
import pytest
import torch
from backlight.differences import Difference, _gaps, lines
from torch import nn

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


def trained(power: int = 2, act: type[nn.Module] = nn.ReLU, iterations: int = 2, scale: float = 1.0) -> backlight.Run:
    torch.manual_seed(0)
    model, x = nn.Sequential(nn.Linear(4, 5), act(), nn.Linear(5, 1)), torch.randn(6, 4) * scale
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    with backlight.capture() as run:
        for _ in range(iterations):
            loss = (model(x) ** power).mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            print(loss.item())
    return run


def line_of(text: str) -> str:
    return f"line {next(n for n, line in enumerate(Path(__file__).read_text().splitlines(), 1) if text in line)}"


def first_of_each(before: backlight.Run, after: backlight.Run) -> dict[str, Difference]:
    found: dict[str, Difference] = {}
    for each in before.compare(after).differences:
        found.setdefault(each.kind, each)
    return found


def test_the_same_twice_does_not_differ() -> None:
    one, other = trained(), trained()
    assert one.compare(other).differences == []
    assert list(lines([])) == ["Nothing differs: both runs do the same with the same numbers."]


def test_what_differs_first_is_told_first() -> None:
    line = line_of("** power).mean()")
    found = trained().compare(trained(scale=1.0001)).differences
    assert found[0] == Difference(
        "value", "x", line, "float32[6, 4] of norm 3.187", "float32[6, 4] of norm 3.18732", found[0].by
    )
    assert found[0].by is not None and 0 < found[0].by < 1e-3
    assert [each.about for each in found[1:4]] == ["the result of addmm", "the result of relu", "the result of addmm"]
    kinds = [each.kind for each in found]
    assert kinds.index("gradient") > kinds.index("value") and kinds[-1] == "output"
    assert any(each.about == "model.0.weight.grad" for each in found)
    shown = list(lines(found))
    assert len(shown) == 13 and shown[0].startswith(f"value     {line}: x: float32[6, 4] of norm 3.187 | ")
    assert shown[-1] == f"… and {len(found) - 12} more: " + ", ".join(
        f"{kind} {kinds[12:].count(kind)}" for kind in ("value", "gradient", "output")
    )


def test_an_op_in_the_place_of_another_is_of_structure() -> None:
    found = first_of_each(trained(), trained(act=nn.Tanh))
    line = line_of("** power).mean()")
    assert found["structure"] == Difference("structure", "", line, "relu", "tanh")
    assert found["value"].about == "the result of addmm"  # behind it
    (power, *_) = trained().compare(trained(3)).differences
    assert power == Difference("structure", "exponent of pow", line, "2", "3")


def test_an_iteration_more_is_told_once() -> None:
    longer, output = trained().compare(trained(iterations=3)).differences
    assert (
        longer.kind == "structure"
        and longer.before == ""
        and re.fullmatch(r"t, addmm, relu and \d+ more", longer.after)
    )
    assert output[:4] == ("output", "printed line 3", "", "")


def test_texts_and_errors_are_compared() -> None:
    before, after = run_of(2, "a\nb = 1\n"), run_of(2, "a\nb = 2\nc\n")
    after.document["error"] = {"type": "ValueError", "message": "x\ny", "line": 2}
    assert before.compare(after).differences == [
        Difference("program", "", "line 2", "b = 1", "b = 2 and 1 more"),
        Difference("output", "raised", "line 2", "", "ValueError: x y"),
    ]
    before.document["source"]["code"] = ""  # saved without it
    assert [each.kind for each in before.compare(after).differences] == ["output"]


def test_numbers_are_written_until_they_differ() -> None:
    def value(*data: Any, dtype: str = "float32") -> dict[str, Any]:
        return {"shape": [len(data)], "dtype": dtype, "data": list(data)}

    nine, told = [0.5] * 9, "float32[9] of norm 1.5"
    before, after = run_of(2), run_of(2)
    (name,) = [row["value"] for row in before.document["tensors"] if row["is_leaf"]]
    for one, other, (was, now, by) in (
        (value(1.0, 2.0), value(1.0, 2.0000001), ("[1, 2]", "[1, 2.0000001]", 1.0000000028e-07)),
        (value("NaN", 1.0), value("Infinity", 1.0), ("[nan, 1]", "[inf, 1]", math.nan)),
        (value(True, dtype="bool"), value(False, dtype="bool"), ("[True]", "[False]", None)),
        (value(*nine), value(*nine[:8], -0.5), (told, f"{told}, with other numbers", 1.0)),
        (value([1.0, 2.0], dtype="complex64"), value([1.0, -2.0], dtype="complex64"), ("[1+2j]", "[1-2j]", 4.0)),
    ):  # fmt: skip
        before.document["values"][name], after.document["values"][name] = one, other
        difference = before.compare(after).differences[0]
        assert difference[3:5] == (was, now)
        assert difference.by is by if by is None else difference.by == pytest.approx(by, nan_ok=True)


def test_long_runs_are_compared_without_looking_at_all_pairs() -> None:
    a, b = list(range(5000)), [-1, *range(5000, 0, -1)]
    assert list(_gaps(a, b)) == [(0, 5000, 0, 5001)]
    assert list(_gaps(a, [*a[:2500], -1, *a[2500:]])) == [(2500, 2500, 2500, 2501)]


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    words = (sys.executable, "-m", "backlight", "compare", *words)
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120)


def test_the_command_compares_two_files(viewer: str, tmp_path: Path) -> None:
    run_of(2).save(tmp_path / "train.rank0.json")
    run_of(3).save(tmp_path / "train.rank1.html")
    done = command(tmp_path, "train.rank0.json", "train.rank1.html", "-o", "ranks.html")
    assert done.returncode == 1 and "train.rank0.json and train.rank1.html> in ranks.html" in done.stderr
    (first, *_) = done.stdout.splitlines()
    assert first.startswith("structure line ") and first.endswith(": exponent of pow: 2 | 3")
    assert {name for name, _ in held((tmp_path / "ranks.html").read_text("utf-8")).values()} == {
        "train.rank0.json",
        "train.rank1.html",
    }
    alike = command(tmp_path, "train.rank0.json", "train.rank0.json")
    assert (alike.returncode, alike.stdout.count("\n")) == (0, 1) and alike.stdout.startswith("Nothing differs")
    assert (tmp_path / "compare.html").is_file()
    printed = command(tmp_path, "train.rank0.json", "train.rank1.html", "--json", "-")
    written = command(tmp_path, "train.rank0.json", "train.rank1.html", "--json", "found.json")
    assert (printed.returncode, written.returncode, written.stdout) == (1, 1, done.stdout)
    data = json.loads(printed.stdout)
    assert data == json.loads((tmp_path / "found.json").read_text("utf-8"))
    assert (data["before"], data["after"]) == ("train.rank0.json", "train.rank1.html")
    assert [Difference(**row) for row in data["differences"]] == run_of(2).compare(run_of(3)).differences
    for words in (
        ("train.rank0.json",),
        ("none.json", "train.rank0.json"),
        ("train.rank0.json",) * 2 + ("-o", "x.txt"),
        ("train.rank0.json",) * 2 + ("--json", "none/x.json"),
    ):
        refused = command(tmp_path, *words)
        assert refused.returncode == 2 and "Traceback" not in refused.stderr
