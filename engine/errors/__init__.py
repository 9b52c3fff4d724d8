"""Every error and warning text of PyTorch that the engine raises, each under one name.

`raise errors.backward_twice()`: constructors return the exception. `errors.warn_non_leaf_grad()` issues the warning.
Most are rows of `texts/`, made into functions when first asked for (`table.py`); `__init__.pyi` says their types.
Texts are those of PyTorch 2.13 (CPU, Python 3.11). Exceptions are Python's own, as in PyTorch:

    Exception
    ├── AssertionError           devices that are not there
    ├── AttributeError
    ├── LookupError
    │   ├── IndexError
    │   └── KeyError
    ├── ArithmeticError
    │   └── OverflowError
    ├── RuntimeError
    │   ├── NotImplementedError
    │   ├── LinAlgError          torch._C._LinAlgError
    │   └── GradcheckError       torch.autograd.gradcheck.GradcheckError
    ├── TypeError
    └── ValueError

What they mean and what helps: `errors.explain(type_name, message)`.
"""

from __future__ import annotations

import math  # noqa: F401 - rows name it
from typing import Any

from engine.errors.cases import *  # noqa: F403
from engine.errors.explained import *  # noqa: F403
from engine.errors.kinds import *  # noqa: F403
from engine.errors.outs import *  # noqa: F403
from engine.errors.table import make
from engine.errors.warnings import *  # noqa: F403
from engine.errors.wording import *  # noqa: F403


def __getattr__(name: str) -> Any:
    """A row's function, which is found without this from then on."""
    if make(name, globals()):
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
