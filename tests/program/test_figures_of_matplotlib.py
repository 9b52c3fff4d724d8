"""Figures of matplotlib itself: data read from its artists, or the picture it draws."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

import engine
from app.schema import model
from engine import figures
from engine.core.state import state
from engine.document.figures import Figure
from engine.limits import Limits
from tests.forked import called
from tests.program.gallery import PROGRAMS

HEAD = "import numpy as np\nimport matplotlib.pyplot as plt\nnp.random.seed(0)\n"


class Told:
    """What a recorder is told."""

    def __init__(self) -> None:
        self.events: list[tuple[dict[str, Any], str, str | None]] = []

    def figure(self, figure: dict[str, Any], how: str, file: str | None) -> None:
        model(Figure).model_validate({"id": "f0", **figure})
        self.events.append((figure, how, file))


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    assert figures.preload(), "the extra `libraries` is not installed"


@pytest.fixture(autouse=True)
def notices(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    found: list[str] = []
    monkeypatch.setattr(state, "notice", found.append)
    yield found


def run(program: str, **limits: int) -> list[tuple[dict[str, Any], str, str | None]]:
    told: Any = Told()
    with figures.showing(told, Limits(**limits)) as shown:
        exec(compile(HEAD + program, "program.py", "exec"), {"__name__": "__main__", "shown": shown})
        shown.show_all("end")
    events: list[tuple[dict[str, Any], str, str | None]] = told.events
    return events


def only(program: str) -> dict[str, Any]:
    ((figure, _, _),) = run(program)
    return figure


def series(program: str) -> list[dict[str, Any]]:
    return [some for axes in only(program)["axes"] for some in axes["series"]]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_kind_of_plot_shows_something(name: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    events = run(PROGRAMS[name])
    assert events or name == "bad mathtext"
    for figure, _, _ in events:
        pictures = [each["picture"] for each in (figure, *figure["axes"]) if each.get("picture")]
        assert pictures or figure["axes"]
        for picture in pictures:
            inert(picture["svg"])


def inert(svg: str) -> None:
    """Nothing in it runs, or is fetched."""
    tree = ElementTree.fromstring(svg)
    assert tree.tag == "{http://www.w3.org/2000/svg}svg"
    for element in tree.iter():
        assert element.tag.rpartition("}")[2] not in ("script", "foreignObject", "a", "text")
        for key, value in element.attrib.items():
            assert not key.lower().startswith("on"), key
            if key.rpartition("}")[2] == "href":
                assert value.startswith(("#", "data:image/png;base64,")), value[:60]
    assert not re.search(r"@import|url\((?!#)", svg)


def test_pictures_and_data_are_the_same_every_time() -> None:
    for name in ("polar", "surface", "pie", "mathtext", "many texts", "subplots mixed", "huge image rgba"):
        assert run(PROGRAMS[name]) == run(PROGRAMS[name]), name


@pytest.mark.parametrize(
    "name", ["pie", "surface", "mathtext", "markers odd", "dates", "contourf", "xkcd", "tripcolor", "huge image rgba"]
)
def test_a_process_that_can_open_no_file_draws_all_the_same(name: str) -> None:
    assert called("tests.program.test_figures_of_matplotlib", "drawn_without_files", PROGRAMS[name])


def drawn_without_files(program: str) -> int:
    """How many figures a program shows in this process, which can open nothing from now on."""

    def refuse(event: str, args: Any) -> None:
        if event in ("open", "os.listdir", "os.scandir", "os.mkdir", "subprocess.Popen", "socket.connect"):
            os._exit(3)

    def no_stat(path: Any, **options: Any) -> Any:
        raise PermissionError(1, "Operation not permitted", path)

    os.stat = os.lstat = os.readlink = no_stat
    sys.addaudithook(refuse)
    return len(run(program))


ALIKE = {
    "lines": "plt.plot([1, 2, 4], 'r--o', label='a')\nplt.plot([3, 1], lw=3, alpha=.5)\nplt.legend(title='t')",
    "marks": "plt.plot([1, 2], 'o', mfc='none')\nplt.plot([1], ls='')\nplt.plot([1, 3], 'x')\nplt.step([1, 2], [3, 4])",
    "long": "x = np.zeros(20_000)\nx[777] = 5\nplt.plot(x)\nplt.plot(np.cos(np.arange(5000)), np.arange(5000) % 7)",
    "points": "plt.scatter([1, 2, 3], [3, 1, 2], s=[10, 20, 30], c=['r', 'g', 'b'], marker='^', edgecolors='k')",
    "values": "plt.scatter([1, 2, 3], [3, 1, 2], c=[.1, .5, .9], cmap='plasma', vmin=0)\nplt.colorbar(label='v')",
    "bars": "plt.bar(['a', 'b'], [1, 2], label='x')\nplt.bar(['a', 'b'], [2, 1], bottom=[1, 2], ec='k')\nplt.legend()",
    "lying": "plt.barh(['a', 'b'], [1, 2], color=['r', 'g'])\nplt.title('T')\nplt.xlabel('n')",
    "histograms": "plt.hist([1, 2, 2, 3, 9], bins=4, label='h')\nplt.hist([1, 2, 2, 3], histtype='step')\nplt.legend()",
    "areas": "plt.fill_between([1, 2, 3], [1, 2, 1], alpha=.3, label='f')\nplt.legend()",
    "straight": "plt.hlines([1, 2], 0, 3, colors='r')\nplt.vlines(2, 0, 3, ls='--')\nplt.axhline(.5, ls=':')\n"
    "plt.axvline(1, .2, .8, color='k')",
    "bands": "plt.plot([1, 2])\nplt.axvspan(1, 2, alpha=.2)\nplt.axhspan(1, 1.5)",
    "images": "plt.imshow(np.arange(12).reshape(3, 4), cmap='gray')\nplt.colorbar()\nplt.axis('off')",
    "large image": "plt.imshow(np.arange(40_000).reshape(200, 200) % 251, origin='lower', extent=(0, 1, 2, 3))",
    "colours": "plt.imshow((np.arange(48).reshape(4, 4, 3) * 5).astype('uint8'))\nplt.xticks([])\nplt.yticks([])",
    "mesh": "plt.pcolormesh([[1., 2], [3, np.nan]], cmap='RdBu')\nplt.colorbar()",
    "contours": "x = np.linspace(-2, 2, 20)\nX, Y = np.meshgrid(x, x)\nplt.contourf(X, Y, X * Y, levels=5)\n"
    "plt.contour(X, Y, X + Y, colors='k')",
    "scales": "plt.loglog([1, 10, 100], [1, 3, 9])\nplt.grid(True)\n"
    "plt.figure()\nplt.plot([-9, 9])\nplt.yscale('symlog')",
    "ticks": "plt.plot([1, 2, 3])\nplt.xticks([0, 1, 2], ['a', 'b', 'c'])\nplt.yticks([1, 3])\nplt.ylim(5, 0)",
    "texts": "plt.plot([1, 2])\nplt.text(.5, 1.5, 'here', ha='center')\nplt.text(.1, .9, 'in', "
    "transform=plt.gca().transAxes)\n"
    "plt.annotate('there', (1, 2), (.2, 1.8), arrowprops=dict(arrowstyle='->'))\n"
    "plt.annotate('off', (0, 1), xytext=(5, 9), textcoords='offset points')",
    "grids": "fig, axs = plt.subplots(2, 2, figsize=(8, 6))\naxs[0, 1].plot([1, 2])\naxs[1, 0].set_title('c')\n"
    "fig.suptitle('four')\nplt.tight_layout()",
    "mosaic": "fig, ax = plt.subplot_mosaic('AB;CC')\nax['C'].plot([1, 2])\nax['A'].set_aspect('equal')",
    "named": "plt.figure('name')\nplt.plot([1])\nplt.figure(7)\nplt.gca().set_axis_off()\nplt.plot([1])",
    "boxes": "plt.plot([1, 2])\nplt.axes([.6, .6, .2, .2]).plot([2, 1])",
}


@pytest.mark.parametrize("name", ALIKE)
def test_data_are_those_that_documents_had(name: str) -> None:
    document = engine.run(code=HEAD + ALIKE[name]).document
    assert document["error"] is None
    before = [{key: part for key, part in figure.items() if key != "id"} for figure in document["figures"]]
    assert [figure for figure, _, _ in run(ALIKE[name])] == before


def test_an_error_bar_lies_below_its_line_as_in_matplotlib() -> None:
    bars, line = series("plt.errorbar([1, 2], [3, 4], yerr=.5, fmt='s', capsize=2, label='e')")
    assert (bars["kind"], bars["of"], bars["caps"], line["kind"], line["label"]) == ("segments", 2, True, "line", "e")


def test_axes_upon_others() -> None:
    under, upon = only(
        "fig, a = plt.subplots()\na.plot([1, 2])\nb = a.twinx()\nb.plot([30, 10], 'r')\nb.set_ylabel('other')"
    )["axes"]
    assert (under["twin"], upon["twin"], upon["y"]["label"]) == (None, 0, "other")


def test_lines_of_other_coordinates_are_where_they_are_seen() -> None:
    diagonal, sloped = series(
        "ax = plt.gca()\nax.set(xlim=(0, 4), ylim=(0, 8))\nax.plot([0, 1], [0, 1], transform=ax.transAxes)\n"
        "ax.axline((0, 0), slope=1)"
    )
    assert (diagonal["x"], diagonal["y"]) == ([0, 4], [0, 8])
    assert (sloped["x"][-1], sloped["y"][-1]) == (4, 4)


def test_a_legend_of_what_is_not_drawn_names_what_has_its_colour() -> None:
    figure = only(
        "from matplotlib.lines import Line2D\nplt.plot([1], 'r')\nplt.plot([2], 'b')\n"
        "plt.legend(handles=[Line2D([], [], color='b', label='mine')])"
    )
    assert figure["axes"][0]["legend"]["entries"] == [{"label": "mine", "series": 1}]


def test_only_the_axes_that_cannot_be_told_are_a_picture() -> None:
    plotted, pie = only("fig, (a, b) = plt.subplots(1, 2)\na.plot([1, 2])\nb.pie([1, 2], labels=['p', 'q'])")["axes"]
    assert plotted["series"] and "picture" not in plotted
    assert pie["picture"]["texts"] == ["p", "q"] and pie["series"] == []


BEYOND = """\
plt.bar([1], [2], hatch='/')
plt.text(0, 0, 'a', rotation=30)
plt.text(0, 0, 'a', bbox={})
plt.plot([1, 2], marker='$f$')
plt.plot([1, 2], 'o-', mfc='r')
plt.plot([1, 2, 3], 'o-', markevery=2)
plt.imshow([[1, 2]], norm='log')
plt.imshow(np.full((2, 2, 4), .5))
plt.pcolor([[1]])
plt.yscale('logit')
plt.figtext(0, 0, 'note')
plt.plot([1], label='a'); plt.figlegend()
plt.plot(np.ones((2, 70)))
"""


@pytest.mark.parametrize("program", BEYOND.splitlines())
def test_what_data_would_tell_wrongly_is_a_picture(program: str) -> None:
    assert only(program)["picture"]["svg"].startswith("<svg")


def test_points_are_joined_to_the_triangles_that_matplotlib_finds() -> None:
    run(
        "import matplotlib.tri as tri\nx, y = np.random.rand(2, 200)\nfound = tri.Triangulation(x, y)\n"
        "for i, corners in enumerate(found.triangles):\n"
        "    a, b, c = np.column_stack([x, y])[corners]\n"
        "    assert np.linalg.det([b - a, c - a]) > 0\n"
        "    for j, other in enumerate(found.neighbors[i]):\n"
        "        edge = {corners[j], corners[(j + 1) % 3]}\n"
        "        assert other == -1 or edge <= set(found.triangles[other])\n"
        "assert len(tri.LinearTriInterpolator(found, x + y)([.5], [.5]).compressed()) == 1\n"
        "try: tri.Triangulation([0, 0, 1], [0, 0, 1])\n"
        "except ValueError as error: assert 'at least 3 unique points' in str(error)\n"
    )


def how(events: list[tuple[dict[str, Any], str, str | None]]) -> list[tuple[int, str, str | None]]:
    numbers: dict[int, int] = {}
    return [(numbers.setdefault(id(figure), len(numbers)), kind, file) for figure, kind, file in events]


def test_showing_closes_and_what_stays_open_is_shown_at_the_end() -> None:
    assert how(run("plt.plot([1])\nplt.show()\nplt.plot([2])")) == [(0, "show", None), (1, "end", None)]
    assert how(run("plt.plot([1])\nplt.show(block=False)\nplt.title('t')")) == [(0, "show", None), (1, "end", None)]
    assert how(run("plt.plot([1])\nplt.close()\nplt.figure()")) == []
    assert how(run("fig = plt.figure()\nplt.plot([1])\nfig.show()\nshown.display(fig)")) == [
        (0, "show", None), (0, "show", None),
    ]  # fmt: skip


def test_animations_and_pauses_show_the_last_that_was_drawn() -> None:
    program = "plt.ion()\nfor i in range(3):\n    plt.cla()\n    plt.plot([i])\n    plt.pause(9)\nplt.show()"
    ((figure, kind, _),) = run(program)
    assert kind == "end" and figure["axes"][0]["series"][0]["y"] == [2]


def test_an_animation_shows_its_first_picture() -> None:
    program = (
        "from matplotlib.animation import FuncAnimation\nfrom matplotlib.widgets import Cursor\n"
        "fig, ax = plt.subplots()\n(line,) = ax.plot([], [])\ncursor = Cursor(ax, useblit=True)\n"
        "a = FuncAnimation(fig, lambda i: line.set_data([0, 1], [i, i + 7]), frames=3)"
    )
    assert series(program)[0]["y"] == [0, 7]


def test_files_are_written_and_their_names_told(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    events = run(
        "import io, pathlib\nplt.pie([1])\nplt.savefig('a.png')\nplt.gcf().savefig(pathlib.Path('b.svg'))\n"
        "plt.savefig(io.BytesIO())\nplt.show()"
    )
    assert how(events) == [(0, "save", "a.png"), (0, "save", "b.svg"), (0, "save", "BytesIO"), (0, "show", None)]
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG") and (tmp_path / "b.svg").exists()
    with pytest.raises(ValueError, match="Format 'foo' is not supported"):
        run("plt.plot([1])\nplt.savefig('a.foo')")


def test_figures_are_bounded(notices: list[str]) -> None:
    assert len(run("for i in range(60): plt.plot([i]); plt.show()")) == 40
    assert notices[-1].startswith("This run shows more figures than its document has room for")
    notices.clear()
    picture = only("plt.imshow(np.random.rand(1500, 1500, 4))")["picture"]
    assert len(picture["svg"]) < 8_388_608 // 40
    assert run("plt.pie([1] * 200)", document_bytes=120_000) == []
    assert notices == ["This figure cannot be drawn: ValueError: its picture takes more than the document has room for"]


def test_a_program_finds_matplotlib_as_it_is_at_the_start(notices: list[str]) -> None:
    run(
        "import matplotlib\nplt.rcParams['lines.linewidth'] = 9\nplt.style.use('dark_background')\nplt.ion()\n"
        "plt.plot([1])"
    )
    run(
        "import matplotlib\nassert plt.get_fignums() == [] and plt.rcParams['lines.linewidth'] == 1.5\n"
        "assert not plt.isinteractive() and plt.rcParams['axes.facecolor'] == 'white'\n"
        "assert matplotlib.get_backend() == 'agg' and matplotlib.get_configdir() == '/tmp/matplotlib'\n"
        "assert all('mpl-data' in font.fname for font in matplotlib.font_manager.fontManager.ttflist)"
    )
    assert notices == []


def test_what_needs_a_window_a_network_or_tex_is_said_and_passed(notices: list[str]) -> None:
    (line,) = series(
        "import matplotlib\nmatplotlib.use('TkAgg')\nplt.switch_backend('Qt5Agg')\n"
        "plt.style.use(['ggplot', 'https://example.org/a.mplstyle'])\nplt.plot([1], lw=2)"
    )
    assert line["color"] == "#e24a33"  # of ggplot
    assert notices == ["A style sheet by URL is not fetched here: figures look as without it."]
    notices.clear()
    only("plt.rc('text', usetex=True)\nplt.pie([1])")
    assert set(notices) == {"There is no TeX here: matplotlib writes formulas itself."}
    with pytest.raises(ValueError, match="'Tk' is not a valid value for backend"):
        run("import matplotlib\nmatplotlib.use('Tk')")
