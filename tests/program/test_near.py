"""A name that is not there is compared with those that are: what was meant is said, and no code of the program runs."""

from __future__ import annotations

import pytest

import engine
from engine.errors.explained.imports import IMPORTS

NOT_CALLED = "Nothing calls y.backward here: write y.backward()."
SETUP = "import math, torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nimport numpy as np\n"
NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(2, 2)
        self.rate = 0.5
        self.register_buffer("mean", torch.zeros(2))
net = Net()
"""


def suggestion(code: str) -> str | None:
    error = engine.run(code=SETUP + code, seed=0).document["error"]
    assert error is not None
    assert error["suggestion"] is None or error["suggestion"] in error["fix"]
    found: str | None = error["suggestion"]
    return found


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("torhc.ones(2)", "torch"),
        ("prnt(1)", "print"),
        ("def area(length):\n    width = 2\n    return lenght * width\narea(1)", "length"),
        ("torch.tensr(1)", "tensor"),
        ("nn.linear(2, 3)", "Linear"),
        ("nn.module", "Module"),
        ("from torch.nn import Linaer", "Linear"),
        ("import torch.nn.functionl as F", "functional"),
        ("from math import sqr", "sqrt"),
        ("nn.CrossEntropyloss()", "CrossEntropyLoss"),
        ("F.rellu(torch.ones(2))", "relu"),
        ("np.arrange(3)", "arange"),
        ("np.product([1, 2])", "prod"),
        ("np.in1d([1], [2])", "isin"),
        ("math.sqr(2)", "sqrt"),
        ("torch.ones(2).backwards()", "backward"),
        ("torch.ones(2).requires_gradd_()", "requires_grad_"),
        ("np.ones(2).shpae", "shape"),
        ("[].apend(1)", "append"),
        ("torch.optim.SGD([torch.ones(1)], 1).zero_grads()", "zero_grad"),
        (NET + "net.hiden", "hidden"),
        (NET + "net.raet", "rate"),
        (NET + "net.maen", "mean"),
        (NET + "net.paramters()", "parameters"),
        ("nn.Linear(1, 1).wieght", "weight"),
        ("class Slots:\n    __slots__ = ('alpha',)\nSlots().alhpa", "alpha"),
        ("class Colour:\n    green = 1\nColour.gren", "green"),
    ],
)
def test_slips_are_found(code: str, meant: str) -> None:
    assert suggestion(code) == meant


@pytest.mark.parametrize(
    "code",
    [
        "foo",
        "torch.ones(2).foo",
        "None.zero_()",
        "raise NameError('nobody knows')",
        "raise AttributeError('nobody knows')",
        "def f():\n    x = x1 = x\nf()",
        "torch.ones(2).to_mkldnn()",  # which PyTorch has
        "{}['tensr']",
        "import torch.foo.bar",
        f"{'a' * 100}",
    ],
)
def test_what_is_like_nothing_is_left_alone(code: str) -> None:
    assert suggestion(code) is None


@pytest.mark.parametrize(
    ("code", "statement"),
    [
        ("torch.ones(2)", "import torch"),
        ("import torch\nnn.Linear(1, 1)", "from torch import nn"),
        ("F.relu(1)", "import torch.nn.functional as F"),
        ("def f():\n    return np.ones(2)\nf()", "import numpy as np"),
        ("Variable(1)", "from torch.autograd import Variable"),
        ("import torch\nnumpy.ones(1)", "import numpy"),
    ],
)
def test_a_missing_import_is_found(code: str, statement: str) -> None:
    error = engine.run(code=code, seed=0).document["error"]
    assert error is not None
    assert (error["suggestion"], error["fix"]) == (statement, f"Begin with {statement}.")
    assert engine.run(code=f"{statement}\n").document["error"] is None


def test_what_is_imported_further_down_is_not_imported_again() -> None:
    error = engine.run(code="np.ones(2)\nimport numpy as np", seed=0).document["error"]
    assert error is not None
    assert error["suggestion"] is None


def test_looking_for_names_runs_no_code_of_the_program() -> None:
    code = """
class Odd:
    def __init__(self):
        self.value = 1
    def __getattr__(self, name):
        print(name)
        raise AttributeError(f"no {name}")
odd = Odd()
try:
    odd.valeu
except AttributeError:
    pass
print("end")
object.__getattribute__(odd, "valeu")
"""
    run = engine.run(code=code, seed=0)
    assert run.document["stdout"] == "valeu\nend\n", run.document["error"]


@pytest.mark.parametrize("name", sorted(IMPORTS))
def test_every_import_that_is_offered_can_be_made(name: str) -> None:
    document = engine.run(code=f"{IMPORTS[name]}\n{name}\n").document
    assert document["error"] is None
    assert not document["warnings"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("y.backward", [NOT_CALLED]),
        ("for _ in range(3):\n    y.backward", [NOT_CALLED]),
        ("torch.optim.SGD([x], 1).step", None),
        ("y.backward()", []),
        ("step = y.backward", []),
        ("x.grad", []),
        ("class A:\n    train = True\nA.train", []),
        ("class A: pass\nA.step = x\nA.step", []),
        ("class A:\n    def step(self): pass\nA.step", []),
        ("class A(torch.nn.Module):\n    show = [1]\nA().show", []),
        ("class A:\n    def step(self): pass\nA().step", ["Nothing calls A().step here: write A().step()."]),
        ("torch.autograd.backward", ["Nothing calls torch.autograd.backward here: write torch.autograd.backward()."]),
    ],
)
def test_a_method_that_is_named_and_not_called_is_told(code: str, said: list[str] | None) -> None:
    start = "import torch\nx = torch.ones(2, requires_grad=True)\ny = x.sum()\n"
    warnings = engine.run(code=start + code, seed=0).document["warnings"]
    assert all(warning["line"] >= 4 for warning in warnings)
    assert len(warnings) == 1 if said is None else [warning["message"] for warning in warnings] == said


def test_what_is_given_a_name_through_self_is_found() -> None:
    code = "class A:\n    def f(self):\n        self.rate = 1\n        return {}\nA().f()"
    assert suggestion(code.format("rate")) == "self.rate"
    assert suggestion(code.format("f()")) == "self.f"


def test_async_is_a_word_of_python() -> None:
    error = engine.run(code="import torch\nx = torch.ones(2).cuda(async=True)\n", seed=0).document["error"]
    assert error["type"] == "SyntaxError" and "non_blocking" in error["explanation"]
