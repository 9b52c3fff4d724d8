"""Stochastic gradient descent, with momentum (Sutskever et al., "On the importance of initialization and momentum")."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.core.tensor import Tensor, constant
from engine.optim.differentiable import sgd_step
from engine.optim.optimizer import Group, Optimizer, chosen, fused, number, penalised, subtract
from engine.types.coo import Coo


class SGD(Optimizer):
    """`p -= lr · v` with `v = momentum · v + (1 - dampening) · grad`; without momentum `p -= lr · grad`."""

    _late = {"nesterov": False, "fused": False}

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: Any = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise errors.optimizer_lr_tensor()
        for what, value in (("learning rate", lr), ("momentum value", momentum), ("weight_decay value", weight_decay)):
            if value < 0.0:
                raise errors.optimizer_value(what, value)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise errors.nesterov()
        names = "lr momentum dampening weight_decay nesterov maximize foreach differentiable fused"
        super().__init__(params, chosen(locals(), names))

    _recorded = staticmethod(sgd_step)

    def _keeps_state(self, group: Group) -> bool:
        return bool(group["momentum"] != 0)

    def _update(self, parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
        grad = penalised(parameter, grad, group)
        momentum = number(group["momentum"])
        if momentum != 0:
            buffer = state.get("momentum_buffer")
            if buffer is None:
                velocity = np.array(grad, copy=True)
                state["momentum_buffer"] = constant(velocity)
            else:
                velocity = buffer._array = np.asarray(buffer._array)
                velocity *= momentum
                dampening = number(group["dampening"])
                if dampening == 0:
                    velocity += grad
                else:
                    velocity[...] = fused(grad, 1 - dampening, velocity)
            grad = fused(velocity, momentum, grad) if group["nesterov"] else velocity
        subtract(parameter, grad, number(group["lr"]))

    def _update_sparse(self, parameter: Any, grad: Coo, group: Group, state: dict[str, Any]) -> None:
        if group["maximize"]:
            grad = -grad
        if number(group["weight_decay"]) != 0:
            raise errors.add_sparse_dense()
        momentum = number(group["momentum"])
        if momentum != 0:
            buffer = state.get("momentum_buffer")
            if buffer is None:
                state["momentum_buffer"] = constant(grad)
                velocity = grad
            else:
                dampening = number(group["dampening"])
                velocity = buffer._array = buffer._array * momentum + grad * (1 - dampening)
            grad = grad + velocity * momentum if group["nesterov"] else velocity
        (grad * -number(group["lr"])).added_to(parameter)
