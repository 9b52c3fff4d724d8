"""Generated functions are compiled at their first call, and nobody can tell."""

from __future__ import annotations

import inspect
import marshal
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from engine.codegen import deferred as deferred_module
from engine.codegen.deferred import compile_all, deferred

SOURCE = "def double(x, *, times=2):\n    return x * times"


def _unfinished() -> tuple[list[int], Any]:
    written: list[int] = []

    def write() -> tuple[str, dict[str, object]]:
        written.append(1)
        return SOURCE, {}

    return written, deferred("double", "x, *, times=2", "<double>", {}, write)


def test_a_function_is_written_once_and_stays_the_same_object() -> None:
    written, double = _unfinished()
    assert not written
    assert double(3) == 6 and double(3, times=3) == 9 and double(x=1) == 2
    assert len(written) == 1
    assert double.source == SOURCE
    assert double.__code__.co_names == ()  # nothing is left of what compiled it


def test_a_function_looks_the_same_before_and_after_its_first_call() -> None:
    def seen() -> tuple[object, ...]:
        code = double.__code__
        arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        return inspect.signature(double), double.__name__, double.__qualname__, code.co_filename, arguments

    _, double = _unfinished()
    before = seen()
    double(1)
    assert seen() == before
    assert before[1:] == ("double", "double", "<double>", ("x", "times"))


def test_a_wrong_call_is_refused_in_the_same_words_at_once() -> None:
    written, double = _unfinished()
    with pytest.raises(TypeError, match=r"^double\(\) missing 1 required positional argument: 'x'$"):
        double()
    assert not written


def test_compile_all_leaves_nothing_to_write() -> None:
    written, double = _unfinished()
    compile_all()
    assert len(written) == 1 and double.source == SOURCE
    assert double(2) == 4
    assert len(written) == 1


def test_code_that_a_process_has_compiled_is_there_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_all()
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(deferred_module, "KEPT", tmp_path / "folder" / "kept")
    _unfinished()
    compile_all()
    kept = deferred_module.KEPT.read_bytes()
    compiled: list[str] = []
    monkeypatch.setattr(
        deferred_module, "compile", lambda *what: compiled.append(what[0]) or compile(*what), raising=False
    )
    _, double = _unfinished()
    compile_all()
    assert double(3) == 6 and not compiled
    for damaged in (b"", kept[:40], zlib.compress(marshal.dumps([1]))):
        deferred_module.KEPT.write_bytes(damaged)
        _, double = _unfinished()
        compile_all()
        assert double(3) == 6 and compiled.pop() == SOURCE
        assert deferred_module.KEPT.read_bytes() == kept
    assert list(deferred_module.KEPT.parent.iterdir()) == [deferred_module.KEPT]
    deferred_module.KEPT.unlink()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    _unfinished()
    compile_all()
    assert not deferred_module.KEPT.exists()


def test_threads_may_make_the_first_call_at_once() -> None:
    for _ in range(20):
        written, double = _unfinished()
        together = Barrier(4, timeout=60)
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(lambda n: (together.wait(), double(n))[1], range(4))) == [0, 2, 4, 6]  # noqa: B023
        assert len(written) == 1


def _in_a_new_process(program: str) -> str:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def test_importing_the_engine_compiles_no_op() -> None:
    assert _in_a_new_process("""
import engine.torch
from engine.codegen.op import OPS
print(sum(hasattr(form, "source") for row in OPS.values() for form in (row.call, row.operator)), len(OPS) > 500)
""") == "0 True\n"  # fmt: skip


def test_a_worker_has_nothing_left_to_compile() -> None:
    assert _in_a_new_process("""
from app.workers.jobs import describe
describe()
from engine.codegen import deferred
print(len(deferred._pending))
""") == "0\n"  # fmt: skip


_FAILING = (
    "torch.nn.Sigmoid()([1.0])", "torch.nn.Softplus()(3)", "torch.nn.GLU(7)(torch.ones(2))",
    "torch.nn.Linear(2, 3)(torch.ones(4))", "torch.bmm(torch.ones(2), torch.ones(2))",
    "torch.ones(2, requires_grad=True).prod(dim=5)", "torch.mm(torch.ones(2, 2), 3)", "torch.ones(2).add()",
)  # fmt: skip


def test_a_first_call_fails_in_the_words_of_later_ones() -> None:
    tries = "".join([f"    try: {line}\n    except Exception as e: print(type(e).__name__, e)\n" for line in _FAILING])
    program = "import torch\nfor _ in range(2):\n" + tries
    run = f"import engine\nprint(engine.run(code={program!r}).document['stdout'])"
    fresh = _in_a_new_process(run)
    assert fresh.count("TypeError") >= 6
    whole = "import engine.torch\nfrom engine.codegen.deferred import compile_all\ncompile_all()\n"
    assert fresh == _in_a_new_process(whole + run)
