"""`torch.optim.swa_utils`: averages of a model's weights over the steps, and the learning rate that goes with them."""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import deepcopy
from itertools import chain
from typing import Any

from engine import errors
from engine.codegen.publish import TORCH
from engine.core.grad_mode import no_grad
from engine.nn.batchnorm import _BatchNorm
from engine.nn.module import Module
from engine.optim.schedule import LRScheduler, per_group

__all__ = [
    "SWALR", "AveragedModel", "get_ema_avg_fn", "get_ema_multi_avg_fn", "get_swa_avg_fn", "get_swa_multi_avg_fn",
    "update_bn",
]  # fmt: skip


def _check_decay(decay: float) -> None:
    if decay < 0.0 or decay > 1.0:
        raise errors.ema_decay(decay)


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable[[Any, Any, Any], None]:
    """An exponential moving average of lists of parameters, in place."""
    _check_decay(decay)

    def ema_update(ema_param_list: Any, current_param_list: Any, _: Any) -> None:
        with no_grad():
            for average, current in zip(ema_param_list, current_param_list, strict=True):
                if average.is_floating_point() or average.is_complex():
                    average.lerp_(current, 1 - decay)
                else:
                    average.copy_(average * decay + current * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn() -> Callable[[Any, Any, Any], None]:
    """The mean of all models so far, for lists of parameters, in place."""

    def swa_update(averaged_param_list: Any, current_param_list: Any, num_averaged: Any) -> None:
        with no_grad():
            for average, current in zip(averaged_param_list, current_param_list, strict=True):
                if average.is_floating_point() or average.is_complex():
                    average.lerp_(current, float(1 / (num_averaged + 1)))
                else:
                    average.add_((current - average) / (num_averaged + 1))

    return swa_update


def get_ema_avg_fn(decay: float = 0.999) -> Callable[[Any, Any, Any], Any]:
    """An exponential moving average of one parameter."""
    _check_decay(decay)

    def ema_update(ema_param: Any, current_param: Any, num_averaged: Any) -> Any:
        with no_grad():
            return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn() -> Callable[[Any, Any, Any], Any]:
    """The mean of all models so far, of one parameter."""

    def swa_update(averaged_param: Any, current_param: Any, num_averaged: Any) -> Any:
        with no_grad():
            return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


class AveragedModel(Module):
    """A copy of a model whose weights `update_parameters` moves towards the model's: their mean, or what is given."""

    n_averaged: Any

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Callable[..., Any] | None = None,
        multi_avg_fn: Callable[..., Any] | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise errors.averages_given()
        self.module = deepcopy(model)
        self.register_buffer("n_averaged", TORCH["tensor"](0))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)

    def _averaged(self, module: Module) -> list[Any]:
        tensors = chain(module.parameters(), module.buffers()) if self.use_buffers else module.parameters()
        return [tensor.detach() for tensor in tensors]

    def update_parameters(self, model: Module) -> None:
        """Take in the model's weights as they are now."""
        averages, currents = self._averaged(self.module), self._averaged(model)
        if self.n_averaged == 0:
            for average, current in zip(averages, currents, strict=True):
                average.copy_(current)
        elif self.multi_avg_fn is not None:
            self.multi_avg_fn(averages, currents, self.n_averaged)
        else:
            average_of = self.avg_fn or get_swa_avg_fn()
            for average, current in zip(averages, currents, strict=True):
                average.copy_(average_of(average, current, self.n_averaged))
        if not self.use_buffers:
            for kept, current in zip(self.module.buffers(), model.buffers(), strict=True):
                kept.detach().copy_(current.detach())
        self.n_averaged += 1


def update_bn(loader: Any, model: Module, device: Any = None) -> None:
    """Compute the running statistics of all batch norm layers anew, by one pass over the data."""
    momenta: dict[Any, Any] = {}
    for module in model.modules():
        if isinstance(module, _BatchNorm):
            module.reset_running_stats()
            momenta[module] = module.momentum
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.momentum = None
    with no_grad():
        for batch in loader:
            model(batch[0] if isinstance(batch, list | tuple) else batch)
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Leads every learning rate to `swa_lr` over `anneal_epochs`, and keeps it there."""

    def __init__(
        self, optimizer: Any, swa_lr: Any, anneal_epochs: int = 10, anneal_strategy: str = "cos", last_epoch: int = -1
    ) -> None:
        for value, group in zip(per_group("swa_lr", optimizer, swa_lr), optimizer.param_groups, strict=True):
            group["swa_lr"] = value
        if anneal_strategy not in ("cos", "linear"):
            raise errors.anneal_strategy(anneal_strategy)
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise errors.anneal_epochs(anneal_epochs)
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _progress(self, step: int) -> float:
        """How far the way has been gone, between 0 and 1."""
        t = max(0, min(1, step / max(1, self.anneal_epochs)))
        return (1 - math.cos(math.pi * t)) / 2 if self._anneal_strategy == "cos" else t

    def get_lr(self) -> list[Any]:
        """Where the way from the rate it began with to `swa_lr` has led."""
        self._warn_outside_step()
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._progress(step - 1), self._progress(step)
        rates = []
        for group in self.optimizer.param_groups:
            target = group["swa_lr"]
            start = target if before == 1 else (group["lr"] - before * target) / (1 - before)
            rates.append(target * now + start * (1 - now))
        return rates


for _class in (AveragedModel, SWALR):
    _class.__module__ = "torch.optim.swa_utils"
