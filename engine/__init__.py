"""Backlight's engine: PyTorch's autograd on numpy, what runs programs on it, and the trace of a run.

Usable by itself: `engine.run(code=...)` gives the run document; `engine.torch` is the `torch` namespace.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"
"""Backlight's, of the service, the client and the `engine` field of documents alike."""

if TYPE_CHECKING:
    from engine.catalogue import ops_catalogue
    from engine.graph import GraphError
    from engine.running import Run, run
    from engine.trace.exports import to_dot, to_mermaid

__all__ = ["GraphError", "Run", "ops_catalogue", "run", "to_dot", "to_mermaid"]

_HOMES = {
    "GraphError": "engine.graph", "Run": "engine.running", "ops_catalogue": "engine.catalogue", "run": "engine.running",
    "to_dot": "engine.trace.exports", "to_mermaid": "engine.trace.exports",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    # Loaded when first used: `import engine.torch` alone needs nothing that runs programs, and no document.
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'engine' has no attribute '{name}'")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value
