"""Relatives of Adam: Adamax, NAdam, RAdam."""

from __future__ import annotations

from typing import Any

from engine.optim.differentiable import adamax_step, nadam_step, radam_step
from engine.optim.optimizer import Optimizer, by_ops, check, chosen


class Adamax(Optimizer):
    """Adam with the largest gradient so far (decaying) in place of the root mean square."""

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check(lr=lr, eps=eps, betas=betas, weight_decay=weight_decay)
        names = "lr betas eps weight_decay foreach maximize differentiable capturable"
        super().__init__(params, chosen(locals(), names))

    _recorded = staticmethod(adamax_step)
    _update = by_ops


class NAdam(Optimizer):
    """Adam with Nesterov's momentum (Dozat, 2016)."""

    _captured = "params, mu_products and"

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check(lr=lr, eps=eps, betas=betas, weight_decay=weight_decay, momentum_decay=momentum_decay)
        names = (
            "lr betas eps weight_decay momentum_decay decoupled_weight_decay maximize foreach capturable differentiable"
        )
        super().__init__(params, chosen(locals(), names))

    _recorded = staticmethod(nadam_step)
    _update = by_ops


class RAdam(Optimizer):
    """Adam whose adaptive step is switched on when its variance is known well enough (Liu et al., 2020)."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check(lr=lr, eps=eps, betas=betas, weight_decay=weight_decay)
        names = "lr betas eps weight_decay maximize foreach capturable decoupled_weight_decay differentiable"
        super().__init__(params, chosen(locals(), names))

    _recorded = staticmethod(radam_step)
    _update = by_ops
