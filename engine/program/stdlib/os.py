"""`os`, `os.path`, `shutil`, `glob` and `platform` over the files of the run (`engine.program.files`), in a world that
has nothing else in it."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from typing import Any

from engine.limits import meter
from engine.program.charges import grow, made
from engine.program.files import (
    HOME,
    Content,
    absolute,
    change_folder,
    content_of,
    create,
    exists,
    failure,
    fspath,
    is_folder,
    make_folder,
    names_file,
    names_in,
    remove,
    remove_folder,
    rename,
    working_folder,
)
from engine.program.operators import guard_key
from engine.program.stdlib import find
from engine.program.values import Builtin, Module


def _nothing(*args: Any, **kwargs: Any) -> None:
    return None


def _join(path: Any, *parts: Any) -> str:
    texts = [fspath(path)]
    for part in parts:
        if not names_file(part):
            kind = type(part).__name__
            raise TypeError(f"join() argument must be str, bytes, or os.PathLike object, not '{kind}'")
        texts.append(fspath(part))
    grow(sum(map(len, texts)) + len(texts))
    return posixpath.join(*texts)


def _of_path(native: Callable[[str], Any]) -> Callable[[Any], Any]:
    return lambda path: native(fspath(path))


def _asking(test: Callable[[str], bool]) -> Callable[[Any], bool]:
    """A question about a path, which is False for what no path can be."""

    def ask(path: Any) -> bool:
        return test(fspath(path))

    return ask


def size_of(path: str) -> int:
    """Bytes of a file. Raises OSError."""
    content = content_of(path)
    if content is None:
        if is_folder(path):
            return 4096
        raise failure("FileNotFoundError", path)
    return content.size


def _listdir(path: Any = ".") -> list[str]:
    return names_in(fspath(path))


def _makedirs(name: Any, mode: int = 0o777, exist_ok: bool = False) -> None:
    make_folder(fspath(name), True, bool(exist_ok))


def _mkdir(path: Any, mode: int = 0o777) -> None:
    make_folder(fspath(path), False, False)


def _walk(top: Any, topdown: bool = True, **options: Any) -> Iterator[tuple[str, list[str], list[str]]]:
    path = fspath(top)
    if not is_folder(path):
        return
    names = names_in(path)
    meter.charge(1 + len(names))
    folders = [name for name in names if is_folder(f"{path}/{name}")]
    row = path, folders, [name for name in names if name not in folders]
    if topdown:
        yield row
    for name in folders:
        yield from _walk(posixpath.join(path, name), topdown)
    if not topdown:
        yield row


def _environment_get(name: str, default: Any = None) -> Any:
    guard_key(name)
    return find("os").find("environ").get(name, default)


_PATH: dict[str, Any] = {
    "join": Builtin("join", _join),
    "exists": Builtin("exists", _asking(exists)),
    "isfile": Builtin("isfile", _asking(lambda path: content_of(path) is not None)),
    "isdir": Builtin("isdir", _asking(is_folder)),
    "islink": Builtin("islink", _asking(lambda path: False)),
    "getsize": Builtin("getsize", _of_path(size_of)),
    "abspath": Builtin("abspath", _of_path(absolute)),
    "realpath": Builtin("realpath", _of_path(absolute)),
    "expanduser": Builtin("expanduser", _of_path(lambda path: HOME + path[1:] if path[:1] == "~" else path)),
    "expandvars": Builtin("expandvars", fspath),
    "relpath": Builtin(
        "relpath", lambda path, start=".": posixpath.relpath(absolute(fspath(path)), absolute(fspath(start)))
    ),
    **{
        name: Builtin(name, _of_path(getattr(posixpath, name)))
        for name in ("basename", "dirname", "split", "splitext", "normpath", "isabs")
    },
    "sep": "/",
    "pardir": "..",
    "curdir": ".",
}


# --- shutil and glob


def _rmtree(path: Any, ignore_errors: bool = False, **options: Any) -> None:
    if is_folder(fspath(path)):
        remove_folder(fspath(path), True)
    elif not ignore_errors:
        raise failure("NotADirectoryError" if exists(fspath(path)) else "FileNotFoundError", fspath(path))


def _copy(src: Any, dst: Any) -> Any:
    source, target = fspath(src), fspath(dst)
    found = content_of(source)
    if found is None:
        raise failure("IsADirectoryError" if is_folder(source) else "FileNotFoundError", source)
    if is_folder(target):
        target = posixpath.join(target, posixpath.basename(source))
    copied: Content = create(target)
    made(len(found.pieces))
    copied.pieces, copied.size = list(found.pieces), found.size
    return target


def _move(src: Any, dst: Any) -> str:
    source, target = fspath(src), fspath(dst)
    if is_folder(target):
        target = posixpath.join(target, posixpath.basename(source))
    rename(source, target)
    return target


def glob(pattern: str, recursive: bool, root: str = "") -> list[str]:
    """The paths that a pattern of `*`, `?`, `[…]` and `**` fits, below `root`, sorted."""
    parts = [part for part in pattern.split("/") if part]
    if len(parts) > 32:
        raise ValueError("a pattern has 32 parts at most here")
    found = ["/" if pattern.startswith("/") else root]
    for part in parts:
        following: list[str] = []
        for base in found:
            if part == "**" and recursive:
                following += [base, *_below(base)]
            elif any(sign in part for sign in "*?["):
                following += [posixpath.join(base, name) for name in _matching(base, part)]
            elif exists(posixpath.join(base, part)):
                following.append(posixpath.join(base, part))
        meter.charge(1 + len(following))
        found = list(dict.fromkeys(following))
    return sorted(path for path in found if path)


def _below(base: str) -> list[str]:
    return [posixpath.join(top, name) for top, folders, _ in _walk(base or ".") for name in folders]


def _matching(base: str, part: str) -> list[str]:
    if not is_folder(base or "."):
        return []
    names = [name for name in names_in(base or ".") if part[:1] == "." or name[:1] != "."]
    meter.charge(1 + sum(map(len, names)) * part.count("*") ** 2 // 64)
    return [name for name in names if fnmatches(name, part)]


def fnmatches(name: str, pattern: str) -> bool:
    """Whether a name fits a pattern of `*`, `?` and `[…]`; a regular expression's work would have no bound."""
    signs = list(_signs(pattern))
    at = sign = 0
    star, resumed = -1, 0
    while at < len(name):
        meter.charge(1 if not at & 63 else 0)
        if sign < len(signs) and signs[sign][0] == "*":
            star, resumed, sign = sign, at, sign + 1
        elif sign < len(signs) and _fits(signs[sign], name[at]):
            at, sign = at + 1, sign + 1
        elif star >= 0:
            resumed += 1
            at, sign = resumed, star + 1
            meter.charge(1)
        else:
            return False
    return all(kind == "*" for kind, _, _ in signs[sign:])


