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

_FILES = {"Adafactor": "_adafactor", "Muon": "_muon", "SparseAdam": "sparse_adam"}
for _name in __all__:
    if isinstance(globals()[_name], type) and _name != "Optimizer":
        globals()[_name].__module__ = f"torch.optim.{_FILES.get(_name, _name.lower())}"


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.optim", name)
