"""Record which public names of the engine's modules and classes PyTorch has, too.

    .venv/bin/python -m tests.record.surface | <python with torch 2.13> -m tests.record.surface --torch

The first half lists what the engine defines, the second keeps of that what PyTorch has and writes
`engine/program/surface.txt`, the names, and `engine/torch/modules.txt`, the modules. Names that only the engine has are
printed.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import re
import sys
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

ENGINE = Path(__file__).parent.parent.parent / "engine"
NAMES = ENGINE / "program" / "surface.txt"
MODULES = ENGINE / "torch" / "modules.txt"


def ours() -> dict[str, Any]:
    """Modules as {path: names}, classes as {key: {name, paths, names, bases}}."""
    engine_torch = importlib.import_module("engine.torch")

    from engine.autograd.function import BackwardCFunction
    from engine.core.node import AccumulateGrad, Node
    from engine.program.surface import key_of
    from engine.torch import standing

    found = standing.offered()
    engine_torch.stand_in()  # classes say from here on where PyTorch has them
    modules = {path: sorted(public(module)) for path, module in found.items()}
    classes = {
        value: [
            f"{path}.{name}" for path, names in modules.items() for name in names if vars(found[path])[name] is value
        ]
        for value in engine_classes()
        if not issubclass(value, Node) or value in (Node, AccumulateGrad, BackwardCFunction)
    }
    return {
        "modules": modules,
        "classes": {
            key_of(cls): {
                "name": cls.__name__,
                "paths": [path for path in paths if path.endswith("." + cls.__name__)],
                "names": sorted(set().union(*map(own_names, ancestors(cls)))),
                "bases": [key_of(base) for base in ancestors(cls)[1:]],
            }
            for cls, paths in classes.items()
        },
    }


def public(module: ModuleType) -> set[str]:
    """The names that a module offers: its `__all__`, or what it defines itself, and its modules."""
    contents = vars(module)
    listed = contents.get("__all__")
    return {
        name
        for name, value in contents.items()
        if not name.startswith("_")
        and (isinstance(value, ModuleType) or listed is None and defines(module, value) or name in (listed or ()))
    }


def defines(module: ModuleType, value: Any) -> bool:
    """Whether a value among a module's is its own, and not something it imports for its work."""
    if isinstance(value, FunctionType | type):
        return value.__module__ == module.__name__ or value.__module__.startswith("torch")
    return type(value) in (bool, int, float, str)


def ancestors(cls: type) -> list[type]:
    """A class and its bases, as far as they are the engine's."""
    return [base for base in cls.__mro__ if is_engine_class(base)]


def is_engine_class(cls: type) -> bool:
    return isinstance(cls.__module__, str) and cls.__module__.partition(".")[0] in ("engine", "torch")


def engine_classes() -> list[type]:
    """All classes of the engine there are."""
    found: dict[type, None] = {}
    todo: list[type] = [object]
    while todo:
        new = [cls for cls in type.__subclasses__(todo.pop()) if cls not in found and cls is not type]
        found.update(dict.fromkeys(new))
        todo += new
    return [cls for cls in found if is_engine_class(cls)]


def own_names(cls: type) -> set[str]:
    """Public names that a class of the engine defines, and that its methods store in `self`."""
    names = {*vars(cls), *vars(cls).get("__annotations__", {}), *stored(cls, "self")}
    return {name for name in names if not name.startswith("_")}


def stored(cls: type, owner: str) -> set[str]:
    """Names that the text of a class stores in its objects."""
    text = "".join(map(source, vars(cls).values()))
    target = rf"\b{owner}\.([a-zA-Z]\w*)"
    assigned = re.findall(rf"{target}(?:\s*:[^=\n]+)?\s*=(?!=)", text) + re.findall(rf"{target}, (?=.*=)", text)
    return {*assigned, *re.findall(r"register_(?:parameter|buffer)\(\s*[\"'](\w+)[\"']", text)}


