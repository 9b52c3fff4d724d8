"""Wrong calls get PyTorch's words or ours, never Python's about the engine's own code.

What PyTorch says to each is recorded in tests/snippets/wrong_kinds; here is what it has no words for.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.composites import masked
from engine.program import execute

PRELUDE = "import torch, numpy as np, torch.nn as nn, torch.nn.functional as F\n"
OURS = re.compile(r"(\w+\(\): )?arguments of these types or values are not supported here: \(.*\)")


def error(code: str) -> Any:
    found = execute(PRELUDE + code, seed=0).error
    assert found is not None
    return found


@pytest.mark.parametrize(
    "code",
    [
        "torch.tensordot(torch.ones(2), torch.ones(2), torch.ones(2), nn)",
    ],
)
def test_what_pytorch_words_and_we_do_not_yet_is_refused_by_name_and_kinds(code: str) -> None:
    found = error(code)
    assert OURS.fullmatch(found.message), found.message
    assert found.type == "TypeError"


@pytest.mark.parametrize("given", ["[1]", "nn", "torch.float32"])
def test_what_the_engine_asks_in_private_is_no_one_elses_business(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    asking: dict[str, Any] = {}
    exec(compile("def lowest(input, sign): return input._array", masked.__file__, "exec"), asking)
    monkeypatch.setattr(masked, "_lowest", asking["lowest"])
    found = error(f"torch.masked.argmin({given}, 0, mask=torch.ones(2))")
    assert OURS.fullmatch(found.message), found.message
    assert error(f"({given})._array").message.endswith("has no attribute '_array'")


def test_such_an_error_is_caught_as_what_it_is() -> None:
    call = "torch.tensordot(torch.ones(2), torch.ones(2), torch.ones(2), nn)"
    code = f"try: {call}\nexcept TypeError as e: print(type(e).__name__)\n"
    assert execute(PRELUDE + code, seed=0).stdout == "TypeError\n"


@pytest.mark.parametrize("name", ["argmin", "argmax", "amax", "amin"])
def test_masked_extremes_ask_what_is_no_tensor_for_its_dtype(name: str) -> None:
    found = error(f"torch.masked.{name}([1], 0, mask=torch.ones(2))")
    assert (found.type, found.message) == ("AttributeError", "'list' object has no attribute 'dtype'")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("isinstance(3)", r"isinstance expected 2 arguments, got 1"),
        ("torch.chunk(*3)", r"chunk\(\) argument after \* must be an iterable, not int"),
    ],
)
def test_a_wrong_call_goes_by_the_public_name(code: str, message: str) -> None:
    assert re.fullmatch(message, error(code).message)


def test_a_class_of_the_program_keeps_its_name_beside_pytorchs_type_of_that_name() -> None:
    assert error("class Generator: pass\ntorch.autograd.grad(Generator(), 1)").message == (
        "'Generator' object is not iterable"
    )
    assert error("torch.autograd.grad(torch.Generator(), 1)").message == "'torch._C.Generator' object is not iterable"


def test_an_error_that_the_program_raises_is_left_alone() -> None:
    code = "class M(nn.Module):\n    def forward(self, x): raise ValueError('mine', 2)\nM()(1)"
    assert (error(code).type, error(code).message) == ("ValueError", "('mine', 2)")


def test_a_method_that_nobody_calls_is_named_alike_where_it_is_the_first_thing_read() -> None:
    found = error("for p in torch.nn.Linear(2, 1).parameters(): p.sum + 1")
    assert found.message == "unsupported operand type(s) for +: 'builtin_function_or_method' and 'int'"
