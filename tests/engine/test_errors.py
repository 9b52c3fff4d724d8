"""Every error and warning reads as PyTorch's does, and every one that people meet is explained."""

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import dtypes, errors

CASES = json.loads((Path(__file__).parent / "data" / "errors.json").read_text())["cases"]
Tensor = type("Tensor", (), {})
SCOPE: dict[str, Any] = {**vars(errors), "np": np, "dtypes": dtypes, "x": Tensor()}


def said(call: str) -> tuple[str, str]:
    """Type and text of an error constructor's exception, or of the warning a warn_ function gives."""
    errors.reset_once()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        error = eval(call, SCOPE)
    if call.startswith("warn_"):
        return caught[0].category.__name__, str(caught[0].message)
    return type(error).__name__, error.args[0]


def test_recorded_texts() -> None:
    wrong = [(call, expected, said(call)) for call, *expected in CASES if list(said(call)) != expected]
    assert len(CASES) > 300
    assert not wrong, "\n".join(map(str, wrong[:10]))


def test_once_means_once_per_run() -> None:
    errors.reset_once()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        errors.warn_non_leaf_grad()
        errors.warn_non_leaf_grad()
        errors.warn_implicit_dim("softmax")
        errors.warn_implicit_dim("softmax")
    assert len(caught) == 3
    errors.reset_once()
    with pytest.warns(UserWarning, match="that is not a leaf Tensor"):
        errors.warn_non_leaf_grad()


def test_a_singular_matrix_is_a_runtime_error_of_its_own() -> None:
    error = errors.singular("linalg.inv", 1)
    assert isinstance(error, RuntimeError)
    assert repr(type(error)) == "<class 'torch._C._LinAlgError'>"
