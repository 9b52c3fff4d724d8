"""What a program did: what it printed and was warned of, its variables, and the error that ended it."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, TracebackType
from typing import Any, TypeGuard, TypeVar

from engine.core.state import state
from engine.document.limits import class_name, plain
from engine.errors.explained import owners
from engine.limits import ENDLESS, LimitExceeded, Limits
from engine.program.errors import HINT, Error, Frame
from engine.program.places import ENGINE, FILE, Places
from engine.program.source import syntax_error
from engine.program.watch import Watch, is_programs
from engine.trace import Recorder

E = TypeVar("E", bound=BaseException)

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+(?=[> ;,])")
LOCATION = re.compile(r"\((?!/home/user/)/[^()]*\)$")
"""Where this machine has a module, at the end of an error; those that a program writes are in its own folder."""
CUT = "\n… output cut here: the program printed more than {:,} characters\n"
TRACEBACK = 40
"""Longest traceback reported; what is between its ends is left out."""
_INLINED = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>"})
"""Frames that Python has no more since 3.12."""
_HIDDEN = (PendingDeprecationWarning, ImportWarning, ResourceWarning)


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning the program would have shown."""

    category: str
    message: str
    line: int | None
    kind: Any = None  # the class, and the warning itself where the program made it: while the program runs
    value: Any = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a program did.

    `globals` are its top-level variables in the order of the source. `truncated` names the limit that cut the output,
    if one did.
    """

    stdout: str
    warnings: list[Warned]
    error: Error | None
    globals: dict[str, Any] = field(repr=False)
    fuel_used: int
    truncated: str | None


def _without_addresses(text: str) -> str:
    """Memory addresses in reprs are written as 0xADDR, as recorded answers of PyTorch have them: they mean nothing
    outside a process, and the same program is to give the same document."""
    text = plain(text)
    return ADDRESS.sub(" at 0xADDR", text) if " at 0x" in text else text


class Output(io.TextIOBase):
    """`sys.stdout` of a program: what it prints, up to the limit, without addresses."""

    encoding = "utf-8"
    errors = "strict"
    name, mode = "<stdout>", "w"

    def __init__(self, limits: Limits, recorder: Recorder | None) -> None:
        self.parts: list[str] = []
        self.truncated: str | None = None
        self._limit = self._left = limits.output_chars
        self._recorder = recorder
        self.buffer = _Bytes(self)

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        self.keep(text, piece=True)
        return len(text)

    def keep(self, text: str, piece: bool = False) -> None:
        """Keep what is printed; `piece`: what the same call of the program writes next belongs to it."""
        if self._left <= 0:
            return
        text = _without_addresses(text)
        if len(text) > self._left:
            text = text[: self._left] + CUT.format(self._limit)
            self._left = 0
            self.truncated = "output_chars"
        else:
            self._left -= len(text)
        self.parts.append(text)
        if self._recorder is not None:
            self._recorder.print(text, piece)


class _Bytes(io.BufferedIOBase):
    """What a program writes in bytes."""

    def __init__(self, text: io.TextIOBase) -> None:
        self._text = text

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self._text.write(bytes(data).decode("utf-8", "replace"))
        return len(data)


class Warnings:
    """The warnings of a run, once per line and text, as Python's default filter shows them."""

    def __init__(self, recorder: Recorder | None) -> None:
        self.shown: list[Warned] = []
        self._recorder = recorder
        self._seen: set[tuple[str, str, int | None]] = set()

    def notice(self, message: str, line: int | None = None) -> None:
        """Tell the user something about this service, once; of the line that runs, unless it is of another."""
        if ("notice", message, None) not in self._seen:
            self._seen.add(("notice", message, None))
            line = line or self._line("", 0)
            self.shown.append(Warned("BacklightNotice", message, line))
            self._record("BacklightNotice", message, line)

    def _record(self, category: str, message: str, line: int | None) -> None:
        if self._recorder is not None:
            self._recorder.warning(category, message, line)

    def _line(self, file: str, lineno: int) -> int | None:
        """The line that runs; or, of a program that is being compiled, the one that was named."""
        if state.position is not None:
            return state.position[0]
        return lineno if file == FILE else None

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """While this is open, what is warned of is kept."""
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            ours = warnings.filters[0]

            def show(message: Any, category: Any, file: str, lineno: int, *more: Any) -> None:
                text, line = _without_addresses(str(message)), self._line(file, lineno)
                if _first_filter(text, category) is ours:
                    if issubclass(category, _HIDDEN) or (category.__name__, text, line) in self._seen:
                        return
                    if issubclass(category, DeprecationWarning) and not _is_ours(file):
                        return
                    self._seen.add((category.__name__, text, line))
                self.shown.append(Warned(category.__name__, text, line))
                self._record(category.__name__, text, line)

            def pass_on(message: Any) -> None:
                if warnings.showwarning is not showing:  # the program collects them itself
                    line = self._line(message.filename, message.lineno)
                    self._record(message.category.__name__, _without_addresses(str(message.message)), line)
                told(message)

            showing: Any = show
            told = warnings._showwarnmsg  # type: ignore[attr-defined]
            warnings._showwarnmsg = pass_on  # type: ignore[attr-defined]
            warnings.showwarning = showing
            try:
                yield
            finally:
                warnings._showwarnmsg = told  # type: ignore[attr-defined]


