"""Parts of `torch` that have no place here: they have their names, and say what they are when they are used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.nn.module import Module
from engine.torch.hardware import Namespace


def _refusing(name: str, why: str) -> Callable[..., Any]:
    def refused(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"{name}() cannot be used here: {why}")

    refused.__name__ = refused.__qualname__ = name.rpartition(".")[2]
    return refused


def _module(name: str, why: str, names: str, **others: Any) -> Namespace:
    return Namespace(name, **{each: _refusing(f"{name}.{each}", why) for each in names.split()}, **others)


def _classes(name: str, why: str, names: str) -> dict[str, type]:
    """Classes that can be inherited from and asked for, and not made."""
    return {
        each: type(each, (), {"__init__": _refusing(f"{name}.{each}", why), "__module__": name})
        for each in names.split()
    }


def _itself(function: Any = None, *args: Any, **kwargs: Any) -> Any:
    """What is given, as a decorator that has nothing to note."""
    return function


_NETWORK = "programs have no network; build the model from torch.nn"
hub = _module(
    "torch.hub",
    _NETWORK,
    "download_url_to_file help list load load_state_dict_from_url",
    get_dir=lambda: "~/.cache/torch/hub",
    set_dir=lambda d: None,
    _get_torch_home=lambda: "~/.cache/torch",
)
model_zoo = _module("torch.utils.model_zoo", _NETWORK, "load_url tqdm")
_EXPORT = "models are exported to no other program"
onnx = _module("torch.onnx", _EXPORT, "export dynamo_export register_custom_op_symbolic", is_in_onnx_export=bool)
_RUN = "functions are run, not rewritten"
_GRAPHS = _classes("torch.fx", _RUN, "Graph GraphModule Interpreter Node Proxy Tracer")
_GRAPH_MODULE = {
    "GraphModule": _GRAPHS["GraphModule"],
    "_CodeOnlyModule": type("_CodeOnlyModule", (Module,), {}),
    "_USER_PRESERVED_ATTRIBUTES_KEY": "_user_preserved_attributes",
}
fx = _module(
    "torch.fx",
    _RUN,
    "symbolic_trace replace_pattern",
    wrap=_itself,
    graph_module=_module("torch.fx.graph_module", _RUN, "_copy_attr", **_GRAPH_MODULE),
    node=Namespace("torch.fx.node", Node=_GRAPHS["Node"], Target=Callable[..., Any] | str),
    proxy=Namespace("torch.fx.proxy", Proxy=_GRAPHS["Proxy"]),
    **_GRAPHS,
)
quantization = _module(
    "torch.ao.quantization",
    "there is one kind of tensor, which is not quantized",
    "convert fuse_modules get_default_qconfig get_default_qat_qconfig prepare prepare_qat quantize_dynamic",
    **{each: type(each, (Module,), {"forward": lambda self, x: x}) for each in ("QuantStub", "DeQuantStub")},
)
ao = Namespace("torch.ao", quantization=quantization)
jit_annotations = Namespace("torch.jit.annotations", **{f"BroadcastingList{n}": list for n in range(1, 7)})
dynamo_utils = Namespace("torch._dynamo.utils", is_compile_supported=lambda device_type: device_type == "cpu")
dynamo = Namespace("torch._dynamo", utils=dynamo_utils)
