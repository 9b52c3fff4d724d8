"""`torch.optim`: optimizers and learning-rate schedulers."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.optim import lr_scheduler, swa_utils
from engine.optim.adam import Adam, AdamW
from engine.optim.adam_family import Adamax, NAdam, RAdam
from engine.optim.adaptive import ASGD, Adadelta, Adagrad, RMSprop, Rprop
from engine.optim.lbfgs import LBFGS
from engine.optim.matrices import Adafactor, Muon, SparseAdam
from engine.optim.optimizer import Optimizer
from engine.optim.sgd import SGD

__all__ = [
    "ASGD", "LBFGS", "SGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Muon", "NAdam", "Optimizer",
    "RAdam", "RMSprop", "Rprop", "SparseAdam", "lr_scheduler", "swa_utils",
]  # fmt: skip

for _optimizer in (
    ASGD,
    LBFGS,
    SGD,
    Adadelta,
    Adafactor,
    Adagrad,
    Adam,
    AdamW,
    Adamax,
    Muon,
    NAdam,
    RAdam,
    RMSprop,
    Rprop,
    SparseAdam,
):
    _file = {"Adafactor": "_adafactor", "Muon": "_muon", "SparseAdam": "sparse_adam"}
    _optimizer.__module__ = f"torch.optim.{_file.get(_optimizer.__name__, _optimizer.__name__.lower())}"


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.optim", name)
