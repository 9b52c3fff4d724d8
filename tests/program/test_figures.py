"""What matplotlib draws becomes figures of the document: data, bounded, at the time it is shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

import engine
from app.schema import model
from engine.document.figures import Figure
from engine.limits import Limits
from engine.program.notebook import from_ipynb

HEAD = "import torch\nimport numpy as np\nimport matplotlib.pyplot as plt\n"


def document(program: str, **limits: int) -> dict[str, Any]:
    found = engine.run(code=HEAD + program, limits=Limits(**limits)).document
    for figure in found.setdefault("figures", []):
        model(Figure).model_validate(figure)
    return found


def shown(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [event for event in found["events"] if event["kind"] == "figure"]


def series(program: str) -> list[dict[str, Any]]:
    found = document(f"{program}\nplt.show()")
    assert found["error"] is None, found["error"]
    return [some for axes in found["figures"][0]["axes"] for some in axes["series"]]


def test_a_figure_is_recorded_where_it_is_shown_and_a_new_one_begins() -> None:
    found = document("plt.plot([1, 2, 4], 'r--o', label='a')\nplt.legend()\nplt.show()\nplt.title('b')\nplt.show()")
    assert [(event["figure"], event["how"], event["line"]) for event in shown(found)] == [
        ("f0", "show", 6), ("f1", "show", 8),
    ]  # fmt: skip
    (axes,) = found["figures"][0]["axes"]
    (line,) = axes["series"]
    assert (line["x"], line["y"], line["of"]) == ([0, 1, 2], [1, 2, 4], 3)
    assert (line["color"], line["style"], line["marker"], line["label"]) == ("#ff0000", "--", "o", "a")
    assert axes["legend"]["entries"] == [{"label": "a", "series": 0}]
    assert axes["x"]["limits"] == [-0.1, 2.1] and axes["y"]["limits"] == [0.85, 4.15]
    assert found["figures"][1]["axes"][0]["title"] == "b"


def test_what_is_never_shown_is_shown_at_the_end_also_after_an_error() -> None:
    (event,) = shown(document("plt.plot([1])"))
    assert (event["how"], event["line"]) == ("end", None)
    failed = document("plt.plot([1])\n1 / 0")
    assert failed["error"]["type"] == "ZeroDivisionError"
    assert [event["how"] for event in shown(failed)] == ["end"]


def test_saving_keeps_the_name_and_does_not_repeat_what_has_not_changed() -> None:
    found = document("plt.plot([1])\nplt.savefig('a.png')\nplt.savefig('b.pdf')\nplt.show()")
    assert [(event["figure"], event["how"], event["file"]) for event in shown(found)] == [
        ("f0", "save", "a.png"), ("f0", "save", "b.pdf"), ("f0", "show", None),
    ]  # fmt: skip


def test_colours_cycle_by_series_and_axes_have_their_own() -> None:
    two = series("plt.plot([1])\nplt.plot([2])\nplt.subplot(2, 1, 2).plot([3])")
    assert [line["color"] for line in two] == ["#1f77b4", "#ff7f0e", "#1f77b4"]


def test_long_series_are_thinned_and_say_of_how_many() -> None:
    (line,) = series("x = torch.zeros(20_000)\nx[777] = 5.\nplt.plot(x)")
    assert line["of"] == 20_000 and len(line["x"]) <= 1002
    assert max(line["y"]) == 5 and 777 in line["x"]
    (points,) = series("plt.scatter(torch.arange(5000), torch.arange(5000))")
    assert points["of"] == 5000 and len(points["x"]) == 1000
    (image,) = series("plt.imshow(np.zeros((500, 400)))")
    assert image["of"] == [500, 400] and image["rows"] * image["columns"] <= 10_000


def test_figures_are_bounded_in_number_and_take_a_part_of_the_document() -> None:
    found = document("for i in range(60):\n    plt.plot([i])\n    plt.show()")
    assert len(found["figures"]) == 40
    assert any("more figures than its document has room for" in warned["message"] for warned in found["warnings"])
    many = document(
        "for i in range(30):\n    plt.imshow(np.random.rand(300, 300))\n    plt.show()", document_bytes=1_000_000
    )
    assert many["figures"] and len(json.dumps(many["figures"])) < 1_000_000 // 10


def test_figures_of_turns_that_are_not_recorded_are_kept() -> None:
    found = document(
        "w = torch.ones(1, requires_grad=True)\nfor i in range(300):\n    (w * 2).sum().backward()\n"
        "    if i == 150:\n        plt.plot([1, 2])\n        plt.show()\n",
        ops=100,
    )
    assert any(event["kind"] == "gap" for event in found["events"])
    assert [event["figure"] for event in shown(found)] == ["f0"]


@pytest.mark.parametrize(
    ("program", "error", "message"),
    [
        ("plt.plot([1, 2, 3], [1, 2, 3, 4])", "ValueError", "x and y must have same first dimension, but have shapes"
         " (3,) and (4,)"),
        ("plt.plot(torch.ones(2, requires_grad=True))", "RuntimeError", "Can't call numpy() on Tensor that requires"
         " grad. Use tensor.detach().numpy() instead."),
        ("plt.scatter([1, 2], [1])", "ValueError", "x and y must be the same size"),
        ("plt.imshow([1, 2])", "TypeError", "Invalid shape (2,) for image data"),
        ("plt.imshow([[1]], cmap='nope')", "ValueError", "'nope' is not a valid value for cmap."),
    ],
)  # fmt: skip
def test_wrong_data_is_refused_in_matplotlib_s_words(program: str, error: str, message: str) -> None:
    found = document(program)["error"]
    assert (found["type"], found["message"][: len(message)]) == (error, message)


def test_a_notebook_shows_what_a_cell_drew() -> None:
    cells = [
        {"cell_type": "code", "source": source, "outputs": [], "metadata": {}, "execution_count": None}
        for source in (HEAD + "plt.plot([1])", "plt.plot([2]);", "print(3)")
    ]
    code = from_ipynb(json.dumps({"cells": cells, "nbformat": 4, "metadata": {}}))
    found = engine.run(code=code).document
    assert found["error"] is None
    assert [event["how"] for event in shown(found)] == ["cell", "cell"]


def test_two_runs_share_no_figure_and_no_setting() -> None:
    first = document("plt.rcParams['lines.linewidth'] = 9\nplt.plot([1])\nplt.figure()\nplt.plot([1])")
    second = document("plt.plot([1])")
    assert len(first["figures"]) == 2 and first["figures"][0]["axes"][0]["series"][0]["width"] == 9
    assert len(second["figures"]) == 1 and second["figures"][0]["axes"][0]["series"][0]["width"] == 1.5


def test_arrays_of_texts_name_ticks_bars_and_lines() -> None:
    names = "names = np.array(['a', 'b', 'c'])\n"
    ticks = "plt.imshow(np.eye(3))\nplt.xticks(range(3), names)\nplt.gca().set_yticks([0, 1, 2], labels=names)\n"
    bars = "plt.figure()\nplt.bar(names, [1, 2, 3])\nplt.figure()\nplt.plot(np.eye(3))\nplt.legend(names)\nplt.show()"
    drawn = [figure["axes"][0] for figure in document(names + ticks + bars)["figures"]]
    assert [drawn[0][axis]["labels"] for axis in "xy"] == [["a", "b", "c"]] * 2
    assert drawn[1]["x"]["labels"] == ["a", "b", "c"]
    assert [entry["label"] for entry in drawn[2]["legend"]["entries"]] == ["a", "b", "c"]
