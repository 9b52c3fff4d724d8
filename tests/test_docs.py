"""What the documents name exists: files, folders, links, modules and commands."""

from __future__ import annotations

import functools
import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.config import PROJECT

ROOMS = ("app", "benchmarks", "client", "docs", "engine", "static/css", "static/js", "tests", "tools")
FOUND = [*PROJECT.glob("*.md"), *(document for room in ROOMS for document in (PROJECT / room).rglob("*.md"))]
DOCUMENTS = sorted(document for document in FOUND if not document.is_symlink())
FILE = re.compile(r"[\w.*<>-]+\.(?:py|js|mjs|md|toml|txt|json|css|html|svg|png)")
PLACE = re.compile(r"\.?[\w*<>-][\w.*<>-]*(?:/[\w.*<>-]+)*/?")
STANDS_FOR_ANY = re.compile(r"<\w+>|\b(?:ID|NAME)\b")
PACKAGES = ("engine", "app", "tests", "benchmarks")

each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=[str(p.relative_to(PROJECT)) for p in DOCUMENTS])


def named(text: str) -> Iterator[tuple[str, str]]:
    """Everything between backticks, and the folder that the closest heading with one names."""
    folders: dict[int, str] = {}
    for line in text.split("\n"):
        if heading := re.match(r"(#+) ", line):
            level = len(heading[1])
            folders = {above: folder for above, folder in folders.items() if above < level}
            if folder := re.search(r"\w[\w.]*(?:/\w[\w.]*)*/", line):
                folders[level] = folder[0]
        for words in re.findall(r"`([^`\n]+)`", line):
            yield words, folders[max(folders)] if folders else ""


@functools.cache
def exists(name: str, near: tuple[Path, ...]) -> bool:
    """Whether the file or folder is in the project, or near; one named without its folder may lie anywhere near."""
    pattern = STANDS_FOR_ANY.sub("*", name).rstrip("/")
    nearby = pattern if "/" in pattern else f"**/{pattern}"
    return any(PROJECT.glob(pattern)) or any(
        any(place.glob(nearby)) or any(place.parent.glob(pattern)) for place in near
    )


@each_document
def test_every_path_exists(document: Path) -> None:
    home = () if document.parent == PROJECT else (document.parent,)
    missing = []
    for name, folder in named(document.read_text("utf-8")):
        if PLACE.fullmatch(name) and ("/" in name or FILE.fullmatch(name)):
            if not exists(name, (*home, PROJECT / folder) if folder else home):
                missing.append(name)
    assert not missing


@each_document
def test_every_link_leads_to_a_file(document: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", document.read_text("utf-8"))
    assert [link for link in links if not link.startswith("http") and not (document.parent / link).exists()] == []


@each_document
def test_every_name_of_a_package_can_be_imported(document: Path) -> None:
    for words, _ in named(document.read_text("utf-8")):
        if match := re.match(rf"(?:{'|'.join(PACKAGES)})(?:\.\w+)+(?=$|[( ])", words):
            if not FILE.fullmatch(words) and not module_exists(match[0]):
                pkgutil.resolve_name(match[0])


@each_document
def test_every_command_exists(document: Path) -> None:
    text = document.read_text("utf-8")
    targets = set(re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text("utf-8"), re.MULTILINE))
    scripts = json.loads((PROJECT / "package.json").read_text("utf-8"))["scripts"]
    for target in re.findall(r"(?:^ {4}|`)make ([a-z]+)", text, re.MULTILINE):
        assert target in targets, f"make {target}"
    for script in re.findall(r"\bnpm run (\w+)", text):
        assert script in scripts, f"npm run {script}"
    for module in re.findall(rf"\bpython -m ((?:{'|'.join(PACKAGES)})[\w.]*)", text):
        assert module_exists(module), f"python -m {module}"
    for path in re.findall(r"(?:\bpytest |\bARGS=\"?)([\w*]+/[\w./*]+)", text):
        assert any(PROJECT.glob(path.rstrip("./"))), path


def module_exists(module: str) -> bool:
    path = PROJECT / module.replace(".", "/")
    return path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
