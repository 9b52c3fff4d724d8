"""What programs find installed: PyTorch, what is here of the libraries, and no other package of the service's."""

from __future__ import annotations

import importlib.metadata
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from importlib.metadata import Distribution, DistributionFinder
from types import ModuleType
from typing import Any, cast


class _Package(Distribution):
    """A name and a version; files are not shown."""

    def __init__(self, name: str, version: str) -> None:
        self.text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"

    def read_text(self, filename: str) -> str | None:
        return self.text if filename == "METADATA" else None

    def locate_file(self, path: str | os.PathLike[str]) -> Any:
        raise FileNotFoundError(f"no file of a package: {os.fspath(path)}")


class _AsItIs:
    """The loader of a module that is there, for `importlib.reload`."""

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        return None

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Leave it as it is."""


class _Finder(DistributionFinder):
    """Finds packages, whose names are equal as in PEP 503, and PyTorch's modules again."""

    def __init__(self, versions: Mapping[str, str], modules: Mapping[str, ModuleType]) -> None:
        self.packages = {_normal(name): _Package(name, version) for name, version in versions.items()}
        self.modules = modules

    def find_spec(self, name: str, *asked: Any) -> ModuleSpec | None:
        module = self.modules.get(name)
        if module is None or module.__spec__ is None:
            return None
        spec = copy(module.__spec__)
        spec.loader = cast(Loader, _AsItIs)
        return spec

    def find_distributions(
        self,
        context: DistributionFinder.Context = DistributionFinder.Context(),  # noqa: B008 - as declared there
    ) -> Iterable[Distribution]:
        if context.name is None:
            return list(self.packages.values())
        found = self.packages.get(_normal(context.name))
        return [] if found is None else [found]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@contextmanager
def shown(versions: Mapping[str, str], modules: Mapping[str, ModuleType]) -> Iterator[None]:
    """While this is open, `importlib.metadata` knows packages of these versions alone, and these modules are found."""
    finder, of_disk = _Finder(versions, modules), vars(importlib.metadata.MetadataPathFinder)["find_distributions"]
    sys.meta_path.insert(0, finder)
    setattr(importlib.metadata.MetadataPathFinder, "find_distributions", lambda *context: ())  # noqa: B010
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        setattr(importlib.metadata.MetadataPathFinder, "find_distributions", of_disk)  # noqa: B010
