"""What `import` finds. Nothing is ever imported from disk: every module is made here, on first use.

torch …            the engine (`engine.program.bridge`)
numpy              a small surface over checked arrays (`engine.program.arrays`)
math random time copy collections itertools functools typing dataclasses …   Python's, as far as programs need them
matplotlib         what it draws becomes figures of the document
seaborn …          accepted, and silent
"""

from __future__ import annotations

from copy import deepcopy
from importlib import import_module as load
from types import FunctionType, ModuleType
from typing import Any

from engine.program import session as sessions
from engine.program.absent import Absent, absent_module, absent_name
from engine.program.bridge import torch_module
from engine.program.shared import own
from engine.program.tables import NATIVES
from engine.program.values import UNSET, Builtin, Module, Silent

_OURS: dict[str, str] = {
    "math": "math", "cmath": "math", "random": "random", "time": "time",
    "copy": "copy", "collections": "collections", "collections.abc": "collections", "itertools": "itertools",
    "functools": "functools", "operator": "operator", "typing": "typing", "typing_extensions": "typing",
    "types": "typing", "abc": "typing", "dataclasses": "dataclasses", "warnings": "warnings",
    **dict.fromkeys(
        (
            "numpy", "numpy.random", "numpy.linalg", "numpy.fft", "numpy.testing", "numpy.exceptions", "numpy.lib",
            "numpy.lib.stride_tricks", "numpy.polynomial", "numpy.strings", "numpy.char",
        ),
        "numpy.modules",
    ),
    **{
        f"numpy.polynomial.{room}": "numpy.modules"
        for room in ("polynomial", "chebyshev", "legendre", "hermite", "hermite_e", "laguerre")
    },
    "os": "os", "os.path": "os", "sys": "sys", "gc": "sys",
    "string": "string", "textwrap": "string", "pprint": "pprint",
    "contextlib": "contextlib", "tqdm": "tqdm", "tqdm.auto": "tqdm", "tqdm.notebook": "tqdm",
    "statistics": "statistics", "numbers": "typing", "datetime": "time",
    "io": "io", "tempfile": "io", "heapq": "heapq", "bisect": "heapq",
    "traceback": "traceback", "timeit": "time", "calendar": "time",
    **dict.fromkeys(
        (
            "matplotlib", "matplotlib.pyplot", "matplotlib.cm", "matplotlib.colors", "matplotlib.style",
            "matplotlib.gridspec", "matplotlib.figure", "matplotlib.axes", "matplotlib.pylab", "pylab",
        ),
        "matplotlib.modules",
    ),
    **dict.fromkeys(("shutil", "glob", "fnmatch", "platform"), "os"), "pathlib": "pathlib",
    "torchvision": "torchvision.modules",
    **{
        f"torchvision.{part}": "torchvision.modules"
        for part in (
            "datasets", "models", "transforms", "utils", "transforms.functional", "transforms.v2", "datasets.cifar",
            "transforms.v2.functional",
            "datasets.fakedata", "datasets.folder", "datasets.mnist", "datasets.svhn", "datasets.vision",
            "models.resnet", "ops", "ops.boxes", "ops.focal_loss", "ops.misc", "ops.stochastic_depth",
        )
    },
    "einops": "einops", "einops.layers": "einops", "einops.layers.torch": "einops", "sklearn": "sklearn.modules",
    **{
        f"sklearn.{part}": "sklearn.modules"
        for part in (
            "datasets", "linear_model", "metrics", "metrics.cluster", "model_selection", "preprocessing", "utils",
            "exceptions", "cluster", "decomposition", "neighbors", "pipeline", "base", "impute",
        )
    },
    "scipy": "scipy", "scipy.special": "scipy", "scipy.stats": "scipy",
    "re": "re", "pickle": "pickle", "unicodedata": "unicodedata", "functorch": "functorch",
    **dict.fromkeys(("hashlib", "secrets", "uuid"), "hashlib"),
    **dict.fromkeys(("struct", "base64", "binascii"), "struct"),
    "fractions": "fractions", "decimal": "fractions",
    "queue": "queue", "weakref": "weakref", "unittest": "unittest", "csv": "csv", "inspect": "inspect",
    **dict.fromkeys(
        (
            "threading", "concurrent", "concurrent.futures", "multiprocessing", "torch.distributed",
            "torch.multiprocessing",
        ),
        "parallel",
    ),
    "importlib": "importlib", "importlib.metadata": "importlib", "importlib.util": "importlib",
    **dict.fromkeys(
        (
            "torch.autograd.anomaly_mode", "torch.autograd.gradcheck", "torch.functional", "torch.nn.modules.utils",
            "torch.serialization", "torch.overrides", "torch._C",
            "torch.types", *(f"torch.optim.{name}" for name in (
                "adadelta", "adagrad", "adamax", "adamw", "asgd", "nadam", "radam", "rmsprop", "rprop", "sparse_adam",
            )),
        ),
        "torch_modules",
    ),
    "json": "json", "argparse": "argparse", "enum": "enum", "logging": "logging", "__future__": "sys",
}  # fmt: skip
"""Module name → the file here that makes it. Each such file has `MODULES: {name: contents}`."""

