"""Which modules a recording names: those that ran, whatever holds them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import backlight
import pytest
import torch
from torch import nn

from tests.snippets.invariants import violations

x = torch.ones(4, 2)


def net() -> nn.Module:
    return nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))


class Trainer:
    def __init__(self) -> None:
        self.model = net()

    def step(self) -> None:
        self.model(x).sum().backward()

    @backlight.capture
    def recorded(self) -> None:
        self.step()


def named(run: backlight.Run, tensors: bool = True) -> list[str]:
    """The paths of modules without their parts, when all their parameters are named by them."""
    document = run.document
    assert not violations(document)
    paths = [row["path"] for row in document["modules"]]
    names = {tensor["name"] for tensor in document["tensors"] if tensor["is_leaf"] and tensor["requires_grad"]}
    roots = [path for path in paths if not any(path.startswith(f"{other}.") for other in paths)]
    assert not tensors or names == {f"{path}.{part}.{p}" for path in roots for part in "02" for p in ("weight", "bias")}
    assert {row["path"]: len(row["parameters"]) for row in document["modules"]} == {
        **{f"{root}{part}": n for root in roots for part, n in (("", 0), (".0", 2), (".1", 0), (".2", 2))}
    }
    return roots


def attribute() -> backlight.Run:
    trainer = Trainer()
    with backlight.capture() as run:
        trainer.step()
    return run


def method() -> backlight.Run:
    trainer = Trainer()
    trainer.recorded()
    run: backlight.Run = trainer.recorded.run  # type: ignore[attr-defined]
    return run


def members() -> backlight.Run:
    held, several = {"m": net()}, [net(), net()]
    with backlight.capture() as run:
        (held["m"](x) + several[0](x) + several[1](x)).sum().backward()
    return run


def namespaces() -> backlight.Run:
    parts, options = SimpleNamespace(net=net()), argparse.Namespace(net=net())
    with backlight.capture() as run:
        (parts.net(x) + options.net(x)).sum().backward()
    return run


@pytest.mark.parametrize(
    ("program", "paths"),
    [
        (attribute, ["trainer.model"]),
        (method, ["self.model"]),
        (members, ["held['m']", "several[0]", "several[1]"]),
        (namespaces, ["parts.net", "options.net"]),
    ],
)
def test_modules_are_found_where_they_are_held(program: Callable[[], backlight.Run], paths: list[str]) -> None:
    assert named(program()) == paths


def module_from(folder: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A library's module."""
    packages = folder / "site-packages"
    packages.mkdir(exist_ok=True)
    (packages / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(packages))
    monkeypatch.delitem(sys.modules, name, raising=False)
    return __import__(name)


LIBRARY = """\
class Trainer:
    def __init__(self, model):
        self._wrapped = self.model = model
    def step(self, x):
        self.model(x).sum().backward()
def hidden(model):
    return lambda x: model(x)
from torch import nn
class Adapted(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.base = model
    def forward(self, x):
        return self.base(x)
"""


def test_a_trainer_of_a_library_is_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = module_from(tmp_path, "training_library", LIBRARY, monkeypatch)
    trainer = library.Trainer(net())
    with backlight.capture() as run:
        trainer.step(x)
    assert named(run) == ["trainer.model"]


def test_what_nothing_is_known_to_hold_has_the_name_of_its_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = module_from(tmp_path, "training_library", LIBRARY, monkeypatch)
    one, other = library.hidden(net()), library.hidden(net())
    with backlight.capture() as run:
        (one(x) + other(x)).sum().backward()
    assert named(run) == ["Sequential", "Sequential 2"]


def test_a_library_that_wraps_a_model_names_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = module_from(tmp_path, "training_library", LIBRARY, monkeypatch)
    base = net()
    model = library.Adapted(base)
    with backlight.capture() as run:
        model(x).sum().backward()
    leaves = [tensor["name"] for tensor in run.document["tensors"] if tensor["is_leaf"] and tensor["requires_grad"]]
    assert leaves == ["model.base.0.weight", "model.base.0.bias", "model.base.2.weight", "model.base.2.bias"]
    assert run.document["modules"][0] == {"path": "model", "type": "Adapted", "parameters": {}}


def test_what_pytorch_puts_around_a_model_is_not_listed_again() -> None:
    model = net()
    with backlight.capture() as run:
        nn.Sequential(model, nn.Identity())(x).sum().backward()
    assert named(run) == ["model"]


def test_frozen_parameters_are_listed() -> None:
    model = net()
    model.get_submodule("0").requires_grad_(False)
    with backlight.capture() as run:
        model(x).sum().backward()
    assert named(run, tensors=False) == ["model"]
    tensors = {tensor["id"]: tensor for tensor in run.document["tensors"]}
    (first,) = [row for row in run.document["modules"] if row["path"] == "model.0"]
    assert [tensors[id]["requires_grad"] for id in first["parameters"].values()] == [False, False]
    assert [tensors[id]["name"] for id in first["parameters"].values()] == ["model.0.weight", "model.0.bias"]