def source(member: Any) -> str:
    """The text of a function of a class; classes themselves say that they stand elsewhere."""
    if isinstance(member, property):
        return source(member.fget) + source(member.fset)
    member = inspect.unwrap(getattr(member, "__func__", member))
    written = isinstance(member, FunctionType) and member.__code__.co_filename[0] != "<"
    return inspect.getsource(member) if written else ""


ELSEWHERE = {
    "engine.nn.utils.rnn._Fields": "torch.nn.utils.rnn.PackedSequence",
    "engine.nn.loading._IncompatibleKeys": "torch.nn.modules.module._IncompatibleKeys",
}
"""Classes that have another name in PyTorch."""


def resolve(path: str) -> Any:
    """The module, class or value of a dotted path, or None."""
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:cut]))
        except Exception:
            continue
        for part in parts[cut:]:
            found = getattr(found, part, None)
        return found
    return None


def is_module(path: str) -> bool:
    """Whether PyTorch has a module of this path, and not only another name for one."""
    try:
        return path in sys.modules or importlib.util.find_spec(path) is not None
    except ModuleNotFoundError:
        return False


def counterpart(key: str, about: dict[str, Any]) -> Any:
    """PyTorch's class for one of ours: by its place, or else the only one of its name."""
    candidates = [ELSEWHERE.get(key, ""), key, *about["paths"]]
    for found in map(resolve, filter(lambda path: path.startswith("torch"), candidates)):
        if found is not None:
            return found
    named = {getattr(module, about["name"], None) for space, module in list(sys.modules.items()) if module is not None
             and space.startswith("torch") and isinstance(getattr(module, about["name"], None), type)}  # fmt: skip
    return named.pop() if len(named) == 1 else None


def nodes() -> dict[str, type]:
    """Classes of nodes, which are found only in graphs."""
    import torch

    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

    x = torch.ones(1, requires_grad=True)
    plain = (x * 2).grad_fn
    return {
        "engine.core.node.Node": type(plain),
        "engine.core.node.AccumulateGrad": type(plain.next_functions[0][0]),
        "engine.autograd.function.BackwardCFunction": type(Same.apply(x).grad_fn),
    }


def names_of(cls: Any) -> set[str]:
    """All names that a class of PyTorch and its objects have."""
    names = set(dir(cls))
    for base in getattr(cls, "__mro__", ()):
        names |= set(getattr(base, "__annotations__", {})) | stored(base, r"\w+")
    return names


def common(described: dict[str, Any]) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """What PyTorch has of the engine's names, and what it lacks."""
    have: dict[str, set[str]] = {}
    lack: dict[str, set[str]] = {}
    found_nodes = nodes()
    for path, names in described["modules"].items():
        found = resolve(path)
        present = (name for name in names if hasattr(found, name) or resolve(f"{path}.{name}") is not None)
        have[path] = set() if found is None else set(present)
        lack[path] = set(names) - have[path]
    for key, about in described["classes"].items():
        found = found_nodes.get(key) or counterpart(key, about)
        known = set() if found is None else names_of(found)
        have[key] = set(about["names"]) & known
        lack[key] = set(about["names"]) - known
    short = {
        key: names - set().union(*(have[base] for base in described["classes"].get(key, {"bases": []})["bases"]))
        for key, names in have.items()
    }
    return short, lack


def main() -> None:
    if "--torch" not in sys.argv:
        json.dump(ours(), sys.stdout)
        return
    described = json.load(sys.stdin)
    described["modules"] = {path: names for path, names in described["modules"].items() if is_module(path)}
    have, lack = common(described)
    lines = [f"{key}: {' '.join(sorted(names))}" for key, names in sorted(have.items()) if names]
    NAMES.write_text("\n".join(lines) + "\n")
    MODULES.write_text("\n".join(sorted(described["modules"])) + "\n")
    for key, names in sorted(lack.items()):
        if names:
            print(f"only here: {key}: {' '.join(sorted(names))}")


if __name__ == "__main__":
    main()
