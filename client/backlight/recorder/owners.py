"""Whose a file is: the user's, or a library's, by where things are installed."""

from __future__ import annotations

import importlib.util
import json
import os
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import torch

TORCH = str(Path(torch.__file__).parent) + os.sep
HERE = str(Path(__file__).parent.parent) + os.sep
_INSTALLED = ("site-packages", "dist-packages")
"""What folders are called into which packages are installed, wherever they lie."""


def libraries(main: str) -> tuple[str, ...]:
    """Folders whose files are libraries', each with a separator at its end, for a program whose first file is `main`.

    Projects that are installed editable, and what PYTHONPATH names, are libraries unless the program's file or the
    working directory is in them; what PYTHONPATH names also not where it is in the folder of one of these.
    """
    named = os.environ.get("PYTHONPATH", "")
    always, projects = _folders(tuple(sys.path), named)
    homes = [f"{folder}{os.sep}" for folder in (os.path.dirname(os.path.abspath(main)), _working_directory()) if folder]
    own = {project for project in projects if any(home.startswith(project) for home in homes)}
    homes = [home for home in homes if home not in (os.path.expanduser(f"~{os.sep}"), os.path.abspath(os.sep) + os.sep)]
    own |= {path for path in _ended(filter(None, named.split(os.pathsep))) if path.startswith(tuple(homes))}
    return always + tuple(project for project in projects if project not in own)


@lru_cache(maxsize=4)
def _folders(search: tuple[str, ...], pythonpath: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Folders of libraries for any program, and those of projects that may be the program's own."""
    always = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    always |= {os.path.join(sys.base_prefix, "lib", f"python3.{sys.version_info.minor}"), str(Path(TORCH).parent)}
    packages = {*site.getsitepackages(), site.getusersitepackages()}
    packages |= {folder for folder in search if os.path.basename(folder) in _INSTALLED}
    projects = {*filter(None, pythonpath.split(os.pathsep))}
    for folder in {*packages, *always}:
        projects.update(_editable(Path(folder)))
    for folder in {*projects}:
        if next(Path(folder).glob("*.dist-info"), None) is not None:  # pip install --target
            projects.remove(folder)
            packages.add(folder)
    return _ended({*always, *packages}) + (TORCH, HERE), _ended(projects - always - packages)


def _editable(folder: Path) -> Iterator[str]:
    """Where projects lie that are installed editable: named in a folder of packages."""
    for file in folder.glob("*.dist-info/direct_url.json"):
        with suppress(OSError, ValueError, TypeError, AttributeError):
            told = json.loads(file.read_text("utf-8"))
            if told.get("dir_info", {}).get("editable"):
                yield url2pathname(urlsplit(told["url"]).path)
    for file in folder.glob("*.pth"):
        with suppress(OSError, ValueError):
            for line in file.read_text("utf-8").splitlines():
                if not line.startswith(("#", "import ", "import\t")) and (folder / line.strip()).is_dir():
                    yield str(folder / line.strip())


def _ended(folders: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({os.path.abspath(folder) + os.sep for folder in folders}))


def _working_directory() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return None


def is_installed(filename: str) -> bool:
    """Whether a file lies in a folder of packages of whatever Python."""
    return any(f"{os.sep}{name}{os.sep}" in filename for name in _INSTALLED)


Code = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
"""What is called the user's: names of modules and packages, and files and folders."""


def said(code: Code | None) -> tuple[str, ...] | None:
    """The files, and the folders with a separator at their ends, that alone are the user's; None for None.

    A ValueError says what is neither a module nor a file.
    """
    if code is None:
        return None
    given = [code] if isinstance(code, str | os.PathLike) else list(code)
    if not all(isinstance(one, str | os.PathLike) for one in given):
        raise TypeError('code is whose code is shown: a module, as in capture(code="myproject"), a file, or several')
    return tuple(file for one in given for file in _files_of(one))


def _files_of(one: str | os.PathLike[str]) -> list[str]:
    text = os.fspath(one)
    if isinstance(one, str) and all(part.isidentifier() for part in text.split(".")):
        found = _files_of_module(text)
        if found:
            return found
    path = os.path.abspath(text)
    if os.path.isdir(path):
        return [path + os.sep]
    if os.path.isfile(path):
        return [path]
    raise ValueError(f"code={text!r} is no module that can be imported here, and no file or folder")


def _files_of_module(name: str) -> list[str]:
    """A module's file, or a package's folders; what is not imported yet is only looked for."""
    module = sys.modules.get(name)
    with suppress(ImportError, ValueError, AttributeError):
        first, *rest = name.split(".")
        spec = importlib.util.find_spec(first) if module is None else None
        folders = list((getattr(module, "__path__", None) if spec is None else spec.submodule_search_locations) or ())
        file = getattr(module, "__file__", None) if spec is None else spec.origin
        if spec is not None and rest:
            below = [os.path.join(folder, *rest) for folder in folders]
            folders = [path for path in below if os.path.isdir(path)]
            file = next((f"{path}.py" for path in below if os.path.isfile(f"{path}.py")), None)
        if folders:
            return [os.path.abspath(folder) + os.sep for folder in folders]
        if file is not None and os.path.isfile(file):
            return [os.path.abspath(file)]
    return []
