"""The files of a run: what the program itself has written, in memory. There are no others, and none outlives the run.

`session.files` holds them by absolute path: a `Content`, or FOLDER.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.charges import grow, made, scanned
from engine.program.exceptions import EXCEPTIONS, host_exception, trail
from engine.program.operators import items
from engine.program.text import represent

FOLDER = "a folder"
HOME = "/home/user"
THERE = frozenset({"/", "/tmp", "/home", HOME})
"""The folders of an empty world."""
_ERRNO = {
    "FileNotFoundError": (2, "No such file or directory"), "FileExistsError": (17, "File exists"),
    "NotADirectoryError": (20, "Not a directory"), "IsADirectoryError": (21, "Is a directory"),
    "OSError": (39, "Directory not empty"),
}  # fmt: skip
_HINT = (
    "Programs see no files here but those that they write themselves: put the data into the program, as text, a list or"
    " a tensor."
)

Path: list[Callable[[Any], str | None]] = []
"""What else names a file than a text: `pathlib` has it."""


class Content:
    """What is in a file: pieces of text or bytes, or objects that `torch.save` and `pickle` have put there."""

    __slots__ = ("pieces", "size")

    def __init__(self) -> None:
        self.pieces: list[Any] = []
        self.size = 0

    def put(self, piece: Any, size: int) -> None:
        """Add to the end of the file."""
        self.pieces.append(piece)
        self.size += size

    def data(self) -> str | bytes:
        """All of it. Raises OSError for objects."""
        if len(self.pieces) > 1:
            kind = type(self.pieces[0])
            if all(type(piece) is kind for piece in self.pieces) and kind in (str, bytes):
                meter.charge(1 + (self.size >> 6) + len(self.pieces) // 32)
                self.pieces = [kind().join(self.pieces)]
        whole = self.pieces[0] if self.pieces else ""
        if len(self.pieces) > 1 or type(whole) not in (str, bytes):
            raise OSError("objects in a file have no bytes here: read them with what wrote them")
        return whole


class Kept:
    """An object in a file."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def failure(kind: str, *names: str) -> BaseException:
    """The OSError of this kind for these paths, with Python's number and text."""
    error = host_exception(EXCEPTIONS[kind](*_ERRNO[kind], *names[:1], *((None, names[1]) if names[1:] else ())))
    if kind == "FileNotFoundError":
        trail(error).hint = _HINT
    return error


def missing(words: str) -> BaseException:
    """FileNotFoundError in the words of a library."""
    error = host_exception(EXCEPTIONS["FileNotFoundError"](words))
    trail(error).hint = _HINT
    return error


def fspath(path: Any) -> str:
    """The text of a path. Raises TypeError for what is none."""
    if isinstance(path, str):
        meter.check_length(len(path))
        scanned(8 * len(path))
        return path
    for named in Path:
        text = named(path)
        if text is not None:
            return text
    raise TypeError(f"expected str, bytes or os.PathLike object, not {type(path).__name__}")


def names_file(value: Any) -> bool:
    """Whether a value is a path."""
    return isinstance(value, str) or any(named(value) is not None for named in Path)


def absolute(path: str) -> str:
    """The path as files are kept under it."""
    return "/" + posixpath.normpath(posixpath.join(working_folder(), path)).strip("/")


def working_folder() -> str:
    """`os.getcwd()`."""
    found: str = sessions.active.settings.get(("os", "getcwd"), HOME)
    return found


def change_folder(path: str) -> None:
    """`os.chdir`. Raises OSError."""
    if not is_folder(path):
        raise failure("NotADirectoryError" if exists(path) else "FileNotFoundError", path)
    sessions.active.settings["os", "getcwd"] = absolute(path)


def is_folder(path: str) -> bool:
    """Whether there is a folder of this path."""
    place = absolute(path)
    return place in THERE or sessions.active.files.get(place) is FOLDER


def content_of(path: str) -> Content | None:
    """What is in the file of this path, if there is one."""
    found = sessions.active.files.get(absolute(path))
    return None if found is FOLDER else found


def exists(path: str) -> bool:
    """Whether there is a file or folder of this path."""
    return content_of(path) is not None or is_folder(path)


