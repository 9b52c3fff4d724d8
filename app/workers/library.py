"""Code and data of packages in memory, for imports in processes that can open no file.

All of it is read before workers are forked, and shared by them. Shared objects are loaded then as well, though their
modules are not made: a locked worker may map no code.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import io
import marshal
import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from importlib.abc import ExecutionLoader, MetaPathFinder
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    BuiltinImporter,
    ExtensionFileLoader,
    FrozenImporter,
    ModuleSpec,
)
from importlib.resources.abc import Traversable, TraversableResources
from pathlib import Path
from types import CodeType, ModuleType
from typing import IO, Any, NamedTuple

LEFT_OUT = frozenset(
    "__pycache__ test tests testing site-packages dist-packages lib-dynload idlelib tkinter turtledemo ensurepip "
    "lib2to3 distutils pydoc_data f2py venv".split()
)
"""Folders that no program imports from."""
OF_TESTS = re.compile(r"_test.*|_ctypes_test|_?xx.*|.*_tests|_simd")
FOR_THE_MACHINE = frozenset(
    "_tkinter _curses _curses_panel readline nis spwd syslog ossaudiodev _crypt _dbm _gdbm".split()
)
"""Shared objects for displays, terminals and directories that no worker can reach. They bring thirty others with them,
and whatever is mapped makes each fork dearer."""
BUILT_FROM = (".pyi", ".pyx", ".pxd", ".c", ".h", ".a")
HEADER = 16
"""Bytes before the code in a file of bytecode: magic number, flags, and what tells its source (PEP 552)."""
INTERPRETER = (BuiltinImporter, FrozenImporter)


class Module(NamedTuple):
    """What is held of a module: where it lay, its source, and its marshalled code, None where it was not compiled."""

    path: str
    source: bytes
    code: bytes | None

    @property
    def is_package(self) -> bool:
        return os.path.basename(self.path) == "__init__.py"


class Library(MetaPathFinder):
    """Modules by name and data files by path."""

    def __init__(self) -> None:
        self.modules: dict[str, Module] = {}
        self.extensions: dict[str, str] = {}
        self.files: dict[str, bytes] = {}
        self.others: list[Any] = []

    def read_standard_library(self) -> None:
        """Hold what Python has of its own, but for data files."""
        self._read_folder(sysconfig.get_path("stdlib"), "")
        self._read_folder(sysconfig.get_config_var("DESTSHARED") or "", "")
        self.files.clear()

    def read(self, packages: Iterable[str]) -> None:
        """Hold installed packages with their data files, by name."""
        for name in packages:
            spec = importlib.util.find_spec(name)
            for folder in spec.submodule_search_locations or () if spec else ():
                self._read_folder(folder, name)

    def serve(self) -> None:
        """Let imports find what is held and nothing else from now on."""
        self.others = [finder for finder in sys.meta_path if finder not in INTERPRETER]
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder in INTERPRETER] + [self]

    def rest(self) -> None:
        """Let imports find what they found before."""
        sys.meta_path[:] = [*(finder for finder in sys.meta_path if finder is not self), *self.others]

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if (extension := self.extensions.get(fullname)) is not None:
            return importlib.util.spec_from_file_location(
                fullname, extension, loader=ExtensionFileLoader(fullname, extension)
            )
        if (module := self.modules.get(fullname)) is None:
            return None
        spec = ModuleSpec(fullname, HeldLoader(self, fullname), origin=module.path, is_package=module.is_package)
        spec.has_location = True
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(os.path.dirname(module.path))
        return spec

    def _read_folder(self, folder: str, package: str) -> None:
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_file():
                    self._read_file(entry.path, package)
                elif entry.name not in LEFT_OUT and entry.is_dir():
                    self._read_folder(entry.path, joined(package, entry.name))

    def _read_file(self, path: str, package: str) -> None:
        stem, dot, suffix = os.path.basename(path).partition(".")
        name = package if stem == "__init__" else joined(package, stem)
        if dot + suffix in EXTENSION_SUFFIXES:
            if stem not in FOR_THE_MACHINE and not OF_TESTS.fullmatch(stem):
                with contextlib.suppress(OSError):  # what it needs is not here: nor could it be imported
                    ctypes.CDLL(path)
                    self.extensions[name] = path
        elif suffix == "py":
            if stem.isidentifier():
                source = Path(path).read_bytes()
                self.modules[name] = Module(path, source, compiled(path, source))
        elif not path.endswith(BUILT_FROM):
            self.files[path] = Path(path).read_bytes()


class HeldLoader(ExecutionLoader):
    """Makes a module of what a library holds."""

    def __init__(self, library: Library, name: str) -> None:
        self.library = library
        self.name = name

    def get_code(self, fullname: str) -> CodeType:
        module = self._module(fullname)
        if module.code is None:
            return self.source_to_code(module.source, module.path)
        code: CodeType = marshal.loads(module.code)
        return code

    def get_source(self, fullname: str) -> str:
        return importlib.util.decode_source(self._module(fullname).source)

    def get_filename(self, fullname: str) -> str:
        return self._module(fullname).path

    def is_package(self, fullname: str) -> bool:
        return self._module(fullname).is_package

    def get_data(self, path: str) -> bytes:
        try:
            return self.library.files[os.path.normpath(path)]
        except KeyError:
            raise FileNotFoundError(f"not in memory: {path}") from None

    def get_resource_reader(self, fullname: str) -> TraversableResources:
        return HeldResources(HeldPath(self.library, os.path.dirname(self.get_filename(fullname))))

    def _module(self, fullname: str) -> Module:
        try:
            return self.library.modules[fullname]
        except KeyError:
            raise ImportError(f"not in memory: {fullname}", name=fullname) from None


class HeldResources(TraversableResources):
    """The data files of a package, for importlib.resources."""

    def __init__(self, root: HeldPath) -> None:
        self.root = root

    def files(self) -> HeldPath:
        return self.root


class HeldPath(Traversable):
    """A data file that a library holds, or a folder above some."""

    def __init__(self, library: Library, path: str) -> None:
        self.library = library
        self.path = path

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    def iterdir(self) -> Iterator[HeldPath]:
        below = self.path + os.sep
        names = {path[len(below) :].split(os.sep)[0] for path in self.library.files if path.startswith(below)}
        return iter([self.joinpath(name) for name in sorted(names)])

    def is_file(self) -> bool:
        return self.path in self.library.files

    def is_dir(self) -> bool:
        return any(path.startswith(self.path + os.sep) for path in self.library.files)

    def joinpath(self, *descendants: str | os.PathLike[str]) -> HeldPath:
        return HeldPath(self.library, os.path.normpath(os.path.join(self.path, *descendants)))

    def __truediv__(self, child: str | os.PathLike[str]) -> HeldPath:
        return self.joinpath(child)

    def read_bytes(self) -> bytes:
        if not self.is_file():
            raise FileNotFoundError(f"not in memory: {self.path}")
        return self.library.files[self.path]

    def read_text(self, encoding: str | None = None) -> str:
        return self.read_bytes().decode(encoding or "utf-8")

    def open(self, mode: str = "r", *arguments: Any, **options: Any) -> IO[Any]:
        stream = io.BytesIO(self.read_bytes())
        return stream if "b" in mode else io.TextIOWrapper(stream, *arguments, **options)


def joined(package: str, name: str) -> str:
    """The name of a module in a package, or of one on its own."""
    return f"{package}.{name}" if package else name


def compiled(path: str, source: bytes) -> bytes | None:
    """The marshalled code that Python keeps beside a source file, if it is of this very source."""
    try:
        kept = Path(importlib.util.cache_from_source(path)).read_bytes()
        status = os.stat(path)
    except (OSError, NotImplementedError):
        return None
    magic, flags, mark = kept[:4], int.from_bytes(kept[4:8], "little"), kept[8:HEADER]
    written = b"".join((int(number) & 0xFFFFFFFF).to_bytes(4, "little") for number in (status.st_mtime, len(source)))
    fits = mark == (importlib.util.source_hash(source) if flags else written)
    return kept[HEADER:] if fits and magic == importlib.util.MAGIC_NUMBER else None
