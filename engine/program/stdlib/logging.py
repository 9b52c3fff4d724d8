"""`logging`: records that go through loggers to handlers. What goes to stderr is no part of a run's output."""

from __future__ import annotations

import re
import time
from typing import Any

from engine.core.state import state
from engine.limits import meter
from engine.program import session as sessions
from engine.program.admission import value_of
from engine.program.attributes import read
from engine.program.calls import call, callable_value
from engine.program.charges import grow, keyed, scanned, written
from engine.program.exceptions import EXCEPTIONS, ExceptionValue
from engine.program.files import opened
from engine.program.operators import items
from engine.program.stdlib.traceback import pieces
from engine.program.str_format import format_method
from engine.program.text import percent, represent, to_text
from engine.program.values import UNSET, Builtin, Module, nested

CRITICAL, ERROR, WARNING, INFO, DEBUG, NOTSET = 50, 40, 30, 20, 10, 0
_LEVELS = {50: "CRITICAL", 40: "ERROR", 30: "WARNING", 20: "INFO", 10: "DEBUG", 0: "NOTSET"}
_BASIC = "%(levelname)s:%(name)s:%(message)s"
_EPOCH = 1_700_000_000.0
_DOLLAR = re.compile(r"\$(?:(\$)|\{(\w+)\}|(\w+))")


def _ask(target: Any, name: str, *args: Any) -> Any:
    """A method of an object, which the program may have put there."""
    return call(read(target, name), args, None)


def _list(values: Any) -> list[Any]:
    """The handlers or filters of an object, which the program may have replaced."""
    meter.charge(1 + (len(values) >> 5 if type(values) is list else 0))
    return list(items(values))


class Manager:
    """All loggers of a run."""

    __module__ = "logging"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self) -> None:
        self.loggerDict: dict[str, Any] = {}
        self.disable = 0
        self._names = dict(_LEVELS)
        self._root = Logger("root", WARNING)


def _manager() -> Manager:
    settings = sessions.active.settings
    found: Manager | None = settings.get(("logging", "manager"))
    if found is None:
        found = settings["logging", "manager"] = Manager()
    return found


def _level_name(level: Any) -> Any:
    names = _manager()._names
    if level in names:
        return names[level]
    numbers = {name: number for number, name in names.items()}
    return numbers[level] if level in numbers else f"Level {to_text(level)}"


def _add_level_name(level: Any, levelName: Any) -> None:  # noqa: N803 - Python's name
    meter.charge(8 + len(_manager()._names))
    _manager()._names[int(level)] = to_text(levelName)


def _level(level: Any) -> int:
    if isinstance(level, int):
        return level
    if not isinstance(level, str):
        raise TypeError(f"Level not an integer or a valid string: {represent(level)}")
    for number, name in _manager()._names.items():
        if name == level:
            return number
    if level in ("WARN", "FATAL"):
        return WARNING if level == "WARN" else CRITICAL
    raise ValueError(f"Unknown level: {represent(level)}")


class LogRecord:
    """One thing that was said."""

    __module__ = "logging"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(
        self, name: Any, level: Any, pathname: Any, lineno: Any, msg: Any, args: Any, exc_info: Any, func: Any = None,
        sinfo: Any = None,
    ) -> None:  # fmt: skip
        if isinstance(args, tuple) and len(args) == 1 and isinstance(args[0], dict) and args[0]:
            args = args[0]
        seconds = sessions.active.seconds()
        self.name, self.msg, self.args = name, msg, args
        self.levelno, self.levelname = level, _level_name(level)
        self.pathname, self.filename, self.module = pathname, pathname, "program"
        self.exc_info, self.exc_text, self.stack_info = exc_info, None, sinfo
        self.lineno, self.funcName = lineno, func
        self.created, self.relativeCreated = _EPOCH + seconds, seconds * 1000
        self.msecs = float(int((self.created % 1) * 1000))
        self.thread, self.threadName, self.processName, self.process = 1, "MainThread", "MainProcess", 1

    def getMessage(self) -> str:  # noqa: N802 - Python's name
        text = to_text(self.msg)
        return percent(text, self.args) if self.args else text

    def __repr__(self) -> str:
        parts = f"{self.name}, {self.levelno}, {self.pathname}, {self.lineno}"
        return f'<LogRecord: {parts}, "{to_text(self.msg)}">'