def create(path: str) -> Content:
    """An empty file in place of what was there. Raises OSError where its folder is missing."""
    place = absolute(path)
    if is_folder(place):
        raise failure("IsADirectoryError", path)
    if not is_folder(posixpath.dirname(place)):
        raise failure("FileNotFoundError", path)
    meter.charge(1 + (len(place) >> 6))
    made = sessions.active.files[place] = Content()
    return made


def make_folder(path: str, parents: bool, exist_ok: bool) -> None:
    """`os.mkdir`, with the folders that lead there if `parents`. Raises OSError."""
    place = absolute(path)
    if exists(place):
        if not (exist_ok and is_folder(place)):
            raise failure("FileExistsError", path)
        return
    above = posixpath.dirname(place)
    if content_of(above) is not None:
        raise failure("NotADirectoryError", path)
    if not is_folder(above):
        if not parents:
            raise failure("FileNotFoundError", path)
        meter.charge(1 + (len(place) >> 6))
        make_folder(above, True, True)
    meter.charge(1 + (len(place) >> 6))
    sessions.active.files[place] = FOLDER


def names_in(path: str) -> list[str]:
    """The names in a folder, sorted. Raises OSError."""
    place = absolute(path)
    if not is_folder(place):
        raise failure("NotADirectoryError" if exists(place) else "FileNotFoundError", path)
    inside = place.rstrip("/") + "/"
    every = [*sessions.active.files, *THERE]
    made(len(every))
    return sorted({known[len(inside) :].partition("/")[0] for known in every if known.startswith(inside)} - {""})


def remove(path: str) -> None:
    """`os.remove`. Raises OSError."""
    if is_folder(path):
        raise failure("IsADirectoryError", path)
    if content_of(path) is None:
        raise failure("FileNotFoundError", path)
    del sessions.active.files[absolute(path)]


def remove_folder(path: str, whole: bool) -> None:
    """`os.rmdir`, or with everything in it. Raises OSError."""
    inside = names_in(path)
    if inside and not whole:
        raise failure("OSError", path)
    place = absolute(path)
    for known in [known for known in sessions.active.files if known == place or known.startswith(place + "/")]:
        del sessions.active.files[known]


def rename(source: str, target: str) -> None:
    """`os.rename`. Raises OSError."""
    if not exists(source) or not is_folder(posixpath.dirname(absolute(target))):
        raise failure("FileNotFoundError", source, target)
    start, end, files = absolute(source), absolute(target), sessions.active.files
    made(len(files))
    for known in [known for known in files if known == start or known.startswith(start + "/")]:
        files[end + known[len(start) :]] = files.pop(known)


class Stream:
    """What streams share: they can be closed and used in a `with`."""

    __module__ = "_io"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()
    closed = False

    def close(self) -> None:
        self.closed = True

    def flush(self) -> None:
        """Nothing waits to be written."""

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def lines_of(stream: Any) -> Iterator[Any]:
    """The lines that are left of what has `readline`."""
    while line := stream.readline():
        meter.charge(1)
        yield line


def next_line(stream: Any) -> Any:
    """The next of them. Raises StopIteration."""
    line = stream.readline()
    if not line:
        raise StopIteration
    return line


