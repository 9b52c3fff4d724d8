"""`torchvision.models` on the engine: compiled ops left out, random weights in place of trained ones."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from engine.core.state import state
from engine.nn.module import Module
from engine.torch import random

_REGISTRATIONS = "_autograd_registrations _meta_registrations ops._register_onnx_ops"


def leave_out_registrations() -> None:
    """Have torchvision find empty modules where it tells PyTorch about compiled code, which is not here."""
    for name in _REGISTRATIONS.split():
        module = sys.modules.setdefault(f"torchvision.{name}", ModuleType(name))
        vars(module)["_register_custom_op"] = lambda: None


def mend_ops() -> None:
    """Let `torch.ops` itself say which compiled ops are not here."""
    for name, module in list(sys.modules.items()):
        if name.startswith("torchvision.ops.") and "_assert_has_ops" in vars(module):
            vars(module)["_assert_has_ops"] = lambda: None


def _mend_weights(module: Any) -> None:
    module.WeightsEnum.get_state_dict = _random_weights


def _random_weights(self: Any, *args: Any, **kwargs: Any) -> Mapping[str, Any]:
    """What stands in for trained weights: those that a model begins with."""
    family = type(self).__name__.removesuffix("_Weights")
    state.notice(
        f"There are no trained weights here: {family} has random ones, and what it says of an image means nothing."
    )
    caller = sys._getframe(1)
    model = caller.f_locals.get("model")
    if caller.f_globals.get("__name__", "").startswith("torchvision.models.") and isinstance(model, Module):
        return model.state_dict()  # torchvision loads it into this very model
    from torchvision.models import _api  # noqa: PLC0415 - it is loaded

    builder = next(each for each in _api.BUILTIN_MODELS.values() if _api._get_enum_from_fn(each) is type(self))
    with _as_before():
        made: Mapping[str, Any] = builder(weights=None).state_dict()
    return made


@contextmanager
def _as_before() -> Iterator[None]:
    """Random numbers drawn in this block are not missing afterwards."""
    before = random.get_rng_state()
    random.manual_seed(0)
    try:
        yield
    finally:
        random.set_rng_state(before)


class Features(Module):
    """A model of which inner layers are returned, by name."""

    def __init__(self, model: Module, wanted: Mapping[str, str]) -> None:
        super().__init__()
        vars(self)["_whole"], vars(self)["_wanted"] = model, dict(wanted)
        for name, child in model.named_children():
            self.add_module(name, child)
        self.train(model.training)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        found: dict[str, Any] = {}

        def keep(name: str) -> Callable[..., None]:
            def hook(module: Any, given: Any, result: Any) -> None:
                found[name] = result

            return hook

        layers = dict(self._whole.named_modules())
        handles = [layers[name].register_forward_hook(keep(name)) for name in self._wanted if name in layers]
        try:
            self._whole(*args, **kwargs)
        finally:
            for handle in handles:
                handle.remove()
        return OrderedDict((shown, found[name]) for name, shown in self._wanted.items())


def create_feature_extractor(
    model: Any, return_nodes: Any = None, train_return_nodes: Any = None, eval_return_nodes: Any = None, **options: Any
) -> Features:
    """What computes some inner layers of a model, each the last whose name begins as asked."""
    asked = return_nodes or eval_return_nodes or train_return_nodes
    named = dict(asked) if isinstance(asked, Mapping) else {name: name for name in asked}
    layers = dict(model.named_modules())
    for name in named:
        if name not in layers:
            raise ValueError(
                f"node: '{name}' is not present in model. Hint: use `get_graph_node_names` to make sure the"
                " `return_nodes` you specified are present. It may even be that you need to specify"
                " `train_return_nodes` and `eval_return_nodes` separately."
            )
    return Features(model, named)


def get_graph_node_names(model: Any, *args: Any, **options: Any) -> tuple[Sequence[str], Sequence[str]]:
    """The names of the layers, for training and for evaluation."""
    names = [name for name, layer in model.named_modules() if name and not list(layer.children())]
    return names, list(names)


def _mend_features(module: Any) -> None:
    module.create_feature_extractor = create_feature_extractor
    module.get_graph_node_names = get_graph_node_names


MENDS: dict[str, Callable[[ModuleType], None]] = {
    "torchvision.models": lambda module: _mend_weights(sys.modules["torchvision.models._api"]),
    "torchvision.models.feature_extraction": _mend_features,
}
