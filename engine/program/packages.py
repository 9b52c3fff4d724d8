"""The installed packages that programs find: PyTorch, what is here of the libraries, and no other of the service's."""

from __future__ import annotations

import importlib.metadata
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import Distribution, DistributionFinder
from typing import Any


class _Package(Distribution):
    """A name and a version; files are not shown."""

    def __init__(self, name: str, version: str) -> None:
        self.text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"

    def read_text(self, filename: str) -> str | None:
        return self.text if filename == "METADATA" else None

    def locate_file(self, path: str | os.PathLike[str]) -> Any:
        raise FileNotFoundError(f"no file of a package: {os.fspath(path)}")


class _Finder(DistributionFinder):
    """Finds packages and no modules. Names are equal as in PEP 503."""

    def __init__(self, versions: Mapping[str, str]) -> None:
        self.packages = {_normal(name): _Package(name, version) for name, version in versions.items()}

    def find_spec(self, *asked: Any) -> None:
        return None

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
def shown(versions: Mapping[str, str]) -> Iterator[None]:
    """While this is open, `importlib.metadata` knows packages of these versions alone."""
    finder, of_disk = _Finder(versions), vars(importlib.metadata.MetadataPathFinder)["find_distributions"]
    sys.meta_path.append(finder)
    setattr(importlib.metadata.MetadataPathFinder, "find_distributions", lambda *context: ())  # noqa: B010
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        setattr(importlib.metadata.MetadataPathFinder, "find_distributions", of_disk)  # noqa: B010
