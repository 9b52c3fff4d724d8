"""Parts of `torch` that have no place here: they have their names, and say what they are when they are used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.torch.hardware import Namespace


def _refusing(name: str, why: str) -> Callable[..., Any]:
    def refused(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"{name}() cannot be used here: {why}")

    refused.__name__ = refused.__qualname__ = name.rpartition(".")[2]
    return refused


def _module(name: str, why: str, names: str, **others: Any) -> Namespace:
    return Namespace(name, **{each: _refusing(f"{name}.{each}", why) for each in names.split()}, **others)


_NETWORK = "programs have no network; build the model from torch.nn"
hub = _module(
    "torch.hub",
    _NETWORK,
    "download_url_to_file help list load load_state_dict_from_url",
    get_dir=lambda: "~/.cache/torch/hub",
    set_dir=lambda d: None,
)
onnx = _module("torch.onnx", "models are exported to no other program", "export dynamo_export", is_in_onnx_export=bool)
fx = _module("torch.fx", "functions are run, not rewritten", "symbolic_trace wrap replace_pattern")
