"""A document in the page: inert whatever it contains, and apart from a notebook."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import backlight
import pytest
import torch
from backlight import export


def run_with(text: str) -> backlight.Run:
    x = torch.ones(1, requires_grad=True)
    with backlight.capture() as run:
        (x * 2).backward()
    run.document["source"]["code"] = text
    return run


HOSTILE = "</script><script>alert(1)</script><!-- <script \u2028\u2029 & ' \" \\u003c é 𝕏"


def test_a_document_is_inert_in_the_page(viewer: str) -> None:
    run = run_with(HOSTILE)
    page = run.html()
    (inside,) = re.findall(r'<script type="application/json" id="run-document">(.*?)</script>', page, re.DOTALL)
    assert json.loads(inside) == run.document
    assert not re.search("[<>&\u2028\u2029]", inside)
    assert len(page) - len(inside) == len(viewer)


def test_a_frame_may_run_its_scripts_and_hand_on_files_alone(viewer: str) -> None:
    frame = run_with(HOSTILE)._repr_html_()
    (sandbox,) = re.findall(r'sandbox="([^"]*)"', frame)
    assert sandbox == "allow-scripts allow-downloads"
    (inside,) = re.findall(r'srcdoc="([^"]*)"', frame)
    assert html.unescape(inside) == run_with(HOSTILE).html() or "run-document" in html.unescape(inside)


def test_a_frame_is_one_line_that_no_other_tool_changes() -> None:
    """As sphinx-gallery, whose reStructuredText expands tabs and strips the ends of lines."""
    text = "<script>\n\tlet a = `x  \n\f`;\n</script>"
    frame = export.framed(text)
    assert not re.search(r"[\t\n\f]", frame)
    (inside,) = re.findall(r'srcdoc="([^"]*)"', frame)
    assert html.unescape(inside) == text


def test_a_run_is_saved_as_a_page_or_as_its_document(viewer: str, tmp_path: Path) -> None:
    run = run_with("x")
    run.save(tmp_path / "run.html")
    run.save(tmp_path / "run.json")
    assert json.loads((tmp_path / "run.json").read_text("utf-8")) == run.document
    assert "run-document" in (tmp_path / "run.html").read_text("utf-8")
    for name in ("run.htm", "run.HTML"):
        run.save(tmp_path / name)
        assert (tmp_path / name).read_text("utf-8") == (tmp_path / "run.html").read_text("utf-8")
    with pytest.raises(ValueError, match="saved as .html or .json"):
        run.save(tmp_path / "run.txt")


def test_a_run_can_be_saved_without_its_source(viewer: str, tmp_path: Path) -> None:
    program = tmp_path / "secret" / "program.py"
    program.parent.mkdir()
    program.write_text(
        "import torch\ntorch.manual_seed(0)\nx = torch.ones(2, requires_grad=True)\n"
        "for _ in range(3):\n    loss = (x * 2).sum() - 7  # secret\n    loss.backward(retain_graph=True)\n"
    )
    run = backlight.Run(argv=[str(program), "--token=secret"])
    run.begin(str(program))
    exec(compile(program.read_text(), str(program), "exec"), {})
    run.end()
    run.save(tmp_path / "with.json")
    run.save(tmp_path / "without.json", source=False)
    run.save(tmp_path / "without.html", source=False)
    assert "secret" in (tmp_path / "with.json").read_text("utf-8")
    assert "secret" not in (tmp_path / "without.html").read_text("utf-8")
    document = json.loads((tmp_path / "without.json").read_text("utf-8"))
    assert [(file["name"], file["code"]) for file in document["files"]] == [("program.py", "")]
    assert document["source"] == {"kind": "capture", "code": ""} and "argv" not in document["origin"]
    assert document["findings"] and not any("edits" in finding["fix"] for finding in document["findings"])
    assert document["ops"] == run.document["ops"] and document["findings"] != run.document["findings"]
    assert run.document["files"][0]["name"] == str(program)


def test_the_viewer_of_the_package_has_a_place_for_a_document() -> None:
    page, empty = run_with(HOSTILE).html(), export.viewer()
    assert empty.count(export.PLACE) == 1
    assert page.count('id="run-document">') == empty.count('id="run-document">')
    assert "http-equiv" in page and "Content-Security-Policy" in page


def test_outputs_of_a_notebook_share_one_viewer(viewer: str) -> None:
    document = run_with(HOSTILE).document
    first, second = export.shared_frame(document, True), export.shared_frame(document, False)
    before, after = viewer.split(export.PLACE)
    for output in (first, second):
        told = re.findall(r'<script type="application/json" class="backlight-(.*?)">(.*?)</script>', output, re.DOTALL)
        assert {kind: json.loads(text) for kind, text in told} == {
            **({"viewer": [before, after]} if output is first else {}), "run": document
        }  # fmt: skip
        assert not any(re.search("[<>&\u2028\u2029]", text) for _, text in told)
        assert output.count("<script") == output.count("</script>") == 1 + len(told)


@pytest.mark.parametrize(("display", "opens"), [("", False), (":0", False), (":0", True)])
def test_where_a_page_cannot_be_shown_its_path_is_printed(
    display: str, opens: bool, viewer: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []

    def opening(address: str) -> bool:
        opened.append(address)
        return opens

    monkeypatch.setattr("webbrowser.open", opening)
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("BROWSER", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", display)
    run_with("x").show()
    said = capsys.readouterr().out
    assert len(opened) == bool(display)
    if opens:
        assert said == ""
        path = Path(opened[0].removeprefix("file://"))
    else:
        path = Path(said.removeprefix("There is no browser here. The page is ").rstrip())
    assert 'id="run-document">{' in path.read_text("utf-8")
    path.unlink()


def test_a_page_without_a_place_is_refused() -> None:
    with pytest.raises(ValueError, match="no place"):
        export.page({}, "<html></html>")
    with pytest.raises(ValueError, match="several"):
        export.page({}, export.PLACE * 2)
