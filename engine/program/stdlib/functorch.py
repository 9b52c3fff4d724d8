"""`functorch`, which is `torch.func` under its first name."""

from __future__ import annotations

from typing import Any

from engine.torch import functorch

MODULES: dict[str, dict[str, Any]] = {
    "functorch": {
        name: getattr(functorch, name)
        for name in (
            "functionalize grad grad_and_value hessian jacfwd jacrev jvp vjp vmap make_functional"
            " make_functional_with_buffers combine_state_for_ensemble FunctionalModule FunctionalModuleWithBuffers"
        ).split()
    }
}
