"""The rows, grouped as users look for them. Importing this package declares every op."""

from importlib import import_module
from pkgutil import iter_modules

import engine.autograd.inplace  # noqa: F401 - makes their in-place forms

for _room in ("engine.kernels", __name__):  # first what the texts of rows name
    for _module in sorted(info.name for info in iter_modules(import_module(_room).__path__)):
        import_module(f"{_room}.{_module}")
