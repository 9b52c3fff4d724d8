"""Adam and AdamW (Kingma and Ba, "Adam"; Loshchilov and Hutter, "Decoupled weight decay regularization")."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.core.tensor import Tensor
from engine.optim.differentiable import adam_step
from engine.optim.optimizer import (
    Group,
    Optimizer,
    add_square,
    begin,
    check,
    chosen,
    fused,
    next_step,
    number,
    towards,
    zeros_like,
)


class Adam(Optimizer):
    """Steps along a running mean of the gradient, divided by the root of a running mean of its square."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[Any, Any] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        if isinstance(lr, Tensor) and foreach and not capturable:
            raise errors.adam_lr_foreach()
        check(lr=lr, eps=eps, betas=betas, weight_decay=weight_decay)
        if not any(isinstance(betas[0], kind) and isinstance(betas[1], kind) for kind in (float, Tensor)):
            raise errors.adam_betas()
        for place, beta in enumerate(betas):
            if isinstance(beta, Tensor) and foreach and not capturable:
                raise errors.adam_betas_foreach(place)
        names = (
            "lr betas eps weight_decay amsgrad maximize foreach capturable differentiable fused decoupled_weight_decay"
        )
        super().__init__(params, chosen(locals(), names))

    _recorded = staticmethod(adam_step)

    def _update(self, parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> int:
        if not state:
            begin(state, parameter, "exp_avg", "exp_avg_sq")
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = zeros_like(parameter)
        step = next_step(state)
        lr, (beta1, beta2) = number(group["lr"]), map(number, group["betas"])
        if group["maximize"]:
            grad = -grad
        decay = group["weight_decay"]
        writes = 1
        if decay != 0:
            if group["decoupled_weight_decay"]:
                parameter *= 1 - lr * decay
                writes = 2
            else:
                grad = fused(parameter, decay, grad)
        mean = state["exp_avg"]._array = towards(np.asarray(state["exp_avg"]._array), grad, 1 - beta1)
        square = state["exp_avg_sq"]._array = add_square(state["exp_avg_sq"]._array * beta2, grad, 1 - beta2)
        largest = square
        if group["amsgrad"]:
            largest = state["max_exp_avg_sq"]._array = np.maximum(state["max_exp_avg_sq"]._array, square)
        root = np.sqrt(largest)
        root /= (1 - beta2**step) ** 0.5
        root += group["eps"]
        change = mean * (lr / (1 - beta1**step))
        change /= root
        parameter -= change
        return writes


class AdamW(Adam):
    """Adam whose weight decay shrinks the parameters directly instead of entering the gradient."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[Any, Any] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        names = "lr betas eps weight_decay amsgrad foreach maximize capturable differentiable fused"
        super().__init__(params, **chosen(locals(), names), decoupled_weight_decay=True)
