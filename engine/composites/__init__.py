"""Functions that are not ops but made of ops, as in PyTorch: they never have a gradient formula of their own."""

from importlib import import_module
from pkgutil import iter_modules

import engine.ops  # noqa: F401 - composites look their ops up when they are imported

for _module in sorted((info.name for info in iter_modules(__path__)), key=lambda name: (name == "aliases", name)):
    import_module(f"{__name__}.{_module}")

from engine.composites import bindings  # noqa: E402 - once all that it binds is published

bindings.bind()