class TextIOWrapper(Stream):
    """An open file of text."""

    __module__ = "_io"
    __program__ = True
    encoding = "UTF-8"
    _data: Any = str
    _passing = False  # removed when it is closed

    def __init__(self, name: Any, mode: str, content: Content) -> None:
        self.name, self.mode = name, mode
        self._content, self._at = content, 0
        self._seen: Any = None  # what was last read in the other kind: bytes, and their text
        if "a" in mode:
            self._at = len(self._whole())

    def _whole(self) -> Any:
        data = self._content.data()
        if type(data) is self._data:
            return data
        if self._seen is None or self._seen[0] is not data:
            meter.charge(len(data) >> 6)
            self._seen = data, data.decode() if isinstance(data, bytes) else data.encode()
        return self._seen[1]

    def _ask(self, what: str, modes: str) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file.")
        if not set(modes) & set(self.mode):
            raise host_exception(UNSUPPORTED(f"not {what}"))

    def close(self) -> None:
        super().close()
        if self._passing and content_of(self.name) is self._content:
            remove(self.name)

    def writable(self) -> bool:
        return bool(set("wax+") & set(self.mode))

    def readable(self) -> bool:
        return bool(set("r+") & set(self.mode))

    def write(self, text: Any) -> int:
        self._ask("writable", "wax+")
        if not isinstance(text, self._data):
            self._refuse(text)
        grow(len(text))
        meter.charge(1)
        content = self._content
        if "+" not in self.mode:
            content.put(text, len(text))
        else:
            whole = self._whole()
            grow(len(whole) + len(text))
            meter.charge(len(whole) >> 6)
            content.pieces = [whole[: self._at] + text + whole[self._at + len(text) :]]
            content.size = len(content.pieces[0])
        self._at += len(text)
        return len(text)

    def _refuse(self, text: Any) -> None:
        raise TypeError(f"write() argument must be str, not {type(text).__name__}")

    def writelines(self, lines: Any) -> None:
        for line in items(lines):
            self.write(line)

    def read(self, size: int | None = -1) -> Any:
        self._ask("readable", "r+")
        whole = self._whole()
        end = len(whole) if size is None or size < 0 else self._at + size
        found = whole[self._at : end]
        grow(len(found))
        self._at += len(found)
        return found

    def readline(self) -> Any:
        self._ask("readable", "r+")
        whole = self._whole()
        end = whole.find("\n" if self._data is str else b"\n", self._at)
        return self.read(-1 if end < 0 else end + 1 - self._at)

    def readlines(self) -> list[Any]:
        found: list[Any] = self.read().splitlines(keepends=True)
        made(len(found))
        return found

    def seek(self, offset: int, whence: int = 0) -> int:
        start = (0, self._at, self._content.size)[whence]
        self._at = max(0, start + offset)
        return self._at

    def tell(self) -> int:
        return self._at

    def __iter__(self) -> Iterator[Any]:
        return lines_of(self)

    def __next__(self) -> Any:
        return next_line(self)

    def __repr__(self) -> str:
        return f"<_io.TextIOWrapper name={represent(self.name)} mode={represent(self.mode)} encoding='UTF-8'>"


class Binary(TextIOWrapper):
    """An open file of bytes, or of objects: each read by what wrote it."""

    __module__ = "_io"
    __program__ = True
    _data = bytes

    def _refuse(self, text: Any) -> None:
        raise TypeError(f"a bytes-like object is required, not '{type(text).__name__}'")

    def keep(self, value: Any, size: int) -> None:
        """Write an object."""
        self._ask("writable", "wax+")
        self._content.put(Kept(value), size)
        self._at = len(self._content.pieces)

    def kept(self) -> Any:
        """The next object. Raises EOFError where there is none."""
        self._ask("readable", "r+")
        pieces = self._content.pieces
        if self._at >= len(pieces) or type(pieces[self._at]) is not Kept:
            raise EOFError("Ran out of input")
        self._at += 1
        return pieces[self._at - 1].value

    def __repr__(self) -> str:
        kind = "BufferedReader" if self.mode == "rb" else "BufferedWriter"
        return f"<_io.{kind} name={represent(self.name)}>"


TextIOWrapper.__qualname__ = "TextIOWrapper"
Binary.__name__ = Binary.__qualname__ = "BufferedReader"
UNSUPPORTED: Any = type("UnsupportedOperation", (EXCEPTIONS["OSError"], EXCEPTIONS["ValueError"]), {"__module__": "io"})


def opened(file: Any, mode: Any = "r", *args: Any, **kwargs: Any) -> TextIOWrapper:
    """`open(file, mode)`. Raises OSError, and ValueError for a mode that is none."""
    path = fspath(file)
    kinds = set(mode) if isinstance(mode, str) else set()
    if not kinds or kinds - set("rwxabt+") or len(kinds) != len(mode) or {"b", "t"} <= kinds:
        raise ValueError(f"invalid mode: {represent(mode)}")
    if len(kinds & set("rwxa")) != 1:
        raise ValueError("must have exactly one of create/read/write/append mode")
    content = content_of(path)
    if "x" in kinds and content is not None:
        raise failure("FileExistsError", path)
    if "r" in kinds:
        if is_folder(path):
            raise failure("IsADirectoryError", path)
        if content is None:
            raise failure("FileNotFoundError", path)
    elif content is None or "w" in kinds:
        content = create(path)
    return (Binary if "b" in kinds else TextIOWrapper)(file, mode, content)
