"""What `import` finds in a program that Python itself runs.

torch …                  the engine
matplotlib, sklearn …    the real libraries, with stand-ins for the data that they would fetch
wandb, IPython …         accepted, and silent (`engine.libraries.silent`)
anything else            passed over where the program goes on without it: using it is the error

Only `import` in the text of the program is answered so. Libraries that try whether another one is there, and programs
that are ready for its absence (`try: import x`), are told the truth.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import random
import re
import socket
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from types import ModuleType
from typing import Any, NoReturn

import numpy as np
import scipy

from engine import figures, libraries, torch
from engine.core.state import state
from engine.errors.explained.missing import HINTS
from engine.libraries import silent
from engine.program import source, surface
from engine.program.errors import HINT
from engine.torch import random as engine_random
from engine.torch.standing import stand_in

EXTRA: dict[str, str] = {
    "PIL": "pillow", "einops": "einops", "matplotlib": "matplotlib", "mpl_toolkits": "matplotlib", "pandas": "pandas",
    "pylab": "matplotlib", "seaborn": "seaborn", "sklearn": "scikit-learn", "torchvision": "torchvision",
    "tqdm": "tqdm",
}  # fmt: skip
"""Modules of the libraries that the extra `libraries` installs, and their packages."""
_NEEDS = {
    "mpl_toolkits": ("matplotlib",),
    "pandas": ("matplotlib",),
    "pylab": ("matplotlib",),
    "seaborn": ("matplotlib", "pandas"),
    "sklearn": ("matplotlib",),
    "torchvision": ("PIL",),
}
_IMPORTS = re.compile(r"^.*\b(?:import|from|import_module|__import__)\b.*$", re.MULTILINE)
_WORDS = re.compile(r"\w+")


def wanted(text: str) -> set[str]:
    """Which libraries of the extra a program imports, and what these import; perhaps more, and never fewer."""
    found = {word for line in _IMPORTS.findall(text) for word in _WORDS.findall(line)} & EXTRA.keys()
    return found.union(*(_NEEDS.get(name, ()) for name in found))


def installed() -> dict[str, str]:
    """The modules of the extra that are here, and the versions of their packages."""
    return {name: metadata.version(package) for name, package in EXTRA.items() if _installed(name)}


@cache
def versions() -> dict[str, str]:
    """The packages that programs find, asked for while files can be read."""
    theirs = {EXTRA[name]: version for name, version in installed().items()}
    return {**theirs, "numpy": np.__version__, "scipy": scipy.__version__, "torch": torch.__version__}


def preload(names: Iterable[str] = EXTRA) -> None:
    """Load what is installed of these libraries, before a process is forked and locked."""
    names = sorted(names)
    if not names:
        return
    with _as_torch():
        for name in names:
            if name in ("matplotlib", "pylab"):
                figures.preload()
            elif _installed(name):
                for each in (name, *_LATER.get(name, ())):
                    _load(each)


_LATER = {
    "einops": ("einops.layers.torch",),
    "sklearn": tuple(
        f"sklearn.{part}"
        for part in (
            "cluster", "datasets", "decomposition", "ensemble", "linear_model", "manifold", "metrics",
            "model_selection", "neighbors", "pipeline", "preprocessing", "svm", "tree",
        )
    ),
    "torchvision": ("torchvision.transforms.v2",),
    "tqdm": ("tqdm.auto", "tqdm.notebook"),
}  # fmt: skip
"""Parts of libraries that programs import by themselves."""


@cache
def torch_modules() -> dict[str, ModuleType]:
    """The engine by the names that scripts import."""
    modules = stand_in()
    importlib.import_module("engine.running")  # which imports modules of ours from the packages
    surface.hide(modules)
    for module in modules.values():
        if hasattr(module, "__path__"):
            module.__path__ = []  # all modules are here: what is looked for in a folder is not PyTorch's
    return modules


@contextmanager
def _as_torch() -> Iterator[None]:
    """While this is open, libraries find the engine as torch."""
    missing = torch_modules().keys() - sys.modules.keys()
    sys.modules.update({name: torch_modules()[name] for name in missing})
    try:
        yield
    finally:
        for name in missing:
            del sys.modules[name]


def _load(name: str) -> ModuleType:
    libraries.prepare(name)
    module = importlib.import_module(name)
    libraries.mend()
    return module


@contextmanager
def offline() -> Iterator[None]:
    """While this is open, whoever looks for a host is told that there is no network."""
    before = socket.getaddrinfo
    socket.getaddrinfo = _unreachable
    try:
        yield
    finally:
        socket.getaddrinfo = before


def _unreachable(*args: Any, **kwargs: Any) -> NoReturn:
    raise socket.gaierror(socket.EAI_AGAIN, "programs have no network here: write the data into the program")


class Absent:
    """A name of a module that is not here: it can be imported, and using it is the error."""

    def __init__(self, error: Callable[[], ImportError]) -> None:
        vars(self)["*error"] = error

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise vars(self)["*error"]()

    def __repr__(self) -> str:
        return "<what could not be imported>"


def _use(self: Absent, *args: Any, **kwargs: Any) -> Any:
    raise vars(self)["*error"]()


_USES = (
    "add and bool call contains delitem divmod enter eq float floordiv ge getitem gt index instancecheck int invert"
    " iter le len lshift lt matmul mod mro_entries mul ne neg next or pos pow radd rmul rsub rtruediv setitem"
    " sub subclasscheck truediv xor"
)
for _name in _USES.split():
    setattr(Absent, f"__{_name}__", _use)
Absent.__hash__ = object.__hash__  # type: ignore[method-assign]


class AbsentModule(ModuleType):
    """A module that is not here."""

    __path__: list[str] = []
    __all__: list[str] = []

    def __init__(self, name: str, error: Callable[[], ImportError]) -> None:
        super().__init__(name)
        vars(self)["*error"] = error

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in SEEDING:
            return _seeding(self.__name__, name)
        raise vars(self)["*error"]()


SEEDING = frozenset(
    "fix_random_seed fix_random_seeds fix_seed fix_seeds manual_seed_all random_seed same_seed same_seeds seed_all"
    " seed_everything seed_torch set_all_seed set_all_seeds set_global_seed set_global_seeds set_random_seed"
    " set_random_seeds set_random_state set_seed set_seeds setup_seed".split()
)
"""What programs call their functions that seed everything."""


def _seeding(module: str, name: str) -> Callable[..., Any]:
    state.notice(f"{module}.{name} is not here: a function that seeds random, numpy and torch stands in for it.")

    def seed_all(seed: int = 42, *args: Any, **kwargs: Any) -> int:
        random.seed(seed)
        np.random.seed(seed)
        engine_random.manual_seed(seed)
        return seed

    seed_all.__name__ = seed_all.__qualname__ = name
    return seed_all


def _hint(root: str) -> str:
    if root in EXTRA:
        return (
            f"{root} is not installed here. Whoever runs this service can have it with the other libraries:"
            " pip install 'backlight-service[libraries]'."
        )
    unknown = "If it is a file of yours, paste what it defines into the program."
    return f"{root} is not available here. {HINTS.get(root, unknown)}"


class Imports:
    """`__import__` of one program; `real` is Python's, and `show` shows the value of a notebook's cell."""

    def __init__(self, code: str, real: Callable[..., Any], show: Callable[[Any], None]) -> None:
        self.code, self.real = code, real
        self.dressing = silent.Dressing(show)
        self.absent: dict[str, AbsentModule] = {}

    def __call__(
        self, name: str, globals: Any = None, locals: Any = None, fromlist: Sequence[str] | None = (), level: int = 0
    ) -> Any:
        if level:
            return self.real(name, globals, locals, fromlist, level)
        parts = tuple(fromlist or ())
        if (found := self._silent(name, parts)) is not None:
            return found
        libraries.prepare(name)
        try:
            found = self.real(name, globals, locals, fromlist, level)
        except ImportError as error:
            if not self._passes(error, name):
                raise
            return self._absent(name, error, parts)
        libraries.mend()
        if torch_modules().get(name) is found:
            for each in parts:
                if each != "*" and not hasattr(found, each):
                    raise ImportError(f"cannot import name '{each}' from '{name}' (unknown location)", name=name)
        return found

    def _silent(self, name: str, parts: Sequence[str]) -> Any:
        """The module of a silent library; None where it is none, or is really here, or is not counted on."""
        inner = [f"{name}.{each}" for each in parts]
        found = [each for each in ([name] if silent.library(name) else inner) if silent.library(each)]
        if not found:
            return None
        whole = silent.library(found[0])
        if whole not in silent.OURS and (_installed(whole or "") or self._tried()):
            return None
        if found != [name]:
            return _holding(name, {each.rpartition(".")[2]: self.dressing.module(each) for each in found})
        module = self.dressing.module(name)
        return module if parts else self.dressing.module(name.partition(".")[0])

    def _passes(self, error: ImportError, name: str) -> bool:
        """Whether the program goes on without what it imports."""
        root, lacking = name.partition(".")[0], (error.name or "").partition(".")[0]
        incomplete = lacking != root and {lacking, root} <= sys.stdlib_module_names
        missing = isinstance(error, ModuleNotFoundError) and (lacking == root or incomplete)
        if not missing or root in ("torch", "functorch") or root in sys.modules:
            return False
        if error.name != root and not incomplete and _installed(root):
            return False
        return not self._tried()

    def _tried(self) -> bool:
        """Whether the import that runs is in a `try` that is ready for its failure."""
        frame = sys._getframe(1)
        while frame.f_code.co_filename == __file__ and frame.f_back is not None:
            frame = frame.f_back
        return any(first <= frame.f_lineno <= last for first, last in caught(self.code))

    def _absent(self, name: str, error: ImportError, parts: Sequence[str]) -> Any:
        root = name.partition(".")[0]
        kind, message, missing = type(error), error.msg, error.name

        def again() -> ImportError:
            made = kind(message, name=missing)
            setattr(made, HINT, _hint(root))
            return made

        others = [each for each in parts if each not in SEEDING]
        if others or not parts:
            help = "" if root in EXTRA or root in HINTS else " If it is a file of yours, paste what it defines."
            state.notice(f"{root} is not here. The program runs on until it is used.{help}")
        module = self.absent.setdefault(name, AbsentModule(name, again))
        if not parts:
            return self.absent.setdefault(root, AbsentModule(root, again))
        return _holding(name, {each: getattr(module, each) if each in SEEDING else Absent(again) for each in parts})


def _holding(name: str, contents: dict[str, Any]) -> ModuleType:
    """A module with what is imported from it."""
    made = ModuleType(name)
    vars(made).update({"__all__": [], **contents})
    return made


def _installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


_CATCHES = frozenset({"BaseException", "Exception", "ImportError", "ModuleNotFoundError"})


@cache
def caught(code: str) -> list[tuple[int, int]]:
    """The lines that stand in a `try` that is ready for an import to fail."""
    tree, _, _ = source.parse(code)
    return [
        (node.body[0].lineno, node.body[-1].end_lineno or node.body[-1].lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Try) and any(_catches(handler.type) for handler in node.handlers)
    ]


def _catches(kind: ast.expr | None) -> bool:
    if kind is None:
        return True
    return any(isinstance(node, ast.Name) and node.id in _CATCHES for node in ast.walk(kind))