def _record(record: Any) -> LogRecord:
    if not isinstance(record, LogRecord):
        raise TypeError(f"a record is a LogRecord here, not '{type(record).__name__}'")
    return record


def _named(given: Any) -> dict[str, Any]:
    """What is given beside a record, by public names."""
    if given is None:
        return {}
    if type(given) is not dict:
        raise TypeError(f"names and values are a dict here, not '{type(given).__name__}'")
    keyed(2 * len(given))
    for name in given:
        if not isinstance(name, str) or name.startswith("_"):
            raise KeyError(f"Attempt to overwrite {represent(name)} in LogRecord")
    return dict(given)


class Formatter:
    """What text a record becomes."""

    __module__ = "logging"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()
    default_time_format = "%Y-%m-%d %H:%M:%S"
    default_msec_format = "%s,%03d"

    def __init__(
        self, fmt: Any = None, datefmt: Any = None, style: Any = "%", validate: Any = True, *, defaults: Any = None
    ) -> None:
        if style not in ("%", "{", "$"):
            raise ValueError("Style must be one of: %,{,$")
        if fmt is not None and not isinstance(fmt, str):
            raise TypeError("expected string or bytes-like object, got '" + type(fmt).__name__ + "'")
        plain = {"%": "%(message)s", "{": "{message}", "$": "${message}"}[style]
        self._fmt, self._kind, self._defaults = fmt or plain, style, _named(defaults)
        self.datefmt = datefmt

    def usesTime(self) -> bool:  # noqa: N802 - Python's name
        scanned(len(self._fmt))
        return {"%": "%(asctime)", "{": "{asctime", "$": "asctime"}[self._kind] in self._fmt

    def formatTime(self, record: Any, datefmt: Any = None) -> str:  # noqa: N802 - Python's name
        at = time.gmtime(_record(record).created)
        if datefmt:
            return time.strftime(datefmt[:200], at)
        return f"{time.strftime(self.default_time_format[:200], at)},{int(record.msecs):03d}"

    def formatMessage(self, record: Any) -> str:  # noqa: N802 - Python's name
        values = {**self._defaults, **_record(record).__dict__}
        keyed(len(values))
        if self._kind == "%":
            return percent(self._fmt, values)
        if self._kind == "{":
            return format_method(self._fmt, (), values)
        written(4 * len(self._fmt))
        parts = [found[0] for found in _DOLLAR.finditer(self._fmt)]
        shown = ["$" if part == "$$" else to_text(values[part.strip("${}")]) for part in parts]
        grow(len(self._fmt) + sum(map(len, shown)))
        following = iter(shown)
        return _DOLLAR.sub(lambda found: next(following), self._fmt)

    def formatException(self, ei: Any) -> str:  # noqa: N802 - Python's name
        return "".join(pieces(ei[1] if isinstance(ei, tuple) else ei)).removesuffix("\n")

    def format(self, record: Any) -> str:
        record = _record(record)
        record.message = to_text(_ask(record, "getMessage"))
        if _ask(self, "usesTime"):
            record.asctime = _ask(self, "formatTime", record, self.datefmt)
        text = to_text(_ask(self, "formatMessage", record))
        if isinstance(record.exc_info, tuple) and len(record.exc_info) == 3 and record.exc_info[1] is not None:
            text += "\n" + to_text(_ask(self, "formatException", record.exc_info))
        grow(len(text))
        return text


class _Filtering:
    """Has filters: objects with `filter`, or functions."""

    __program__ = True
    __invisible__ = True
    __abstract__ = ()
    filters: list[Any]

    def addFilter(self, filter: Any) -> None:  # noqa: N802 - Python's name
        known = _list(self.filters)
        if not any(one is filter for one in known):
            self.filters = [*known, filter]

    def removeFilter(self, filter: Any) -> None:  # noqa: N802 - Python's name
        self.filters = [known for known in _list(self.filters) if known is not filter]

    def filter(self, record: Any) -> bool:
        for one in _list(self.filters):
            if not (call(one, (record,), None) if callable_value(one) else _ask(one, "filter", record)):
                return False
        return True


