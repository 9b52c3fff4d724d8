"""`__torch_function__` in plain Python: who is asked, and that nobody is until there is somebody."""

from __future__ import annotations

import pytest

from tests.forked import in_ordinary_python

PRELUDE = """
import torch
from torch import nn
from torch.overrides import TorchFunctionMode, has_torch_function, is_tensor_like, resolve_name
x = torch.ones(2)
def asks():
    return bool(torch.overrides._state.asking)
class Told(TorchFunctionMode):
    def __init__(self):
        self.names = []
    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.names.append(func.__name__)
        return func(*args, **(kwargs or {}))
"""


def said(program: str) -> str:
    """In a process of its own, for what has once begun to ask goes on."""
    printed, error = in_ordinary_python(PRELUDE + program)
    assert error is None
    return printed.strip()


@pytest.mark.parametrize("program", [
    "torch.add(x, x); x + x; nn.Linear(2, 1)(x)",
    "class Own(nn.Parameter): pass\nOwn(x) + 1",
    "class Module(nn.Module): pass",
    "class Off(torch.Tensor):\n    __torch_function__ = torch._C._disabled_torch_function_impl",
    "try: torch.add(x, 'a')\nexcept TypeError: pass",
])  # fmt: skip
def test_nobody_is_asked_where_nobody_could_answer(program: str) -> None:
    assert said(program + "\nprint(asks())") == "False"


@pytest.mark.parametrize("program", [
    "class Own(torch.Tensor): pass",
    "with Told(): pass",
    "class Like:\n    def __torch_function__(*args): return 0\ntorch.add(Like(), 1)",
])  # fmt: skip
def test_all_ask_from_when_somebody_is_there(program: str) -> None:
    assert said(program + "\nprint(asks(), torch.relu(x - 2).tolist(), (x * 2).sum().item())") == "True [0.0, 0.0] 4.0"


def test_functions_that_were_never_called_ask_too() -> None:
    program = "class Own(torch.Tensor): pass\nprint(type(torch.sinh(Own([1.0]))).__name__, torch.sinh(x * 0).tolist())"
    assert said(program) == "Own [0.0, 0.0]"


def test_functions_have_their_signatures_all_the_same() -> None:
    program = """
import inspect
class Own(torch.Tensor): pass
print(list(inspect.signature(torch.autograd.grad).parameters))
"""
    assert said(program).startswith("['outputs', 'inputs', 'grad_outputs'")


def test_words_for_wrong_calls_are_the_same_then() -> None:
    program = "class Own(torch.Tensor): pass\ntry: torch.relu('a')\nexcept TypeError as error: print(error)"
    assert said(program) == "relu(): argument 'input' (position 1) must be Tensor, not str"


def test_modes_hear_what_programs_call_and_not_what_that_is_made_of() -> None:
    loss = "nn.CrossEntropyLoss()(torch.zeros(1, 2), torch.tensor([1])).item()"
    program = f"with Told() as told: {loss}\nprint(told.names)"
    assert said(program) == "['zeros', 'tensor', 'cross_entropy', 'item']"


def test_what_stands_for_tensors_is_told() -> None:
    program = """
class Like:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func.__name__
print(torch.mean(Like()), is_tensor_like(Like()), has_torch_function((x, Like())), has_torch_function((x,)))
print(resolve_name(torch.add), resolve_name(torch.Tensor.add), resolve_name(torch.Tensor.shape.__get__))
"""
    assert said(program).splitlines() == [
        "mean True True False",
        "torch.add torch.Tensor.add torch.Tensor.shape.__get__",
    ]
