"""A JSON graph as a program: the same calls, so the same document.

{"tensors": {"a": {"data": 2.0, "requires_grad": true}},
 "ops": [{"op": "mul", "inputs": ["a", "a"], "output": "b", "arguments": {}}],
 "backward": [{"tensor": "b", "gradient": null, "retain_graph": false}]}
"""

from __future__ import annotations

import keyword
import math
import re
from typing import Any

from engine import catalogue
from engine.types import dtypes

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}\Z")
_NOT_FINITE = ("NaN", "Infinity", "-Infinity")
_RESERVED = {"torch", "F", "float"}
"""What the program of a graph calls by these names itself."""


class GraphError(ValueError):
    """A graph that cannot be run. `pointer` is the JSON pointer of the place, `detail` says what to do."""

    def __init__(self, pointer: str, detail: str) -> None:
        super().__init__(f"{pointer}: {detail}")
        self.pointer, self.detail = pointer, detail


def program(graph: Any) -> str:
    """The program of a graph. Raises GraphError."""
    _fields(graph, "", {"tensors", "ops", "backward"}, required={"tensors"})
    known: set[str] = set()
    lines = ["import torch", "import torch.nn.functional as F", ""]
    for name, spec in _mapping(graph["tensors"], "/tensors").items():
        lines.append(_tensor(name, spec, f"/tensors/{_step(name)}", known))
    for index, spec in enumerate(_list(graph.get("ops", []), "/ops")):
        lines.append(_op(spec, f"/ops/{index}", known))
    for index, spec in enumerate(_list(graph.get("backward", []), "/backward")):
        lines.append(_backward(spec, f"/backward/{index}", known))
    return "\n".join(lines) + "\n"


