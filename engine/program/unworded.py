"""Errors that Python or numpy worded about the engine's own code, and what a program gets instead.

An error is somebody's words when a `raise` statement made it. One that came out of an operation of ours (`a.shape` of
what is no tensor, a call with an argument too many, numpy's refusal) tells how the engine is written, not what the
program did. Where PyTorch is written in Python as well, its words are Python's, and such errors stay as they are.
"""

from __future__ import annotations

import dis
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from engine import errors
from engine.core.tensor import Tensor
from engine.program import session as sessions

_ENGINE = str(Path(__file__).parent.parent) + "/"
_PROGRAM = _ENGINE + "program/"
_PYTHON = tuple(
    _ENGINE + room
    for room in (
        "nn/ optim/ torch/ core/hooks.py core/graph_task.py core/call_hooks.py"
        " core/validate_outputs.py core/accumulate_grad.py autograd/api.py kernels/random.py"
        " autograd/function.py core/tensor.py core/grad_mode.py composites/masked.py"
        " composites/packed.py composites/lowrank.py composites/einsum.py composites/grid.py"
        " composites/resize.py types/printing.py"
    ).split()
)
"""Rooms whose counterparts in PyTorch are written in Python, or call functions of the program."""
_COMPOSITES = _ENGINE + "composites/"
_KEPT = "_in_words_of_pytorch"
_RAISE = frozenset({dis.opmap["RAISE_VARARGS"], dis.opmap["RERAISE"]})
_PRIVATE = "|".join(sorted(name for name in Tensor.__slots__ if name.startswith("_")))
_OURS = re.compile(
    rf"'(?:{_PRIVATE})'|'numpy.ndarray' and 'Tensor'|'Tensor' and 'numpy.ndarray'"
    r"|<locals>|\bg?ufunc|operands could not be broadcast|arrays? (?:is|are|with a|dimension|to stack)"
    r"|negative dimensions are|Maximum allowed|object too deep|scalar arrays|requested array|an array of size|for axis"
)
"""What only the engine's own code has, and numpy's words for what PyTorch does without numpy."""
_C_NAMES = {name: f"torch.{name}" for name in ("dtype", "layout", "memory_format", "device", "Size", "finfo", "iinfo")}
_C_NAMES |= {"Generator": "torch._C.Generator", "_TensorMeta": "torch._C._TensorMeta", "tensortype": "torch.tensortype"}
_WRITTEN_IN_C = re.compile(
    rf"(?<=')(?:{'|'.join(_C_NAMES)})(?=' (?:object|and)|' has no len)"
    rf"|(?:(?<=and ')|(?<=not '))(?:{'|'.join(_C_NAMES)})(?='$)"
)
"""Types that PyTorch has written in C, which Python calls by their full names."""
_TYPES: dict[type[Exception], type[Exception]] = {
    TypeError: TypeError, AttributeError: TypeError, IndexError: IndexError, ValueError: RuntimeError,
    OverflowError: RuntimeError, ZeroDivisionError: RuntimeError, AssertionError: RuntimeError,
    KeyError: RuntimeError, LookupError: RuntimeError, UnboundLocalError: RuntimeError, NameError: RuntimeError,
    ArithmeticError: RuntimeError, FloatingPointError: RuntimeError, UnicodeError: RuntimeError,
}  # fmt: skip
"""What Python raises, and what PyTorch raises in its place: TypeError before a kernel runs, RuntimeError in it."""


def worded_by_python(error: BaseException) -> bool:
    """Whether an error is in Python's or numpy's words and PyTorch's cannot be the same."""
    code = _speechless(error)
    if code is None:
        return False
    file = code.co_filename
    if file.startswith(_PROGRAM):
        return _of_a_call(error) is not None
    if str(error).startswith("The truth value of a"):  # of an array that the program gave
        return False
    if file.startswith(_COMPOSITES) and error.__dict__.get(_KEPT):
        return _OURS.search(str(error)) is not None
    return not file.startswith(_PYTHON) or _OURS.search(str(error)) is not None


