"""Dtypes, promotion, sizes and devices answer as PyTorch's."""

import copy
import json
import math
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine.types import dtypes
from engine.types.bfloat16 import BFLOAT16
from engine.types.dtypes import NAMES, Size

CASES = json.loads((Path(__file__).parent / "data" / "dtypes.json").read_text())["cases"]


@pytest.fixture(autouse=True)
def default_dtype() -> Iterator[None]:
    yield
    dtypes.set_default(dtypes.float32)


def operand(text: str) -> Any:
    """``float32 ()`` is a 0-d tensor, ``float32 (1,)`` one with a dimension, anything else a Python number."""
    name, _, shape = text.partition(" ")
    if name not in NAMES:
        return {"True": True, "3": 3, "2.5": 2.5, "(2+1j)": 2 + 1j}[text]
    return np.ones(1, name) if shape == "(1,)" else np.ones(1, name)[0]


def test_recorded_promotions() -> None:
    wrong = []
    for question, a, b, answer in CASES:
        if question == "can_cast":
            got: Any = dtypes.can_cast(NAMES[a], NAMES[b])
        elif question == "promote_types":
            got = dtypes.promote_types(NAMES[a], NAMES[b]).name
        else:
            dtypes.set_default(NAMES[question])
            x, y = operand(a), operand(b)
            got = dtypes.result_type(x, y).name
            x, y = dtypes.promote(x, y)
            if np.add(x, y).dtype.name != answer:
                wrong.append(("promote", question, a, b, answer, np.add(x, y).dtype.name))
        if got != answer:
            wrong.append((question, a, b, answer, got))
    assert not wrong, wrong[:10]


def test_what_a_plain_operator_gives_after_promotion() -> None:
    ints = np.array([1, 2])
    a, b = dtypes.promote(ints, 2.5)
    assert (a * b).dtype == np.float32
    a, b = dtypes.promote(np.ones(2, np.float32), np.float64(2))
    assert (a * b).dtype == np.float32
    a, b = dtypes.promote_float(ints, 2)
    assert (a / b).dtype == np.float32
    assert dtypes.to_float(ints).dtype == np.float32
    assert dtypes.to_float(np.ones(1, np.complex64)).dtype == np.complex64


def test_operands_of_the_right_dtype_are_not_copied() -> None:
    a, b = np.ones(2, np.float32), np.ones(2, np.float32)
    assert dtypes.promote(a, b)[0] is a
    assert dtypes.to_float(a) is a


def test_python_integers_wrap_around_and_overflow_beyond_64_bits() -> None:
    a, b = dtypes.promote(np.array([1, 2], np.int8), 300)
    assert (a + b).tolist() == [45, 46]
    a, b = dtypes.promote(np.int64(1), 2**63)
    with np.errstate(over="ignore"):
        assert int(a + b) == -(2**63) + 1
    for array in (np.ones(1, np.int32), np.ones(1, np.float32)):
        with pytest.raises(OverflowError, match="^int too big to convert$"):
            dtypes.promote(array, 2**70)


def test_several_operands() -> None:
    promoted = dtypes.promote_all(np.ones(1, np.int32), np.ones(1, np.float16), np.float64(1))
    assert {a.dtype.name for a in promoted} == {"float16"}


def test_wide_unsigned_integers_do_not_promote() -> None:
    message = "^Promotion for uint16, uint32, uint64 types is not supported, attempted to promote UInt16 and Int$"
    with pytest.raises(RuntimeError, match=message):
        dtypes.promote_types(dtypes.uint16, dtypes.int32)
    assert dtypes.promote_types(dtypes.uint16, dtypes.float32) is dtypes.float32


def test_names() -> None:
    assert repr(dtypes.float32) == "torch.float32" and NAMES["float"] is dtypes.float32
    assert repr(type(dtypes.float32)) == "<class 'torch.dtype'>"
    assert dtypes.int64.type_name == "Long" and dtypes.int64.tensor_type == "torch.LongTensor"
    assert dtypes.of(np.dtype("int16")) is dtypes.int16
    assert dtypes.parse("torch.DoubleTensor") is dtypes.parse("float64") is dtypes.float64
    with pytest.raises(ValueError, match="^invalid type: 'foo'$"):
        dtypes.parse("foo")
    with pytest.raises(TypeError, match="^can't convert np.ndarray of type numpy.str_"):
        dtypes.of(np.dtype("U3"))
    with pytest.raises(AttributeError, match="^'torch.dtype' object has no attribute 'foo'$"):
        getattr(dtypes.float32, "foo")  # noqa: B009
    with pytest.raises(TypeError, match="^cannot create 'torch.dtype' instances$"):
        type(dtypes.float32)()


def test_a_dtype_stays_itself_when_copied() -> None:
    assert copy.deepcopy(dtypes.float32) is dtypes.float32
    assert pickle.loads(pickle.dumps([dtypes.int8]))[0] is dtypes.int8