def _step(key: str) -> str:
    """A key in a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def _fields(value: Any, pointer: str, allowed: set[str], required: set[str]) -> None:
    if not isinstance(value, dict):
        raise GraphError(pointer or "/", "expected an object")
    for key in value:
        if key not in allowed:
            raise GraphError(f"{pointer}/{_step(key)}", f"unknown field; known ones are {', '.join(sorted(allowed))}")
    for key in sorted(required):
        if key not in value:
            raise GraphError(f"{pointer}/{key}", "this field is missing")


def _mapping(value: Any, pointer: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise GraphError(pointer, "expected an object that maps names to tensors")
    return value


def _list(value: Any, pointer: str) -> list[Any]:
    if not isinstance(value, list):
        raise GraphError(pointer, "expected a list")
    return value


def _new_name(name: Any, pointer: str, known: set[str]) -> str:
    if not isinstance(name, str) or not _NAME.match(name) or keyword.iskeyword(name) or name in _RESERVED:
        raise GraphError(
            pointer,
            f"{name!r} cannot name a tensor: use up to 64 letters (a to z), digits and underscores, as for a variable, "
            f"and no word of Python, nor {', '.join(sorted(_RESERVED))}",
        )
    if name in known:
        raise GraphError(pointer, f"the name {name!r} is used twice")
    return name


def _known(name: Any, pointer: str, known: set[str]) -> str:
    if not isinstance(name, str) or name not in known:
        raise GraphError(pointer, f"there is no tensor {name!r} at this point; name one from tensors or an earlier op")
    return name


def _tensor(name: str, spec: Any, pointer: str, known: set[str]) -> str:
    _fields(spec, pointer, {"data", "requires_grad", "dtype"}, required={"data"})
    _new_name(name, pointer, known)
    text = f"torch.tensor({_data(spec['data'], pointer + '/data')}"
    dtype = spec.get("dtype")
    if dtype is not None:
        if not isinstance(dtype, str) or dtype not in dtypes.NAMES:
            raise GraphError(f"{pointer}/dtype", f"unknown dtype; use one of {', '.join(sorted(dtypes.NAMES))}")
        text += f", dtype=torch.{dtype}"
    requires_grad = spec.get("requires_grad", False)
    if not isinstance(requires_grad, bool):
        raise GraphError(f"{pointer}/requires_grad", "expected true or false")
    if requires_grad:
        text += ", requires_grad=True"
    known.add(name)
    return f"{name} = {text})"


def _data(value: Any, pointer: str, depth: int = 0) -> str:
    if isinstance(value, bool):
        return repr(value)
    if isinstance(value, int | float):
        if isinstance(value, float) and not math.isfinite(value):
            return f'float("{value}")'
        return repr(value)
    if isinstance(value, str) and value in _NOT_FINITE:
        return f'float("{value.replace("Infinity", "inf").lower()}")'
    if isinstance(value, list):
        if depth > 16:
            raise GraphError(pointer, "data is nested too deeply")
        return "[" + ", ".join(_data(v, f"{pointer}/{i}", depth + 1) for i, v in enumerate(value)) + "]"
    raise GraphError(pointer, 'expected a number, true, false, "NaN", "Infinity", "-Infinity", or nested lists of them')


def _op(spec: Any, pointer: str, known: set[str]) -> str:
    _fields(spec, pointer, {"op", "inputs", "output", "outputs", "arguments"}, required={"op", "inputs"})
    call = _callable(spec["op"], f"{pointer}/op")
    inputs = [
        _operand(v, f"{pointer}/inputs/{i}", known) for i, v in enumerate(_list(spec["inputs"], pointer + "/inputs"))
    ]
    arguments = spec.get("arguments", {})
    if not isinstance(arguments, dict):
        raise GraphError(f"{pointer}/arguments", "expected an object")
    for key, value in arguments.items():
        if not _NAME.match(key) or keyword.iskeyword(key):
            raise GraphError(f"{pointer}/arguments/{_step(key)}", "not a parameter name")
        inputs.append(f"{key}={_argument(value, f'{pointer}/arguments/{key}', known)}")
    if (spec.get("output") is None) == (spec.get("outputs") is None):
        raise GraphError(pointer, "give either output (one name) or outputs (a list of names)")
    if spec.get("output") is not None:
        target = _new_name(spec["output"], f"{pointer}/output", known)
        known.add(target)
    else:
        names = _list(spec["outputs"], pointer + "/outputs")
        if not names:
            raise GraphError(f"{pointer}/outputs", "name at least one output")
        for index, name in enumerate(names):
            known.add(_new_name(name, f"{pointer}/outputs/{index}", known))
        target = ", ".join(names) + ("," if len(names) == 1 else "")
    return f"{target} = {call}({', '.join(inputs)})"


def _operand(value: Any, pointer: str, known: set[str]) -> str:
    """An input: the name of a tensor, a list of names (cat, stack), a number, or the equation of einsum."""
    if isinstance(value, str):
        return repr(value) if "," in value or "->" in value else _known(value, pointer, known)
    if isinstance(value, list):
        return "[" + ", ".join(_operand(v, f"{pointer}/{i}", known) for i, v in enumerate(value)) + "]"
    return _argument(value, pointer, known)


def _argument(value: Any, pointer: str, known: set[str], depth: int = 0) -> str:
    if value is None or isinstance(value, bool | int | float):
        return _data(value, pointer) if value is not None else "None"
    if isinstance(value, str):
        if value in known:
            return value
        if value.removeprefix("torch.") in dtypes.NAMES:
            return f"torch.{value.removeprefix('torch.')}"
        return repr(value)
    if isinstance(value, list) and depth < 16:
        return "[" + ", ".join(_argument(v, f"{pointer}/{i}", known, depth + 1) for i, v in enumerate(value)) + "]"
    raise GraphError(pointer, "expected a number, a string, true, false, null, or a list of them")


def _callable(name: Any, pointer: str) -> str:
    called = catalogue.call(name) if isinstance(name, str) else None
    if called is None:
        raise GraphError(
            pointer,
            f"there is no op {name!r} to call; GET /v1/ops lists them, and where each is `available_as`",
        )
    return called


def _backward(spec: Any, pointer: str, known: set[str]) -> str:
    allowed = {"tensor", "gradient", "retain_graph", "create_graph", "inputs"}
    _fields(spec, pointer, allowed, required={"tensor"})
    name = _known(spec["tensor"], f"{pointer}/tensor", known)
    arguments = []
    gradient = spec.get("gradient")
    if gradient is not None:
        arguments.append(
            _known(gradient, f"{pointer}/gradient", known)
            if isinstance(gradient, str) and (gradient in known or gradient not in _NOT_FINITE)
            else f"gradient=torch.tensor({_data(gradient, pointer + '/gradient')}, dtype={name}.dtype)"
        )
    for key in ("retain_graph", "create_graph"):
        flag = spec.get(key)
        if flag is not None:
            if not isinstance(flag, bool):
                raise GraphError(f"{pointer}/{key}", "expected true or false")
            arguments.append(f"{key}={flag}")
    if spec.get("inputs") is not None:
        names = [
            _known(v, f"{pointer}/inputs/{i}", known) for i, v in enumerate(_list(spec["inputs"], pointer + "/inputs"))
        ]
        arguments.append(f"inputs=[{', '.join(names)}]")
    return f"{name}.backward({', '.join(arguments)})"
