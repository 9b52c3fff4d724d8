"""Modules that a program has written as files, which lie in memory: `%%writefile helper.py`, then `import helper`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType
from typing import Any


class _Loader(InspectLoader):
    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file

    def get_source(self, fullname: str) -> str:
        return self.text

    def is_package(self, fullname: str) -> bool:
        return self.file.endswith("/__init__.py")

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = self.file
        exec(compile(self.text, self.file, "exec", dont_inherit=True), vars(module))


class _Finder(MetaPathFinder):
    """Asked last. `found` are the names of modules that were."""

    def __init__(self, files: Any) -> None:
        self.files = files
        self.found: list[str] = []

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        name = fullname.rpartition(".")[2]
        folders = [self.files.cwd, *sys.path] if path is None else list(path)
        for folder in folders:
            for end in (f"{name}.py", f"{name}/__init__.py"):
                file = self.files.absnormpath(f"{folder}/{end}")
                if self.files.isfile(file):
                    self.found.append(fullname)
                    loader = _Loader(self.files.get_object(file).contents, file)
                    spec = spec_from_loader(fullname, loader, origin=file)
                    if spec is not None and spec.submodule_search_locations is not None:
                        spec.submodule_search_locations.append(file.rpartition("/")[0])
                    return spec
        bare = [folder for folder in (f"{folder}/{name}" for folder in folders) if self.files.isdir(folder)]
        if not bare:
            return None
        self.found.append(fullname)
        spec = ModuleSpec(fullname, None, is_package=True)  # a folder alone is a package, too
        spec.submodule_search_locations = bare
        return spec


@contextmanager
def importable(files: Any) -> Iterator[None]:
    """While this is open, modules in these files can be imported."""
    finder = _Finder(files)
    sys.meta_path.append(finder)
    try:
        yield
    finally:
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)
        for name in finder.found:
            sys.modules.pop(name, None)
