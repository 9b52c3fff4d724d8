"""What a captured run's numbers show to be wrong is what the service says of the same program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from backlight import Limits
from conftest import REPOSITORY
from programs import captured

import engine
from tests.findings.alarms import alarms
from tests.findings.near import NEAR

HEALTHY = sorted(
    path for path in (REPOSITORY / "tests" / "findings" / "healthy").glob("*.py") if path.stem != "__init__"
)
BROKEN = sorted(
    path
    for path in (REPOSITORY / "tests" / "findings" / "broken").glob("*.py")
    if not path.stem.startswith("own_")  # an autograd that a program brings itself is drawn by the engine alone
)


def found(document: dict[str, Any]) -> list[tuple[str, list[int]]]:
    return sorted((finding["rule"], finding["lines"][:1]) for finding in document.get("findings", []))


@pytest.mark.filterwarnings("always")
@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_captured_mistake_is_found_as_in_the_service(path: Path) -> None:
    code = path.read_text("utf-8")
    mine, theirs = captured(code, Limits()), engine.run(code=code, seed=0).document
    assert found(mine) == found(theirs)
    assert uses(mine) == uses(theirs)


def uses(document: dict[str, Any]) -> Any:
    """What rules know besides the graph: trainings, optimizers and the places where numbers left it."""
    names = {tensor["id"]: tensor["name"] for tensor in document["tensors"]}
    return (
        [
            (row["line"], row["passes"], row["calls"], {names[p["tensor"]] for p in row["parameters"]})
            for row in document.get("training", [])
        ],
        [
            (
                row["type"],
                row["name"],
                row["line"],
                [(u["what"], u["line"], u["passes"], u.get("lr")) for u in row["uses"]],
            )
            for row in document.get("optimizers", [])
        ],
        [(names[row["tensor"]], row["how"], row["line"]) for row in document.get("exits", [])],
    )


@pytest.mark.parametrize("path", HEALTHY, ids=lambda path: path.stem)
def test_nothing_is_called_wrong_in_a_captured_program_that_is_right(path: Path) -> None:
    assert not alarms(captured(path.read_text("utf-8"), Limits()), path.stem)


@pytest.mark.parametrize("case", NEAR, ids=lambda case: f"{case[0]}-{case[1]}")
def test_what_only_comes_near_is_not_called_wrong_in_a_captured_run(case: tuple[str, int]) -> None:
    document = captured(NEAR[case], Limits())
    assert case[0] not in [finding["rule"] for finding in document.get("findings", [])]
    assert not alarms(document, "")


def test_what_a_library_views_inside_is_its_own_affair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in captum's integrated gradients, where samples by steps happen to have the sizes of steps by samples."""
    library = tmp_path / "site-packages" / "attributing.py"
    library.parent.mkdir()
    library.write_text("def attributed(g):\n    return g.contiguous().view(4, -1).sum(0)\n")
    monkeypatch.syspath_prepend(str(library.parent))
    code = (
        "import torch\nfrom attributing import attributed\nmodel = torch.nn.Linear(4, 1)\n"
        "optimizer = torch.optim.SGD(model.parameters(), 0.1)\nx = torch.randn(24, 4)\n"
        "loss = (attributed(x) * model(x).sum()).sum()\nloss.backward()\noptimizer.step()\n"
    )
    assert not any(rule == "view-for-transpose" for rule, _ in found(captured(code, Limits())))
    own = code.replace("attributed(x)", "x.contiguous().view(4, -1).sum(0)")
    assert ("view-for-transpose", [6]) in found(captured(own, Limits()))


def test_an_error_is_explained_and_names_what_it_is_about() -> None:
    code = "import torch\nx = torch.ones(3, requires_grad=True)\ny = x.exp()\ny += 1\ny.sum().backward()\n"
    document = captured(code)
    error, names = document["error"], {tensor["id"]: tensor["name"] for tensor in document["tensors"]}
    assert error["explanation"] and error["fix"]
    assert [names[tensor] for tensor in error["tensors"]] == ["y"]
    assert error["related_lines"] == [4]
    (finding,) = document["findings"]
    assert finding["explains_error"] and finding["fix"]["edits"][0]["new"] == "y = y + 1"


def test_an_error_is_mended_in_the_names_of_the_program() -> None:
    code = "import torch\nweights = torch.ones(3, requires_grad=True)\nb = 'é🚀'; weights.numpy()\n"
    error, own = captured(code)["error"], engine.run(code=code, seed=0).document["error"]
    assert error["fix"] == own["fix"] == "Write weights.detach().numpy()."
    assert (error["column"], error["end_column"]) == (own["column"], own["end_column"]) == (10, 25)


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("import torch\nweights = torch.ones(1)\nwieghts.sum()\n", "weights"),
        ("import torch\ndef f(rate):\n    return rtae\nf(1)\n", "rate"),
        ("import torch\ntorch.ones(2, requires_grad=True).sum().backwards()\n", "backward"),
        ("import torch\nclass N(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
         "        self.hidden = torch.nn.Linear(1, 1)\nN().hiden\n", "hidden"),
        ("import torch\nclass N:\n    def __dir__(self):\n        raise ValueError\nN().hiden\n", None),
        ("import torch\nfoo\n", None),
        ("import torch\nraise NameError('nobody knows')\n", None),
    ],
)  # fmt: skip
def test_a_slip_in_a_name_is_mended(code: str, meant: str | None) -> None:
    error = captured(code)["error"]
    assert error["suggestion"] == meant
    assert meant is None or error["fix"] == f"Write {meant}, if that is what is meant."
    own = engine.run(code=code, seed=0).document["error"]
    assert meant is None or (own["suggestion"], own["fix"]) == (meant, error["fix"])


def test_what_the_service_lacks_is_no_explanation_of_a_captured_error() -> None:
    document = captured("raise AttributeError(\"'Tensor' object has no attribute 'foo'\")\n")
    assert "Backlight" not in str(document["error"]["explanation"])
