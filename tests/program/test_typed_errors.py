"""Wrong calls are told by the names that PyTorch has, where what it says cannot be recorded."""

from __future__ import annotations

import re
from typing import Any

import pytest

import engine
from engine.program import execute

PRELUDE = "import torch, numpy as np, torch.nn as nn, torch.nn.functional as F\n"


def error(code: str) -> Any:
    found = execute(PRELUDE + code, seed=0).error
    assert found is not None
    return found


@pytest.mark.parametrize("name", ["argmin", "argmax", "amax", "amin"])
def test_masked_extremes_ask_what_is_no_tensor_for_its_dtype(name: str) -> None:
    found = error(f"torch.masked.{name}([1], 0, mask=torch.ones(2))")
    assert (found.type, found.message) == ("AttributeError", "'list' object has no attribute 'dtype'")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("isinstance(3)", r"isinstance expected 2 arguments, got 1"),
        ("torch.chunk(*3)", r"torch\.chunk\(\) argument after \* must be an iterable, not int"),
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


WORKERS = """from torch.utils.data import DataLoader, Dataset
class Rows(Dataset):
    def __len__(self): return 4
    def __getitem__(self, i): return {read}
for batch in DataLoader(Rows(), batch_size=2, num_workers=2{more}): print(batch)
"""


@pytest.mark.parametrize(
    ("read", "kind", "last"),
    [
        ("[1, 2, 3][i]", "IndexError", "IndexError: list index out of range"),
        ("{}[i]", "KeyError", "KeyError: 0"),
        ("torch.ones(3) @ torch.ones(2)", "RuntimeError", "RuntimeError: inconsistent tensor size"),
        ("'é'.encode('ascii')", "RuntimeError", "UnicodeEncodeError: 'ascii' codec"),
    ],
)
def test_an_error_of_a_worker_says_which_and_where(read: str, kind: str, last: str) -> None:
    run = engine.run(code=PRELUDE + WORKERS.format(read=read, more=""))
    found = run.document["error"]
    message, *origin, failure, end = found["message"].split("\n")
    caught, worker = last.partition(":")[0], int(kind == "IndexError")
    assert (found["type"], found["line"], end) == (kind, 6, "")
    assert message == f"Caught {caught} in DataLoader worker process {worker}."
    assert origin == ["Original Traceback (most recent call last):", '  File "<program>", line 5, in __getitem__']
    assert failure.startswith(last)
    assert kind == "RuntimeError" and "codec" in last or found["explanation"]


def test_what_a_worker_begins_with_fails_where_its_batch_is_wanted() -> None:
    found = error(WORKERS.format(read="i", more=", worker_init_fn=lambda worker: 1 / worker"))
    assert found.message.startswith("Caught ZeroDivisionError in DataLoader worker process 0.\nOriginal Traceback")
    assert found.traceback[-1].line == 6
