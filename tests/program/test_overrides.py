"""`__torch_function__` belongs to one run, costs fuel, and reaches nothing that programs could not reach without it."""

from __future__ import annotations

from types import ModuleType

import pytest

from engine.limits import Limits
from engine.nn import functional
from engine.program import overrides
from engine.program.run import Outcome, execute

LOGGED = """
import torch
class Logged(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        print(func.__name__)
        return super().__torch_function__(func, types, args, kwargs or {})
x = torch.ones(2).as_subclass(Logged)
"""
MODE = """
import torch
from torch.overrides import TorchFunctionMode
class Mode(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        print(func.__name__)
        return func(*args, **(kwargs or {}))
"""


KEPT = """
found = []
class A(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        found.append(func)
        return super().__torch_function__(func, types, args, kwargs or {})
"""


SAVED = """
import io, pickle, torch
class A(torch.Tensor): pass
a, b = A([1.]), io.BytesIO()
a.tag = 'first'
torch.save(a, b)
b.seek(0)
"""


def run(code: str, fuel: int = 200_000) -> Outcome:
    return execute(code, limits=Limits(fuel=fuel), seed=0)


@pytest.mark.parametrize("code", [LOGGED, MODE + "Mode().__enter__()\n", MODE + "with Mode(): 1 / 0\n"])
def test_nobody_is_asked_after_a_run(code: str) -> None:
    run(code)
    assert type(functional) is ModuleType
    outcome = run("import torch\nprint(torch.nn.Linear(1, 1)(torch.ones(1)).shape, (torch.ones(1) + 1).sum())")
    assert outcome.error is None and outcome.stdout == "torch.Size([1]) tensor(2.)\n"


@pytest.mark.parametrize(
    "code",
    [
        LOGGED + "while True: x + 1",
        LOGGED + "while True: x.shape",
        MODE + "with Mode():\n    while True: torch.ones(1)",
        MODE + "while True: Mode().__enter__()",
    ],
)
def test_what_is_asked_without_end_ends(code: str) -> None:
    error = run(code).error
    assert error is not None and error.type in ("LimitExceeded", "RecursionError")


def test_a_class_that_asks_itself_without_end_is_too_deep() -> None:
    error = run(LOGGED.replace("print(func.__name__)", "print(args)") + "x + 1").error
    assert error is not None and error.type == "RecursionError"


@pytest.mark.parametrize(
    "code",
    [
        "torch.Tensor.add = 5",
        "torch.overrides.TorchFunctionMode.__enter__ = 5",
        "torch.overrides.resolve_name = 5",
        "class A:\n    __torch_function__ = 1",
        "class A:\n    __torch_function__ = print",
        "class A(torch.Tensor):\n    @classmethod\n    def __torch_dispatch__(cls, func, types, args=()): pass",
        "class A(torch.Tensor): pass\nA.__base__.add = 5",
        "class A(torch.Tensor): pass\nA.__mro__[1].add = 5",
        "class A(torch.Tensor): pass\nA.__bases__[0].add = 5",
        KEPT + "torch.ones(2).as_subclass(A).shape\nfound[0]([1])",
        KEPT + "x = torch.ones(2).as_subclass(A)\nx.data = torch.ones(2)\nfound[0](torch.nn, 5)",
        KEPT + "x = torch.ones(2).as_subclass(A) + 1\nfound[0].name = 5",
        KEPT + "x = torch.ones(2).as_subclass(A) + 1\nfound[0].__name__ = 'b'",
    ],
)
def test_what_outlives_a_run_is_not_changed(code: str) -> None:
    assert run("import torch\n" + code).error is not None


@pytest.mark.parametrize(
    "code",
    [
        "class A(torch.Tensor):\n    @classmethod\n    def __torch_dispatch__(cls, func, types, args=()): pass",
        "torch.Tensor._make_wrapper_subclass(torch.Tensor, (2,))",
    ],
)
def test_what_is_not_there_says_so(code: str) -> None:
    error = run("import torch\n" + code).error
    assert error is not None and error.type == "NotImplementedError" and "not available in Backlight" in error.message


def test_loading_only_weights_refuses_tensors_of_the_programs_classes() -> None:
    error = run(SAVED + "torch.load(b)").error
    assert error is not None and error.type == "UnpicklingError" and "__main__.A" in error.message


def test_tensors_of_the_programs_classes_come_back_with_their_attributes() -> None:
    shown = "x = torch.load(b, weights_only=False)\nprint(x, x.tag, pickle.loads(pickle.dumps(x)).tag, type(x) is A)"
    assert run(SAVED + shown).stdout == "A([1.]) first first True\n"


def test_programs_do_not_see_the_class_that_asks() -> None:
    outcome = run("import torch\nclass A(torch.Tensor): pass\nprint(A.__mro__, A.__bases__, A.mro(), A.add)")
    assert outcome.error is None and "Overriding" not in outcome.stdout


def test_every_method_that_asks_is_a_method_of_tensor() -> None:
    assert len(overrides.METHODS) > 400 and len(overrides.GETTERS) > 20 and len(overrides.FUNCTIONS) > 500


def test_methods_of_tensors_show_themselves_as_what_they_are_in_torch() -> None:
    outcome = run("import torch\nprint(torch.Tensor.add, torch.Tensor.__getitem__, torch.Tensor.split)")
    owner = "of 'torch._C.TensorBase' objects>"
    native = f"<method 'add' {owner} <slot wrapper '__getitem__' {owner}"
    assert outcome.stdout == f"{native} <function Tensor.split at 0xADDR>\n"
