"""What `torch.save` writes, `torch.load` reads; weights alone, unless the caller trusts the file."""

from __future__ import annotations

import copy
import io
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

import engine.torch as torch
from engine.torch import nn


def again(value: Any, **options: Any) -> Any:
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return torch.load(file, **options)


TENSORS = {
    "numbers": torch.tensor([[1.0, 2.0], [3.0, 4.0]]),
    "a number": torch.tensor(3),
    "nothing": torch.zeros(0, 3),
    "bfloat16": torch.tensor([1.5, 2.0], dtype=torch.bfloat16),
    "complex": torch.tensor([1j, 2.0]),
    "a view": torch.arange(16.0).view(4, 4)[1:, ::2],
    "a leaf": torch.ones(2, requires_grad=True),
    "a result": torch.ones(2, requires_grad=True) * 2,
    "a parameter": nn.Parameter(torch.ones(2)),
}


@pytest.mark.parametrize("tensor", TENSORS.values(), ids=list(TENSORS))
def test_a_tensor_is_what_it_was_but_a_leaf(tensor: Any) -> None:
    made = again(tensor)
    assert type(made) is type(tensor) and made.dtype is tensor.dtype and made.stride() == tensor.stride()
    assert torch.equal(made, tensor) and made.requires_grad == tensor.requires_grad
    assert made.is_leaf and made.grad is None


def test_what_was_one_stays_one() -> None:
    x = torch.zeros(4)
    whole, part, same = again([x, x[1:3], x])
    part.fill_(1)
    assert same is whole and whole.tolist() == [0, 1, 1, 0]


def test_a_training_goes_on_from_its_file(tmp_path: Path) -> None:
    def make() -> tuple[Any, Any]:
        net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Linear(3, 1))
        return net, torch.optim.Adam(net.parameters())

    def turn(net: Any, optimizer: Any) -> None:
        optimizer.zero_grad()
        net(torch.ones(4, 2)).sum().backward()
        optimizer.step()

    net, optimizer = make()
    turn(net, optimizer)
    torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 1}, tmp_path / "a.pt")
    other, second = make()
    found = torch.load(tmp_path / "a.pt")
    other.load_state_dict(found["net"])
    second.load_state_dict(found["optimizer"])
    turn(net, optimizer)
    turn(other, second)
    assert all(torch.equal(a, b) for a, b in zip(net.parameters(), other.parameters(), strict=True))


class Ran:
    def __reduce__(self) -> tuple[Any, ...]:
        return list.append, (sys.path, "ran")


FOREIGN = {"a class": Ran(), "a module": nn.Linear(1, 1), "a slice": slice(1), "a function": print, "ours": torch.save}


@pytest.mark.parametrize("value", FOREIGN.values(), ids=list(FOREIGN))
def test_files_of_weights_run_nothing(value: Any) -> None:
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        again({"found": value})
    assert "ran" not in sys.path


def test_whole_modules_are_loaded_on_trust_or_by_name() -> None:
    layer = nn.TransformerEncoderLayer(2, 1)
    assert repr(again(layer, weights_only=False)) == repr(layer) == repr(copy.deepcopy(layer))
    with torch.serialization.safe_globals([nn.Linear]):
        assert torch.equal(again(found := nn.Linear(1, 1)).weight, found.weight)
    assert torch.serialization.get_safe_globals() == []


def test_pickle_knows_classes_where_torch_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, module in torch.stand_in().items():
        monkeypatch.setitem(sys.modules, name, module)
    net = pickle.loads(pickle.dumps(nn.LSTM(1, 2)))
    assert net(torch.ones(1, 1, 1))[0].shape == (1, 1, 2)
    assert pickle.loads(pickle.dumps(torch.ones(2, 2).max(0))).values.tolist() == [1, 1]


def test_files_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"^Parent directory .*/no does not exist\.$"):
        torch.save(1, tmp_path / "no" / "a.pt")
    with pytest.raises(AttributeError, match="with a 'read' attribute"):
        torch.load(3)
    with pytest.raises(FileNotFoundError):
        torch.load(tmp_path / "b.pt")
