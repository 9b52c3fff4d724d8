"""`torch.optim`: optimizers and learning-rate schedulers."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.optim import lr_scheduler
from engine.optim.adam import Adam, AdamW
from engine.optim.adam_family import Adamax, NAdam, RAdam
from engine.optim.adaptive import ASGD, Adadelta, Adagrad, RMSprop, Rprop
from engine.optim.lbfgs import LBFGS
from engine.optim.optimizer import Optimizer
from engine.optim.sgd import SGD

__all__ = [
    "ASGD", "LBFGS", "SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "NAdam", "Optimizer", "RAdam", "RMSprop",
    "Rprop", "lr_scheduler",
]

for _optimizer in (ASGD, LBFGS, SGD, Adadelta, Adagrad, Adam, AdamW, Adamax, NAdam, RAdam, RMSprop, Rprop):
    _optimizer.__module__ = f"torch.optim.{_optimizer.__name__.lower()}"  # where PyTorch has it


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.optim", name)
