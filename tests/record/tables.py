"""Record what PyTorch answers: writes JSON tables in tests/engine/data. Needs torch 2.13 (extra `oracle`).

python -m tests.record.tables [dtypes printing random errors calls]
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tests.engine.data import wrong_calls
from tests.engine.data.prelude import PRELUDE

DATA = Path(__file__).parents[1] / "engine" / "data"


def write(name: str, cases: list[Any]) -> None:
    lines = ",\n".join(json.dumps(case) for case in cases)
    text = f'{{"recorded_with": "torch {torch.__version__}", "cases": [\n{lines}\n]}}\n'
    (DATA / f"{name}.json").write_text(text)
    print(name, len(cases), "cases,", len(text), "bytes")


INTEGERS = ["bool", "uint8", "int8", "int16", "int32", "int64"]
DTYPES = [*INTEGERS, "float16", "float32", "float64", "complex64", "complex128"]
NUMBERS: list[Any] = [True, 3, 2.5, 2 + 1j]


def record_dtypes() -> None:
    def short(dtype: torch.dtype) -> str:
        return str(dtype).removeprefix("torch.")

    cases: list[Any] = []
    for a, b in itertools.product(DTYPES, DTYPES):
        first, second = getattr(torch, a), getattr(torch, b)
        cases.append(["promote_types", a, b, short(torch.promote_types(first, second))])
        cases.append(["can_cast", a, b, torch.can_cast(first, second)])
    operands: dict[str, Any] = {repr(number): number for number in NUMBERS}
    for d, shape in itertools.product(DTYPES, ((), (1,))):
        operands[f"{d} {shape}"] = torch.ones(shape, dtype=getattr(torch, d))
    for default in ("float32", "float64"):
        torch.set_default_dtype(getattr(torch, default))
        for (a, x), (b, y) in itertools.product(operands.items(), operands.items()):
            if isinstance(x, torch.Tensor) or isinstance(y, torch.Tensor):
                sum_dtype = torch.result_type(x, y)
                if short(sum_dtype) in DTYPES:
                    cases.append([default, a, b, short(sum_dtype)])
    torch.set_default_dtype(torch.float32)
    write("dtypes", cases)


SPECIAL = [0, -0.0, np.nan, np.inf, -np.inf, 1, -1, 0.5, 1e-4, 9999.5, 99999.0, 0.99995, 1e8, 1.0001e8, 1e-40]


def some_floats(rng: np.random.Generator, n: int) -> np.ndarray:
    kind = rng.integers(8)
    if kind == 0:
        return rng.integers(-20, 20, n).astype(float)
    if kind == 1:
        return rng.normal(size=n)
    if kind == 2:
        return rng.normal(size=n) * 10.0 ** rng.integers(-9, 12)
    if kind == 3:
        return rng.normal(size=n) * 10.0 ** rng.integers(-3, 3, n)
    if kind == 4:
        return rng.integers(0, 2, n) * rng.normal(size=n)
    if kind == 5:
        return np.round(rng.normal(size=n) * 10) * 10.0 ** rng.integers(-5, 8)
    return rng.choice(SPECIAL if kind == 6 else [0, -0.0, np.nan, np.inf, -np.inf], n)


def record_printing() -> None:
    rng = np.random.default_rng(0)
    choose = random.Random(0)
    kinds = ["float32"] * 8 + ["float64"] * 2 + DTYPES
    cases: list[Any] = []
    for _ in range(400):
        shape = tuple(choose.choice([1, 1, 2, 3, 5, 9]) for _ in range(choose.choice([0, 1, 1, 2, 2, 3, 4])))
        if np.prod(shape) > 45:
            shape = shape[-1:]
        if choose.random() < 0.08:
            shape = choose.choice([(0,), (0, 3), (2, 0), (0, 0)])
        name = choose.choice(kinds)
        n = int(np.prod(shape))
        with np.errstate(all="ignore"):
            if name.startswith("complex"):
                array = (some_floats(rng, n) + 1j * some_floats(rng, n)).astype(name)
            elif name == "bool":
                array = rng.integers(0, 2, n).astype(name)
            elif "int" in name:
                array = rng.integers(0 if name == "uint8" else -100, 100, n).astype(name)
            else:
                array = some_floats(rng, n).astype(name)
        case: dict[str, Any] = {"dtype": name, "shape": shape}
        if name.startswith("complex"):
            array_parts = array.view(f"f{array.itemsize // 2}")
            case["values"] = [shortest(value) for value in array_parts]
        else:
            case["values"] = [shortest(value) for value in array]
        record_repr(case, torch.from_numpy(array.reshape(shape)), choose)
        cases.append(case)
    # Long tensors: (i * step) % modulus / divisor, so that the table stays small.
    for shape in [(1001,), (40, 30), (7, 200), (11, 11, 11), (2, 3, 4, 50), (1, 1200), (1200, 1)]:
        for step, modulus, divisor in [(1, 5000, 1), (7, 900, 64), (1, 3, 1000)]:
            for name in ["float32", "int64"]:
                array = ramp(shape, step, modulus, divisor).astype(name)
                case = {"dtype": name, "shape": shape, "ramp": [step, modulus, divisor]}
                record_repr(case, torch.from_numpy(array), choose)
                cases.append(case)
    write("printing", cases)


def shortest(value: Any) -> Any:
    """The number with no more digits than its dtype needs."""
    return float(str(value)) if isinstance(value, np.floating) else value.item()


def ramp(shape: tuple[int, ...], step: int, modulus: int, divisor: int) -> np.ndarray:
    return (np.arange(int(np.prod(shape))) * step % modulus / divisor).reshape(shape)


def record_repr(case: dict[str, Any], t: torch.Tensor, choose: random.Random) -> None:
    options: dict[str, Any] = {}
    if choose.random() < 0.2:
        long = t.numel() > 100
        options = {
            "precision": choose.choice([None, 0, 1, 2, 6, 10]),
            "threshold": choose.choice([None, 0, 5, 10, 50]),
            "edgeitems": choose.choice([None, 0, 1, 2, 4]),
            "linewidth": choose.choice([None, 20, 40, 120]),
            "profile": choose.choice([None, None, "short", "default" if long else "full"]),
            "sci_mode": choose.choice([None, None, True, False]),
        }
        case["options"] = {name: value for name, value in options.items() if value is not None}
    if t.dtype.is_floating_point or t.dtype.is_complex:
        kind = choose.randrange(5)
        if kind == 0:
            t.requires_grad_()
            case["flags"] = {"requires_grad": True}
        elif kind == 1:
            t = torch.nn.Parameter(t)
            case["flags"] = {"requires_grad": True, "is_parameter": True}
        elif kind == 2:
            t = choose.choice([torch.clone, lambda t: t.unsqueeze(0).select(0, 0)])(t.requires_grad_())
            case["flags"] = {"requires_grad": True, "grad_fn_name": type(t.grad_fn).__name__}
    if choose.random() < 0.06:
        case["default"] = "float64"
    torch.set_printoptions(profile="default")
    torch.set_printoptions(**options)
    torch.set_default_dtype(getattr(torch, case.get("default", "float32")))
    case["repr"] = repr(t)
    torch.set_default_dtype(torch.float32)
    torch.set_printoptions(profile="default")


FLOATS = ["float32", "float64", "float16"]
SEEDS = [0, 1, 42, 2**63, -7]
SIZES = [0, 1, 2, 15, 16, 17, 40, 128, 1003]


def random_calls(n: int) -> list[tuple[str, str]]:
    calls = []
    for d in [*FLOATS, "complex64", "complex128"]:
        calls += [
            (f"torch.rand({n}, dtype=torch.{d})", f"g.uniform(({n},), dtype={d})"),
            (f"torch.randn({n}, dtype=torch.{d})", f"g.normal(({n},), dtype={d})"),
        ]
    for d in FLOATS:
        empty = f"torch.empty({n}, dtype=torch.{d})"
        column = f"torch.empty({n}, 2, dtype=torch.{d})[:, 0]"
        calls += [
            (f"{empty}.uniform_(-0.7, 1.3)", f"g.uniform(({n},), -0.7, 1.3, {d})"),
            (f"{empty}.normal_(0.3, 1.7)", f"g.normal(({n},), 0.3, 1.7, {d})"),
            (f"{column}.normal_(0.3, 1.7)", f"g.normal(({n},), 0.3, 1.7, {d}, contiguous={n <= 1})"),
            (f"{empty}.exponential_(1.7)", f"g.exponential(({n},), 1.7, {d})"),
            (f"{empty}.log_normal_(0.2, 0.7)", f"g.log_normal(({n},), 0.2, 0.7, {d})"),
            (f"{empty}.cauchy_(0.2, 0.7)", f"g.cauchy(({n},), 0.2, 0.7, {d})"),
            (f"torch.bernoulli(torch.full(({n},), 0.3, dtype=torch.{d}))", f"g.bernoulli(full(({n},), 0.3, {d}))"),
            (f"F.dropout(torch.ones({n}, dtype=torch.{d}), 0.1)", f"g.dropout_mask(({n},), 0.1, {d})"),
        ]
    for d in [*FLOATS, "int64", "int32", "uint8", "int8", "bool"]:
        empty = f"torch.empty({n}, dtype=torch.{d})"
        calls += [
            (f"{empty}.bernoulli_(0.3)", f"g.coins(({n},), 0.3, {d})"),
            (f"{empty}.random_()", f"g.full_range(({n},), {d})"),
        ]
        if d != "bool":
            calls.append((f"{empty}.geometric_(0.3)", f"g.geometric(({n},), 0.3, {d})"))
    for low, high in [(0, 10), (-5, 100), (0, 2**28 - 1), (0, 2**28), (-7, 2**40), (-(2**63), 2**63 - 1)]:
        calls.append((f"torch.randint({low}, {high}, ({n},))", f"g.integers({low}, {high}, ({n},))"))
    calls += [
        (f"torch.randint(-7, 2**40, ({n},), dtype=torch.float32)", f"g.integers(-7, 2**40, ({n},), float32)"),
        (f"torch.randperm({n})", f"g.permutation({n})"),
    ]
    if n > 1:
        weights = f"torch.arange({n}.0) % 7 + 0.25"
        ours = f"(arange({n}.0) % 7 + 0.25).astype(float32)"
        calls += [
            (f"torch.multinomial({weights}, {n // 2})", f"g.multinomial({ours}, {n // 2})"),
            (f"torch.multinomial({weights}, {n}, True)", f"g.multinomial({ours}, {n}, True)"),
            (f"torch.multinomial(({weights}).repeat(3, 1), 2, True)", f"g.multinomial(tile({ours}, (3, 1)), 2, True)"),
        ]
    return calls


def record_random() -> None:
    scope = {"torch": torch, "F": torch.nn.functional}
    cases = []
    for n in SIZES:
        for theirs, ours in random_calls(n):
            # One digest for all seeds; after each draw one more shows that the stream stands at the same place.
            digest = hashlib.md5()
            for seed in SEEDS:
                torch.manual_seed(seed)
                values = eval(theirs, scope)
                for array in (values, torch.rand(1), torch.randn(1)):
                    digest.update(np.ascontiguousarray(array.numpy()).tobytes())
            cases.append([ours, digest.hexdigest()])
    generator = torch.Generator()
    for seed in SEEDS:
        generator.manual_seed(seed)
        states = [generator.get_state()]
        for count in (1, 615, 700):
            torch.rand(count, generator=generator)
            torch.randn(3, generator=generator)
            states.append(generator.get_state())
        cases.append([seed, [hashlib.md5(state.numpy().tobytes()).hexdigest() for state in states]])
    write("random", cases)


def record_errors() -> None:
    cases = []
    for line in (DATA / "errors.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        kind, program = line.split(" <- ", 1)
        program = program.replace("\\n", "\n")
        scope: dict[str, Any] = {"__name__": "__main__"}
        exec(PRELUDE, scope)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                exec(program, scope)
                failure = None
            except Exception as error:
                failure = error
        if kind == "warning":
            assert caught, program
            category, text = caught[-1].category.__name__, str(caught[-1].message)
        else:
            assert failure is not None, program
            category, text = type(failure).__name__, failure.args[0]
        cases.append([program, kind, category, re.sub(r" \(Triggered internally at .*\)$", "", text)])
    torch.set_default_dtype(torch.float32)
    write("errors", cases)


def record_calls() -> None:
    cases = []
    for right in wrong_calls.right_calls():
        assert answer(right) is None, right
        refused = [(call, answer(call)) for call in wrong_calls.some_wrong_calls(right)]
        cases += [[call, *found] for call, found in refused if found is not None][: wrong_calls.EACH]
    write("calls", cases)


def answer(call: str) -> tuple[str, str] | None:
    """The type and text of the error that a call raises, if it does."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    exec(wrong_calls.PRELUDE, scope)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            eval(call, scope)
        return None
    except Exception as error:
        return type(error).__name__, str(error)
    finally:
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)


if __name__ == "__main__":
    for table in sys.argv[1:] or ["dtypes", "printing", "random", "errors", "calls"]:
        globals()[f"record_{table}"]()