class Filter:
    """Lets the records of a logger and those below it pass."""

    __module__ = "logging"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, name: str = "") -> None:
        self.name = name

    def filter(self, record: Any) -> bool:
        name = to_text(_record(record).name)
        return not self.name or name == self.name or name.startswith(f"{self.name}.")


class Handler(_Filtering):
    """Takes records somewhere."""

    __module__ = "logging"
    __program__ = True
    __invisible__ = False

    def __init__(self, level: Any = NOTSET) -> None:
        self.level, self.filters = _level(level), []
        self.formatter: Any = None
        self.name: Any = None

    def setLevel(self, level: Any) -> None:  # noqa: N802 - Python's name
        self.level = _level(level)

    def setFormatter(self, fmt: Any) -> None:  # noqa: N802 - Python's name
        self.formatter = fmt

    def format(self, record: Any) -> str:
        return to_text(_ask(Formatter() if self.formatter is None else self.formatter, "format", record))

    def emit(self, record: Any) -> None:
        raise NotImplementedError("emit must be implemented by Handler subclasses")

    def handle(self, record: Any) -> Any:
        passes = _ask(self, "filter", record)
        if passes:
            _ask(self, "emit", record)
        return passes

    def handleError(self, record: Any) -> None:  # noqa: N802 - Python's name
        """Says on stderr what went wrong."""

    def flush(self) -> None:
        """Nothing waits to be written."""

    def close(self) -> None:
        """Nothing is held open."""

    def _place(self) -> str:
        return ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._place()}({_level_name(self.level)})>"


class StreamHandler(Handler):
    """Writes records to a stream; to stderr without one."""

    __module__ = "logging"
    __program__ = True
    terminator = "\n"

    def __init__(self, stream: Any = None) -> None:
        super().__init__()
        self.stream = stream

    def setStream(self, stream: Any) -> Any:  # noqa: N802 - Python's name
        before, self.stream = self.stream, stream
        return before if before is not stream else None

    def emit(self, record: Any) -> None:
        try:
            text = to_text(_ask(self, "format", record)) + to_text(self.terminator)
            if self.stream is not None:
                _ask(self.stream, "write", text)
        except RecursionError:
            raise
        except Exception as error:
            if not isinstance(value_of(error), EXCEPTIONS["Exception"]):
                raise
            _ask(self, "handleError", record)

    def _place(self) -> str:
        if self.stream is None:
            return "<stderr> "
        name = getattr(self.stream, "name", "")
        if type(self.stream) is Module:
            name = f"<{name.removeprefix('sys.')}>"
        return f"{to_text(name)} " if name else ""


class FileHandler(StreamHandler):
    """Writes records to a file of the run."""

    __module__ = "logging"
    __program__ = True

    def __init__(
        self, filename: Any, mode: Any = "a", encoding: Any = None, delay: Any = False, errors: Any = None
    ) -> None:
        super().__init__(opened(filename, mode))
        self.baseFilename = filename

    def close(self) -> None:
        _ask(self.stream, "close")


class NullHandler(Handler):
    """Takes records nowhere."""

    __module__ = "logging"
    __program__ = True

    def handle(self, record: Any) -> Any:
        return True

    def emit(self, record: Any) -> None:
        return None


