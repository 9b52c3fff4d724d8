"""Optimizers that scale each element by the history of its gradient: RMSprop, Adagrad, Adadelta, Rprop, ASGD."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.core.tensor import constant
from engine.optim.differentiable import adadelta_step, adagrad_step, asgd_step, rmsprop_step, rprop_step
from engine.optim.optimizer import (
    Group,
    Optimizer,
    add_square,
    begin,
    by_ops,
    check,
    chosen,
    next_step,
    number,
    penalised,
    subtract,
    towards,
    zeros_like,
)
from engine.types.coo import Coo


def value(state: dict[str, Any], name: str) -> Any:
    """An entry of the state as an array to change in place."""
    array = state[name]._array = np.asarray(state[name]._array)
    return array


class RMSprop(Optimizer):
    """Divides the gradient by the root of a running mean of its square (Hinton, lecture 6e)."""

    _late = {"momentum": 0}

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check(lr=lr, eps=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        names = "lr momentum alpha eps centered weight_decay capturable foreach maximize differentiable"
        super().__init__(params, chosen(locals(), names))

    _recorded = staticmethod(rmsprop_step)

    def _update(self, parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
        if not state:
            begin(state, parameter, "square_avg")
            if group["momentum"] > 0:
                state["momentum_buffer"] = zeros_like(parameter)
            if group["centered"]:
                state["grad_avg"] = zeros_like(parameter)
        next_step(state)
        grad = penalised(parameter, grad, group)
        alpha, lr = group["alpha"], number(group["lr"])
        square = state["square_avg"]._array = add_square(state["square_avg"]._array * alpha, grad, 1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"]._array = towards(np.asarray(state["grad_avg"]._array), grad, 1 - alpha)
            square = add_square(square, mean, -1)
        root = np.sqrt(square) + group["eps"]
        if group["momentum"] > 0:
            buffer = value(state, "momentum_buffer")
            buffer *= group["momentum"]
            buffer += grad / root
            subtract(parameter, buffer, lr)
        else:
            parameter -= grad * lr / root


class Adagrad(Optimizer):
    """Divides the gradient by the root of the sum of all its squares so far (Duchi et al., 2011)."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        start = initial_accumulator_value
        check(lr=lr, lr_decay=lr_decay, weight_decay=weight_decay, initial_accumulator_value=start, eps=eps)
        names = "lr lr_decay eps weight_decay initial_accumulator_value foreach maximize differentiable fused"
        super().__init__(params, chosen(locals(), names))
        for group in self.param_groups:
            for parameter in group["params"]:
                self.state[parameter] = {
                    "step": constant(np.float32(0)),
                    "sum": constant(np.full_like(parameter._array, start)),
                }

    def share_memory(self) -> None:
        """Does nothing: one process runs the program."""

    _recorded = staticmethod(adagrad_step)

    def _update(self, parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
        step = next_step(state)
        grad = penalised(parameter, grad, group)
        total = state["sum"]._array = add_square(np.asarray(state["sum"]._array), grad, 1)
        lr = number(group["lr"]) / (1 + (step - 1) * group["lr_decay"])
        parameter -= grad * lr / (np.sqrt(total) + group["eps"])

    def _update_sparse(self, parameter: Any, grad: Coo, group: Group, state: dict[str, Any]) -> None:
        step = next_step(state)
        if group["weight_decay"] != 0:
            raise errors.sparse_weight_decay()
        grad = (-grad if group["maximize"] else grad).coalesce()
        errors.warn_sparse_invariants()  # as for the sparse tensors that PyTorch makes here
        total = state["sum"]._array = np.asarray(state["sum"]._array)
        (grad * grad).added_to(total)
        lr = number(group["lr"]) / (1 + (step - 1) * group["lr_decay"])
        grad.like(grad.values / (np.sqrt(grad.at(total)) + group["eps"]) * -lr).added_to(parameter)


class Adadelta(Optimizer):
    """Takes the step length from a running mean of earlier steps (Zeiler, 2012)."""

    _capturing = ("cuda", "xpu", "hpu", "privateuseone")

    def __init__(
        self,
        params: Any,
        lr: Any = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check(lr=lr)
        if not 0.0 <= rho <= 1.0:
            raise errors.optimizer_value("rho value", rho)
        check(eps=eps, weight_decay=weight_decay)
        super().__init__(params, chosen(locals(), "lr rho eps weight_decay maximize capturable foreach differentiable"))

    _recorded = staticmethod(adadelta_step)
    _update = by_ops


class Rprop(Optimizer):
    """Only the sign of the gradient counts; step sizes grow while it stays and shrink when it turns (Riedmiller)."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check(lr=lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise errors.optimizer_value("eta values", f"{etas[0]}, {etas[1]}")
        super().__init__(params, chosen(locals(), "lr etas step_sizes foreach maximize differentiable capturable"))

    _recorded = staticmethod(rprop_step)

    def _update(self, parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
        if not state:
            begin(state, parameter, "prev")
            state["step_size"] = constant(np.full_like(parameter, number(group["lr"])))
        next_step(state)
        if group["maximize"]:
            grad = -grad
        shrink, grow = group["etas"]
        turned = np.sign(grad * state["prev"]._array)
        factor = np.where(turned > 0, grow, np.where(turned < 0, shrink, 1)).astype(parameter.dtype)
        sizes = value(state, "step_size")
        np.clip(sizes * factor, *group["step_sizes"], out=sizes)
        grad = np.where(turned < 0, 0, grad).astype(parameter.dtype)
        parameter -= np.sign(grad) * sizes
        state["prev"]._array = grad


class ASGD(Optimizer):
    """Stochastic gradient descent that also averages the parameters (Polyak and Juditsky, 1992)."""

    _captured = "params, mus, etas, and"
    _writes = 2

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check(lr=lr, weight_decay=weight_decay)
        names = "lr lambd alpha t0 weight_decay foreach maximize differentiable capturable"
        super().__init__(params, chosen(locals(), names))

    _recorded = staticmethod(asgd_step)
    _update = by_ops
