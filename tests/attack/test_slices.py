"""A slice of every attack in each run of the tests; `make attack` does all of it."""

from __future__ import annotations

import types

import numpy as np
import pytest

from engine.core.tensor import Tensor
from engine.nn.module import Module
from engine.program.classes import Instance
from engine.program.session import Session
from engine.program.values import Builtin, Function
from tests.attack.reach import host_value
from tests.attack.registry import ATTACKS, Attack, carry_out


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_nothing_breaks(attack: Attack) -> None:
    for row in carry_out(attack.name, attack.slice):
        assert row.failed == 0, "\n\n".join(row.failures)
        assert row.tried > 0


@pytest.mark.parametrize(
    "cls", [Tensor, Module, Instance, Session, Function, Builtin, dict, type, np.ndarray, np.random.Generator]
)
def test_the_members_of_a_class_itself_are_known_from_what_a_program_sees_of_its_own(cls: type) -> None:
    assert host_value(type.__dict__["__dict__"].__get__(cls)) == "a mappingproxy"
    assert host_value(types.MappingProxyType({"__module__": "__main__", "n": 1})) is None
