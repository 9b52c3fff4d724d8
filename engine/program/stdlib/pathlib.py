"""`pathlib`: paths as texts, by Python's own pure paths, and the files of the run behind them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from engine.program import files
from engine.program.charges import grow
from engine.program.files import content_of, exists, failure, fspath, is_folder, opened
from engine.program.stdlib.os import fnmatches, glob, size_of
from engine.program.values import Module


class PurePath:
    """`pathlib.PurePath`: a path as a text."""

    __module__ = "pathlib"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, *parts: Any) -> None:
        texts = [fspath(part) for part in parts]
        grow(sum(map(len, texts)) + len(texts))
        self._pure = PurePosixPath(*texts)

    def _changed(self, pure: PurePosixPath) -> PurePath:
        return type(self)(str(pure))

    def __truediv__(self, other: Any) -> PurePath:
        return type(self)(self, other) if isinstance(other, str | PurePath) else NotImplemented

    def __rtruediv__(self, other: Any) -> PurePath:
        return type(self)(other, self) if isinstance(other, str) else NotImplemented

    def __eq__(self, other: object) -> bool:
        return self._pure == other._pure if isinstance(other, PurePath) else NotImplemented

    def __lt__(self, other: Any) -> bool:
        return self._pure < other._pure if isinstance(other, PurePath) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self._pure))

    def __str__(self) -> str:
        return str(self._pure)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self._pure)!r})"

    @property
    def name(self) -> str:
        return self._pure.name

    @property
    def stem(self) -> str:
        return self._pure.stem

    @property
    def suffix(self) -> str:
        return self._pure.suffix

    @property
    def suffixes(self) -> list[str]:
        return self._pure.suffixes

    @property
    def parts(self) -> tuple[str, ...]:
        return self._pure.parts

    @property
    def parent(self) -> PurePath:
        return self._changed(self._pure.parent)

    @property
    def parents(self) -> tuple[PurePath, ...]:
        return tuple([self._changed(parent) for parent in self._pure.parents])

    def joinpath(self, *parts: Any) -> PurePath:
        return type(self)(self, *parts)

    def with_name(self, name: str) -> PurePath:
        return self._changed(self._pure.with_name(name))

    def with_stem(self, stem: str) -> PurePath:
        return self._changed(self._pure.with_stem(stem))

    def with_suffix(self, suffix: str) -> PurePath:
        return self._changed(self._pure.with_suffix(suffix))

    def relative_to(self, other: Any) -> PurePath:
        return self._changed(self._pure.relative_to(fspath(other)))

    def is_relative_to(self, other: Any) -> bool:
        return self._pure.is_relative_to(fspath(other))

    def is_absolute(self) -> bool:
        return self._pure.is_absolute()

    def as_posix(self) -> str:
        return str(self._pure)

    def match(self, pattern: Any) -> bool:
        return fnmatches(self._pure.name, PurePosixPath(fspath(pattern)).name)


class Path(PurePath):
    """`pathlib.Path`, which is a PosixPath: with the files of the run behind it."""

    __module__ = "pathlib"
    __program__ = True

    def resolve(self, strict: bool = False) -> Path:
        return type(self)(files.absolute(str(self)))

    def absolute(self) -> Path:
        return type(self)(files.working_folder(), self)

    def expanduser(self) -> Path:
        return type(self)(files.HOME, *self._pure.parts[1:]) if self._pure.parts[:1] == ("~",) else self

    @staticmethod
    def cwd() -> Path:
        return Path(files.working_folder())

    @staticmethod
    def home() -> Path:
        return Path(files.HOME)

    def exists(self) -> bool:
        return exists(str(self))

    def is_file(self) -> bool:
        return content_of(str(self)) is not None

    def is_dir(self) -> bool:
        return is_folder(str(self))

    def mkdir(self, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        files.make_folder(str(self), bool(parents), bool(exist_ok))

    def rmdir(self) -> None:
        files.remove_folder(str(self), False)

    def unlink(self, missing_ok: bool = False) -> None:
        if not missing_ok or self.exists():
            files.remove(str(self))

    def touch(self, mode: int = 0o666, exist_ok: bool = True) -> None:
        if not self.exists():
            files.create(str(self))
        elif not exist_ok:
            raise failure("FileExistsError", str(self))

    def rename(self, target: Any) -> Path:
        files.rename(str(self), fspath(target))
        return type(self)(target)

    def open(self, mode: str = "r", *args: Any, **options: Any) -> Any:
        return opened(self, mode)

    def read_text(self, *args: Any, **options: Any) -> Any:
        return opened(self, "r").read()

    def read_bytes(self) -> Any:
        return opened(self, "rb").read()

    def write_text(self, data: Any, *args: Any, **options: Any) -> int:
        if not isinstance(data, str):
            raise TypeError(f"data must be str, not {type(data).__name__}")
        return opened(self, "w").write(data)

    def write_bytes(self, data: Any) -> int:
        return opened(self, "wb").write(data)

    def iterdir(self) -> Iterator[Path]:
        return iter([type(self)(self, name) for name in files.names_in(str(self))])

    def glob(self, pattern: Any) -> Iterator[Path]:
        return iter([type(self)(path) for path in glob(fspath(pattern), True, str(self))])

    def rglob(self, pattern: Any) -> Iterator[Path]:
        return self.glob(f"**/{fspath(pattern)}")

    def stat(self) -> Module:
        return Module.of("os.stat_result", {"st_size": size_of(str(self)), "st_mtime": 0.0})


Path.__name__ = Path.__qualname__ = "PosixPath"
PurePath.__name__ = PurePath.__qualname__ = "PurePosixPath"
files.Path.append(lambda path: str(path) if isinstance(path, PurePath) else None)

MODULES: dict[str, dict[str, Any]] = {
    "pathlib": {"Path": Path, "PosixPath": Path, "PurePath": PurePath, "PurePosixPath": PurePath}
}