class Logger(_Filtering):
    """What a program says something to."""

    __module__ = "logging"
    __program__ = True
    __invisible__ = False

    def __init__(self, name: Any, level: Any = NOTSET) -> None:
        self.name, self.level = name, _level(level)
        self.handlers: list[Any] = []
        self.filters: list[Any] = []
        self.propagate: Any = True
        self.disabled: Any = False

    @property
    def manager(self) -> Manager:
        return _manager()

    @property
    def root(self) -> Logger:
        return _manager()._root

    def __getattr__(self, name: str) -> Any:
        if name == "parent":
            return self._parent()
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def _parent(self) -> Any:
        known, root = _manager().loggerDict, _manager()._root
        if self is root:
            return None
        meter.charge(1 + (len(self.name) * (1 + self.name.count(".")) >> 8))
        name = self.name
        while "." in name:
            name = name.rpartition(".")[0]
            if name in known:
                return known[name]
        return root

    def getChild(self, suffix: str) -> Logger:  # noqa: N802 - Python's name
        return _get_logger(suffix if self is self.root else f"{self.name}.{suffix}")

    def setLevel(self, level: Any) -> None:  # noqa: N802 - Python's name
        self.level = _level(level)

    def getEffectiveLevel(self) -> int:  # noqa: N802 - Python's name
        logger: Any = self
        while logger is not None:
            if logger.level:
                return _level(logger.level)
            logger = logger.parent
        return NOTSET

    def isEnabledFor(self, level: int) -> bool:  # noqa: N802 - Python's name
        return not self.disabled and _manager().disable < level and level >= self.getEffectiveLevel()

    def addHandler(self, hdlr: Any) -> None:  # noqa: N802 - Python's name
        known = _list(self.handlers)
        if any(one is hdlr for one in known):
            return
        if type(self.handlers) is list:
            meter.check_length(len(known) + 1)
            self.handlers.append(hdlr)
        else:
            self.handlers = [*known, hdlr]

    def removeHandler(self, hdlr: Any) -> None:  # noqa: N802 - Python's name
        kept = [known for known in _list(self.handlers) if known is not hdlr]
        if type(self.handlers) is list:
            self.handlers[:] = kept
        else:
            self.handlers = kept

    def hasHandlers(self) -> bool:  # noqa: N802 - Python's name
        logger: Any = self
        while logger is not None:
            if logger.handlers:
                return True
            logger = logger.parent if logger.propagate else None
        return False

    def handle(self, record: Any) -> None:
        if not self.disabled and _ask(self, "filter", record):
            _ask(self, "callHandlers", record)

    def callHandlers(self, record: Any) -> None:  # noqa: N802 - Python's name
        logger: Any = self
        with nested():
            while logger is not None:
                for handler in _list(logger.handlers):
                    meter.charge(1)
                    if isinstance(handler, Handler) and _record(record).levelno >= handler.level:
                        _ask(handler, "handle", record)
                logger = logger.parent if logger.propagate else None

    def _say(self, level: int, msg: Any, args: Any, exc_info: Any = None, extra: Any = None, **options: Any) -> None:
        if not self.isEnabledFor(level):
            return
        meter.charge(4)
        handling = sessions.active.handling
        if isinstance(exc_info, ExceptionValue):
            exc_info = (type(exc_info), exc_info, None)
        elif isinstance(exc_info, BaseException):
            exc_info = (type(exc_info), value_of(exc_info), None)
        elif exc_info and not isinstance(exc_info, tuple):
            exc_info = (type(handling[-1]), handling[-1], None) if handling else (None, None, None)
        line = state.position[0] if state.position is not None else 0
        record = LogRecord(self.name, level, "program.py", line, msg, args, exc_info, "<module>")
        for key, value in _named(extra).items():
            if key in ("message", "asctime") or key in record.__dict__:
                raise KeyError(f"Attempt to overwrite {represent(key)} in LogRecord")
            record.__dict__[key] = value
        _ask(self, "handle", record)

    def debug(self, msg: Any, *args: Any, **kwargs: Any) -> None:
        self._say(DEBUG, msg, args, **kwargs)

    def info(self, msg: Any, *args: Any, **kwargs: Any) -> None:
        self._say(INFO, msg, args, **kwargs)

    def warning(self, msg: Any, *args: Any, **kwargs: Any) -> None:
        self._say(WARNING, msg, args, **kwargs)

    warn = warning

    def error(self, msg: Any, *args: Any, **kwargs: Any) -> None:
        self._say(ERROR, msg, args, **kwargs)

    def exception(self, msg: Any, *args: Any, exc_info: Any = True, **kwargs: Any) -> None:
        self._say(ERROR, msg, args, exc_info=exc_info, **kwargs)

    def critical(self, msg: Any, *args: Any, **kwargs: Any) -> None:
        self._say(CRITICAL, msg, args, **kwargs)

    fatal = critical

    def log(self, level: Any, msg: Any, *args: Any, **kwargs: Any) -> None:
        if not isinstance(level, int):
            raise TypeError("level must be an integer")
        self._say(level, msg, args, **kwargs)

    def __repr__(self) -> str:
        kind = "RootLogger" if self is self.root else type(self).__name__
        return f"<{kind} {self.name} ({_level_name(self.getEffectiveLevel())})>"


