"""`functorch`, which is `torch.func` under its first name."""

from __future__ import annotations

import warnings
from typing import Any

from engine.program.bridge import torch_module
from engine.program.calls import call
from engine.program.values import Builtin

_FUNC: Any = torch_module("torch.func")
_DEPRECATED = (
    "We've integrated functorch into PyTorch. As the final step of the integration, `functorch.{}` is deprecated as of"
    " PyTorch 2.0 and will be deleted in a future version of PyTorch >= 2.3. Please use `{}` instead; see the PyTorch"
    " 2.0 release notes and/or the `torch.func` migration guide for more details"
    " https://pytorch.org/docs/main/func.migrating.html"
)


def _function(name: str) -> Builtin:
    now = _FUNC.find(name)
    warning = _DEPRECATED.format(name, "torch.vmap" if name == "vmap" else f"torch.func.{name}")

    def run(*args: Any, **kwargs: Any) -> Any:
        warnings.warn(warning, FutureWarning, stacklevel=2)
        return call(now, args, kwargs)

    return Builtin(name, run)


MODULES: dict[str, dict[str, Any]] = {
    "functorch": {
        name: _function(name) for name in "functionalize grad grad_and_value hessian jacfwd jacrev jvp vjp vmap".split()
    }
}
