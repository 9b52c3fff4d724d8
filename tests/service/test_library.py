"""Code and data of packages from memory: what a process imports that can open no file."""

from __future__ import annotations

import importlib
import importlib.resources
import linecache
import os
import pkgutil
import py_compile
import shutil
import sys
import sysconfig
import traceback
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from app.workers.library import Library


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """A library that holds a package `parcel`, which is nowhere else any more."""
    package = tmp_path / "parcel"
    (package / "inner").mkdir(parents=True)
    (package / "data").mkdir()
    (package / "tests").mkdir()
    (package / "__init__.py").write_text("from parcel.inner import deep\nNAME = __name__, __file__, list(__path__)\n")
    (package / "inner" / "__init__.py").write_text("")
    (package / "inner" / "deep.py").write_text("def fail():\n    raise ValueError('deep')  # said so\n")
    (package / "tests" / "__init__.py").write_text("")
    (package / "data" / "one.txt").write_text("one\n")
    py_compile.compile(str(package / "inner" / "deep.py"))
    before = set(sys.modules)
    monkeypatch.syspath_prepend(tmp_path)
    library = Library()
    library.read(["parcel"])
    shutil.rmtree(package)
    importlib.invalidate_caches()
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    library.serve()
    yield library
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_packages_are_imported_from_memory(held: Library) -> None:
    parcel = importlib.import_module("parcel")
    name, file, path = parcel.NAME
    assert name == "parcel" and file.endswith("parcel/__init__.py") and path == [os.path.dirname(file)]
    assert not Path(file).exists()
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("parcel.tests")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("parcel.absent")


def test_a_traceback_shows_lines_of_what_is_held(held: Library) -> None:
    linecache.clearcache()
    deep = importlib.import_module("parcel.inner.deep")
    try:
        deep.fail()
    except ValueError:
        assert "raise ValueError('deep')  # said so" in traceback.format_exc()


def test_data_files_are_read_in_every_way_there_is(held: Library) -> None:
    importlib.import_module("parcel")
    assert pkgutil.get_data("parcel", "data/one.txt") == b"one\n"
    root = importlib.resources.files("parcel")
    assert (root / "data" / "one.txt").read_text() == "one\n"
    assert (root / "data").is_dir() and [entry.name for entry in (root / "data").iterdir()] == ["one.txt"]
    with (root / "data" / "one.txt").open() as file:
        assert file.read() == "one\n"
    assert importlib.resources.files("parcel").joinpath("data", "one.txt").read_bytes() == b"one\n"
    with pytest.raises(FileNotFoundError):
        (root / "data" / "two.txt").read_bytes()


def test_bytecode_is_held_only_where_it_is_of_this_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("fresh", "stale"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text("x = 1\n")
        py_compile.compile(str(folder / "__init__.py"))
    (tmp_path / "stale" / "__init__.py").write_text("x = 22\n")
    monkeypatch.syspath_prepend(tmp_path)
    library = Library()
    library.read(["fresh", "stale"])
    assert library.modules["fresh"].code is not None
    assert library.modules["stale"].code is None


def test_all_of_pythons_own_library_is_held_with_its_shared_objects() -> None:
    library = Library()
    library.read_standard_library()
    built = set(sys.builtin_module_names)
    left_out = {"idlelib", "tkinter", "turtle", "turtledemo", "ensurepip", "lib2to3", "distutils", "test", "venv"}
    pure = {
        name
        for name in sys.stdlib_module_names
        if (Path(sysconfig.get_path("stdlib")) / f"{name}.py").exists() and name not in left_out
    }
    assert pure <= library.modules.keys()
    assert not library.files
    for name, path in library.extensions.items():
        assert name not in built and path.endswith(tuple(EXTENSION_SUFFIXES))