def _get_logger(name: Any = None) -> Logger:
    manager = _manager()
    if not name or name == "root":
        return manager._root
    if not isinstance(name, str):
        raise TypeError("A logger name must be a string")
    written(len(name))
    found: Logger | None = manager.loggerDict.get(name)
    if found is None:
        found = manager.loggerDict[name] = Logger(name)
    return found


_KNOWN = frozenset("level format datefmt style stream handlers filename filemode force encoding errors".split())


def _basic_config(**kwargs: Any) -> None:
    root = _manager()._root
    if kwargs.pop("force", False):
        root.handlers = []
    if root.handlers:
        return
    unknown = [name for name in kwargs if name not in _KNOWN]
    given = kwargs.get("handlers")
    if given is None:
        if "stream" in kwargs and "filename" in kwargs:
            raise ValueError("'stream' and 'filename' should not be specified together")
        if kwargs.get("filename"):
            given = [FileHandler(kwargs["filename"], kwargs.get("filemode", "a"))]
        else:
            given = [StreamHandler(kwargs.get("stream"))]
    elif "stream" in kwargs or "filename" in kwargs:
        raise ValueError("'stream' or 'filename' should not be specified together with 'handlers'")
    style = kwargs.get("style", "%")
    plain = {"%": _BASIC, "{": "{levelname}:{name}:{message}", "$": "${levelname}:${name}:${message}"}
    formatter = Formatter(kwargs.get("format") or plain.get(style), kwargs.get("datefmt"), style)
    for handler in items(given):
        if isinstance(handler, Handler) and handler.formatter is None:
            handler.formatter = formatter
        root.addHandler(handler)
    if kwargs.get("level") is not None:
        root.setLevel(kwargs["level"])
    if unknown:
        raise ValueError(f"Unrecognised argument(s): {', '.join(unknown)}")


def _to_root(name: str) -> Builtin:
    def say(*args: Any, **kwargs: Any) -> None:
        root = _manager()._root
        if not root.handlers:
            _basic_config()
        getattr(Logger, name)(root, *args, **kwargs)

    return Builtin(name, say)


def _disable(level: Any = CRITICAL) -> None:
    _manager().disable = _level(level)


_CONTENTS: dict[str, Any] = {
    **{name: _to_root(name) for name in "debug info warning warn error exception critical fatal log".split()},
    **{number_name: number for number, number_name in _LEVELS.items()},
    "WARN": WARNING,
    "FATAL": CRITICAL,
    "BASIC_FORMAT": _BASIC,
    "basicConfig": Builtin("basicConfig", _basic_config),
    "getLogger": Builtin("getLogger", _get_logger),
    "getLevelName": Builtin("getLevelName", _level_name),
    "addLevelName": Builtin("addLevelName", _add_level_name),
    "disable": Builtin("disable", _disable),
    "shutdown": Builtin("shutdown", lambda *handlers: None),
    "captureWarnings": Builtin("captureWarnings", lambda capture: None),
    "Logger": Logger,
    "LogRecord": LogRecord,
    "Handler": Handler,
    "StreamHandler": StreamHandler,
    "FileHandler": FileHandler,
    "NullHandler": NullHandler,
    "Formatter": Formatter,
    "Filter": Filter,
}


def _find(name: str) -> Any:
    return _manager()._root if name == "root" else _CONTENTS.get(name, UNSET)


MODULES: dict[str, Any] = {"logging": Module("logging", _find, lambda: [*_CONTENTS, "root"])}
