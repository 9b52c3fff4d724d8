"""Every error and warning text of PyTorch that the engine raises, each under one name.

`raise errors.backward_twice()`: constructors return the exception. `errors.warn_non_leaf_grad()` issues the warning.
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

from typing import Any

from engine.errors.arguments import *  # noqa: F403
from engine.errors.attention import *  # noqa: F403
from engine.errors.backward import *  # noqa: F403
from engine.errors.complexes import *  # noqa: F403
from engine.errors.convolution import *  # noqa: F403
from engine.errors.creation import *  # noqa: F403
from engine.errors.data import *  # noqa: F403
from engine.errors.decompositions import *  # noqa: F403
from engine.errors.distributions import *  # noqa: F403
from engine.errors.elementwise import *  # noqa: F403
from engine.errors.embeddings import *  # noqa: F403
from engine.errors.explained import *  # noqa: F403
from engine.errors.fourier import *  # noqa: F403
from engine.errors.fractional import *  # noqa: F403
from engine.errors.functional import *  # noqa: F403
from engine.errors.functions import *  # noqa: F403
from engine.errors.images import *  # noqa: F403
from engine.errors.indexing import *  # noqa: F403
from engine.errors.layers import *  # noqa: F403
from engine.errors.leaves import *  # noqa: F403
from engine.errors.linalg import *  # noqa: F403
from engine.errors.mixing import *  # noqa: F403
from engine.errors.modules import *  # noqa: F403
from engine.errors.outs import *  # noqa: F403
from engine.errors.parametrizations import *  # noqa: F403
from engine.errors.quantizers import *  # noqa: F403
from engine.errors.random import *  # noqa: F403
from engine.errors.recurrent import *  # noqa: F403
from engine.errors.removed import *  # noqa: F403
from engine.errors.segments import *  # noqa: F403
from engine.errors.shapes import *  # noqa: F403
from engine.errors.sparse import *  # noqa: F403
from engine.errors.table import make
from engine.errors.tensors import *  # noqa: F403
from engine.errors.testing import *  # noqa: F403
from engine.errors.views import *  # noqa: F403
from engine.errors.warnings import *  # noqa: F403
from engine.errors.writes import *  # noqa: F403


def __getattr__(name: str) -> Any:
    """A row's function, which is found without this from then on."""
    if make(name, globals()):
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