def test_chalf_is_a_name_only() -> None:
    assert repr(dtypes.complex32) == "torch.complex32" and not dtypes.complex32.available
    with pytest.raises(NotImplementedError, match="^torch.complex32 is not available in Backlight yet$"):
        getattr(dtypes.complex32, "np")  # noqa: B009


def test_bfloat16_rounds_to_even() -> None:
    ties = torch.tensor([1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-20, -1 - 2**-8, 3.4e38, 1e-40, math.inf, math.nan])
    found = ties.to(torch.bfloat16).tolist()
    assert found[:5] == [1.0, 1 + 2**-6, 1 + 2**-7, -1.0, math.inf] and found[6] == math.inf and math.isnan(found[7])
    assert all(type(value) is float for value in found) and type(ties.bfloat16()[0].item()) is float
    assert ties[:7].bfloat16().view(torch.int16).tolist() == [16256, 16258, 16257, -16512, 32640, 1, 32640]
    assert torch.tensor([16256, -16512], dtype=torch.int16).view(torch.bfloat16).tolist() == [1.0, -1.0]
    assert ties.bfloat16().untyped_storage().nbytes() == 16


@pytest.mark.parametrize("kind", [np.longdouble, BFLOAT16])
def test_pytorch_takes_no_such_arrays_of_a_program(kind: Any) -> None:
    numbers = np.ones(2, kind)
    for make in (torch.from_numpy, torch.tensor, torch.as_tensor, lambda x: torch.tensor([x[0], x[1]])):
        with pytest.raises(TypeError, match="^can't convert np.ndarray of type "):
            make(numbers)


def test_the_default_dtype_is_a_float() -> None:
    with pytest.raises(TypeError, match="^only floating-point types are supported as the default type$"):
        dtypes.set_default(dtypes.int32)
    with pytest.raises(TypeError, match="^invalid dtype object: only floating-point"):
        dtypes.set_default("float32")
    dtypes.set_default(dtypes.float64)
    assert dtypes.of_number(1.0) is dtypes.float64 and dtypes.of_number(1j) is dtypes.complex128


def test_limits() -> None:
    assert repr(dtypes.finfo(dtypes.float32)) == (
        "finfo(resolution=1e-06, min=-3.40282e+38, max=3.40282e+38, eps=1.19209e-07, smallest_normal=1.17549e-38, "
        "tiny=1.17549e-38, dtype=float32)"
    )
    assert repr(dtypes.finfo(dtypes.float16)) == (
        "finfo(resolution=0.001, min=-65504, max=65504, eps=0.000976562, smallest_normal=6.10352e-05, "
        "tiny=6.10352e-05, dtype=float16)"
    )
    assert dtypes.finfo(dtypes.bfloat16).max == 3.3895313892515355e38
    assert dtypes.finfo(dtypes.complex128).eps == float(np.finfo(np.float64).eps)
    assert repr(dtypes.iinfo(dtypes.int8)) == "iinfo(min=-128, max=127, dtype=int8)"
    assert dtypes.iinfo(dtypes.uint64).max == 2**64 - 1
    for limits, dtype in ((dtypes.finfo, dtypes.int8), (dtypes.iinfo, dtypes.float32), (dtypes.iinfo, dtypes.bool_)):
        with pytest.raises(TypeError):
            limits(dtype)


def test_a_size_is_a_tuple_that_stays_a_size() -> None:
    size = Size([2, 3])
    assert repr(size) == "torch.Size([2, 3])" and size == (2, 3) and size.numel() == 6
    for result in (size + (1,), (1,) + size, size[1:], size * 2, 2 * size):
        assert type(result) is Size
    assert size[0] == 2 and repr(dtypes.size((4,))) == "torch.Size([4])"
    assert repr(copy.deepcopy(size)) == "torch.Size([2, 3])"
    with pytest.raises(TypeError, match=r"^torch.Size\(\) takes an iterable of 'int' \(item 1 is 'str'\)$"):
        Size([1, "a"])


def test_devices() -> None:
    device = dtypes.device
    assert repr(device("cpu")) == "device(type='cpu')" and str(device("cuda", 0)) == "cuda:0"
    assert repr(device("cuda:1")) == "device(type='cuda', index=1)"
    assert device(device("cpu")) == device(type="cpu") and device("cpu") != "cpu"
    assert len({device("cpu"), device("cpu"), device("cpu:0")}) == 2
    for text, message in [
        ("foo", "^Expected one of cpu, cuda, .* device type at start of device string: foo$"),
        ("cuda:x", "^Invalid device string: 'cuda:x'$"),
        ("cuda:01", "^Invalid device string"),
        ("", "^Device string must not be empty$"),
    ]:
        with pytest.raises(RuntimeError, match=message):
            device(text)
    with pytest.raises(RuntimeError, match="^Cannot access accelerator device when none is available.$"):
        device(0)
    with pytest.raises(TypeError, match=r"got \(float\), but expected one of"):
        device(1.5)


def test_tokens() -> None:
    assert repr(dtypes.strided) == "torch.strided" and repr(type(dtypes.strided)) == "<class 'torch.layout'>"
    assert repr(dtypes.channels_last) == "torch.channels_last"
