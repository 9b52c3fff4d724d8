"""Optimizers that know a parameter to be a matrix: Adafactor, Muon; and the one for sparse gradients."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.core.tensor import Tensor, constant
from engine.limits import meter
from engine.optim.optimizer import (
    Group,
    Optimizer,
    check,
    chosen,
    fused,
    next_step,
    number,
    subtract,
    towards,
    zeros_like,
)
from engine.types.bfloat16 import limits_of
from engine.types.coo import Coo


def _norm(a: Any) -> float:
    """The 2-norm of all elements, in their precision."""
    return float(np.sqrt(np.square(a).sum(dtype=a.dtype)))


class Adafactor(Optimizer):
    """Keeps of the squared gradients of a matrix only means of rows and columns (Shazeer and Stern, 2018)."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise errors.optimizer_lr_tensor()
        for name, option, good, bound in (
            ("Learning rate", lr, lr >= 0, ">= 0"),
            ("beta2_decay", beta2_decay, beta2_decay <= 0, "<= 0"),
            ("epsilon1", eps[0], eps[0] is None or eps[0] >= 0, ">= 0"),
            ("epsilon2", eps[1], eps[1] >= 0, ">= 0"),
            ("Clipping threshold d", d, d >= 1, ">= 1"),
            ("weight_decay", weight_decay, weight_decay >= 0, ">= 0"),
        ):
            if not good:
                raise errors.optimizer_bound(name, bound, option)
        super().__init__(params, chosen(locals(), "lr beta2_decay eps d weight_decay foreach maximize"))

    def _update(self, parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> int:
        matrix = grad.ndim > 1
        if not state:
            state["step"] = constant(np.float32(0))
            if matrix:
                state["row_var"] = constant(np.zeros((*grad.shape[:-1], 1), grad.dtype))
                state["col_var"] = constant(np.zeros((*grad.shape[:-2], 1, grad.shape[-1]), grad.dtype))
            else:
                state["variance"] = constant(np.zeros_like(grad))
        step = next_step(state)
        lr, decay, (eps1, eps2) = number(group["lr"]), group["weight_decay"], group["eps"]
        if eps1 is None:
            eps1 = float(limits_of(parameter.dtype).eps)
        if group["maximize"]:
            grad = -grad
        weight = step ** group["beta2_decay"]
        scale = max(eps2, _norm(parameter) / parameter.size**0.5) * min(lr, 1 / step**0.5)
        writes = 1
        if decay != 0:
            parameter *= 1 - lr * decay
            writes = 2
        if matrix:
            estimate = self._factored(grad, state, weight, eps1)
        else:
            estimate = state["variance"]._array = towards(np.asarray(state["variance"]._array), grad * grad, weight)
        update = grad / np.sqrt(np.maximum(estimate, grad.dtype.type(eps1 * eps1)))
        subtract(parameter, update, scale / max(1.0, _norm(update) / (update.size**0.5 * group["d"])))
        return writes

    def _factored(self, grad: Any, state: dict[str, Any], weight: float, eps: float) -> Any:
        """The mean squares of a matrix, from those of its rows and of its columns."""
        square = grad * grad
        for name, axis in (("row_var", -1), ("col_var", -2)):
            norm = np.sqrt(square.sum(axis, keepdims=True, dtype=grad.dtype))
            mean = norm * norm / grad.shape[axis]  # PyTorch squares the norm again
            state[name]._array = towards(state[name]._array, mean, weight)
        rows, columns = state["row_var"]._array, state["col_var"]._array
        whole = np.maximum(rows.mean(-2, keepdims=True, dtype=grad.dtype), grad.dtype.type(eps))
        return rows @ columns / whole


def _bfloat16(a: Any) -> Any:
    """Numbers rounded to the 8 digits that bfloat16 has, in float32."""
    bits = np.ascontiguousarray(a, np.float32).view(np.uint32)
    return ((bits + (0x7FFF + ((bits >> 16) & 1))) & np.uint32(0xFFFF0000)).astype(np.uint32).view(np.float32)


class Muon(Optimizer):
    """Steps along the momentum with all singular values made about 1, by Newton and Schulz's iteration (Jordan, 2024).

    For matrices only. PyTorch iterates in bfloat16, and so do we.
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.775, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise errors.optimizer_lr_tensor()
        for name, option in (("Learning rate", lr), ("momentum", momentum), ("weight decay", weight_decay)):
            if not option >= 0:
                raise errors.optimizer_bound(name, ">= 0", option)
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise errors.muon_adjust(adjust_lr_fn)
        names = "lr weight_decay momentum nesterov ns_coefficients eps ns_steps adjust_lr_fn"
        super().__init__(params, chosen(locals(), names))
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.ndim != 2:
                    raise errors.muon_dimensions(parameter.size())

    def _update(self, parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> int:
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = constant(np.zeros_like(grad))
        momentum, lr = group["momentum"], number(group["lr"])
        buffer = state["momentum_buffer"]._array = towards(state["momentum_buffer"]._array, grad, 1 - momentum)
        update = towards(grad, buffer, momentum) if group["nesterov"] else buffer
        update = _orthogonalised(update, group["ns_coefficients"], group["ns_steps"], group["eps"])
        rows, columns = parameter.shape
        if group["adjust_lr_fn"] == "match_rms_adamw":
            ratio = 0.2 * math.sqrt(max(rows, columns))
        else:
            ratio = math.sqrt(max(1, rows / columns))
        parameter *= 1 - lr * group["weight_decay"]
        subtract(parameter, update.astype(parameter.dtype, copy=False), lr * ratio)
        return 2


def _orthogonalised(grad: Any, coefficients: Any, steps: int, eps: float) -> Any:
    if steps >= 100:
        raise errors.muon_steps()
    if len(coefficients) != 3:
        raise errors.muon_coefficients()
    a, b, c = coefficients
    tall = grad.shape[0] > grad.shape[1]
    x = _bfloat16(grad.T if tall else grad)
    x = _bfloat16(x / max(float(_bfloat16(np.array([_norm(x)]))[0]), eps))
    rows, columns = x.shape
    for _ in range(steps):
        meter.charge(4 + (rows * (rows + columns) >> 8))
        meter.product(rows, columns, rows, x.dtype)
        meter.product(rows, rows, rows + columns, x.dtype)
        gram = _bfloat16(x @ x.T)
        update = _bfloat16(fused(gram @ gram, float(c), gram * np.float32(b)))
        x = _bfloat16(update @ x + x * np.float32(a))
    return x.T if tall else x


class SparseAdam(Optimizer):
    """Adam for sparse gradients: what they do not name stays as it is. Dense ones are refused."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        check(lr=lr)
        for name, value in (("learning rate", lr), ("epsilon value", eps)):
            if not 0.0 < value:
                raise errors.optimizer_value(name, value)
        check(betas=betas)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})

    def _update(self, parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> int:
        raise errors.sparse_adam_dense()

    def _update_sparse(self, parameter: Any, grad: Coo, group: Group, state: dict[str, Any]) -> None:
        if not state:
            state.update(step=0, exp_avg=zeros_like(parameter), exp_avg_sq=zeros_like(parameter))
        state["step"] += 1
        step, (beta1, beta2) = state["step"], map(number, group["betas"])
        grad = (-grad if group["maximize"] else grad).coalesce()
        if not grad.count:
            return
        means = []
        for name, beta, values in (("exp_avg", beta1, grad.values), ("exp_avg_sq", beta2, grad.values**2)):
            mean = state[name]._array = np.asarray(state[name]._array)
            old = grad.at(mean)
            change = (values - old) * (1 - beta)
            grad.like(change).added_to(mean)
            means.append(change + old)
        numerator, square = means
        size = number(group["lr"]) * math.sqrt(1 - beta2**step) / (1 - beta1**step)
        grad.like(-size * (numerator / (np.sqrt(square) + group["eps"]))).added_to(parameter)