def _first_filter(text: str, category: type[Warning]) -> object:
    for entry in warnings.filters:
        _, pattern, kind, module, line = entry
        if issubclass(category, kind) and (pattern is None or pattern.match(text)) and module is None and not line:
            return entry
    return None


def _is_ours(filename: str) -> bool:
    """Whether a warning is about what the program itself does."""
    return filename == FILE or filename.startswith(ENGINE)


def failed(
    exception: BaseException, places: Places, suggest: Callable[[BaseException], str | None], watch: Watch
) -> Error | None:
    """How an error is told; None for one that only ends the program. Runs code of the program: that of `str()`."""
    if _is(exception, SystemExit) and _code_of(exception) in (None, 0):
        return None
    if _is(exception, LimitExceeded):
        turns = watch.reached if exception.limit in ENDLESS else None
        where = _where(watch.stood, places)
        return Error("LimitExceeded", str(exception), *where, limit=exception.limit, turns=turns)
    where = _where(_left(_traceback_of(exception)), places)
    if where[0] is None:
        if _is(exception, SyntaxError):
            return syntax_error(exception)
        if _is(exception, ValueError):
            return Error("SyntaxError", "the program's text contains characters that cannot be encoded", 1, 0, 1, 0)
        if _is(exception, RecursionError) or _is(exception, MemoryError):
            return Error("SyntaxError", "too many nested parentheses or blocks", 1, 0, 1, 0)
    hint = suggestion = None
    try:
        text = _without_addresses(str(exception))
    except LimitExceeded as limit:
        return failed(limit, places, suggest, watch)
    except BaseException:
        text = "<exception str() failed>"
    if _is(exception, ImportError):
        text = LOCATION.sub("(unknown location)", text)
    try:
        hint = getattr(exception, HINT, None) if _is(exception, ImportError) else None
        suggestion = suggest(exception)
    except LimitExceeded as limit:
        return failed(limit, places, suggest, watch)
    except BaseException:  # of an attribute that the program has made
        pass
    return Error(class_name(type(exception)), text, *where, hint, suggestion=suggestion, owners=owners(exception))


def _is(exception: BaseException, kind: type[E]) -> TypeGuard[E]:
    """Whether an exception is of this kind. `isinstance` would ask what its program has made of `__class__`."""
    return issubclass(type(exception), kind)


_traceback_of: Any = vars(BaseException)["__traceback__"].__get__


def _code_of(exception: BaseException) -> int | str | None:
    """What a program ends with, if that is a number; words for all else, which Python prints."""
    code = vars(SystemExit)["code"].__get__(exception)
    return code if code is None or type(code) in (int, bool) else "other"


def _left(traceback: TracebackType | None) -> Iterator[tuple[CodeType, int]]:
    """What the frames of the program did that an error has left, the innermost last."""
    while traceback is not None:
        code, following = traceback.tb_frame.f_code, traceback.tb_next
        if is_programs(code, None if following is None else following.tb_frame):
            yield code, traceback.tb_lasti
        traceback = following


def _where(
    stood: Iterable[tuple[CodeType, int]], places: Places
) -> tuple[int | None, int | None, int | None, int | None, list[Frame]]:
    """Where the innermost frame of the program stood, and all of them, outermost first."""
    found = [
        (at, code.co_name)
        for code, last in stood
        if code.co_name not in _INLINED and (at := places.of(code, last)) is not None
    ]
    frames = [Frame(at[0], name) for at, name in found]
    if len(frames) > TRACEBACK:
        frames = frames[: TRACEBACK // 2] + frames[-TRACEBACK // 2 :]
    return (*(found[-1][0] if found else (None, None, None, None)), frames)