def keep(error: BaseException) -> None:
    """The function that raised this is written in Python in PyTorch, too: its words are Python's there."""
    error.__dict__[_KEPT] = True


def out_of_the_engine(error: BaseException) -> bool:
    """Whether an error is in Python's words at all, about the engine's code or what it was given."""
    code = _speechless(error)
    return code is not None and not code.co_filename.startswith(_PROGRAM)


def _speechless(error: BaseException) -> CodeType | None:
    """The code of the engine or of numpy that an error came out of without a `raise`."""
    trace = error.__traceback__
    if trace is None or not isinstance(error, tuple(_TYPES)):
        return None
    asker: CodeType | None = None  # of the engine's code that is no container's, the last but one
    caller: CodeType | None = None  # and the last
    while True:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith(_ENGINE) and not code.co_filename.endswith("/sizes.py"):
            asker, caller = caller, code
        if trace.tb_next is None:
            break
        trace = trace.tb_next
    if code.co_filename.startswith(_ENGINE):
        raised = code.co_code[trace.tb_lasti] in _RAISE
        private = code.co_name == "__getattr__" and _OURS.search(str(error)) is not None
        if private:  # what has no such attribute may word that; it is its own business who asks
            return asker
        return None if raised else caller
    return caller if "/numpy/" in code.co_filename else None


_CALL = re.compile(r"(_\w+|[\w.<>]*(?:<locals>|<lambda>)[\w.<>]*)(\(\) (?:takes|got|missing) .*)", re.DOTALL)


def _of_a_call(error: BaseException) -> re.Match[str] | None:
    """What Python says to a call of a function that does not go by its public name."""
    if not isinstance(error, TypeError):
        return None
    return _CALL.fullmatch(str(error))


def in_our_words(error: BaseException, name: str, args: Sequence[Any], kwargs: Mapping[str, Any] | None) -> Exception:
    """What a program gets instead of an error that `worded_by_python` found, raised by a call of `name`."""
    call = _of_a_call(error)
    if call is not None:
        return TypeError(f"{name or call[1].rpartition('.')[2].strip('_<>')}{call[2]}")
    kind = next((_TYPES[base] for base in type(error).__mro__ if base in _TYPES), RuntimeError)
    kinds = [errors.type_name(arg) for arg in args]
    kinds += [f"{key}={errors.type_name(value)}" for key, value in (kwargs or {}).items()]
    return errors.unsupported_arguments(kind, name, kinds)


def replaced(error: BaseException) -> BaseException:
    """The error itself, or what stands for it where no call said which function and arguments were meant."""
    if not worded_by_python(error):
        if len(error.args) == 1 and isinstance(error.args[0], str) and _speechless(error) is not None:
            error.args = (_WRITTEN_IN_C.sub(_full_name, error.args[0]),)
        return error
    frame = _first(error)
    if frame is None:
        return in_our_words(error, "", (), None)
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    given = [frame.f_locals[name] for name in names if name in frame.f_locals]
    return in_our_words(error, _public(code), given, None)


def _full_name(name: re.Match[str]) -> str:
    """PyTorch's name of a type, unless the program has one of that name."""
    of_program = any(kind.__name__ == name[0] and "__program__" in kind.__dict__ for kind in sessions.active.kinds)
    return name[0] if of_program else _C_NAMES[name[0]]


def _first(error: BaseException) -> FrameType | None:
    """The first frame of the engine's own that the program's call came to."""
    trace, found = error.__traceback__, None
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(_PROGRAM):
            found = None
        elif found is None and file.startswith(_ENGINE):
            found = trace.tb_frame
        trace = trace.tb_next
    return found


def _public(code: CodeType) -> str:
    """The name that a program knows the code by; empty if it has none."""
    *_, owner, name = ["", *code.co_qualname.split(".")]
    if name == "__init__":
        return owner
    dunder = name.startswith("__") and name.endswith("__")
    return name if dunder or not name.startswith("_") and not name.startswith("<") else ""
