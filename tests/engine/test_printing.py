"""Tensors print as PyTorch printed them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import settings
from engine.types import dtypes, printing

CASES = json.loads((Path(__file__).parent / "data" / "printing.json").read_text())["cases"]


@pytest.fixture(autouse=True)
def defaults() -> Iterator[None]:
    settings.fresh()
    yield
    settings.fresh()
    dtypes.set_default(dtypes.float32)


def array_of(case: dict[str, Any]) -> Any:
    shape, dtype = tuple(case["shape"]), case["dtype"]
    if "ramp" in case:
        step, modulus, divisor = case["ramp"]
        return (np.arange(int(np.prod(shape))) * step % modulus / divisor).reshape(shape).astype(dtype)
    if dtype.startswith("complex"):
        array = np.array(case["values"], f"f{np.dtype(dtype).itemsize // 2}").view(dtype).reshape(shape)
    else:
        array = np.array(case["values"], dtype).reshape(shape)
    return array if shape else array[()]


def test_recorded_reprs() -> None:
    wrong = []
    for case in CASES:
        settings.fresh()
        printing.set_printoptions(**case.get("options", {}))
        dtypes.set_default(dtypes.NAMES[case.get("default", "float32")])
        text = printing.tensor_repr(array_of(case), **case.get("flags", {}))
        if text != case["repr"]:
            wrong.append((case["repr"], text))
    assert len(CASES) > 400
    assert not wrong, f"{len(wrong)} of {len(CASES)}; first:\n{wrong[0][0]}\n{wrong[0][1]}"


def test_grad_fn_moves_to_a_line_of_its_own_when_it_would_not_fit() -> None:
    array = np.full(9, 1.25, np.float32)
    assert printing.tensor_repr(array, grad_fn_name="MulBackward0").endswith("1.2500],\n       grad_fn=<MulBackward0>)")
    assert printing.tensor_repr(array[:3], grad_fn_name="MulBackward0").endswith("1.2500], grad_fn=<MulBackward0>)")


def test_a_subclass_prints_its_own_name_and_indents_by_it() -> None:
    text = printing.tensor_repr(np.eye(2, dtype=np.float32), class_name="Weight")
    assert text == "Weight([[1., 0.],\n        [0., 1.]])"


def test_a_scalar_formats_as_its_number() -> None:
    assert printing.format_tensor(np.float32(1.5), ".2f", text="tensor(1.5000)") == "1.50"
    assert printing.format_tensor(np.float32(6), "", text="tensor(6.)") == "6.0"
    assert printing.format_tensor(np.int64(3), ">4", text="tensor(3)") == "   3"
    assert printing.format_tensor(np.bool_(True), "", text="tensor(True)") == "True"
    with pytest.raises(ValueError, match="Unknown format code 'd' for object of type 'float'"):
        printing.format_tensor(np.float32(1.5), "d", text="")


def test_a_vector_formats_as_its_repr_only() -> None:
    array = np.zeros(2, np.float32)
    assert printing.format_tensor(array, "", text="tensor([0., 0.])") == "tensor([0., 0.])"
    with pytest.raises(TypeError, match="^unsupported format string passed to Tensor.__format__$"):
        printing.format_tensor(array, ".1f", text="")
    with pytest.raises(TypeError, match="^unsupported format string passed to Parameter.__format__$"):
        printing.format_tensor(np.float32(1), ".1f", text="", class_name="Parameter")


def test_options_are_kept_until_reset_and_sci_mode_never_is() -> None:
    printing.set_printoptions(precision=2, sci_mode=True)
    assert printing.tensor_repr(np.float32(1.5)) == "tensor(1.50e+00)"
    printing.set_printoptions(linewidth=40)
    assert printing.tensor_repr(np.float32(1.5)) == "tensor(1.50)"
    with printing.printoptions(precision=6):
        assert printing.tensor_repr(np.float32(1.5)) == "tensor(1.500000)"
    assert printing.get_printoptions()["precision"] == 2
    with pytest.raises(ValueError, match="precision must be between"):
        printing.set_printoptions(precision=10**9)
