"""A call with wrong arguments is answered as PyTorch answers it, and what is not about the call is left alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

import engine.torch
from engine import errors
from engine.program import execute
from engine.signatures.native import TABLE, check
from engine.signatures.parser import Signature
from tests.engine.data.prelude import PRELUDE as NAMES
from tests.engine.data.wrong_calls import PRELUDE, right_calls
from tests.forked import in_ordinary_python

CASES = json.loads((Path(__file__).parent / "data" / "calls.json").read_text())["cases"]


def said(program: str) -> tuple[str, str] | None:
    error = execute(program).error
    return (error.type, error.message) if error else None


TOGETHER = 40
TRIED = """
try:
{call}
except Exception as error:
    print("$", json.dumps([type(error).__name__, str(error)]))
else:
    print("$ null")
"""


def answers(calls: Sequence[str], printed: Callable[[str], str]) -> list[Any]:
    """The error of each call, or None, as programs print it that make `TOGETHER` calls each."""
    found = []
    for start in range(0, len(calls), TOGETHER):
        some = (PRELUDE + TRIED.format(call=indent(call, "    ")) for call in calls[start : start + TOGETHER])
        lines = printed("import json\n" + "".join(some)).splitlines()
        found += [json.loads(line[2:]) for line in lines if line.startswith("$ ")]
    return found


@pytest.mark.parametrize("printed", [lambda code: execute(code).stdout, lambda code: in_ordinary_python(code)[0]])
def test_wrong_calls_are_refused_in_the_words_of_pytorch(printed: Callable[[str], str]) -> None:
    got = answers([call for call, _, _ in CASES], printed)
    different = [(case, row) for case, row in zip(CASES, got, strict=True) if row != case[1:]]
    assert len(CASES) > 1000
    assert not different, "\n".join(map(str, different[:10]))


def test_plain_python_writes_results_elsewhere_and_knows_the_keywords_of_numpy() -> None:
    torch = engine.torch
    x, out = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.empty(2)
    assert torch.sum(x, axis=0, out=out) is out
    assert x.mean(axis=1, keepdims=True).shape == (2, 1)
    assert out.tolist() == torch.sum(x=x, dim=0).tolist() == [4.0, 6.0]
    with pytest.raises(RuntimeError, match="out=... arguments don't support automatic differentiation"):
        torch.add(x.requires_grad_(), 1, out=torch.empty(2, 2))


@pytest.mark.parametrize("statement", ["x.is_leaf = True", "x.shape = 3", "del x.dtype"])
def test_attributes_that_are_only_read(statement: str) -> None:
    with pytest.raises(AttributeError, match=r"of 'torch\._C\.TensorBase' objects is not writable$"):
        exec(statement, {"x": engine.torch.ones(2)})


def test_errors_of_what_a_function_calls_are_its_own() -> None:
    def hook(gradient: object) -> None:
        raise TypeError("mine")

    x = engine.torch.ones(2, requires_grad=True)
    x.register_hook(hook)
    with pytest.raises(TypeError, match="^mine$"):
        x.sum().backward()


def test_the_calls_they_are_made_of_succeed() -> None:
    calls = list(right_calls())
    failed = [row for row in zip(calls, answers(calls, lambda code: execute(code).stdout), strict=True) if row[1]]
    assert not failed, "\n".join(map(str, failed[:10]))


def test_every_refusal_is_explained() -> None:
    plain = [text for _, kind, text in CASES if kind == "TypeError" and errors.explain(kind, text) is None]
    assert not plain, "\n".join(plain[:10])


OWN_ERRORS = {
    "a hook of a tensor": """
def hook(g):
    raise TypeError("mine")
x.register_hook(hook)
x.sum().backward(retain_graph=False)
""",
    "a function's backward": """
class Double(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        raise TypeError("mine")
Double.apply(x).sum().backward()
""",
    "a function of which the Jacobian is wanted": """
def f(x):
    raise TypeError("mine")
functional.jacobian(f, x)
""",
    "a module within a module": """
class Net(nn.Module):
    def forward(self, x):
        raise TypeError("mine")
nn.Sequential(nn.Linear(2, 2), Net())(x)
""",
}


@pytest.mark.parametrize("program", OWN_ERRORS.values(), ids=OWN_ERRORS.keys())
def test_an_error_of_the_program_passes_through(program: str) -> None:
    assert said(NAMES + program) == ("TypeError", "mine")


def test_looking_for_a_complaint_leaves_no_trace() -> None:
    program = "try:\n    F.hardtanh(x, x)\nexcept RuntimeError as error:\n    print(error)"
    document = engine.run(code=NAMES + program).document
    assert document["stdout"] == "Boolean value of Tensor with more than one value is ambiguous\n"
    assert len([op for op in document["ops"] if op["name"] == "gt"]) == 1


def test_python_errors_inside_a_hook_stay_what_they_are() -> None:
    text = "unsupported operand type(s) for +: 'int' and 'str'"
    assert said(NAMES + "x.register_hook(lambda g: 1 + 'a')\nx.sum().backward()") == ("TypeError", text)


def test_the_innermost_wrong_call_is_the_one_that_complains() -> None:
    program = """
class Net(nn.Module):
    def forward(self, x):
        return torch.sin(x, 'a', 'b')
nn.Sequential(Net())(x)
"""
    assert said(NAMES + program) == ("TypeError", "sin() takes 1 positional argument but 3 were given")


def test_a_program_can_catch_and_read_a_refusal() -> None:
    program = "try:\n    torch.add(x, 'a')\nexcept TypeError as error:\n    print(error)"
    document = engine.run(code=NAMES + program).document
    assert document["error"] is None
    assert document["stdout"] == "add(): argument 'other' (position 2) must be Tensor, not str\n"


def test_a_function_is_known_under_the_name_it_was_called_by() -> None:
    assert said(NAMES + "x.subtract(1, 2, 3)") == (
        "TypeError",
        "subtract() received an invalid combination of arguments - got (int, int, int), but expected one of:\n"
        " * (Tensor other, *, Number alpha = 1)\n"
        "      didn't match because some of the arguments have invalid types: (!int!, !int!, !int!)\n"
        " * (Number other, Number alpha = 1)\n",
    )
    by_name = "from torch.nn.functional import relu\nrelu()"
    assert said(NAMES + by_name) == ("TypeError", "relu() missing 1 required positional argument: 'input'")


def test_signatures_read_as_pytorch_prints_them() -> None:
    signature = Signature("sum(Tensor input, IntArrayRef[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)")
    assert signature.shown == ("(Tensor input, tuple of ints dim, bool keepdim = False, *, torch.dtype dtype = None)")
    assert signature.least == 2
    assert [p.name for p in signature.positional] == ["input", "dim", "keepdim"]
    assert Signature("max()").shown == "()"


def test_every_signature_of_the_table_can_be_read() -> None:
    count = 0
    for space, functions in TABLE.items():
        for name, lines in functions.items():
            for line in lines:
                if "." in line.partition("(")[0]:  # it takes nothing, or one object
                    continue
                signature = Signature(name + line if line.startswith("(") else line)
                assert signature.least <= len(signature.parameters), (space, name)
                count += 1
    assert count > 1500


@pytest.mark.parametrize("value", [1, 1.5, True, 2j])
def test_numbers_are_tensors_where_pytorch_takes_them(value: object) -> None:
    check("Tensor", "add", (value,), {})
    with pytest.raises(TypeError, match="must be Tensor"):
        check("Tensor", "atan2", (value,), {})