SILENT: frozenset[str] = frozenset(
    {
        "matplotlib", "mpl_toolkits", "seaborn", "plotly", "bokeh", "altair", "IPython", "ipywidgets",
        "torchviz", "torchsummary", "torchinfo", "graphviz", "wandb",
        "logging", "pdb", "ipdb", "tensorboardX", "visdom", "hiddenlayer", "netron",
    }
)  # fmt: skip
"""Libraries that draw, show or report: they can be imported and used, and nothing happens (of matplotlib: the rest)."""

_CHANGEABLE = frozenset({"os", "sys"})
"""Modules with contents that a program can change; each run has its own."""
_made: dict[str, Any] = {}
_PYTHONS = {name: load(name) for name in "bisect functools heapq itertools math re".split()}
"""Modules whose functions say themselves what they take."""


def _note_natives(contents: dict[str, Any], module: ModuleType) -> None:
    """Remember which function of Python's each function here stands for."""
    for name, value in contents.items():
        if isinstance(value, Builtin) and type(value.function) is FunctionType and hasattr(module, name):
            NATIVES.setdefault(value.function, getattr(module, name))


def find(name: str) -> Any:
    """The module of a dotted name, or None."""
    made_here = sessions.active.modules if name in _CHANGEABLE else _made
    known = made_here.get(name)
    if known is not None:
        return known
    root = name.partition(".")[0]
    made: Any = None
    if name in _OURS:
        contents = load(f"{__name__}.{_OURS[name]}").MODULES[name]
        if type(contents) is Module:
            made = contents
        else:
            if name in _PYTHONS:
                _note_natives(contents, _PYTHONS[name])
            made = Module.of(name, deepcopy(contents) if name in _CHANGEABLE else contents)
    elif root in SILENT:
        made = Silent(name, quiet=root == "matplotlib")
    elif root == "torch":
        made = torch_module(name)
    if made is not None:
        made_here[name] = made
    return made


def load_all() -> None:
    """Make every module there is, so that no run finds one half made."""
    for name in _OURS:
        find(name)


def provided() -> list[str]:
    """The names of all modules made here."""
    return list(_OURS)


def import_module(name: str, renamed: bool) -> Any:
    """`import name`: the module itself when it is renamed by `as`, otherwise the package it belongs to; or `Absent`."""
    found = find(name)
    if found is None:
        return _absent(name)
    return found if renamed else find(name.partition(".")[0])


def import_from(module: str, name: str) -> Any:
    """`from module import name`; `Absent` if there is none."""
    package = find(module)
    if package is None:
        return _absent(module)
    if type(package) is Silent:
        return package.member(name)
    value = own(package.find(name))
    if value is UNSET:
        value = sessions.active.settings.get((package.name, name), UNSET)
    if value is UNSET:
        value = find(f"{module}.{name}")
    if value is UNSET or value is None and name not in package.names():
        return absent_name(module, name)
    return value


def star_names(module: str) -> list[str]:
    """The names `from module import *` binds; none when there is no such module (importing it will say so)."""
    package = find(module)
    if package is None or type(package) is Silent:
        return []
    return [name for name in package.names() if not name.startswith("_")]


def import_star(module: str) -> list[tuple[str, Any]] | Absent:
    """`from module import *`."""
    if find(module) is None:
        return _absent(module)
    return [(name, import_from(module, name)) for name in star_names(module)]


def _absent(name: str) -> Absent:
    known = name
    while known and find(known) is None:
        known = known.rpartition(".")[0]
    return absent_module(name, known or None)
