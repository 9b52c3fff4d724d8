"""Record a real PyTorch run and watch `backward()` work on it.

with backlight.capture() as run:
    model(x).sum().backward()
run.save("run.html")
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, overload

from .carried import Absent
from .carried import version as _version
from .limits import Limits

try:
    import torch

    from .comparison import Comparison, compare
    from .drawing import Drawing, draw
    from .magic import load
    from .recorder import Code
    from .run import Run, graph_of, recorded
    from .watching import Watched
except ModuleNotFoundError as error:  # pages of documentation can be built without it
    if error.name != "torch":
        raise
    torch = Absent(error)  # type: ignore[assignment]

__version__ = _version()

__all__ = [
    "Comparison",
    "Drawing",
    "Limits",
    "Run",
    "Watched",
    "__version__",
    "capture",
    "compare",
    "draw",
    "show",
    "watch",
]


@overload
def capture(
    function: Callable[..., Any], *, limits: Limits | None = None, code: Code | None = None, seconds: bool = False
) -> Callable[..., Any]: ...
@overload
def capture(
    function: None = None, *, limits: Limits | None = None, code: Code | None = None, seconds: bool = False
) -> Run: ...
def capture(
    function: Callable[..., Any] | None = None,
    *,
    limits: Limits | None = None,
    code: Code | None = None,
    seconds: bool = False,
) -> Any:
    """Record a block (`with backlight.capture() as run:`) or each call of a function (`@backlight.capture`).

    `code`: whose code is shown besides the file itself: modules or packages by name, files or folders. Where it is not
    said, it is all but what is installed. `seconds`: also measure how long each op ran, and each node of a backward
    pass; the document's `timing` tells how. A TypeError says what cannot be recorded, a ValueError what `code` does not
    find.
    """
    if isinstance(function, torch.nn.Module):
        raise TypeError(
            "capture takes no module, but what runs it: with backlight.capture() as run: model(x).sum().backward() "
            f"(it was given {_a(function)})"
        )
    if function is not None and not callable(function):
        raise TypeError(f"capture takes a function, or nothing (with backlight.capture() as run:), not {_a(function)}")
    return Run(limits, code=code, seconds=seconds) if function is None else recorded(function, limits, code, seconds)


def show(loss: torch.Tensor, *, limits: Limits | None = None, code: Code | None = None) -> Run:
    """A run of the graph that leads to a tensor: nodes, saved tensors and leaves, but not the passes."""
    if not isinstance(loss, torch.Tensor):
        raise TypeError(f"show takes a tensor, whose graph it shows, not {_a(loss)}")
    return graph_of(loss, sys._getframe(1), limits or Limits(), code)


def watch(
    model: torch.nn.Module | Iterable[torch.nn.Module],
    optimizer: torch.optim.Optimizer | Iterable[torch.optim.Optimizer],
    every: int = 100,
    *,
    keep: int = 50,
    limits: Limits | None = None,
    code: Code | None = None,
    seconds: bool = False,
) -> Watched:
    """Record the first iteration of a training, and one in `every`, into a page that grows while it goes on.

    An iteration ends with a step of the optimizer; of several, of the last one. At most `keep` recordings are kept.
    `seconds`: those also measure how long each op and each node ran.
    Used by `with`, or until `.stop()`. A TypeError or ValueError says what cannot be watched.
    """
    return Watched(
        model, optimizer, every=every, keep=keep, limits=limits, code=code, seconds=seconds, frame=sys._getframe(1)
    )


def _a(value: object) -> str:
    return f"an object of the class {type(value).__name__}"


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext backlight`."""
    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """`%unload_ext backlight`."""
    shell.magics_manager.magics["cell"].pop("backlight", None)


def __getattr__(name: str) -> Any:
    if name in __all__:  # what is not there without PyTorch
        return getattr(torch, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