def _signs(pattern: str) -> Iterator[tuple[str, bool, str]]:
    meter.check_length(len(pattern))
    meter.charge(1 + (len(pattern) >> 4))
    at = 0
    while at < len(pattern):
        sign = pattern[at]
        end = pattern.find("]", at + 2) if sign == "[" else -1
        if sign in "*?":
            yield sign, False, ""
        elif end > 0:
            inside = pattern[at + 1 : end]
            yield "[", inside[0] == "!", inside.lstrip("!") if inside[0] == "!" else inside
            at = end
        else:
            yield "c", False, sign
        at += 1


def _fits(sign: tuple[str, bool, str], letter: str) -> bool:
    kind, negated, members = sign
    if kind != "[":
        return kind == "?" or letter == members
    inside = letter in members or any(
        members[i] == "-" and members[i - 1] <= letter <= members[i + 1] for i in range(1, len(members) - 1)
    )
    return inside != negated


def _system(command: Any) -> int:
    raise NotImplementedError("os.system starts no commands here: leave the line out")


def _glob(pathname: Any, *, root_dir: Any = None, recursive: bool = False, **options: Any) -> list[str]:
    return glob(fspath(pathname), bool(recursive), "" if root_dir is None else fspath(root_dir))


_UNAME = {"system": "Linux", "node": "backlight", "release": "", "version": "", "machine": "x86_64", "processor": ""}

MODULES: dict[str, dict[str, Any]] = {
    "os": {
        "environ": {},
        "getenv": Builtin("getenv", _environment_get),
        "getcwd": Builtin("getcwd", working_folder),
        "chdir": Builtin("chdir", lambda path: change_folder(fspath(path))),
        "cpu_count": Builtin("cpu_count", lambda: 1),
        "getpid": Builtin("getpid", lambda: 1),
        "system": Builtin("system", _system),
        "name": "posix",
        "sep": "/",
        "linesep": "\n",
        "pathsep": ":",
        "curdir": ".",
        "pardir": "..",
        "devnull": "/dev/null",
        "F_OK": 0, "R_OK": 4, "W_OK": 2, "X_OK": 1,
        "path": Module.of("os.path", _PATH),
        "fspath": Builtin("fspath", fspath),
        "access": Builtin("access", lambda path, mode=0: exists(fspath(path))),
        "listdir": Builtin("listdir", _listdir),
        "makedirs": Builtin("makedirs", _makedirs),
        "mkdir": Builtin("mkdir", _mkdir),
        "remove": Builtin("remove", _of_path(remove)),
        "unlink": Builtin("unlink", _of_path(remove)),
        "rmdir": Builtin("rmdir", lambda path: remove_folder(fspath(path), False)),
        "rename": Builtin("rename", lambda src, dst: rename(fspath(src), fspath(dst))),
        "replace": Builtin("replace", lambda src, dst: rename(fspath(src), fspath(dst))),
        "walk": Builtin("walk", lambda top, topdown=True, **options: list(_walk(fspath(top), topdown))),
    },
    "os.path": _PATH,
    "shutil": {
        "rmtree": Builtin("rmtree", _rmtree),
        "copy": Builtin("copy", _copy), "copyfile": Builtin("copyfile", _copy), "copy2": Builtin("copy2", _copy),
        "move": Builtin("move", _move),
    },
    "glob": {
        "glob": Builtin("glob", _glob),
        "iglob": Builtin("iglob", lambda *args, **options: iter(_glob(*args, **options))),
    },
    "fnmatch": {
        "fnmatch": Builtin("fnmatch", lambda name, pat: fnmatches(fspath(name), fspath(pat))),
        "fnmatchcase": Builtin("fnmatchcase", lambda name, pat: fnmatches(fspath(name), fspath(pat))),
        "filter": Builtin("filter", lambda names, pat: [name for name in names if fnmatches(fspath(name), pat)]),
    },
    "platform": {
        **{name: Builtin(name, lambda text=text: text) for name, text in _UNAME.items()},
        "python_version": Builtin("python_version", lambda: "3.11.0"),
        "python_implementation": Builtin("python_implementation", lambda: "CPython"),
        "platform": Builtin("platform", lambda *args: "Linux-x86_64"),
    },
}  # fmt: skip
